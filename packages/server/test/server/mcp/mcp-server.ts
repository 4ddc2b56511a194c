/** The MCP routes on a real port, for keys that a test makes up, and the SDK's own client. */
import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { Hono } from "hono";
import { Registry } from "prom-client";
import { Mnemosyne } from "../../../../memory/src/index.js";
import { addMcpRoutes } from "../../../src/server/mcp/mcp-routes.js";
import { type Access, fullAccess } from "../../../src/server/security/access.js";
import {
  type AuditEntry,
  type ServerContext,
  type ServerEnv,
  defaultLimits,
} from "../../../src/server/server-context.js";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";
import { loopback } from "../loopback-settings.mjs";

export type Era = "2025" | "2026";
export const eras: readonly Era[] = ["2025", "2026"];

export interface McpTestServer {
  readonly url: string;
  readonly mnemosyne: Mnemosyne;
  readonly audit: readonly AuditEntry[];
  /** Everything that was logged, as text. */
  readonly logged: readonly string[];
  readonly stopping: AbortController;
  stop(): Promise<void>;
}

interface TestServerOptions {
  /** By the token that a caller sends; without any, everybody may do everything. */
  readonly keys?: Readonly<Record<string, Access>>;
  /** A file, where it matters that a store takes its time. */
  readonly path?: string;
}

export async function startMcpServer(options: TestServerOptions = {}): Promise<McpTestServer> {
  const { keys, path = ":memory:" } = options;
  const mnemosyne = await Mnemosyne.open({ path, embedder: new HashingEmbedder(), reader: false });
  const audit: AuditEntry[] = [];
  const logged: string[] = [];
  const note = (fields: object, message: string): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const stopping = new AbortController();
  const context: ServerContext = {
    mnemosyne,
    settings: {
      ...loopback,
      limits: defaultLimits,
    },
    log: { debug: note, info: note, warn: note, error: note },
    audit: { record: (entry) => void audit.push(entry), close: () => {} },
    keys: null,
    metrics: new Registry(),
    stopping: stopping.signal,
  };
  const app = new Hono<ServerEnv>();
  app.use(async (c, next) => {
    const refused =
      hostHeaderValidationResponse(c.req.raw, localhostAllowedHostnames()) ??
      originValidationResponse(c.req.raw, localhostAllowedOrigins());
    if (refused !== undefined) return refused;
    const token = c.req.header("authorization")?.replace("Bearer ", "");
    const access = keys === undefined ? fullAccess : keys[token ?? ""];
    if (access === undefined) return c.text("unknown key", 401);
    c.set("access", access);
    c.set("caller", access.keyId ?? "anybody");
    c.set("requestId", "1");
    return next();
  });
  addMcpRoutes(app, context);
  const server = await listen(app);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    mnemosyne,
    audit,
    logged,
    stopping,
    stop: async () => {
      stopping.abort();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mnemosyne.close();
    },
  };
}

function listen(app: Hono<ServerEnv>): Promise<ServerType> {
  return new Promise((resolve) => {
    const server: ServerType = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, () => resolve(server));
  });
}

export function keyFor(keyId: string, persons: readonly string[], isReadOnly = false): Access {
  return { keyId, isAdmin: false, persons, isReadOnly };
}

interface ConnectOptions {
  readonly era?: Era;
  readonly key?: string;
  readonly person?: string;
  readonly capabilities?: ClientOptions["capabilities"];
}

export interface Connection {
  readonly client: Client;
  readonly transport: StreamableHTTPClientTransport;
}

export async function connectTo(url: string, options: ConnectOptions = {}): Promise<Connection> {
  const { key, person } = options;
  const headers = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(person === undefined ? {} : { "mnemosyne-person": person }),
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  const client = new Client({ name: "test", version: "1" }, clientOptions(options.era, options.capabilities));
  await client.connect(transport);
  return { client, transport };
}

export function clientOptions(era: Era = "2025", capabilities: ClientOptions["capabilities"] = {}): ClientOptions {
  return { capabilities, versionNegotiation: { mode: era === "2025" ? "legacy" : { pin: "2026-07-28" } } };
}

interface ToolResult {
  readonly isError: boolean;
  readonly text: string;
  // What a tool returns is checked by its own schema; a test reads what it needs.
  readonly structured: Readonly<Record<string, unknown>>;
}

export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  const text = content.map((block) => (block.type === "text" ? block.text : "")).join("\n");
  return { isError: isError === true, text, structured: (structuredContent ?? {}) as Record<string, unknown> };
}

/** Waits for something that comes by itself. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5));
}
