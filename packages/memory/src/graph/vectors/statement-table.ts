/**
 * The statements of all memories, laid out for scanning (design: several cues per memory): by row, the vector, the slot
 * of its memory, how close the statement comes to what that memory says as a whole, and whether a language model wrote it.
 */
import { CueTable } from "./cue-table.js";
import { type QuantizedVector, dot } from "./quantized-vector.js";
import type { VectorPlace, VectorTable } from "./vector-table.js";

const firstCapacity = 64;

export class StatementTable {
  readonly #cues: CueTable;
  /** Cosine of each statement with its memory's hypothetical vector. */
  #contextCosines = new Float64Array(firstCapacity);
  /** The factor for a cosine with a statement in its context, for the weight last requested. */
  #contextScales = new Float64Array(firstCapacity);
  #contextWeight = NaN;
  /** By row, 1 for a statement that a language model wrote. */
  written = new Uint8Array(firstCapacity);

  constructor(dimensions: number) {
    this.#cues = new CueTable(dimensions);
  }

  get vectors(): VectorTable {
    return this.#cues.vectors;
  }

  /** Slot of the memory that each row belongs to; -1 for a free row. */
  get slots(): Int32Array {
    return this.#cues.slots;
  }

  /** `written`: by statement, whether a language model wrote it. */
  put(
    slot: number,
    vectors: readonly QuantizedVector[],
    hypotheticalVector: QuantizedVector,
    written: readonly boolean[],
  ): void {
    const rows = this.#cues.put(slot, vectors);
    this.#growTo(this.vectors.rowCount);
    const square = dot(hypotheticalVector, 0, hypotheticalVector, 0, hypotheticalVector.length);
    for (const [i, row] of rows.entries()) {
      this.written[row] = written[i] === true ? 1 : 0;
      this.#contextCosines[row] = this.vectors.cosineAt(row, hypotheticalVector, square);
      this.#contextScales[row] = contextScale(this.#contextCosines[row], this.#contextWeight);
    }
  }

  /**
   * The same for vectors that follow each other, with the squared length of the hypothetical vector; its dot products with
   * the statements are in `numbers` from `productsAt` on.
   */
  putRows(
    slot: number,
    count: number,
    place: VectorPlace & { readonly square: number; readonly productsAt: number },
    written: readonly boolean[],
  ): void {
    const { square, productsAt } = place;
    const first = this.#cues.putRows(slot, count, place);
    this.#growTo(this.vectors.rowCount);
    const { numbers, squaresAt } = place;
    for (let i = 0; i < count; i++) {
      const product = numbers[productsAt + i]!;
      const contextCosine = product === 0 ? 0 : product / Math.sqrt(numbers[squaresAt + i]! * square);
      this.written[first + i] = written[i] === true ? 1 : 0;
      this.#contextCosines[first + i] = contextCosine;
      this.#contextScales[first + i] = contextScale(contextCosine, this.#contextWeight);
    }
  }

  remove(slot: number): void {
    this.#cues.remove(slot);
  }

  /** By row, 1 / |s + c m| for the unit vectors s of the statement and m of its memory, and the weight c. */
  contextScales(weight: number): Float64Array {
    if (weight !== this.#contextWeight) {
      this.#contextWeight = weight;
      this.#contextScales = this.#contextCosines.map((contextCosine) => contextScale(contextCosine, weight));
    }
    return this.#contextScales;
  }

  positionOf(row: number): number {
    return this.#cues.positionOf(row);
  }

  /** Vectors of a memory's statements, in order. */
  vectorsOf(slot: number): QuantizedVector[] {
    return this.#cues.vectorsOf(slot);
  }

  #growTo(rowCount: number): void {
    if (rowCount <= this.#contextCosines.length) return;
    const capacity = Math.max(rowCount, this.#contextCosines.length * 2);
    this.#contextCosines = grown(this.#contextCosines, new Float64Array(capacity));
    this.#contextScales = grown(this.#contextScales, new Float64Array(capacity));
    this.written = grown(this.written, new Uint8Array(capacity));
  }
}

/** 1 / |s + c m| from cos(s, m); 0 where the two cancel out. */
export function contextScale(contextCosine: number, weight: number): number {
  const square = 1 + weight * (weight + 2 * contextCosine);
  return square <= 0 ? 0 : 1 / Math.sqrt(square);
}

function grown<Numbers extends { set(values: ArrayLike<number>): void }>(
  from: ArrayLike<number>,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}
