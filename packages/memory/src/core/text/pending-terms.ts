/**
 * Packed terms (term-hash.ts) of keys that are not in the inverted lists yet. Entering them takes longer than looking
 * through them for the few terms of a question, so a memory that was just loaded answers first and enters them later.
 */
import { highOf, joinHash, lowOf, packedCount, packedHigh } from "./term-hash.js";

const chunkLength = 65_536;
/** A power of two, many times the terms that are looked for at once. */
const filterSize = 65_536;

/** The terms of a key: numbers of `packed` from `from` to `to`. */
interface PendingKey {
  readonly key: number;
  readonly packed: Int32Array;
  readonly from: number;
  readonly to: number;
}

export class PendingTerms {
  readonly #keys: PendingKey[] = [];
  #chunk = new Int32Array(0);
  #chunkEnd = 0;
  /** By hash, what was found: key and count in turn. */
  readonly #found = new Map<number, readonly number[]>();

  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  /** Keeps a copy of numbers of `packed`; returns how many terms they stand for, repeated ones counted. */
  add(key: number, packed: Int32Array, from: number, to: number): number {
    const start = this.#reserve(to - from);
    let length = 0;
    for (let at = from; at < to; at += 2) {
      this.#chunk[start + at - from] = packed[at]!;
      this.#chunk[start + at - from + 1] = packed[at + 1]!;
      length += packedCount(packed[at + 1]!);
    }
    this.#keys.push({ key, packed: this.#chunk, from: start, to: this.#chunkEnd });
    this.#found.clear();
    return length;
  }

  /** Takes one key out. */
  take(): PendingKey | undefined {
    this.#found.clear();
    return this.#keys.pop();
  }

  /** Keys that hold a term, each followed by how often it does. */
  find(hash: number): readonly number[] {
    let found = this.#found.get(hash);
    if (found === undefined) this.#found.set(hash, (found = this.#lookThrough(lowOf(hash), highOf(hash))));
    return found;
  }

  /** Of many hashes, those that some key has. All are looked for at once, since looking through takes a while. */
  held(hashes: readonly number[]): ReadonlySet<number> {
    const held = new Set<number>();
    if (this.isEmpty) return held;
    const wanted = new Set(hashes);
    const mayBeWanted = new Uint8Array(filterSize);
    for (const hash of wanted) mayBeWanted[lowOf(hash) & (filterSize - 1)] = 1;
    for (const { packed, from, to } of this.#keys) {
      for (let at = from; at < to; at += 2) {
        if (mayBeWanted[packed[at]! & (filterSize - 1)] === 0) continue;
        const hash = joinHash(packed[at]!, packedHigh(packed[at + 1]!));
        if (wanted.has(hash)) held.add(hash);
      }
    }
    return held;
  }

  #lookThrough(low: number, high: number): number[] {
    const found: number[] = [];
    for (const { key, packed, from, to } of this.#keys) {
      let count = 0;
      for (let at = from; at < to; at += 2) {
        if (packed[at] !== low || packedHigh(packed[at + 1]!) !== high) continue;
        count += packedCount(packed[at + 1]!);
      }
      if (count > 0) found.push(key, count);
    }
    return found;
  }

  #reserve(length: number): number {
    if (this.#chunkEnd + length > this.#chunk.length) {
      this.#chunk = new Int32Array(Math.max(chunkLength, length));
      this.#chunkEnd = 0;
    }
    this.#chunkEnd += length;
    return this.#chunkEnd - length;
  }
}
