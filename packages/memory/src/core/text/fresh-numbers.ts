/**
 * Numbers that a new memory adds and the one it resembles lacks. A check-in worded like the last one that says 141/86
 * instead of 148/92 looks like a repetition to vectors and keywords but is not one: the number is the news.
 */
import { isNumberWord, isSpelledNumber, splitWordsSteps, toTerm } from "./words.js";

export interface FreshNumbers {
  /** In order of appearance, each once. */
  readonly fresh: readonly string[];
  /** The share of fresh ones among all numbers of the text; 0 for a text without numbers. */
  readonly share: number;
}

const wordsPerStep = 500;

/** `holds` says whether the older memory has a term. Numbers too common to be terms ("one", "two") do not count. */
export function* findFreshNumbersSteps(text: string, holds: (term: string) => boolean): Generator<void, FreshNumbers> {
  const numbers = new Map<string, string>();
  for (const [i, word] of (yield* splitWordsSteps(text)).entries()) {
    if (i % wordsPerStep === 0) yield;
    if (!isNumberWord(word) && !isSpelledNumber(word)) continue;
    const term = toTerm(word);
    if (term !== null && !numbers.has(term)) numbers.set(term, word);
  }
  const fresh: string[] = [];
  for (const [term, word] of numbers) {
    if (!holds(term)) fresh.push(word);
    yield;
  }
  return { fresh, share: numbers.size === 0 ? 0 : fresh.length / numbers.size };
}
