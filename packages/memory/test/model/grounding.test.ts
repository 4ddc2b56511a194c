import { describe, expect, it } from "vitest";
import { finish } from "../../src/text/steps.js";
import { Source, isCircular } from "../../src/model/grounding.js";

const readSource = (text: string): Source => finish(Source.readSteps(text));
const source = readSource("Ada took two tablets of 500 mg at 8:30. Her daughter Rosa drove her to Leeds on 3 May.");

describe("what a source supports", () => {
  it.each([
    "Ada took 2 tablets of 500 mg.",
    "She took them at 8:30, and Rosa drove her to Leeds.",
    "The patient went to Leeds on 3 May.",
    "Nothing to tell.",
    "One thing: she feels better.",
  ])("%s", (text) => {
    expect(source.inventionsIn(text)).toEqual([]);
    expect(source.supportedSentences(text)).toBe(text);
  });

  it.each([
    ["She took 600 mg.", ["600"]],
    ["She took five tablets.", ["five"]],
    ["Then she was driven to York on 4 May.", ["4", "York"]],
    ["It was on 2025-05-03.", ["2025", "05"]],
  ] as [string, string[]][])("%s: not %j", (text, inventions) => {
    for (const word of inventions) expect(source.inventionsIn(text)).toContain(word);
    expect(source.supportedSentences(text)).toBe("");
  });

  it("only the sentences with inventions go", () => {
    expect(source.supportedSentences("Ada took two tablets. She took 600 mg. Rosa drove.")).toBe(
      "Ada took two tablets. Rosa drove.",
    );
  });

  it("in a language that writes nouns with capitals, a capital makes no name", () => {
    const german = readSource(
      "Heute hat meine Tochter die Tabletten in die Küche gelegt, und der Arzt hat am Abend wegen der Schmerzen im Knie angerufen.",
    );
    expect(german.inventionsIn("Abends gab es wegen der Beschwerden einen Anruf vom Doktor.")).toEqual([]);
    expect(german.inventionsIn("Der Arzt rief um 17 Uhr an.")).toEqual(["17"]);
  });
});

describe("numbers", () => {
  it.each([
    ["1.50 and 2,5 litres", "1.5 and 2.5 litres"],
    ["twenty apples, zero pears", "20 apples, 0 pears"],
    ["12 apples", "Twelve apples"],
    ["a half of it", "one half of it"],
  ])("%s supports %s", (text, said) => expect(readSource(text).inventionsIn(said)).toEqual([]));

  it.each([
    ["12 apples", "13 apples", ["13"]],
    ["twelve apples", "eleven apples", ["eleven"]],
    ["1.5 litres", "1.55 litres", ["1.55"]],
  ])("%s does not support %s", (text, said, inventions) =>
    expect(readSource(text).inventionsIn(said)).toEqual(inventions),
  );
});

describe("names", () => {
  it("are capitalized words that carry meaning and do not begin a sentence", () => {
    const bare = readSource("apples fell down");
    expect(bare.inventionsIn("Rosa fell. Then Rosa fell, The End of it. NASA fell.")).toEqual(["Rosa", "End"]);
    expect(readSource("rosa fell").inventionsIn("Then Rosa fell")).toEqual([]);
    // Known by its term: the source has the plural.
    expect(readSource("apples fell").inventionsIn("Then Apple fell")).toEqual([]);
  });

  it("are names where the source has four capitals at most, or no more than a fifth of its words", () => {
    const names = (count: number, others: number): string =>
      `so ${Array.from({ length: count }, (_, i) => `Name${"abcdefgh"[i]!}`).join(" ")} ${"and so on ".repeat(others)}`;
    const invents = (text: string): boolean => readSource(text).inventionsIn("then Rosa came").length > 0;
    expect(invents(names(4, 0))).toBe(true);
    expect(invents(names(5, 0))).toBe(false);
    // Five of 25 words, and five of 24 or fewer.
    expect(invents(`so ${names(5, 6)}`)).toBe(true);
    expect(invents(names(5, 5))).toBe(false);
  });
});

it("the share of shared terms counts every term of the text, by its stem", () => {
  const text = readSource("The knees hurt at night.");
  expect(text.sharedTermShare("knee night garden")).toBeCloseTo(2 / 3, 12);
  expect(text.sharedTermShare("garden")).toBe(0);
  expect(text.sharedTermShare("it is what it is")).toBe(1);
});

describe("going in circles", () => {
  it("is to have fewer different runs of three words than half of all", () => {
    // Runs of three from "a b c" said over and over are three different ones, out of two less than the words.
    const circle = (words: number): string => Array.from({ length: words }, (_, i) => "abc"[i % 3]).join(" ");
    expect(isCircular(circle(9))).toBe(true);
    expect(isCircular(circle(8))).toBe(false);
    expect(isCircular(circle(3))).toBe(false);
    expect(isCircular("A B C a b c A B C")).toBe(true);
  });

  it("takes more than three runs", () => {
    expect(isCircular("no no no no no")).toBe(false);
    expect(isCircular("no no no no no no")).toBe(true);
    expect(isCircular("")).toBe(false);
  });

  it("is not plain prose", () => {
    expect(isCircular("Ada took two tablets of 500 mg at half past eight, and Rosa drove her to Leeds.")).toBe(false);
  });
});
