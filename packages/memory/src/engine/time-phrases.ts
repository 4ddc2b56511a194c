/**
 * The vectors of naturalized times without a year (S_meta of section 3.2): a few dozen for all memories together. They are
 * embedded before the first memory of a store, so that no recall embeds more than its question; in a store from before
 * there were any, by its first recall.
 */
import { yearlessPhrases } from "../core/paper/naturalized-time.js";
import type { QuantizedVector } from "../core/vectors/quantized-vector.js";
import type { Priority } from "./model-turns.js";
import { KeptVectors, type KeptVectorsContext } from "./kept-vectors.js";

/** By phrase. */
export type PhraseVectors = ReadonlyMap<string, QuantizedVector>;

export class TimePhrases {
  readonly #vectors: KeptVectors;

  constructor(context: KeptVectorsContext) {
    this.#vectors = new KeptVectors("time phrases", yearlessPhrases, context);
  }

  async load(priority: Priority): Promise<PhraseVectors> {
    const vectors = await this.#vectors.load(priority);
    return new Map(yearlessPhrases.map((phrase, i) => [phrase, vectors[i]!]));
  }
}
