/** A vector for each word of a text that says something: the mean of the vectors of its pieces. */
import { isStopWord } from "../../text/words.js";
import type { EmbeddedText } from "../../ports/embedder.js";
import type { PieceWord } from "./word-pieces.js";

export const tokenDimensions = 64;

/** What the tokenizer makes of contractions: it splits at the apostrophe. */
const contractionParts: ReadonlySet<string> = new Set(
  `s d m ve ll re t don didn doesn isn wasn aren won couldn wouldn shouldn hasn haven hadn`.split(" "),
);

/** Without punctuation, stop words and what is left of contractions. */
export function selectWords(words: readonly PieceWord[]): PieceWord[] {
  return words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text) && !isStopWord(text) && !contractionParts.has(text));
}

/** The selected words and their vectors; `tokens` has a row for each piece of the text. */
export function toWords(
  words: readonly PieceWord[],
  tokens: Float32Array,
): Pick<EmbeddedText, "words" | "wordVectors"> {
  const selected = selectWords(words);
  const wordVectors = new Float32Array(selected.length * tokenDimensions);
  for (const [i, { places }] of selected.entries()) {
    const mean = wordVectors.subarray(i * tokenDimensions, (i + 1) * tokenDimensions);
    for (const place of places) {
      for (let k = 0; k < tokenDimensions; k++) mean[k]! += tokens[place * tokenDimensions + k]! / places.length;
    }
  }
  return { words: selected.map(({ text }) => text), wordVectors };
}
