/**
 * The sockets: what a client may hold, and for how long. Half-sent requests, silent connections and clients that do not read
 * what they asked for are ended; others are served meanwhile.
 */
import { type IncomingMessage, type Server, type ServerOptions, type ServerResponse, createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { InputError } from "mnemosyne-edge";
import { RequestError, problemOf, respondWithProblem } from "./problem.js";
import { isEveryAddress, isLoopback } from "./security/host-check.js";
import type { KeyRing, ServerLog, ServerSettings } from "./server-context.js";

export interface Listening {
  readonly url: string;
  readonly port: number;
  /** Stops accepting, lets running requests finish, and destroys what is left after `stopSecondsMax`. */
  stop(): Promise<void>;
}

export interface ListeningTimes {
  /** From the connection's first moment, or the end of the request before, to the end of the headers. */
  readonly headersMs: number;
  /** To the end of the body: an import may be long. */
  readonly requestMs: number;
  /** An idle connection is kept that long. Proxies keep theirs up to 120 s (Caddy); one that keeps longer would use one that is closing. */
  readonly keepAliveMs: number;
  /** A client that neither takes what is sent to it nor sends what it announced. */
  readonly stalledMs: number;
  /** How often the first two are looked at. */
  readonly checkMs: number;
}

export const defaultTimes: ListeningTimes = {
  headersMs: 15_000,
  requestMs: 600_000,
  keepAliveMs: 130_000,
  stalledMs: 30_000,
  checkMs: 2_000,
};

/** After that long without a sign of life the system asks whether the other side is still there. */
const probeDelayMs = 30_000;
const stopCheckMs = 20;
/** Waiting to be accepted, while the process is busy. */
const backlog = 1_024;

/** Beyond loopback anybody in the network could read and forget everything, also through a proxy on this machine. */
export function checkExposure(
  settings: Pick<ServerSettings, "host" | "allowedHosts" | "trustsProxy">,
  keys: KeyRing | null,
): void {
  const exposure = keys === null ? findExposure(settings) : null;
  if (exposure === null) return;
  throw new InputError(
    "option_invalid",
    `without keys the server is for this machine only, and ${exposure}. Make a key with \`mnemosyne keys add --admin\` or \`mnemosyne keys add --for <person>\``,
  );
}

/** What lets others than this machine reach the server; null if nothing does. */
function findExposure({
  host,
  allowedHosts,
  trustsProxy,
}: Pick<ServerSettings, "host" | "allowedHosts" | "trustsProxy">): string | null {
  if (!isLoopback(host)) return `--host ${host || "without an address"} is beyond it (127.0.0.1 is not)`;
  const name = allowedHosts.find((allowed) => !isLoopback(allowed));
  if (name !== undefined) return `--allowed-host ${name} is a name that others use`;
  return trustsProxy ? "--trust-proxy is for a proxy that others use" : null;
}

export async function listen(
  app: Pick<Hono, "fetch">,
  settings: ServerSettings,
  log: ServerLog,
  times: ListeningTimes = defaultTimes,
): Promise<Listening> {
  const connections = new Connections(log, times.stalledMs);
  const server = createListener(app, settings, log, times, connections);
  const { port } = await bind(server, settings);
  // What goes wrong later, such as too many open files, concerns one connection.
  server.on("error", (error) => log.error({ reason: error.message }, "the server could not accept a connection"));
  warnIfExposed(settings, log);
  let stopped: Promise<void> | undefined;
  return {
    url: urlOf(settings, port),
    port,
    stop: () => (stopped ??= stop(server, connections, settings.limits.stopSecondsMax, log)),
  };
}

function createListener(
  app: Pick<Hono, "fetch">,
  { limits, host }: ServerSettings,
  log: ServerLog,
  times: ListeningTimes,
  connections: Connections,
): Server {
  const options: ServerOptions = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: times.headersMs,
    requestTimeout: times.requestMs,
    keepAliveTimeout: times.keepAliveMs,
    connectionsCheckingInterval: times.checkMs,
    keepAlive: true,
    keepAliveInitialDelay: probeDelayMs,
    noDelay: true,
    insecureHTTPParser: false,
  };
  const answer = getRequestListener((request, env) => app.fetch(request, env), {
    hostname: host,
    errorHandler: (error) => respondWithProblem(understood(error, log)),
  });
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (!isPlainlySent(incoming, connections)) return;
    connections.begin(incoming, outgoing);
    void answer(incoming, outgoing);
  };
  const server = createServer(options, listener);
  server.maxConnections = limits.connectionCountMax;
  server.timeout = times.stalledMs;
  server.on("connection", (socket: Socket) => connections.add(socket));
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => connections.refuse(error, socket));
  server.on("checkExpectation", ({ socket }: IncomingMessage) =>
    connections.refuse({ code: "ERR_HTTP_EXPECTATION" }, socket),
  );
  server.on("drop", () =>
    log.warn({ connectionCountMax: limits.connectionCountMax }, "too many connections: one was dropped"),
  );
  return server;
}

/**
 * Node hands over a request before it finds that its Transfer-Encoding cannot be read, and refuses it then: it must not have
 * been done by that time. Where chunks are what is compressed, Node leaves it to us.
 */
function isPlainlySent({ headers, socket }: IncomingMessage, connections: Connections): boolean {
  const coding = headers["transfer-encoding"]?.toLowerCase() ?? "chunked";
  if (coding === "chunked") return true;
  if (coding.endsWith("chunked")) connections.refuse({ code: "HPE_INVALID_TRANSFER_ENCODING" }, socket);
  return false;
}

/** What the adapter itself refuses is about the request; anything else is internal. */
function understood(error: unknown, log: ServerLog): unknown {
  if (error instanceof Error && error.name === "RequestError" && !(error instanceof RequestError)) {
    return new RequestError("request_invalid", "The address or the Host header of the request cannot be read.");
  }
  log.error({ reason: error instanceof Error ? error.name : typeof error }, "a request failed outside of every route");
  return error;
}

/** Which sockets are open, and the answer that each is waiting for. */
class Connections {
  readonly #log: ServerLog;
  readonly #stalledMs: number;
  readonly #running = new Map<Socket, ServerResponse | null>();

  constructor(log: ServerLog, stalledMs: number) {
    this.#log = log;
    this.#stalledMs = stalledMs;
  }

  get count(): number {
    return this.#running.size;
  }

  add(socket: Socket): void {
    this.#running.set(socket, null);
    socket.once("close", () => this.#running.delete(socket));
    // A client that is gone is not an error of ours.
    socket.on("error", () => {});
  }

  begin(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    if (this.#running.has(socket)) this.#running.set(socket, outgoing);
    outgoing.once("close", () => {
      if (this.#running.get(socket) === outgoing) this.#running.set(socket, null);
    });
    // Node calls this after that long without a byte in either direction, and leaves the decision to whoever listens.
    outgoing.on("timeout", () => this.#judgeSilence(incoming, outgoing));
  }

  /** A handler may think as long as it is allowed to; a client may not keep us waiting. */
  #judgeSilence(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    const doesNotRead = socket.writableLength > 0 || outgoing.writableLength > 0;
    // With bytes that we have not read yet, it is we who are slow.
    const doesNotSend = !incoming.complete && incoming.readableLength === 0;
    if (!doesNotRead && !doesNotSend) {
      socket.setTimeout(this.#stalledMs);
      return;
    }
    this.#log.info({ waitedFor: doesNotRead ? "reading" : "sending" }, "a client stalled and was disconnected");
    socket.destroy();
  }

  /** Bytes that are not HTTP, or came too slowly. As a problem document, unless an answer has begun. */
  refuse(error: Pick<NodeJS.ErrnoException, "code">, socket: Socket): void {
    const hasBegun = this.#running.get(socket)?.headersSent === true;
    const isAboutHttp = /^HPE_|^ERR_HTTP_/u.test(error.code ?? "");
    if (!isAboutHttp || !socket.writable || hasBegun) {
      socket.destroy();
      return;
    }
    const [status, words, detail] = refusals[error.code ?? ""] ?? [400, "Bad Request", "The request is not HTTP/1.1."];
    const problem = { ...problemOf(new RequestError("request_invalid", detail)), status };
    const body = JSON.stringify(problem);
    const head = `HTTP/1.1 ${status} ${words}\r\nconnection: close\r\ncontent-type: application/problem+json`;
    socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    // Whoever does not close their side is not waited for.
    socket.destroySoon();
  }

  /** Those that wait for no answer: nothing was accepted from them. */
  destroyIdle(): void {
    for (const [socket, outgoing] of this.#running) if (outgoing === null && !socket.destroyed) socket.destroySoon();
  }

  destroyAll(): void {
    for (const socket of this.#running.keys()) socket.destroy();
  }
}

const refusals: Readonly<Record<string, readonly [status: number, words: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The headers of the request are too long."],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large", "The chunk extensions of the request are too long."],
  HPE_INVALID_TRANSFER_ENCODING: [400, "Bad Request", "Of the transfer encodings only chunked is understood."],
  ERR_HTTP_EXPECTATION: [417, "Expectation Failed", "Of the expectations only 100-continue is understood."],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request did not arrive in time."],
};

async function bind(server: Server, { host, port }: ServerSettings): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException): void => {
      reject(new InputError("option_invalid", describeBinding(cause, host, port), { cause }));
    };
    server.once("error", fail);
    server.listen({ host, port, backlog }, () => {
      server.off("error", fail);
      resolve(server.address() as AddressInfo);
    });
  });
}

function describeBinding({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === "EADDRINUSE") return `port ${port} is in use; stop what listens there, or choose another with --port`;
  if (code === "EACCES") return `port ${port} needs more rights; choose one above 1023 with --port`;
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND" || code === "EAI_AGAIN") {
    return `this machine has no address ${host}; use --host 127.0.0.1, or 0.0.0.0 for all of its addresses`;
  }
  return `listening on ${host}:${port} failed: ${message}`;
}

function warnIfExposed({ host, trustsProxy, allowedHosts }: ServerSettings, log: ServerLog): void {
  if (isLoopback(host)) return;
  if (!trustsProxy) {
    log.warn({ host }, "keys and memories can be read on the way: use a proxy with TLS, and --trust-proxy");
  }
  if (isEveryAddress(host) && allowedHosts.length === 0) {
    log.warn({ host }, "only calls to localhost are answered: name the others with --allowed-host");
  }
}

function urlOf({ host }: ServerSettings, port: number): string {
  const name = isEveryAddress(host) ? "localhost" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

async function stop(server: Server, connections: Connections, secondsMax: number, log: ServerLog): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const untilMs = performance.now() + secondsMax * 1_000;
  // A connection becomes idle when its request is answered.
  for (connections.destroyIdle(); connections.count > 0 && performance.now() < untilMs; connections.destroyIdle()) {
    await delay(stopCheckMs);
  }
  if (connections.count > 0) {
    log.warn({ connectionCount: connections.count, secondsMax }, "stopped before every request was answered");
  }
  connections.destroyAll();
  await closed;
}
