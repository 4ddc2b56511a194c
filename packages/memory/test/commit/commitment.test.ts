/** Commitment, seen from outside: what counts as a repetition, which edges are made, and what the trace says of it. */
import { describe, expect, it } from "vitest";
import type { CommitTrace, PersonMemory } from "mnemosyne-edge";
import { dayMs } from "../../src/text/time.js";
import { openMemories } from "../durability/opened-memories.js";

const startMs = Date.parse("2025-05-01T10:00:00Z");
/** Everything is a repetition of whatever is there. */
const anythingRepeats = { redundancyThreshold: 0, redundancyFreshTermShareMax: 1 };

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

  it("brings no more words of its own than the share allows", async () => {
    const share = (redundancyFreshTermShareMax: number): Record<string, number> => ({ redundancyFreshTermShareMax });
    expect(await reasonApart(first, second, share(0.25))).toBeNull();
    expect(await reasonApart(first, second, share(0.24))).toBe("words of its own");
    expect(await reasonApart(first, "Zebra quagga okapi.", share(0))).toBeNull();
    const person = await remember([first, second], anythingRepeats);
    expect((await traceOf(person, "m1")).redundancy).toMatchObject({ id: "m0", threshold: 0, freshTermShare: 0.25 });
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
});

it("what is discarded leaves no memory, and its trace says only why", async () => {
  const person = await remember(["Zebra quagga okapi."], { substanceThreshold: 10 });
  const trace = await traceOf(person, "m0");
  expect(trace).toMatchObject({ outcome: "discarded", redundancy: null, pairing: null, edges: null });
  expect(trace.substance).toMatchObject({ substantial: false, decidedBy: "examples", novelty: 1, category: null });
  expect(await person.list()).toEqual([]);
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

  it("replaces it where its words are in one of the others, or as many may be lost as it has alone", async () => {
    const held = await remember(["Zebra quagga okapi.", "Zebra quagga gnu.", "Okapi gnu tapir."], anythingRepeats);
    expect((await traceOf(held, "m2")).pairing).toMatchObject({ case: "replace", removedId: "m1" });
    const allowed = await remember(texts, { ...anythingRepeats, replacedTermCountMax: 1 });
    expect((await traceOf(allowed, "m2")).pairing).toMatchObject({ case: "replace", removedId: "m1" });
    expect((await allowed.list()).map(({ id }) => id)).toEqual(["m0", "m2"]);
    expect((await allowed.history({ ids: ["m1"] }))[0]!.outcome).toBe("replaced");
  });
});
