/** What a memory's statements are worth in a context. */
import { describe, expect, it } from "vitest";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import type { StartScore } from "../../src/paper/start-node.js";
import { quoteMemory, worthOf } from "../../src/recall/statements.js";
import { embed } from "../graph/graph-fixtures.js";

const query = Int8Array.of(100, 0);
/** Cosines with the question: 1, then 0. */
const graph = {
  slotOf: () => 0,
  statements: { vectorsOf: () => [Int8Array.of(50, 0), Int8Array.of(0, 50), Int8Array.of(0, 50)] },
} as unknown as MemoryGraph;

/** Values of the statements of a memory worth 2. */
function valuesOf(statements: readonly string[], summaryText = "", matches: readonly number[] = []): number[] {
  const { node } = embed({ id: "a", statements, summaryText });
  return quoteMemory(node, 2, { query, matches, graph }).map(({ value }) => value);
}

it("a memory is worth its similarity, its time and three tenths of what its words add", () => {
  const score = { score: 0.9, querySimilarity: 0.5, timeGain: 0.1 } as StartScore;
  expect(worthOf(score)).toBeCloseTo(0.5 + 0.1 + 0.3 * 0.3, 10);
});

describe("a statement is worth", () => {
  it("its memory, and how close it comes to the question", () => {
    expect(valuesOf(["user: The boat is blue.", "user: It rains."])).toEqual([3, 2]);
  });

  it("three tenths of how well its own words match", () => {
    expect(valuesOf(["user: The boat is blue.", "user: It rains."], "", [0.5, 1])).toEqual([3.15, 2.3]);
  });

  it("half a point less from an assistant, or from a summary beside what it repeats", () => {
    expect(valuesOf(["assistant: The boat is blue.", "user: It rains."])).toEqual([2.5, 2]);
    const said = ["user: The boat is blue.", "It rains.", "It snows."];
    expect(valuesOf(said, "It rains.")).toEqual([3, 1.5, 2]);
    expect(valuesOf(["It rains.", "It snows."], "It rains. It snows.")).toEqual([3, 2]);
  });

  it("its memory, where that has a summary only", () => {
    const { node } = embed({ id: "a", summaryText: "Blue." });
    const quoted = quoteMemory(node, 2, { query, matches: [], graph });
    expect(quoted).toMatchObject([{ position: 0, text: "Blue.", value: 2 }]);
  });
});
