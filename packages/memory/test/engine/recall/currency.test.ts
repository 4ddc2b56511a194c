/** What holds and what held: the time a question is about, and which memory of a chain of updates answers it. */
import type { PersonMemory } from "mnemosyne-edge";
import { describe, expect, it } from "vitest";
import type { MemoryGraph } from "../../../src/core/graph/memory-graph.js";
import { type StartScore, startScore } from "../../../src/core/paper/start-node.js";
import type { TimeFocus } from "../../../src/core/question-time/question-time.js";
import { type AskedMoment, chainOf, findAskedMoment, preferHolding } from "../../../src/engine/recall/currency.js";
import { parseParameters } from "../../../src/parameters.js";
import { buildGraph, daysAgo, nowMs } from "../../core/graph/graph-fixtures.js";
import { openMemories } from "../../durability/opened-memories.js";

describe("a question is about", () => {
  const kindOf = (query: string, foci: readonly TimeFocus[] = []): string => findAskedMoment(query, foci, nowMs).kind;
  const focus = (fromMs: number, untilMs: number): TimeFocus => ({
    words: "then",
    weight: 1,
    spans: [{ fromMs, untilMs, share: 1, eventId: null }],
  });

  it.each(["Where do I live?", "Where does Ada work now?", "Who was at the door?", "What is my old dog called?"])(
    "now: %s",
    (query) => expect(kindOf(query)).toBe("now"),
  );

  it.each([
    "Where did I live before?",
    "Where was my previous office?",
    "What was her original name?",
    "Who used to cut my hair?",
    "What did I take at first?",
    "Where were we back then?",
  ])("what was before: %s", (query) => expect(kindOf(query)).toBe("before"));

  it("a time it names, once that is over", () => {
    const [fromMs, untilMs] = [daysAgo(20), daysAgo(10)];
    const found = findAskedMoment("Where did I live before, in May?", [focus(fromMs, untilMs)], nowMs);
    expect(found).toMatchObject({ kind: "then", spans: [{ fromMs, untilMs }] });
    expect(kindOf("Where do I live this week?", [focus(daysAgo(3), nowMs)])).toBe("then");
    expect(kindOf("Where do I live this week?", [focus(daysAgo(3), nowMs + 1)])).toBe("now");
  });
});

/** Flat 1, 2 and 3, one after the other, and something else. */
const graph = buildGraph({
  nodes: [
    { id: "flat1", initMs: daysAgo(30) },
    { id: "flat2", initMs: daysAgo(20), updates: ["flat1"] },
    { id: "flat3", initMs: daysAgo(10), updates: ["flat2"] },
    { id: "other", initMs: daysAgo(5) },
  ],
  edges: [],
});

function score(id: string, value: number): StartScore {
  const nothing = {
    metaSimilarity: 0,
    querySimilarity: 0,
    lexicalCoverage: 0,
    statementCoverage: 0,
    timeGain: 0,
    areaGain: 0,
    tokens: null,
    wording: null,
  };
  return { ...startScore(id, 0, nothing, parseParameters()), score: value };
}

/** Flat 1 matches best, flat 3 worst. */
const scores = [score("flat1", 0.9), score("flat2", 0.5), score("flat3", 0.1), score("other", 0.7)];

function prefer(moment: AskedMoment, of: MemoryGraph = graph, given = scores): Record<string, number> {
  const found = preferHolding(given, moment, of);
  for (const [i, { score: value, currencyGain }] of found.entries()) {
    expect(value - given[i]!.score).toBeCloseTo(currencyGain, 12);
  }
  return Object.fromEntries(found.map(({ id, score: value }) => [id, value]));
}

const then = (from: number, until: number): AskedMoment => ({
  kind: "then",
  atMs: nowMs,
  spans: [{ fromMs: daysAgo(from), untilMs: daysAgo(until) }],
});

describe("of a chain of updates", () => {
  it("what holds takes the best score, and the others come below", () => {
    expect(prefer({ kind: "now", atMs: nowMs })).toEqual({ flat1: 0.9 - 1e-3, flat2: 0.5, flat3: 0.9, other: 0.7 });
  });

  it("what held at the time in question does", () => {
    expect(prefer(then(18, 17))).toEqual({ flat1: 0.9 - 1e-3, flat2: 0.9, flat3: 0.1, other: 0.7 });
    expect(prefer(then(28, 27))).toEqual({ flat1: 0.9, flat2: 0.5, flat3: 0.1, other: 0.7 });
  });

  it("all that held during the time do", () => {
    expect(prefer(then(25, 15))).toEqual({ flat1: 0.9, flat2: 0.9, flat3: 0.1, other: 0.7 });
  });

  it("what began when the time was over, and what had ended before it, did not hold", () => {
    expect(prefer(then(20, 10))).toEqual({ flat1: 0.9 - 1e-3, flat2: 0.9, flat3: 0.1, other: 0.7 });
  });

  it("the first stands for a time before all of it", () => {
    expect(prefer(then(60, 50))).toEqual({ flat1: 0.9, flat2: 0.5, flat3: 0.1, other: 0.7 });
  });

  it("what held last, and no longer does, was before", () => {
    expect(prefer({ kind: "before", atMs: nowMs })).toEqual({ flat1: 0.9 - 1e-3, flat2: 0.9, flat3: 0.1, other: 0.7 });
  });

  it("what was not told yet changes nothing", () => {
    const early = scores.filter(({ id }) => id !== "flat3");
    expect(prefer({ kind: "now", atMs: daysAgo(15) }, graph, early)).toEqual({
      flat1: 0.9 - 1e-3,
      flat2: 0.9,
      other: 0.7,
    });
    const [first] = ["flat1"].map((id) => graph.node(id)!);
    expect(chainOf(first!, daysAgo(15), graph).map(({ id }) => id)).toEqual(["flat1", "flat2"]);
    expect(chainOf(first!, nowMs, graph).map(({ id }) => id)).toEqual(["flat1", "flat2", "flat3"]);
  });

  it("each end that holds does", () => {
    const forked = buildGraph({
      nodes: [
        { id: "flat1", initMs: daysAgo(30) },
        { id: "flat2", initMs: daysAgo(20), updates: ["flat1"] },
        { id: "flat3", initMs: daysAgo(10), updates: ["flat1"] },
        { id: "other" },
      ],
      edges: [],
    });
    expect(prefer({ kind: "now", atMs: nowMs }, forked)).toEqual({
      flat1: 0.9 - 1e-3,
      flat2: 0.9,
      flat3: 0.9,
      other: 0.7,
    });
  });

  it("one that loops through links comes to an end", () => {
    const looped = buildGraph({
      nodes: [
        { id: "flat1", initMs: daysAgo(30), updates: ["flat2"] },
        { id: "flat2", initMs: daysAgo(20), updates: ["flat1"] },
      ],
      edges: [],
    });
    expect(chainOf(looped.node("flat1")!, nowMs, looped)).toHaveLength(2);
  });
});

describe("a recall", () => {
  const dayOf = (day: number): string => `2025-03-0${day}T09:00:00Z`;

  /** The question's words are only in the first; the second makes it outdated. */
  async function tellRooms(parameters: Record<string, number> = {}): Promise<PersonMemory> {
    const person = (await openMemories({ path: ":memory:", parameters })).person("ada");
    await person.commit({ id: "zebra", at: dayOf(1), summary: "The choir meets in the zebra room." });
    await person.commit({ id: "plums", at: dayOf(2), summary: "The choir sang of plums in the room." });
    await person.commit({ id: "okapi", at: dayOf(3), summary: "Moved upstairs, beside okapi.", updates: "zebra" });
    await person.settled();
    return person;
  }
  const question = "In which room does the choir meet, the zebra room?";
  const firstOf = async (person: PersonMemory, query: string, at: string): Promise<string> =>
    (await person.recall(query, { at, seed: 1 })).memories[0]!.id;

  it("brings what holds, though it shares no words with the question and is no candidate by itself", async () => {
    const few = { candidateCountMax: 1, startCountMax: 1, traversalNodeCountPerStartMax: 0 };
    const person = await tellRooms(few);
    const { memories, trace } = await person.recall(question, { at: dayOf(5), seed: 1 });
    expect(memories.map(({ id }) => id)).toEqual(["okapi"]);
    expect(trace.starts[0]!.currencyGain).toBeGreaterThan(0);
    expect(trace.passedOver[0]).toMatchObject({ id: "zebra", reason: "startCountMax" });
    expect(trace.passedOver[0]!.currencyGain).toBeLessThan(0);
  });

  it("brings what held when it is asked about then, or before", async () => {
    const person = await tellRooms();
    expect(await firstOf(person, question, dayOf(5))).toBe("okapi");
    expect(await firstOf(person, "In which room did the choir meet on 2 March 2025?", dayOf(5))).toBe("zebra");
    expect(await firstOf(person, "In which room did the choir meet before?", dayOf(5))).toBe("zebra");
  });

  it("of an earlier day knows nothing of the update", async () => {
    expect(await firstOf(await tellRooms(), question, dayOf(2))).toBe("zebra");
  });
});
