import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { evidenceShare, hitAt, ndcgAt, recallAt } from "../../../src/report/metrics.js";

describe("golden numbers", () => {
  it("hit rate at 3: one relevant memory among the first three is enough", () => {
    expect(hitAt(3, ["x", "y", "a", "b"], ["a"])).toBe(1);
    expect(hitAt(3, ["x", "y", "z", "a"], ["a"])).toBe(0);
    expect(hitAt(3, [], ["a"])).toBe(0);
  });

  it("nDCG at 3 with one gold: 1, 1 / log2(3), 1 / log2(4) by its place", () => {
    expect(ndcgAt(3, ["a", "x", "y"], ["a"])).toBe(1);
    expect(ndcgAt(3, ["x", "a", "y"], ["a"])).toBeCloseTo(0.63093, 5);
    expect(ndcgAt(3, ["x", "y", "a"], ["a"])).toBe(0.5);
    expect(ndcgAt(3, ["x", "y", "z", "a"], ["a"])).toBe(0);
  });

  it("nDCG at 3 with two gold on places 1 and 3: (1 + 0.5) / (1 + 0.63093) = 0.91972", () => {
    expect(ndcgAt(3, ["a", "x", "b"], ["a", "b"])).toBeCloseTo(0.91972, 5);
  });

  it("nDCG at 3 with five gold is 1 when the first three are gold: the ideal has min(3, 5) terms", () => {
    expect(ndcgAt(3, ["a", "b", "c"], ["a", "b", "c", "d", "e"])).toBe(1);
    expect(ndcgAt(3, ["a"], ["a", "b", "c", "d", "e"])).toBeCloseTo(1 / (1 + 0.63093 + 0.5), 5);
  });

  it("recall at 3: two of four gold is a half", () => {
    expect(recallAt(3, ["a", "x", "b", "c"], ["a", "b", "c", "d"])).toBe(0.5);
    expect(recallAt(10, ["a", "x", "b", "c"], ["a", "b", "c", "d"])).toBe(0.75);
  });

  it("a memory listed twice counts once", () => {
    expect(ndcgAt(3, ["a", "a", "a"], ["a", "b"])).toBeCloseTo(1 / (1 + 0.63093), 5);
    expect(recallAt(3, ["a", "a", "a", "b"], ["a", "b"])).toBe(1);
  });
});

const ids = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { maxLength: 10 });
const gold = fc.uniqueArray(fc.constantFrom(..."abcdefghij"), { minLength: 1, maxLength: 6 });
const place = fc.integer({ min: 1, max: 10 });

describe("for any ranking", () => {
  it("all metrics are between 0 and 1", () => {
    fc.assert(
      fc.property(place, ids, gold, (k, ranked, relevant) => {
        for (const metric of [hitAt, ndcgAt, recallAt]) {
          expect(metric(k, ranked, relevant)).toBeGreaterThanOrEqual(0);
          expect(metric(k, ranked, relevant)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it("hit rate and recall never fall as k grows", () => {
    fc.assert(
      fc.property(place, ids, gold, (k, ranked, relevant) => {
        expect(hitAt(k + 1, ranked, relevant)).toBeGreaterThanOrEqual(hitAt(k, ranked, relevant));
        expect(recallAt(k + 1, ranked, relevant)).toBeGreaterThanOrEqual(recallAt(k, ranked, relevant));
      }),
    );
  });

  it("moving a relevant memory one place up never lowers nDCG", () => {
    fc.assert(
      fc.property(place, ids, gold, fc.nat(), (k, ranked, relevant, at) => {
        const i = ranked.findIndex((id, n) => n > 0 && n >= at % 10 && relevant.includes(id));
        fc.pre(i > 0);
        const better = [...ranked];
        [better[i - 1], better[i]] = [ranked[i]!, ranked[i - 1]!];
        expect(ndcgAt(k, better, relevant)).toBeGreaterThanOrEqual(ndcgAt(k, ranked, relevant));
      }),
    );
  });

  it("nDCG is above 0 exactly when there is a hit", () => {
    fc.assert(
      fc.property(place, ids, gold, (k, ranked, relevant) => {
        expect(ndcgAt(k, ranked, relevant) > 0).toBe(hitAt(k, ranked, relevant) === 1);
      }),
    );
  });
});

describe("evidence in the context", () => {
  const context = "- Mon 8 May 2023, Ben: My boat\n  is called Heron. Something between. She leaks.";

  it("is there if every sentence is, in any place and with any white space", () => {
    expect(evidenceShare(context, ["My boat is called  Heron. She leaks."])).toBe(1);
  });

  it("is not there if one sentence is missing", () => {
    expect(evidenceShare(context, ["My boat is called Heron. She sinks."])).toBe(0);
  });

  it("is counted turn by turn", () => {
    expect(evidenceShare(context, ["She leaks.", "She sinks."])).toBe(0.5);
  });
});
