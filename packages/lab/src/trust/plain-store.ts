/**
 * A plain vector store, as memories without a language model are commonly built: it keeps everything, merges nothing,
 * ranks by the cosine of the same embedder's vectors, and is as sure as its best cosine.
 */
import { VectorIndex } from "../systems/vector-index.js";
import {
  type Fate,
  type Said,
  type TrustAnswer,
  type TrustPerson,
  type TrustSystemDefinition,
  partNames,
} from "./trust-system.js";

/** As many as vector stores commonly return by default. */
const resultCountMax = 10;

const kept: Fate = { outcome: "committed", isLost: false, isMerged: false, updates: [], trace: null };

export const plainStore: TrustSystemDefinition = {
  name: "plain-store",
  parts: partNames.filter((name) => name !== "core"),
  open: async ({ embedder }) => ({
    person: async () => new PlainPerson(new VectorIndex(embedder)),
    close: async () => {},
  }),
};

class PlainPerson implements TrustPerson {
  readonly #index: VectorIndex<{ readonly memoryId: string; readonly text: string }>;
  readonly #ids: string[] = [];

  constructor(index: VectorIndex<{ readonly memoryId: string; readonly text: string }>) {
    this.#index = index;
  }

  async commit({ id, turns }: Said): Promise<void> {
    await this.#index.add([{ memoryId: id, text: turns.map(({ text }) => text).join("\n") }]);
    this.#ids.push(id);
  }

  async fates(): Promise<Map<string, Fate>> {
    return new Map(this.#ids.map((id) => [id, kept]));
  }

  async ask({ text }: { readonly text: string }): Promise<TrustAnswer> {
    const found = (await this.#index.score(text)).slice(0, resultCountMax);
    const scores = found.map(({ item, score }) => ({ id: item.memoryId, score }));
    return {
      ranked: scores.map(({ id }) => id),
      confidence: scores[0]?.score ?? 0,
      isAbstained: scores.length === 0,
      trace: { scores },
    };
  }
}
