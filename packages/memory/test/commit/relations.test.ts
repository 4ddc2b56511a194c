/** What a statement is to the memories nearest to it: which are compared, which it repeats, which it makes outdated. */
import type { CommitTrace, InteractionInput, Judge, JudgedPair, PersonMemory, Relation } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { dayMs } from "../../src/text/time.js";
import { toPair } from "../../src/commit/links.js";
import { cosine, quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { linksOf } from "../engine/linked-memories.js";
import { ScriptedJudge, surely } from "../engine/scripted-judge.js";

const startMs = Date.parse("2025-05-01T10:00:00Z");

/** Somebody lives in one city at a time. */
function judgeCities({ older, newer }: JudgedPair): keyof Relation {
  const [before, after] = [older, newer].map((text) => /lives in (\w+)/u.exec(text)?.[1]);
  if (before === undefined || after === undefined) return "different";
  return before === after ? "repetition" : "update";
}

async function open(judge: Judge | false, parameters: Record<string, number> = {}): Promise<PersonMemory> {
  const sure = { relationCosineMin: -1, repetitionProbabilityMin: 0.8, updateProbabilityMin: 0.7, ...parameters };
  return (await openMemories({ path: ":memory:", judge, parameters: sure })).person("ada");
}

/** Told on a day, as id. */
async function tell(person: PersonMemory, id: string, day: number, input: Partial<InteractionInput>): Promise<void> {
  await person.commit({ id, at: startMs + day * dayMs, ...input });
  await person.settled();
}

/** Cities in the order in which they are told, each named after its day: "lisbon1". */
async function tellCities(cities: readonly string[], judge = new ScriptedJudge({ relation: judgeCities })) {
  const person = await open(judge);
  for (const id of cities) {
    const [, name, day] = /^(\w+?)(\d+)$/u.exec(id)!;
    await tell(person, id, Number(day), { summary: `Ada lives in ${name}.` });
  }
  return person;
}

async function traceOf(person: PersonMemory, id: string): Promise<CommitTrace> {
  return (await person.history({ ids: [id] }))[0]!.trace as CommitTrace;
}

describe("compared are", () => {
  it("the nearest memories, the most similar first, with what the judge said", async () => {
    const texts = ["Ada lives in Lisbon.", "Ada lives alone now.", "Plums ripened early."];
    const told = "Ada lives in Porto now.";
    const [own, ...others] = (await new HashingEmbedder().embed([told, ...texts])).map(quantizeVector);
    const expected = others
      .map((vector, i) => ({ id: `m${i}`, cosine: cosine(own!, vector), ...surely("different") }))
      .sort((x, y) => y.cosine - x.cosine);
    for (const relationCountMax of [3, 1, 0]) {
      const judge = new ScriptedJudge();
      const person = await open(judge, { relationCountMax });
      for (const [i, summary] of texts.entries()) await tell(person, `m${i}`, i, { summary });
      judge.pairs.length = 0;
      await tell(person, "new", 9, { summary: told });
      const nearest = expected.slice(0, relationCountMax);
      expect((await traceOf(person, "new")).relations).toEqual(nearest);
      const pairs = nearest.map(({ id }) => ({ older: texts[Number(id.slice(1))], newer: told }));
      expect(judge.pairs.flat()).toEqual(pairs);
    }
  });

  const compare = async (
    ...said: readonly (readonly [who: string, text: string])[]
  ): Promise<readonly JudgedPair[]> => {
    const judge = new ScriptedJudge();
    const person = await open(judge);
    for (const [i, [who, text]] of said.entries()) {
      const turns = [
        { who: "assistant", text: "Good to hear from you." },
        { who, text },
      ];
      await tell(person, `m${i}`, i + 1, { turns });
    }
    return judge.pairs.flat();
  };

  it("what people said of themselves or of something else, without names and without what an assistant said", async () => {
    const moved = [{ older: "I live in Porto.", newer: "I live in Faro." }];
    expect(await compare(["user", "I live in Porto."], ["user", "I live in Faro."])).toEqual(moved);
    expect(await compare(["Leo", "I live in Porto."], ["Leo", "I live in Faro."])).toEqual(moved);
    expect(await compare(["Leo", "I live in Porto."], ["Mia", "I live in Faro."])).toEqual([]);
    expect(await compare(["Leo", "The key is with Ada."], ["Mia", "The key is with Bea."])).toHaveLength(1);
  });

  it.each([
    ["Ada: I like tea.", "Bob: I like coffee.", null],
    ["Ada: I like tea.", "Ada: I like coffee.", ["I like tea.", "I like coffee."]],
    ["Ada: The shop is shut.", "Bob: The shop is open.", ["The shop is shut.", "The shop is open."]],
    ["I like tea.", "Bob: I like coffee.", ["I like tea.", "Bob: I like coffee."]],
    ["Ada: I like tea.", "I like coffee.", ["Ada: I like tea.", "I like coffee."]],
  ])("two people's words unless both speak of themselves: %s / %s", (older, newer, expected) => {
    expect(toPair(older, newer)).toEqual(expected === null ? null : { older: expected[0], newer: expected[1] });
  });

  it("single statements only", async () => {
    const long = "I live in Porto with two cats and sing. ".repeat(4);
    expect(await compare(["user", "I live in Porto."], ["user", long], ["user", "I live in Faro."])).toHaveLength(1);
  });
});

describe("an end", () => {
  const cats = "has a cat, climbs with Petra on Saturdays and rings her mother in Passau every Sunday evening";

  it.each([
    ["I live in Munich.", "I no longer live in Munich, I live in Hamburg now."],
    ["I go to the gym on Tuesdays.", "The gym on Tuesdays is over, I swim."],
  ])("is not a repetition of what it ends, whatever the judge thinks: %s / %s", async (older, newer) => {
    const person = await open(new ScriptedJudge({ relation: () => surely("repetition") }));
    await tell(person, "a", 1, { summary: older });
    await tell(person, "b", 2, { summary: newer });
    expect(await traceOf(person, "b")).toMatchObject({
      outcome: "committed",
      redundancy: { keptApart: "tells of an end" },
    });
  });

  it.each([
    ["default", "committed"],
    ["paper", "paired"],
  ] as const)("nor where nobody judges, but preset paper reads no words: %s", async (preset, outcome) => {
    const memories = await openMemories({
      path: ":memory:",
      judge: false,
      preset,
      parameters: { substanceThreshold: -10 },
    });
    const person = memories.person("ada");
    await tell(person, "a", 1, { summary: `Ada lives in Munich, ${cats}.` });
    await tell(person, "b", 2, { summary: `Ada no longer lives in Munich, ${cats}.` });
    expect(await traceOf(person, "b")).toMatchObject({ outcome });
  });
});

describe("an update", () => {
  it("is what says no to another in the same words, whatever the judge thinks", async () => {
    const person = await open(new ScriptedJudge({ relation: () => surely("repetition") }));
    await tell(person, "a", 1, { summary: "I eat meat." });
    await tell(person, "b", 2, { summary: "I don't eat meat." });
    expect(await linksOf(person)).toEqual({ b: ["a"] });
  });

  it("is an end that another language tells in the same words, and the trace says why", async () => {
    const person = await open(new ScriptedJudge({ relation: () => surely("repetition") }));
    await tell(person, "a", 1, { summary: "Vivo en Madrid." });
    await tell(person, "b", 2, { summary: "Ya no vivo en Madrid, ahora vivo en Valencia." });
    expect(await linksOf(person)).toEqual({ b: ["a"] });
    expect((await traceOf(person, "b")).relations).toMatchObject([{ id: "a", update: 1, byWords: "tells of its end" }]);
  });

  it.each<[cities: readonly string[], links: Record<string, string[]>]>([
    [["lisbon1", "porto2"], { porto2: ["lisbon1"] }],
    // Made outdated itself: what it changed is not changed once more.
    [["lisbon1", "porto2", "faro3"], { porto2: ["lisbon1"], faro3: ["porto2"] }],
    // Changed back, and repeated: the pair is with what holds.
    [["lisbon1", "porto2", "lisbon3", "lisbon4"], { porto2: ["lisbon1"], lisbon3: ["porto2"] }],
    // Told before what it changed, and after several others.
    [["porto2", "lisbon1"], { porto2: ["lisbon1"] }],
    [["porto2", "faro3", "lisbon1"], { porto2: ["lisbon1"], faro3: ["porto2"] }],
  ])("makes what it changes outdated: %j", async (cities, links) => {
    const person = await tellCities(cities);
    expect(await linksOf(person)).toEqual(links);
    const [last] = cities.slice(-1);
    const { outcome, updates } = await traceOf(person, last!);
    expect([outcome, updates]).toEqual(last === "lisbon4" ? ["paired", []] : ["committed", links[last!] ?? []]);
    if (last === "lisbon4") expect(await person.get(last)).toMatchObject({ pairId: "lisbon3" });
    expect(await person.check()).toEqual([]);
  });

  it("that comes late, from between two others, has its place between them", async () => {
    const person = await tellCities(["lisbon1", "faro3", "porto2"]);
    expect((await person.get("lisbon1")).outdatedBy).toContain("porto2");
    expect(await person.get("porto2")).toMatchObject({ updates: ["lisbon1"], outdatedBy: ["faro3"] });
  });

  it("counts from its probability on", async () => {
    for (const [update, count] of [
      [0.7, 1],
      [0.699, 0],
    ] as const) {
      const relation = (): Relation => ({ repetition: 0, update, different: 1 - update });
      const person = await tellCities(["lisbon1", "porto2"], new ScriptedJudge({ relation }));
      expect(Object.keys(await linksOf(person))).toHaveLength(count);
    }
  });
});

describe("a repetition", () => {
  it("is paired where the judge is sure, though the words differ", async () => {
    const sure = (repetition: number): Judge =>
      new ScriptedJudge({ relation: () => ({ repetition, update: 0, different: 1 - repetition }) });
    for (const [probability, pairId] of [
      [0.8, "a"],
      [0.799, null],
    ] as const) {
      const person = await open(sure(probability));
      await tell(person, "a", 1, { summary: "Ada lives in Lisbon." });
      await tell(person, "b", 2, { summary: "Her home in Lisbon stands beside the Tagus." });
      expect(await person.get("b")).toMatchObject({ pairId });
    }
  });

  it("with a number of its own stays apart", async () => {
    const judge = new ScriptedJudge({ relation: () => "repetition" });
    const person = await open(judge);
    await tell(person, "a", 1, { summary: "Ada takes 5 mg of ramipril." });
    await tell(person, "b", 2, { summary: "Ada takes 10 mg of ramipril." });
    expect(await traceOf(person, "b")).toMatchObject({
      outcome: "committed",
      redundancy: { keptApart: "judged to be another fact" },
    });
    await tell(person, "c", 3, { summary: "It is 5 mg of ramipril that Ada takes." });
    expect(await person.get("c")).toMatchObject({ pairId: "a" });
  });
});

describe("links that the caller names", () => {
  it("are made, judge or not", async () => {
    for (const judge of [false, new ScriptedJudge()] as const) {
      const person = await open(judge);
      await tell(person, "a", 1, { summary: "Plums ripened early." });
      await tell(person, "b", 2, { summary: "A choir sang Bach on Sunday.", updates: ["a"] });
      expect(await linksOf(person)).toEqual({ b: ["a"] });
      expect(await traceOf(person, "b")).toMatchObject({ updates: ["a"] });
    }
  });

  it("are no repetitions, nor is what said the same, however alike they sound", async () => {
    const words = "Zebra quagga okapi tapir.";
    const person = await open(false, { redundancyThreshold: 0.1, redundancyFreshTermShareMax: 1 });
    await tell(person, "a", 1, { summary: words });
    await tell(person, "b", 2, { summary: words });
    await tell(person, "c", 3, { summary: words, updates: "b" });
    expect(await traceOf(person, "b")).toMatchObject({ outcome: "paired" });
    expect(await traceOf(person, "c")).toMatchObject({
      outcome: "committed",
      redundancy: { keptApart: "named as outdated" },
    });
    expect(await linksOf(person)).toEqual({ c: ["a", "b"] });
    expect(await person.check()).toEqual([]);
  });
});

it("what replaces an outdated memory takes its place, also in what made both outdated", async () => {
  const texts: Record<string, string> = {
    first: "Ada lives in Lisbon.",
    second: "Ada lives there, in Lisbon.",
    late: "Lisbon is where Ada lives.",
    newer: "Ada lives in Porto.",
  };
  const verdicts: Record<string, keyof Relation> = {
    "first second": "repetition",
    "first late": "repetition",
    "second newer": "update",
    "late newer": "update",
  };
  const nameOf = (text: string): string => Object.keys(texts).find((name) => texts[name] === text)!;
  const judge = new ScriptedJudge({
    relation: ({ older, newer }) => verdicts[`${nameOf(older)} ${nameOf(newer)}`] ?? "different",
  });
  const person = await open(judge);
  for (const [name, day] of [
    ["first", 1],
    ["second", 2],
    ["newer", 4],
  ] as const) {
    await tell(person, name, day, { summary: texts[name]! });
  }
  expect(await linksOf(person)).toEqual({ newer: ["second"] });
  await tell(person, "late", 3, { summary: texts["late"]! });
  expect(await traceOf(person, "late")).toMatchObject({ pairing: { case: "replace", removedId: "second" } });
  expect(await linksOf(person)).toEqual({ newer: ["late"] });
  expect(await person.check()).toEqual([]);
});
