import { describe, expect, it } from "vitest";
import { Source } from "../../../src/engine/language-model/grounding.js";

const source = new Source("Ada took two tablets of 500 mg at 8:30. Her daughter Rosa drove her to Leeds on 3 May.");

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
    const german = new Source(
      "Heute hat meine Tochter die Tabletten in die Küche gelegt, und der Arzt hat am Abend wegen der Schmerzen im Knie angerufen.",
    );
    expect(german.inventionsIn("Abends gab es wegen der Beschwerden einen Anruf vom Doktor.")).toEqual([]);
    expect(german.inventionsIn("Der Arzt rief um 17 Uhr an.")).toEqual(["17"]);
  });
});
