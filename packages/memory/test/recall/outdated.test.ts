/** Since when nothing of a memory holds, and what ended it. */
import { describe, expect, it } from "vitest";
import type { MemoryNode } from "../../src/graph/memory-node.js";
import { type Outdated, findOutdated } from "../../src/recall/outdated.js";
import { buildGraph, endOf, factOf } from "../graph/graph-fixtures.js";

/** Told on day 1, 2, 3 and so on, in the order of their names. */
const ids = ["a", "b", "c", "d"];
const moment = (day: number): string => new Date(day).toISOString();

type Ended = string | readonly [memory: string, position: number];

/** When "a" was outdated, and by what; `ends` has what each memory ended, as a whole or a statement of it. */
function outdatedA(
  ends: Readonly<Record<string, readonly Ended[]>>,
  atMs = 10,
  passes = (_: MemoryNode): boolean => true,
): Outdated | null {
  const nodes = ids.map((id, day) => ({
    id,
    initMs: day + 1,
    statements: [factOf("I live in Graz."), factOf("I sing.")],
    ends: (ends[id] ?? []).map((each) => (typeof each === "string" ? each : endOf(each[0], each[1], 0))),
  }));
  const graph = buildGraph({ nodes, edges: [] });
  return findOutdated(graph.node("a")!, atMs, graph, passes);
}

const since = (day: number, ...by: string[]): Outdated => ({ since: moment(day), by });

describe("a memory is outdated", () => {
  it.each<[string, Readonly<Record<string, readonly Ended[]>>, Outdated | null]>([
    ["not while nothing ended it", { c: ["b"] }, null],
    ["since the one that ended it", { b: ["a"] }, since(2, "b")],
    ["since the first of several", { c: ["a"], b: ["a"] }, since(2, "b", "c")],
    ["by that alone, whatever ended it in turn", { b: ["a"], c: ["b"] }, since(2, "b")],
    ["not while one of its facts holds", { b: [["a", 0]], c: [["a", 0]] }, null],
    ["since the last of its facts ended", { b: [["a", 0]], d: [["a", 1]] }, since(4, "b", "d")],
    [
      "since the last of its facts ended first, however often they did",
      { b: [["a", 0]], c: [["a", 1]], d: [["a", 0]] },
      since(3, "b", "c", "d"),
    ],
  ])("%s", (_, ends, expected) => {
    expect(outdatedA(ends)).toEqual(expected);
  });

  it("not at a time before the one that ended it", () => {
    expect(outdatedA({ b: ["a"] }, 1)).toBeNull();
    expect(outdatedA({ b: [["a", 0]], d: [["a", 1]] }, 3)).toBeNull();
    expect(outdatedA({ b: ["a"], c: ["a"] }, 2)).toEqual(since(2, "b"));
  });

  it("by what passes a filter: behind one that does not, by what ended that", () => {
    const passes = ({ id }: MemoryNode): boolean => id !== "b";
    expect(outdatedA({ b: ["a"] }, 10, passes)).toBeNull();
    expect(outdatedA({ b: ["a"], c: ["b"] }, 10, passes)).toEqual(since(3, "c"));
    expect(outdatedA({ b: ["a"], c: ["b"] }, 2, passes)).toBeNull();
    expect(outdatedA({ b: ["a"], a: ["b"] }, 10, passes)).toBeNull();
    expect(outdatedA({ b: [["a", 0]], c: [["b", 1]], d: [["a", 1]] }, 10, passes)).toBeNull();
    expect(outdatedA({ b: [["a", 0]], c: [["b", 0]], d: [["a", 1]] }, 10, passes)).toEqual(since(4, "c", "d"));
  });
});
