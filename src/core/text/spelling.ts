/**
 * Spelling variants: which term of the memories a question may mean by a word that none of them has. People type
 * "restaraunt", write a name as they hear it, and spell as in Britain or in America. Every way in which the word may have
 * slipped by one letter, or a long one by two of the commonest slips, is looked up: the index tells terms apart by their
 * hashes and cannot list them, so some hundreds of slips are made from the word instead. The first letter is seldom wrong
 * (Pollock & Zamora 1984), and a word with another one is mostly another word.
 */
import { stemWord, toTerm } from "./words.js";

/** A word of a question that no memory has, and the term of the memories that it was taken for. */
export interface SpellingMatch {
  /** As the question has it. */
  readonly word: string;
  /** Without its ending, which is what is compared. */
  readonly term: string;
  /** The term of the memories. */
  readonly variant: string;
}

/** How the terms of a question are looked for. */
export interface Spelling {
  /** By a term of the question that no memory has, the one that takes its place. */
  readonly variants: ReadonlyMap<string, string>;
  /** What such a match counts, compared with the same word. */
  readonly weight: number;
}

export const asSpelt: Spelling = { variants: new Map(), weight: 1 };

/** Where terms are looked up. */
export interface TermLookup {
  readonly documentFrequency: (term: string) => number;
  /** Of many terms, those that some text has. */
  readonly held: (terms: readonly string[]) => string[];
}

/** Shorter words have too many neighbours: "cake", "care", "case". */
const lengthMin = 5;
/** A shorter word is recognized only if letters changed places or were doubled: too many others differ in one letter. */
const anySlipLengthMin = 6;
/** A word that is long enough to be recognized with two slips. */
const longLengthMin = 8;
/** Nobody types longer words by hand. */
const lengthMax = 24;
/** Of a question's words; a longer one is not looked through further. */
const lookedUpMax = 8;
const letters = "abcdefghijklmnopqrstuvwxyz";

/** For each word of a question that no memory has, the commonest term that it may be a slip of; ties by spelling. */
export function matchSpellings(words: readonly string[], index: TermLookup): SpellingMatch[] {
  const matches: SpellingMatch[] = [];
  const seen = new Set<string>();
  let lookedUpCount = 0;
  for (const word of words) {
    const term = toTerm(word);
    if (term === null || seen.has(term) || !canSlip(word) || index.documentFrequency(term) > 0) continue;
    seen.add(term);
    if (++lookedUpCount > lookedUpMax) break;
    const variant = commonest(index.held(slipTerms(word.toLowerCase(), term)), index);
    if (variant !== null) matches.push({ word, term, variant });
  }
  return matches;
}

function canSlip(word: string): boolean {
  return word.length >= lengthMin && word.length <= lengthMax && /^[A-Za-z]+$/u.test(word);
}

function commonest(terms: readonly string[], index: TermLookup): string | null {
  let best: string | null = null;
  let bestCount = 0;
  for (const term of terms) {
    const count = index.documentFrequency(term);
    if (count < bestCount || (count === bestCount && best !== null && term > best)) continue;
    [best, bestCount] = [term, count];
  }
  return best;
}

/** The terms that a lower-case word with this term may be a slip of. */
export function slipTerms(word: string, term: string): string[] {
  const slips = new Set<string>();
  if (term.length >= lengthMin) {
    addSwaps(term, slips);
    addDoublings(term, slips);
  }
  if (term.length >= anySlipLengthMin) addSingleSlips(term, slips);
  if (term.length >= longLengthMin) addDoubleSlips(term, slips);
  // In "walkign" the ending is no longer one.
  if (word.length >= anySlipLengthMin) {
    const swapped = new Set<string>();
    addSwaps(word, swapped);
    for (const each of swapped) slips.add(stemWord(each));
  }
  return [...slips].filter((slip) => slip !== term && slip.length >= lengthMin - 1);
}

/** Two neighbours in the wrong order. */
function addSwaps(word: string, slips: Set<string>): void {
  for (let at = 1; at + 1 < word.length; at++) {
    slips.add(word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2));
  }
}

/** A letter once instead of twice, or twice instead of once. */
function addDoublings(word: string, slips: Set<string>): void {
  for (let at = 1; at < word.length; at++) {
    slips.add(word.slice(0, at) + word[at]! + word.slice(at));
    if (word[at] === word[at - 1]) slips.add(word.slice(0, at) + word.slice(at + 1));
  }
}

/** One letter too many, too few or wrong (Damerau 1964). */
function addSingleSlips(word: string, slips: Set<string>): void {
  for (let at = 1; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) slips.add(before + letter + after);
    if (after === "") continue;
    slips.add(before + after.slice(1));
    for (const letter of letters) slips.add(before + letter + after.slice(1));
  }
}

/** A letter in another place ("restaraunt"), or doubled instead of another ("tommorow"). */
function addDoubleSlips(word: string, slips: Set<string>): void {
  for (let from = 1; from < word.length; from++) {
    const [letter, without] = [word[from]!, word.slice(0, from) + word.slice(from + 1)];
    for (let to = 1; to <= without.length; to++) {
      slips.add(without.slice(0, to) + letter + without.slice(to));
      slips.add(without.slice(0, to) + without[to - 1]! + without.slice(to));
    }
  }
}
