// Makes `models/words.safetensors`: the matrix that maps the model's state of a word to its vector. Its rows are the
// directions in which the states of words in our training sentences, each at unit length, are largest: the eigenvectors
// of the sum of their products with the largest eigenvalues. Nothing is random, so it writes the same file every time.
//
// npm run build && node packages/lab/training/words.mjs packages/memory/models/words.safetensors
// node packages/lab/training/words.mjs OUT SENTENCES takes the sentences from a file instead, a JSON array.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { readModelFiles, readModelJson } from "../../memory/dist/adapters/embedder/minilm/model-files.js";
import { PlainEncoder } from "../../memory/dist/adapters/embedder/minilm/plain-encoder.js";
import { WordPieces } from "../../memory/dist/adapters/embedder/minilm/word-pieces.js";
import { averagePieces, selectWords, wordDimensions } from "../../memory/dist/adapters/embedder/minilm/word-vectors.js";

const size = 384;
const sentencesPerAuthor = 60;
const [outPath, sentencesPath] = process.argv.slice(2);
const sentences = sentencesPath === undefined ? drawSentences() : JSON.parse(readFileSync(sentencesPath, "utf8"));

const products = await sumProducts(sentences);
const { values, vectors } = findEigenvectors(products, size);
const order = Array.from(values.keys()).toSorted((a, b) => values[b] - values[a]);
const rows = order.slice(0, wordDimensions).map((i) => vectors[i]);
const share = order.slice(0, wordDimensions).reduce((sum, i) => sum + values[i], 0) / values.reduce((a, b) => a + b);
writeFileSync(outPath, toSafetensors(rows.map(pointUp)));
process.stdout.write(
  `${sentences.length} sentences; ${wordDimensions} of ${size} numbers keep ${(100 * share).toFixed(1)} %\n`,
);

/** What people tell and ask, evenly spaced over each author's files. */
function drawSentences() {
  const folder = new URL("data/", import.meta.url);
  return readdirSync(folder)
    .toSorted()
    .flatMap((author) => {
      const files = readdirSync(new URL(`${author}/`, folder)).filter((name) =>
        /^(?:areas|persons|stories)\./u.test(name),
      );
      const texts = new Set();
      for (const name of files.toSorted()) {
        JSON.parse(readFileSync(new URL(`${author}/${name}`, folder), "utf8"), (key, value) => {
          if (key === "text" || key === "question") texts.add(value);
          return value;
        });
      }
      const all = [...texts];
      const count = Math.min(sentencesPerAuthor, all.length);
      return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)]);
    });
}

async function sumProducts(texts) {
  const files = await readModelFiles();
  const encoder = new PlainEncoder(files);
  const pieces = new WordPieces(await readModelJson(files.tokenizerPath));
  const sums = new Float64Array(size * size);
  for (const text of texts) {
    const ids = pieces.encode(text, files.tokenCountMax);
    const words = selectWords(pieces.wordsOf(ids));
    const [states] = await encoder.encode([ids]);
    const means = averagePieces(words, states, size);
    for (let start = 0; start < means.length; start += size) addProducts(means.subarray(start, start + size), sums);
  }
  return sums;
}

function addProducts(vector, sums) {
  const square = vector.reduce((sum, value) => sum + value * value, 0);
  for (let i = 0; i < size; i++) for (let k = 0; k < size; k++) sums[i * size + k] += (vector[i] * vector[k]) / square;
}

/** Jacobi's method: rotations, each of which makes one number off the diagonal 0, until all nearly are. */
function findEigenvectors(symmetric, count) {
  const a = Array.from({ length: count }, (_, i) => symmetric.slice(i * count, (i + 1) * count));
  const vectors = a.map((_, i) => Float64Array.from({ length: count }, (__, k) => (i === k ? 1 : 0)));
  const scale = Math.sqrt(symmetric.reduce((sum, value) => sum + value * value, 0));
  for (let sweep = 0; sweep < 50 && offDiagonal(a) > 1e-12 * scale; sweep++) {
    for (let p = 0; p < count; p++) for (let q = p + 1; q < count; q++) rotate(a, vectors, p, q);
  }
  return { values: a.map((row, i) => row[i]), vectors };
}

function offDiagonal(a) {
  let sum = 0;
  for (const [i, row] of a.entries()) for (let k = 0; k < i; k++) sum += 2 * row[k] ** 2;
  return Math.sqrt(sum);
}

function rotate(a, vectors, p, q) {
  if (a[p][q] === 0) return;
  const cotangent = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  const t = (cotangent < 0 ? -1 : 1) / (Math.abs(cotangent) + Math.hypot(cotangent, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  for (const row of a) [row[p], row[q]] = [c * row[p] - s * row[q], s * row[p] + c * row[q]];
  for (const [first, second] of [
    [a[p], a[q]],
    [vectors[p], vectors[q]],
  ]) {
    for (let k = 0; k < first.length; k++) {
      const [x, y] = [first[k], second[k]];
      first[k] = c * x - s * y;
      second[k] = s * x + c * y;
    }
  }
}

/** An eigenvector may point either way. */
function pointUp(vector) {
  const largest = vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
  return largest < 0 ? vector.map((value) => -value) : vector;
}

function toSafetensors(matrix) {
  const numbers = Uint16Array.from(matrix.flatMap((row) => Array.from(row, toHalf)));
  const entry = { dtype: "F16", shape: [matrix.length, size], data_offsets: [0, numbers.byteLength] };
  const table = Buffer.from(JSON.stringify({ projection: entry }));
  const padded = Buffer.concat([table, Buffer.alloc(-table.length & 7, " ")]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, Buffer.from(numbers.buffer)]);
}

/** The nearest half-precision number, of one below 1. */
function toHalf(value) {
  const absolute = Math.abs(value);
  const exponent = Math.max(-14, Math.floor(Math.log2(absolute)));
  const exponentBits = absolute < 2 ** -14 ? 0 : (exponent + 14) << 10;
  // A fraction that rounds up to the next power of two carries into the exponent.
  return (value < 0 ? 0x8000 : 0) + exponentBits + Math.round(absolute * 2 ** (10 - exponent));
}
