import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decay } from "../../src/paper/decay.js";
import { compareAge } from "../../src/graph/memory-node.js";
import { pruningOrder, pruningScore } from "../../src/paper/pruning-score.js";
import { dayMs } from "../../src/text/time.js";
import { parseParameters } from "../../src/parameters.js";
import { arbitraryGraph, buildGraph, daysAgo, edgeBetween, nowMs } from "../graph/graph-fixtures.js";

const parameters = parseParameters();

describe("pruning score by hand", () => {
  const graph = buildGraph({
    nodes: [
      { id: "a", initMs: daysAgo(28) },
      { id: "b", initMs: daysAgo(1000) },
      { id: "c", initMs: daysAgo(28) },
      { id: "lone", initMs: daysAgo(28) },
      { id: "fresh" },
    ],
    edges: [edgeBetween("a", "b", 0.8), edgeBetween("a", "c", 0.6, 28 * dayMs)],
  });
  const scoreOf = (id: string): number => pruningScore(graph.node(id)!, graph, nowMs, parameters);

  it("is the best of the edges: a boosted weaker one beats a stronger one", () => {
    // a: 28 days old. Over a-b 0.8 * 0.525 = 0.42; over a-c, boosted by 28 days, 0.6 * tau(0) = 0.6
    expect(scoreOf("a")).toBeCloseTo(0.6, 12);
  });

  it("without edges is half of tau: 0.5 * 0.525 at 28 days, 0.5 when new", () => {
    expect(scoreOf("lone")).toBeCloseTo(0.2625, 12);
    expect(scoreOf("fresh")).toBeCloseTo(0.5, 12);
  });
});

describe("the order of a pair by hand", () => {
  it("the newer half goes before the older one, though it scores higher", () => {
    const graph = buildGraph({
      nodes: [
        { id: "older", initMs: daysAgo(60), pairId: "newer" },
        { id: "newer", initMs: daysAgo(1), pairId: "older" },
        { id: "between", initMs: daysAgo(26) },
      ],
      edges: [edgeBetween("older", "newer", 0.9)],
    });
    const order = pruningOrder(graph, nowMs, parameters);
    expect(order.map(({ id }) => id)).toEqual(["newer", "older", "between"]);
    // Each keeps its own score: 0.9 s(1) = 0.9 * 0.9957; 0.9 s(60) = 0.9 (0.05 + 0.95 / (1 + e^6.4)) = 0.9 * 0.0516;
    // 0.5 s(26) = 0.5 (0.05 + 0.95 / (1 + e^-0.4)) = 0.5 * 0.6188
    expect(order.map(({ score }) => score.toFixed(4))).toEqual(["0.8962", "0.0464", "0.3094"]);
  });
});

describe("in any graph", () => {
  it("the score is the formula of its comment", () => {
    fc.assert(
      fc.property(arbitraryGraph(), fc.double({ min: 0, max: 1, noNaN: true }), (sketch, edgeThreshold) => {
        const p = parseParameters({ edgeThreshold });
        const graph = buildGraph(sketch);
        for (const { id, initMs } of sketch.nodes) {
          const own = sketch.edges.filter(({ a, b }) => a === id || b === id);
          const expected =
            own.length === 0
              ? edgeThreshold * decay(nowMs - initMs!, p)
              : Math.max(...own.map(({ weight, boostMs }) => weight * decay(nowMs - initMs! - boostMs, p)));
          expect(pruningScore(graph.node(id)!, graph, nowMs, p)).toBeCloseTo(expected, 12);
        }
      }),
    );
  });

  it("the order is by score, then oldest first, but for newer halves drawn before their older ones", () => {
    fc.assert(
      fc.property(arbitraryGraph(), (sketch) => {
        const graph = buildGraph(sketch);
        const score = new Map(
          [...graph.nodes()].map((node) => [node.id, pruningScore(node, graph, nowMs, parameters)]),
        );
        const plain = [...graph.nodes()].sort((x, y) => score.get(x.id)! - score.get(y.id)! || compareAge(x, y));
        const rank = new Map(plain.map(({ id }, i) => [id, i]));
        const keys = new Map(
          plain.map((node) => {
            const pair = node.pairId === null ? undefined : graph.node(node.pairId)!;
            const isNewer = pair !== undefined && compareAge(node, pair) > 0;
            return [node.id, isNewer ? Math.min(rank.get(node.id)!, rank.get(pair.id)! - 0.5) : rank.get(node.id)!];
          }),
        );
        const expected = plain.map(({ id }) => id).sort((x, y) => keys.get(x)! - keys.get(y)!);
        expect(pruningOrder(graph, nowMs, parameters).map(({ id }) => id)).toEqual(expected);
      }),
    );
  });

  it("the score never rises as time goes by", () => {
    fc.assert(
      fc.property(arbitraryGraph(), fc.integer({ min: 0, max: 400 }), (sketch, days) => {
        const graph = buildGraph(sketch);
        for (const node of graph.nodes()) {
          const later = pruningScore(node, graph, nowMs + days * dayMs, parameters);
          expect(later).toBeLessThanOrEqual(pruningScore(node, graph, nowMs, parameters) + 1e-12);
        }
      }),
    );
  });
});
