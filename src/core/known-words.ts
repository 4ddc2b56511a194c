/**
 * Terms of words met before, found by the characters of a text, so that a word that is known need not be cut out of it.
 * Words repeat, and reading a person's memories into the lexical index looks at every one of them. Cleared when full,
 * which costs little and never grows.
 */

const wordCountMax = 20_000;
/** A power of two, with room to spare so that searches stay short. */
const slotBits = 15;
const slotCount = 2 ** slotBits;
/** 2^32 over the golden ratio: spreads hashes that differ little. */
const spreadFactor = 0x9e3779b1;

export class KnownWords {
  readonly #makeTerm: (word: string) => string | null;
  readonly #hashes = new Int32Array(slotCount);
  #words: (string | undefined)[] = [];
  #terms: (string | null)[] = [];
  #wordCount = 0;

  constructor(makeTerm: (word: string) => string | null) {
    this.#makeTerm = makeTerm;
    this.#clear();
  }

  /** The term of the word between `start` and `end` of a text, or null where it has none. */
  termOf(text: string, start: number, end: number): string | null {
    const hash = hashOf(text, start, end);
    let slot = Math.imul(hash, spreadFactor) >>> (32 - slotBits);
    for (;;) {
      const word = this.#words[slot];
      if (word === undefined) return this.#add(slot, hash, text.slice(start, end));
      if (this.#hashes[slot] === hash && isAt(word, text, start, end)) return this.#terms[slot]!;
      slot = (slot + 1) % slotCount;
    }
  }

  #add(slot: number, hash: number, word: string): string | null {
    const term = this.#makeTerm(word);
    if (this.#wordCount >= wordCountMax) {
      this.#clear();
      return term;
    }
    this.#hashes[slot] = hash;
    this.#words[slot] = word;
    this.#terms[slot] = term;
    this.#wordCount++;
    return term;
  }

  #clear(): void {
    this.#words = Array.from({ length: slotCount }, () => undefined);
    this.#terms = Array.from({ length: slotCount }, () => null);
    this.#wordCount = 0;
  }
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
