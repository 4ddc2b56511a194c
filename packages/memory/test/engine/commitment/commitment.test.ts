/** Commitment, seen from outside: what counts as a repetition, which edges are made, and what the trace says of it. */
import { describe, expect, it } from "vitest";
import type { CommitTrace, PersonMemory } from "mnemosyne-edge";
import { dayMs } from "../../../src/core/time.js";
import { openMemories } from "../../durability/opened-memories.js";

const startMs = Date.parse("2025-05-01T10:00:00Z");
/** Everything is a repetition of whatever is there. */
const anythingRepeats = {
  redundancyThreshold: 0,
  redundancyFreshNumberShareMax: 1,
  redundancyShortTermCountMax: 0,
};

/** Commits texts a day apart, with ids "m0", "m1" and so on. */
async function remember(texts: readonly string[], parameters: Record<string, number> = {}): Promise<PersonMemory> {
  const person = (await openMemories({ path: ":memory:", parameters })).person("ada");
  for (const [i, summary] of texts.entries()) await person.commit({ id: `m${i}`, summary, at: startMs + i * dayMs });
  await person.settled();
  return person;
}

async function traceOf(person: PersonMemory, id: string): Promise<CommitTrace> {
  return (await person.history({ ids: [id] }))[0]!.trace as CommitTrace;
}

/** Why the last of two texts is not a repetition of the first; null where it is one. */
async function reasonApart(first: string, second: string, parameters: Record<string, number>): Promise<string | null> {
  const person = await remember([first, second], { ...anythingRepeats, ...parameters });
  const { redundancy, outcome } = await traceOf(person, "m1");
  expect(outcome).toBe(redundancy!.keptApart === null ? "paired" : "committed");
  return redundancy!.keptApart;
}

describe("a repetition", () => {
  const [first, second] = ["Zebra quagga okapi tapir.", "Zebra quagga okapi gnu."];

  it("is what reaches the threshold, and what reaches it exactly", async () => {
    expect(await reasonApart(first, second, {})).toBeNull();
    expect(await reasonApart(first, second, { redundancyThreshold: 10 })).toBe("below the threshold");
    const person = await remember([first, second], anythingRepeats);
    const { score } = (await traceOf(person, "m1")).redundancy!;
    expect(await reasonApart(first, second, { redundancyThreshold: score })).toBeNull();
    expect(await reasonApart(first, second, { redundancyThreshold: score + 1e-9 })).toBe("below the threshold");
  });

  it("brings no more numbers of its own than the share allows, and the trace names them", async () => {
    const [before, after] = ["The pressure was 141 over 86.", "The pressure was 148 over 86."];
    expect(await reasonApart(before, after, { redundancyFreshNumberShareMax: 0.5 })).toBeNull();
    expect(await reasonApart(before, after, { redundancyFreshNumberShareMax: 0.49 })).toBe("numbers of its own");
    const person = await remember([before, after], anythingRepeats);
    expect((await traceOf(person, "m1")).redundancy).toMatchObject({ id: "m0", threshold: 0, freshNumbers: ["148"] });
  });

  describe("of few words has hardly any of its own", () => {
    const few = { redundancyShortTermCountMax: 8 };
    const apart = "few words, some its own";
    it.each([
      ["the very words", "Zebra quagga okapi tapir.", null],
      ["one left out", "Zebra quagga okapi.", null],
      ["one added", "Zebra quagga okapi tapir gnu.", null],
      ["three added to four", "Zebra quagga okapi tapir gnu ibis emu.", null],
      ["one for another", "Zebra quagga okapi gnu.", apart],
      ["half of them new", "Zebra quagga okapi tapir gnu ibis emu kiwi.", apart],
      ["most of them new", "Zebra gnu ibis emu.", apart],
      ["none that says anything", "It was there, and that was it.", null],
      ["nine of them, most new: they are not few", "Zebra gnu ibis emu kiwi lynx puma boar toad.", null],
    ])("%s", async (_, text, expected) => {
      expect(await reasonApart("Zebra quagga okapi tapir.", text, few)).toBe(expected);
    });

    it("and where the older one is longer, one for another is nothing", async () => {
      const nine = "Zebra quagga okapi tapir ibis emu kiwi lynx puma.";
      expect(await reasonApart(nine, "Zebra quagga gnu.", few)).toBeNull();
      const eight = "Zebra quagga okapi tapir ibis emu kiwi lynx.";
      expect(await reasonApart(eight, "Zebra quagga gnu.", few)).toBe(apart);
    });
  });

  it("boosts the edge of its pair, and the trace says by how much", async () => {
    const twice = await traceOf(await remember([first, first], anythingRepeats), "m1");
    const person = await remember([first, first, first], anythingRepeats);
    const third = await traceOf(person, "m2");
    expect((await traceOf(person, "m0")).pairing).toEqual({
      case: "add",
      partnerId: null,
      removedId: null,
      rewindDays: 0,
      boostDays: 0,
    });
    expect((await traceOf(person, "m0")).redundancy).toBeNull();
    // Delta = 21 / (1 + exp(-1 + 3)) days, a day after the older one was said and after the last boost.
    const rewindDays = 21 / (1 + Math.exp(2));
    expect(twice.pairing).toMatchObject({ case: "pair", partnerId: "m0", removedId: null });
    expect(twice.pairing!.rewindDays).toBeCloseTo(rewindDays, 10);
    expect(twice.pairing!.boostDays).toBeCloseTo(rewindDays, 10);
    expect(third.pairing).toMatchObject({ case: "replace", partnerId: "m0", removedId: "m1" });
    expect(third.pairing!.rewindDays).toBeCloseTo(rewindDays, 10);
    expect(third.pairing!.boostDays).toBeCloseTo(2 * rewindDays, 10);
    expect((await person.get("m0")).pairId).toBe("m2");
    expect((await person.get("m2")).edges).toMatchObject([{ id: "m0", boostDays: third.pairing!.boostDays }]);
  });
});

describe("edges", () => {
  const apart = { redundancyThreshold: 10 };
  const texts = ["Zebra quagga okapi tapir.", "Zebra quagga okapi gnu.", "Ibis emu kiwi lynx.", "Zebra quagga okapi."];

  it("are made to those that reach the threshold, and exactly reach it", async () => {
    const all = await remember(texts.slice(0, 2), { ...apart, edgeThreshold: 0 });
    const { weight } = (await all.get("m1")).edges[0]!;
    const edgesAt = async (edgeThreshold: number): Promise<number> =>
      (await (await remember(texts.slice(0, 2), { ...apart, edgeThreshold })).graph()).edges.length;
    expect(await edgesAt(weight)).toBe(1);
    expect(await edgesAt(weight + 1e-9)).toBe(0);
  });

  it("weigh 0.7 of the cosine and 0.3 of the shared keywords", async () => {
    const person = await remember(["Zebra quagga.", "Zebra quagga."], { ...apart, keywordWeight: 0.3 });
    expect((await person.get("m1")).edges).toEqual([{ id: "m0", weight: 1, boostDays: 0 }]);
    const keywordsOnly = await remember(texts.slice(0, 2), { ...apart, edgeThreshold: 0, keywordWeight: 1 });
    // Three of five keywords are shared.
    expect((await keywordsOnly.get("m1")).edges[0]!.weight).toBeCloseTo(3 / 5, 12);
  });

  it("are counted in the trace, with the five strongest, strongest first, and those that had to go", async () => {
    const many = Array.from({ length: 8 }, (_, i) => `Zebra quagga okapi ${["gnu", "ibis", "emu", "kiwi"][i % 4]}.`);
    const person = await remember([...many, ...texts], { ...apart, edgeThreshold: 0 });
    const { edges } = await traceOf(person, "m11");
    expect(edges).toMatchObject({ count: 11, evictedCount: 0 });
    const all = (await person.get("m11")).edges.toSorted((x, y) => y.weight - x.weight);
    expect(edges!.strongest.map(({ weight }) => weight)).toEqual(all.slice(0, 5).map(({ weight }) => weight));
    expect(edges!.strongest.map(({ id }) => id)).not.toContain("m11");
    const capped = await remember(["Zebra quagga.", "Zebra quagga okapi.", "Zebra quagga."], {
      ...apart,
      edgeThreshold: 0,
      degreeMax: 1,
    });
    expect((await traceOf(capped, "m2")).edges).toMatchObject({ count: 1, evictedCount: 1, strongest: [{ id: "m0" }] });
  });
});

it("what is discarded leaves no memory, and its trace says only why", async () => {
  const person = await remember(["Zebra quagga okapi."], { substanceThreshold: 10 });
  const trace = await traceOf(person, "m0");
  expect(trace).toMatchObject({ outcome: "discarded", redundancy: null, pairing: null, edges: null });
  expect(trace.substance).toMatchObject({ substantial: false, decidedBy: "examples", novelty: 1, category: null });
  expect(await person.list()).toEqual([]);
});

it("novelty is what the nearest memory leaves: 0 for its very words", async () => {
  const person = await remember(["Zebra quagga okapi.", "Ibis emu kiwi.", "Zebra quagga okapi."], {
    redundancyThreshold: 10,
  });
  expect((await traceOf(person, "m0")).substance.novelty).toBe(1);
  expect((await traceOf(person, "m2")).substance.novelty).toBeCloseTo(0, 12);
});

describe("a repetition of a pair", () => {
  const texts = ["Zebra quagga okapi tapir.", "Zebra quagga okapi tapir gnu.", "Zebra quagga okapi tapir."];

  it("leaves the newer half where it says something that the others do not, without a pair", async () => {
    const person = await remember(texts, anythingRepeats);
    expect((await traceOf(person, "m2")).pairing).toMatchObject({ case: "release", partnerId: "m0", removedId: null });
    const pairs = (await person.list()).map(({ id, pairId, summary }) => [id, pairId, summary]);
    expect(pairs).toEqual([
      ["m0", "m2", texts[0]],
      ["m1", null, texts[1]],
      ["m2", "m0", texts[2]],
    ]);
    const { memories } = await person.recall("gnu", { at: startMs + 9 * dayMs, seed: 1 });
    expect(memories[0]).toMatchObject({ id: "m1" });
    expect(await person.check()).toEqual([]);
  });

  it("moves the boost to the new pair: what two pairs gathered is on one edge", async () => {
    const person = await remember(texts, anythingRepeats);
    const boosts = (await person.graph()).edges.map(({ a, b, boostMs }) => [`${a} ${b}`, boostMs / dayMs]);
    const { boostDays } = (await traceOf(person, "m2")).pairing!;
    const before = (await traceOf(person, "m1")).pairing!.boostDays;
    expect(before).toBeGreaterThan(0);
    expect(boostDays).toBeGreaterThan(before);
    expect(Object.fromEntries(boosts)).toEqual({ "m0 m1": 0, "m0 m2": boostDays, "m1 m2": 0 });
  });

  it("replaces it where its words are in one of the others, or as many may be lost as it has alone", async () => {
    const held = await remember(["Zebra quagga okapi.", "Zebra quagga gnu.", "Okapi gnu tapir."], anythingRepeats);
    expect((await traceOf(held, "m2")).pairing).toMatchObject({ case: "replace", removedId: "m1" });
    const allowed = await remember(texts, { ...anythingRepeats, replacedTermCountMax: 1 });
    expect((await traceOf(allowed, "m2")).pairing).toMatchObject({ case: "replace", removedId: "m1" });
    expect((await allowed.list()).map(({ id }) => id)).toEqual(["m0", "m2"]);
    expect((await allowed.history({ ids: ["m1"] }))[0]!.outcome).toBe("replaced");
  });

  it("looks for words in what was said, not only in summaries", async () => {
    const person = (await openMemories({ path: ":memory:", parameters: anythingRepeats })).person("ada");
    const turns = [{ who: "user", text: "There was a gnu among them, too." }];
    for (const [i, told] of [{}, { turns }, {}].entries()) {
      await person.commit({ id: `m${i}`, summary: texts[0]!, at: startMs + i * dayMs, ...told });
    }
    await person.settled();
    expect((await traceOf(person, "m2")).pairing).toMatchObject({ case: "release" });
  });
});
