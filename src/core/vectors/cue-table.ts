/**
 * Vectors of which a memory has any number, such as those of its questions, laid out for scanning (design: several cues
 * per memory): by row, the vector and the slot of its memory.
 */
import type { QuantizedVector } from "./quantized-vector.js";
import { VectorTable } from "./vector-table.js";

const firstCapacity = 64;
const noRows: readonly number[] = [];

export class CueTable {
  readonly vectors: VectorTable;
  /** Slot of the memory that each row belongs to; -1 for a free row. */
  slots = new Int32Array(firstCapacity).fill(-1);
  readonly #rows = new Map<number, readonly number[]>();

  constructor(dimensions: number) {
    this.vectors = new VectorTable(dimensions);
  }

  /** Adds the vectors of a slot, which must have none yet, and returns their rows. */
  put(slot: number, vectors: readonly QuantizedVector[]): readonly number[] {
    if (vectors.length === 0) return noRows;
    const rows = vectors.map((vector) => this.vectors.add(vector));
    if (this.vectors.rowCount > this.slots.length) {
      const capacity = Math.max(this.vectors.rowCount, this.slots.length * 2);
      const grown = new Int32Array(capacity).fill(-1);
      grown.set(this.slots);
      this.slots = grown;
    }
    for (const row of rows) this.slots[row] = slot;
    this.#rows.set(slot, rows);
    return rows;
  }

  remove(slot: number): void {
    for (const row of this.#rows.get(slot) ?? noRows) {
      this.vectors.remove(row);
      this.slots[row] = -1;
    }
    this.#rows.delete(slot);
  }

  /** Vectors of a memory, in order. */
  vectorsOf(slot: number): QuantizedVector[] {
    return (this.#rows.get(slot) ?? noRows).map((row) => this.vectors.get(row));
  }
}
