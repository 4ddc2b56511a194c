/**
 * A vector for each word of a text that says something: the mean of the model's last states of the word's pieces, as a
 * fixed matrix maps it to fewer numbers. The matrix holds the directions in which such states differ most, and
 * `training/words.mjs` makes it; what it leaves out changes cosines little.
 */
import { fileURLToPath } from "node:url";
import { isStopWord } from "../../../text/words.js";
import { packageFile } from "../../../files/package-files.js";
import type { EmbeddedText } from "../../../ports/embedder.js";
import { findHalfPrecision } from "./model-files.js";
import { readHalfPrecision, readSafetensorsTable } from "./safetensors.js";
import type { PieceWord } from "./word-pieces.js";

export const wordDimensions = 128;

/** What the tokenizer makes of contractions: it splits at the apostrophe. */
const contractionParts: ReadonlySet<string> = new Set(
  `s d m ve ll re t don didn doesn isn wasn aren won couldn wouldn shouldn hasn haven hadn`.split(" "),
);

/** The matrix: a row of weights for each number of a word's vector. */
export function readWordProjection(): Float32Array {
  const path = fileURLToPath(packageFile("models/words.safetensors"));
  const tensor = findHalfPrecision({ tensors: readSafetensorsTable(path) }, "projection");
  const projection = new Float32Array(tensor.byteCount / Uint16Array.BYTES_PER_ELEMENT);
  readHalfPrecision(path, [tensor.start], projection);
  return projection;
}

/** Without punctuation, stop words and what is left of contractions. */
export function selectWords(words: readonly PieceWord[]): PieceWord[] {
  return words.filter(({ text }) => /[\p{L}\p{N}]/u.test(text) && !isStopWord(text) && !contractionParts.has(text));
}

/** The selected words of a text and their vectors; `states` has a row per word piece. */
export function toWords(
  words: readonly PieceWord[],
  states: Float32Array,
  projection: Float32Array,
): Pick<EmbeddedText, "words" | "wordVectors"> {
  const selected = selectWords(words);
  const means = averagePieces(selected, states, projection.length / wordDimensions);
  return { words: selected.map(({ text }) => text), wordVectors: project(means, projection) };
}

/** For each word the mean of its pieces' rows. */
function averagePieces(words: readonly PieceWord[], rows: Float32Array, width: number): Float32Array {
  const means = new Float32Array(words.length * width);
  for (const [i, { start, end }] of words.entries()) {
    const mean = means.subarray(i * width, (i + 1) * width);
    for (let k = start * width; k < end * width; k++) mean[k % width]! += rows[k]! / (end - start);
  }
  return means;
}

function project(means: Float32Array, projection: Float32Array): Float32Array {
  const width = projection.length / wordDimensions;
  return Float32Array.from({ length: (means.length / width) * wordDimensions }, (_, i) => {
    const mean = Math.floor(i / wordDimensions) * width;
    const weights = (i % wordDimensions) * width;
    let sum = 0;
    for (let k = 0; k < width; k++) sum += means[mean + k]! * projection[weights + k]!;
    return sum;
  });
}
