/** What a statement is to the memories nearest to it: which are compared, which it repeats, which it makes outdated. */
import type { CommitTrace, InteractionInput, Judge, JudgedPair, PersonMemory, Relation } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { dayMs } from "../../../src/core/time.js";
import { cosine, quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { linksOf } from "../linked-memories.js";
import { ScriptedJudge, surely } from "../scripted-judge.js";

const startMs = Date.parse("2025-05-01T10:00:00Z");

/** Somebody lives in one city at a time. */
function judgeCities({ older, newer }: JudgedPair): keyof Relation {
  const [before, after] = [older, newer].map((text) => /lives in (\w+)/u.exec(text)?.[1]);
  if (before === undefined || after === undefined) return "different";
  return before === after ? "repetition" : "update";
}

async function open(judge: Judge | false, parameters: Record<string, number> = {}): Promise<PersonMemory> {
  return (
    await openMemories({
      path: ":memory:",
      judge,
      parameters: {
        relationCosineMin: -1,
        updateCosineMin: -1,
        repetitionProbabilityMin: 0.8,
        updateProbabilityMin: 0.7,
        ...parameters,
      },
    })
  ).person("ada");
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
  const texts = ["Ada lives in Lisbon.", "Ada lives alone now.", "Plums ripened early."];
  const told = "Ada lives in Porto now.";

  async function relationsWith(parameters: Record<string, number>) {
    const judge = new ScriptedJudge();
    const person = await open(judge, parameters);
    for (const [i, summary] of texts.entries()) await tell(person, `m${i}`, i, { summary });
    judge.pairs.length = 0;
    await tell(person, "new", 9, { summary: told });
    return { pairs: judge.pairs.flat(), relations: (await traceOf(person, "new")).relations };
  }

  it("the nearest memories, the most similar first, with what the judge said", async () => {
    const [own, ...others] = (await new HashingEmbedder().embed([told, ...texts])).map(quantizeVector);
    const expected = others
      .map((vector, i) => ({ id: `m${i}`, cosine: cosine(own!, vector), ...surely("different") }))
      .sort((x, y) => y.cosine - x.cosine);
    const { relations, pairs } = await relationsWith({ relationCosineMin: -1, updateCosineMin: -1 });
    expect(relations).toEqual(expected);
    expect(pairs).toEqual(expected.map(({ id }) => ({ older: texts[Number(id.slice(1))], newer: told })));
    expect((await relationsWith({ relationCountMax: 1 })).relations).toEqual(expected.slice(0, 1));
  });

  it("only what shares a word or is as close as asked for", async () => {
    const idsWith = async (relationCosineMin: number): Promise<string[]> =>
      (await relationsWith({ relationCosineMin })).relations.map(({ id }) => id).toSorted();
    expect(await idsWith(1)).toEqual(["m0", "m1"]);
    expect(await idsWith(-1)).toEqual(["m0", "m1", "m2"]);
  });

  it("none, if none may be", async () => {
    expect(await relationsWith({ relationCountMax: 0 })).toEqual({ pairs: [], relations: [] });
  });

  it("single statements only, on both sides", async () => {
    const judge = new ScriptedJudge();
    const person = await open(judge, { relationWordCountMax: 5 });
    await tell(person, "short", 0, { summary: "Ada lives in Lisbon." });
    await tell(person, "long", 1, { summary: "Ada lives in Lisbon with two cats." });
    expect(judge.pairs).toEqual([]);
    expect((await traceOf(person, "long")).relations).toEqual([]);
    await tell(person, "new", 2, { summary: "Ada lives in Porto." });
    expect(judge.pairs.flat()).toEqual([{ older: "Ada lives in Lisbon.", newer: "Ada lives in Porto." }]);
  });

  it("by what people said, not by what an assistant did", async () => {
    const judge = new ScriptedJudge();
    const person = await open(judge);
    const exchange = (text: string): InteractionInput => ({
      turns: [
        { who: "assistant", text: "Where do you live these days?" },
        { who: "user", text },
      ],
    });
    await tell(person, "a", 0, exchange("I live in Lisbon."));
    await tell(person, "b", 1, exchange("I live in Porto."));
    expect(judge.pairs.flat()).toEqual([{ older: "I live in Lisbon.", newer: "I live in Porto." }]);
  });

  it("not what is dropped", async () => {
    const judge = new ScriptedJudge({ substance: (text) => (text.includes("Porto") ? 0 : 1) });
    const person = await open(judge, { substanceThreshold: 0 });
    await tell(person, "a", 0, { turns: [{ who: "user", text: "I am at home in Lisbon now." }] });
    await tell(person, "b", 1, { turns: [{ who: "user", text: "I am at home in Porto now." }] });
    expect(judge.pairs).toEqual([]);
  });
});

describe("of people who talk with each other", () => {
  const compare = async (said: readonly (readonly [who: string, text: string])[]): Promise<readonly JudgedPair[]> => {
    const judge = new ScriptedJudge({ relation: () => surely("different") });
    const person = await open(judge);
    for (const [i, [who, text]] of said.entries()) await tell(person, `m${i}`, i + 1, { turns: [{ who, text }] });
    return judge.pairs.flat();
  };

  it("what the same one says is compared without the name", async () => {
    expect(
      await compare([
        ["Leo", "I live in Porto."],
        ["Leo", "I live in Faro."],
      ]),
    ).toEqual([{ older: "I live in Porto.", newer: "I live in Faro." }]);
  });

  it("what others say of themselves is not compared; what they say of something else is", async () => {
    expect(
      await compare([
        ["Leo", "I live in Porto."],
        ["Mia", "I live in Faro."],
      ]),
    ).toEqual([]);
    expect(
      await compare([
        ["Leo", "The key is with Ada."],
        ["Mia", "The key is with Bea."],
      ]),
    ).toHaveLength(1);
  });

  it("a colon is no name", async () => {
    expect(
      await compare([
        ["user", "The doctor rang: ramipril 5 mg."],
        ["user", "The doctor rang: ramipril 10 mg."],
      ]),
    ).toEqual([{ older: "The doctor rang: ramipril 5 mg.", newer: "The doctor rang: ramipril 10 mg." }]);
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

  it("in another language, only what has the same words is a repetition", async () => {
    const person = await open(new ScriptedJudge({ relation: () => surely("repetition") }));
    await tell(person, "a", 1, { summary: "Ich esse kein Fleisch mehr." });
    await tell(person, "b", 2, { summary: "Mein Mann trinkt jetzt Tee, und ich habe nicht so viel Zeit." });
    await tell(person, "c", 3, { summary: "Fleisch esse ich nicht mehr." });
    expect(await traceOf(person, "b")).toMatchObject({ outcome: "committed" });
    expect((await traceOf(person, "b")).relations).toMatchObject([{ byWords: "other words in another language" }]);
    expect(await traceOf(person, "c")).toMatchObject({ outcome: "paired", pairing: { partnerId: "a" } });
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

  it("is no end of what another relative does, nor one that was told before", async () => {
    const person = await open(new ScriptedJudge({ relation: () => surely("update") }));
    await tell(person, "dad", 1, { summary: "Dad takes ramipril." });
    await tell(person, "mum", 2, { summary: "Mum stopped ramipril, she takes losartan." });
    await tell(person, "again", 3, { summary: "Mum quit ramipril, losartan is what she takes." });
    expect(await linksOf(person)).toEqual({});
    expect((await traceOf(person, "mum")).relations).toMatchObject([{ byWords: "tells of somebody else" }]);
    const { relations } = await traceOf(person, "again");
    expect(relations.find(({ id }) => id === "mum")).toMatchObject({ repetition: 1, byWords: "tells of the same end" });
  });

  it("makes what it changes outdated, and the trace says so", async () => {
    const person = await tellCities(["lisbon1", "porto2"]);
    expect(await linksOf(person)).toEqual({ porto2: ["lisbon1"] });
    expect(await traceOf(person, "porto2")).toMatchObject({
      outcome: "committed",
      updates: ["lisbon1"],
      redundancy: { keptApart: "judged to be another fact" },
    });
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

  it("that is changed again is made outdated itself, not once more what it changed", async () => {
    const person = await tellCities(["lisbon1", "porto2", "faro3"]);
    expect(await linksOf(person)).toEqual({ porto2: ["lisbon1"], faro3: ["porto2"] });
  });

  it("that is changed back is outdated, and nothing is paired with what was", async () => {
    const person = await tellCities(["lisbon1", "porto2", "lisbon3"]);
    expect(await linksOf(person)).toEqual({ porto2: ["lisbon1"], lisbon3: ["porto2"] });
    expect(await person.get("lisbon3")).toMatchObject({ pairId: null });
    expect(await traceOf(person, "lisbon3")).toMatchObject({ outcome: "committed" });
  });

  it("may be repeated: the pair is with what holds", async () => {
    const person = await tellCities(["lisbon1", "porto2", "lisbon3", "lisbon4"]);
    expect(await person.get("lisbon4")).toMatchObject({ pairId: "lisbon3" });
    expect(await linksOf(person)).toEqual({ porto2: ["lisbon1"], lisbon3: ["porto2"] });
  });

  it("told before what it changed is found all the same, the right way round", async () => {
    const judge = new ScriptedJudge({ relation: judgeCities });
    const person = await tellCities(["porto2", "lisbon1"], judge);
    expect(judge.pairs.flat()).toEqual([{ older: "Ada lives in lisbon.", newer: "Ada lives in porto." }]);
    expect(await linksOf(person)).toEqual({ porto2: ["lisbon1"] });
    expect(await traceOf(person, "lisbon1")).toMatchObject({ updates: [] });
  });

  it("that comes late, from between two others, has its place between them", async () => {
    const person = await tellCities(["lisbon1", "faro3", "porto2"]);
    expect((await person.get("lisbon1")).outdatedBy).toContain("porto2");
    expect(await person.get("porto2")).toMatchObject({ updates: ["lisbon1"], outdatedBy: ["faro3"] });
  });

  it("from before several others is outdated by the first of them", async () => {
    const person = await tellCities(["porto2", "faro3", "lisbon1"]);
    expect(await linksOf(person)).toEqual({ porto2: ["lisbon1"], faro3: ["porto2"] });
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
      await tell(person, "b", 2, { summary: "Her home stands beside the Tagus." });
      expect(await person.get("b")).toMatchObject({ pairId });
    }
  });

  it("is paired with the likeliest", async () => {
    const judge = new ScriptedJudge({
      relation: ({ older }) => ({ repetition: older.includes("Tagus") ? 0.95 : 0.85, update: 0, different: 0 }),
    });
    const person = await open(judge);
    await tell(person, "tagus", 1, { summary: "Her home stands beside the Tagus." });
    // A number keeps the two apart.
    await tell(person, "lisbon", 2, { summary: "Ada lives in Lisbon, at number 2." });
    await tell(person, "again", 3, { summary: "Ada lives in Lisbon." });
    expect(await person.get("again")).toMatchObject({ pairId: "tagus" });
    expect(await traceOf(person, "again")).toMatchObject({ redundancy: { id: "tagus", keptApart: null } });
  });

  it("with a number of its own stays apart", async () => {
    const judge = new ScriptedJudge({ relation: () => "repetition" });
    const person = await open(judge);
    await tell(person, "a", 1, { summary: "Ada takes 5 mg of ramipril." });
    await tell(person, "b", 2, { summary: "Ada takes 10 mg of ramipril." });
    expect(await traceOf(person, "b")).toMatchObject({
      outcome: "committed",
      redundancy: { freshNumbers: ["10"], keptApart: "judged to be another fact" },
    });
    await tell(person, "c", 3, { summary: "It is 5 mg of ramipril that Ada takes." });
    expect(await person.get("c")).toMatchObject({ pairId: "a" });
  });

  it("is not found where the judge sees another fact, however alike the words", async () => {
    const anythingRepeats = {
      redundancyThreshold: 0,
      redundancyFreshNumberShareMax: 1,
      redundancyShortTermCountMax: 0,
    };
    for (const [judge, outcome] of [
      [new ScriptedJudge(), "committed"],
      [false, "paired"],
    ] as const) {
      const person = await open(judge, anythingRepeats);
      await tell(person, "a", 1, { summary: "Ada lives in Lisbon." });
      await tell(person, "b", 2, { summary: "Ada lives in Lisbon." });
      expect(await traceOf(person, "b")).toMatchObject({ outcome });
    }
  });

  it("that is restored is not paired again", async () => {
    let isTelling = 0;
    const judge = new ScriptedJudge({
      relation: () => "repetition",
      substance: (text) => (text.includes("Lisbon") ? isTelling : 1),
    });
    const person = await open(judge, { substanceThreshold: 0 });
    await tell(person, "a", 1, { summary: "Her home stands beside the Tagus." });
    await tell(person, "b", 2, { turns: [{ who: "user", text: "I am at home in Lisbon now." }] });
    isTelling = 1;
    await person.restore("b");
    await person.settled();
    expect(await person.get("b")).toMatchObject({ pairId: null });
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
    const person = await open(false, { redundancyThreshold: 0.1, redundancyShortTermCountMax: 0 });
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
