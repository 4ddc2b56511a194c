/** Until when memories held, and what holds since then. */
import { describe, expect, it } from "vitest";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import type { MemoryNode } from "../../src/graph/memory-node.js";
import { findOutdated } from "../../src/recall/outdated.js";
import { embed } from "../graph/graph-fixtures.js";

/** Told on day 1, 2, 3 and so on, in the order of their names. */
const nodes = new Map(["a", "b", "c", "d"].map((id, day) => [id, embed({ id, initMs: day + 1 }).node]));

/** What holds instead of "a", and since when; `enders` has the memories that ended one, by its name. */
function outdatedA(
  enders: Readonly<Record<string, string>>,
  atMs = 10,
  passes = (_: MemoryNode): boolean => true,
): [untilMs: number, newer: string] | null {
  const outdatedBy = (id: string): MemoryNode[] => [...(enders[id] ?? "")].map((other) => nodes.get(other)!);
  const graph = { outdatedBy } as unknown as MemoryGraph;
  const found = findOutdated([nodes.get("a")!], atMs, graph, passes).get("a");
  return found === undefined ? null : [found.untilMs, found.newer.map(({ id }) => id).join("")];
}

describe("a memory held", () => {
  it.each<[string, Readonly<Record<string, string>>, [number, string] | null]>([
    ["until now, where nothing ended it", { b: "c" }, null],
    ["until the one that ended it", { a: "b" }, [2, "b"]],
    ["until the first of several, which hold since then", { a: "cb" }, [2, "bc"]],
    ["until the first, and what ended that holds now", { a: "b", b: "c" }, [2, "c"]],
    ["until the first, and behind it each of what ended that", { a: "b", b: "dc" }, [2, "cd"]],
    ["until the first, and nothing that two end each other holds", { a: "b", b: "c", c: "b" }, [2, ""]],
  ])("%s", (_, enders, expected) => {
    expect(outdatedA(enders)).toEqual(expected);
  });

  it("at a time before the one that ended it", () => {
    expect(outdatedA({ a: "b" }, 1)).toBeNull();
    expect(outdatedA({ a: "b", b: "c" }, 2)).toEqual([2, "b"]);
  });

  it("until what passes a filter: behind one that does not, what ended that", () => {
    const passes = ({ id }: MemoryNode): boolean => id !== "b";
    expect(outdatedA({ a: "b" }, 10, passes)).toBeNull();
    expect(outdatedA({ a: "b", b: "c" }, 10, passes)).toEqual([3, "c"]);
    expect(outdatedA({ a: "b", b: "a" }, 10, passes)).toBeNull();
  });
});
