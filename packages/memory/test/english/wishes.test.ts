/** Requests to remember, and wishes to forget, are known from talk about remembering and forgetting. */
import { describe, expect, it } from "vitest";
import { isWishToRemember, readForgetWish } from "../../src/english/wishes.js";

describe("a request to remember", () => {
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
});

describe("a wish to forget", () => {
  it.each([
    ["Please forget what I said about my ex.", "my ex"],
    ["Forget everything I told you about the job, thanks", "the job"],
    ["Wait, forget what I said about the knee, it was the hip", "the knee"],
    ["Forget the stuff I mentioned regarding my debts.", "my debts"],
    ["forget that I told you I was pregnant", "I was pregnant"],
    ["Can you delete everything you know about my divorce?", "my divorce"],
    ["I'd like you to forget everything about Tom.", "Tom"],
    ["erase all you have on my mother", "my mother"],
    ["Remove my address from your notes.", "my address"],
    ["don't save anything about my kids", "my kids"],
  ])("names what it means: %s", (text, topic) => {
    expect(readForgetWish(text)).toEqual({ topic });
  });

  it.each([
    "forget what I just said",
    "just forget i said anything",
    "oh forget i said that",
    "You can forget what I told you earlier.",
    "Could you forget that I said that?",
    "don't remember this",
    "pls dont remember this",
    "Do not store any of this please",
    "Never write this down!",
    "off the record, I hate my boss",
    "Delete this from your memory.",
  ])("means what stands beside it: %s", (text) => {
    expect(readForgetWish(text)).toEqual({ topic: null });
  });

  it.each([
    ["an idiom", "forget it"],
    ["an idiom after another", "never mind, forget that"],
    ["an idiom that is quoted", "I said forget it!"],
    ["an idiom with a name", "Forget about it."],
    ["a change of subject", "forget about the meeting, let's talk about lunch"],
    ["its contrary", "don't forget"],
    ["its contrary, with a topic", "Don't forget what I said about nuts."],
    ["its contrary, once and for all", "Never forget what I told you about my heart."],
    ["a question", "How do I forget my ex?"],
    ["a question about what was said", "Did you forget what I said about my ex?"],
    ["a condition", "If you forget what I said about Tom I'm cross."],
    ["a complaint", "I always forget what I said about it."],
    ["somebody else's wish", "He told me to forget what I said"],
    ["something else that is deleted", "Delete the last message"],
    ["no memory", "I don't remember this street."],
    ["too wide to be meant", "forget everything"],
    ["very long", "forget ".repeat(20_000)],
  ])("is none: %s", (_, text) => {
    expect(readForgetWish(text)).toBeNull();
  });
});
