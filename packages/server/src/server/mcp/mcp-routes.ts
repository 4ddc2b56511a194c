/**
 * `/mcp`: MCP over streamable HTTP. Since protocol version 2026-07-28 each request stands alone; older clients open a
 * session. Whose memory it is comes from the key, a header or the address, never from a tool's arguments.
 */
import {
  type McpHttpHandler,
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  readRequestBody,
} from "@modelcontextprotocol/server";
import type { Hono } from "hono";
import type { PersonMemory } from "mnemosyne-edge";
import { RequestError, problemOf, respondWithProblem } from "../problem.js";
import { findTooMuch } from "../security/json-size.js";
import { type Access, allows, onlyPerson } from "../security/access.js";
import type { ServerContext, ServerEnv } from "../server-context.js";
import { watchChanges } from "./changes.js";
import { unreadBytesMax, watchStream } from "./event-stream.js";
import { createMemoryServer } from "./memory-server.js";
import { type Caller, type Served, type SessionLimits, Sessions, defaultSessionLimits } from "./sessions.js";

const personHeader = "mnemosyne-person";
const sessionHeader = "mcp-session-id";

export interface McpRouteOptions {
  readonly limits?: SessionLimits;
  /** What is served; a test of the protocol itself serves something else. */
  readonly createServer?: typeof createMemoryServer;
}

export function addMcpRoutes(app: Hono<ServerEnv>, context: ServerContext, options: McpRouteOptions = {}): void {
  const { limits = defaultSessionLimits, createServer = createMemoryServer } = options;
  const { bodyBytesMax } = context.settings.limits;
  const sessions = new Sessions(limits, bodyBytesMax, context.stopping);
  app.all("/mcp", async (c) => {
    c.set("operation", "mcp");
    const { access, caller: name } = c.var;
    const request = c.req.raw;
    try {
      const person = c.req.header(personHeader) || c.req.query("person") || onlyPerson(access) || "default";
      const served = bind(context, access, person, createServer);
      const body = await readBody(request, bodyBytesMax);
      if (body instanceof Response) return body;
      const caller = { keyId: access.keyId, person, name };
      return (await isLegacyRequest(request, body.parsed))
        ? await serveSession(sessions, served, caller, request, body.parsed)
        : await serveAlone(served, request, body.parsed, context);
    } catch (error) {
      if (problemOf(error).code === "internal") context.log.error({ err: error }, "an MCP request failed");
      return respondWithProblem(error);
    }
  });
}

/** Who may not see a person is refused before anything about that person is looked up. */
function bind(
  { mnemosyne, audit, log, stopping }: ServerContext,
  access: Access,
  person: string,
  createServer: typeof createMemoryServer,
): Served {
  if (!allows(access, "read", person)) {
    audit.record({ action: "refuse", operation: "mcp", keyId: access.keyId, person, outcome: 403 });
    throw new RequestError("not_allowed", "This key may not use the memory of this person.");
  }
  const options = { mnemosyne, person, access, audit, log, stopping };
  return { memory: mnemosyne.person(person), create: () => createServer(options) };
}

/** Read once, for whoever answers. */
async function readBody(request: Request, bytesMax: number): Promise<{ parsed: unknown } | Response> {
  if (request.method !== "POST") return { parsed: undefined };
  if (!isJsonContentType(request.headers.get("content-type"))) {
    return refuse(415, -32_000, "Unsupported Media Type: Content-Type must be application/json");
  }
  const body = await readRequestBody(request, bytesMax);
  if (body.tooLarge) return refuse(413, -32_000, `The request body has more than ${bytesMax} bytes.`);
  const tooMuch = findTooMuch(new TextEncoder().encode(body.text));
  if (tooMuch !== null) return refuse(413, -32_000, `The request body ${tooMuch}.`);
  try {
    return { parsed: JSON.parse(body.text) as unknown };
  } catch {
    return refuse(400, -32_700, "Parse error: the request body is not valid JSON");
  }
}

async function serveSession(
  sessions: Sessions,
  served: Served,
  caller: Caller,
  request: Request,
  body: unknown,
): Promise<Response> {
  const id = request.headers.get(sessionHeader);
  if (id === null && isInitializeRequest(body)) return sessions.open(served, caller, request, body);
  if (id === null) return refuse(400, -32_000, "Bad Request: Mcp-Session-Id header is required");
  return (await sessions.serve(id, caller, request, body)) ?? refuse(404, -32_001, "Session not found");
}

/** One request, with a server and a channel for notices of its own: nothing is shared between persons. */
async function serveAlone(
  { memory, create }: Served,
  request: Request,
  parsedBody: unknown,
  { log, stopping, settings }: ServerContext,
): Promise<Response> {
  const isListening = (parsedBody as { method?: unknown } | null)?.method === "subscriptions/listen";
  const handler: McpHttpHandler = createMcpHandler(create, {
    legacy: "reject",
    maxRequestBodySize: settings.limits.bodyBytesMax,
    bus: noticesOf(memory, stopping, () => void handler.close()),
    onerror: ({ message }) => log.debug({ reason: message }, "an MCP request was refused"),
  });
  const response = await handler.fetch(request, { parsedBody });
  return isListening ? watchStream(response, unreadBytesMax, () => {}) : response;
}

type Bus = McpHttpHandler["bus"];

/** Listening begins with the first subscriber, and ends when the server stops. */
function noticesOf(memory: PersonMemory, stopping: AbortSignal, end: () => void): Bus {
  return {
    publish: () => {},
    subscribe: (listener) => {
      const stopWatching = watchChanges(memory, listener);
      stopping.addEventListener("abort", end, { once: true });
      return () => {
        stopWatching();
        stopping.removeEventListener("abort", end);
      };
    },
  };
}

function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
