/** Where a sentence tells a second thing, who is unsure, and who asks. */
import { describe, expect, it } from "vitest";
import { isQuestion, isUnsure, onlyAsks, splitClauses } from "../../src/english/clauses.js";

describe("a clause with a subject of its own is cut off", () => {
  it.each([
    ["I'm Ines, 41, I work at Fjordline", ["I'm Ines, 41", "I work at Fjordline"]],
    ["I live in Graz and my sister lives in Linz.", ["I live in Graz", "my sister lives in Linz."]],
    ["I have two cats, but they hate each other.", ["I have two cats", "they hate each other."]],
    ["I quit smoking; I run now.", ["I quit smoking", "I run now."]],
    ["we moved to Leeds - i'm at the hospital now", ["we moved to Leeds", "i'm at the hospital now"]],
    ["I moved to Leeds — my desk is by the window", ["I moved to Leeds", "my desk is by the window"]],
    ["I take ramipril plus I swim daily.", ["I take ramipril", "I swim daily."]],
    ["I’m Bo, I’ve a dog.", ["I’m Bo", "I’ve a dog."]],
    ["Mum's 80, Dad's 82 and they live in Hove", ["Mum's 80", "Dad's 82", "they live in Hove"]],
    ["i moved last week. the flat is on the third floor", ["i moved last week.", "the flat is on the third floor"]],
    [
      "the code is 7731, the wifi is mushroom, and my landlord is called Gary",
      ["the code is 7731", "the wifi is mushroom", "my landlord is called Gary"],
    ],
    [
      "my brother lives in Linz, near the river, and eats plums, my aunt has a boat",
      ["my brother lives in Linz, near the river, and eats plums", "my aunt has a boat"],
    ],
  ])("%s", (sentence, clauses) => expect(splitClauses(sentence)).toEqual(clauses));

  it.each([
    "I like tea and biscuits.",
    "I like tea, coffee, and milk.",
    "My flat is small, dark, and cold.",
    "I live in Porto, where my aunt has a boat, which is blue.",
    "Yes, I do.",
    "If I had a dog, I'd call it Pixel.",
    "When the sun is out, I walk to work.",
    "She said I should go, and I went home.",
    "I sold the car because I moved and I work from home now.",
    "I hope we win, and I think we will.",
    "My wife knows that we moved and I miss the sea.",
    "I see dr. hill on friday, at 4 p.m. in leeds",
    "",
  ])("and one thought stays whole: %s", (sentence) => expect(splitClauses(sentence)).toEqual([sentence]));

  it("and of a long text without a border all is one", () => {
    const long = "and the road winds on past the chapel ".repeat(3_000).trim();
    expect(splitClauses(long)).toEqual([long]);
  });
});

describe("unsure is", () => {
  it.each([
    "I might move to Porto.",
    "Maybe I'll sell it.",
    "I may be late.",
    "We're thinking of moving.",
    "I'm not sure about the flat.",
    "I wonder if I should quit; I'd like to.",
    "One day I'll live by the sea.",
    "If only she called.",
    "Should I sell the car?",
    "I dreamt I had a dog.",
    "Imagine I lived in Rome.",
  ])("a maybe, a plan or a dream: %s", (text) => expect(isUnsure(text)).toBe(true));

  it.each([
    "I moved to Porto.",
    "I'd lived there for years.",
    "We married in May.",
    "I moved to Leeds in May 2019.",
    "On 3 May I start at Fjordline.",
    "The lease runs until late May and I pay half.",
    "May is my sister.",
    "I have a wish.",
  ])("but not what is so, nor a month or a name: %s", (text) => expect(isUnsure(text)).toBe(false));
});

describe("a question", () => {
  it.each([
    "Where do I live?",
    "where do i live",
    "so what do you think",
    "whats my pin",
    "do u still run",
    "Am I allergic to nuts?",
    "can you recommend a film",
    "How old am I?",
    "When I was six, did we have a dog?",
  ])("only asks, with a mark or without: %s", (text) => {
    expect([isQuestion(text), onlyAsks(text)]).toEqual([true, true]);
  });

  it.each([
    "Did I tell you that I am allergic to penicillin?",
    "Have I mentioned that my sister moved?",
    "I am allergic to penicillin, remember?",
    "I live in Graz, is that far?",
  ])("tells something all the same: %s", (text) => {
    expect([isQuestion(text), onlyAsks(text)]).toEqual([true, false]);
  });

  it.each([
    "I know what you mean",
    "Do the exercises",
    "Will is my brother.",
    "When I was six, I moved to Graz.",
    "What I like best is tea.",
    "Where we live it always rains.",
  ])("is none: %s", (text) => {
    expect([isQuestion(text), onlyAsks(text)]).toEqual([false, false]);
  });
});
