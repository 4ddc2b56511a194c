/** Ranks passages by the cosine of their vectors with the question's; exact: every passage is compared. */
import type { Embedder } from "mnemosyne-edge";

export interface Passage {
  /** The memory it belongs to. */
  readonly memoryId: string;
  /** What is embedded. */
  readonly text: string;
}

export class VectorIndex<Item extends Passage> {
  readonly #embedder: Embedder;
  readonly #entries: { readonly item: Item; readonly vector: Float32Array }[] = [];

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  async add(items: readonly Item[]): Promise<void> {
    const vectors = await this.#embedder.embed(items.map(({ text }) => text));
    items.forEach((item, i) => this.#entries.push({ item, vector: toUnitLength(vectors[i]!) }));
  }

  /** All passages, best first. */
  async search(question: string): Promise<Item[]> {
    return (await this.score(question)).map(({ item }) => item);
  }

  /** All passages with their cosines, best first. */
  async score(question: string): Promise<{ readonly item: Item; readonly score: number }[]> {
    const [vector] = await this.#embedder.embed([question]);
    const query = toUnitLength(vector!);
    return this.#entries
      .map((entry) => ({ item: entry.item, score: dot(query, entry.vector) }))
      .sort((x, y) => y.score - x.score);
  }
}

/** Memories in the order of their best passage. */
export function memoriesOf(passages: readonly Passage[]): string[] {
  return [...new Set(passages.map(({ memoryId }) => memoryId))];
}

function toUnitLength(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector : vector.map((component) => component / length);
}

function dot(x: Float32Array, y: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
  return sum;
}
