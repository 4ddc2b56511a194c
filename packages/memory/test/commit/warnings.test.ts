/** What is about a warning, and that nothing else ends one. */
import { describe, expect, it } from "vitest";
import { isWarning, speaksOfWarning } from "../../src/english/warnings.js";
import { openWithDoubt, relationAfter, tell, tellFirst } from "./doubting-judge.js";

it.each([
  ["I'm allergic to penicillin.", "Turns out I'm not allergic to penicillin.", true],
  ["I'm allergic to eggs.", "The doctor says I have outgrown my egg allergy.", true],
  ["Soy alérgica a las nueces.", "Ya no soy alérgica, no.", true],
  ["I have a pacemaker.", "They took my pacemaker out.", true],
  ["I'm allergic to penicillin.", "I finished the antibiotics.", false],
  ["I'm allergic to nuts.", "I'm vegan now.", false],
  ["I'm allergic to nuts.", "I'm allergic to latex.", false],
  ["Never give Mum ibuprofen.", "Mum no longer takes water tablets.", false],
])("%s %s", (warning, now, expected) => {
  expect(speaksOfWarning(warning, now)).toBe(expected);
});

it("is a warning by its words or by its area", () => {
  expect(isWarning({ text: "Ich bin allergisch gegen Nüsse.", facts: null })).toBe(true);
  expect(isWarning({ text: "Never give me aspirin.", facts: [{ area: "alert" }] })).toBe(true);
  expect(isWarning({ text: "I like nuts.", facts: [{ area: "food" }] })).toBe(false);
});

const open = (update: number) =>
  openWithDoubt({ update, areas: (text) => (text.includes("aspirin") ? "alert" : "food") });

describe("a judge who is sure", () => {
  it.each([
    ["I'm allergic to nuts.", "I'm vegan now.", "does not speak of the warning"],
    ["No aspirin for me.", "I'm vegan now.", "does not speak of the warning"],
    ["I'm allergic to nuts.", "The nut allergy has gone, says the doctor.", undefined],
    ["I eat nuts.", "I'm vegan now.", undefined],
  ])("%s %s", async (first, next, byWords) => {
    const person = await open(0.95);
    const { id } = await tellFirst(person, first);
    const expected = { updates: byWords === undefined ? [id] : [], byWords };
    expect(await relationAfter(person, next)).toEqual(expected);
    const { text } = await person.coreSummary();
    expect(text.includes(first)).toBe(byWords !== undefined);
  });

  it("is told late that somebody has a warning: what came later does not end it", async () => {
    const person = await open(0.95);
    await tell(person, "vegan", "2025-05-02", "I'm vegan now.");
    await tell(person, "nuts", "2025-05-01", "I'm allergic to nuts.");
    expect((await person.get("nuts")).outdatedBy).toEqual([]);
  });
});
