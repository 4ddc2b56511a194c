/**
 * A note in the store of when a model that timed out may be asked again; without it the next process would wait as
 * long. It is only a hint: a store that cannot keep or read it changes nothing.
 */
import { createHash } from "node:crypto";
import type { LanguageModel } from "../../ports/language-model.js";
import type { Store } from "../../ports/store.js";

export interface Rest {
  /** By wall-clock time, which processes share. */
  readonly untilMs: number;
  /** How many times longer than the first the next rest is. */
  readonly nextFactor: number;
  readonly reason: string;
}

export class RestNote {
  readonly #store: Pick<Store, "cached" | "cache">;
  readonly #key: string;

  constructor(store: Pick<Store, "cached" | "cache">, { name, address = "" }: LanguageModel) {
    this.#store = store;
    this.#key = `rest ${createHash("sha256")
      .update(JSON.stringify([name, address]))
      .digest("hex")}`;
  }

  async read(): Promise<Rest | null> {
    try {
      const bytes = await this.#store.cached(this.#key);
      return bytes === null ? null : parseRest(new TextDecoder().decode(bytes));
    } catch {
      return null;
    }
  }

  /** Null: it no longer needs to rest. */
  async write(rest: Rest | null): Promise<void> {
    try {
      await this.#store.cache(this.#key, new TextEncoder().encode(JSON.stringify(rest)));
    } catch {
      // The next process waits once more.
    }
  }
}

function parseRest(json: string): Rest | null {
  const { untilMs, nextFactor, reason } = (JSON.parse(json) ?? {}) as Partial<Rest>;
  const isWhole = Number.isFinite(untilMs) && Number.isFinite(nextFactor) && typeof reason === "string";
  return isWhole ? { untilMs: untilMs!, nextFactor: nextFactor!, reason } : null;
}
