/** Words that need their day, and sentences that need the one before. */
import { describe, expect, it } from "vitest";
import { dependsOnDay, pointsBack } from "../../src/english/day-words.js";

describe("the day matters", () => {
  it.each([
    "I start at the harbour tomorrow.",
    "I've just moved to Graz.",
    "Since Friday I sleep badly.",
    "The operation is in June.",
    "He comes next Tuesday.",
    "I live in Vienna now.",
  ])("to %s", (text) => expect(dependsOnDay(text)).toBe(true));

  it.each(["I live in Graz.", "June is my sister.", "My adjustable bed is blue.", "I get up at six.", "I know Bo."])(
    "not to %s",
    (text) => expect(dependsOnDay(text)).toBe(false),
  );
});

describe("a sentence points back", () => {
  it.each(["It barks at night.", "And she sings.", "He's a nurse.", "But those are fine.", "This one is mine."])(
    "%s",
    (text) => expect(pointsBack(text)).toBe(true),
  );

  it.each(["Ada has a dog.", "Thistles grow.", "Italy is far.", "I gave it to him."])("not %s", (text) =>
    expect(pointsBack(text)).toBe(false),
  );
});
