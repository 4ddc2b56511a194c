import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { connectNewNode, type Neighbour } from "../../src/paper/edges.js";
import { findViolations } from "../../src/graph/graph-violations.js";
import { MemoryGraph } from "../../src/graph/memory-graph.js";
import { otherEnd } from "../../src/graph/memory-node.js";
import { parseParameters } from "../../src/parameters.js";
import {
  arbitraryCommit,
  arbitraryGraph,
  binCount,
  buildGraph,
  commitChange,
  dimensions,
  edgeBetween,
  idOf,
} from "../graph/graph-fixtures.js";

describe("edges of a new memory by hand", () => {
  const triangle = buildGraph({
    nodes: [{ id: "a" }, { id: "b" }, { id: "c" }],
    edges: [edgeBetween("a", "b", 0.6), edgeBetween("a", "c", 0.8)],
  });

  it("go to every neighbour, strongest first, none of them boosted", () => {
    const { putEdges, removeEdges } = connectNewNode(
      { id: "n", neighbours: neighboursOf({ a: 0.5, c: 0.9 }), pairEdge: null, removedId: null },
      triangle,
      32,
    );
    expect(putEdges).toEqual([edgeBetween("c", "n", 0.9), edgeBetween("a", "n", 0.5)]);
    expect(removeEdges).toEqual([]);
  });

  it("a full neighbour gives up its weakest edge for a stronger one", () => {
    const { putEdges, removeEdges } = connectNewNode(
      { id: "n", neighbours: neighboursOf({ a: 0.7 }), pairEdge: null, removedId: null },
      triangle,
      2,
    );
    expect(putEdges).toEqual([edgeBetween("a", "n", 0.7)]);
    expect(removeEdges).toEqual([["a", "b"]]);
  });

  it("a full neighbour keeps its edges against one that is weaker or equal", () => {
    for (const weight of [0.55, 0.6]) {
      const { putEdges, removeEdges } = connectNewNode(
        { id: "n", neighbours: neighboursOf({ a: weight }), pairEdge: null, removedId: null },
        triangle,
        2,
      );
      expect([...putEdges, ...removeEdges]).toEqual([]);
    }
  });

  it("a full neighbour never gives up the edge of its pair, not even as its weakest", () => {
    const graph = buildGraph({
      nodes: [{ id: "a", pairId: "b" }, { id: "b", pairId: "a" }, { id: "c" }],
      edges: [edgeBetween("a", "b", 0.1), edgeBetween("a", "c", 0.8)],
    });
    expect(
      connectNewNode({ id: "n", neighbours: neighboursOf({ a: 0.9 }), pairEdge: null, removedId: null }, graph, 2)
        .removeEdges,
    ).toEqual([["a", "c"]]);
    expect(
      connectNewNode({ id: "n", neighbours: neighboursOf({ a: 0.7 }), pairEdge: null, removedId: null }, graph, 2)
        .putEdges,
    ).toEqual([]);
    expect(
      connectNewNode({ id: "n", neighbours: neighboursOf({ b: 0.9 }), pairEdge: null, removedId: null }, graph, 1)
        .putEdges,
    ).toEqual([]);
  });

  it("the edge of the new memory's own pair comes first, counts as one, and a full partner makes room for it", () => {
    const pairEdge = edgeBetween("a", "n", 0.05, 1000);
    const { putEdges, removeEdges } = connectNewNode(
      { id: "n", neighbours: neighboursOf({ a: 0.05, b: 0.9, c: 0.7 }), pairEdge, removedId: null },
      triangle,
      2,
    );
    expect(putEdges).toEqual([pairEdge, edgeBetween("b", "n", 0.9)]);
    expect(removeEdges).toEqual([["a", "b"]]);
  });

  it("a memory about to be removed gets no edge, and those it was joined to have room again", () => {
    const { putEdges, removeEdges } = connectNewNode(
      { id: "n", neighbours: neighboursOf({ a: 0.5, c: 0.9 }), pairEdge: null, removedId: "c" },
      triangle,
      2,
    );
    expect(putEdges).toEqual([edgeBetween("a", "n", 0.5)]);
    expect(removeEdges).toEqual([]);
  });

  it("an edge that one neighbour gave up makes room at its other end", () => {
    // a gives up a-b for n; b then has room for n, though 0.55 would not have displaced a-b.
    const graph = buildGraph({ nodes: [{ id: "a" }, { id: "b" }], edges: [edgeBetween("a", "b", 0.6)] });
    const one = connectNewNode(
      { id: "n", neighbours: neighboursOf({ a: 0.7, b: 0.55 }), pairEdge: null, removedId: null },
      graph,
      1,
    );
    expect(one.putEdges).toEqual([edgeBetween("a", "n", 0.7)]);
    const wide = buildGraph({
      nodes: [{ id: "a" }, { id: "b" }, { id: "c" }, { id: "d" }],
      edges: [edgeBetween("a", "b", 0.6), edgeBetween("a", "c", 0.9), edgeBetween("b", "d", 0.9)],
    });
    const two = connectNewNode(
      { id: "n", neighbours: neighboursOf({ a: 0.7, b: 0.55 }), pairEdge: null, removedId: null },
      wide,
      2,
    );
    expect(two.putEdges).toEqual([edgeBetween("a", "n", 0.7), edgeBetween("b", "n", 0.55)]);
    expect(two.removeEdges).toEqual([["a", "b"]]);
  });
});

it("where nobody is full, edges are the neighbours sorted, the pair's first, as many as a memory may have", () => {
  fc.assert(
    fc.property(
      arbitraryGraph(12),
      fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 12, maxLength: 12 }),
      fc.option(fc.nat({ max: 11 }), { nil: null }),
      fc.integer({ min: 12, max: 14 }),
      fc.integer({ min: 1, max: 12 }),
      (sketch, eighths, pairIndex, roomy, tight) => {
        const graph = buildGraph(sketch);
        const neighbours = sketch.nodes.map(({ id }, i) => ({ id, weight: eighths[i]! / 8 }));
        const pairId = pairIndex === null ? null : sketch.nodes[pairIndex % sketch.nodes.length]!.id;
        const pairEdge = pairId === null ? null : edgeBetween(pairId, "n", 0.3, 5);
        // Nobody in a graph of 12 has more than 11 edges; a lonely graph may be as tight as it likes.
        const lonely = buildGraph({ nodes: sketch.nodes.map((node) => ({ ...node, pairId: null })), edges: [] });
        for (const [host, degreeMax] of [
          [graph, roomy],
          [lonely, tight],
        ] as const) {
          const found = connectNewNode({ id: "n", neighbours, pairEdge, removedId: null }, host, degreeMax);
          expect(found.putEdges).toEqual(naiveEdges(neighbours, pairId, pairEdge, degreeMax));
          expect(found.removeEdges).toEqual([]);
        }
      },
    ),
  );
});

describe("in a graph grown memory by memory", () => {
  const degrees = fc.integer({ min: 1, max: 5 });
  const commits = fc.array(arbitraryCommit, { minLength: 1, maxLength: 20 });

  it("the cap holds, a pair's edge stays, no edge dangles", () => {
    fc.assert(
      fc.property(commits, degrees, (list, degreeMax) => {
        const parameters = parseParameters({ degreeMax });
        const graph = new MemoryGraph(dimensions, binCount);
        list.forEach((step, i) => {
          const change = commitChange(graph, idOf(i), step, parameters);
          const pairId = change.putNodes[0]!.node.pairId;
          if (pairId !== null) expect(change.putEdges[0]).toMatchObject(endsOf(idOf(i), pairId));
          const own = change.putEdges.filter(({ a, b }) => a === idOf(i) || b === idOf(i));
          expect(own.length).toBeLessThanOrEqual(degreeMax);
          graph.apply(change);
          for (const { a, b } of [...graph.edges()].filter(({ boostMs }) => boostMs > 0)) {
            expect(graph.node(a)!.pairId).toBe(b);
          }
          for (const { a, b } of graph.edges()) {
            expect(graph.node(a)).toBeDefined();
            expect(graph.node(b)).toBeDefined();
          }
          expect(findViolations(graph, degreeMax)).toEqual([]);
        });
      }),
    );
  });

  it("an edge is given up only for a stronger one at the same memory, or for the edge of its pair", () => {
    fc.assert(
      fc.property(commits, degrees, (list, degreeMax) => {
        const parameters = parseParameters({ degreeMax });
        const graph = new MemoryGraph(dimensions, binCount);
        list.forEach((step, i) => {
          const change = commitChange(graph, idOf(i), step, parameters);
          const pairId = change.putNodes[0]!.node.pairId;
          for (const [a, b] of change.removeEdges) {
            const given = graph.edge(a, b)!;
            if (!change.setPairs.some(({ id, pairId }) => pairId === null && (id === a || id === b))) {
              expect(graph.node(a)!.pairId).not.toBe(b);
            }
            const reasons = change.putEdges.filter((edge) => {
              const neighbourId = otherEnd(edge, idOf(i));
              return (neighbourId === a || neighbourId === b) && (neighbourId === pairId || edge.weight > given.weight);
            });
            expect(reasons).not.toEqual([]);
          }
          graph.apply(change);
        });
      }),
    );
  });
});

it("in a narrow domain, where most are full with stronger edges, a new memory tries eight times its edges", () => {
  // 40 memories in a ring of strong edges, each full; only the weakest neighbours have room.
  const ringIds = Array.from({ length: 40 }, (_, i) => `ring${String(i).padStart(2, "0")}`);
  const graph = buildGraph({
    nodes: [...ringIds, "room1", "room2"].map((id) => ({ id })),
    edges: ringIds.map((id, i) => edgeBetween(id, ringIds[(i + 1) % 40]!, 0.95)),
  });
  const neighbours = [...ringIds.map((id) => ({ id, weight: 0.9 })), { id: "room1", weight: 0.8 }];
  const degreeMax = 2;
  // 2 * 8 = 16 strongest are tried, all of them full.
  expect(connectNewNode({ id: "n", neighbours, pairEdge: null, removedId: null }, graph, degreeMax).putEdges).toEqual(
    [],
  );
  const fewer = [...neighbours.slice(0, 15), { id: "room1", weight: 0.8 }];
  expect(
    connectNewNode({ id: "n", neighbours: fewer, pairEdge: null, removedId: null }, graph, degreeMax).putEdges,
  ).toEqual([edgeBetween("n", "room1", 0.8)]);
});

function neighboursOf(weights: Record<string, number>): Neighbour[] {
  return Object.entries(weights).map(([id, weight]) => ({ id, weight }));
}

function endsOf(x: string, y: string): { a: string; b: string } {
  const { a, b } = edgeBetween(x, y, 0);
  return { a, b };
}

function naiveEdges(
  neighbours: readonly Neighbour[],
  pairId: string | null,
  pairEdge: ReturnType<typeof edgeBetween> | null,
  degreeMax: number,
): unknown[] {
  const sorted = neighbours
    .filter(({ id }) => id !== pairId)
    .toSorted((x, y) => y.weight - x.weight || x.id.localeCompare(y.id, "en"))
    .map(({ id, weight }) => edgeBetween(id, "n", weight));
  return [...(pairEdge === null ? [] : [pairEdge]), ...sorted].slice(0, degreeMax);
}
