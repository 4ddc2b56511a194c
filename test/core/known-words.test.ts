import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnownWords } from "../../src/core/known-words.js";

const shout = (word: string): string | null => (word === "silent" ? null : word.toUpperCase());
const termOf = (words: KnownWords, word: string): string | null => words.termOf(`<${word}>`, 1, word.length + 1);

describe("known words", () => {
  it("give the term of the word at a place of a text, also when they meet it again", () => {
    const words = new KnownWords(shout);
    for (let again = 0; again < 2; again++) {
      expect(words.termOf("a knee, a hip", 2, 6)).toBe("KNEE");
      expect(words.termOf("a knee, a hip", 10, 13)).toBe("HIP");
      expect(words.termOf("silent knee", 0, 6)).toBeNull();
    }
  });

  it("make the term of a word once", () => {
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

  it("begin anew when there are too many, and stay right", () => {
    const words = new KnownWords(shout);
    for (let i = 0; i < 50_000; i++) if (termOf(words, `word${i}`) !== `WORD${i}`) expect.fail(`word${i}`);
    expect(termOf(words, "word7")).toBe("WORD7");
  });
});
