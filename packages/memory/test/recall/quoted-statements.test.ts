/** What a memory's statements are worth in a context, which of them may be quoted, and what ended them. */
import { describe, expect, it } from "vitest";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import type { MemoryNode } from "../../src/graph/memory-node.js";
import type { Statement } from "../../src/graph/statement.js";
import type { StartScore } from "../../src/paper/start-node.js";
import {
  type Compared,
  type QuotedStatement,
  compareQuoted,
  quoteMemory,
  withEnders,
  worthOf,
} from "../../src/recall/quoted-statements.js";
import { type NodeSketch, buildGraph, embed, endOf, factOf, markOf, statementOf } from "../graph/graph-fixtures.js";

const query = Int8Array.of(100, 0);
/** Cosines with the question: 1, then 0. */
const compared: Compared = {
  query,
  atMs: 0,
  passes: () => true,
  graph: {
    slotOf: () => 0,
    linksTo: () => [],
    statements: { vectorsOf: () => [Int8Array.of(50, 0), Int8Array.of(0, 50), Int8Array.of(0, 50)] },
  } as unknown as MemoryGraph,
};

/** Values of the statements of a memory worth 2. */
function valuesOf(statements: readonly (string | Statement)[], matches: readonly number[] = []): number[] {
  const { node } = embed({ id: "a", statements });
  return quoteMemory(node, 2, matches, compared).map(({ value }) => value);
}

it("a memory is worth its similarity, its time and three tenths of what its words add", () => {
  const score = { score: 0.9, querySimilarity: 0.5, timeGain: 0.1 } as StartScore;
  expect(worthOf(score)).toBeCloseTo(0.5 + 0.1 + 0.3 * 0.3, 10);
});

describe("a statement is worth", () => {
  it("its memory, and how close it comes to the question", () => {
    expect(valuesOf(["The boat is blue.", "It rains."])).toEqual([3, 2]);
  });

  it("three tenths of how well its own words match", () => {
    expect(valuesOf(["The boat is blue.", "It rains."], [0.5, 1])).toEqual([3.15, 2.3]);
  });

  it("half a point less from an assistant, or from a submitted summary beside what was said", () => {
    const summary = (text: string): Statement => statementOf(text, { turn: null, who: null });
    expect(valuesOf([statementOf("The boat is blue.", { who: "assistant" }), "It rains."])).toEqual([2.5, 2]);
    expect(valuesOf([summary("The boat is blue."), "It rains."])).toEqual([2.5, 2]);
    expect(valuesOf([summary("It rains."), summary("It snows.")])).toEqual([3, 2]);
    const written = statementOf("The boat is blue.", { turn: null, who: null, kind: "written" });
    expect(valuesOf([written, "It rains."])).toEqual([3, 2]);
  });

  it("its memory, where that has a summary only", () => {
    const { node } = embed({ id: "a", summaryText: "Blue." });
    const quoted = quoteMemory(node, 2, [], compared);
    expect(quoted).toMatchObject([{ position: null, name: "a", who: null, text: "Blue.", value: 2, ended: null }]);
  });
});

it("of what is worth the same, what was told first comes first", () => {
  const of = (id: string, initMs: number, values: readonly number[]): QuotedStatement[] => {
    const memory = embed({ id, initMs }).node;
    const parts = { who: null, text: "", asked: null, needs: null, ended: null };
    return values.map((value, position) => ({ memory, position, name: `${id}#${position}`, value, ...parts }));
  };
  const all = [...of("late", 2, [1, 3]), ...of("early", 1, [1, 1, 2])];
  const names = all.toSorted(compareQuoted).map(({ name }) => name);
  expect(names).toEqual(["late#1", "early#2", "early#0", "early#1", "late#0"]);
});

const dayMs = 86_400_000;

/** In the order in which they were told, a day apart; each states two facts. */
function memoriesOf(sketches: readonly Partial<NodeSketch>[]): MemoryGraph {
  const nodes = sketches.map((sketch, i) => ({
    id: `m${i}`,
    initMs: i * dayMs,
    statements: [factOf("I live in Graz."), factOf("I sing.")],
    ...sketch,
  }));
  return buildGraph({ nodes, edges: [] });
}

function comparedIn(graph: MemoryGraph, more: Partial<Compared> = {}): Compared {
  return { query: Int8Array.of(1, 2, 3, 4, 5, 6, 7, 8), atMs: 9 * dayMs, graph, passes: () => true, ...more };
}

const quotedOf = (graph: MemoryGraph, id: string, more: Partial<Compared> = {}): QuotedStatement[] =>
  quoteMemory(graph.node(id)!, 1, [], comparedIn(graph, more));

describe("a quoted statement", () => {
  it("has ended with the first that ended it, which is named; the others of its memory hold", () => {
    const graph = memoriesOf([{}, { ends: [endOf("m0", 0, 1)] }, { ends: [endOf("m0", 0, 0)] }]);
    const ended = { untilMs: dayMs, by: ["m1#1", "m2#0"] };
    expect(quotedOf(graph, "m0").map((each) => each.ended)).toEqual([ended, null]);
  });

  it("has ended with all of its memory, and all that a memory states ends what it ended as a whole", () => {
    const graph = memoriesOf([{}, { ends: ["m0"] }, { statements: [], ends: ["m1"] }]);
    expect(quotedOf(graph, "m0").map((each) => each.ended?.by)).toEqual([
      ["m1#0", "m1#1"],
      ["m1#0", "m1#1"],
    ]);
    expect(quotedOf(graph, "m1").map((each) => each.ended?.by)).toEqual([["m2"], ["m2"]]);
  });

  it("holds at a time before it ended, and where what ended it does not pass", () => {
    const graph = memoriesOf([{}, { ends: [endOf("m0", 0, 0)] }]);
    const hidden = (node: MemoryNode): boolean => node.id !== "m1";
    for (const more of [{ atMs: dayMs - 1 }, { passes: hidden }]) {
      expect(quotedOf(graph, "m0", more).map((each) => each.ended)).toEqual([null, null]);
    }
  });

  it("is none that is held back or was never so; one that was removed from the core memory is", () => {
    for (const kind of ["held", "untrue"] as const) {
      const graph = memoriesOf([{ marks: [markOf(kind, 0)] }, { marks: [markOf(kind)] }]);
      expect(quotedOf(graph, "m0").map(({ name }) => name)).toEqual(["m0#1"]);
      expect(quotedOf(graph, "m1")).toEqual([]);
    }
    expect(quotedOf(memoriesOf([{ marks: [markOf("removed", 0)] }]), "m0")).toHaveLength(2);
  });
});

describe("a statement that points back", () => {
  const needsOf = (...statements: readonly (string | Statement)[]): (string | null)[] =>
    quotedOf(memoriesOf([{ statements }]), "m0").map(({ needs }) => needs);

  it("needs the one before it in its turn", () => {
    expect(needsOf("My niece found a job.", "She starts in May.", "I sing.")).toEqual([null, "m0#0", null]);
    expect(needsOf("She starts in May.")).toEqual([null]);
  });

  it("needs none where the turn before ended, or where the question says what it is about", () => {
    expect(needsOf("My niece found a job.", statementOf("She starts in May.", { turn: 1 }))).toEqual([null, null]);
    const answer = statementOf("She starts in May.", { asked: "When does your niece start?" });
    expect(needsOf("My niece found a job.", answer)).toEqual([null, null]);
  });
});

describe("what ended a statement", () => {
  const valuesIn = (statements: readonly QuotedStatement[]): Record<string, number> =>
    Object.fromEntries(statements.map(({ name, value }) => [name, value]));

  it("comes with it, worth as much, also where it was not found, and so does what ended that", () => {
    const graph = memoriesOf([{}, { ends: [endOf("m0", 0, 1)] }, { ends: [endOf("m1", 1, 0)] }]);
    const compareIn = comparedIn(graph);
    const [old, other] = quoteMemory(graph.node("m0")!, 5, [], compareIn);
    const all = withEnders([old!, other!], compareIn);
    expect(valuesIn(all)).toEqual({
      "m0#0": old!.value,
      "m0#1": other!.value,
      "m1#1": old!.value,
      "m2#0": old!.value,
    });
  });

  it("keeps a greater worth of its own", () => {
    const graph = memoriesOf([{}, { ends: [endOf("m0", 0, 0)] }]);
    const compareIn = comparedIn(graph);
    const found = [
      ...quoteMemory(graph.node("m0")!, 1, [], compareIn),
      ...quoteMemory(graph.node("m1")!, 7, [], compareIn),
    ];
    expect(valuesIn(withEnders(found, compareIn))).toEqual(valuesIn(found));
  });

  it("does not come where nothing ended, or where it is not seen", () => {
    const graph = memoriesOf([{}, { ends: [endOf("m0", 0, 0)] }]);
    const compareIn = comparedIn(graph, { passes: ({ id }) => id !== "m1" });
    const found = quoteMemory(graph.node("m0")!, 1, [], compareIn);
    expect(withEnders(found, compareIn)).toEqual(found);
  });
});
