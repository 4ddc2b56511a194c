/** Signs in the words that a short statement is not a repetition of another. */
import { describe, expect, it } from "vitest";
import { findNegation, hasOwnNumber, isOther, isWordedTheSame } from "../../../src/engine/commitment/changed-words.js";

describe("a number of its own", () => {
  it.each([
    ["The alarm code is 9914.", "The alarm code is 9915."],
    ["Bedtime insulin is eighteen units.", "Twenty-two units at bedtime."],
    ["We meet at five.", "We meet at 17:30."],
    ["The sofa comes on the 23rd.", "The sofa comes on the twenty-fourth."],
  ])("%s / %s", (older, newer) => {
    expect(hasOwnNumber(older, newer)).toBe(true);
  });

  it.each([
    ["We rent the garage for 85 a month.", "The lock-up costs us eighty-five monthly."],
    ["The allotment is plot seventeen.", "Plot 17 is ours."],
    ["Kindergarten closes at four.", "They shut the kindergarten at 4pm."],
    ["The sofa comes on the 23rd.", "Sofa delivery: the twenty-third."],
    ["Leila comes at 4 on the 12/07.", "On 12/07 at four."],
    ["The key is under the pot.", "You'll find the second one under the pot."],
    ["I run.", "I am one who runs, at first light."],
  ])("is none: %s / %s", (older, newer) => {
    expect(hasOwnNumber(older, newer)).toBe(false);
  });
});

describe("worded the same but for a word or the order", () => {
  it.each([
    ["The train to Cork leaves at 8:05.", "The train from Cork leaves at 8:05."],
    ["Mum rang Aunt Solveig", "Aunt Solveig rang Mum"],
    ["Upstairs thermostat stays at 19.", "Downstairs thermostat stays at 19."],
    ["My mom knows about the baby.", "His mom knows about the baby."],
  ])("%s / %s", (older, newer) => {
    expect(isWordedTheSame(older, newer)).toBe(true);
  });

  it.each([
    ["I live in Lisbon.", "I live in Lisbon!"],
    ["I walk the dog daily.", "I walked the dog daily."],
    ["Bin collection is on Friday mornings.", "They empty the bins Fridays, early."],
    ["I moved.", "He moved."],
    ["Ada lives in Porto with her cat.", "Ada dwells in Porto beside some cat."],
  ])("not: %s / %s", (older, newer) => {
    expect(isWordedTheSame(older, newer)).toBe(false);
  });
});

describe("a negation", () => {
  it.each([
    ["I eat meat", "I don't eat meat"],
    ["I still drive at night.", "I never drive at night."],
    ["He can still dress himself.", "He can't dress himself."],
    ["Not vegetarian.", "Vegetarian again."],
  ])("in the same words: %s / %s", (older, newer) => {
    expect(findNegation(older, newer)).toBe("in the same words");
    expect(isOther(older, newer)).toBe(true);
  });

  it("in more words", () => {
    expect(findNegation("I like tea", "I like tea without milk")).toBe("in more words");
    expect(isOther("I like tea", "I like tea without milk")).toBe(true);
  });

  it.each([
    ["My mom knows about the baby.", "His mom doesn't know about the baby."],
    ["I drive.", "I have no car, I live in Porto."],
    ["I don't eat meat.", "I never eat meat."],
    ["Yes.", "No."],
  ])("is none: %s / %s", (older, newer) => {
    expect(findNegation(older, newer)).toBeNull();
  });
});
