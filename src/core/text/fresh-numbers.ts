/**
 * Numbers that a new memory brings and the one it resembles does not have. A check-in in the words of the last one that
 * says 141/86 instead of 148/92 looks like a repetition to vectors and keywords, and is none: the number is the news.
 */
import { isNumberWord, isSpelledNumber, splitWords, toTerm } from "./words.js";

export interface FreshNumbers {
  /** In the order they come in the text, each once. */
  readonly fresh: readonly string[];
  /** Fresh ones among all numbers of the text; 0 for a text without numbers. */
  readonly share: number;
}

/** `holds` says whether the older memory has a term. Numbers too common to be terms ("one", "two") do not count. */
export function findFreshNumbers(text: string, holds: (term: string) => boolean): FreshNumbers {
  const numbers = new Map<string, string>();
  for (const word of splitWords(text)) {
    if (!isNumberWord(word) && !isSpelledNumber(word)) continue;
    const term = toTerm(word);
    if (term !== null && !numbers.has(term)) numbers.set(term, word);
  }
  const fresh = [...numbers].filter(([term]) => !holds(term)).map(([, word]) => word);
  return { fresh, share: numbers.size === 0 ? 0 : fresh.length / numbers.size };
}
