/**
 * A cache from words to what they stand for (a term, or its number in an index), looked up by the characters of a text,
 * so that a known word need not be sliced out of it. Words repeat, and building the lexical index looks at every word
 * of a person's memories. Cleared when full, which is cheap and bounds its size.
 */

const wordCountMax = 40_000;
const firstSlotBits = 8;
/** At most this many words per slot, to keep searches short. */
const fillMax = 0.65;
/** 2^32 over the golden ratio: spreads hashes that differ little. */
const spreadFactor = 0x9e3779b1;

export class KnownWords<Meaning> {
  readonly #find: (word: string) => Meaning;
  /** By slot; the number of slots is a power of two. */
  #slotBits = firstSlotBits;
  #hashes = new Int32Array(2 ** firstSlotBits);
  #words = emptySlots<string>(firstSlotBits);
  #meanings = emptySlots<Meaning>(firstSlotBits);
  #wordCount = 0;

  constructor(find: (word: string) => Meaning) {
    this.#find = find;
  }

  /** What the word between `start` and `end` of a text stands for. */
  meaningOf(text: string, start: number, end: number): Meaning {
    const hash = hashOf(text, start, end);
    const last = this.#words.length - 1;
    for (let slot = this.#firstSlot(hash); ; slot = (slot + 1) & last) {
      const word = this.#words[slot];
      if (word === undefined) return this.#add(slot, hash, text.slice(start, end));
      if (this.#hashes[slot] === hash && isAt(word, text, start, end)) return this.#meanings[slot] as Meaning;
    }
  }

  /** Forgets all words, when they now stand for something else. */
  clear(): void {
    if (this.#wordCount > 0) this.#resize(firstSlotBits);
  }

  #add(slot: number, hash: number, word: string): Meaning {
    const meaning = this.#find(word);
    this.#hashes[slot] = hash;
    this.#words[slot] = word;
    this.#meanings[slot] = meaning;
    this.#wordCount++;
    if (this.#wordCount > wordCountMax) this.clear();
    else if (this.#wordCount > this.#words.length * fillMax) this.#grow();
    return meaning;
  }

  #grow(): void {
    const [hashes, words, meanings] = [this.#hashes, this.#words, this.#meanings];
    this.#resize(this.#slotBits + 1);
    const last = this.#words.length - 1;
    for (const [i, word] of words.entries()) {
      if (word === undefined) continue;
      let slot = this.#firstSlot(hashes[i]!);
      while (this.#words[slot] !== undefined) slot = (slot + 1) & last;
      this.#hashes[slot] = hashes[i]!;
      this.#words[slot] = word;
      this.#meanings[slot] = meanings[i];
      this.#wordCount++;
    }
  }

  #resize(slotBits: number): void {
    this.#slotBits = slotBits;
    this.#hashes = new Int32Array(2 ** slotBits);
    this.#words = emptySlots(slotBits);
    this.#meanings = emptySlots(slotBits);
    this.#wordCount = 0;
  }

  #firstSlot(hash: number): number {
    return Math.imul(hash, spreadFactor) >>> (32 - this.#slotBits);
  }
}

function emptySlots<Value>(slotBits: number): (Value | undefined)[] {
  const slots: (Value | undefined)[] = [];
  slots.length = 2 ** slotBits;
  return slots.fill(undefined);
}

function hashOf(text: string, start: number, end: number): number {
  let hash = 0;
  for (let i = start; i < end; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return hash;
}

function isAt(word: string, text: string, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}
