/**
 * Vectors of which a memory has any number, such as those of its questions, laid out for scanning (design: several cues
 * per memory): by row, the vector and the slot of its memory.
 */
import type { QuantizedVector } from "./quantized-vector.js";
import { type VectorPlace, VectorTable } from "./vector-table.js";

const firstCapacity = 64;

export class CueTable {
  readonly vectors: VectorTable;
  /** Slot of the memory that each row belongs to; -1 for a free row. */
  slots = new Int32Array(firstCapacity).fill(-1);
  /** By slot, the rows of a memory that was put alone, and the first row and the number of rows of another. */
  readonly #rows = new Map<number, readonly number[]>();
  #firstRows = new Int32Array(firstCapacity);
  #rowCounts = new Int32Array(firstCapacity);

  constructor(dimensions: number) {
    this.vectors = new VectorTable(dimensions);
  }

  /** Adds the vectors of a slot, which must have none yet, and returns their rows. */
  put(slot: number, vectors: readonly QuantizedVector[]): readonly number[] {
    const rows = vectors.map((vector) => this.vectors.add(vector));
    this.#growTo(this.vectors.rowCount);
    for (const row of rows) this.slots[row] = slot;
    if (rows.length > 0) this.#rows.set(slot, rows);
    return rows;
  }

  /** The same for vectors that follow each other; returns the first row. */
  putRows(slot: number, count: number, place: VectorPlace): number {
    const first = this.vectors.addRows(count, place);
    this.#growTo(this.vectors.rowCount);
    for (let row = first; row < first + count; row++) this.slots[row] = slot;
    if (slot >= this.#firstRows.length) {
      this.#firstRows = grown(this.#firstRows, 2 * (slot + 1), 0);
      this.#rowCounts = grown(this.#rowCounts, 2 * (slot + 1), 0);
    }
    this.#firstRows[slot] = first;
    this.#rowCounts[slot] = count;
    return first;
  }

  remove(slot: number): void {
    for (const row of this.#rowsOf(slot)) {
      this.vectors.remove(row);
      this.slots[row] = -1;
    }
    this.#rows.delete(slot);
    if (slot < this.#rowCounts.length) this.#rowCounts[slot] = 0;
  }

  /** Vectors of a memory, in order. */
  vectorsOf(slot: number): QuantizedVector[] {
    return this.#rowsOf(slot).map((row) => this.vectors.get(row));
  }

  /** Which of its memory's vectors is in a row. */
  positionOf(row: number): number {
    return this.#rowsOf(this.slots[row]!).indexOf(row);
  }

  #rowsOf(slot: number): readonly number[] {
    const alone = this.#rows.get(slot);
    if (alone !== undefined) return alone;
    return Array.from({ length: this.#rowCounts[slot] ?? 0 }, (_, i) => this.#firstRows[slot]! + i);
  }

  #growTo(rowCount: number): void {
    if (rowCount <= this.slots.length) return;
    this.slots = grown(this.slots, Math.max(rowCount, this.slots.length * 2), -1);
  }
}

function grown(numbers: Int32Array, length: number, rest: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(length).fill(rest, numbers.length);
  longer.set(numbers);
  return longer;
}
