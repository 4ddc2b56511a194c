/**
 * A profile's example sentences as vectors: what substance, small talk and lasting traits look like. They are embedded
 * once and kept in the store, because a new process would otherwise spend seconds on them.
 */
import { createHash } from "node:crypto";
import type { QuantizedVector } from "../../core/vectors/quantized-vector.js";
import type { Parameters } from "../../parameters.js";
import type { Store } from "../../ports/store.js";
import type { Profile } from "../../profiles/profile.js";
import type { EmbeddingQueue } from "../embedding-queue.js";
import { type SubstanceVectors, buildSubstanceVectors, substanceTexts } from "./substance.js";

export class ProfileExamples {
  readonly #profile: Profile;
  readonly #embedding: EmbeddingQueue;
  readonly #store: Store;
  readonly #parameters: Parameters;
  #loading: Promise<SubstanceVectors> | undefined;

  constructor(profile: Profile, embedding: EmbeddingQueue, store: Store, parameters: Parameters) {
    this.#profile = profile;
    this.#embedding = embedding;
    this.#store = store;
    this.#parameters = parameters;
  }

  load(): Promise<SubstanceVectors> {
    if (this.#loading === undefined) {
      this.#loading = this.#loadOrEmbed();
      // A failure is not cached: the next interaction tries again.
      this.#loading.catch(() => (this.#loading = undefined));
    }
    return this.#loading;
  }

  async #loadOrEmbed(): Promise<SubstanceVectors> {
    const texts = substanceTexts(this.#profile);
    const { name, dimensions } = this.#embedding.identity;
    const key = `examples ${createHash("sha256")
      .update(JSON.stringify([name, texts]))
      .digest("hex")}`;
    const cached = await this.#store.cached(key);
    if (cached?.length === texts.length * dimensions) {
      return buildSubstanceVectors(this.#profile, splitVectors(cached, dimensions), this.#parameters);
    }
    const vectors = await this.#embedding.embed(texts, "commitment");
    await this.#store.cache(key, joinVectors(vectors, dimensions));
    return buildSubstanceVectors(this.#profile, vectors, this.#parameters);
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
