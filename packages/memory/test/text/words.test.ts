import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText, isNumberWord, isSpelledNumber, splitTerms, splitWords, toTerm } from "../../src/text/words.js";

describe("words", () => {
  it("stand as in the text, without punctuation", () => {
    expect(splitWords("The nurse, Anna, said: don’t worry!")).toEqual([
      "The",
      "nurse",
      "Anna",
      "said",
      "don’t",
      "worry",
    ]);
  });

  it("keep numbers with their decimals, times, dates and thousands whole", () => {
    expect(splitWords("38.5 at 10:30 on 12/03/2025, 1,200 steps.")).toEqual([
      "38.5",
      "at",
      "10:30",
      "on",
      "12/03/2025",
      "1,200",
      "steps",
    ]);
  });

  it("all occur in the text, in their order", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        let from = 0;
        for (const word of splitWords(text)) {
          const at = text.indexOf(word, from);
          expect(at).toBeGreaterThanOrEqual(from);
          from = at + word.length;
        }
      }),
    );
  });
});

describe("terms", () => {
  it("fold case and leave out words without a meaning of their own", () => {
    expect(splitTerms("The Knee hurts, and so does the HIP.")).toEqual(["knee", "hurt", "hip"]);
  });

  const families = [
    ["tablet", "tablets"],
    ["walk", "walks", "walking", "walked"],
    ["stop", "stops", "stopping", "stopped"],
    ["nurse", "nurses"],
    ["allergy", "allergies"],
    ["dress", "dresses"],
    ["virus", "viruses"],
    ["headache", "headaches"],
    ["agree", "agrees", "agreed"],
    ["quick", "quickly"],
    ["arrive", "arrives", "arriving", "arrived"],
    ["Anna", "Anna's", "Anna’s"],
  ];
  it("of one word meet in all its forms", () => {
    expect(families.filter((family) => new Set(family.map(toTerm)).size > 1)).toEqual([]);
  });

  const stems: readonly (readonly [string, string | null])[] = [
    ["dies", "die"],
    ["flies", "fly"],
    ["boxes", "box"],
    ["buzzes", "buzz"],
    ["coaches", "coach"],
    ["dishes", "dish"],
    ["kisses", "kiss"],
    ["shoes", "sho"],
    ["cats", "cat"],
    ["gas", "gas"],
    ["feed", "feed"],
    ["freed", "freed"],
    ["succeed", "succee"],
    ["agreed", "agree"],
    ["running", "run"],
    ["grabbed", "grab"],
    ["sobbing", "sob"],
    ["stuffed", "stuf"],
    ["falling", "fall"],
    ["passing", "pass"],
    ["hoping", "hop"],
    ["being", null],
    ["eating", "eat"],
    ["aching", "ach"],
    ["king", "king"],
    ["spring", "spring"],
    ["only", null],
    ["early", "ear"],
    ["badly", "bad"],
    ["tree", "tree"],
    ["bee", "bee"],
    ["ice", "ice"],
    ["care", "car"],
    ["knee", "knee"],
    ["nurse'", "nurse'"],
    ["Zoë's", "zoë"],
    ["they've", null],
    ["cafe\u0301s", "cafés"],
    ...["string", "bring", "red", "july", "glass", "diagnosis", "bus", "12s"].map((word) => [word, word] as const),
    ...["the", "The", "it's", "It’s", "don’t", "we'll", "yesterday"].map((word) => [word, null] as const),
  ];
  it("are the stems of the table", () => {
    expect(stems.filter(([word, term]) => toTerm(word) !== term)).toEqual([]);
  });

  const awkward = fc.constantFrom(..."aZ019 '’.,:/-\n\u0301\u00a0é½²٣—漢🧠");
  it.each([
    ["any text", fc.string({ unit: "grapheme" })],
    ["letters, digits and what comes between them", fc.string({ unit: awkward, maxLength: 30 })],
  ])("are the terms of the words: %s", (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const expected = splitWords(text)
          .map(toTerm)
          .filter((term) => term !== null);
        expect(splitTerms(text)).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});

it("a number word holds a digit of any script", () => {
  expect(["5", "38.5", "10:30", "٣"].every(isNumberWord)).toBe(true);
  expect(["five", "", "knee"].some(isNumberWord)).toBe(false);
});

it("a spelled number is one word for a number, in any case", () => {
  const spelled = ["one", "Nine", "twelve", "thirteen", "EIGHTEEN", "twenty", "forty", "ninety", "hundred", "half"];
  expect(spelled.filter((word) => !isSpelledNumber(word))).toEqual([]);
  expect(["ones", "someone", "fourty", "twoteen", "halfway", ""].filter(isSpelledNumber)).toEqual([]);
});

describe("a long text is cut", () => {
  it("after the last space or stop that fits, else where it must", () => {
    expect(cutText("one two three", 8)).toEqual(["one two ", "three"]);
    expect(cutText("one two three", 13)).toEqual(["one two three"]);
    expect(cutText("one two three", 12)).toEqual(["one two ", "three"]);
    expect(cutText("abcdefgh", 3)).toEqual(["abc", "def", "gh"]);
    expect(cutText("a bcdef", 3)).toEqual(["a ", "bcd", "ef"]);
    expect(cutText(" abcdef", 3)).toEqual([" ab", "cde", "f"]);
    expect(cutText("今日。は、病院", 5)).toEqual(["今日。は、", "病院"]);
    expect(cutText("今日。は病院に", 5)).toEqual(["今日。", "は病院に"]);
    expect(cutText("", 5)).toEqual([""]);
  });

  it("never within a character that takes two units", () => {
    expect(cutText("ab🧠🧠", 3)).toEqual(["ab", "🧠", "🧠"]);
    expect(cutText("a🧠b", 3)).toEqual(["a🧠", "b"]);
  });

  it("into pieces that are short enough and make the text again", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."ab 。、🧠") }),
        fc.integer({ min: 2, max: 9 }),
        (text, lengthMax) => {
          const pieces = cutText(text, lengthMax);
          expect(pieces.join("")).toBe(text);
          expect(pieces.every((piece) => piece.length <= lengthMax)).toBe(true);
        },
      ),
    );
  });
});
