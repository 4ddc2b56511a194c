/**
 * Which keys (integers from 0) hold which terms, and how often: the inverted lists behind the lexical index and the
 * keywords. An entry is one term of one key, five integers in a table; it belongs to two chains, its term's and its
 * key's. There is no object per entry, so reading ten thousand memories leaves nothing to collect, and a removed key
 * leaves no trace. The table is in chunks: growing it copies nothing. Terms are told apart by their hashes.
 */
import { hashTerm, joinHash, packedCount, packedHigh } from "./term-hash.js";

const none = -1;
const chunkBits = 9;
const entriesPerChunk = 2 ** chunkBits;
/** Columns of an entry. */
const termColumn = 0;
const keyColumn = 1;
const countColumn = 2;
const nextOfTermColumn = 3;
const nextOfKeyColumn = 4;
const columnCount = 5;
const firstTermCount = 256;

export class Postings {
  /** Small numbers for the hashes of terms, handed out as terms appear and again once they are gone. */
  readonly #numbers = new Map<number, number>();
  readonly #hashes: number[] = [];
  readonly #freeNumbers: number[] = [];
  /** By term number: its latest entry, that entry's key, and how many entries it has. */
  #firstOfTerm = new Int32Array(firstTermCount).fill(none);
  #firstKeys = new Int32Array(firstTermCount).fill(none);
  #keyCounts = new Int32Array(firstTermCount);
  /** By key, its latest entry. */
  readonly #firstOfKey: number[] = [];
  readonly #chunks: Int32Array[] = [];
  /** Entries ever used, and the chain of those to reuse. */
  #entryCount = 0;
  #firstFree = none;

  get termCount(): number {
    return this.#numbers.size;
  }

  /** How many keys hold a term. */
  keyCount(term: string): number {
    const number = this.#numbers.get(hashTerm(term));
    return number === undefined ? 0 : this.#keyCounts[number]!;
  }

  holds(key: number, term: string): boolean {
    let isFound = false;
    this.forEach(term, (holder) => (isFound ||= holder === key));
    return isFound;
  }

  /** Calls `visit` with every key that holds a term, and how often it does. */
  forEach(term: string, visit: (key: number, count: number) => void): void {
    const number = this.#numbers.get(hashTerm(term));
    let entry = number === undefined ? none : this.#firstOfTerm[number]!;
    for (; entry !== none; entry = this.#get(entry, nextOfTermColumn)) {
      visit(this.#get(entry, keyColumn), this.#get(entry, countColumn));
    }
  }

  /** Adds all terms of a key, which must have none yet; repeated terms count more. Returns how many different ones there are. */
  put(key: number, terms: readonly string[]): number {
    let first = none;
    let count = 0;
    for (const term of terms) {
      const entry = this.#add(this.#take(hashTerm(term)), key, 1, first);
      if (entry === none) continue;
      first = entry;
      count++;
    }
    this.#setFirstOfKey(key, first);
    return count;
  }

  /**
   * The same for packed terms (term-hash.ts), those of `packed` from `from` to `to`. Returns how many there are, repeated
   * ones counted.
   */
  putPacked(key: number, packed: Int32Array, from: number, to: number): number {
    let first = none;
    let length = 0;
    for (let at = from; at < to; at += 2) {
      const second = packed[at + 1]!;
      const count = packedCount(second);
      const entry = this.#add(this.#take(joinHash(packed[at]!, packedHigh(second))), key, count, first);
      if (entry !== none) first = entry;
      length += count;
    }
    this.#setFirstOfKey(key, first);
    return length;
  }

  /** Removes a key with all its terms. */
  remove(key: number): void {
    let entry = this.#firstOfKey[key] ?? none;
    while (entry !== none) {
      const next = this.#get(entry, nextOfKeyColumn);
      this.#unchain(entry);
      for (let column = 0; column < columnCount; column++) this.#set(entry, column, 0);
      this.#set(entry, nextOfKeyColumn, this.#firstFree);
      this.#firstFree = entry;
      entry = next;
    }
    if (key < this.#firstOfKey.length) this.#firstOfKey[key] = none;
  }

  #take(hash: number): number {
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    const number = this.#freeNumbers.pop() ?? this.#hashes.length;
    this.#numbers.set(hash, number);
    this.#hashes[number] = hash;
    if (number >= this.#firstOfTerm.length) {
      this.#firstOfTerm = doubled(this.#firstOfTerm, none);
      this.#firstKeys = doubled(this.#firstKeys, none);
      this.#keyCounts = doubled(this.#keyCounts, 0);
    }
    return number;
  }

  /** The new entry, or -1 if the key has one for this term already, which then counts more. */
  #add(termNumber: number, key: number, count: number, nextOfKey: number): number {
    const latest = this.#firstOfTerm[termNumber]!;
    if (this.#firstKeys[termNumber] === key) {
      this.#set(latest, countColumn, this.#get(latest, countColumn) + count);
      return none;
    }
    const entry = this.#takeEntry();
    const chunk = this.#chunks[entry >>> chunkBits]!;
    const at = (entry % entriesPerChunk) * columnCount;
    chunk[at + termColumn] = termNumber;
    chunk[at + keyColumn] = key;
    chunk[at + countColumn] = count;
    chunk[at + nextOfTermColumn] = latest;
    chunk[at + nextOfKeyColumn] = nextOfKey;
    this.#firstOfTerm[termNumber] = entry;
    this.#firstKeys[termNumber] = key;
    this.#keyCounts[termNumber]! += 1;
    return entry;
  }

  #setFirstOfKey(key: number, first: number): void {
    while (this.#firstOfKey.length < key) this.#firstOfKey.push(none);
    this.#firstOfKey[key] = first;
  }

  #takeEntry(): number {
    const free = this.#firstFree;
    if (free !== none) {
      this.#firstFree = this.#get(free, nextOfKeyColumn);
      return free;
    }
    const entry = this.#entryCount++;
    if (entry >>> chunkBits === this.#chunks.length) this.#chunks.push(new Int32Array(entriesPerChunk * columnCount));
    return entry;
  }

  #get(entry: number, column: number): number {
    return this.#chunks[entry >>> chunkBits]![(entry % entriesPerChunk) * columnCount + column]!;
  }

  #set(entry: number, column: number, value: number): void {
    this.#chunks[entry >>> chunkBits]![(entry % entriesPerChunk) * columnCount + column] = value;
  }

  #unchain(entry: number): void {
    const number = this.#get(entry, termColumn);
    const next = this.#get(entry, nextOfTermColumn);
    let before = this.#firstOfTerm[number]!;
    if (before === entry) {
      this.#firstOfTerm[number] = next;
      this.#firstKeys[number] = next === none ? none : this.#get(next, keyColumn);
    } else {
      while (this.#get(before, nextOfTermColumn) !== entry) before = this.#get(before, nextOfTermColumn);
      this.#set(before, nextOfTermColumn, next);
    }
    this.#keyCounts[number]! -= 1;
    if (this.#keyCounts[number] !== 0) return;
    this.#numbers.delete(this.#hashes[number]!);
    this.#freeNumbers.push(number);
  }
}

function doubled(numbers: Int32Array, rest: number): Int32Array<ArrayBuffer> {
  const longer = new Int32Array(2 * numbers.length).fill(rest, numbers.length);
  longer.set(numbers);
  return longer;
}
