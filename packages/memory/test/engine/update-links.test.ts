/** Links when memories go: nothing gone is named, and what was outdated stays so while anything newer is left. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../src/graph/graph-violations.js";
import { pruningOrder } from "../../src/paper/pruning-score.js";
import { removeMemories } from "../../src/upkeep/pruning.js";
import { passLinks } from "../../src/graph/passed-links.js";
import { parseParameters } from "../../src/parameters.js";
import { buildGraph, changeOf, daysAgo, embed, nowMs } from "../graph/graph-fixtures.js";

const a = { id: "a", initMs: daysAgo(9) };
const b = { id: "b", initMs: daysAgo(7), updates: ["a"] };
const c = { id: "c", initMs: daysAgo(5), updates: ["b"] };

it("removing passes links on along a chain, and names nothing that is gone", () => {
  const d = { id: "d", initMs: daysAgo(3), updates: ["c"] };
  const linksWithout = (...ids: string[]): unknown =>
    removeMemories(ids, buildGraph({ nodes: [a, b, c, d], edges: [] })).setUpdates;
  expect(linksWithout("a")).toEqual([{ id: "b", updates: [] }]);
  expect(linksWithout("b")).toEqual([{ id: "c", updates: ["a"] }]);
  expect(linksWithout("d")).toEqual([]);
  expect(linksWithout("gone")).toEqual([]);
  expect(linksWithout("b", "c")).toEqual([{ id: "d", updates: ["a"] }]);
  expect(linksWithout("a", "c")).toEqual([
    { id: "b", updates: [] },
    { id: "d", updates: ["b"] },
  ]);
});

describe("a memory that replaces another", () => {
  it("takes over what that one made outdated, next to its own", () => {
    const removed = { id: "old", initMs: daysAgo(5), updates: ["a", "z"] };
    const heir = { id: "heir", initMs: daysAgo(1), updates: ["m", "old"] };
    const others = ["a", "m", "z"].map((id) => ({ id, initMs: daysAgo(9) }));
    expect(passLinks("old", heir, buildGraph({ nodes: [...others, removed], edges: [] }))).toEqual({
      updates: ["a", "z"],
      setUpdates: [],
    });
    const withHeir = buildGraph({ nodes: [...others, removed, heir], edges: [] });
    expect(passLinks("old", heir, withHeir)).toEqual({ updates: ["a", "m", "z"], setUpdates: [] });
  });

  it("leaves a sound graph, whatever the links were", () => {
    fc.assert(
      fc.property(arbitraryLinks(), fc.nat(), fc.nat(), (nodes, removedPick, daysPick) => {
        const graph = buildGraph({ nodes, edges: [] });
        const removedId = nodes[removedPick % nodes.length]!.id;
        const heir = { id: "heir", initMs: daysAgo(daysPick % (nodes.length + 1)) };
        const { updates, setUpdates } = passLinks(removedId, heir, graph);
        graph.apply(changeOf({ putNodes: [embed({ ...heir, updates })], removeNodes: [removedId], setUpdates }));
        expect(findViolations(graph, 10)).toEqual([]);
      }),
    );
  });
});

describe("pruning", () => {
  const parameters = parseParameters();
  const orderOf = (graph: ReturnType<typeof buildGraph>): string[] =>
    pruningOrder(graph, nowMs, parameters).map(({ id }) => id);

  it("takes what is outdated before what holds, however strong it is", () => {
    const nodes = [
      { id: "weak", initMs: daysAgo(80) },
      { id: "strong but outdated", initMs: daysAgo(2) },
      { id: "newest", initMs: daysAgo(1), updates: ["strong but outdated"] },
    ];
    expect(orderOf(buildGraph({ nodes, edges: [] }))).toEqual(["strong but outdated", "weak", "newest"]);
  });

  it("to any limit lets nothing outdated come back, and leaves a sound graph", () => {
    fc.assert(
      fc.property(arbitraryLinks(), fc.nat(), (nodes, pick) => {
        const graph = buildGraph({ nodes, edges: [] });
        const outdated = nodes.filter(({ id }) => graph.outdatedBy(id).length > 0).map(({ id }) => id);
        const pruned = orderOf(graph).slice(0, pick % (nodes.length + 1));
        graph.apply(removeMemories(pruned, graph));
        expect(findViolations(graph, 10)).toEqual([]);
        const back = outdated.filter((id) => graph.node(id) !== undefined && graph.outdatedBy(id).length === 0);
        expect(back).toEqual([]);
      }),
    );
  });
});

/** Up to eight memories, one a day, each with links to any that are older. */
function arbitraryLinks(): fc.Arbitrary<{ id: string; initMs: number; updates: string[] }[]> {
  return fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 3 }), { minLength: 1, maxLength: 8 }).map((links) =>
    links.map((older, i) => ({
      id: `m${i}`,
      initMs: daysAgo(links.length - i),
      updates: [...new Set(older.filter((j) => j < i).map((j) => `m${j}`))].sort(),
    })),
  );
}
