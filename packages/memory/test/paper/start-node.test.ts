import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { metaWeight, selectStartNodes, startScore, usesMeta } from "../../src/paper/start-node.js";
import { dayMs } from "../../src/text/time.js";
import { parseParameters } from "../../src/parameters.js";

const paper = parseParameters({}, "paper");
const shares = fc.double({ min: 0, max: 1, noNaN: true });
const similarities = fc.double({ min: -1, max: 1, noNaN: true });
const agesDays = fc.double({ min: -10, max: 4000, noNaN: true });

describe("the weight of S_meta by hand: 0.4 rising to 0.5 over 28 days", () => {
  it("is 0.4 for a new memory, and for one that lies ahead", () => {
    expect(metaWeight(0, paper)).toBe(0.4);
    expect(metaWeight(-dayMs, paper)).toBe(0.4);
  });

  it("is 0.4 + 0.1 (1 - 1/e) at 28 days", () => {
    // 1 - 1/e = 0.632120559
    expect(metaWeight(28 * dayMs, paper)).toBeCloseTo(0.463212056, 9);
  });
});

describe("the weight of S_meta", () => {
  const anyParameters = fc
    .tuple(shares, shares)
    .map(([x, y]) => parseParameters({ metaWeightBase: Math.min(x, y), metaWeightMax: Math.max(x, y) }));

  it("is the formula of its comment", () => {
    fc.assert(
      fc.property(anyParameters, agesDays, (p, days) => {
        const age = Math.max(0, days);
        const expected = p.metaWeightBase + (p.metaWeightMax - p.metaWeightBase) * (1 - Math.exp(-age / 28));
        expect(metaWeight(days * dayMs, p)).toBeCloseTo(expected, 9);
      }),
    );
  });
});

const none = { metaSimilarity: 0, querySimilarity: 0, lexicalCoverage: 0, tokens: null, timeGain: 0 };
const evidence = { ...none, metaSimilarity: 0.5, querySimilarity: 0.7, lexicalCoverage: 0.9 };

it("S_meta takes part where its weight is above 0 at some age", () => {
  const weights = [
    [0, 0],
    [0.1, 0],
    [0, 0.1],
    [0.1, 0.1],
  ] as const;
  const used = weights.map(([metaWeightBase, metaWeightMax]) => usesMeta({ ...paper, metaWeightBase, metaWeightMax }));
  expect(used).toEqual([false, true, true, true]);
});

describe("the start score", () => {
  it("by hand, preset paper: a new memory with S_meta 0.5 and S_query 0.7 scores 0.4 * 0.5 + 0.6 * 0.7 = 0.62", () => {
    expect(startScore("m", 0, evidence, paper)).toEqual({
      id: "m",
      ...evidence,
      metaWeight: 0.4,
      score: expect.closeTo(0.62, 12) as number,
    });
  });

  it("by hand: covering 0.9 of the question, words that match by 0.3 and 0.2, where the question looks: 0.62 + 0.45 + 0.1 + 0.4", () => {
    const found = { ...evidence, timeGain: 0.4, tokens: { best: 0.3, window: 0.9, whole: 0.2 } };
    const weights = { ...paper, lexicalWeight: 0.5, tokenWeight: 0.2 };
    expect(startScore("m", 0, found, weights).score).toBeCloseTo(1.57, 12);
  });

  it("is the formula of its comment", () => {
    const found = fc.record({
      metaSimilarity: similarities,
      querySimilarity: similarities,
      lexicalCoverage: shares,
      timeGain: shares,
      tokens: fc.option(fc.record({ best: shares, window: shares, whole: shares })),
    });
    fc.assert(
      fc.property(agesDays, found, shares, shares, (days, e, lexicalWeight, tokenWeight) => {
        const p = parseParameters({ lexicalWeight, tokenWeight, metaWeightBase: 0.4, metaWeightMax: 0.6 });
        const alpha = metaWeight(days * dayMs, p);
        const words = e.tokens === null ? 0 : tokenWeight * (e.tokens.best + e.tokens.whole);
        const meant = alpha * e.metaSimilarity + (1 - alpha) * e.querySimilarity;
        const expected = meant + lexicalWeight * e.lexicalCoverage + words + e.timeGain;
        expect(startScore("m", days * dayMs, e, p).score).toBeCloseTo(expected, 12);
      }),
    );
  });
});

describe("start nodes", () => {
  const scored = (scores: Record<string, number>): ReturnType<typeof startScore>[] =>
    Object.entries(scores).map(([id, score]) => ({ ...startScore(id, 0, none, paper), score }));

  it("by hand: the best three of those that reach 0.4", () => {
    const scores = scored({ a: 0.39, b: 0.4, c: 0.9, d: 0.41, e: 0.7 });
    expect(selectStartNodes(scores, paper).map(({ id }) => id)).toEqual(["c", "e", "d"]);
    expect(selectStartNodes(scored({ a: 0.39, b: 0.4 }), paper).map(({ id }) => id)).toEqual(["b"]);
    expect(selectStartNodes(scored({ a: 0.39 }), paper)).toEqual([]);
  });

  it("of equal scores come in the order of their ids", () => {
    const scores = scored({ z: 0.5, b: 0.5, a: 0.5 });
    expect(
      selectStartNodes(scores, parseParameters({ startScoreMin: -1, startCountMax: 10 })).map(({ id }) => id),
    ).toEqual(["a", "b", "z"]);
  });

  it("are never more than asked, never below the threshold, and nobody better is left out", () => {
    const lists = fc.uniqueArray(fc.record({ id: fc.string({ maxLength: 3 }), score: fc.nat({ max: 10 }) }), {
      selector: ({ id }) => id,
      maxLength: 20,
    });
    fc.assert(
      fc.property(lists, fc.integer({ min: 1, max: 5 }), shares, (list, startCountMax, startScoreMin) => {
        const p = parseParameters({ startCountMax, startScoreMin });
        const scores = list.map(({ id, score }) => ({ ...startScore(id, 0, none, p), score: score / 10 }));
        const before = [...scores];
        const selected = selectStartNodes(scores, p);
        const relevant = scores.filter(({ score }) => score >= startScoreMin);
        expect(selected.length).toBe(Math.min(startCountMax, relevant.length));
        const worst = selected.at(-1)?.score ?? Infinity;
        for (const other of relevant) {
          if (!selected.includes(other)) expect(other.score).toBeLessThanOrEqual(worst);
        }
        expect(scores).toEqual(before);
      }),
    );
  });
});
