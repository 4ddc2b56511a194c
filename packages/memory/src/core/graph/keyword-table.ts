/** The keywords of all memories by slot: how many each has, and who shares some of them. Compared by their terms. */
import { keywordTerm, keywordTerms } from "../text/keywords.js";
import { KnownWords } from "../text/known-words.js";
import { Postings } from "../text/postings.js";

const firstSlotCount = 64;

export class KeywordTable {
  readonly #postings = new Postings();
  readonly #numbers = new KnownWords((keyword) => this.#postings.numberOf(keywordTerm(keyword)));
  /** By slot. */
  counts = new Uint16Array(firstSlotCount);

  /** For each slot, how many of `keywords` it holds. */
  shared(keywords: readonly string[]): Map<number, number> {
    const shared = new Map<number, number>();
    for (const term of keywordTerms(keywords)) {
      this.#postings.forEach(term, (slot) => shared.set(slot, (shared.get(slot) ?? 0) + 1));
    }
    return shared;
  }

  put(slot: number, keywords: readonly string[]): void {
    this.#growTo(slot + 1);
    const numbers = keywords.map((keyword) => this.#numbers.meaningOf(keyword, 0, keyword.length));
    this.counts[slot] = this.#postings.put(slot, numbers);
  }

  /** The same for packed terms (term-hash.ts), those of `packed` from `from` to `to`. */
  putPacked(slot: number, packed: Int32Array, from: number, to: number): void {
    this.#growTo(slot + 1);
    this.#postings.putPacked(slot, packed, from, to);
    this.counts[slot] = (to - from) / 2;
  }

  enterSteps(): Generator<void, void> {
    return this.#postings.enterSteps();
  }

  remove(slot: number): void {
    this.counts[slot] = 0;
    const goneCount = this.#postings.remove(slot);
    if (goneCount > 0) this.#numbers.clear();
  }

  #growTo(slotCount: number): void {
    if (slotCount <= this.counts.length) return;
    const counts = new Uint16Array(Math.max(slotCount, this.counts.length * 2));
    counts.set(this.counts);
    this.counts = counts;
  }
}
