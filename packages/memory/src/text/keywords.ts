/**
 * Keywords of a text, found without supervision (Table C2): a term counts by how often the text uses it and how rarely
 * the person's other memories do. Names and numbers count more, since in a narrow domain they are what tells two
 * memories apart.
 */
import { splitSentencesSteps } from "./sentences.js";
import { isNumberWord, splitTerms, splitWordsSteps, toTerm } from "./words.js";

/** What the person's memories already say: how many there are and how many hold a term. */
export interface TermStatistics {
  readonly documentCount: number;
  readonly documentFrequency: (term: string) => number;
}

const nameFactor = 1.5;
const numberFactor = 1.2;
const earlyFactor = 1.1;
const earlyShare = 0.25;
const wordsPerStep = 500;

export function* extractKeywordsSteps(
  text: string,
  statistics: TermStatistics,
  countMax: number,
): Generator<void, string[]> {
  const sentences: string[][] = [];
  for (const sentence of yield* splitSentencesSteps(text)) {
    sentences.push(yield* splitWordsSteps(sentence));
    yield;
  }
  const wordCount = sentences.reduce((sum, words) => sum + words.length, 0);
  const found = new Map<string, FoundTerm>();
  let position = 0;
  for (const words of sentences) {
    for (const [placeInSentence, word] of words.entries()) {
      if (position % wordsPerStep === 0) yield;
      const isEarly = position++ < wordCount * earlyShare;
      const term = toTerm(word);
      if (term === null || term.length < 2) continue;
      const gain = wordFactor(word, placeInSentence) * (isEarly ? earlyFactor : 1);
      const known = found.get(term);
      if (known === undefined) found.set(term, { word: word.toLowerCase(), gain });
      else known.gain += gain;
    }
  }
  return yield* chooseKeywordsSteps(found, statistics, countMax);
}

interface FoundTerm {
  readonly word: string;
  gain: number;
}

interface ScoredWord {
  readonly word: string;
  readonly score: number;
}

/** The words of highest score; there may be very many others, so they are not sorted. */
function* chooseKeywordsSteps(
  found: ReadonlyMap<string, FoundTerm>,
  statistics: TermStatistics,
  countMax: number,
): Generator<void, string[]> {
  const best: ScoredWord[] = [];
  let looked = 0;
  for (const [term, { word, gain }] of found) {
    if (++looked % wordsPerStep === 0) yield;
    const scored = { word, score: (1 + Math.log(gain)) * rarity(term, statistics) };
    if (best.length === countMax && compareScores(scored, best.at(-1)!) >= 0) continue;
    best.splice(best.findLastIndex((other) => compareScores(other, scored) <= 0) + 1, 0, scored);
    if (best.length > countMax) best.pop();
  }
  return best.map(({ word }) => word);
}

function compareScores(a: ScoredWord, b: ScoredWord): number {
  return b.score - a.score || compareText(a.word, b.word);
}

/** What two keywords are compared by: their terms, so that "tablets" and "tablet" are the same. */
export function keywordTerms(keywords: readonly string[]): Set<string> {
  const terms = new Set<string>();
  for (const keyword of keywords) terms.add(keywordTerm(keyword));
  return terms;
}

export function keywordTerm(keyword: string): string {
  const terms = splitTerms(keyword);
  return terms.length === 1 ? terms[0]! : terms.join(" ") || keyword;
}

/** Inverse document frequency, smoothed to stay positive in a small corpus. */
export function rarity(term: string, { documentCount, documentFrequency }: TermStatistics): number {
  const frequency = documentFrequency(term);
  return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5));
}

/** Intersection over union of two keyword sets; 0 when both are empty. */
export function keywordJaccard(a: readonly string[], b: readonly string[]): number {
  const termsA = keywordTerms(a);
  const termsB = keywordTerms(b);
  const shared = [...termsA].filter((term) => termsB.has(term)).length;
  return jaccardFromCounts(shared, termsA.size, termsB.size);
}

export function jaccardFromCounts(shared: number, sizeA: number, sizeB: number): number {
  const union = sizeA + sizeB - shared;
  return union === 0 ? 0 : shared / union;
}

/** A capital marks a name only inside a sentence; every sentence begins with one. */
function wordFactor(word: string, placeInSentence: number): number {
  if (placeInSentence > 0 && /^\p{Lu}/u.test(word)) return nameFactor;
  return isNumberWord(word) ? numberFactor : 1;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
