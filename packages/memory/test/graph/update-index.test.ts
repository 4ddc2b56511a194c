/** Update links: what made a memory outdated is found, however memories come and go, and faulty links are named. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../src/graph/graph-violations.js";
import { MemoryGraph } from "../../src/graph/memory-graph.js";
import { type GraphChange, compareAge } from "../../src/graph/memory-node.js";
import { type NodeSketch, binCount, buildGraph, changeOf, daysAgo, dimensions, embed } from "./graph-fixtures.js";

const idsOf = (graph: MemoryGraph, id: string): string[] => graph.outdatedBy(id).map((node) => node.id);

const berlin = { id: "berlin", initMs: daysAgo(9) };
const paris = { id: "paris", initMs: daysAgo(5), updates: ["berlin"] };
const rome = { id: "rome", initMs: daysAgo(2), updates: ["berlin", "paris"] };

describe("what made a memory outdated", () => {
  it("is found oldest first, whichever was put first", () => {
    for (const nodes of [
      [berlin, paris, rome],
      [rome, paris, berlin],
      [paris, rome, berlin],
    ]) {
      const graph = buildGraph({ nodes, edges: [] });
      expect(idsOf(graph, "berlin")).toEqual(["paris", "rome"]);
      expect(idsOf(graph, "paris")).toEqual(["rome"]);
      expect(idsOf(graph, "rome")).toEqual([]);
    }
    const graph = new MemoryGraph(dimensions, binCount);
    graph.apply(changeOf({ putNodes: [embed(rome)] }));
    graph.apply(changeOf({ putNodes: [embed(berlin)] }));
    expect(idsOf(graph, "berlin")).toEqual(["rome"]);
  });

  it("is the same as in a plain list, after any changes", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const links = fc.subarray(ids);
    const put = fc.record({ id: fc.constantFrom(...ids), initMs: fc.integer({ min: 0, max: 3 }), updates: links });
    const event = fc.oneof(
      put.map((sketch: NodeSketch) => changeOf({ putNodes: [embed(sketch)] })),
      fc.record({ id: fc.constantFrom(...ids), updates: links }).map((set) => changeOf({ setUpdates: [set] })),
      fc.constantFrom(...ids).map((id) => changeOf({ setPairs: [{ id, pairId: null }] })),
      fc.constantFrom(...ids).map((id) => changeOf({ removeNodes: [id] })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (changes: GraphChange[]) => {
        const graph = new MemoryGraph(dimensions, binCount);
        for (const change of changes) {
          graph.apply(change);
          const nodes = [...graph.nodes()].sort(compareAge);
          for (const id of ids) {
            expect(graph.outdatedBy(id)).toEqual(nodes.filter(({ updates }) => updates.includes(id)));
          }
        }
      }),
    );
  });
});

describe("violations", () => {
  const violationsOf = (...nodes: NodeSketch[]): string[] => findViolations(buildGraph({ nodes, edges: [] }), 4);

  it("name a link to nowhere, to itself and to a newer memory", () => {
    expect(violationsOf(paris)).toEqual(["paris updates berlin, which does not exist"]);
    expect(violationsOf({ id: "a", updates: ["a"] })).toEqual(["a updates itself"]);
    expect(violationsOf({ ...berlin, updates: ["rome"] }, { ...rome, updates: [] })).toEqual([
      "berlin updates rome, which is newer",
    ]);
  });

  it("name links that are not sorted, or doubled", () => {
    const message = "the updates of rome are not sorted, or name a memory twice";
    expect(violationsOf(berlin, paris, { ...rome, updates: ["paris", "berlin"] })).toEqual([message]);
    expect(violationsOf(berlin, { ...rome, updates: ["berlin", "berlin"] })).toEqual([message]);
  });

  it("name a circle among memories of the same moment", () => {
    const circle = ["a", "b", "c"].map((id, i, ids) => ({ id, initMs: 0, updates: [ids[(i + 1) % 3]!] }));
    expect(violationsOf(...circle, { id: "d", updates: ["a"] })).toEqual(["a, b, c make each other outdated"]);
  });
});
