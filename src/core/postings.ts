/**
 * Which keys hold which terms, and how often: the inverted lists behind the lexical index and the keywords. An entry is
 * one term of one key, five whole numbers in a table; it belongs to two chains, of its term and of its key. There is no
 * object per entry, so that reading ten thousand memories leaves nothing to collect, and what was removed leaves no
 * trace.
 */

const firstCapacity = 256;
const none = -1;
const width = 5;
const termOffset = 0;
const keyOffset = 1;
const countOffset = 2;
const nextOfTermOffset = 3;
const nextOfKeyOffset = 4;

export class Postings {
  readonly #termNumbers = new Map<string, number>();
  readonly #terms: (string | undefined)[] = [];
  readonly #freeTermNumbers: number[] = [];
  /** By number of the term: its latest entry, and how many it has. */
  readonly #firstOfTerm: number[] = [];
  readonly #entryCounts: number[] = [];
  readonly #firstOfKey = new Map<number, number>();
  #table = new Int32Array(firstCapacity * width);
  /** Where the next entry goes, and the chain of those to use again. */
  #end = 0;
  #firstFree = none;

  get termCount(): number {
    return this.#termNumbers.size;
  }

  /** How many keys hold a term. */
  keyCount(term: string): number {
    const number = this.#termNumbers.get(term);
    return number === undefined ? 0 : this.#entryCounts[number]!;
  }

  holds(key: number, term: string): boolean {
    for (let entry = this.#firstEntry(term); entry !== none; entry = this.#table[entry + nextOfTermOffset]!) {
      if (this.#table[entry + keyOffset] === key) return true;
    }
    return false;
  }

  /** Calls `visit` with every key that holds a term, and how often it does. */
  forEach(term: string, visit: (key: number, count: number) => void): void {
    for (let entry = this.#firstEntry(term); entry !== none; entry = this.#table[entry + nextOfTermOffset]!) {
      visit(this.#table[entry + keyOffset]!, this.#table[entry + countOffset]!);
    }
  }

  /** The number of a term, which stays the same until the last key that holds it is removed. */
  numberOf(term: string): number {
    return this.#termNumbers.get(term) ?? this.#addTerm(term);
  }

  /** Puts all terms of a key, which must have none yet, by their numbers; one that is said again counts more. */
  put(key: number, termNumbers: readonly number[]): void {
    let first = none;
    for (const number of termNumbers) {
      const latest = this.#firstOfTerm[number]!;
      if (latest !== none && this.#table[latest + keyOffset] === key) this.#table[latest + countOffset]! += 1;
      else first = this.#addEntry(number, key, latest, first);
    }
    this.#firstOfKey.set(key, first);
  }

  /** Removes a key with all its terms, and says how many of them nobody holds any more. */
  remove(key: number): number {
    const termCount = this.termCount;
    let entry = this.#firstOfKey.get(key) ?? none;
    while (entry !== none) {
      const next = this.#table[entry + nextOfKeyOffset]!;
      this.#unchain(entry);
      this.#table.fill(0, entry, entry + width);
      this.#table[entry + nextOfKeyOffset] = this.#firstFree;
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
    this.#entryCounts[number] = 0;
    return number;
  }

  #addEntry(termNumber: number, key: number, nextOfTerm: number, nextOfKey: number): number {
    const entry = this.#takeEntry();
    const table = this.#table;
    table[entry + termOffset] = termNumber;
    table[entry + keyOffset] = key;
    table[entry + countOffset] = 1;
    table[entry + nextOfTermOffset] = nextOfTerm;
    table[entry + nextOfKeyOffset] = nextOfKey;
    this.#firstOfTerm[termNumber] = entry;
    this.#entryCounts[termNumber]! += 1;
    return entry;
  }

  #takeEntry(): number {
    const free = this.#firstFree;
    if (free !== none) {
      this.#firstFree = this.#table[free + nextOfKeyOffset]!;
      return free;
    }
    const entry = this.#end;
    this.#end += width;
    if (this.#end > this.#table.length) {
      const grown = new Int32Array(this.#table.length * 2);
      grown.set(this.#table);
      this.#table = grown;
    }
    return entry;
  }

  #unchain(entry: number): void {
    const table = this.#table;
    const number = table[entry + termOffset]!;
    const next = table[entry + nextOfTermOffset]!;
    let before = this.#firstOfTerm[number]!;
    if (before === entry) this.#firstOfTerm[number] = next;
    else {
      while (table[before + nextOfTermOffset] !== entry) before = table[before + nextOfTermOffset]!;
      table[before + nextOfTermOffset] = next;
    }
    this.#entryCounts[number]! -= 1;
    if (this.#entryCounts[number] === 0) this.#removeTerm(number);
  }

  #removeTerm(number: number): void {
    this.#termNumbers.delete(this.#terms[number]!);
    this.#terms[number] = undefined;
    this.#freeTermNumbers.push(number);
  }
}
