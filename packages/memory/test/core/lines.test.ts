/** How facts are put: under their areas, in one line, with a date where their words depend on one. */
import { describe, expect, it } from "vitest";
import { countLineWords, lineOf, writeFacts } from "../../src/core/lines.js";
import { lifeAreas } from "../../src/profiles/general.js";
import { healthcare } from "../../src/profiles/healthcare.js";
import { embed, statementOf } from "../graph/graph-fixtures.js";

const told = (initMs: number, summaryText = "") => embed({ id: "m", initMs, summaryText }).node;
const may = told(Date.parse("2025-05-01T10:00:00Z"));
const line = (text: string, isChange = false): string => lineOf(may, statementOf(text), null, isChange, "UTC");

describe("a date", () => {
  it.each([
    "I start at the harbour tomorrow.",
    "I've just moved to Graz.",
    "Since Friday I sleep badly.",
    "The operation is in June.",
    "He comes next Tuesday.",
  ])("follows %s", (text) => expect(line(text)).toBe(`${text} (1 May 2025)`));

  it.each(["I live in Graz.", "June is my sister.", "My adjustable bed is blue.", "I get up at six."])(
    "does not follow %s",
    (text) => expect(line(text)).toBe(text),
  );

  it("follows a change, with what it means, and is that of the person's place", () => {
    const late = told(Date.parse("2025-05-01T23:30:00Z"));
    const moved = statementOf("I live in Graz.");
    expect(lineOf(late, moved, null, true, "UTC")).toBe("I live in Graz. (since 1 May 2025, not before)");
    expect(lineOf(late, moved, null, true, "Europe/Vienna")).toBe("I live in Graz. (since 2 May 2025, not before)");
  });
});

describe("a fact is one line", () => {
  it("whatever it holds", () => expect(line(" I live\n\n- in\tGraz. ")).toBe("I live - in Graz."));

  it("with the question that it answers, and the name of another speaker", () => {
    const answer = statementOf("Penicillin.", { asked: "Any allergies?" });
    expect(lineOf(may, answer, null, false, "UTC")).toBe("Any allergies? Penicillin.");
    const other = statementOf("I live in Graz.", { who: "Marta" });
    expect(lineOf(may, other, null, false, "UTC")).toBe("Marta: I live in Graz.");
  });

  it("after the statement that says of whom it speaks, whose words count for the date, too", () => {
    const lead = statementOf("My sister Ana is a nurse.");
    expect(lineOf(may, statementOf("She lives in Graz."), lead, false, "UTC")).toBe(
      "My sister Ana is a nurse. She lives in Graz.",
    );
    const today = statementOf("Ana called today.");
    expect(lineOf(may, statementOf("She lives in Graz."), today, false, "UTC")).toBe(
      "Ana called today. She lives in Graz. (1 May 2025)",
    );
  });

  it("of a memory without statements, its summary", () => {
    expect(lineOf(told(0, "Ada sings."), undefined, null, false, "UTC")).toBe("Ada sings.");
  });
});

it("areas come in the profile's order, facts in their own, and an area without any is not named", () => {
  const facts = [
    { area: "Food", line: "Plums for breakfast." },
    { area: "Allergies and alerts", line: "No penicillin." },
    { area: "Health", line: "Heart valve." },
    { area: "Health", line: "Ramipril at night." },
  ];
  expect(writeFacts(facts, lifeAreas)).toBe(
    "Allergies and alerts\n- No penicillin.\nHealth\n- Heart valve.\n- Ramipril at night.\nFood\n- Plums for breakfast.",
  );
  expect(writeFacts(facts, healthcare.areas!)).toBe("Allergies and alerts\n- No penicillin.");
  expect(writeFacts([], lifeAreas)).toBe("");
});

it("words are counted as people do, and without spaces as the platform does", () => {
  expect(countLineWords("Home\n- Ada lives near Graz.")).toBe(6);
  expect(countLineWords("我住在东京的一个小公寓里。")).toBeGreaterThan(5);
  expect(countLineWords("私は東京に住んでいます")).toBeGreaterThan(4);
});
