/**
 * Sessions of clients that speak a protocol version before 2026-07-28, which has none. A session belongs to the key and the
 * person it was opened with: to anybody else it does not exist. There is a limited number, and one that nobody uses ends.
 */
import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { PersonMemory } from "mnemosyne-edge";
import { RequestError } from "../problem.js";
import { announceChanges, whenClosed } from "./changes.js";
import { unreadBytesMax, watchStream } from "./event-stream.js";

export interface SessionLimits {
  readonly sessionCountMax: number;
  /** Of one key, or of one address where no keys are asked for. */
  readonly sessionsPerCallerMax: number;
  readonly idleSecondsMax: number;
}

export const defaultSessionLimits: SessionLimits = {
  sessionCountMax: 2_000,
  sessionsPerCallerMax: 200,
  idleSecondsMax: 30 * 60,
};

/** What a connection is about. */
export interface Served {
  readonly memory: PersonMemory;
  create(): McpServer;
}

/** Who asks, and about whom. */
export interface Caller {
  readonly keyId: string | null;
  readonly person: string;
  /** Who is counted. */
  readonly name: string;
}

interface Session {
  readonly caller: Caller;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Requests that are being answered, and streams. */
  openCount: number;
  usedAtMs: number;
}

export class Sessions {
  readonly #limits: SessionLimits;
  readonly #bodyBytesMax: number;
  /** The one that was used longest ago comes first. */
  readonly #sessions = new Map<string, Session>();
  readonly #timer: NodeJS.Timeout;
  #isStopping = false;

  constructor(limits: SessionLimits, bodyBytesMax: number, stopping: AbortSignal) {
    this.#limits = limits;
    this.#bodyBytesMax = bodyBytesMax;
    this.#timer = setInterval(() => this.#endIdle(), (limits.idleSecondsMax * 1000) / 4);
    this.#timer.unref();
    stopping.addEventListener("abort", () => this.#stop(), { once: true });
  }

  /** Answers a request within its session; null if there is no such session for this caller. */
  async serve(id: string, caller: Caller, request: Request, parsedBody: unknown): Promise<Response | null> {
    const session = this.#sessions.get(id);
    if (session === undefined) return null;
    const { keyId, person } = session.caller;
    if (keyId !== caller.keyId || person !== caller.person) return null;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return this.#answer(session, request, parsedBody);
  }

  /** Answers the request that opens a session. */
  async open({ memory, create }: Served, caller: Caller, request: Request, parsedBody: unknown): Promise<Response> {
    this.#makeRoom(caller);
    const server = create();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#bodyBytesMax,
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
    });
    const session: Session = { caller, server, transport, openCount: 0, usedAtMs: Date.now() };
    const stop = announceChanges(server, memory, "legacy");
    whenClosed(server, () => {
      stop();
      if (transport.sessionId !== undefined) this.#sessions.delete(transport.sessionId);
    });
    await server.connect(transport);
    const response = await this.#answer(session, request, parsedBody);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }

  async #answer(session: Session, request: Request, parsedBody: unknown): Promise<Response> {
    session.openCount++;
    const onEnd = (): void => {
      session.openCount--;
      session.usedAtMs = Date.now();
      if (this.#isStopping && session.openCount === 0) end(session);
    };
    try {
      const response = await session.transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody });
      return watchStream(response, request.method === "GET" ? unreadBytesMax : Number.POSITIVE_INFINITY, onEnd);
    } catch (error) {
      onEnd();
      throw error;
    }
  }

  /** A caller with too many loses their own first; nobody loses a session to others unless it is idle. */
  #makeRoom(caller: Caller): void {
    const own = [...this.#sessions.values()].filter((session) => session.caller.name === caller.name);
    const isOwnFull = own.length >= this.#limits.sessionsPerCallerMax;
    if (!isOwnFull && this.#sessions.size < this.#limits.sessionCountMax) return;
    const spare = (isOwnFull ? own : [...this.#sessions.values()]).find(({ openCount }) => openCount === 0);
    if (spare === undefined)
      throw new RequestError("too_busy", "There are too many MCP sessions; end one and try again.");
    end(spare);
  }

  #endIdle(): void {
    const beforeMs = Date.now() - this.#limits.idleSecondsMax * 1000;
    for (const session of this.#sessions.values()) {
      if (session.openCount === 0 && session.usedAtMs < beforeMs) end(session);
    }
  }

  /** Streams of notices end at once; a request that is being answered is answered first. */
  #stop(): void {
    this.#isStopping = true;
    clearInterval(this.#timer);
    for (const session of this.#sessions.values()) {
      session.transport.closeStandaloneSSEStream();
      if (session.openCount === 0) end(session);
    }
  }
}

function end({ server }: Session): void {
  server.close().catch(() => {});
}
