/** The proxy on a real port, with a memory of its own and the hashing embedder. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type ServerType, serve } from "@hono/node-server";
import { Hono } from "hono";
import { Registry } from "prom-client";
import { type HistoryItem, Mnemosyne, type MnemosyneOptions, NotFoundError } from "../../../../memory/src/index.js";
import { type ProxyHandle, addProxyRoutes } from "../../../src/server/proxy/proxy-routes.js";
import { RequestError, respondWithProblem } from "../../../src/server/problem.js";
import { type Access, fullAccess } from "../../../src/server/security/access.js";
import {
  type AuditEntry,
  type ServerContext,
  type ServerEnv,
  type UpstreamSettings,
  defaultLimits,
} from "../../../src/server/server-context.js";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";
import { loopback } from "../loopback-settings.mjs";

export interface ProxyOptions {
  readonly path: string;
  readonly upstream: Partial<UpstreamSettings> & { readonly url: string };
  /** Keys and what they may do; without any, none is asked for. */
  readonly keys?: Readonly<Record<string, Access>>;
  readonly memory?: Partial<MnemosyneOptions>;
  /** Changes what the proxy sees of the memory, to make it fail. */
  readonly disturb?: (mnemosyne: Mnemosyne) => Mnemosyne;
}

export class ProxyServer {
  readonly mnemosyne: Mnemosyne;
  readonly logged: object[] = [];
  readonly audited: AuditEntry[] = [];
  readonly handle: ProxyHandle;
  postCount = 0;
  readonly #server: ServerType;

  private constructor(mnemosyne: Mnemosyne, options: ProxyOptions) {
    this.mnemosyne = mnemosyne;
    const app = new Hono<ServerEnv>();
    app.use(async (c, next) => {
      const key = (c.req.header("authorization")?.replace(/^Bearer /u, "") ?? c.req.header("x-api-key")) || "";
      const access = options.keys === undefined ? fullAccess : options.keys[key];
      if (access === undefined) return respondWithProblem(new RequestError("key_invalid", "unknown"));
      c.set("access", access);
      return next();
    });
    this.handle = addProxyRoutes(app, this.#contextOf(options));
    this.#server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false });
  }

  static async start(options: ProxyOptions): Promise<ProxyServer> {
    const memory = { path: options.path, embedder: new HashingEmbedder(), reader: false as const, timeZone: "UTC" };
    const mnemosyne = await Mnemosyne.open({ ...memory, ...options.memory });
    const proxy = new ProxyServer(mnemosyne, options);
    if (!(proxy.#server as Server).listening) await once(proxy.#server, "listening");
    return proxy;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Closes it as the server would, in order. */
  async stop(): Promise<void> {
    await this.handle.close();
    (this.#server as Server).closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    await this.mnemosyne.close();
  }

  async history(person = "default"): Promise<HistoryItem[]> {
    try {
      return await this.mnemosyne.person(person).history();
    } catch (error) {
      if (error instanceof NotFoundError) return [];
      throw error;
    }
  }

  /** Turns of all conversations, each as one line. */
  async said(person = "default"): Promise<string[][]> {
    return (await this.history(person)).map(({ turns }) => turns.map(({ who, text }) => `${who}: ${text}`));
  }

  post(path: string, body: unknown, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    this.postCount++;
    const headers = { "content-type": "application/json", ...init.headers };
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return fetch(this.origin + path, { ...init, method: "POST", headers, body: text });
  }

  #contextOf({ upstream, keys, disturb }: ProxyOptions): ServerContext {
    const log = (fields: object, message: string): void => void this.logged.push({ ...fields, message });
    return {
      mnemosyne: disturb?.(this.mnemosyne) ?? this.mnemosyne,
      settings: {
        ...loopback,
        limits: defaultLimits,
        upstream: { key: null, quietSeconds: 300, tokenBudget: 400, ...upstream },
      },
      log: { debug: log, info: log, warn: log, error: log },
      audit: { record: (entry) => void this.audited.push(entry), close: async () => {} },
      keys: keys === undefined ? null : { verify: async (key) => keys[key] ?? null, isStillGood: async () => true },
      metrics: new Registry(),
      stopping: new AbortController().signal,
    };
  }
}

/** Waits for something that happens soon after; fails with what it was last. */
export async function eventually<T>(read: () => Promise<T> | T, isSo: (value: T) => boolean): Promise<T> {
  let value = await read();
  for (let i = 0; i < 500 && !isSo(value); i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    value = await read();
  }
  if (!isSo(value)) throw new Error(`it did not happen; it is ${JSON.stringify(value)}`);
  return value;
}
