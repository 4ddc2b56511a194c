/**
 * Vectors of the single words of a memory's statements, and how well they match the words of a question (late
 * interaction, after Khattab & Zaharia 2020). A component takes two bits: its sign, and whether it is large. A byte holds
 * four of them, so a product with a word of the question is one look-up per byte, in a table made once per question; the
 * products are integers, the same on every machine.
 */
import { type QuantizedVector, dot, quantizeVector } from "./quantized-vector.js";

/** The vectors of each statement's words, one after another. */
export type StatementTokens = readonly Float32Array[];

const componentsPerByte = 4;
const bitsPerComponent = 2;
const byteValueCount = 256;
const signBit = 2;
const largeBit = 1;
const small = 1;
const large = 3;
/** A component of a normal distribution is rounded best if it counts as large from this many standard deviations on. */
const largeFrom = 0.98;
/** Dimensions, the number of statements, and the number of words of each, in two bytes each. */
const headNumberCount = 2;
const numberByteCount = 2;
const numberMax = 2 ** 16 - 1;

export function packTokens(statements: StatementTokens, dimensions: number): Uint8Array {
  if (dimensions % componentsPerByte !== 0) throw new RangeError(`${dimensions} dimensions do not fill whole bytes`);
  const counts = statements.map(({ length }) => length / dimensions);
  if ([dimensions, statements.length, ...counts].some((count) => count > numberMax)) {
    throw new RangeError("too many words");
  }
  const head = [dimensions, statements.length, ...counts];
  const tokenCount = counts.reduce((sum, count) => sum + count, 0);
  const bytes = new Uint8Array(head.length * numberByteCount + (tokenCount * dimensions) / componentsPerByte);
  const view = new DataView(bytes.buffer);
  head.forEach((number, i) => view.setUint16(i * numberByteCount, number, true));
  let at = head.length * numberByteCount;
  for (const numbers of statements) {
    for (let start = 0; start < numbers.length; start += dimensions) {
      at = packToken(numbers.subarray(start, start + dimensions), bytes, at);
    }
  }
  return bytes;
}

function packToken(numbers: Float32Array, bytes: Uint8Array, start: number): number {
  let square = 0;
  for (const number of numbers) square += number * number;
  const limit = largeFrom * Math.sqrt(square / numbers.length);
  let at = start;
  for (let i = 0; i < numbers.length; i += componentsPerByte) {
    let byte = 0;
    for (let j = 0; j < componentsPerByte; j++) {
      const number = numbers[i + j]!;
      const code = (number < 0 ? signBit : 0) | (Math.abs(number) > limit ? largeBit : 0);
      byte |= code << (j * bitsPerComponent);
    }
    bytes[at++] = byte;
  }
  return at;
}

/** By byte, the components it stands for. */
const componentsOf = Array.from({ length: byteValueCount }, (_, byte) =>
  Array.from({ length: componentsPerByte }, (__, j) => {
    const code = byte >> (j * bitsPerComponent);
    return ((code & signBit) === 0 ? 1 : -1) * ((code & largeBit) === 0 ? small : large);
  }),
);
const squareOf = Int16Array.from(componentsOf, (components) => components.reduce((sum, each) => sum + each * each, 0));

/** A word of a question and how much it counts; the weights of all add up to 1. */
export interface QuestionToken {
  readonly vector: ArrayLike<number>;
  readonly weight: number;
}

/** How well a memory matches the words of a question: the mean, by their weights, of each word's highest cosine. */
export interface TokenMatch {
  /** Among the words of the best statement. */
  readonly best: number;
  /** Among all words of the memory. */
  readonly whole: number;
  /** Among the words of each statement. */
  readonly statements: readonly number[];
}

export class TokenMatcher {
  readonly #dimensions: number;
  readonly #weights: readonly number[];
  /** By word and byte position, what each byte contributes to the product. */
  readonly #tables: readonly Int16Array[];
  readonly #lengths: readonly number[];

  constructor(question: readonly QuestionToken[], dimensions: number) {
    const vectors = question.map(({ vector }) => quantizeVector(vector));
    this.#dimensions = dimensions;
    this.#weights = question.map(({ weight }) => weight);
    this.#tables = vectors.map((vector) => makeTable(vector));
    this.#lengths = vectors.map((vector) => Math.sqrt(dot(vector, 0, vector, 0, dimensions)) || 1);
  }

  /** Null for bytes that are not of this kind, or of another number of statements. */
  match(bytes: Uint8Array, statementCount: number): TokenMatch | null {
    const counts = readCounts(bytes, this.#dimensions);
    if (counts?.length !== statementCount) return null;
    const highest = new Float64Array(this.#weights.length).fill(-1);
    const cosines = new Float64Array(this.#weights.length);
    const tokenByteCount = this.#dimensions / componentsPerByte;
    let at = (headNumberCount + statementCount) * numberByteCount;
    const statements: number[] = [];
    for (const count of counts) {
      const end = at + count * tokenByteCount;
      this.#bestCosines(bytes.subarray(at, end), cosines);
      at = end;
      statements.push(this.#mean(cosines));
      for (let word = 0; word < highest.length; word++) highest[word] = Math.max(highest[word]!, cosines[word]!);
    }
    const whole = statementCount === 0 ? 0 : Math.max(0, this.#mean(highest));
    return { best: Math.max(0, ...statements), whole, statements };
  }

  #mean(cosines: Float64Array): number {
    return this.#weights.reduce((sum, weight, word) => sum + weight * cosines[word]!, 0);
  }

  /** For each word of the question, its highest cosine with these tokens; 0 if there are none. */
  #bestCosines(tokens: Uint8Array, out: Float64Array): void {
    const byteCount = this.#dimensions / componentsPerByte;
    out.fill(tokens.length === 0 ? 0 : -1);
    for (let first = 0; first < tokens.length; first += byteCount) {
      let square = 0;
      for (let i = 0; i < byteCount; i++) square += squareOf[tokens[first + i]!]!;
      const scale = 1 / Math.sqrt(square);
      for (let word = 0; word < this.#tables.length; word++) {
        const table = this.#tables[word]!;
        let product = 0;
        for (let i = 0; i < byteCount; i++) product = (product + table[(i << 8) | tokens[first + i]!]!) | 0;
        const value = (product * scale) / this.#lengths[word]!;
        if (value > out[word]!) out[word] = value;
      }
    }
  }
}

function makeTable(vector: QuantizedVector): Int16Array {
  const table = new Int16Array((vector.length / componentsPerByte) * byteValueCount);
  for (let i = 0; i < vector.length; i += componentsPerByte) {
    const start = (i / componentsPerByte) * byteValueCount;
    for (let byte = 0; byte < byteValueCount; byte++) {
      const components = componentsOf[byte]!;
      let product = 0;
      for (let j = 0; j < componentsPerByte; j++) product += components[j]! * vector[i + j]!;
      table[start + byte] = product;
    }
  }
  return table;
}

/** Whether bytes that were read from somewhere are packed tokens, of any number of dimensions. */
export function areTokens(bytes: Uint8Array): boolean {
  const dimensions = bytes[0]! | (bytes[1]! << 8);
  return dimensions % componentsPerByte === 0 && readCounts(bytes, dimensions) !== null;
}

/** The number of words of each statement; null for bytes that were packed otherwise. */
function readCounts(bytes: Uint8Array, dimensions: number): number[] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numberAt = (i: number): number =>
    (i + 1) * numberByteCount > bytes.byteLength ? NaN : view.getUint16(i * numberByteCount, true);
  if (numberAt(0) !== dimensions) return null;
  const statementCount = numberAt(1);
  if (Number.isNaN(statementCount)) return null;
  const counts = Array.from({ length: statementCount }, (_, i) => numberAt(headNumberCount + i));
  const tokenCount = counts.reduce((sum, count) => sum + count, 0);
  const byteCount = (headNumberCount + counts.length) * numberByteCount + (tokenCount * dimensions) / componentsPerByte;
  return byteCount === bytes.byteLength ? counts : null;
}
