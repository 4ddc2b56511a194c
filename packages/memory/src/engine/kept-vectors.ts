/**
 * Vectors of fixed texts that belong to nobody, such as a profile's examples. They are embedded once and kept in the store,
 * because a new process would otherwise spend seconds on them.
 */
import { createHash } from "node:crypto";
import type { QuantizedVector } from "../core/vectors/quantized-vector.js";
import type { Store } from "../ports/store.js";
import type { EmbeddingQueue } from "./embedding-queue.js";
import type { Priority } from "./model-turns.js";
import type { LogEvent } from "./engine-context.js";

/** Where vectors come from, where they are kept, and who is told if they cannot be. */
export interface KeptVectorsContext {
  readonly embedding: EmbeddingQueue;
  readonly store: Store;
  readonly log: (event: LogEvent) => void;
}

export class KeptVectors {
  readonly #kind: string;
  readonly #texts: readonly string[];
  readonly #context: KeptVectorsContext;
  #loading: Promise<QuantizedVector[]> | undefined;

  /** `kind` is what they are called in the store. */
  constructor(kind: string, texts: readonly string[], context: KeptVectorsContext) {
    this.#kind = kind;
    this.#texts = texts;
    this.#context = context;
  }

  /** In the order of the texts. */
  load(priority: Priority): Promise<QuantizedVector[]> {
    if (this.#loading === undefined) {
      this.#loading = this.#loadOrEmbed(priority);
      // A failure is not cached: whoever needs them next tries again.
      this.#loading.catch(() => (this.#loading = undefined));
    }
    return this.#loading;
  }

  async #loadOrEmbed(priority: Priority): Promise<QuantizedVector[]> {
    const { embedding, store, log } = this.#context;
    const { name, dimensions } = embedding.identity;
    const key = `${this.#kind} ${createHash("sha256")
      .update(JSON.stringify([name, this.#texts]))
      .digest("hex")}`;
    const cached = await store.cached(key);
    if (cached?.length === this.#texts.length * dimensions) return splitVectors(cached, dimensions);
    const vectors = await embedding.embed(this.#texts, priority);
    await store.cache(key, joinVectors(vectors, dimensions)).catch((cause: unknown) => {
      log({ level: "warn", message: `vectors of ${this.#kind} could not be stored; they will be made again`, cause });
    });
    return vectors;
  }
}

function joinVectors(vectors: readonly QuantizedVector[], dimensions: number): Uint8Array {
  const joined = new Int8Array(vectors.length * dimensions);
  vectors.forEach((vector, i) => joined.set(vector, i * dimensions));
  return new Uint8Array(joined.buffer);
}

function splitVectors(bytes: Uint8Array, dimensions: number): QuantizedVector[] {
  const codes = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Array.from({ length: codes.length / dimensions }, (_, i) => codes.slice(i * dimensions, (i + 1) * dimensions));
}
