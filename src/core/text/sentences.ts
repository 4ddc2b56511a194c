/**
 * Splits text into sentences. The platform's segmenter finds the boundaries; what it cuts after an abbreviation or an
 * initial is joined again, and every line break ends a sentence.
 */

import { cutText, splitWords, toTerm } from "./words.js";

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });
/** A longer line is cut; real sentences are shorter. */
const lineLengthMax = 2_000;
const initial = /(?:^|[\s("'])\p{Lu}\.\s*$/u;
const abbreviation = /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|approx|dept|e\.g|i\.e)\.\s*$/iu;

export function splitSentences(text: string): string[] {
  return text
    .split(/[\r\n]+/u)
    .flatMap((line) => cutText(line, lineLengthMax))
    .flatMap(splitLine);
}

function splitLine(line: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (const { segment } of sentenceSegmenter.segment(line)) {
    if (open !== "" && !isCutShort(open, segment)) {
      pushTrimmed(sentences, open);
      open = "";
    }
    open += segment;
  }
  pushTrimmed(sentences, open);
  return sentences;
}

/**
 * "Dr. Smith" and "A. Jones" continue; "vitamin C. It helps." does not, since a sentence often begins with such a word.
 */
function isCutShort(sentence: string, next: string): boolean {
  if (abbreviation.test(sentence)) return true;
  if (!initial.test(sentence)) return false;
  const [nextWord] = splitWords(next);
  return nextWord === undefined || toTerm(nextWord) !== null;
}

function pushTrimmed(sentences: string[], sentence: string): void {
  const trimmed = sentence.trim();
  if (trimmed.length > 0) sentences.push(trimmed);
}
