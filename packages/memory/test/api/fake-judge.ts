/** A judge that knows only what a test tells it: texts of small talk, and what one text is to another. The same text is a repetition. */
import type { Judge, JudgedPair, MnemosyneOptions, Relation } from "mnemosyne-edge";

const different: Relation = { repetition: 0, update: 0, different: 1 };
const relations = {
  repetition: { repetition: 1, update: 0, different: 0 },
  update: { repetition: 0, update: 1, different: 0 },
};

export class FakeJudge implements Judge {
  readonly name = "fake";
  readonly runtime = "nothing at all";
  readonly #relations: readonly (JudgedPair & { readonly is: keyof typeof relations })[];
  isClosed = false;

  constructor(known: readonly (JudgedPair & { readonly is: keyof typeof relations })[] = []) {
    this.#relations = known;
  }

  async substance(texts: readonly string[]): Promise<number[]> {
    return texts.map((text) => (/hello/iu.test(text) ? 0.02 : 0.97));
  }

  async relation(pairs: readonly JudgedPair[]): Promise<Relation[]> {
    return pairs.map(({ older, newer }) => {
      if (older === newer) return relations.repetition;
      const known = this.#relations.find((pair) => older.includes(pair.older) && newer.includes(pair.newer));
      return known === undefined ? different : relations[known.is];
    });
  }

  async relevance(_question: string, statements: readonly string[]): Promise<number[]> {
    return statements.map(() => 0.5);
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** Every memory is compared with every other, and the judge decides what is small talk. */
export const judged: NonNullable<MnemosyneOptions["parameters"]> = {
  relationCosineMin: -1,
  substanceThreshold: 0,
  substanceProbabilityMin: 0.04,
};
