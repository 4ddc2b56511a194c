/**
 * Spelling variants: which term of the memories a question may mean by a word that none of them has. People type
 * "restaraunt", write a name as they hear it, and spell as in Britain or in America. Every way in which the word may have
 * slipped by one letter, or a long one by two of the commonest slips, is looked up: the index tells terms apart by their
 * hashes and cannot list them, so some hundreds of slips are made from the word instead. The first letter is seldom wrong
 * (Pollock & Zamora 1984), and a word with another one is mostly another word.
 */
import { stemWord, toTerm } from "./words.js";

export interface SpellingMatch {
  /** A word that no memory has, as the question has it. */
  readonly word: string;
  /** What it was taken for, in lower case; some memory has it, perhaps with another ending. */
  readonly variant: string;
}

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
const lookedUpMax = 4;
const letters = "abcdefghijklmnopqrstuvwxyz";

/** For each word of a question that no memory has, the commonest term that it may be a slip of; ties by spelling. */
export function matchSpellings(words: readonly string[], index: TermLookup): SpellingMatch[] {
  const unknown = new Map<string, { readonly word: string; readonly slips: readonly string[] }>();
  for (const word of words) {
    const term = toTerm(word);
    if (term === null || unknown.has(term) || !canSlip(word) || index.documentFrequency(term) > 0) continue;
    unknown.set(term, { word, slips: slipTerms(word.toLowerCase(), term) });
    if (unknown.size === lookedUpMax) break;
  }
  // One look-up for all words: in a memory that was just loaded it goes through all terms.
  const held = new Set(index.held([...unknown.values()].flatMap(({ slips }) => slips)));
  return [...unknown.values()].flatMap(({ word, slips }) => {
    const variant = commonest(
      slips.filter((slip) => held.has(slip)),
      index,
    );
    return variant === null ? [] : [{ word, variant: withEnding(word.toLowerCase(), variant) }];
  });
}

/** A text with the variants in place of the words. */
export function respell(text: string, matches: readonly SpellingMatch[]): string {
  let respelt = text;
  for (const { word, variant } of matches) respelt = respelt.replaceAll(new RegExp(`\\b${word}\\b`, "gu"), variant);
  return respelt;
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

/** The word with a term that is nearest to a misspelt one, so that "recieved" becomes "received" and not "receiv". */
function withEnding(word: string, term: string): string {
  const slips: string[] = [];
  addSwaps(word, slips);
  addSingleSlips(word, slips);
  if (word.length >= longLengthMin) addDoubleSlips(word, slips);
  return slips.find((slip) => stemWord(slip) === term) ?? term;
}

/** The terms that a lower-case word with this term may be a slip of; some twice, which costs less than finding out. */
export function slipTerms(word: string, term: string): string[] {
  const slips: string[] = [];
  if (term.length >= lengthMin) {
    addSwaps(term, slips);
    addDoublings(term, slips);
  }
  if (term.length >= anySlipLengthMin) addSingleSlips(term, slips);
  if (term.length >= longLengthMin) addDoubleSlips(term, slips);
  // In "walkign" the ending is no longer one.
  if (word.length >= anySlipLengthMin) {
    const swapped: string[] = [];
    addSwaps(word, swapped);
    for (const each of swapped) slips.push(stemWord(each));
  }
  return slips.filter((slip) => slip.length >= lengthMin - 1 && slip !== term);
}

/** Two neighbours in the wrong order. */
function addSwaps(word: string, slips: string[]): void {
  for (let at = 1; at + 1 < word.length; at++) {
    slips.push(word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2));
  }
}

/** A letter once instead of twice, or twice instead of once. */
function addDoublings(word: string, slips: string[]): void {
  for (let at = 1; at < word.length; at++) {
    slips.push(word.slice(0, at) + word[at]! + word.slice(at));
    if (word[at] === word[at - 1]) slips.push(word.slice(0, at) + word.slice(at + 1));
  }
}

/** One letter too many, too few or wrong (Damerau 1964). */
function addSingleSlips(word: string, slips: string[]): void {
  for (let at = 1; at <= word.length; at++) {
    const [before, after, rest] = [word.slice(0, at), word.slice(at), word.slice(at + 1)];
    for (const letter of letters) slips.push(before + letter + after);
    if (after === "") continue;
    for (const letter of letters) slips.push(before + letter + rest);
    slips.push(before + rest);
  }
}

/** A letter in another place ("restaraunt"), or doubled instead of another ("tommorow"). */
function addDoubleSlips(word: string, slips: string[]): void {
  for (let from = 1; from < word.length; from++) {
    const [letter, without] = [word[from]!, word.slice(0, from) + word.slice(from + 1)];
    for (let to = 1; to <= without.length; to++) {
      const [before, after] = [without.slice(0, to), without.slice(to)];
      slips.push(before + letter + after, before + without[to - 1]! + after);
    }
  }
}
