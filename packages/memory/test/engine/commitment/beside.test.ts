/** Another medicine, pet or illness does not end the first. */
import type { LifeArea } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { endsPart, standsBeside } from "../../../src/engine/commitment/beside.js";
import { openWithDoubt, relationAfter, tellFirst } from "./doubting-judge.js";

const areas = (text: string): LifeArea =>
  /warfarin|ibuprofen|mg/u.test(text) ? "medicine" : /dog|cat/u.test(text) ? "people" : "home";

it.each([
  ["I'm on warfarin.", "I take ibuprofen now.", true],
  ["I take 5 mg warfarin at night.", "The doctor gave me ibuprofen, 200 mg at night.", true],
  ["I'm on warfarin.", "My warfarin is 3 mg now.", false],
  ["I'm on warfarin.", "They switched me to apixaban.", false],
  ["I'm on warfarin.", "I take apixaban instead.", false],
  ["I'm on warfarin.", "The doctor took me off it, I have ibuprofen.", false],
  ["I take 5 mg warfarin.", "I'm taking 10 mg now.", false],
  ["I have a dog called Rex.", "We have a cat now.", true],
  ["I have a dog called Rex.", "I have a dog called Bella.", false],
  ["I have a dog called Rex.", "Rex died and we have a cat.", false],
  ["We have a flat in Leeds.", "We have a house in York.", false],
])("%s %s", (text, now, expected) => {
  expect(standsBeside({ text, facts: [{ area: areas(text) }] }, now)).toBe(expected);
});

it.each([
  ["I take lisinopril and warfarin.", "I've stopped the warfarin.", true],
  ["Tablets: metformin, aspirin and 5 mg warfarin in the morning.", "They took me off the aspirin.", true],
  ["I take lisinopril and warfarin.", "I've stopped both, lisinopril too.", false],
  ["I take lisinopril and warfarin.", "No more lisinopril, no more warfarin.", false],
  ["I take warfarin in the morning and at night.", "I came off warfarin.", false],
  ["I'm on pens, Tresiba at night.", "I have a pump, no more pens.", false],
  ["I take lisinopril and warfarin.", "They doubled the warfarin.", false],
])("of several medicines one may end: %s %s", (text, now, expected) => {
  expect(endsPart({ text, facts: [{ area: "medicine" }] }, now)).toBe(expected);
});

it("needs to know that it is a medicine", () => {
  expect(standsBeside({ text: "I'm on warfarin.", facts: null }, "I take ibuprofen now.")).toBe(false);
});

describe("a judge who is sure", () => {
  it.each([
    ["I'm on warfarin.", "I take ibuprofen now.", "stands beside it"],
    ["I have a dog called Rex.", "We have a cat now.", "stands beside it"],
    ["I take warfarin and ibuprofen.", "I stopped the ibuprofen.", "ends a part of it"],
    ["I'm on warfarin.", "They switched me to ibuprofen.", undefined],
  ])("%s %s", async (first, next, byWords) => {
    const person = await openWithDoubt({ update: 0.95, areas });
    const { id } = await tellFirst(person, first);
    expect(await relationAfter(person, next)).toEqual({ updates: byWords === undefined ? [id] : [], byWords });
    expect((await person.coreSummary()).text.includes(first)).toBe(byWords !== undefined);
  });
});
