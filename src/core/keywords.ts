/**
 * Keywords of a text, found without supervision (Table C2): a term counts by how often the text uses it and how seldom
 * the person's other memories do. Names and numbers count more, since in a narrow domain they are what tells two
 * memories apart.
 */
import { isNumberWord, splitWords, toTerm } from "./words.js";

/** What the person's memories already say: how many there are and how many hold a term. */
export interface TermStatistics {
  readonly documentCount: number;
  documentFrequency(term: string): number;
}

const nameFactor = 1.5;
const numberFactor = 1.2;
const earlyFactor = 1.1;
const earlyShare = 0.25;

export function extractKeywords(text: string, statistics: TermStatistics, countMax: number): string[] {
  const words = splitWords(text);
  const scores = new Map<string, number>();
  words.forEach((word, position) => {
    const term = toTerm(word);
    if (term === null || term.length < 2) return;
    const gain = wordFactor(word, words[position - 1], position, words.length);
    scores.set(term, (scores.get(term) ?? 0) + gain);
  });
  return [...scores]
    .map(([term, count]) => ({ term, score: (1 + Math.log(count)) * rarity(term, statistics) }))
    .sort((a, b) => b.score - a.score || compareText(a.term, b.term))
    .slice(0, countMax)
    .map(({ term }) => term);
}

/** Inverse document frequency, smoothed so that it stays positive in a small corpus. */
export function rarity(term: string, { documentCount, documentFrequency }: TermStatistics): number {
  const frequency = documentFrequency(term);
  return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5));
}

/** Intersection over union of two keyword sets; 0 when both are empty. */
export function keywordJaccard(a: readonly string[], b: readonly string[]): number {
  const other = new Set(b);
  const shared = new Set(a.filter((keyword) => other.has(keyword))).size;
  return jaccardFromCounts(shared, new Set(a).size, other.size);
}

export function jaccardFromCounts(shared: number, sizeA: number, sizeB: number): number {
  const union = sizeA + sizeB - shared;
  return union === 0 ? 0 : shared / union;
}

function wordFactor(word: string, previous: string | undefined, position: number, wordCount: number): number {
  const isName = /^\p{Lu}/u.test(word) && previous !== undefined;
  const kind = isName ? nameFactor : isNumberWord(word) ? numberFactor : 1;
  return kind * (position < wordCount * earlyShare ? earlyFactor : 1);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
