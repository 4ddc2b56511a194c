/**
 * Many quantized vectors side by side, so that a scan over all of them is one pass over bytes. A row keeps its number for
 * life; rows that were removed are given out again. The bytes lie in chunks: a table that grows never copies more than
 * its first chunk, and reserves little more than it uses.
 */
import { dotKernelRowCountMax, dots } from "./dot-kernel.js";
import { dot, type QuantizedVector } from "./quantized-vector.js";

const firstCapacity = 16;
const chunkRowCount = 4_096;

/** Where the kernel's results pass through; scans do not overlap. */
const products = new Int32Array(dotKernelRowCountMax);

interface Chunk {
  readonly codes: Int8Array;
  /** Squared lengths: whole numbers, so that a cosine is exact but for one root. */
  readonly squares: Float64Array;
}

export class VectorTable {
  readonly dimensions: number;
  readonly #chunks: Chunk[] = [];
  #rowCount = 0;
  readonly #freeRows: number[] = [];

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  /** Rows ever given out and not beyond the last: the range a scan has to cover. */
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
    squares[row % chunkRowCount] = this.#dotAt(row, vector);
  }

  remove(row: number): void {
    this.clear(row);
    this.#freeRows.push(row);
  }

  /** Empties a row whose number is given out by somebody else. */
  clear(row: number): void {
    this.#reserve(row);
    const { codes, squares } = this.#chunkOf(row);
    codes.fill(0, this.#startOf(row), this.#startOf(row) + this.dimensions);
    squares[row % chunkRowCount] = 0;
  }

  get(row: number): QuantizedVector {
    const start = this.#startOf(row);
    return this.#chunkOf(row).codes.slice(start, start + this.dimensions);
  }

  /** Cosine of a row with `vector`, whose squared length is known. */
  cosineAt(row: number, vector: QuantizedVector, square: number): number {
    const product = this.#dotAt(row, vector);
    return product === 0 ? 0 : product / Math.sqrt(this.#chunkOf(row).squares[row % chunkRowCount]! * square);
  }

  /**
   * Cosine of `query` with rows `from` (included) to `to` (excluded), written to `out` at the row's own index, or where
   * row `outStart` comes first in it.
   */
  cosines(query: QuantizedVector, out: Float64Array, from = 0, to = this.#rowCount, outStart = 0): void {
    const querySquare = dot(query, 0, query, 0, this.dimensions);
    let row = from;
    while (row < to) {
      const { codes, squares } = this.#chunkOf(row);
      const first = row % chunkRowCount;
      const end = Math.min(first + dotKernelRowCountMax, chunkRowCount, first + to - row);
      dots(codes, this.dimensions, query, first, end, products);
      for (let i = first; i < end; i++, row++) {
        const square = squares[i]! * querySquare;
        out[row - outStart] = square === 0 ? 0 : products[i - first]! / Math.sqrt(square);
      }
    }
  }

  /** The row's direction as unit-length numbers, added to `sum` from `offset` on. */
  addUnitTo(row: number, sum: Float64Array, offset: number): void {
    const { codes, squares } = this.#chunkOf(row);
    const start = this.#startOf(row);
    const norm = Math.sqrt(squares[row % chunkRowCount]!) || 1;
    for (let i = 0; i < this.dimensions; i++) sum[offset + i]! += codes[start + i]! / norm;
  }

  /** Dot product of the row's unit vector with `numbers` from `offset` on. */
  unitDot(row: number, numbers: Float64Array, offset: number): number {
    const { codes, squares } = this.#chunkOf(row);
    const start = this.#startOf(row);
    let sum = 0;
    for (let i = 0; i < this.dimensions; i++) sum += codes[start + i]! * numbers[offset + i]!;
    return sum / (Math.sqrt(squares[row % chunkRowCount]!) || 1);
  }

  #dotAt(row: number, vector: QuantizedVector): number {
    const first = row % chunkRowCount;
    dots(this.#chunkOf(row).codes, this.dimensions, vector, first, first + 1, products);
    return products[0]!;
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
    // Only the first chunk begins small; a person with few memories should take little.
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

function createChunk(rowCount: number, dimensions: number): Chunk {
  return { codes: new Int8Array(rowCount * dimensions), squares: new Float64Array(rowCount) };
}
