import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  boostScore,
  type CentralScore,
  centralSubsetSteps,
  connectivityScore,
  informationDensityScore,
  recencyScore,
  selectCentralSubset,
} from "../../src/paper/central-subset.js";
import { binnedEntropy } from "../../src/paper/entropy.js";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import { createRandom } from "../../src/text/random.js";
import { dayMs } from "../../src/text/time.js";
import { type Parameters, parseParameters } from "../../src/parameters.js";
import { arbitraryGraph, buildGraph, daysAgo, edgeBetween, idOf, nowMs } from "../graph/graph-fixtures.js";

describe("the four scores by hand", () => {
  it("connectivity: 3 neighbours among 7 memories, 3 / 6; 0 for the only memory", () => {
    expect(connectivityScore(3, 7)).toBe(0.5);
    expect(connectivityScore(0, 1)).toBe(0);
    expect(connectivityScore(0, 0)).toBe(0);
  });

  it("boost: 1 boosted edge where the most of any memory is 4; 0 where nothing was boosted", () => {
    expect(boostScore(1, 4)).toBe(0.25);
    expect(boostScore(0, 0)).toBe(0);
  });

  it("recency: 1 now, 1/e at 28 days, 1/e^2 at 56; never above 1", () => {
    expect(recencyScore(0, 28)).toBe(1);
    expect(recencyScore(28 * dayMs, 28)).toBeCloseTo(0.367879441, 9);
    expect(recencyScore(56 * dayMs, 28)).toBeCloseTo(0.135335283, 9);
    expect(recencyScore(-dayMs, 28)).toBe(1);
  });

  it("entropy: 1 for no entropy, 1/2 for one nat", () => {
    expect(informationDensityScore(0)).toBe(1);
    expect(informationDensityScore(1)).toBe(0.5);
  });

  it("are weighed 0.3, 0.3, 0.2, 0.2", () => {
    // b of three memories: 2 of 2 neighbours; 1 boosted edge of at most 1; 28 days old; its vector is 1..8 in 16 bins
    // of equal width, one component in each bin it meets: H = ln 8.
    const graph = buildGraph({
      nodes: [{ id: "a" }, { id: "b", initMs: daysAgo(28) }, { id: "c" }],
      edges: [edgeBetween("a", "b", 0.6, dayMs), edgeBetween("b", "c", 0.6)],
    });
    const b = subsetOf(graph, parseParameters()).find(({ id }) => id === "b")!;
    expect(b).toMatchObject({ connectivity: 1, boost: 1 });
    expect(b.recency).toBeCloseTo(0.367879441, 9);
    expect(b.informationDensity).toBeCloseTo(1 / (1 + 2.079441542), 9);
    // 0.3 + 0.3 + 0.2 * 0.367879441 + 0.2 * 0.324734204
    expect(b.score).toBeCloseTo(0.738522729, 9);
  });
});

describe("the scores in any graph", () => {
  it("are the formulas of the comment, weighed by theta", () => {
    const thetas = fc
      .array(fc.integer({ min: 0, max: 100 }), { minLength: 4, maxLength: 4 })
      .filter((parts) => parts.some((part) => part > 0))
      .map((parts) => {
        const sum = parts.reduce((total, part) => total + part, 0);
        return parts.map((part) => part / sum);
      });
    fc.assert(
      fc.property(arbitraryGraph(), thetas, fc.double({ min: 0.1, max: 400, noNaN: true }), (sketch, theta, lambda) => {
        const parameters = parseParameters({
          centralConnectivityWeight: theta[0]!,
          centralBoostWeight: theta[1]!,
          centralRecencyWeight: theta[2]!,
          centralEntropyWeight: theta[3]!,
          centralRecencyDays: lambda,
          criticalCount: 256,
          centralCountMax: 512,
        });
        const known = sketch.nodes.filter(({ initMs }) => initMs! <= nowMs);
        const edgesOf = (id: string): typeof sketch.edges => sketch.edges.filter(({ a, b }) => a === id || b === id);
        const boostedOf = (id: string): number => edgesOf(id).filter(({ boostMs }) => boostMs > 0).length;
        const mostBoosted = Math.max(0, ...known.map(({ id }) => boostedOf(id)));
        const scores = subsetOf(buildGraph(sketch), parameters);
        expect(scores.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort());
        for (const { id, initMs, vector } of known) {
          const found = scores.find((score) => score.id === id)!;
          const conn = sketch.nodes.length < 2 ? 0 : edgesOf(id).length / (sketch.nodes.length - 1);
          const boost = mostBoosted === 0 ? 0 : boostedOf(id) / mostBoosted;
          const rece = Math.exp(-(nowMs - initMs!) / (lambda * dayMs));
          const ent = 1 / (1 + binnedEntropy(Int8Array.from(vector!), 16));
          expect(found.connectivity).toBeCloseTo(conn, 12);
          expect(found.boost).toBeCloseTo(boost, 12);
          expect(found.recency).toBeCloseTo(rece, 12);
          expect(found.informationDensity).toBeCloseTo(ent, 12);
          const hybrid = theta[0]! * conn + theta[1]! * boost + theta[2]! * rece + theta[3]! * ent;
          expect(found.score).toBeCloseTo(hybrid, 12);
        }
      }),
    );
  });
});

describe("selection by hand", () => {
  // Six memories in three clusters, m000 the oldest.
  const scores = [
    scored(0, 0, 0.9),
    scored(1, 0, 0.8),
    scored(2, 0, 0.7),
    scored(3, 1, 0.3),
    scored(4, 1, 0.2),
    scored(5, 2, 0.1),
  ];

  it("takes the best of each cluster, then the best of the rest", () => {
    const parameters = parseParameters({ criticalCount: 1 });
    expect(selectCentralSubset(scores, parameters).map(({ id }) => id)).toEqual([0, 3, 5, 1].map(idOf));
  });

  it("above M keeps the most recent of those it took, in their order", () => {
    const parameters = parseParameters({ criticalCount: 1, centralCountMax: 2 });
    expect(selectCentralSubset(scores, parameters).map(({ id }) => id)).toEqual([3, 5].map(idOf));
  });
});

describe("the subset of any graph", () => {
  const sizes = fc.record({
    clusterCount: fc.integer({ min: 1, max: 6 }),
    criticalCount: fc.integer({ min: 0, max: 6 }),
    centralCountMax: fc.integer({ min: 1, max: 12 }),
  });

  it("has one of each cluster and k_2 more, at most M, and never a memory later than now", () => {
    fc.assert(
      fc.property(arbitraryGraph(14), sizes, (sketch, values) => {
        const graph = buildGraph(sketch);
        const all = subsetOf(graph, parseParameters({ ...values, criticalCount: 256, centralCountMax: 512 }));
        const clusters = new Set(all.map(({ cluster }) => cluster)).size;
        expect(clusters).toBeLessThanOrEqual(values.clusterCount);
        const subset = subsetOf(graph, parseParameters(values));
        const selectable = clusters + Math.min(values.criticalCount, all.length - clusters);
        expect(subset).toHaveLength(Math.min(values.centralCountMax, selectable));
        expect(new Set(subset.map(({ id }) => id)).size).toBe(subset.length);
        for (const { id } of subset) expect(graph.node(id)!.initMs).toBeLessThanOrEqual(nowMs);
      }),
    );
  });

  it("is the same for the same seed, in whatever order the memories came", () => {
    fc.assert(
      fc.property(arbitraryGraph(14), sizes, (sketch, values) => {
        const turned = buildGraph({ nodes: sketch.nodes.toReversed(), edges: sketch.edges.toReversed() });
        const parameters = parseParameters(values);
        expect(subsetOf(turned, parameters)).toEqual(subsetOf(buildGraph(sketch), parameters));
      }),
    );
  });
});

function subsetOf(graph: MemoryGraph, parameters: Parameters): CentralScore[] {
  const steps = centralSubsetSteps(graph, nowMs, createRandom("central subset"), parameters);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function scored(index: number, cluster: number, score: number): CentralScore {
  return {
    id: idOf(index),
    initMs: index,
    cluster,
    connectivity: 0,
    boost: 0,
    recency: 0,
    informationDensity: 0,
    score,
  };
}
