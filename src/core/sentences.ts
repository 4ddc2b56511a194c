/**
 * Text to sentences. The platform's segmenter finds the boundaries; what it cuts after an abbreviation or an initial is
 * joined again, and every line break ends a sentence.
 */

const sentenceSegmenter = new Intl.Segmenter("en", { granularity: "sentence" });
const initial = /(?:^|[\s("'])\p{Lu}\.\s*$/u;
const abbreviation = /(?:^|[\s("'])(?:mr|mrs|ms|dr|prof|st|jr|sr|vs|approx|dept|e\.g|i\.e)\.\s*$/iu;

export function splitSentences(text: string): string[] {
  return text.split(/[\r\n]+/u).flatMap(splitLine);
}

function splitLine(line: string): string[] {
  const sentences: string[] = [];
  let open = "";
  for (const { segment } of sentenceSegmenter.segment(line)) {
    open += segment;
    if (abbreviation.test(open) || initial.test(open)) continue;
    pushTrimmed(sentences, open);
    open = "";
  }
  pushTrimmed(sentences, open);
  return sentences;
}

function pushTrimmed(sentences: string[], sentence: string): void {
  const trimmed = sentence.trim();
  if (trimmed.length > 0) sentences.push(trimmed);
}
