/**
 * Signs that a short statement is not a repetition of another, whatever it sounds like: a number of its own, or the same
 * words but for one ("the train to Cork", "the train from Cork"), for their order ("Ada rang Bea", "Bea rang Ada") or
 * for a negation ("I eat meat", "I don't eat meat"), or the end of what the other states. Whoever says the same again after days seldom keeps to the words and
 * changes one.
 */
import { readNumber, readOrdinal, tokenize } from "./time/time-words.js";
import { splitTerms, splitWords } from "../text/words.js";
import { tellsEndOf } from "./ends.js";

/** Smaller ones are too common in words, as "one" and "second", to be news. */
const spelledMin = 3;
/** Up to this share of the words, and at least one, may differ in what is worded the same. */
const changedShareMax = 1 / 4;
const wordCountMin = 3;
/** Words that begin alike are forms of one. */
const stemLength = 4;

/** Whether the words speak against a repetition. */
export function isOther(older: string, newer: string): boolean {
  return (
    hasOwnNumber(older, newer) ||
    isWordedTheSame(older, newer) ||
    findNegation(older, newer) !== null ||
    tellsEndOf(older, newer)
  );
}

/** Whether the newer one has a number, in digits or in words, that the older one has not in either. */
export function hasOwnNumber(older: string, newer: string): boolean {
  const known = new Set(readValues(older).map(({ value }) => value));
  return readValues(newer).some(({ value, isSpelled }) => !known.has(value) && (!isSpelled || value >= spelledMin));
}

interface ReadValue {
  readonly value: number;
  readonly isSpelled: boolean;
}

function readValues(text: string): ReadValue[] {
  const tokens = tokenize(text.replace(/(\d)(?=\p{L})/gu, "$1 "));
  const values: ReadValue[] = [];
  for (let index = 0; index < tokens.length;) {
    const digits = tokens[index]!.text.match(/\d+/gu);
    const spelled = digits === null ? (readOrdinal(tokens, index) ?? readNumber(tokens, index)) : undefined;
    for (const each of digits ?? []) values.push({ value: Number(each), isSpelled: false });
    if (spelled !== undefined) values.push({ value: spelled.value, isSpelled: true });
    index = spelled?.end ?? index + 1;
  }
  return values;
}

export function isWordedTheSame(older: string, newer: string): boolean {
  const [before, after] = [older, newer].map((text) => splitWords(text.toLowerCase().replaceAll("’", "'"))) as [
    string[],
    string[],
  ];
  if (before.length !== after.length || before.length < wordCountMin) return false;
  const changed = before.flatMap((word, i) => (word === after[i] ? [] : [[word, after[i]!] as const]));
  if (changed.length > 0 && before.toSorted().join(" ") === after.toSorted().join(" ")) return true;
  const isFew = changed.length > 0 && changed.length <= Math.max(1, Math.floor(before.length * changedShareMax));
  return isFew && changed.some(([word, other]) => word.slice(0, stemLength) !== other.slice(0, stemLength));
}

const negated = /(?<![\p{L}\p{N}_])\p{L}+n['’]t\b/giu;
const negation = /\b(?:not|never|no|none|without|cannot|stopped|quit)\b/iu;
/** Words that come and go with a negation and say nothing else; most of those are no terms anyway. */
const besides: ReadonlySet<string> = new Set(["stopp", "stopped", "quit", "longer", "anymore"]);
/** Whom a statement is about, if it has no name. */
const persons = /\b(?:i|me|my|mine|we|us|our|you|your|he|him|his|she|her|hers|they|them|their)\b/giu;

/** Whether one of two statements says no to the other: in the same words, or in some that say more. */
export function findNegation(older: string, newer: string): "in the same words" | "in more words" | null {
  const [before, after] = [older, newer].map(readNegated) as [
    ReturnType<typeof readNegated>,
    ReturnType<typeof readNegated>,
  ];
  if (before.isNegated === after.isNegated || before.persons !== after.persons) return null;
  const [fewer, others] = before.terms.size <= after.terms.size ? [before, after] : [after, before];
  if (fewer.terms.size === 0 || [...fewer.terms].some((term) => !others.terms.has(term))) return null;
  return fewer.terms.size === others.terms.size ? "in the same words" : "in more words";
}

function readNegated(text: string): { isNegated: boolean; terms: ReadonlySet<string>; persons: string } {
  const plain = text.replace(negated, " not ");
  return {
    isNegated: negation.test(plain),
    terms: new Set(splitTerms(plain).filter((term) => !besides.has(term))),
    persons: [...new Set(plain.toLowerCase().match(persons))].toSorted().join(" "),
  };
}
