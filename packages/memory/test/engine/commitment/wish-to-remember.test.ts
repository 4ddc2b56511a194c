/** Somebody who asks to have something remembered, and somebody who only speaks of remembering. */
import { describe, expect, it } from "vitest";
import { isWishToRemember } from "../../../src/engine/commitment/wish-to-remember.js";

describe("a wish", () => {
  it.each([
    "Remember that the key is under the pot.",
    "remember: bins go out on Tuesday",
    "Please remember my locker, 114.",
    "pls memorise this: 4711",
    "Memorize the code, it is 4711.",
    "The code is 4711. Remember it.",
    "It's the blue one, remember that.",
    "I need you to remember the blue one.",
    "Could you remember this for me?",
    "You must remember to call me Jo.",
    "Note that I take it with food.",
    "Please note: no nuts.",
    "Jot down the plate, K-PA 88.",
    "Can you write down the number? 0221 5533.",
    "Keep in mind that stairs are hard for me.",
    "So bear in mind I am deaf on the left.",
    "Don't forget that Ines comes on Friday.",
    "Don’t ever forget it.",
    "Dont forget the gate code.",
    "Do not forget my sister's name: Vera.",
    "Never forget: I cannot have penicillin.",
    "Make a note of it.",
    "Take a mental note: the left door sticks.",
    "For the record, I prefer mornings.",
    "For future reference, my size is 41.",
    "From now on call me Jo.",
    "Going forward, use metres.",
    "FYI the meeting moved.",
    "nb: new address",
  ])("%s", (text) => {
    expect(isWishToRemember(text)).toBe(true);
  });
});

describe("no wish", () => {
  it.each([
    "Do you remember when we met?",
    "I can't remember his name.",
    "I remember the war.",
    "She doesn't remember me.",
    "Remember me?",
    "I always forget where the key is.",
    "He never forgets a face.",
    "I had forgotten about that.",
    "It was a memorable trip.",
    "He left a note on the door.",
    "She took notes.",
    "The notebook is blue.",
    "That is a noteworthy remark.",
    "He wrote it down.",
    "What is the record for the marathon?",
  ])("%s", (text) => {
    expect(isWishToRemember(text)).toBe(false);
  });
});

it("is looked for in one pass, also through a hundred thousand empty lines", () => {
  expect(isWishToRemember("\n".repeat(100_000))).toBe(false);
});
