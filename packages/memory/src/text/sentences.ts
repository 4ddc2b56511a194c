/**
 * Splits text into sentences. The platform's segmenter finds the boundaries; what it cuts after an abbreviation or an
 * initial is joined again, and every line break ends a sentence.
 */

import { finish } from "./steps.js";
import { cutText, splitWords, toTerm } from "./words.js";

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** A longer line is cut; real sentences are shorter. */
const lineLengthMax = 2_000;
/** How many characters of short lines make up one step. */
const stepLength = 2_000;
/** Only after one of these can the segmenter find a boundary; asking it takes longer than looking for them. */
const boundary = /[\p{Sentence_Terminal}.\u2024\uFE52\uFF0E\u0085\u2028\u2029]/u;
const initial = /(?:^|[\s("'])\p{Lu}\.$/u;
const abbreviation = /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|approx|dept|e\.g|i\.e)\.$/iu;
/** More than the longest abbreviation with its full stop and what comes before it. */
const endingLength = 10;

export function splitSentences(text: string): string[] {
  return finish(splitSentencesSteps(text));
}

export function* splitSentencesSteps(text: string): Generator<void, string[]> {
  const sentences: string[] = [];
  let length = 0;
  for (const line of text.split(/[\r\n]+/u)) {
    for (const piece of cutText(line, lineLengthMax)) {
      splitLine(piece, sentences);
      length += piece.length + 1;
      if (length < stepLength) continue;
      length = 0;
      yield;
    }
  }
  return sentences;
}

function splitLine(line: string, sentences: string[]): void {
  let start = 0;
  if (boundary.test(line)) {
    for (const { segment, index } of sentenceSegmenter.segment(line)) {
      if (index === start || isCutShort(line, start, index, segment)) continue;
      pushTrimmed(sentences, line.slice(start, index));
      start = index;
    }
  }
  pushTrimmed(sentences, line.slice(start));
}

/**
 * Whether the sentence of a line between `start` and `end` goes on with the segment there. "Dr. Smith" and "A. Jones"
 * do; "vitamin C. It helps." does not, since a sentence often begins with such a word.
 */
function isCutShort(line: string, start: number, end: number, next: string): boolean {
  const ending = endingOf(line, start, end);
  if (abbreviation.test(ending)) return true;
  if (!initial.test(ending)) return false;
  const [nextWord] = splitWords(next);
  return nextWord === undefined || toTerm(nextWord) !== null;
}

/** The last characters before the white space at the end: a sentence may have grown long by then. */
function endingOf(line: string, start: number, end: number): string {
  let last = end;
  while (last > start && line.slice(last - 1, last).trim() === "") last--;
  return line.slice(Math.max(start, last - endingLength), last);
}

function pushTrimmed(sentences: string[], sentence: string): void {
  const trimmed = sentence.trim();
  if (trimmed.length > 0) sentences.push(trimmed);
}
