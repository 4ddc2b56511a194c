/**
 * A reader that knows only what a test tells it: texts of small talk, and what one text is to another. The same text is a
 * repetition. Everything lasts and is of one area, so that the newest memories are always compared.
 */
import type { MnemosyneOptions, Reader, Reading, Relation, StatementInTalk, StatementPair } from "mnemosyne-edge";
import { surely } from "../engine/scripted-reader.js";

type KnownPair = StatementPair & { readonly is: keyof Relation };

export class FakeReader implements Reader {
  readonly name = "fake";
  readonly runtime = "nothing at all";
  readonly #relations: readonly KnownPair[];
  isClosed = false;

  constructor(known: readonly KnownPair[] = []) {
    this.#relations = known;
  }

  async read(statements: readonly StatementInTalk[]): Promise<Reading[]> {
    return statements.map(({ text }) => ({
      fact: /hello/iu.test(text) ? 0.02 : 0.97,
      about: "self",
      area: "self",
      lasting: 0.97,
      alone: 0.97,
    }));
  }

  async relate(pairs: readonly StatementPair[]): Promise<Relation[]> {
    return pairs.map(({ older, newer }) => {
      if (older === newer) return surely("repeats");
      const known = this.#relations.find((pair) => older.includes(pair.older) && newer.includes(pair.newer));
      return surely(known?.is ?? "other");
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

/** The reader decides what is small talk. */
export const read: NonNullable<MnemosyneOptions["parameters"]> = {
  substanceThreshold: 0,
  substanceProbabilityMin: 0.04,
};
