/**
 * The statements of all memories, laid out for scanning (design: several cues per memory): by row, the vector, the slot
 * of its memory and how close the statement comes to what that memory says as a whole.
 */
import { type QuantizedVector, dot } from "./quantized-vector.js";
import { VectorTable } from "./vector-table.js";

const firstCapacity = 64;

export class StatementTable {
  readonly vectors: VectorTable;
  /** Slot of the memory that each row belongs to; -1 for a free row. */
  slots = new Int32Array(firstCapacity).fill(-1);
  /** Cosine of each statement with its memory's hypothetical vector. */
  #contextCosines = new Float64Array(firstCapacity);
  /** The factor for a cosine with a statement in its context, for the weight last requested. */
  #contextScales = new Float64Array(firstCapacity);
  #contextWeight = NaN;
  readonly #rows = new Map<number, number[]>();

  constructor(dimensions: number) {
    this.vectors = new VectorTable(dimensions);
  }

  put(slot: number, vectors: readonly QuantizedVector[], hypotheticalVector: QuantizedVector): void {
    const rows = vectors.map((vector) => this.vectors.add(vector));
    this.#growTo(this.vectors.rowCount);
    const square = dot(hypotheticalVector, 0, hypotheticalVector, 0, hypotheticalVector.length);
    for (const row of rows) {
      this.slots[row] = slot;
      this.#contextCosines[row] = this.vectors.cosineAt(row, hypotheticalVector, square);
      this.#contextScales[row] = contextScale(this.#contextCosines[row], this.#contextWeight);
    }
    this.#rows.set(slot, rows);
  }

  remove(slot: number): void {
    for (const row of this.#rows.get(slot) ?? []) {
      this.vectors.remove(row);
      this.slots[row] = -1;
    }
    this.#rows.delete(slot);
  }

  /** By row, 1 / |s + c m| for the unit vectors s of the statement and m of its memory, and the weight c. */
  contextScales(weight: number): Float64Array {
    if (weight !== this.#contextWeight) {
      this.#contextWeight = weight;
      this.#contextScales = this.#contextCosines.map((contextCosine) => contextScale(contextCosine, weight));
    }
    return this.#contextScales;
  }

  /** Vectors of a memory's statements, in order. */
  vectorsOf(slot: number): QuantizedVector[] {
    return (this.#rows.get(slot) ?? []).map((row) => this.vectors.get(row));
  }

  #growTo(rowCount: number): void {
    if (rowCount <= this.slots.length) return;
    const capacity = Math.max(rowCount, this.slots.length * 2);
    this.slots = grown(this.slots, new Int32Array(capacity).fill(-1));
    this.#contextCosines = grown(this.#contextCosines, new Float64Array(capacity));
    this.#contextScales = grown(this.#contextScales, new Float64Array(capacity));
  }
}

/** 1 / |s + c m| from cos(s, m); 0 where the two cancel out. */
export function contextScale(contextCosine: number, weight: number): number {
  const square = 1 + weight * (weight + 2 * contextCosine);
  return square <= 0 ? 0 : 1 / Math.sqrt(square);
}

function grown<Numbers extends Int32Array | Float64Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}
