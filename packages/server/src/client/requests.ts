/**
 * Requests, with what makes them safe to repeat: every write has an Idempotency-Key, the same for each attempt, so the
 * server does it once. Repeated is what got no answer, and what the server asks to send later (429 and 503 with
 * Retry-After).
 */
import { MnemosyneClientError, readProblem } from "./client-error.js";

export interface ClientOptions {
  /** Where the server is, such as "http://127.0.0.1:7373"; a path before /v1 is kept. */
  readonly url: string | URL;
  /** Of `mnemosyne keys add`. A server on loopback may ask for none. */
  readonly key?: string;
  /** Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For each attempt; streams have no limit. Default: 65,000, more than the server's own. */
  readonly timeoutMs?: number;
  /** Attempts after the first. Default: 3. */
  readonly retries?: number;
}

const optionNames: readonly (keyof ClientOptions)[] = ["url", "key", "fetch", "headers", "timeoutMs", "retries"];

export interface Request {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** Sent as it is. */
  readonly blob?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

const timeoutMsDefault = 65_000;
const retriesDefault = 3;
const pauseMs = 200;
/** Longer than that nobody waits in silence: the error says when. */
const retryAfterSecondsMax = 30;

export class Requests {
  readonly #options: ClientOptions;
  readonly #base: string;

  constructor(options: ClientOptions) {
    const unknown = Object.keys(options).find((name) => !optionNames.includes(name as keyof ClientOptions));
    if (unknown !== undefined) {
      const detail = `the client has no option "${unknown}"; there are: ${optionNames.join(", ")}`;
      throw new MnemosyneClientError({ status: 0, code: "option_invalid", detail });
    }
    this.#options = options;
    this.#base = String(options.url).replace(/(?<!\/)\/+$/u, "");
  }

  /** The answer as JSON; null if it is empty. */
  async json<Result>(path: string, request: Request = {}): Promise<Result> {
    return this.#repeat(request, async (headers) => {
      const { timeoutMs = timeoutMsDefault } = this.#options;
      const limit = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await this.#send(path, request, headers, eitherOf(limit, request.signal));
        const text = await answer.text();
        return (text === "" ? null : JSON.parse(text)) as Result;
      } catch (cause) {
        if (!limit.aborted) throw cause;
        const detail = `there was no answer within ${timeoutMs} ms`;
        throw new MnemosyneClientError({ status: 0, code: "timed_out", detail, cause });
      }
    });
  }

  /** An answer whose body is read as it comes. Once it has begun it is not repeated. */
  async stream(path: string, request: Request = {}): Promise<ReadableStream<Uint8Array>> {
    const answer = await this.#repeat(request, (headers) => this.#send(path, request, headers, request.signal));
    return answer.body as ReadableStream<Uint8Array>;
  }

  async #repeat<Result>(
    { method = "GET", signal }: Request,
    attempt: (headers: Record<string, string>) => Promise<Result>,
  ): Promise<Result> {
    const { retries = retriesDefault } = this.#options;
    const headers: Record<string, string> = method === "GET" ? {} : { "idempotency-key": makeId() };
    for (let count = 0; ; count++) {
      signal?.throwIfAborted();
      try {
        return await attempt(headers);
      } catch (error) {
        signal?.throwIfAborted();
        const failure = explain(error);
        const waitMs = count < retries ? pauseBefore(failure, count) : null;
        if (waitMs === null) throw failure;
        await pause(waitMs, signal);
      }
    }
  }

  async #send(
    path: string,
    { method = "GET", query = {}, body, blob, headers: own = {} }: Request,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal | undefined,
  ): Promise<Response> {
    const { key, fetch: send = globalThis.fetch, headers: ofAll = {} } = this.#options;
    const answer = await send(`${this.#base}${path}${writeQuery(query)}`, {
      method,
      headers: {
        ...ofAll,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...own,
        ...headers,
      },
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(blob === undefined ? {} : { body: blob }),
    });
    if (!answer.ok) throw await readProblem(answer);
    return answer;
  }
}

export function eitherOf(own: AbortSignal, given: AbortSignal | undefined): AbortSignal {
  return given === undefined ? own : AbortSignal.any([own, given]);
}

/** What fetch throws differs by runtime; that there was no answer is the same. */
export function explain(cause: unknown): MnemosyneClientError {
  if (cause instanceof MnemosyneClientError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new MnemosyneClientError({ status: 0, code: "network_failed", detail: `no answer: ${message}`, cause });
}

/** Null if the same request would be refused again. */
function pauseBefore({ status, retryAfter }: MnemosyneClientError, count: number): number | null {
  if (status === 0) return pauseMs * 2 ** count;
  if ((status !== 429 && status !== 503) || retryAfter === null || retryAfter > retryAfterSecondsMax) return null;
  return Math.max(pauseMs, 1_000 * retryAfter);
}

export async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted === true) end();
  });
  signal?.throwIfAborted();
}

function writeQuery(query: NonNullable<Request["query"]>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

/** 128 random bits. Pages without TLS have no randomUUID. */
export function makeId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A name as part of an address. Two names mean other addresses there, however they are written. */
export function segment(name: string): string {
  if (typeof name === "string" && name !== "" && name !== "." && name !== "..") return encodeURIComponent(name);
  const detail = `a name or id must be a text other than "", "." and "..", which no address can carry`;
  throw new MnemosyneClientError({ status: 0, code: "id_invalid", detail });
}
