/** What holds, compared with every link and mark looked at one by one. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  endersOf,
  isAllSilent,
  isMarked,
  isOutdated,
  isSilent,
  outdatedBy,
  outdatedSinceMs,
  withMark,
  withoutMark,
} from "../../src/graph/holding.js";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import { type MemoryNode, compareAge, noChange } from "../../src/graph/memory-node.js";
import { linksAfterRemoval } from "../../src/graph/passed-links.js";
import { type Mark, markKinds } from "../../src/graph/statement.js";
import { type NodeSketch, buildGraph, daysAgo, endOf, factOf, markOf, statementOf } from "./graph-fixtures.js";

const told = factOf("I live in Graz.");
const small = statementOf("Well.");

function graphOf(...nodes: NodeSketch[]): MemoryGraph {
  return buildGraph({ nodes, edges: [] });
}

describe("a memory", () => {
  const older = { id: "older", initMs: daysAgo(9), statements: [told, small, factOf("I sing.")] };
  const outdatedAfter = (...ends: NodeSketch["ends"] & {}): boolean => {
    const graph = graphOf(older, { id: "newer", initMs: daysAgo(1), statements: [told], ends });
    return isOutdated(graph.node("older")!, graph);
  };

  it("holds until it was ended as a whole, or every fact that it states was", () => {
    expect(outdatedAfter()).toBe(false);
    expect(outdatedAfter("older")).toBe(true);
    expect(outdatedAfter(endOf("older", 0, 0))).toBe(false);
    expect(outdatedAfter(endOf("older", 0, 0), endOf("older", 1, 0))).toBe(false);
    expect(outdatedAfter(endOf("older", 0, 0), endOf("older", 2, 0))).toBe(true);
  });

  it("of which nobody read a statement is outdated only as a whole", () => {
    const nodes = (position: number | null): NodeSketch[] => [
      { id: "a", initMs: daysAgo(9), statements: ["I sing."] },
      { id: "b", initMs: daysAgo(1), ends: [endOf("a", position)] },
    ];
    for (const [position, expected] of [
      [0, false],
      [null, true],
    ] as const) {
      const graph = graphOf(...nodes(position));
      expect(isOutdated(graph.node("a")!, graph)).toBe(expected);
    }
  });

  it("holds for those who may not see what ended it", () => {
    const graph = graphOf(older, { id: "newer", initMs: daysAgo(1), ends: ["older"] });
    const node = graph.node("older")!;
    expect(isOutdated(node, graph, ({ id }) => id !== "newer")).toBe(false);
    expect(endersOf(node, 0, graph, ({ id }) => id !== "newer")).toEqual([]);
    expect(endersOf(node, 0, graph)).toEqual([{ memory: graph.node("newer"), by: null }]);
  });

  it("is not ended by what nothing may be said of: what ended that ended it", () => {
    const third = { id: "third", initMs: daysAgo(1), statements: [told], ends: [endOf("second", 1, 0)] };
    const graphWith = (marks: Mark[], ...others: NodeSketch[]): MemoryGraph =>
      graphOf(
        older,
        { id: "second", initMs: daysAgo(4), statements: [told, told], ends: [endOf("older", 0, 1)], marks },
        ...others,
      );
    const enders = (graph: MemoryGraph): string[] =>
      endersOf(graph.node("older")!, 0, graph).map(({ memory }) => memory.id);
    for (const kind of ["untrue", "held"] as const) {
      expect(enders(graphWith([markOf(kind, 1)]))).toEqual([]);
      expect(enders(graphWith([markOf(kind, null)]))).toEqual([]);
      expect(enders(graphWith([markOf(kind, 1)], third))).toEqual(["third"]);
      expect(enders(graphWith([markOf(kind, 0)], third))).toEqual(["second"]);
    }
    expect(enders(graphWith([markOf("removed", 1), markOf("pinned", 1)]))).toEqual(["second"]);
  });

  it("is outdated since the last of its facts ended, or since all of it did", () => {
    const sinceAfter = (...ends: (readonly [days: number, position: number | null])[]): number | null => {
      const newer = ends.map(([days, position]) => ({
        id: `n${days}`,
        initMs: daysAgo(days),
        ends: [endOf("older", position)],
      }));
      const graph = graphOf(older, ...newer);
      return outdatedSinceMs(graph.node("older")!, graph);
    };
    expect(sinceAfter([5, 0])).toBeNull();
    expect(sinceAfter([5, 0], [4, 2], [3, 0])).toBe(daysAgo(4));
    expect(sinceAfter([5, 0], [3, null], [2, null])).toBe(daysAgo(3));
  });

  it("is not outdated by a memory that is gone", () => {
    const graph = graphOf(older, { id: "newer", initMs: daysAgo(1), ends: ["older"] });
    graph.apply({ ...noChange, removeNodes: ["newer"] });
    expect(isOutdated(graph.node("older")!, graph)).toBe(false);
    expect(outdatedBy("older", graph)).toEqual([]);
  });
});

const kinds = fc.constantFrom(...markKinds);
const marks = fc
  .uniqueArray(fc.record({ position: fc.constantFrom(null, 0, 1, 2), kind: kinds, area: fc.constant(null) }), {
    selector: ({ position, kind }) => `${position} ${kind}`,
    maxLength: 4,
  })
  .map((list): Mark[] => list);
const places = fc.constantFrom(null, 0, 1, 2);

describe("of any memories", () => {
  /** Six, one a day, each ending anything of older ones, some of what they say no facts. */
  const memories: fc.Arbitrary<NodeSketch[]> = fc
    .array(
      fc.record({
        facts: fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        ends: fc.uniqueArray(fc.tuple(fc.nat({ max: 4 }), places, places), { selector: String, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    .map((list) =>
      list.map(({ facts, ends }, i) => ({
        id: `m${i}`,
        initMs: daysAgo(list.length - i),
        statements: facts.map((isTrue, j) => factOf(`${j}`, { fact: isTrue ? 1 : 0 })),
        ends: ends.filter(([older]) => older < i).map(([older, position, by]) => endOf(`m${older}`, position, by)),
      })),
    );
  const counted = fc.subarray(["m0", "m1", "m2", "m3", "m4", "m5"]);

  it("what ended a statement is what has a link to it or to all of its memory, each once, oldest first", () => {
    fc.assert(
      fc.property(memories, places, (nodes, position) => {
        const graph = graphOf(...nodes);
        for (const { id } of nodes) {
          const found = endersOf(graph.node(id)!, position, graph);
          const naive = [...graph.nodes()].flatMap((memory) =>
            [null, 0, 1, 2]
              .filter((by) =>
                memory.ends.some(
                  (link) =>
                    link.by === by && link.memory === id && (link.position === null || link.position === position),
                ),
              )
              .map((by) => ({ memory, by })),
          );
          expect(found).toHaveLength(naive.length);
          expect(found).toEqual(expect.arrayContaining(naive));
          expect(found.map(({ memory }) => memory)).toEqual(naive.map(({ memory }) => memory).sort(compareAge));
        }
      }),
    );
  });

  it("those that are not looked at end nothing, as if they had been forgotten", () => {
    fc.assert(
      fc.property(memories, places, counted, (nodes, position, ids) => {
        const [whole, left] = [graphOf(...nodes), graphOf(...nodes)];
        const removed = new Set(nodes.map(({ id }) => id).filter((id) => !ids.includes(id)));
        left.apply({ ...noChange, removeNodes: [...removed], setEnds: linksAfterRemoval(removed, left) });
        const names = (graph: MemoryGraph, node: MemoryNode, counts?: (node: MemoryNode) => boolean): string[] =>
          endersOf(node, position, graph, counts).map(({ memory, by }) => `${memory.id} ${by}`);
        const counts = ({ id }: MemoryNode): boolean => ids.includes(id);
        for (const node of left.nodes()) {
          const seen = whole.node(node.id)!;
          expect(names(whole, seen, counts).toSorted()).toEqual(names(left, node).toSorted());
          expect(isOutdated(seen, whole, counts)).toBe(isOutdated(node, left));
        }
      }),
    );
  });

  it("one is outdated if all of it was ended, or each of its facts, and by whom is found oldest first", () => {
    fc.assert(
      fc.property(memories, (nodes) => {
        const graph = graphOf(...nodes);
        for (const node of graph.nodes()) {
          const others = [...graph.nodes()].sort(compareAge);
          const links = others.flatMap(({ ends }) => ends.filter(({ memory }) => memory === node.id));
          const facts = node.statements.flatMap(({ reading }, i) => (reading!.fact === 1 ? [i] : []));
          const isEach = facts.length > 0 && facts.every((i) => links.some(({ position }) => position === i));
          expect(isOutdated(node, graph)).toBe(links.some(({ position }) => position === null) || isEach);
          const ending = others.filter(({ ends }) => ends.some(({ memory }) => memory === node.id));
          expect(outdatedBy(node.id, graph)).toEqual(ending);
        }
      }),
    );
  });

  it("a mark on all of a memory is one on each of its statements", () => {
    fc.assert(
      fc.property(marks, places, kinds, (list, position, kind) => {
        const has = (at: number | null, ...of: Mark["kind"][]): boolean =>
          list.some((mark) => mark.position === at && of.includes(mark.kind));
        expect(isMarked({ marks: list }, position, kind)).toBe(has(null, kind) || has(position, kind));
        const silencing = ["held", "untrue"] as const;
        expect(isSilent({ marks: list }, position)).toBe(has(null, ...silencing) || has(position, ...silencing));
      }),
    );
  });

  it("nothing may be said of one that is silent as a whole, or statement by statement", () => {
    fc.assert(
      fc.property(marks, fc.nat({ max: 3 }), (list, count) => {
        const statements = Array.from({ length: count }, (_, i) => statementOf(`${i}`));
        const graph = graphOf({ id: "a", statements, marks: list.filter(({ position }) => (position ?? 0) < count) });
        const node = graph.node("a")!;
        const isSaid = statements.some((_, position) => !isSilent(node, position));
        expect(isAllSilent(node)).toBe(isSilent(node, null) || (count > 0 && !isSaid));
      }),
    );
  });

  it("a mark that is set takes the place of the same, and taken away leaves the others", () => {
    const key = ({ position, kind }: Mark): string => `${position} ${kind}`;
    fc.assert(
      fc.property(marks, places, kinds, (list, position, kind) => {
        const mark = markOf(kind, position, "home");
        const others = list.filter((each) => key(each) !== key(mark));
        const found = withMark(list, mark);
        expect(found).toHaveLength(others.length + 1);
        expect(found).toEqual(expect.arrayContaining([...others, mark]));
        // Whatever the order in which they were set, so that two devices write the same.
        expect(withMark(list.toReversed(), mark)).toEqual(found);
        expect(withoutMark(list, position, kind)).toEqual(others);
      }),
    );
  });
});
