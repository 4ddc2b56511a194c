import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnownWords } from "../../../src/core/text/known-words.js";

const shout = (word: string): string | null => (word === "silent" ? null : word.toUpperCase());
const termOf = (words: KnownWords<string | null>, word: string): string | null =>
  words.meaningOf(`<${word}>`, 1, word.length + 1);

describe("known words", () => {
  it("say what the word at a place of a text stands for, also when they meet it again", () => {
    const words = new KnownWords(shout);
    for (let again = 0; again < 2; again++) {
      expect(words.meaningOf("a knee, a hip", 2, 6)).toBe("KNEE");
      expect(words.meaningOf("a knee, a hip", 10, 13)).toBe("HIP");
      expect(words.meaningOf("silent knee", 0, 6)).toBeNull();
    }
  });

  it("look a word up once", () => {
    const made: string[] = [];
    const words = new KnownWords((word) => {
      made.push(word);
      return word;
    });
    for (const word of ["knee", "hip", "knee", "hip"]) termOf(words, word);
    expect(made).toEqual(["knee", "hip"]);
  });

  it("tell words apart whose hashes are the same: 65 · 31 + 97 = 66 · 31 + 66", () => {
    const words = new KnownWords(shout);
    expect(["Aa", "BB", "Aa", "BB"].map((word) => termOf(words, word))).toEqual(["AA", "BB", "AA", "BB"]);
  });

  it("are right for any words, in any order", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom("A", "a", "B", "é", "漢") })), (list) => {
        const words = new KnownWords(shout);
        expect(list.map((word) => termOf(words, word))).toEqual(list.map(shout));
      }),
    );
  });

  it("look words up again after they were cleared", () => {
    let suffix = "!";
    const words = new KnownWords((word) => word + suffix);
    expect(termOf(words, "knee")).toBe("knee!");
    suffix = "?";
    expect(termOf(words, "knee")).toBe("knee!");
    words.clear();
    expect(termOf(words, "knee")).toBe("knee?");
  });

  it("begin again when there are too many, and stay right", () => {
    const words = new KnownWords(shout);
    for (let i = 0; i < 50_000; i++) if (termOf(words, `word${i}`) !== `WORD${i}`) expect.fail(`word${i}`);
    expect(termOf(words, "word7")).toBe("WORD7");
  });
});
