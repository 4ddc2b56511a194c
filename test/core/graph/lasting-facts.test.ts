/** What lasts: facts are places in a summary, and pins change with the graph that the store has. */
import { describe, expect, it } from "vitest";
import { findViolations } from "../../../src/core/graph/graph-violations.js";
import { areLastingFacts } from "../../../src/core/graph/memory-node.js";
import { buildGraph, changeOf, embed } from "./graph-fixtures.js";

const summaryText = "Sam sings.";
const fact = { start: 0, end: 10, area: "music", probability: 0.5 };

describe("lasting facts", () => {
  it("are places in the summary, from none to all of it", () => {
    for (const facts of [[], [fact], [fact, { ...fact, start: 9 }], [{ ...fact, probability: 0 }]]) {
      expect(areLastingFacts(facts, summaryText)).toBe(true);
    }
  });

  it.each([
    ["no list", {}],
    ["no facts", [null]],
    ["a place behind the summary", [{ ...fact, end: 11 }]],
    ["a place before it", [{ ...fact, start: -1 }]],
    ["an empty place", [{ ...fact, start: 10 }]],
    ["half a character", [{ ...fact, start: 0.5 }]],
    ["no area", [{ start: 0, end: 10, probability: 0.5 }]],
    ["no probability", [{ ...fact, probability: NaN }]],
    ["more than certain", [{ ...fact, probability: 1.1 }]],
    ["one that is none among others", [fact, { ...fact, end: "10" }]],
  ])("are nothing else: %s", (_, facts) => {
    expect(areLastingFacts(facts, summaryText)).toBe(false);
  });

  it("that lie elsewhere break an invariant of the graph", () => {
    const violationsOf = (end: number): string[] => {
      const node = { id: "a", summaryText, facts: [{ ...fact, end }] };
      return findViolations(buildGraph({ nodes: [node], edges: [] }), 9);
    };
    expect(violationsOf(10)).toEqual([]);
    expect(violationsOf(11)).toEqual(["the facts of a are no places in its summary"]);
  });
});

it("a graph pins memories, lets them go, and skips those that it does not have", () => {
  const graph = buildGraph({ nodes: [{ id: "a" }, { id: "b", pinnedArea: "home", updates: ["a"] }], edges: [] });
  const pinsOf = (): unknown[] => [...graph.nodes()].map(({ id, pinnedArea }) => [id, pinnedArea]);
  const pin = (id: string, area: string | null): void => graph.apply(changeOf({ setPinned: [{ id, area }] }));
  pin("a", "health");
  pin("nobody", "health");
  expect(pinsOf()).toEqual([
    ["a", "health"],
    ["b", "home"],
  ]);
  pin("b", null);
  expect(pinsOf()[1]).toEqual(["b", null]);
  expect(graph.outdatedBy("a").map(({ id }) => id)).toEqual(["b"]);
  graph.apply(changeOf({ putNodes: [embed({ id: "c" })], setPinned: [{ id: "c", area: "work" }] }));
  expect(graph.node("c")!.pinnedArea).toBe("work");
});
