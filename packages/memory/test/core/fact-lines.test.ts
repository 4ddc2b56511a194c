/** How facts are put: under their areas, in one line, with a date where their words depend on one. */
import { describe, expect, it } from "vitest";
import { areaOf, countLineWords, writeFact, writeFacts } from "../../src/core/fact-lines.js";
import { healthcare } from "../../src/profiles/healthcare.js";
import { fact, rules } from "./core-facts.js";

describe("a date", () => {
  it.each([
    "I start at the harbour tomorrow.",
    "I've just moved to Graz.",
    "Since Friday I sleep badly.",
    "The operation is in June.",
    "He comes next Tuesday.",
  ])("follows %s", (text) => expect(writeFact(fact("m", text), "UTC")).toBe(`${text} (1 May 2025)`));

  it.each(["I live in Graz.", "June is my sister.", "My adjustable bed is blue.", "I get up at six."])(
    "does not follow %s",
    (text) => expect(writeFact(fact("m", text), "UTC")).toBe(text),
  );

  it("follows a change, with what it means, and is that of the person's place", () => {
    const moved = fact("m", "I live in Graz.", { isChange: true, toldMs: Date.parse("2025-05-01T23:30:00Z") });
    expect(writeFact(moved, "UTC")).toBe("I live in Graz. (since 1 May 2025, not before)");
    expect(writeFact(moved, "Europe/Vienna")).toBe("I live in Graz. (since 2 May 2025, not before)");
  });
});

it("a fact is one line, whatever it holds", () => {
  expect(writeFact(fact("m", " I live\n\n- in\tGraz. "), "UTC")).toBe("I live - in Graz.");
});

it("areas come in the profile's order, facts in their own, and an area without any is not named", () => {
  const facts = [
    fact("m", "Plums for breakfast.", { area: "food" }),
    fact("m", "No penicillin.", { area: "alert" }),
    fact("m", "Heart valve.", { area: "health" }),
    fact("m", "Ramipril at night.", { area: "medicine" }),
  ];
  expect(writeFacts(facts, rules)).toBe(
    "Allergies and alerts\n- No penicillin.\nHealth\n- Heart valve.\n- Ramipril at night.\nFood\n- Plums for breakfast.",
  );
  expect(writeFacts(facts, { ...rules, areas: healthcare.areas! })).toBe(
    "Allergies and alerts\n- No penicillin.\nConditions\n- Heart valve.\nMedicines\n- Ramipril at night.\nWho they are\n- Plums for breakfast.",
  );
});

it("an area is found by its title or the judge's name; only a pin has one without either", () => {
  const titleOf = (area: string, isPinned: boolean): string | undefined =>
    areaOf({ area, isPinned }, rules.areas)?.title;
  expect(titleOf("Worries", false)).toBe("Worries");
  expect(titleOf("medicine", false)).toBe("Health");
  expect(titleOf("Medicines", false)).toBeUndefined();
  expect(titleOf("Medicines", true)).toBe("Allergies and alerts");
  expect(areaOf({ area: "x", isPinned: true }, [])).toBeNull();
});

it("words are counted as people do, and without spaces as the platform does", () => {
  expect(countLineWords("Home\n- Ada lives near Graz.")).toBe(6);
  expect(countLineWords("我住在东京的一个小公寓里。")).toBeGreaterThan(5);
  expect(countLineWords("私は東京に住んでいます")).toBeGreaterThan(4);
});
