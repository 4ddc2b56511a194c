/** What lasts: facts, and pins change with the graph that the store has. */
import { describe, expect, it } from "vitest";
import { findViolations } from "../../src/graph/graph-violations.js";
import { areLastingFacts } from "../../src/graph/memory-node.js";
import { buildGraph, changeOf, embed } from "./graph-fixtures.js";

const fact = { text: "Sam sings.", area: "music", probability: 0.5 };

describe("lasting facts", () => {
  it("have a text, an area and a probability", () => {
    for (const facts of [[], [fact], [fact, fact], [{ ...fact, probability: 0 }]]) {
      expect(areLastingFacts(facts)).toBe(true);
    }
  });

  it.each([
    ["no list", {}],
    ["no facts", [null]],
    ["no text", [{ ...fact, text: 1 }]],
    ["an empty text", [{ ...fact, text: "" }]],
    ["no area", [{ text: "Sam sings.", probability: 0.5 }]],
    ["no probability", [{ ...fact, probability: NaN }]],
    ["more than certain", [{ ...fact, probability: 1.1 }]],
    ["one that is none among others", [fact, { ...fact, area: null }]],
  ])("are nothing else: %s", (_, facts) => {
    expect(areLastingFacts(facts)).toBe(false);
  });

  it("that are none break an invariant of the graph", () => {
    const violationsOf = (text: string): string[] => {
      const node = { id: "a", facts: [{ ...fact, text }] };
      return findViolations(buildGraph({ nodes: [node], edges: [] }), 9);
    };
    expect(violationsOf("Sam sings.")).toEqual([]);
    expect(violationsOf("")).toEqual(["the facts of a are none"]);
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
