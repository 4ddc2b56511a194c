/**
 * Small numbers for the hashes of terms (term-hash.ts), handed out as terms appear and again once they are gone. Open
 * addressing in flat arrays: looking up a hundred thousand terms makes no objects.
 */
import { highOf, lowOf } from "./term-hash.js";

const none = -1;
const firstSlotBits = 8;
/** A table that has become too small is made four times as large. */
const slotBitsAdded = 2;
/** At most this share of the slots is in use, to keep searches short. */
const fillMax = 0.5;
/** 2^32 over the golden ratio: spreads hashes that differ little. */
const spreadFactor = 0x9e3779b1;

export class TermNumbers {
  #slotBits = firstSlotBits;
  /** By slot, a term's number; -1 for an empty slot. */
  #slots = new Int32Array(2 ** firstSlotBits).fill(none);
  /** By number, the two parts of the hash. */
  #lows = new Int32Array(2 ** firstSlotBits);
  #highs = new Uint16Array(2 ** firstSlotBits);
  readonly #free: number[] = [];
  #usedCount = 0;

  /** How many terms there are. */
  get size(): number {
    return this.#usedCount - this.#free.length;
  }

  /** The number of a hash; -1 if it has none. */
  get(hash: number): number {
    return this.#slots[this.#find(lowOf(hash), highOf(hash))]!;
  }

  /** The number of a hash, by its parts; it is given one if it has none. */
  take(low: number, high: number): number {
    const slot = this.#find(low, high);
    const known = this.#slots[slot]!;
    if (known !== none) return known;
    const number = this.#free.pop() ?? this.#usedCount++;
    if (number === this.#lows.length) this.#growNumbers();
    this.#lows[number] = low;
    this.#highs[number] = high;
    this.#slots[slot] = number;
    if (this.size > this.#slots.length * fillMax) this.#growSlots();
    return number;
  }

  /** A number that stands for nothing any more. */
  release(number: number): void {
    const last = this.#slots.length - 1;
    let empty = this.#find(this.#lows[number]!, this.#highs[number]!);
    this.#free.push(number);
    // What comes after it and would no longer be found moves up.
    for (let slot = (empty + 1) & last; this.#slots[slot] !== none; slot = (slot + 1) & last) {
      const wanted = this.#firstSlot(this.#lows[this.#slots[slot]!]!);
      if (((slot - wanted) & last) < ((slot - empty) & last)) continue;
      this.#slots[empty] = this.#slots[slot]!;
      empty = slot;
    }
    this.#slots[empty] = none;
  }

  /** The slot of a hash, or the empty one where it would be. */
  #find(low: number, high: number): number {
    const last = this.#slots.length - 1;
    for (let slot = this.#firstSlot(low); ; slot = (slot + 1) & last) {
      const number = this.#slots[slot]!;
      if (number === none || (this.#lows[number] === low && this.#highs[number] === high)) return slot;
    }
  }

  #firstSlot(low: number): number {
    return Math.imul(low, spreadFactor) >>> (32 - this.#slotBits);
  }

  #growNumbers(): void {
    const [lows, highs] = [this.#lows, this.#highs];
    this.#lows = new Int32Array(2 * lows.length);
    this.#lows.set(lows);
    this.#highs = new Uint16Array(2 * highs.length);
    this.#highs.set(highs);
  }

  #growSlots(): void {
    const slots = this.#slots;
    this.#slotBits += slotBitsAdded;
    this.#slots = new Int32Array(2 ** this.#slotBits).fill(none);
    for (const number of slots) {
      if (number !== none) this.#slots[this.#find(this.#lows[number]!, this.#highs[number]!)] = number;
    }
  }
}
