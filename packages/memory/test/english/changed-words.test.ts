/** Signs in the words that a short statement is not a repetition of another. */
import { describe, expect, it } from "vitest";
import { findNegation, hasOwnNumber, isOther, isWordedTheSame } from "../../src/english/changed-words.js";

describe("a number of its own", () => {
  it.each([
    ["The alarm code is 9914.", "The alarm code is 9915."],
    ["We meet at five.", "We meet at 17:30."],
    ["The sofa comes on the 23rd.", "The sofa comes on the twenty-fourth."],
  ])("%s / %s", (older, newer) => {
    expect(hasOwnNumber(older, newer)).toBe(true);
  });

  it.each([
    ["We rent the garage for 85 a month.", "The lock-up costs us eighty-five monthly."],
    ["Kindergarten closes at four.", "They shut the kindergarten at 4pm."],
    ["The sofa comes on the 23rd.", "Sofa delivery: the twenty-third."],
    ["The key is under the pot.", "You'll find the second one under the pot."],
  ])("is none: %s / %s", (older, newer) => {
    expect(hasOwnNumber(older, newer)).toBe(false);
  });
});

describe("worded the same but for a word or the order", () => {
  it.each([
    ["The train to Cork leaves at 8:05.", "The train from Cork leaves at 8:05."],
    ["Mum rang Aunt Solveig", "Aunt Solveig rang Mum"],
    ["My mom knows about the baby.", "His mom knows about the baby."],
  ])("%s / %s", (older, newer) => {
    expect(isWordedTheSame(older, newer)).toBe(true);
  });

  it.each([
    ["I live in Lisbon.", "I live in Lisbon!"],
    ["I walk the dog daily.", "I walked the dog daily."],
    ["I moved.", "He moved."],
    ["Ada lives in Porto with her cat.", "Ada dwells in Porto beside some cat."],
  ])("not: %s / %s", (older, newer) => {
    expect(isWordedTheSame(older, newer)).toBe(false);
  });
});

describe("a negation", () => {
  it.each([
    ["I eat meat", "I don't eat meat"],
    ["Not vegetarian.", "Vegetarian again."],
  ])("in the same words: %s / %s", (older, newer) => {
    expect(findNegation(older, newer)).toBe("in the same words");
    expect(isOther(older, newer)).toBe(true);
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
