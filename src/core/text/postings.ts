/**
 * Which keys (integers from 0) hold which terms, and how often: the inverted lists behind the lexical index and the
 * keywords. An entry is one term of one key, five integers in a table; it belongs to two chains, its term's and its
 * key's. There is no object per entry, so reading ten thousand memories leaves nothing to collect, and a removed key
 * leaves no trace. The table is in chunks: growing it copies nothing.
 */

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

export class Postings {
  readonly #termNumbers = new Map<string, number>();
  readonly #terms: (string | undefined)[] = [];
  readonly #freeTermNumbers: number[] = [];
  /** By term number: its latest entry, that entry's key, and how many entries it has. */
  readonly #firstOfTerm: number[] = [];
  readonly #firstKeys: number[] = [];
  readonly #keyCounts: number[] = [];
  readonly #firstOfKey = new Map<number, number>();
  readonly #chunks: Int32Array[] = [];
  /** Entries ever used, and the chain of those to reuse. */
  #entryCount = 0;
  #firstFree = none;

  get termCount(): number {
    return this.#termNumbers.size;
  }

  /** How many keys hold a term. */
  keyCount(term: string): number {
    const number = this.#termNumbers.get(term);
    return number === undefined ? 0 : this.#keyCounts[number]!;
  }

  holds(key: number, term: string): boolean {
    for (let entry = this.#firstEntry(term); entry !== none; entry = this.#get(entry, nextOfTermColumn)) {
      if (this.#get(entry, keyColumn) === key) return true;
    }
    return false;
  }

  /** Calls `visit` with every key that holds a term, and how often it does. */
  forEach(term: string, visit: (key: number, count: number) => void): void {
    for (let entry = this.#firstEntry(term); entry !== none; entry = this.#get(entry, nextOfTermColumn)) {
      visit(this.#get(entry, keyColumn), this.#get(entry, countColumn));
    }
  }

  /** The number of a term, which stays the same until the last key that holds it is removed. */
  numberOf(term: string): number {
    return this.#termNumbers.get(term) ?? this.#addTerm(term);
  }

  /**
   * Adds all terms of a key, which must have none yet, by their numbers; repeated terms count more. Returns how many
   * different ones there are.
   */
  put(key: number, termNumbers: readonly number[]): number {
    let first = none;
    let count = 0;
    for (const number of termNumbers) {
      const latest = this.#firstOfTerm[number]!;
      if (this.#firstKeys[number] === key) {
        this.#set(latest, countColumn, this.#get(latest, countColumn) + 1);
      } else {
        first = this.#addEntry(number, key, latest, first);
        count++;
      }
    }
    this.#firstOfKey.set(key, first);
    return count;
  }

  /** Removes a key with all its terms and returns how many of them no key holds any more. */
  remove(key: number): number {
    const termCount = this.termCount;
    let entry = this.#firstOfKey.get(key) ?? none;
    while (entry !== none) {
      const next = this.#get(entry, nextOfKeyColumn);
      this.#unchain(entry);
      for (let column = 0; column < columnCount; column++) this.#set(entry, column, 0);
      this.#set(entry, nextOfKeyColumn, this.#firstFree);
      this.#firstFree = entry;
      entry = next;
    }
    this.#firstOfKey.delete(key);
    return termCount - this.termCount;
  }

  #firstEntry(term: string): number {
    const number = this.#termNumbers.get(term);
    return number === undefined ? none : this.#firstOfTerm[number]!;
  }

  #addTerm(term: string): number {
    const number = this.#freeTermNumbers.pop() ?? this.#terms.length;
    this.#termNumbers.set(term, number);
    this.#terms[number] = term;
    this.#firstOfTerm[number] = none;
    this.#firstKeys[number] = none;
    this.#keyCounts[number] = 0;
    return number;
  }

  #addEntry(termNumber: number, key: number, nextOfTerm: number, nextOfKey: number): number {
    const entry = this.#takeEntry();
    this.#set(entry, termColumn, termNumber);
    this.#set(entry, keyColumn, key);
    this.#set(entry, countColumn, 1);
    this.#set(entry, nextOfTermColumn, nextOfTerm);
    this.#set(entry, nextOfKeyColumn, nextOfKey);
    this.#firstOfTerm[termNumber] = entry;
    this.#firstKeys[termNumber] = key;
    this.#keyCounts[termNumber]! += 1;
    return entry;
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
    if (this.#keyCounts[number] === 0) this.#removeTerm(number);
  }

  #removeTerm(number: number): void {
    this.#termNumbers.delete(this.#terms[number]!);
    this.#terms[number] = undefined;
    this.#freeTermNumbers.push(number);
  }
}
