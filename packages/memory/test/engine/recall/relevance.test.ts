/** What the judge thinks of candidates as answers, and what that does to their order. */
import type { JudgedPair, PersonMemory, Recall, Relation } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import { dayMs } from "../../../src/core/time.js";
import { openMemories } from "../../durability/opened-memories.js";
import { ScriptedJudge, surely } from "../scripted-judge.js";

const startMs = Date.parse("2025-03-01T09:00:00Z");
const question = "Where does Ada work?";
const long = `Ada works ${Array.from({ length: 60 }, (_, i) => `word${i}`).join(" ")}.`;

/** Memories a day apart, with what the judge thinks of each as an answer. */
async function remember(
  told: Readonly<Record<string, number>>,
  parameters: Record<string, number> = {},
  relation: (pair: JudgedPair) => Relation = () => surely("different"),
): Promise<{ person: PersonMemory; judge: ScriptedJudge }> {
  const judge = new ScriptedJudge({ relevance: (_, statement) => told[statement] ?? 1, relation });
  const all = {
    relevanceWeight: 1,
    redundancyThreshold: 10,
    startScoreMin: -1,
    traversalNodeCountPerStartMax: 0,
    ...parameters,
  };
  const person = (await openMemories({ path: ":memory:", judge, parameters: all })).person("ada");
  for (const [i, summary] of Object.keys(told).entries()) {
    await person.commit({ id: `m${i}`, summary, at: startMs + i * dayMs });
  }
  await person.settled();
  return { person, judge };
}

function ask(person: PersonMemory, query = question): Promise<Recall> {
  return person.recall(query, { at: startMs + 20 * dayMs, seed: 1 });
}

const idsOf = ({ memories }: Recall): string[] => memories.map(({ id }) => id);

it("a statement gains by its probability, times the weight", async () => {
  const { person } = await remember({ "Ada works in Lisbon.": 0.4, "Plums ripened early.": 0.1 });
  const { trace } = await ask(person);
  const gains = Object.fromEntries(trace.starts.map(({ id, relevanceGain }) => [id, relevanceGain]));
  expect(gains).toEqual({ m0: 0.4, m1: 0.1 });
  const halved = await remember({ "Ada works in Lisbon.": 0.4 }, { relevanceWeight: 0.5 });
  expect((await ask(halved.person)).trace.starts[0]!.relevanceGain).toBe(0.2);
});

it("what answers comes before what only shares words", async () => {
  const told = { "Where does Ada work, Bea asked.": 0, "Her desk stands beside the Tagus.": 0.95 };
  const without = await remember(told, { relevanceWeight: 0 });
  expect(idsOf(await ask(without.person))).toEqual(["m0", "m1"]);
  const { person } = await remember(told, { relevanceWeight: 2 });
  expect(idsOf(await ask(person))).toEqual(["m1", "m0"]);
});

it("only the best candidates are read", async () => {
  const { person, judge } = await remember(
    { "Plums ripened early.": 0, "Ada works in Lisbon.": 0, "Where does Ada work?": 0 },
    { relevanceCountMax: 2 },
  );
  await ask(person);
  expect(judge.statements.flat().toSorted()).toEqual(["Ada works in Lisbon.", "Where does Ada work?"]);
});

it("where none is read, nothing is said of confidence", async () => {
  const { person, judge } = await remember({ "Ada works in Lisbon.": 0.9 }, { relevanceCountMax: 0 });
  expect(await ask(person)).toMatchObject({ confidence: null, answerable: null });
  expect(judge.statements).toEqual([]);
  const { person: nobody } = await remember({});
  expect((await ask(nobody)).confidence).toBeLessThan(0.5);
});

describe("of statements that answer a question about now", () => {
  const works = { "Ada does work in Lisbon.": 0.9, "Ada went to Porto.": 0.5, "Faro.": 0.2 };
  /** The judge of `remember` takes everything to be another fact unless this says otherwise. */
  const changed =
    (update: number) =>
    ({ older }: JudgedPair): Relation =>
      older.includes("Lisbon") ? { repetition: 0, update, different: 1 - update } : surely("different");

  it("one that may have changed another takes its place", async () => {
    const { person } = await remember(works, {}, changed(0.1));
    const { memories, trace } = await ask(person);
    expect(memories.map(({ id }) => id).slice(0, 2)).toEqual(["m1", "m0"]);
    expect(trace.answers.find(({ id }) => id === "m1")).toMatchObject({ changes: ["m0"] });
    const [first, second] = trace.starts;
    expect(first!.score).toBeGreaterThan(second!.score);
    expect(first!.currencyGain).toBeCloseTo(-second!.currencyGain, 12);
    expect(first!.currencyGain).toBeGreaterThan(0);
  });

  it("one that is known to have changed another also shows in the trace what that moved", async () => {
    const { person } = await remember(works, {}, changed(0.1));
    await person.commit({ id: "m3", summary: "Ada went to Porto.", at: startMs + 9 * dayMs, updates: "m0" });
    await person.settled();
    const { trace } = await ask(person);
    for (const { score, currencyGain, ...parts } of [...trace.starts, ...trace.passedOver]) {
      const own = score - currencyGain - parts.relevanceGain;
      expect(own, parts.id).toBeLessThan(1);
      if (parts.id === "m0") expect(currencyGain).toBeLessThan(0);
    }
  });

  it("one that hardly has does not, nor one that is much less likely to be the answer", async () => {
    const { person } = await remember(works, {}, changed(0.09));
    expect(idsOf(await ask(person))[0]).toBe("m0");
    const unlikely = await remember({ "Ada does work in Lisbon.": 0.9, "Faro.": 0.22 }, {}, changed(0.6));
    expect(idsOf(await ask(unlikely.person))[0]).toBe("m0");
  });

  it("the judge compares an older one only with newer ones below it, and none for a question about the past", async () => {
    // What a commit compared would be known already.
    const { person, judge } = await remember(works, { relationCountMax: 0 });
    await ask(person);
    expect(judge.pairs.flat()).toEqual([{ older: "Ada does work in Lisbon.", newer: "Ada went to Porto." }]);
    const inOrder = await remember(
      { "Ada went to Porto.": 0.5, "Ada does work in Lisbon.": 0.9 },
      { relationCountMax: 0 },
    );
    await ask(inOrder.person);
    await ask(person, "Where did Ada work before, in Lisbon?");
    expect([...inOrder.judge.pairs, ...judge.pairs].flat()).toHaveLength(1);
  });

  it("the order stays for a question about what was before", async () => {
    const { person } = await remember(works, {}, changed(0.1));
    expect(idsOf(await ask(person, "Where did Ada work before, in Lisbon?"))[0]).toBe("m0");
  });
});

it("a long memory gains nothing and is no rival, whatever is thought of the passage that is read of it", async () => {
  const { person, judge } = await remember({ "Ada does work in Lisbon.": 0.9, [long]: 1 });
  const { trace, memories } = await ask(person);
  expect(memories[0]).toMatchObject({ id: "m0" });
  expect(trace.starts.find(({ id }) => id === "m1")).toMatchObject({ relevanceGain: 0, currencyGain: 0 });
  expect(judge.statements.flat().some((statement) => statement.startsWith("Ada works word0"))).toBe(true);
});

it("of longer memories only the four best are read", async () => {
  const talks = Array.from({ length: 6 }, (_, i) => [long.replaceAll("word", `talk${i}x`), 0.1] as const);
  const { person, judge } = await remember(Object.fromEntries(talks));
  await ask(person);
  expect(judge.statements.flat()).toHaveLength(4);
});

it("without a judge nothing is gained", async () => {
  const person = (await openMemories({ path: ":memory:" })).person("ada");
  await person.commit({ id: "m0", summary: "Ada works in Lisbon.", at: startMs });
  await person.settled();
  expect((await ask(person)).trace.starts).toMatchObject([{ relevanceGain: 0, currencyGain: 0 }]);
});
