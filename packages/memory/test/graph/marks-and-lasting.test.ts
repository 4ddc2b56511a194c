/** What lasts in a graph, and what is marked in it, after any changes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryGraph } from "../../src/graph/memory-graph.js";
import type { GraphChange } from "../../src/graph/memory-node.js";
import { type Mark, isLasting } from "../../src/graph/statement.js";
import {
  binCount,
  buildGraph,
  changeOf,
  dimensions,
  embed,
  endOf,
  factOf,
  markOf,
  statementOf,
} from "./graph-fixtures.js";

const lasting = factOf("Sam sings.");
const passing = factOf("Sam is late.", { lasting: 0.1 });
const unread = statementOf("Sam sings.");

describe("a graph", () => {
  it("marks memories, takes marks back, and skips those that it does not have", () => {
    const pinned = { id: "b", statements: [lasting], marks: [markOf("pinned", 0, "home")], ends: [endOf("a")] };
    const graph = buildGraph({ nodes: [{ id: "a", statements: [lasting] }, pinned], edges: [] });
    const mark = (id: string, ...marks: Mark[]): void => graph.apply(changeOf({ setMarks: [{ id, marks }] }));
    mark("a", markOf("held"));
    mark("nobody", markOf("held"));
    expect([...graph.nodes()].map(({ id, marks }) => [id, marks])).toEqual([
      ["a", [markOf("held")]],
      ["b", [markOf("pinned", 0, "home")]],
    ]);
    mark("b");
    expect([...graph.markedIds()]).toEqual(["a"]);
    expect(graph.linksTo("a")).toEqual([{ from: "b", position: null, by: null }]);
    graph.apply(changeOf({ putNodes: [embed({ id: "c" })], setMarks: [{ id: "c", marks: [markOf("untrue")] }] }));
    expect(graph.node("c")!.marks).toEqual([markOf("untrue")]);
  });

  it("knows which statements last and which memories are marked, after any changes", () => {
    const ids = ["a", "b", "c", "d"];
    const id = fc.constantFrom(...ids);
    const statements = fc.array(fc.constantFrom(lasting, passing, unread), { maxLength: 3 });
    const marks = fc.constantFrom([], [markOf("held")], [markOf("pinned", null, "home"), markOf("removed")]);
    const event = fc.oneof(
      fc.record({ id, statements, marks }).map((sketch) => changeOf({ putNodes: [embed(sketch)] })),
      fc.record({ id, marks }).map((set) => changeOf({ setMarks: [set] })),
      id.map((each) => changeOf({ setPairs: [{ id: each, pairId: null }] })),
      id.map((each) => changeOf({ removeNodes: [each] })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 25 }), fc.nat({ max: 25 }), (changes: GraphChange[], asked) => {
        const graph = new MemoryGraph(dimensions, binCount);
        changes.forEach((change, i) => {
          const count = graph.changeCount;
          graph.apply(change);
          expect(graph.changeCount).toBeGreaterThan(count);
          // It may be asked for the first time late, and is kept up to date from then on.
          if (i < asked) return;
          const nodes = [...graph.nodes()];
          const naive = nodes.flatMap((node): [string, number[]][] => {
            const positions = node.statements.flatMap((each, position) => (isLasting(each) ? [position] : []));
            return positions.length === 0 ? [] : [[node.id, positions]];
          });
          expect(new Map(graph.lasting())).toEqual(new Map(naive));
          expect(new Set(graph.markedIds())).toEqual(
            new Set(nodes.filter((node) => node.marks.length > 0).map((node) => node.id)),
          );
          for (const node of nodes) {
            const slot = graph.slotOf(node.id);
            expect(graph.lastsAt(slot)).toBe(node.statements.some(isLasting));
            expect(graph.isMarkedAt(slot)).toBe(node.marks.length > 0);
          }
        });
      }),
    );
  });
});
