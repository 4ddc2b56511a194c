/** Vectors of naturalized time, state and keywords by slot, with the period for which each is valid (design decision 11). */
import { VectorTable } from "../vectors/vector-table.js";
import type { MetaVector } from "./packed-nodes.js";

const firstSlotCount = 64;

export class MetaTable {
  readonly vectors: VectorTable;
  /** NaN where there is none. */
  #fromMs = new Float64Array(firstSlotCount).fill(NaN);
  #untilMs = new Float64Array(firstSlotCount).fill(NaN);
  readonly #phrases: (string | undefined)[] = [];

  constructor(dimensions: number) {
    this.vectors = new VectorTable(dimensions);
  }

  set(slot: number, { vector, phrase, fromMs, untilMs }: MetaVector): void {
    this.#growTo(slot + 1);
    this.vectors.set(slot, vector);
    this.#phrases[slot] = phrase;
    this.#fromMs[slot] = fromMs;
    this.#untilMs[slot] = untilMs;
  }

  clear(slot: number): void {
    this.#growTo(slot + 1);
    if (slot < this.vectors.rowCount) this.vectors.clear(slot);
    this.#fromMs[slot] = NaN;
    this.#untilMs[slot] = NaN;
  }

  /** Whether the vector of a slot still matches the naturalized time in the time zone it was worded in. */
  holds(slot: number, nowMs: number, phrase: string): boolean {
    const isInTime = this.#fromMs[slot]! <= nowMs && nowMs < this.#untilMs[slot]!;
    return isInTime && this.#phrases[slot] === phrase;
  }

  period(slot: number): [fromMs: number, untilMs: number] {
    return [this.#fromMs[slot]!, this.#untilMs[slot]!];
  }

  #growTo(slotCount: number): void {
    if (slotCount <= this.#fromMs.length) return;
    const capacity = Math.max(slotCount, this.#fromMs.length * 2);
    const [from, until] = [this.#fromMs, this.#untilMs];
    this.#fromMs = new Float64Array(capacity).fill(NaN);
    this.#fromMs.set(from);
    this.#untilMs = new Float64Array(capacity).fill(NaN);
    this.#untilMs.set(until);
  }
}
