/** A request to remember something is known from talk about remembering. */
import { expect, it } from "vitest";
import { isWishToRemember } from "../../src/english/wishes.js";

it("is one", () => {
  const wishes = [
    "Remember that the key is under the pot.",
    "Please remember my locker, 114.",
    "Memorize the code, it is 4711.",
    "It's the blue one, remember that.",
    "Could you remember this for me?",
    "Note that I take it with food.",
    "Jot down the plate, K-PA 88.",
    "Keep in mind that stairs are hard for me.",
    "Don't forget that Ines comes on Friday.",
    "Dont forget the gate code.",
    "Never forget: I cannot have penicillin.",
    "Take a mental note: the left door sticks.",
    "For future reference, my size is 41.",
    "Going forward, use metres.",
    "nb: new address",
  ];
  expect(wishes.filter((text) => !isWishToRemember(text))).toEqual([]);
});

it("is none", () => {
  const others = [
    "Do you remember when we met?",
    "I remember the war.",
    "She doesn't remember me.",
    "I always forget where the key is.",
    "He never forgets a face.",
    "It was a memorable trip.",
    "He left a note on the door.",
    "The notebook is blue.",
    "That is a noteworthy remark.",
    "What is the record for the marathon?",
    "\n".repeat(100_000),
  ];
  expect(others.filter(isWishToRemember)).toEqual([]);
});
