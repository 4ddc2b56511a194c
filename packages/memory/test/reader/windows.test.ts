/** How statements are put into windows, in which the encoder reads them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { embeddedText } from "../../src/reader/cut.js";
import { cutWindows } from "../../src/reader/windows.js";
import { statementOf } from "../graph/graph-fixtures.js";

type Parts = Parameters<typeof statementOf>[1];
const told = (text: string, parts: Parts = {}) => statementOf(text, parts);
const textsOf = (statements: Parameters<typeof cutWindows>[0]): (readonly string[])[] =>
  cutWindows(statements).map(({ texts }) => texts);
const beforeOf = (statements: Parameters<typeof cutWindows>[0]): (string | null)[] =>
  cutWindows(statements).map(({ before }) => before);

describe("a window", () => {
  it("has the statements of one turn, after the last words of the turn before", () => {
    const statements = [told("I moved."), told("It rains."), told("Where to?", { turn: 1, who: "assistant" })];
    expect(cutWindows(statements)).toEqual([
      { before: null, isAnswer: false, texts: ["I moved.", "It rains."] },
      { before: "I moved. It rains.", isAnswer: false, texts: ["Where to?"] },
    ]);
    expect(cutWindows([])).toEqual([]);
  });

  it("has the name of a speaker who has one before each statement, and none before the words of a summary", () => {
    const statements = [
      told("It rains.", { turn: null, who: null }),
      ...["One.", "Two."].map((text) => told(text, { who: "Bea" })),
    ];
    expect(cutWindows(statements)).toEqual([
      { before: null, isAnswer: false, texts: ["It rains."] },
      { before: "It rains.", isAnswer: false, texts: ["Bea: One.", "Bea: Two."] },
    ]);
  });

  it("has at most 12 statements", () => {
    const counts = textsOf(Array.from({ length: 25 }, (_, i) => told(`Number ${i}.`))).map(({ length }) => length);
    expect(counts).toEqual([12, 12, 1]);
  });

  it("has at most 480 characters, names among them, unless a statement alone has more", () => {
    const [half, more, long] = [240, 241, 481].map((length) => told("x".repeat(length)));
    const countsOf = (...statements: NonNullable<typeof half>[]): number[] =>
      textsOf(statements).map(({ length }) => length);
    expect(countsOf(half!, half!)).toEqual([2]);
    expect(countsOf(half!, more!)).toEqual([1, 1]);
    expect(countsOf(long!, half!)).toEqual([1, 1]);
    // "Bea: " has 5 characters.
    const named = (length: number) => told("x".repeat(length), { who: "Bea" });
    expect(countsOf(named(235), named(235))).toEqual([2]);
    expect(countsOf(named(235), named(236))).toEqual([1, 1]);
  });

  it("begins with an answer, which has its question once", () => {
    const answer = told("Fridays.", { turn: 0, asked: "Which day?" });
    expect(cutWindows([told("Hello there."), answer, told("She is nice.")])).toEqual([
      { before: null, isAnswer: false, texts: ["Hello there."] },
      { before: "Which day?", isAnswer: true, texts: ["Fridays.", "She is nice."] },
    ]);
  });

  it("of what a model wrote has that alone, after nothing", () => {
    const written = (text: string) => told(text, { turn: null, who: null, kind: "written" });
    expect(cutWindows([told("I moved."), written("Ada moved."), written("It rains.")])).toEqual([
      { before: null, isAnswer: false, texts: ["I moved."] },
      { before: null, isAnswer: false, texts: ["Ada moved."] },
      { before: null, isAnswer: false, texts: ["It rains."] },
    ]);
  });
});

describe("the words before a window", () => {
  const many = (count: number, word = "word"): string =>
    Array.from({ length: count }, (_, i) => `${word}${i}`).join(" ");

  it("are the last 24, of as many statements as that takes", () => {
    const next = told("Next.", { turn: 9 });
    expect(beforeOf([told(many(30)), next]).at(-1)).toBe(many(30).split(" ").slice(-24).join(" "));
    expect(beforeOf([told(many(24)), next]).at(-1)).toBe(many(24));
    const three = [told(many(30, "a")), told(many(20, "b"), { turn: 1 }), told(many(3, "c"), { turn: 2 }), next];
    expect(beforeOf(three).at(-1)).toBe(`a29 ${many(20, "b")} ${many(3, "c")}`);
  });

  it("are those of the same turn, too, where it has a window before", () => {
    const statements = Array.from({ length: 13 }, (_, i) => told(`Number ${i}.`));
    expect(beforeOf(statements)).toEqual([null, Array.from({ length: 12 }, (_, i) => `Number ${i}.`).join(" ")]);
  });

  it("have single spaces, and the names of nobody", () => {
    const statements = [told("  one \n two\t", { who: "Bea" }), told("Next.", { turn: 1 })];
    expect(beforeOf(statements)).toEqual([null, "one two"]);
  });
});

it("windows have every statement once, in order, whatever was said", () => {
  const kinds = fc.constantFrom("said", "passage", "written");
  const statements = fc.array(
    fc.record({
      text: fc.string({ minLength: 1, maxLength: 300 }),
      turn: fc.option(fc.nat(3)),
      who: fc.constantFrom(null, "user", "assistant", "Bea"),
      asked: fc.option(fc.constant("Which day?")),
      kind: kinds as fc.Arbitrary<"said" | "passage" | "written">,
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(statements, (all) => {
      const windows = cutWindows(all);
      expect(windows.flatMap(({ texts }) => texts)).toEqual(all.map((each) => embeddedText({ ...each, asked: null })));
      for (const { texts } of windows) {
        expect(texts.length).toBeGreaterThan(0);
        expect(texts.length).toBeLessThanOrEqual(12);
        if (texts.length > 1) expect(texts.join("").length).toBeLessThanOrEqual(480);
      }
    }),
  );
});
