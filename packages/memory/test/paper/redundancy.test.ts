import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantileBins } from "../../src/paper/entropy.js";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import {
  findMostRedundant,
  type MostRedundant,
  MutualInformation,
  type NewMemory,
  redundancyScore,
} from "../../src/paper/redundancy.js";
import { dayMs, hourMs } from "../../src/text/time.js";
import { parseParameters } from "../../src/parameters.js";
import {
  arbitraryGraph,
  binCount,
  buildGraph,
  changeOf,
  keywordSets,
  type NodeSketch,
  nowMs,
  vectors,
} from "../graph/graph-fixtures.js";

const parameters = parseParameters({ redundancyBinCount: binCount });

describe("redundancy score by hand: alpha_NMI = 0.6, w = 0.5, half-life 24 h", () => {
  // NMI 0.5, Jaccard 0.25: base = 0.6 * 0.5 + 0.4 * 0.25 = 0.4
  const scoreAt = (hours: number): number => redundancyScore(0.5, 0.25, hours * hourMs, parseParameters()).score;

  it("at 0 h: 0.4 (1 + 0.5) = 0.6", () => {
    expect(scoreAt(0)).toBeCloseTo(0.6, 12);
  });

  it("far apart: the base alone", () => {
    expect(scoreAt(10_000)).toBeCloseTo(0.4, 12);
  });

  it("is the formula of its comment", () => {
    const shares = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(
        shares,
        shares,
        fc.double({ min: -1e4, max: 1e4, noNaN: true }),
        fc.record({
          redundancyNmiWeight: shares,
          temporalBonusWeight: fc.double({ min: 0, max: 10, noNaN: true }),
          temporalBonusHalfLifeHours: fc.double({ min: 0.01, max: 1000, noNaN: true }),
        }),
        (nmi, jaccard, hours, values) => {
          const { redundancyNmiWeight: alpha, temporalBonusWeight: w, temporalBonusHalfLifeHours: halfLife } = values;
          const expected = (alpha * nmi + (1 - alpha) * jaccard) * (1 + w * 2 ** (-Math.abs(hours) / halfLife));
          expect(redundancyScore(nmi, jaccard, hours * hourMs, parseParameters(values)).score).toBeCloseTo(expected, 9);
        },
      ),
    );
  });
});

describe("NMI by hand: 8 components in 2 bins, so bias = (2 - 1)^2 / 16 = 0.0625 and H - bias = ln 2 - 0.0625", () => {
  it("of bins that agree in six of eight places", () => {
    // Joint counts 3, 1, 1, 3: H12 = ln 8 - 2 (3 ln 3) / 8 = 1.255482325; MI = 2 ln 2 - H12 = 0.130812036
    // (0.130812036 - 0.0625) / (0.693147181 - 0.0625) = 0.068312036 / 0.630647181
    expect(nmiOf([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 1, 0, 1, 1, 1], 2)).toBeCloseTo(0.108320529, 9);
  });

  it("of bins with different entropies is over the larger one", () => {
    // H1 = ln 2; H2 = ln 8 - 7 ln 7 / 8 = 0.376770161; joint counts 4, 3, 1: H12 = ln 8 - (4 ln 4 + 3 ln 3) / 8
    // = 0.974314753; MI = 0.095602589; (0.095602589 - 0.0625) / 0.630647181
    const even = [0, 0, 0, 0, 1, 1, 1, 1];
    const uneven = [0, 0, 0, 0, 0, 0, 0, 1];
    expect(nmiOf(even, uneven, 2)).toBeCloseTo(0.052489871, 9);
    expect(nmiOf(uneven, even, 2)).toBeCloseTo(0.052489871, 9);
  });

  it("of bins that are the same, or the same with their names exchanged, is 1", () => {
    expect(nmiOf([0, 0, 0, 0, 1, 1, 1, 1], [0, 0, 0, 0, 1, 1, 1, 1], 2)).toBe(1);
    expect(nmiOf([0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0], 2)).toBe(1);
  });

  it("of constant bins, which hold no information at all, is 0", () => {
    expect(nmiOf([0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0], 2)).toBe(0);
  });
});

describe("NMI of any bins", () => {
  const binPairs = fc
    .record({ dimensions: fc.integer({ min: 4, max: 64 }), bins: fc.integer({ min: 2, max: 8 }) })
    .chain(({ dimensions, bins }) => {
      const binsOfOne = fc.array(fc.nat({ max: bins - 1 }), { minLength: dimensions, maxLength: dimensions });
      return fc.tuple(binsOfOne, binsOfOne, fc.constant(bins));
    });

  it("is the formula of its comment", () => {
    fc.assert(
      fc.property(binPairs, ([first, second, bins]) => {
        expect(nmiOf(first, second, bins)).toBeCloseTo(naiveNmi(first, second, bins), 9);
      }),
    );
  });
});

describe("the most redundant memory", () => {
  const newMemories = fc.record({
    vector: vectors,
    keywords: keywordSets,
    initMs: fc.integer({ min: nowMs - 90 * dayMs, max: nowMs }),
  });

  it("is the argmax of the score over all memories", () => {
    fc.assert(
      fc.property(arbitraryGraph(20), newMemories, (sketch, added) => {
        const graph = buildGraph(sketch);
        const found = findMostRedundant(asCandidate(added, graph), graph, parameters)!;
        const naive = new Map(sketch.nodes.map((node) => [node.id, naiveScore(added, node)]));
        expect(found.score).toBeCloseTo(Math.max(...naive.values()), 9);
        expect(found.score).toBeCloseTo(naive.get(graph.nodeAt(found.slot).id)!, 9);
      }),
    );
  });

  it("is the same over what is left when memories were removed", () => {
    fc.assert(
      fc.property(arbitraryGraph(20), newMemories, fc.infiniteStream(fc.boolean()), (sketch, added, coins) => {
        const graph = buildGraph(sketch);
        const removed = new Set(sketch.nodes.filter(() => coins.next().value!).map(({ id }) => id));
        graph.apply(changeOf({ removeNodes: [...removed] }));
        const found = findMostRedundant(asCandidate(added, graph), graph, parameters);
        const naive = sketch.nodes.filter(({ id }) => !removed.has(id)).map((node) => naiveScore(added, node));
        if (naive.length === 0) expect(found).toBeNull();
        else expect(found!.score).toBeCloseTo(Math.max(...naive), 9);
      }),
    );
  });

  it("is the same when the scan is cut into slices", () => {
    fc.assert(
      fc.property(arbitraryGraph(20), newMemories, fc.integer({ min: 1, max: 7 }), (sketch, added, sliceLength) => {
        const graph = buildGraph(sketch);
        const candidate = asCandidate(added, graph);
        let best: MostRedundant | null = null;
        for (let from = 0; from < graph.slotCount; from += sliceLength) {
          best = findMostRedundant(candidate, graph, parameters, {
            best,
            from,
            to: Math.min(from + sliceLength, graph.slotCount),
          });
        }
        expect(best).toEqual(findMostRedundant(candidate, graph, parameters));
      }),
    );
  });

  it("of two that score the same is the older one", () => {
    // Both lie one hour from the new memory, one before it and one after it.
    const vector = [1, 2, 3, 4, 5, 6, 7, 8];
    const later = { id: "later", vector, initMs: nowMs + hourMs };
    const earlier = { id: "earlier", vector, initMs: nowMs - hourMs };
    for (const nodes of [
      [later, earlier],
      [earlier, later],
    ]) {
      const graph = buildGraph({ nodes, edges: [] });
      const found = findMostRedundant(asCandidate({ vector, keywords: [], initMs: nowMs }, graph), graph, parameters)!;
      expect(graph.nodeAt(found.slot).id).toBe("earlier");
    }
  });
});

interface AddedMemory {
  readonly vector: readonly number[];
  readonly keywords: readonly string[];
  readonly initMs: number;
}

function asCandidate({ vector, keywords, initMs }: AddedMemory, graph: MemoryGraph): NewMemory {
  return {
    information: new MutualInformation(quantileBins(Int8Array.from(vector), binCount), binCount),
    initMs,
    keywordCount: keywords.length,
    sharedKeywords: graph.sharedKeywords(keywords),
  };
}

function naiveScore(added: AddedMemory, node: NodeSketch): number {
  const first = [...quantileBins(Int8Array.from(added.vector), binCount)];
  const second = [...quantileBins(Int8Array.from(node.vector!), binCount)];
  const words = new Set(added.keywords);
  const union = new Set([...words, ...node.keywords!]);
  const shared = node.keywords!.filter((keyword) => words.has(keyword)).length;
  const jaccard = union.size === 0 ? 0 : shared / union.size;
  const hoursApart = Math.abs(added.initMs - node.initMs!) / hourMs;
  return (0.6 * naiveNmi(first, second, binCount) + 0.4 * jaccard) * (1 + 0.5 * 2 ** (-hoursApart / 24));
}

function nmiOf(first: readonly number[], second: readonly number[], bins: number): number {
  return new MutualInformation(Uint8Array.from(first), bins).normalized(Uint8Array.from(second));
}

function naiveNmi(first: readonly number[], second: readonly number[], bins: number): number {
  const bias = (bins - 1) ** 2 / (2 * first.length);
  const largest = Math.max(plainEntropy(first), plainEntropy(second));
  if (largest <= bias) return 0;
  return Math.max(0, (mutualInformation(first, second) - bias) / (largest - bias));
}

function mutualInformation(first: readonly number[], second: readonly number[]): number {
  const joint = first.map((bin, i) => `${bin} ${second[i]}`);
  return plainEntropy(first) + plainEntropy(second) - plainEntropy(joint);
}

function plainEntropy(draws: readonly (number | string)[]): number {
  const counts = new Map<number | string, number>();
  for (const draw of draws) counts.set(draw, (counts.get(draw) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / draws.length) * Math.log(count / draws.length);
  return entropy;
}
