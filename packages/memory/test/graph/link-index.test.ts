/** Links: what ended something is found, however memories come and go, and faulty links are named. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findViolations } from "../../src/graph/graph-violations.js";
import { outdatedBy } from "../../src/graph/holding.js";
import { LinkIndex } from "../../src/graph/link-index.js";
import { MemoryGraph } from "../../src/graph/memory-graph.js";
import { type GraphChange, updatesOf } from "../../src/graph/memory-node.js";
import {
  type NodeSketch,
  binCount,
  buildGraph,
  changeOf,
  daysAgo,
  dimensions,
  embed,
  endOf,
  markOf,
} from "./graph-fixtures.js";

const idsOf = (graph: MemoryGraph, id: string): string[] => outdatedBy(id, graph).map((node) => node.id);

const berlin = { id: "berlin", initMs: daysAgo(9), statements: ["Berlin.", "Tea."] };
const paris = { id: "paris", initMs: daysAgo(5), statements: ["Paris."], ends: [endOf("berlin", 0, 0)] };
const rome = { id: "rome", initMs: daysAgo(2), statements: ["Rome.", "Coffee."], ends: ["berlin", "paris"] };

describe("what ended something in a memory", () => {
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
      expect(graph.linksTo("berlin")).toHaveLength(2);
      expect(graph.linksTo("berlin")).toContainEqual({ from: "paris", position: 0, by: 0 });
    }
    const graph = new MemoryGraph(dimensions, binCount);
    graph.apply(changeOf({ putNodes: [embed(rome)] }));
    graph.apply(changeOf({ putNodes: [embed(berlin)] }));
    expect(idsOf(graph, "berlin")).toEqual(["rome"]);
  });

  const ids = ["a", "b", "c", "d", "e"];
  const positions = fc.option(fc.nat({ max: 2 }), { nil: null });
  const links = fc.uniqueArray(fc.record({ memory: fc.constantFrom(...ids), position: positions, by: positions }), {
    selector: ({ memory, position, by }) => `${memory} ${position} ${by}`,
    maxLength: 4,
  });

  it("is the same as in a plain list, after any changes", () => {
    const put = fc.record({ id: fc.constantFrom(...ids), initMs: fc.integer({ min: 0, max: 3 }), ends: links });
    const event = fc.oneof(
      put.map((sketch: NodeSketch) => changeOf({ putNodes: [embed(sketch)] })),
      fc.record({ id: fc.constantFrom(...ids), ends: links }).map((set) => changeOf({ setEnds: [set] })),
      fc.constantFrom(...ids).map((id) => changeOf({ setPairs: [{ id, pairId: null }] })),
      fc.constantFrom(...ids).map((id) => changeOf({ setMarks: [{ id, marks: [markOf("held")] }] })),
      fc.constantFrom(...ids).map((id) => changeOf({ removeNodes: [id] })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (changes: GraphChange[]) => {
        const graph = new MemoryGraph(dimensions, binCount);
        for (const change of changes) {
          graph.apply(change);
          for (const id of ids) {
            const naive = [...graph.nodes()].flatMap(({ id: from, ends }) =>
              ends.filter(({ memory }) => memory === id).map(({ position, by }) => ({ from, position, by })),
            );
            expect(graph.linksTo(id)).toHaveLength(naive.length);
            expect(graph.linksTo(id)).toEqual(expect.arrayContaining(naive));
          }
        }
      }),
    );
  });

  it("is found by an index that does not ask whether the older memories are there", () => {
    const index = new LinkIndex();
    index.put({ id: "new", ends: [endOf("gone", 1, 0), endOf("gone", 2, 0), endOf("other")] });
    expect(index.to("gone")).toEqual([
      { from: "new", position: 1, by: 0 },
      { from: "new", position: 2, by: 0 },
    ]);
    index.remove({ id: "new", ends: [endOf("gone", 1, 0), endOf("gone", 2, 0), endOf("other")] });
    expect(index.to("gone")).toEqual([]);
    expect(index.to("other")).toEqual([]);
    index.remove({ id: "new", ends: [endOf("gone")] });
  });
});

it("the older memories of which a memory ended something are named once each, in order", () => {
  const ends = [endOf("b", 0, 0), endOf("b", 1, 0), endOf("a"), endOf("b", 0, 1)];
  expect(updatesOf({ ends })).toEqual(["a", "b"]);
  expect(updatesOf({ ends: [] })).toEqual([]);
});

describe("violations", () => {
  const violationsOf = (...nodes: NodeSketch[]): string[] => findViolations(buildGraph({ nodes, edges: [] }), 4);

  it("name a link to nowhere, to itself and to a newer memory", () => {
    expect(violationsOf(berlin, paris)).toEqual([]);
    expect(violationsOf(paris)).toEqual(["paris ends something in berlin, which does not exist"]);
    expect(violationsOf({ id: "a", ends: ["a"] })).toEqual(["a ends something in itself"]);
    expect(violationsOf({ ...berlin, ends: ["rome"] }, { ...rome, ends: [] })).toEqual([
      "berlin ends something in rome, which is newer",
    ]);
  });

  it("name a link and a mark of statements that are not there", () => {
    expect(violationsOf(berlin, { ...paris, ends: [endOf("berlin", 2, 0)] })).toEqual(["paris ends what is not there"]);
    expect(violationsOf(berlin, { ...paris, ends: [endOf("berlin", 0, 1)] })).toEqual([
      "paris ends something by what it does not say",
    ]);
    expect(violationsOf({ ...berlin, marks: [markOf("held", 1)] })).toEqual([]);
    expect(violationsOf({ ...berlin, marks: [markOf("held", 2)] })).toEqual(["a mark of berlin has no statement"]);
  });

  it("name links that are not sorted, or doubled", () => {
    const graph = buildGraph({ nodes: [berlin, paris, rome], edges: [] });
    for (const ends of [
      [endOf("paris"), endOf("berlin")],
      [endOf("berlin", 1), endOf("berlin", 0)],
      [endOf("berlin", 1, 1), endOf("berlin", 1, 0)],
      [endOf("berlin", 1, 0), endOf("berlin", 1, 0)],
    ]) {
      graph.apply(changeOf({ setEnds: [{ id: "rome", ends }] }));
      expect(findViolations(graph, 4)).toEqual(["the links of rome are not sorted, or name one twice"]);
    }
  });

  it("name a circle among memories of the same moment", () => {
    const circle = ["a", "b", "c"].map((id, i, ids) => ({ id, initMs: 0, ends: [ids[(i + 1) % 3]!] }));
    expect(violationsOf(...circle, { id: "d", ends: ["a"] })).toEqual(["a, b, c make each other outdated"]);
  });
});
