/** Facts from version to version: which enter, which leave and why, which wait, and what is never cut. */
import { describe, expect, it } from "vitest";
import { carryFacts, valueOf } from "../../src/core/carried-facts.js";
import { type CoreFact, isHolding, isSaid, keyOf } from "../../src/core/core-fact.js";
import { dayMs, fact, rules, startMs, step } from "./core-facts.js";

const said = (facts: readonly CoreFact[]): string[] =>
  facts.filter((each) => isSaid(each)).map(({ sourceId }) => sourceId);
const reserve = (facts: readonly CoreFact[]): string[] =>
  facts.filter((each) => isHolding(each) && !isSaid(each)).map(({ sourceId }) => sourceId);
const leftOf = (facts: readonly CoreFact[]): unknown[] =>
  facts.flatMap(({ sourceId, left }) => (left === null ? [] : [[sourceId, left.reason, left.byId, left.untilMs]]));
const on = (day: number): number => startMs + day * dayMs;

/** Room for a heading and two lines of four words and a dash. */
const short = { ...rules, wordCountMax: 1 + 5 * 2 };
const places = ["Ada lives near Graz.", "Bees fill our attic.", "Cellars flood every spring."];
const [graz, attic, cellar] = places.map((text, i) => fact(`m${i}`, text, { day: i, probability: 0.9 - i / 10 }));

describe("a fact", () => {
  it("enters with the version of its step and stays as it is", () => {
    const first = carryFacts([], step(0, { added: [graz!] }), rules);
    expect(first).toEqual([{ ...graz, sinceMs: on(0) }]);
    const second = carryFacts(first, step(1, { added: [attic!] }), rules);
    expect(second).toEqual([
      { ...graz, sinceMs: on(0) },
      { ...attic, sinceMs: on(1) },
    ]);
    expect(carryFacts(second, step(9), rules)).toEqual(second);
  });

  it("told again is said once, in the newest words, as often as it was told", () => {
    const again = fact("again", "Now Ada lives near Graz.", { day: 3, probability: 0.8 });
    const facts = carryFacts(carryFacts([], step(0, { added: [graz!] }), rules), step(3, { added: [again] }), rules);
    expect(facts[0]).toEqual({ ...again, toldCount: 2, probability: 0.9, sinceMs: on(3) });
    expect(leftOf(facts)).toEqual([["m0", "told again", "again", on(3)]]);
    const third = carryFacts(facts, step(4, { added: [fact("third", again.text, { day: 4 })] }), rules);
    expect(third[0]).toMatchObject({ sourceId: "third", toldCount: 3 });
  });

  it("told again in an older memory that arrives late keeps the newer words", () => {
    const newer = carryFacts([], step(3, { added: [fact("new", graz!.text, { day: 3 })] }), rules);
    const facts = carryFacts(
      newer,
      step(3, { added: [fact("late", "Ada lives near Graz still.", { day: 1 })] }),
      rules,
    );
    expect(said(facts)).toEqual(["new"]);
    expect(leftOf(facts)).toEqual([]);
  });

  it("given again by the same memories is told no more often", () => {
    const added = [graz!, fact("again", graz!.text, { day: 3 })];
    const renewed = new Set(["m0", "again"]);
    let facts = carryFacts([], step(3, { added, renewed }), rules);
    for (const day of [4, 5, 6]) facts = carryFacts(facts, step(day, { added, renewed }), rules);
    expect(facts).toMatchObject([{ sourceId: "again", toldCount: 2, sinceMs: on(3) }]);
    // The older memory alone is central.
    expect(carryFacts(facts, step(7, { added: [graz!], renewed: new Set(["m0"]) }), rules)[0]!.toldCount).toBe(2);
  });

  it("leaves when its memory or a newer fact ended it, with what did so", () => {
    const facts = carryFacts([], step(0, { added: [graz!, attic!, cellar!] }), rules);
    const ended = new Map<string, string | null>([["m0", "moved"]]);
    const changed = new Map([[keyOf(attic!), { byId: "sold", byText: "Sold.", isSure: true }]]);
    const after = carryFacts(facts, step(5, { ended, changed }), rules);
    expect(said(after)).toEqual(["m2"]);
    expect(leftOf(after)).toEqual([
      ["m0", "outdated", "moved", on(5)],
      ["m1", "outdated", "sold", on(5)],
    ]);
    expect(said(carryFacts([], step(5, { added: [graz!], ended }), rules))).toEqual([]);
    expect(said(carryFacts([], step(5, { added: [attic!], changed }), rules))).toEqual([]);
  });

  it("that its memory no longer tells is withdrawn", () => {
    const facts = carryFacts([], step(0, { added: [graz!] }), rules);
    const after = carryFacts(facts, step(2, { added: [fact("m0", "Bees.")], renewed: new Set(["m0"]) }), rules);
    expect(after.filter(isHolding)).toMatchObject([{ text: "Bees." }]);
    expect(leftOf(after)).toEqual([["m0", "withdrawn", null, on(2)]]);
  });
});

describe("beyond the words", () => {
  it("the less vital waits in reserve, and comes back when there is room", () => {
    const two = carryFacts([], step(1, { added: [attic!, cellar!] }), short);
    expect(said(two)).toEqual(["m1", "m2"]);
    const full = carryFacts(two, step(2, { added: [graz!] }), short);
    expect([said(full), reserve(full)]).toEqual([["m0", "m1"], ["m2"]]);
    expect(leftOf(full)).toEqual([["m2", "less vital", null, on(2)]]);
    const freed = carryFacts(full, step(3, { ended: new Map([["m0", null]]) }), short);
    expect([said(freed), reserve(freed)]).toEqual([["m1", "m2"], []]);
    expect(freed.find((each) => isSaid(each) && each.sourceId === "m2")!.sinceMs).toBe(on(3));
    // Each version says what it said.
    const at = (day: number): string[] => freed.filter((each) => isSaid(each, on(day))).map(({ sourceId }) => sourceId);
    expect([at(0), at(1), at(2).toSorted(), at(3).toSorted()]).toEqual([
      [],
      ["m1", "m2"].toSorted(),
      ["m0", "m1"],
      ["m1", "m2"],
    ]);
  });

  it("what is pinned is never cut", () => {
    const pinned = places.map((text, i) => fact(`p${i}`, text, { isPinned: true, probability: 0.1, day: i }));
    const facts = carryFacts([], step(2, { added: [graz!, ...pinned.slice(1)] }), { ...short, wordCountMax: 3 });
    expect([said(facts).toSorted(), reserve(facts)]).toEqual([["p1", "p2"], ["m0"]]);
  });
});

describe("the most vital come first:", () => {
  it("pinned, alerts, then by area in turn, certainty, how often it was told, whether it is central, and age", () => {
    const facts = [
      fact("food", "Plums.", { area: "food" }),
      fact("home", "Graz.", { day: 1 }),
      fact("newer", "Attic.", { day: 2 }),
      fact("central", "Cellar.", { isCentral: true }),
      fact("told", "Garden.", { toldCount: 3 }),
      fact("sure", "Kitchen.", { probability: 0.99 }),
      fact("alert", "Penicillin.", { area: "alert", probability: 0.5 }),
      fact("unsure alert", "Nuts.", { area: "alert", probability: 0.4 }),
      fact("pinned", "Umbrella.", { area: "habits", isPinned: true, probability: 0.1 }),
    ];
    // Beside pin and alert 1.32, 1.14, 1.08 and 0.98 twice at home, 0.83 for food: home comes first, but after two of its
    // facts the third is worth 0.78.
    const order = ["pinned", "alert", "unsure alert", "sure", "told", "food", "central", "newer", "home"];
    expect(said(carryFacts([], step(2, { added: facts }), rules))).toEqual(order);
  });

  it("a value is the sum of what it is decided by", () => {
    const [alerts, self] = rules.areas;
    expect(valueOf(fact("m", "Nuts.", { area: "alert", toldCount: 4, isCentral: true }), alerts!)).toBeCloseTo(
      10 + 1 + 1 / 3 + 0.2 + 0.1,
    );
    expect(valueOf(fact("m", "Nuts.", { isPinned: true }), self!)).toBeCloseTo(100 + 0.7 + 1 / 3);
  });

  it("areas take turns, but not before an alert or what is pinned", () => {
    const facts = [
      ...["Nuts.", "Plums.", "Bees."].map((text) => fact(text, text, { area: "alert", probability: 0.85 })),
      ...["Attic.", "Cellar.", "Garden."].map((text) => fact(text, text, { probability: 0.99 })),
      fact("Sister.", "Sister.", { area: "people", probability: 0.99 }),
      fact("Boat.", "Boat.", { area: "plans", probability: 0.99 }),
    ];
    // At home 1.32, 1.17 and 1.02, people 1.27, plans 1.12.
    const order = ["Nuts.", "Plums.", "Bees.", "Attic.", "Sister.", "Cellar.", "Boat.", "Garden."];
    expect(said(carryFacts([], step(0, { added: facts }), rules))).toEqual(order);
  });

  it("those of no area are left out", () => {
    expect(carryFacts([], step(0, { added: [fact("m", "Gears.", { area: "machines" })] }), rules)).toEqual([]);
  });
});

describe("a pin", () => {
  const pinned = { ...graz!, isPinned: true };

  it("is not passed on to another memory that says the same, so that it can be taken back", () => {
    const before = carryFacts([], step(0, { added: [pinned] }), rules);
    const told = carryFacts(
      before,
      step(1, { added: [fact("again", graz!.text, { day: 1 })], renewed: new Set(["again"]) }),
      rules,
    );
    expect(told).toMatchObject([{ sourceId: "m0", isPinned: true, toldCount: 2 }]);
    const unpinned = carryFacts(told, step(1, { added: [graz!], renewed: new Set(["m0"]) }), rules);
    expect(unpinned.filter(isHolding).map(({ isPinned }) => isPinned)).toEqual([false]);
  });

  it("does not hide what is told again with something else in it", () => {
    const before = carryFacts(
      [],
      step(0, { added: [fact("five", "I take 5 mg of ramipril every single evening.", { isPinned: true })] }),
      rules,
    );
    const facts = carryFacts(
      before,
      step(1, { added: [fact("ten", "I take 10 mg of ramipril every single evening.", { day: 1 })] }),
      rules,
    );
    expect(said(facts)).toEqual(["five", "ten"]);
  });
});

describe("what has left", () => {
  it("is kept for a while, the last of it", () => {
    let facts: CoreFact[] = [];
    for (let day = 0; day < 260; day++) {
      const added = [fact(`m${day}`, `Room ${day} is number${day} of house${day}.`, { day })];
      const ended = new Map([[`m${day - 1}`, `m${day}`]]);
      facts = carryFacts(facts, step(day, { added, ended }), rules);
    }
    const gone = facts.filter((each) => !isHolding(each));
    expect(gone).toHaveLength(100);
    expect([gone[0]!.sourceId, gone.at(-1)!.sourceId]).toEqual(["m159", "m258"]);
  });

  it("and the reserve has an end", () => {
    const many = Array.from({ length: 100 }, (_, i) =>
      fact(`m${i}`, `Room ${i} number${i}.`, { probability: 1 - i / 1000 }),
    );
    const facts = carryFacts([], step(0, { added: many }), { ...rules, wordCountMax: 5 });
    expect([said(facts), reserve(facts).length, reserve(facts).at(-1)]).toEqual([["m0"], 40, "m40"]);
  });
});
