/** What a lexical index covers of a question, by key, without the texts that have nothing of it. */
import type { LexicalIndex } from "../../../src/core/text/lexical-index.js";
import { splitTerms } from "../../../src/core/text/words.js";

const keyCountMax = 64;

export function coveragesOf(
  index: LexicalIndex,
  query: string,
  saturation: number,
  lengthWeight: number,
): Map<number, number> {
  const out = new Float64Array(keyCountMax).fill(7);
  index.coverages(splitTerms(query), saturation, lengthWeight, out);
  return new Map([...out.entries()].filter(([, coverage]) => coverage !== 0));
}
