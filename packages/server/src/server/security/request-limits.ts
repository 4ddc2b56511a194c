/** What one caller may take: requests a minute, requests at once, bytes of a body, and time. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context, MiddlewareHandler } from "hono";
import { followSignals } from "mnemosyne-edge/internal/signals.js";
import { RequestError } from "../problem.js";
import type { ServerContext, ServerEnv } from "../server-context.js";

/** Per caller, so it comes after `authenticate`. */
export function limitRequests({ settings: { limits } }: Pick<ServerContext, "settings">): MiddlewareHandler<ServerEnv> {
  const buckets = new TokenBuckets(limits.requestsPerMinuteMax);
  // Only callers with a request under way are in it.
  const running = new Map<string, number>();
  return async (c, next) => {
    const { caller } = c.var;
    const seconds = buckets.take(caller);
    if (seconds > 0) throw limited(`More than ${limits.requestsPerMinuteMax} requests a minute`, seconds);
    const count = running.get(caller) ?? 0;
    if (count >= limits.requestsAtOnceMax) throw limited(`More than ${limits.requestsAtOnceMax} requests at once`, 1);
    running.set(caller, count + 1);
    let isRunning = true;
    const end = (): void => {
      if (!isRunning) return;
      isRunning = false;
      const left = running.get(caller)! - 1;
      if (left === 0) running.delete(caller);
      else running.set(caller, left);
    };
    // A stream runs on after its handler has returned; the response closes when it is sent or the client is gone.
    const { outgoing } = socketsOf(c);
    outgoing?.once("close", end);
    if (outgoing?.closed === true) end();
    try {
      await next();
    } finally {
      if (outgoing === undefined) end();
    }
  };
}

function limited(what: string, seconds: number): RequestError {
  return new RequestError("rate_limited", `${what}; try again in ${seconds} s.`, {
    headers: { "retry-after": String(seconds) },
  });
}

/** Node's own objects, which a test that calls the app itself has not. */
function socketsOf(c: Context): { readonly incoming?: IncomingMessage; readonly outgoing?: ServerResponse } {
  return (c.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
}

/** The whole body, which may have that many bytes. */
export async function readBody(c: Context, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of bodyStream(c, bytesMax)) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** The body piece by piece: nothing is read ahead, and nothing beyond the limit. */
export function bodyStream(c: Context, bytesMax: number): AsyncIterable<Uint8Array> {
  const announced = Number(c.req.header("content-length") ?? 0);
  if (announced > bytesMax) throw tooLarge(bytesMax);
  return readPieces(c, bytesMax);
}

async function* readPieces(c: Context, bytesMax: number): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = c.req.raw.body?.getReader();
  if (reader === undefined) return;
  let byteCount = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(endedEarly);
      if (done) return;
      byteCount += (value as Uint8Array).byteLength;
      if (byteCount > bytesMax) throw tooLarge(bytesMax);
      yield value as Uint8Array;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function endedEarly(cause: unknown): never {
  throw new RequestError("request_invalid", "The body ended before it was complete.", { cause });
}

function tooLarge(bytesMax: number): RequestError {
  return new RequestError("body_too_large", `The body may have at most ${bytesMax.toLocaleString("en")} bytes.`);
}

/**
 * Work that must be done in time. Its signal is aborted when time is up, or when the client is gone, unless it is to be
 * finished for somebody else who waits for the same; then the answer does not wait for work that does not listen to it.
 */
export async function withTimeLimit<Result>(
  c: Context,
  seconds: number,
  work: (signal: AbortSignal) => Promise<Result>,
  { outlivesCaller = false }: { readonly outlivesCaller?: boolean } = {},
): Promise<Result> {
  const { controller, release } = followSignals(outlivesCaller ? undefined : c.req.raw.signal);
  const { signal } = controller;
  let timer: NodeJS.Timeout | undefined;
  const timeIsUp = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new RequestError("request_timeout", `The request took more than ${seconds} s and was given up.`);
      reject(error);
      controller.abort(error);
    }, seconds * 1_000);
  });
  try {
    return await Promise.race([work(signal), timeIsUp]);
  } finally {
    clearTimeout(timer);
    release();
  }
}

/**
 * How many of something each caller may do in a minute: a bucket of tokens per caller that refills evenly. The map is
 * bounded; the bucket that was used longest ago goes first, and whoever owned it starts with a full one.
 */
export class TokenBuckets {
  readonly #perMinute: number;
  readonly #countMax: number;
  readonly #now: () => number;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();

  constructor(perMinute: number, { countMax = 10_000, now = () => performance.now() } = {}) {
    this.#perMinute = perMinute;
    this.#countMax = countMax;
    this.#now = now;
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** Takes a token; 0, or the seconds until there is one. */
  take(caller: string): number {
    if (!Number.isFinite(this.#perMinute)) return 0;
    const nowMs = this.#now();
    const known = this.#buckets.get(caller);
    const gained = known === undefined ? this.#perMinute : ((nowMs - known.atMs) / 60_000) * this.#perMinute;
    const tokens = Math.min(this.#perMinute, (known?.tokens ?? 0) + gained);
    const isTaken = tokens >= 1;
    // Set again, it is the newest in the map's order.
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens: isTaken ? tokens - 1 : tokens, atMs: nowMs });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= this.#countMax) break;
      this.#buckets.delete(oldest);
    }
    return isTaken ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / this.#perMinute));
  }
}
