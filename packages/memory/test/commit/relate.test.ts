/** What the facts of an interaction are compared with, and what the reader's verdicts come to. */
import type { LifeArea, Relation, StatementPair } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { cosine, quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { type ReaderScript, surely } from "../engine/scripted-reader.js";
import { openTold, readAreas, tell } from "./told-facts.js";

async function closeness(...texts: readonly [string, string]): Promise<number> {
  const [one, other] = (await new HashingEmbedder().embed(texts)).map(quantizeVector);
  return cosine(one!, other!);
}

/** The pairs that the reader is shown when the last of these is told. */
async function pairsAfter(
  said: readonly (readonly [who: string, text: string])[],
  script: ReaderScript = { read: readAreas },
): Promise<readonly StatementPair[]> {
  const { person, reader } = await openTold(script);
  for (const [i, [who, text]] of said.entries()) {
    reader.pairs.length = 0;
    await tell(person, `m${i}`, i, [{ who, text }]);
  }
  return reader.pairs.flat();
}

describe("compared with a new fact are", () => {
  const towns = ["Porto", "Lisbon", "Faro", "Evora", "Braga"];

  it("the nearest that hold, three of each and a few of all, the likeliest first, with what the reader said", async () => {
    for (const relationCountMax of [6, 2]) {
      const { person, reader } = await openTold({ read: readAreas }, { relationCountMax });
      for (const [i, town] of towns.entries()) await tell(person, town, i, `I live in ${town}.`);
      reader.pairs.length = 0;
      const { relations } = await tell(person, "new", 9, "I live in Coimbra.");
      const near = await Promise.all(
        towns.map(async (town) => ({ town, cosine: await closeness(`I live in ${town}.`, "I live in Coimbra.") })),
      );
      const expected = near.toSorted((x, y) => y.cosine - x.cosine).slice(0, Math.min(3, relationCountMax));
      expect(relations.map((each) => [each.memory, each.position, each.by])).toEqual(
        expected.map(({ town }) => [town, 0, 0]),
      );
      for (const [i, each] of relations.entries()) {
        expect(each).toMatchObject({ ...surely("other"), guard: null });
        expect(each.cosine).toBeCloseTo(expected[i]!.cosine, 10);
      }
      const pairs = expected.map(({ town }) => ({ older: `I live in ${town}.`, newer: "I live in Coimbra." }));
      expect(reader.pairs).toEqual([pairs]);
    }
    const { person, reader } = await openTold({ read: readAreas }, { relationCountMax: 0 });
    for (const town of towns) expect((await tell(person, town, 0, `I live in ${town}.`)).relations).toEqual([]);
    expect(reader.pairs).toEqual([]);
  });

  it("none that is unlike, be it new and of its area", async () => {
    const told = ["This flat has three rooms.", "Home is above a bakery.", "We moved to Faro."];
    const now = "Braga, my home town.";
    for (const text of told) expect(await closeness(text, now)).toBeLessThan(0.2);
    expect(await pairsAfter([...told, now].map((text) => ["user", text] as const))).toEqual([]);
  });

  it("those with its words before others as near", async () => {
    const { person } = await openTold({ read: readAreas });
    // Equally near, as far as the embedder knows.
    await tell(person, "same", 1, "I live in Porto.");
    await tell(person, "again", 2, "I live in Porto.");
    await tell(person, "unlike", 3, "My brother sails.");
    const { relations } = await tell(person, "new", 9, "I live in Porto, brother.");
    expect(
      relations
        .map(({ memory }) => memory)
        .slice(0, 2)
        .toSorted(),
    ).toEqual(["again", "same"]);
  });

  it("facts only: nothing that is passing talk, of nobody, material, or an assistant's", async () => {
    const said = [
      ["user", "I live in Porto."],
      ["user", "I live in Faro."],
    ] as const;
    expect(await pairsAfter(said)).toEqual([{ older: "I live in Porto.", newer: "I live in Faro." }]);
    for (const verdict of [{ fact: 0.49 }, { about: "nobody" }] as const) {
      for (const town of ["Porto", "Faro"]) {
        const read = (text: string) => ({ ...readAreas(text), ...(text.includes(town) ? verdict : {}) });
        expect(await pairsAfter(said, { read })).toEqual([]);
      }
    }
    expect(await pairsAfter([["user", "Translate this: I live in Porto."], said[1]])).toEqual([]);
    expect(await pairsAfter([["assistant", "You live in Porto."], said[1]])).toEqual([]);
    expect(await pairsAfter([said[0], ["assistant", "You live in Faro."]])).toEqual([]);
  });

  it("an answer, with its question", async () => {
    const { person, reader } = await openTold({ read: readAreas });
    await tell(person, "a", 1, "I live in Porto.");
    await tell(person, "b", 2, [
      { who: "assistant", text: "Where do you live?" },
      { who: "user", text: "In Faro." },
    ]);
    expect(reader.pairs.flat()).toEqual([{ older: "I live in Porto.", newer: "Where do you live? In Faro." }]);
  });
});

describe("two people's words are compared", () => {
  it.each([
    ["not where they speak of themselves", "Ada", "I live in Porto.", "Bob", "I live in Faro.", "self", 0],
    ["where both speak of others", "Ada", "Mia lives in Porto.", "Bob", "Mia lives in Faro.", "other", 1],
    ["where it is one person", "Ada", "I live in Porto.", "Ada", "I live in Faro.", "self", 1],
  ] as const)("%s", async (_, one, older, other, newer, about, count) => {
    const said = [
      [one, older],
      [other, newer],
    ] as const;
    expect(await pairsAfter(said, { read: () => ({ area: "home", about, lasting: 1 }) })).toHaveLength(count);
  });

  it("with those of a summary, which are nobody's", async () => {
    const { person, reader } = await openTold({ read: readAreas });
    await tell(person, "a", 1, { summary: "Ada lives in Porto." });
    await tell(person, "b", 2, [{ who: "Ada", text: "I live in Porto now." }]);
    expect(reader.pairs.flat()).toEqual([{ older: "Ada lives in Porto.", newer: "Ada: I live in Porto now." }]);
  });
});

describe("no longer compared is", () => {
  it("what has ended", async () => {
    const { person, reader } = await openTold({ read: readAreas, relate: () => "ends" });
    await tell(person, "porto", 1, "I live in Porto.");
    await tell(person, "faro", 2, "I live in Faro.");
    reader.pairs.length = 0;
    await tell(person, "braga", 3, "I live in Braga.");
    expect(reader.pairs.flat()).toEqual([{ older: "I live in Faro.", newer: "I live in Braga." }]);
  });

  it("what was never so, but what was only taken out of the core memory still is", async () => {
    for (const [reason, count] of [
      ["untrue", 0],
      ["removed", 1],
    ] as const) {
      const { person, reader } = await openTold({ read: readAreas });
      await tell(person, "porto", 1, "I live in Porto.");
      await person.withdraw("porto#0", reason);
      await tell(person, "faro", 2, "I live in Faro.");
      expect(reader.pairs.flat()).toHaveLength(count);
    }
  });
});

it("of an interaction with many facts, the eight that last most surely", async () => {
  const lastingOf = (text: string): number => Number(/\d+/u.exec(text)?.[0] ?? 100) / 100;
  const { person } = await openTold(
    { read: (text) => ({ area: "home", lasting: lastingOf(text) }) },
    { relationCountMax: 1_000 },
  );
  await tell(person, "old", 1, "I live in house 99.");
  const percents = [60, 70, 80, 90, 55, 65, 75, 85, 95, 51];
  const text = percents.map((percent) => `I live in house ${percent}.`).join(" ");
  const { relations } = await tell(person, "new", 2, text);
  const compared = relations.map(({ by }) => percents[by]!);
  expect(compared.toSorted()).toEqual(percents.toSorted().slice(2));
});

it("what arrives late is the older one of the pair", async () => {
  const { person, reader } = await openTold({ read: readAreas });
  await tell(person, "faro", 2, "I live in Faro.");
  await tell(person, "porto", 1, "I live in Porto.");
  expect(reader.pairs.flat()).toEqual([{ older: "I live in Porto.", newer: "I live in Faro." }]);
});

describe("the probability that one ends the other", () => {
  interface Pair {
    readonly older?: string;
    readonly newer?: string;
    readonly relation?: Relation;
    readonly areas?: readonly [LifeArea, LifeArea];
    /** How surely the older and the newer one last. */
    readonly lasting?: readonly [number, number];
  }

  async function probabilityOf({
    older = "I live in Porto.",
    newer = "Faro is where I live.",
    relation = { repeats: 0, ends: 0.7, other: 0.3 },
    areas = ["home", "home"],
    lasting = [1, 1],
  }: Pair): Promise<number> {
    const read = (text: string) => {
      const i = text === older ? 0 : 1;
      return { area: areas[i], lasting: lasting[i] };
    };
    const { person } = await openTold({ read, relate: () => relation });
    await tell(person, "older", 1, older);
    const { relations } = await tell(person, "newer", 2, newer);
    return relations[0]!.probability;
  }

  it("grows with the reader's verdict, closeness, shared words and words of an end, and not with the area", async () => {
    const usual = await probabilityOf({});
    expect(usual).toBeGreaterThan(0);
    expect(usual).toBeLessThan(1);
    expect(await probabilityOf({ relation: { repeats: 0, ends: 0.9, other: 0.1 } })).toBeGreaterThan(usual);
    expect(await probabilityOf({ areas: ["home", "work"] })).toBe(usual);
    expect(await probabilityOf({ newer: "I live in Faro." })).toBeGreaterThan(usual);
    // Nearer than the usual pair, and without a word of it.
    expect(await closeness("I live in Porto.", "I am in Faro.")).toBeGreaterThan(
      await closeness("I live in Porto.", "Faro is where I live."),
    );
    expect(await probabilityOf({ newer: "I am in Faro." })).toBeLessThan(usual);
    // The same words for the embedder.
    const told = await probabilityOf({ newer: "Faro is where I live, laid off." });
    expect(told).toBeGreaterThan(await probabilityOf({ newer: "Faro is where I live, laid-off." }));
  });

  it('by hand: logistic(-7.23 + 0.44 ln(0.7 / 0.3) + 9.26 closeness + 1.13 for "live", + 0.88 for words of an end)', async () => {
    const logistic = (score: number): number => 1 / (1 + Math.exp(-score));
    for (const [newer, words] of [
      ["Faro is where I live.", 0],
      ["Faro is where I live, laid off.", 0.88],
    ] as const) {
      const cosineOfBoth = await closeness("I live in Porto.", newer);
      // 0.44 ln(0.7 / 0.3) = 0.3728
      const expected = logistic(-7.23 + 0.3728 + 9.26 * cosineOfBoth + 1.13 + words);
      expect(await probabilityOf({ newer })).toBeCloseTo(expected, 4);
    }
  });

  it("is none where the reader thinks that it repeats, from 0.6 of the verdict that it ends", async () => {
    expect(await probabilityOf({ relation: { repeats: 0.17, ends: 0.3, other: 0.53 } })).toBeGreaterThan(0);
    expect(await probabilityOf({ relation: { repeats: 0.19, ends: 0.3, other: 0.51 } })).toBe(0);
    expect(await probabilityOf({ relation: { repeats: 0.5, ends: 0.4, other: 0.1 } })).toBe(0);
  });

  const endsBy = (ends: number): Relation => ({ repeats: 0, ends, other: 1 - ends });
  it.each<[string, none: Pair, some: Pair]>([
    [
      "of two worded the same but for one word, below a verdict of 0.6",
      { newer: "I live in Faro.", relation: endsBy(0.599) },
      { newer: "I live in Faro.", relation: endsBy(0.6) },
    ],
    ["below a verdict of 0.05", { relation: endsBy(0.049) }, { relation: endsBy(0.05) }],
    ["where the older one passes anyway, below 0.5", { lasting: [0.499, 1] }, { lasting: [0.5, 0] }],
  ])("is none %s", async (_, none, some) => {
    expect(await probabilityOf(none)).toBe(0);
    expect(await probabilityOf(some)).toBeGreaterThan(0);
  });

  it("counts closeness up to 0.8: logistic(-7.23 + 0.3728 + 9.26 · 0.8 + 2 · 1.13) = logistic(2.8108) = 0.9433", async () => {
    const pair = { older: "I live in Porto near the river.", newer: "I live in Porto, near the old river." };
    expect(await closeness(pair.older, pair.newer)).toBeGreaterThan(0.9);
    expect(await probabilityOf(pair)).toBeCloseTo(0.9433, 4);
  });

  it.each<[string, newer: string, areas: [LifeArea, LifeArea], words: number]>([
    ["0.88 for words of an end and 3 for a word of the area", "I quit my job at last.", ["work", "work"], 0.88 + 3],
    ["no 3 where the other is of another area", "I quit my job at last.", ["work", "home"], 0.88],
    ["no 3 for a word of another area", "I quit my job at last.", ["home", "home"], 0.88],
    ["no 3 without a word of the area", "I quit tennis at last.", ["work", "work"], 0.88],
    ["nothing without words of an end", "I like my job at last.", ["work", "work"], 0],
  ])("adds %s: %s", async (_, newer, areas, words) => {
    const older = "I work at Fjordline.";
    const score = -7.23 + 0.3728 + 9.26 * (await closeness(older, newer)) + words;
    expect(await probabilityOf({ older, newer, areas })).toBeCloseTo(1 / (1 + Math.exp(-score)), 4);
  });
});

it.each([
  ["I live in Porto.", true],
  ["  i live IN porto. ", true],
  ["I live in Porto!", false],
])("what is said in the same words is a repetition, whatever the reader says: %s: %s", async (text, isSame) => {
  const { person } = await openTold({ read: readAreas, relate: () => "ends" });
  await tell(person, "porto", 1, "I live in Porto.");
  const { relations, ends } = await tell(person, "again", 2, text);
  expect(relations).toMatchObject([surely(isSame ? "repeats" : "ends")]);
  expect(relations[0]!.probability > 0).toBe(!isSame);
  expect(ends.length > 0).toBe(!isSame);
});

it("why one may not end the other is noted, whatever the reader says", async () => {
  const { person } = await openTold({ read: readAreas, relate: () => "ends" });
  await tell(person, "porto", 1, "I live in Porto.");
  const { relations, ends } = await tell(person, "faro", 2, "I might live in Faro one day.");
  expect(relations).toMatchObject([{ memory: "porto", ends: 1, guard: "is unsure" }]);
  expect(ends).toEqual([]);
});

it("without a reader nothing is compared", async () => {
  const { person } = await openTold(null);
  await tell(person, "porto", 1, "I live in Porto.");
  expect((await tell(person, "faro", 2, "I live in Faro.")).relations).toEqual([]);
});
