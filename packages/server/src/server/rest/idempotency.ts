/**
 * Idempotency-Key: a write that is sent again is done once. The process keeps the answer to a key for a day and gives it
 * again. After a restart, an interaction without an id is still recognized: its id is made from the key.
 */
import { createHash } from "node:crypto";
import { RequestError } from "../problem.js";
import type { Answer } from "./route.js";

const keyLengthMax = 255;
const keptMs = 24 * 3_600_000;
/** Beyond it the oldest answers go. */
const keptBytesMax = 32 * 2 ** 20;

export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.trim() !== "" && header.length <= keyLengthMax) return header;
  throw new RequestError("request_invalid", `Idempotency-Key must have 1 to ${keyLengthMax} characters`);
}

/** The same for the same key. Ids are a person's own, so equal keys of other people do not matter. */
export function deriveId(key: string): string {
  return `key-${createHash("sha256").update(key).digest("base64url").slice(0, 22)}`;
}

/** A write that may have been sent before. */
export interface Repeatable {
  /** The caller, the method, the address and the key. */
  readonly name: string;
  readonly said: Said;
  readonly work: () => Promise<Answer>;
}

interface Kept {
  readonly fingerprint: string;
  readonly answer: Answer;
  readonly atMs: number;
  readonly byteCount: number;
}

export class KeptAnswers {
  readonly #bytesMax: number;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();
  readonly #running = new Map<string, { readonly said: Said; readonly answer: Promise<Answer> }>();
  #byteCount = 0;

  constructor({ bytesMax = keptBytesMax, now = Date.now } = {}) {
    this.#bytesMax = bytesMax;
    this.#now = now;
  }

  /** Does the work, or gives the answer to the same request again; a request that failed is done again. */
  async answer({ name, said, work }: Repeatable): Promise<Answer> {
    const running = this.#running.get(name);
    if (running !== undefined) return answerOfRunning(running, said);
    this.#drop(({ atMs }) => atMs <= this.#now() - keptMs);
    const kept = this.#kept.get(name);
    if (kept !== undefined) {
      checkSame(kept.fingerprint, await said.fingerprint());
      return kept.answer;
    }
    const answer = work();
    this.#running.set(name, { said, answer });
    try {
      await this.#keep(name, said, await answer);
      return await answer;
    } finally {
      this.#running.delete(name);
    }
  }

  async #keep(name: string, said: Said, answer: Answer): Promise<void> {
    const fingerprint = await said.fingerprint();
    const byteCount = 2 * (name.length + JSON.stringify(answer).length);
    this.#kept.set(name, { fingerprint, answer, atMs: this.#now(), byteCount });
    this.#byteCount += byteCount;
    this.#drop(() => this.#byteCount > this.#bytesMax);
  }

  /** From the oldest on. */
  #drop(isOver: (kept: Kept) => boolean): void {
    for (const [name, kept] of this.#kept) {
      if (!isOver(kept)) return;
      this.#kept.delete(name);
      this.#byteCount -= kept.byteCount;
    }
  }
}

async function answerOfRunning(running: { said: Said; answer: Promise<Answer> }, said: Said): Promise<Answer> {
  // A streamed body has a fingerprint once it has been read.
  if (running.said.isStreamed) await running.answer;
  checkSame(await running.said.fingerprint(), await said.fingerprint());
  return running.answer;
}

function checkSame(before: string, now: string): void {
  if (before === now) return;
  const detail = "this Idempotency-Key was sent with another body or query; use another key";
  throw new RequestError("idempotency_key_reused", detail);
}

/** Query and body of a request, as a fingerprint. A streamed body is counted in as it is read. */
export class Said {
  readonly isStreamed: boolean;
  readonly #hash = createHash("sha256");
  readonly #stream: AsyncIterable<Uint8Array> | null;
  #fingerprint: string | null = null;
  #reading: AsyncIterator<Uint8Array> | null = null;

  constructor(query: string, body: Uint8Array | null | AsyncIterable<Uint8Array>) {
    this.#hash.update(query).update("\n");
    this.isStreamed = body !== null && !(body instanceof Uint8Array);
    this.#stream = this.isStreamed ? (body as AsyncIterable<Uint8Array>) : null;
    if (body instanceof Uint8Array) this.#hash.update(body);
  }

  /** The body, once. */
  async *stream(): AsyncGenerator<Uint8Array, void, undefined> {
    this.#reading ??= this.#stream![Symbol.asyncIterator]();
    for (let next = await this.#reading.next(); next.done !== true; next = await this.#reading.next()) {
      this.#hash.update(next.value);
      yield next.value;
    }
  }

  /** Reads what has not been read. */
  async fingerprint(): Promise<string> {
    if (this.#fingerprint === null && this.isStreamed) for await (const _ of this.stream());
    return (this.#fingerprint ??= this.#hash.digest("base64url"));
  }
}
