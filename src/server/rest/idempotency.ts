/**
 * Idempotency-Key: a write that is sent again is done once. Two things see to that. The answer to a key is kept for a day,
 * in this process, and given again. And an interaction that is submitted without an id gets one made from the key, so that
 * it is stored once even if the server died before it answered, or another server gets the repetition.
 */
import { createHash } from "node:crypto";
import { RequestError } from "../problem.js";
import type { Answer } from "./route.js";

const keyLengthMax = 255;
const keptMs = 24 * 3_600_000;
const keptCountMax = 10_000;

interface Kept {
  readonly fingerprint: string;
  readonly untilMs: number;
  readonly answer: Promise<Answer | Response>;
}

export function readIdempotencyKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.trim() !== "" && header.length <= keyLengthMax) return header;
  throw new RequestError("request_invalid", `Idempotency-Key must have 1 to ${keyLengthMax} characters`);
}

/** The same for the same key; ids are a person's own, so that keys of others do not matter. */
export function deriveId(key: string): string {
  return `key-${createHash("sha256").update(key).digest("base64url").slice(0, 22)}`;
}

export class KeptAnswers {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>();

  /** Does the work, or gives the answer to the same request again; one that failed is done again. */
  async answer(
    key: string,
    place: string,
    said: readonly (string | Uint8Array)[],
    work: () => Promise<Answer | Response>,
  ): Promise<Answer | Response> {
    this.#letGo();
    const name = `${place}\n${key}`;
    const hash = createHash("sha256");
    for (const part of said) hash.update(part).update("\n");
    const fingerprint = hash.digest("base64url");
    const known = this.#kept.get(name);
    if (known !== undefined && known.fingerprint !== fingerprint) {
      throw new RequestError(
        "idempotency_key_reused",
        "this Idempotency-Key was sent with another body or query; use another key",
      );
    }
    if (known !== undefined) return known.answer;
    const answer = work();
    const entry = { fingerprint, untilMs: Date.now() + keptMs, answer };
    this.#kept.set(name, entry);
    const drop = (): void => {
      if (this.#kept.get(name) === entry) this.#kept.delete(name);
    };
    // A response can be read once; no write answers with one.
    answer.then((each) => each instanceof Response && drop(), drop);
    return answer;
  }

  #letGo(): void {
    const nowMs = Date.now();
    for (const [name, { untilMs }] of this.#kept) {
      if (untilMs > nowMs && this.#kept.size < keptCountMax) return;
      this.#kept.delete(name);
    }
  }
}
