import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  extractKeywordsSteps,
  jaccardFromCounts,
  keywordJaccard,
  rarity,
  type TermStatistics,
} from "../../src/text/keywords.js";
import { finish } from "../../src/text/steps.js";
import { keywordPool } from "../graph/graph-fixtures.js";

const nothingKnown = statisticsOf(0, {});
const extractKeywords = (text: string, statistics: TermStatistics, countMax: number): string[] =>
  finish(extractKeywordsSteps(text, statistics, countMax));

describe("rarity by hand", () => {
  it("a term of 2 in 10 memories: ln(1 + 8.5 / 2.5) = ln 4.4", () => {
    expect(rarity("knee", statisticsOf(10, { knee: 2 }))).toBeCloseTo(1.481604541, 9);
  });

  it("is the formula of inverse document frequency, positive, and falls the more memories hold the term", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1000 }), fc.nat({ max: 1000 }), (x, y) => {
        const [frequency, documentCount] = [Math.min(x, y), Math.max(x, y)];
        const found = rarity("term", statisticsOf(documentCount, { term: frequency }));
        expect(found).toBeCloseTo(Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5)), 12);
        expect(found).toBeGreaterThan(0);
        if (frequency < documentCount) {
          expect(rarity("term", statisticsOf(documentCount, { term: frequency + 1 }))).toBeLessThan(found);
        }
      }),
    );
  });
});

describe("Jaccard by hand", () => {
  it("{knee, pain, walk} and {knee, walk, sleep}: 2 of 4", () => {
    expect(keywordJaccard(["knee", "pain", "walk"], ["walk", "sleep", "knee"])).toBe(0.5);
  });

  it("the same set is 1, disjoint sets and empty sets are 0", () => {
    expect(keywordJaccard(["a", "b"], ["b", "a"])).toBe(1);
    expect(keywordJaccard(["a"], ["b"])).toBe(0);
    expect(keywordJaccard([], [])).toBe(0);
    expect(keywordJaccard(["a"], [])).toBe(0);
  });

  it("is intersection over union of the sets", () => {
    const lists = fc.array(fc.constantFrom(...keywordPool), { maxLength: 10 });
    fc.assert(
      fc.property(lists, lists, (a, b) => {
        const union = new Set([...a, ...b]);
        const shared = [...union].filter((keyword) => a.includes(keyword) && b.includes(keyword));
        const expected = union.size === 0 ? 0 : shared.length / union.size;
        expect(keywordJaccard(a, b)).toBeCloseTo(expected, 12);
        expect(jaccardFromCounts(shared.length, new Set(a).size, new Set(b).size)).toBeCloseTo(expected, 12);
      }),
    );
  });
});

describe("keywords of a text", () => {
  it("are words as they were said, and compared by their terms", () => {
    expect(extractKeywords("tablets", nothingKnown, 1)).toEqual(["tablets"]);
    expect(keywordJaccard(["tablets", "knee"], ["tablet", "knees"])).toBe(1);
  });
});

function statisticsOf(documentCount: number, frequencies: Record<string, number>): TermStatistics {
  return { documentCount, documentFrequency: (term) => frequencies[term] ?? 0 };
}

it("keywords are the best by (1 + ln gain) times rarity, of a gain counted word by word", () => {
  /** Sentences of words that are their own terms; a capital inside a sentence counts 1.5, a number 1.2, an early one 1.1. */
  const sentences = fc.array(
    fc.array(fc.constantFrom("knee", "Anna", "72", "hip", "Bob", "oak", "x"), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 4 },
  );
  const frequencies = fc.record({ knee: fc.nat({ max: 9 }), anna: fc.nat({ max: 9 }), hip: fc.constant(3) });
  fc.assert(
    fc.property(sentences, frequencies, fc.integer({ min: 1, max: 6 }), (list, frequency, countMax) => {
      const statistics = statisticsOf(10, frequency);
      const gains = new Map<string, number>();
      const all = list.flatMap((words) => words.map((word, place) => ({ word, place })));
      for (const [position, { word, place }] of all.entries()) {
        const kind = place > 0 && /^[A-Z]/u.test(word) ? 1.5 : word === "72" ? 1.2 : 1;
        const gain = kind * (position < all.length / 4 ? 1.1 : 1);
        if (word !== "x") gains.set(word.toLowerCase(), (gains.get(word.toLowerCase()) ?? 0) + gain);
      }
      const scored = [...gains].map(([word, gain]) => ({
        word,
        score: (1 + Math.log(gain)) * rarity(word, statistics),
      }));
      scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1));
      // A line break ends a sentence.
      const text = list.map((words) => words.join(" ")).join("\n");
      expect(extractKeywords(text, statistics, countMax)).toEqual(scored.slice(0, countMax).map(({ word }) => word));
    }),
    { numRuns: 500 },
  );
});
