/** What may not end a statement, whatever a reader says. */
import type { LifeArea } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { findGuard, isWarning } from "../../src/english/guards.js";

const told = (text: string, area: LifeArea = "home") => ({ text, reading: { area, about: "self" as const } });

it.each<[older: ReturnType<typeof told>, newer: ReturnType<typeof told>]>([
  [told("I live in Graz."), told("I live in Vienna.")],
  [told("I live in Graz."), told("I moved to Vienna in May.")],
  [told("I eat nuts.", "food"), told("I'm vegan now.", "food")],
  [told("My name is Ines.", "self"), told("Call me Nes.", "self")],
  [told("The PIN is 4711.", "codes"), told("The PIN has changed to 4712.", "habits")],
  [told("Tom is my boyfriend.", "people"), told("Tom moved out.", "home")],
  [told("I'm allergic to nuts.", "alert"), told("The nut allergy has gone.", "health")],
  [told("Dad takes ramipril.", "medicine"), told("Dad stopped ramipril.", "medicine")],
])("$0.text may be ended by: $1.text", (older, newer) => expect(findGuard(older, newer)).toBeNull());

describe("may not be ended:", () => {
  it.each([
    "I might move to Vienna.",
    "Thinking of moving to Vienna.",
    "Should I move to Vienna?",
    "Do I live in Vienna?",
  ])("anything by a maybe or a question: %s", (text) =>
    expect(findGuard(told("I live in Graz."), told(text))).toBe("is unsure"),
  );

  it.each([
    ["I'm allergic to nuts.", "food", "I'm vegan now."],
    ["I have a pacemaker.", "health", "I joined a gym."],
    ["Never give me aspirin.", "alert", "I take ramipril now."],
  ] as const)("a warning by what does not speak of it: %s / %s %s", (warning, area, text) => {
    expect(findGuard(told(warning, area), told(text, "food"))).toBe("does not speak of the warning");
  });

  it.each([
    ["self", "My name is Ines.", "I moved to Leeds."],
    ["codes", "The PIN is 4711.", "I sold my bike."],
    ["people", "Tom is my boyfriend.", "I work nights."],
  ] as const)("of the area %s by what is about something else: %s / %s", (area, older, newer) => {
    expect(findGuard(told(older, area), told(newer, "work"))).toBe("is about something else");
    expect(findGuard({ text: older, reading: null }, told(newer, "work"))).toBeNull();
  });

  it("what is told of one relative by what ends for another", () => {
    const older = told("Dad takes ramipril.", "medicine");
    expect(findGuard(older, told("Mum stopped ramipril.", "medicine"))).toBe("tells of somebody else");
  });
});

it("a warning is one by its words or by its area", () => {
  expect(isWarning({ text: "Ich bin allergisch gegen Nüsse.", reading: null })).toBe(true);
  expect(isWarning(told("Never give me aspirin.", "alert"))).toBe(true);
  expect(isWarning(told("I like nuts.", "food"))).toBe(false);
});
