/** Which facts newer ones exclude, in the eyes of a judge that answers from a script. */
import { describe, expect, it } from "vitest";
import type { LifeArea } from "mnemosyne-edge";
import { findChanged, markChanges } from "../../src/core/changed-facts.js";
import { type CoreFact, keyOf } from "../../src/core/core-fact.js";
import { Judging } from "../../src/reader/reading-queue.js";
import { ScriptedJudge } from "../engine/scripted-judge.js";
import { fact } from "./core-facts.js";

/** `update`: that the newer one changed the older, for any pair or by the older text. */
function judgeOf(update: number | Record<string, number>, areas: Record<string, LifeArea> = {}): ScriptedJudge {
  return new ScriptedJudge({
    relation: ({ older }) => {
      const probability = typeof update === "number" ? update : (update[older] ?? 0);
      return { repetition: 0, update: probability, different: 1 - probability };
    },
    areas: (statement) => areas[statement] ?? "home",
  });
}

const graz = fact("graz", "My flat is in Graz.");
const vienna = fact("vienna", "My flat is in Vienna.", { day: 5 });

async function changedBy(added: readonly CoreFact[], others: readonly CoreFact[], judge: ScriptedJudge) {
  const changed = await findChanged(added, others, new Judging(judge));
  return [...added, ...others]
    .filter((each) => changed.has(keyOf(each)))
    .map((each) => [each.sourceId, changed.get(keyOf(each))!.byId, changed.get(keyOf(each))!.isSure]);
}

describe("by hand", () => {
  // -5.65 + 0.62 logit + 4.84 for the same area + 1.71 ln 2 for "flat", the term they share.
  it.each([
    [0.9, true, [["graz", "vienna", true]]],
    // 0.62 logit(0.4) = -0.2514: together 0.1239, which is 0.531.
    [0.4, true, [["graz", "vienna", true]]],
    // 0.62 logit(0.2) = -0.8595: together -0.4842, which is 0.381.
    [0.2, false, [["graz", "vienna", false]]],
    // 0.62 logit(0.05) = -1.8255: together -1.4503, which is 0.190.
    [0.05, false, []],
  ])("an update of %f", async (update, isSure, expected) => {
    expect(await changedBy([vienna], [graz], judgeOf(update))).toEqual(expected);
    const changed = await findChanged([vienna], [graz], new Judging(judgeOf(update)));
    expect(markChanges([vienna], changed).map(({ isChange }) => isChange)).toEqual([isSure]);
  });
});

it.each(["I no longer live there.", "We've moved.", "I don't live alone.", "The tenancy ended."])(
  "what tells of an end is sure where the judge is not: %s",
  async (text) => {
    // Without a common term, 0.3 of update is 0.209.
    expect(await changedBy([fact("end", text, { day: 5 })], [fact("old", "A flat by trams.")], judgeOf(0.3))).toEqual([
      ["old", "end", true],
    ]);
  },
);

describe("without a telling term in common", () => {
  const [trams, loft] = [fact("trams", "The flat is by the trams."), fact("loft", "I sleep under the roof.")];
  const tent = fact("tent", "I camp by the river.", { day: 5 });

  it("it must be clear which one is changed", async () => {
    // 0.62 logit: 0.2514 for 0.6, -0.6812 for 0.25, -0.8595 for 0.2.
    const changed = (rival: number) =>
      changedBy([tent], [trams, loft], judgeOf({ [trams.text]: 0.6, [loft.text]: rival }));
    expect(await changed(0.2)).toEqual([["trams", "tent", false]]);
    expect(await changed(0.25)).toEqual([]);
  });

  it("not even what is sure goes while another is as likely; with one, both do", async () => {
    expect(await changedBy([tent], [trams], judgeOf(0.9))).toEqual([["trams", "tent", true]]);
    expect(await changedBy([tent], [trams, loft], judgeOf(0.9))).toEqual([]);
    const near = [trams, loft].map((each) => ({ ...each, text: `${each.text} The river is near.` }));
    expect(await changedBy([tent], near, judgeOf(0.9))).toHaveLength(2);
  });

  it.each([
    ["one that is short", "The cat has a bed.", "The cat is under the roof.", "The cat camps outside."],
    ["one that is everywhere", "Marta: a flat.", "Marta: the roof.", "Marta: at camp."],
  ])("%s is none", async (_, one, other, text) => {
    // More than three facts have it.
    const others = [fact("one", one), fact("other", other), fact("Marta", "Marta sings.", { area: "habits" })];
    expect(await changedBy([fact("new", text, { day: 5 })], others, judgeOf(0.9))).toEqual([]);
  });
});

describe("what is pinned", () => {
  const pinned = { ...graz, isPinned: true };

  it("falls only by a sure change", async () => {
    expect(await changedBy([vienna], [pinned], judgeOf(0.2))).toEqual([]);
    expect(await changedBy([vienna], [graz], judgeOf(0.2))).toEqual([["graz", "vienna", false]]);
    expect(await changedBy([vienna], [pinned], judgeOf(0.9))).toEqual([["graz", "vienna", true]]);
  });
});

it("one statement changes one thing, unless it is sure of more", async () => {
  const flat = fact("flat", "The flat has three rooms.");
  const others = [graz, flat];
  expect(await changedBy([vienna], others, judgeOf({ [graz.text]: 0.25, [flat.text]: 0.2 }))).toEqual([
    ["graz", "vienna", false],
  ]);
  expect(await changedBy([vienna], others, judgeOf({ [graz.text]: 0.9, [flat.text]: 0.8 }))).toEqual([
    ["graz", "vienna", true],
    ["flat", "vienna", true],
  ]);
});

describe("the judge is not asked", () => {
  it("about facts of one memory, or without a common area or term", async () => {
    const judge = judgeOf(1);
    const apart = fact("plums", "Plums at breakfast.", { area: "food" });
    expect(await changedBy([vienna], [{ ...graz, sourceId: "vienna" }, apart], judge)).toEqual([]);
    expect(judge.pairs.flat()).toEqual([]);
  });

  it("about what two people say of themselves", async () => {
    const judge = judgeOf(1);
    const [ada, tom] = [fact("ada", "Ada: I live in Graz."), fact("tom", "Tom: I live in Vienna.", { day: 5 })];
    expect(await changedBy([tom], [ada], judge)).toEqual([]);
  });
});

it("a warning is excluded only by what speaks of it", async () => {
  const nuts = fact("nuts", "I'm allergic to nuts.", { area: "alert" });
  const vegan = fact("vegan", "I'm vegan now.", { area: "alert", day: 5 });
  const cured = fact("cured", "I'm not allergic to nuts after all.", { area: "alert", day: 5 });
  const judge = judgeOf(0.99);
  expect(await changedBy([vegan], [nuts], judge)).toEqual([]);
  expect(await changedBy([cured], [nuts], judge)).toEqual([["nuts", "cured", true]]);
});
