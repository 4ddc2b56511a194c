import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LexicalIndex } from "../../src/text/lexical-index.js";
import { splitTerms } from "../../src/text/words.js";

const k1 = 1.2;
const b = 0.75;

describe("coverage by hand: two texts of 3 and 1 terms, mean length 2, k1 = 1.2, b = 0.75", () => {
  const index = indexOf([
    [1, "knee knee pain"],
    [2, "garden"],
  ]);

  it("a question of one word of each", () => {
    // Every term is in 1 of 2 texts, so all weigh ln 2, and 2 ln 2 is less than ln 6, what a new term would weigh.
    // Text 1: 2 / (2 + 1.2 (0.25 + 0.75 * 1.5)) = 2 / 3.65 of ln 2, over ln 6: 0.211974141
    // Text 2: 1 / (1 + 1.2 (0.25 + 0.75 * 0.5)) = 1 / 1.75 of ln 2, over ln 6: 0.221058747
    const coverages = coveragesOf(index, "knee garden");
    expect(coverages.get(1)).toBeCloseTo(0.211974141, 9);
    expect(coverages.get(2)).toBeCloseTo(0.221058747, 9);
  });

  it("a word that no text holds is part of the question all the same, and weighs more", () => {
    // "stitch": ln(1 + 2.5 / 0.5) = ln 6. Text 2: ln 2 / 1.75 of ln 2 + ln 6 = 0.396084 / 2.484907
    const coverages = coveragesOf(index, "garden stitch");
    expect(coverages.get(2)).toBeCloseTo(0.159395969, 9);
    expect(coverages.has(1)).toBe(false);
  });
});

const vocabulary = ["knee", "pain", "garden", "anna", "12", "tablet", "walk"];
const texts = fc.array(fc.constantFrom(...vocabulary, "the", "and"), { maxLength: 12 }).map((words) => words.join(" "));
const steps = fc.array(fc.record({ key: fc.nat({ max: 6 }), text: fc.option(texts, { nil: null }) }), {
  maxLength: 30,
});

describe("after any adds, changes and removals", () => {
  it("the index is one built fresh from what remains", () => {
    fc.assert(
      fc.property(steps, texts, (list, query) => {
        const index = new LexicalIndex();
        const remaining = runSteps(index, list);
        const fresh = indexOf([...remaining]);
        expect(index.documentCount).toBe(remaining.size);
        expect(index.termCount).toBe(fresh.termCount);
        for (const term of vocabulary) expect(index.documentFrequency(term)).toBe(fresh.documentFrequency(term));
        expect(sorted(coveragesOf(index, query))).toEqual(sorted(coveragesOf(fresh, query)));
      }),
    );
  });

  it("coverages are BM25 over the BM25 of endless repetition", () => {
    fc.assert(
      fc.property(steps, texts, (list, query) => {
        const index = new LexicalIndex();
        const remaining = runSteps(index, list);
        const expected = naiveCoverages(remaining, query);
        const found = coveragesOf(index, query);
        expect(sorted(found).map(([key]) => key)).toEqual(sorted(expected).map(([key]) => key));
        for (const [key, coverage] of found) {
          expect(coverage).toBeCloseTo(expected.get(key)!, 9);
          expect(coverage).toBeGreaterThan(0);
          expect(coverage).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });
});

function indexOf(documents: readonly (readonly [number, string])[]): LexicalIndex {
  const index = new LexicalIndex();
  for (const [key, text] of documents) index.add(key, splitTerms(text));
  return index;
}

function runSteps(index: LexicalIndex, list: readonly { key: number; text: string | null }[]): Map<number, string> {
  const remaining = new Map<number, string>();
  for (const { key, text } of list) {
    if (text === null) {
      index.remove(key);
      remaining.delete(key);
    } else {
      index.add(key, splitTerms(text));
      remaining.set(key, text);
    }
  }
  return remaining;
}

/** The vocabulary's words are their own terms, so splitting at spaces is all it takes. */
function termsOf(text: string): string[] {
  return text.split(" ").filter((word) => vocabulary.includes(word));
}

function naiveCoverages(documents: ReadonlyMap<number, string>, query: string): Map<number, number> {
  const idf = (term: string): number => {
    const holding = [...documents.values()].filter((text) => termsOf(text).includes(term)).length;
    return Math.log(1 + (documents.size - holding + 0.5) / (holding + 0.5));
  };
  const lengths = [...documents.values()].map((text) => termsOf(text).length);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const queryTerms = termsOf(query);
  const coverages = new Map<number, number>();
  for (const [key, text] of documents) {
    const terms = termsOf(text);
    if (!queryTerms.some((term) => terms.includes(term))) continue;
    let score = 0;
    let ideal = 0;
    for (const term of queryTerms) {
      const count = terms.filter((other) => other === term).length;
      const norm = k1 * (1 - b + (b * terms.length) / meanLength);
      if (count > 0) score += (idf(term) * count * (k1 + 1)) / (count + norm);
      ideal += idf(term) * (k1 + 1);
    }
    const newTerm = Math.log(1 + (documents.size + 0.5) / 0.5) * (k1 + 1);
    coverages.set(key, score / Math.max(ideal, newTerm));
  }
  return coverages;
}

/** By key; without the texts that have nothing of the question. */
function coveragesOf(index: LexicalIndex, question: string): Map<number, number> {
  const out = new Float64Array(16);
  index.coverages(splitTerms(question), out);
  return new Map([...out.entries()].filter(([, coverage]) => coverage > 0));
}

function sorted(coverages: ReadonlyMap<number, number>): [number, number][] {
  return [...coverages].sort(([x], [y]) => x - y);
}
