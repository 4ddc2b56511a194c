/** A tiny app behind the real sockets and middleware, for clients that mean harm; the real app can take its place. */
import { Hono } from "hono";
import { type Listening, type ListeningTimes, defaultTimes, listen } from "../../src/server/listening.js";
import { respondWithProblem } from "../../src/server/problem.js";
import { fullAccess } from "../../src/server/security/access.js";
import { bodyStream, limitRequests, readBody } from "../../src/server/security/request-limits.js";
import { securityHeaders } from "../../src/server/security/security-headers.js";
import { type ServerEnv, type ServerLog, type ServerSettings, defaultLimits } from "../../src/server/server-context.js";
import { loopback } from "./loopback-settings.mjs";

export const loopbackSettings: ServerSettings = {
  ...loopback,
  limits: { ...defaultLimits, requestsPerMinuteMax: Infinity },
};

/** Short enough for a test to see them end. */
export const shortTimes: ListeningTimes = {
  ...defaultTimes,
  headersMs: 500,
  requestMs: 1_500,
  stalledMs: 400,
  checkMs: 50,
};

export interface LogLine {
  readonly level: keyof ServerLog;
  readonly fields: object;
  readonly message: string;
}

/** Keeps what is logged. */
export function recordingLog(): ServerLog & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at =
    (level: keyof ServerLog) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields, message });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export interface HostileServer {
  readonly listening: Listening;
  readonly log: ReturnType<typeof recordingLog>;
  /** Answers something short: what others ask for. */
  readonly path: string;
  /** Reads its body whole, and as a stream. */
  readonly bodyPath: string;
  readonly streamBodyPath: string;
  /** Answers with a stream that does not end; null where the app has none. */
  readonly endlessPath: string;
  /** Bytes that the endless streams have been asked for. */
  readonly producedBytes: () => number;
  /** Endless streams that were cancelled. */
  readonly cancelledCount: () => number;
}

export async function startHostileServer(
  settings: Partial<ServerSettings> = {},
  times: ListeningTimes = shortTimes,
): Promise<HostileServer> {
  const all = { ...loopbackSettings, ...settings };
  const log = recordingLog();
  const app = new Hono<ServerEnv>();
  let produced = 0;
  let cancelled = 0;
  app.onError((error) => respondWithProblem(error));
  app.use(securityHeaders());
  app.use(async (c, next) => {
    c.set("access", fullAccess);
    c.set("caller", "ip:127.0.0.1");
    await next();
  });
  app.use(limitRequests({ settings: all }));
  app.get("/ping", (c) => c.json({ status: "ok" }));
  app.post("/body", async (c) => c.json({ byteCount: (await readBody(c, all.limits.bodyBytesMax)).byteLength }));
  app.post("/stream-body", async (c) => {
    let byteCount = 0;
    for await (const piece of bodyStream(c, all.limits.streamBytesMax)) byteCount += piece.byteLength;
    return c.json({ byteCount });
  });
  app.get("/endless", () => {
    const piece = Buffer.alloc(64 * 1_024, "x");
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        produced += piece.byteLength;
        controller.enqueue(new Uint8Array(piece));
      },
      cancel() {
        cancelled++;
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const listening = await listen(app as unknown as Hono, all, log, times);
  return {
    listening,
    log,
    path: "/ping",
    bodyPath: "/body",
    streamBodyPath: "/stream-body",
    endlessPath: "/endless",
    producedBytes: () => produced,
    cancelledCount: () => cancelled,
  };
}
