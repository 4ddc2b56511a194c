/** What a new statement ends: exactly what changed, by the reader's verdict or the caller's word, and nothing beside it. */
import type { PersonMemory, Relation, StatementPair } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { namedPlaces, withPair } from "../../src/commit/links.js";
import type { ReaderScript } from "../engine/scripted-reader.js";
import { buildGraph, daysAgo, endOf, factOf } from "../graph/graph-fixtures.js";
import { linksOf } from "../engine/linked-memories.js";
import { endsOf, openTold, readAreas, tell, traceOf } from "./told-facts.js";

/** Somebody lives in one city at a time. */
function relateCities({ older, newer }: StatementPair): keyof Relation {
  const [before, after] = [older, newer].map((text) => /lives? in (\w+)/u.exec(text)?.[1]);
  if (before === undefined || after === undefined) return "other";
  return before === after ? "repeats" : "ends";
}

const cities: ReaderScript = { read: readAreas, relate: relateCities };

/** Cities in the order in which they are told, each named after its day: "lisbon1". */
async function tellCities(told: readonly string[], script = cities): Promise<PersonMemory> {
  const { person } = await openTold(script);
  for (const id of told) {
    const [, name, day] = /^(\w+?)(\d+)$/u.exec(id)!;
    await tell(person, id, Number(day), `I live in ${name}.`);
  }
  return person;
}

describe("a statement ends", () => {
  it.each<[cities: readonly string[], ends: string[]]>([
    [["lisbon1", "porto2"], ["porto2#0: lisbon1#0"]],
    // Ended itself: what it ended is not ended once more.
    [
      ["lisbon1", "porto2", "faro3"],
      ["faro3#0: porto2#0", "porto2#0: lisbon1#0"],
    ],
    // Changed back, and repeated: the pair is with what holds.
    [
      ["lisbon1", "porto2", "lisbon3", "lisbon4"],
      ["lisbon3#0: porto2#0", "porto2#0: lisbon1#0"],
    ],
    // Told before what it changed, and after others.
    [["porto2", "lisbon1"], ["porto2#0: lisbon1#0"]],
    [
      ["porto2", "faro3", "lisbon1"],
      ["faro3#0: lisbon1#0", "faro3#0: porto2#0"],
    ],
  ])("what it changes: %j", async (told, ends) => {
    const person = await tellCities(told);
    expect(await endsOf(person)).toEqual(ends);
    if (told.at(-1) === "lisbon4") expect(await person.get("lisbon4")).toMatchObject({ pairId: "lisbon3" });
    expect(await person.check()).toEqual([]);
  });

  it("and its trace, its memory and the other one say so", async () => {
    const person = await tellCities(["lisbon1", "porto2"]);
    expect((await traceOf(person, "porto2")).ends).toEqual([{ memory: "lisbon1", position: 0, by: 0 }]);
    expect(await person.get("porto2")).toMatchObject({ updates: ["lisbon1"], outdatedBy: [] });
    const lisbon = await person.get("lisbon1");
    expect(lisbon).toMatchObject({ updates: [], outdatedBy: ["porto2"] });
    expect(lisbon.statements).toMatchObject([{ endedAt: "2025-05-03T10:00:00.000Z", endedBy: ["porto2#0"] }]);
  });

  it("also what arrives late, from between two others", async () => {
    const person = await tellCities(["lisbon1", "faro3", "porto2"]);
    expect(await person.get("porto2")).toMatchObject({ outdatedBy: ["faro3"] });
    expect((await person.get("lisbon1")).outdatedBy).toContain("faro3");
    expect((await person.list({ outdated: false })).map(({ id }) => id)).toEqual(["faro3"]);
  });

  it("from its calibrated probability on, and only if that is likelier than that it repeats", async () => {
    const endsAt = async (relation: Relation, endProbabilityMin: number): Promise<number> => {
      const { person } = await openTold({ read: readAreas, relate: () => relation }, { endProbabilityMin });
      await tell(person, "lisbon", 1, "I live in Lisbon.");
      await tell(person, "porto", 2, "I live in Porto.");
      return (await endsOf(person)).length;
    };
    const { person } = await openTold({ read: readAreas, relate: () => ({ repeats: 0, ends: 0.6, other: 0.4 }) });
    await tell(person, "lisbon", 1, "I live in Lisbon.");
    const { probability } = (await tell(person, "porto", 2, "I live in Porto.")).relations[0]!;
    expect(await endsAt({ repeats: 0, ends: 0.6, other: 0.4 }, probability)).toBe(1);
    expect(await endsAt({ repeats: 0, ends: 0.6, other: 0.4 }, probability + 1e-6)).toBe(0);
    expect(await endsAt({ repeats: 0.4, ends: 0.6, other: 0 }, 0)).toBe(1);
    expect(await endsAt({ repeats: 0.6, ends: 0.4, other: 0 }, 0)).toBe(0);
  });

  it("at most two, the likeliest", async () => {
    const { person } = await openTold(
      { read: readAreas, relate: ({ newer }) => (newer.includes("boat") ? "ends" : "other") },
      { endProbabilityMin: 0 },
    );
    for (const [i, town] of ["Porto", "Faro", "Evora"].entries()) await tell(person, town, i, `I live in ${town}.`);
    const { relations } = await tell(person, "boat", 9, "I live in a boat.");
    expect(relations).toHaveLength(3);
    const likeliest = relations.toSorted((x, y) => y.probability - x.probability).slice(0, 2);
    expect(await endsOf(person)).toEqual(likeliest.map(({ memory }) => `boat#0: ${memory}#0`).toSorted());
  });

  it("what two memories that are a pair both say", async () => {
    const person = await tellCities(["lisbon1", "lisbon2", "porto3"]);
    expect((await person.get("lisbon2")).pairId).toBe("lisbon1");
    expect(await endsOf(person)).toEqual(["porto3#0: lisbon1#0", "porto3#0: lisbon2#0"]);
  });
});

describe("what stands beside a statement that ended", () => {
  const both = "I live in Porto. I'm allergic to nuts. I work as a nurse.";

  it("holds: a warning is never ended by its neighbour's change", async () => {
    const { person } = await openTold(cities);
    await tell(person, "both", 1, both);
    await tell(person, "faro", 2, "I live in Faro.");
    expect(await endsOf(person)).toEqual(["faro#0: both#0"]);
    expect((await person.list({ outdated: false })).map(({ id }) => id)).toEqual(["both", "faro"]);
    const { text } = await person.coreSummary();
    expect(text).toContain("I'm allergic to nuts.");
    expect(text).toContain("I work as a nurse.");
    expect(text).not.toContain("Porto");
    const { memories } = await person.recall("allergic to nuts?", { at: "2025-06-01", seed: 1 });
    expect(memories.find(({ id }) => id === "both")).toMatchObject({ outdated: null });
  });

  it("goes with it once each has ended", async () => {
    const relate = ({ older, newer }: StatementPair): keyof Relation =>
      relateCities({ older, newer }) === "ends" || (older.includes("nurse") && newer.includes("teach"))
        ? "ends"
        : "other";
    const { person } = await openTold({ read: readAreas, relate }, { endProbabilityMin: 0 });
    await tell(person, "both", 1, "I live in Porto. I work as a nurse.");
    await tell(person, "faro", 2, "I live in Faro.");
    expect((await person.list({ outdated: false })).map(({ id }) => id)).toContain("both");
    await tell(person, "teach", 3, "I teach at a school, I work there.");
    expect((await person.list({ outdated: false })).map(({ id }) => id)).not.toContain("both");
  });
});

describe("a reader that is sure", () => {
  const sure: ReaderScript = { read: readAreas, relate: () => "ends" };
  const always = { endProbabilityMin: 0 };

  it.each([
    ["I'm allergic to nuts.", "I'm vegan now.", "does not speak of the warning"],
    ["I'm never to have aspirin.", "I'm vegan now.", "does not speak of the warning"],
    ["I'm allergic to nuts.", "The allergy to nuts has gone.", null],
    ["I eat nuts.", "I eat vegan food now.", null],
    ["I live in Porto.", "I might move to Faro, where I would live.", "is unsure"],
    ["Dad takes ramipril.", "Mum stopped ramipril.", "tells of somebody else"],
  ])("does not end what a rule guards: %s / %s", async (first, next, guard) => {
    const { person } = await openTold(sure, always);
    await tell(person, "first", 1, first);
    const { relations, ends } = await tell(person, "next", 2, next);
    expect(relations.find(({ memory }) => memory === "first")!.guard).toBe(guard);
    expect(ends).toHaveLength(guard === null ? 1 : 0);
    expect((await person.coreSummary()).text.includes(first)).toBe(guard !== null);
  });

  it("is told late of a warning: what came later does not end it", async () => {
    const { person } = await openTold(sure, always);
    await tell(person, "vegan", 2, "I'm vegan now.");
    await tell(person, "nuts", 1, "I'm allergic to nuts.");
    expect((await person.get("nuts")).outdatedBy).toEqual([]);
  });
});

describe("a doubtful end", () => {
  /** Whatever comes later may have ended what came before. */
  async function openInDoubt(): Promise<PersonMemory> {
    const { person } = await openTold(
      { read: readAreas, relate: () => "ends" },
      { endDoubtMin: 0.01, endProbabilityMin: 1 },
    );
    return person;
  }

  it("takes a fact out of the core memory, and nothing else calls it ended", async () => {
    const person = await openInDoubt();
    await tell(person, "lisbon", 1, "I live in Lisbon.");
    const turns = [{ who: "user", text: "I live in Porto." }];
    const decision = await person.commit({ id: "porto", at: "2025-05-03T10:00:00Z", turns }, { wait: true });
    expect(decision).toMatchObject({ reason: "kept", updates: [], ended: [] });
    expect((await traceOf(person, "porto")).ends).toEqual([{ memory: "lisbon", position: 0, by: 0, isDoubtful: true }]);
    expect((await person.coreSummary()).text).toBe("Home\n- I live in Porto.");
    expect(await endsOf(person)).toEqual([]);
    expect(await person.get("lisbon")).toMatchObject({ outdatedBy: [], statements: [{ endedAt: null }] });
    const { context } = await person.recall("Where do I live?", { at: "2025-06-01", seed: 1 });
    expect(context).toContain("I live in Lisbon.");
    expect(await person.check()).toEqual([]);
  });

  it.each<[string, verdict: number, words: [number, number], sureFrom: number, doubtFrom: number, string]>([
    ["none from a verdict of 0.4 on", 0.4, [24, 23], 0, 0, "ended"],
    ["none from its probability on, by up to 24 words", 1, [23, 24], 0, 0, "ended"],
    ["one below a verdict of 0.4", 0.399, [4, 5], 0, 0, "in doubt"],
    ["one where what changed has 25 words", 1, [25, 24], 0, 0, "in doubt"],
    ["one where what changed it has 25 words", 1, [24, 25], 0, 0, "in doubt"],
    ["one below its probability", 1, [4, 5], 1e-6, 0, "in doubt"],
    ["none below that of a doubt", 1, [4, 5], 1e-6, 1e-6, "neither"],
  ])("is %s: %d, %j words", async (_, verdict, words, sureFrom, doubtFrom, expected) => {
    const textOf = (town: string, count: number): string => `I live in ${town}${" nearby".repeat(count - 4)}.`;
    const linksWith = async (parameters: Readonly<Record<string, number>>) => {
      const relate = (): Relation => ({ repeats: 0, ends: verdict, other: 1 - verdict });
      const { person } = await openTold({ read: readAreas, relate }, parameters);
      await tell(person, "lisbon", 1, textOf("Lisbon", words[0]));
      return tell(person, "porto", 2, textOf("Porto", words[1]));
    };
    const { probability } = (await linksWith({})).relations[0]!;
    const { ends } = await linksWith({
      endProbabilityMin: probability + sureFrom,
      endDoubtMin: probability + doubtFrom,
    });
    const link = { memory: "lisbon", position: 0, by: 0 };
    const doubted = expected === "in doubt" ? [{ ...link, isDoubtful: true }] : [];
    expect(ends).toEqual(expected === "ended" ? [link] : doubted);
  });

  it("is none of a warning by what does not speak of it", async () => {
    const person = await openInDoubt();
    await tell(person, "nuts", 1, "I'm allergic to nuts.");
    expect((await tell(person, "vegan", 2, "I'm vegan now.")).ends).toEqual([]);
    expect((await person.coreSummary()).text).toContain("I'm allergic to nuts.");
  });

  it("is no surer when what told it was pruned and is restored", async () => {
    const person = await openInDoubt();
    await tell(person, "porto", 1, "I live in Porto.");
    await tell(person, "lisbon", 2, "I live in Lisbon.");
    await person.prune({ memoryBytesMax: 1 });
    for (const id of ["porto", "lisbon"]) {
      expect((await person.history({ ids: [id] }))[0]!.outcome).toBe("pruned");
      await person.restore(id);
      await person.settled();
    }
    expect((await person.get("porto")).outdatedBy).toEqual([]);
    expect(await endsOf(person)).toEqual([]);
  });
});

describe("what the caller names", () => {
  it("is ended as a whole, reader or not, and nothing else is", async () => {
    for (const script of [null, { read: readAreas, relate: () => "ends" }] satisfies (ReaderScript | null)[]) {
      const { person } = await openTold(script);
      await tell(person, "plums", 1, "Plums ripened early.");
      await tell(person, "sister", 2, "My sister ripened, too.");
      const { ends } = await tell(person, "choir", 3, {
        turns: [{ who: "user", text: "A choir sang of plums." }],
        updates: ["plums"],
      });
      expect(ends).toEqual([{ memory: "plums", position: null, by: null }]);
      expect((await person.get("plums")).outdatedBy).toContain("choir");
      expect((await person.get("choir")).updates).toEqual(["plums"]);
    }
  });

  it("may be a single statement", async () => {
    const { person } = await openTold(null);
    await tell(person, "both", 1, "Plums ripened early. Trains were late.");
    await tell(person, "choir", 2, { summary: "A choir sang Bach.", updates: ["both#1"] });
    expect(await endsOf(person)).toEqual(["choir: both#1"]);
  });

  it("has to be earlier", async () => {
    const { person } = await openTold(null);
    await tell(person, "plums", 2, "Plums ripened early.");
    for (const name of ["plums", "plums#0"]) {
      const early = tell(person, "choir", 1, { summary: "A choir sang Bach.", updates: [name] });
      await expect(early).rejects.toMatchObject({ code: "id_invalid" });
    }
  });

  it("is not a repetition, nor is its pair, however alike they sound; both are ended", async () => {
    const words = "Zebra quagga okapi tapir.";
    const { person } = await openTold(null, { redundancyThreshold: 0.1, redundancyFreshTermShareMax: 1 });
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

  it("are memories with their pairs, or statements with those that say the same", () => {
    const nodes = [
      { id: "a", initMs: daysAgo(3), pairId: "b", statements: [factOf("I live in Porto."), factOf("I sing.")] },
      { id: "b", initMs: daysAgo(2), pairId: "a", statements: [factOf("I sing."), factOf("I live in Porto now.")] },
      { id: "c#0", initMs: daysAgo(1), statements: [factOf("I work.")] },
    ];
    const graph = buildGraph({ nodes, edges: [] });
    expect(withPair("b", graph)).toEqual(["b", "a"]);
    expect(withPair("gone", graph)).toEqual([]);
    const named = (name: string): unknown =>
      namedPlaces([name], graph).map(({ memory, position }) => [memory, position]);
    expect(named("a")).toEqual([
      ["a", null],
      ["b", null],
    ]);
    expect(named("a#0")).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
    // An id may look like the name of a statement.
    expect(named("c#0")).toEqual([["c#0", null]]);
    expect(named("c#0#0")).toEqual([["c#0", 0]]);
    for (const name of ["a#2", "gone", "gone#0", "a#x", "#0"]) expect(named(name)).toEqual([]);
    const ended = buildGraph({ nodes: [...nodes, { id: "d", ends: [endOf("b", 1, null)] }], edges: [] });
    expect(namedPlaces(["a#0"], ended)).toMatchObject([{ memory: "a", position: 0 }]);
  });
});

it("what replaces an outdated memory takes its place, also in what ended both", async () => {
  const words = "Zebra quagga okapi tapir.";
  const { person } = await openTold(null, { redundancyThreshold: 0.1, redundancyFreshTermShareMax: 1 });
  await tell(person, "first", 1, { summary: words });
  await tell(person, "second", 2, { summary: words });
  await tell(person, "newer", 4, { summary: "Ibis emu kiwi lynx.", updates: ["second"] });
  expect(await linksOf(person)).toEqual({ newer: ["first", "second"] });
  await tell(person, "late", 3, { summary: words });
  expect(await traceOf(person, "late")).toMatchObject({ pairing: { case: "replace", removedId: "second" } });
  expect(await linksOf(person)).toEqual({ newer: ["first", "late"] });
  expect(await person.check()).toEqual([]);
});
