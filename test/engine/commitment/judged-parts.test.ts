/** What the judge reads of an interaction to say whether it tells something. */
import type { Turn } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { finish } from "../../../src/core/steps.js";
import { judgedPartsSteps } from "../../../src/engine/commitment/judged-parts.js";

function partsOf(turns: readonly Turn[], summary: string | null = null): string[] {
  return finish(judgedPartsSteps({ turns, summary }));
}

const asks = (text: string): Turn => ({ who: "assistant", text });
const says = (text: string): Turn => ({ who: "user", text });
const words = (count: number, word = "word"): string =>
  Array.from({ length: count }, (_, i) => `${word}${i}`).join(" ");

it("an answer is read after its question", () => {
  expect(partsOf([asks("Which floor?"), says("The third.")])).toEqual(["Which floor? [SEP] The third."]);
});

it("of a long question only the last 24 words are read", () => {
  expect(partsOf([asks(`${words(30)}?`), says("The third.")])).toEqual([
    `${words(30).split(" ").slice(-24).join(" ")}? [SEP] The third.`,
  ]);
});

it("what an assistant says last, or says alone, is not read", () => {
  expect(partsOf([says("I moved to Lisbon."), asks("How nice!")])).toEqual(["I moved to Lisbon."]);
  expect(partsOf([asks("Good morning!"), asks("Anything new?")])).toEqual([]);
});

it("what somebody adds to their own words answers nothing", () => {
  expect(partsOf([says("I moved."), says("To Lisbon.")])).toEqual(["I moved.\nTo Lisbon."]);
});

it("one person may answer another", () => {
  expect(partsOf([says("Where do you live?"), { who: "Ines", text: "In Lisbon." }])).toEqual([
    "Where do you live?\nWhere do you live? [SEP] In Lisbon.",
  ]);
});

it("up to 120 words an exchange is one part, and a longer one is read in parts, without the assistant's", () => {
  expect(partsOf([says(words(60, "a")), says(words(60, "b"))])).toHaveLength(1);
  const long = [says(words(60, "a")), asks(words(20, "c")), says(words(60, "b"))];
  expect(partsOf(long)).toEqual([words(60, "a"), words(60, "b")]);
});

it("of a very long talk twelve parts are read, from its beginning to its end", () => {
  const turns = Array.from({ length: 100 }, (_, i) => says(`Turn ${i} has some words, and so has every other.`));
  const parts = partsOf(turns);
  expect(parts).toHaveLength(12);
  expect(parts[0]).toContain("Turn 0 ");
  expect(parts[11]).toMatch(/^Turn 9\d /u);
});

it("of a given summary every sentence is a part, and then what was said", () => {
  expect(partsOf([asks("Which floor?"), says("The third.")], "She moved house. She is on the third floor.")).toEqual([
    "She moved house.",
    "She is on the third floor.",
    "The third.",
  ]);
});
