/** Texts with their vectors and words: what every baseline searches. */
import type { Embedder } from "mnemosyne-edge";

/** BM25 (Robertson & Zaragoza 2009), with the idf that stays positive. */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Reciprocal rank fusion's constant (Cormack, Clarke & Büttcher 2009). */
const fusionOffset = 60;

export class TextIndex {
  readonly #embedder: Embedder;
  readonly #vectors: Float32Array[] = [];
  readonly #bags: Map<string, number>[] = [];
  readonly #lengths: number[] = [];

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  async add(texts: readonly string[]): Promise<void> {
    this.#vectors.push(...(await this.#embedder.embed(texts)));
    for (const text of texts) {
      const words = splitWords(text);
      const bag = new Map<string, number>();
      for (const word of words) bag.set(word, (bag.get(word) ?? 0) + 1);
      this.#bags.push(bag);
      this.#lengths.push(words.length);
    }
  }

  /** A score for each text. */
  async cosines(question: string): Promise<number[]> {
    const [asked] = await this.#embedder.embed([question]);
    return this.#vectors.map((vector) => dot(asked!, vector));
  }

  /** A score for each text. */
  wordScores(question: string): number[] {
    const count = this.#bags.length;
    const meanLength = this.#lengths.reduce((sum, length) => sum + length, 0) / count;
    const scores = this.#bags.map(() => 0);
    for (const word of new Set(splitWords(question))) {
      const frequency = this.#bags.filter((bag) => bag.has(word)).length;
      const rarity = Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
      for (const [i, bag] of this.#bags.entries()) {
        const repeats = bag.get(word) ?? 0;
        const damping = saturation * (1 - lengthWeight + (lengthWeight * this.#lengths[i]!) / meanLength);
        scores[i]! += (rarity * repeats * (saturation + 1)) / (repeats + damping);
      }
    }
    return scores;
  }

  async fusedScores(question: string): Promise<number[]> {
    const fused = this.#bags.map(() => 0);
    for (const scores of [this.wordScores(question), await this.cosines(question)]) {
      orderOf(scores).forEach((i, rank) => (fused[i]! += 1 / (fusionOffset + rank)));
    }
    return fused;
  }
}

/** Indices, best score first; of equals the earlier. */
export function orderOf(scores: readonly number[]): number[] {
  return scores.map((_, i) => i).sort((a, b) => scores[b]! - scores[a]!);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
