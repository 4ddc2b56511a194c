import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "../../src/text/sentences.js";

describe("sentences", () => {
  it("end at full stops, question marks and exclamation marks", () => {
    expect(splitSentences("She slept well. Did he? Yes!  Good.")).toEqual([
      "She slept well.",
      "Did he?",
      "Yes!",
      "Good.",
    ]);
  });

  it.each([
    ["Dr. Smith came at noon. He left.", ["Dr. Smith came at noon.", "He left."]],
    ["Mrs. Ng met Prof. Lee. They talked.", ["Mrs. Ng met Prof. Lee.", "They talked."]],
    ["She ate soft food, e.g. Rice. It helped.", ["She ate soft food, e.g. Rice.", "It helped."]],
    ["It was aspirin vs. Ibuprofen again. She chose.", ["It was aspirin vs. Ibuprofen again.", "She chose."]],
    ["(Dr. Who) is on. We watch.", ["(Dr. Who) is on.", "We watch."]],
  ])("do not end after an abbreviation: %s", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it.each([
    ["J. R. R. Tolkien wrote it. She read it.", ["J. R. R. Tolkien wrote it.", "She read it."]],
    ["The letter is from A. Jones. It came today.", ["The letter is from A. Jones.", "It came today."]],
  ])("do not end after an initial: %s", (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it("do not end inside a number", () => {
    expect(splitSentences("Her temperature was 38.5 degrees. It fell to 37.2 later.")).toEqual([
      "Her temperature was 38.5 degrees.",
      "It fell to 37.2 later.",
    ]);
  });

  it("end at every line break, with or without a full stop", () => {
    expect(splitSentences("User: my knee hurts\nAssistant: since when\r\n\r\nUser: Monday")).toEqual([
      "User: my knee hurts",
      "Assistant: since when",
      "User: Monday",
    ]);
    for (const lineBreak of ["\n", "\r\n", "\r"]) {
      expect(splitSentences(`I saw Dr.${lineBreak}Smith came later.`)).toEqual(["I saw Dr.", "Smith came later."]);
    }
  });

  it("lose no text but white space, and none is empty or padded", () => {
    const pieces = fc.constantFrom(
      "Dr. ",
      "A. ",
      "knee",
      " ",
      ". ",
      "!\n",
      "3.5",
      "\r\n",
      "e.g. ",
      "She",
      "?",
      "…",
      "“",
      "🙂",
    );
    const texts = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const sentences = splitSentences(text);
        expect(withoutSpace(sentences.join(""))).toBe(withoutSpace(text));
        for (const sentence of sentences) {
          expect(sentence).not.toBe("");
          expect(sentence).toBe(sentence.trim());
          expect(sentence).not.toMatch(/[\r\n]/u);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function withoutSpace(text: string): string {
  return text.replaceAll(/\s+/gu, "");
}
