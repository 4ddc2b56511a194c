/** Which part of a turn is material, and not what somebody says of themselves. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitMaterial } from "../../src/reader/material.js";

/** What is said stays as it is, material stands in a list. */
const split = (text: string): (string | [string])[] =>
  splitMaterial(text).map((stretch) => (stretch.isMaterial ? [stretch.text] : stretch.text));

describe("of code,", () => {
  it.each<[string, (string | [string])[]]>([
    ["Fix it:\n```js\nconst a = 1;\n```\nI work nights.", ["Fix it:", ["```js\nconst a = 1;\n```"], "I work nights."]],
    ["I wrote\n```\nx = 'Ada'", ["I wrote", ["```\nx = 'Ada'"]]],
    ["const a = 1;\nlet b = 2;\nI wrote that.", [["const a = 1;\nlet b = 2;"], "I wrote that."]],
    ["def f(x):\n    return x", [["def f(x):\n    return x"]]],
  ])("a block, or lines in a row: %j", (text, expected) => expect(split(text)).toEqual(expected));

  it("a single line may be anything", () => {
    expect(split("My list;\nI live here.")).toEqual(["My list;\nI live here."]);
  });
});

it.each<[string, (string | [string])[]]>([
  ["| name | age |\n| Ada | 41 |\nI made that.", [["| name | age |\n| Ada | 41 |"], "I made that."]],
  ["name\tage\tcity\nAda\t41\tRome", [["name\tage\tcity\nAda\t41\tRome"]]],
])("tables are: %j", (text, expected) => expect(split(text)).toEqual(expected));

describe("of quotations,", () => {
  it.each<[string, (string | [string])[]]>([
    ["> I live in Rome.\nThat was Tom.", [["> I live in Rome."], "That was Tom."]],
    ["He said “I live in Rome with my cat” and left.", ["He said", ["“I live in Rome with my cat”"], "and left."]],
    ['He said "I live in Rome with my cat" and left.', ["He said", ['"I live in Rome with my cat"'], "and left."]],
    ["'I am somebody else entirely' she said", [["'I am somebody else entirely'"], "she said"]],
  ])("lines and four words or more: %j", (text, expected) => expect(split(text)).toEqual(expected));

  it.each([
    'My cat is called "Sir Purr".',
    "It's the neighbours' dog and it's loud 'cause they're out",
    "Call me “Max”, please.",
  ])("but not names and apostrophes: %s", (text) => expect(split(text)).toEqual([text]));
});

describe("of mails,", () => {
  it.each<[string, (string | [string])[]]>([
    [
      "Got this:\nDear Ada,\nYour rent goes up to 900.\nKind regards,\nThe landlord\nWhat do you think?",
      ["Got this:", ["Dear Ada,\nYour rent goes up to 900.\nKind regards,\nThe landlord"], "What do you think?"],
    ],
    [
      "From: tom@example.org\nSubject: hi\nI live in Rome.\nI do.",
      [["From: tom@example.org\nSubject: hi\nI live in Rome.\nI do."]],
    ],
  ])("from a salutation or a header to the end: %j", (text, expected) => expect(split(text)).toEqual(expected));

  it("a greeting alone makes none", () => {
    expect(split("Hi,\nI moved to Leeds.\nIt is nice.")).toEqual(["Hi,\nI moved to Leeds.\nIt is nice."]);
  });
});

describe("of a task,", () => {
  it.each<[request: string, text: string]>([
    ["translate this to Polish:", "I live in Graz and I am allergic to nuts."],
    ["Translate to German", "I am allergic to nuts."],
    ["can you proofread this email:", "Dear Tom,\nI moved to Leeds.\nBest,\nAda"],
    ["summarise this article:", "Ada Lovelace lived in London. She had a cat."],
    ["What does this sentence mean:", "I am a doughnut."],
    ["pls fix my essay:", "- I live in Rome\n- I have a dog"],
    ["how do you say this in French:", "I'm allergic to nuts"],
    ["I moved to Leeds. Translate this:", "I live in Rome."],
  ])("what it is about: %s %j", (request, text) => {
    expect(split(`${request}\n${text}`)).toEqual([request, [text]]);
  });

  it.each([
    "I live in Graz: it is nice.",
    "Remember this: I am allergic to nuts.",
    "My news: I moved to Leeds.",
    "- I live in Graz\n- I work nights",
    "1. I live in Graz\n2. I work nights",
  ])("but not what somebody tells: %j", (text) => expect(split(text)).toEqual([text]));
});

it("nothing is lost, whatever the text", () => {
  const parts = fc.constantFrom(
    "I live in Graz.",
    "```",
    "const a = 1;",
    "> quoted",
    "| a | b |",
    "Dear Ada,",
    "Best,",
    "From: Tom",
    "translate this:",
    "“one two three four”",
    "\n",
    "\n",
    " ",
  );
  const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, "");
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 12 }), fc.string({ unit: "grapheme" }), (list, end) => {
      const text = list.join("") + end;
      const stretches = splitMaterial(text);
      expect(letters(stretches.map((each) => each.text).join(" "))).toBe(letters(text));
    }),
  );
});
