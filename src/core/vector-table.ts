/**
 * Many quantized vectors side by side in one block of memory, so that a scan over all of them is one pass over bytes.
 * A row keeps its number for life; rows that were removed are given out again.
 */
import { dotKernelRowCountMax, dots } from "./dot-kernel.js";
import { dot, type QuantizedVector } from "./quantized-vector.js";

const firstCapacity = 64;
/** Where the kernel's results pass through; scans do not overlap. */
const products = new Int32Array(dotKernelRowCountMax);

export class VectorTable {
  readonly dimensions: number;
  #codes: Int8Array;
  /** Squared lengths: whole numbers, so that a cosine is exact but for one root. */
  #squares: Float64Array;
  #rowCount = 0;
  readonly #freeRows: number[] = [];

  constructor(dimensions: number) {
    this.dimensions = dimensions;
    this.#codes = new Int8Array(firstCapacity * dimensions);
    this.#squares = new Float64Array(firstCapacity);
  }

  /** Rows ever given out and not beyond the last: the range a scan has to cover. */
  get rowCount(): number {
    return this.#rowCount;
  }

  add(vector: QuantizedVector): number {
    const row = this.#freeRows.pop() ?? this.#rowCount++;
    this.set(row, vector);
    return row;
  }

  set(row: number, vector: QuantizedVector): void {
    if (row >= this.#squares.length) this.#grow(row + 1);
    if (row >= this.#rowCount) this.#rowCount = row + 1;
    this.#codes.set(vector, row * this.dimensions);
    this.#squares[row] = dot(vector, 0, vector, 0, this.dimensions);
  }

  remove(row: number): void {
    this.clear(row);
    this.#freeRows.push(row);
  }

  /** Empties a row whose number is given out by somebody else. */
  clear(row: number): void {
    this.#codes.fill(0, row * this.dimensions, (row + 1) * this.dimensions);
    this.#squares[row] = 0;
  }

  get(row: number): QuantizedVector {
    return this.#codes.slice(row * this.dimensions, (row + 1) * this.dimensions);
  }

  /** Cosine of `query` with rows `from` (included) to `to` (excluded), written to `out` at the row's own index. */
  cosines(query: QuantizedVector, out: Float64Array, from = 0, to = this.#rowCount): void {
    const { dimensions } = this;
    const querySquare = dot(query, 0, query, 0, dimensions);
    for (let start = from; start < to; start += dotKernelRowCountMax) {
      const end = Math.min(to, start + dotKernelRowCountMax);
      dots(this.#codes, dimensions, query, start, end, products);
      for (let row = start; row < end; row++) {
        const square = this.#squares[row]! * querySquare;
        out[row] = square === 0 ? 0 : products[row - start]! / Math.sqrt(square);
      }
    }
  }

  /** The row's direction as unit-length numbers, added to `sum` from `offset` on. */
  addUnitTo(row: number, sum: Float64Array, offset: number): void {
    const start = row * this.dimensions;
    const norm = Math.sqrt(this.#squares[row]!) || 1;
    for (let i = 0; i < this.dimensions; i++) sum[offset + i]! += this.#codes[start + i]! / norm;
  }

  /** Dot product of the row's unit vector with `numbers` from `offset` on. */
  unitDot(row: number, numbers: Float64Array, offset: number): number {
    const start = row * this.dimensions;
    let sum = 0;
    for (let i = 0; i < this.dimensions; i++) sum += this.#codes[start + i]! * numbers[offset + i]!;
    return sum / (Math.sqrt(this.#squares[row]!) || 1);
  }

  #grow(rowCountMin: number): void {
    const capacity = Math.max(rowCountMin, this.#squares.length * 2);
    const codes = new Int8Array(capacity * this.dimensions);
    codes.set(this.#codes);
    const squares = new Float64Array(capacity);
    squares.set(this.#squares);
    this.#codes = codes;
    this.#squares = squares;
  }
}
