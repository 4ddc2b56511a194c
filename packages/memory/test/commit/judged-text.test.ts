/** What the judge reads of an interaction to say whether it tells something. */
import type { Turn } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { finish } from "../../src/text/steps.js";
import { readJudgedTextSteps } from "../../src/commit/judged-text.js";

function textOf(turns: readonly Turn[], summary: string | null = null): string | null {
  return finish(readJudgedTextSteps({ turns, summary }))?.text ?? null;
}

const asks = (text: string): Turn => ({ who: "assistant", text });
const says = (text: string): Turn => ({ who: "user", text });
const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(" ");

it("an answer is read after its question, and told without it", () => {
  const judged = finish(readJudgedTextSteps({ turns: [asks("Which floor?"), says("The third.")], summary: null }));
  expect(judged).toEqual({ text: "Which floor? [SEP] The third.", told: "The third." });
});

it("of a long question only the last 24 words are read", () => {
  const read = `${words(30).split(" ").slice(-24).join(" ")}? [SEP] The third.`;
  expect(textOf([asks(`${words(30)}?`), says("The third.")])).toBe(read);
});

it("what an assistant says last, or says alone, is not read", () => {
  expect(textOf([says("I moved to Lisbon."), asks("How nice!")])).toBe("I moved to Lisbon.");
  expect(textOf([asks("Good morning!"), asks("Anything new?")])).toBeNull();
});

it("more than 120 words, or a summary, are left to the examples", () => {
  expect(textOf([says(words(120))])).not.toBeNull();
  expect(textOf([says(words(121))])).toBeNull();
  expect(textOf([says(words(100)), asks(words(100))])).not.toBeNull();
  expect(textOf([says("I moved to Lisbon.")], "She moved.")).toBeNull();
  expect(textOf([], words(121))).toBeNull();
});

it("a short summary alone is a statement", () => {
  expect(textOf([], "She moved.")).toBe("She moved.");
});
