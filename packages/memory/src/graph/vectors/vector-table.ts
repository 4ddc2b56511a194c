/**
 * Many quantized vectors in contiguous rows, so that scanning all of them is one pass over bytes. A row keeps its
 * number for life; removed rows are reused. The bytes are in chunks: a growing table never copies more than its first
 * chunk, and reserves little more than it uses.
 */
import { dot, type QuantizedVector } from "./quantized-vector.js";

const firstCapacity = 16;
const chunkRowCount = 4_096;

interface Chunk {
  readonly codes: Int8Array;
  /** Squared lengths: integers, so a cosine is exact but for one root. NaN until somebody asks. */
  readonly squares: Float64Array;
}

/** Vectors one after the other in `codes`, from byte `at` on, and their squared lengths in `numbers`, from `squaresAt` on. */
export interface VectorPlace {
  readonly codes: Int8Array;
  readonly at: number;
  readonly numbers: Int32Array;
  readonly squaresAt: number;
}

export class VectorTable {
  readonly dimensions: number;
  readonly #chunks: Chunk[] = [];
  #rowCount = 0;
  readonly #freeRows: number[] = [];

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  /** One past the last row ever used: the range a scan has to cover. */
  get rowCount(): number {
    return this.#rowCount;
  }

  add(vector: QuantizedVector): number {
    const row = this.#freeRows.pop() ?? this.#rowCount;
    this.set(row, vector);
    return row;
  }

  set(row: number, vector: QuantizedVector): void {
    this.#reserve(row);
    const { codes, squares } = this.#chunkOf(row);
    codes.set(vector, this.#startOf(row));
    squares[row % chunkRowCount] = NaN;
  }

  /** Writes `count` vectors from `row` on. */
  setRows(row: number, count: number, { codes, at, numbers, squaresAt }: VectorPlace): void {
    if (count > 0) this.#reserve(row + count - 1);
    for (let from = row; from < row + count;) {
      const to = Math.min(row + count, from - (from % chunkRowCount) + chunkRowCount);
      const chunk = this.#chunkOf(from);
      const start = at + (from - row) * this.dimensions;
      chunk.codes.set(codes.subarray(start, start + (to - from) * this.dimensions), this.#startOf(from));
      for (; from < to; from++) chunk.squares[from % chunkRowCount] = numbers[squaresAt + from - row]!;
    }
  }

  /** Adds `count` vectors at the end and returns the first row. */
  addRows(count: number, place: VectorPlace): number {
    const row = this.#rowCount;
    this.setRows(row, count, place);
    return row;
  }

  remove(row: number): void {
    this.clear(row);
    this.#freeRows.push(row);
  }

  /** Empties a row whose number is managed by the caller. */
  clear(row: number): void {
    this.#reserve(row);
    const { codes, squares } = this.#chunkOf(row);
    codes.fill(0, this.#startOf(row), this.#startOf(row) + this.dimensions);
    squares[row % chunkRowCount] = 0;
  }

  /** Zeros for a row that was never written. */
  get(row: number): QuantizedVector {
    if (row >= this.#rowCount) return new Int8Array(this.dimensions);
    const start = this.#startOf(row);
    return this.#chunkOf(row).codes.slice(start, start + this.dimensions);
  }

  /** Whether a row holds anything but zeros. */
  has(row: number): boolean {
    return row < this.#rowCount && this.squareAt(row) > 0;
  }

  /** Cosine of a row with `vector`, whose squared length is known. */
  cosineAt(row: number, vector: QuantizedVector, square: number): number {
    const product = dot(this.#chunkOf(row).codes, this.#startOf(row), vector, 0, this.dimensions);
    return product === 0 ? 0 : product / Math.sqrt(this.squareAt(row) * square);
  }

  /** The squared length of a row. */
  squareAt(row: number): number {
    return squareIn(this.#chunkOf(row), row % chunkRowCount, this.dimensions);
  }

  /**
   * Cosine of `query` with rows `from` (inclusive) to `to` (exclusive), written to `out` at the row's own index minus
   * `outStart`.
   */
  cosines(query: QuantizedVector, out: Float64Array, from = 0, to = this.#rowCount, outStart = 0): void {
    const querySquare = dot(query, 0, query, 0, this.dimensions);
    for (let row = from; row < to; row++) {
      const chunk = this.#chunkOf(row);
      const square = squareIn(chunk, row % chunkRowCount, this.dimensions) * querySquare;
      const product = square === 0 ? 0 : dot(chunk.codes, this.#startOf(row), query, 0, this.dimensions);
      out[row - outStart] = square === 0 ? 0 : product / Math.sqrt(square);
    }
  }

  /** Adds the row's direction, at unit length, to `sum` starting at `offset`. */
  addUnitTo(row: number, sum: Float64Array, offset: number): void {
    const { codes } = this.#chunkOf(row);
    const start = this.#startOf(row);
    const norm = Math.sqrt(this.squareAt(row)) || 1;
    for (let i = 0; i < this.dimensions; i++) sum[offset + i]! += codes[start + i]! / norm;
  }

  /** Dot product of the row's unit vector with `numbers` starting at `offset`. */
  unitDot(row: number, numbers: Float64Array, offset: number): number {
    const { codes } = this.#chunkOf(row);
    const start = this.#startOf(row);
    let sum = 0;
    for (let i = 0; i < this.dimensions; i++) sum += codes[start + i]! * numbers[offset + i]!;
    return sum / (Math.sqrt(this.squareAt(row)) || 1);
  }

  #chunkOf(row: number): Chunk {
    return this.#chunks[Math.floor(row / chunkRowCount)]!;
  }

  #startOf(row: number): number {
    return (row % chunkRowCount) * this.dimensions;
  }

  #reserve(row: number): void {
    if (row < this.#rowCount) return;
    this.#rowCount = row + 1;
    const last = Math.floor(row / chunkRowCount);
    for (let i = this.#chunks.length; i <= last; i++) {
      this.#chunks.push(createChunk(i === 0 ? firstCapacity : chunkRowCount, this.dimensions));
    }
    // Only the first chunk starts small, so that a person with few memories takes little space.
    const [first] = this.#chunks as [Chunk];
    const wanted = last === 0 ? row + 1 : chunkRowCount;
    if (wanted <= first.squares.length) return;
    const capacity = Math.min(chunkRowCount, Math.max(wanted, first.squares.length * 2));
    const grown = createChunk(capacity, this.dimensions);
    grown.codes.set(first.codes);
    grown.squares.set(first.squares);
    this.#chunks[0] = grown;
  }
}

function squareIn({ codes, squares }: Chunk, i: number, dimensions: number): number {
  const square = squares[i]!;
  return Number.isNaN(square) ? (squares[i] = dot(codes, i * dimensions, codes, i * dimensions, dimensions)) : square;
}

function createChunk(rowCount: number, dimensions: number): Chunk {
  return { codes: new Int8Array(rowCount * dimensions), squares: new Float64Array(rowCount) };
}
