/** The keywords of all memories by slot: how many each has, and who shares some of them. Compared by their terms. */
import { keywordTerm, keywordTerms } from "../text/keywords.js";
import { Postings } from "../text/postings.js";

const firstSlotCount = 64;

export class KeywordTable {
  readonly #postings = new Postings();
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
    this.counts[slot] = this.#postings.put(slot, keywords.map(keywordTerm));
  }

  /** The same for packed terms (term-hash.ts), those of `packed` from `from` to `to`. */
  putPacked(slot: number, packed: Int32Array, from: number, to: number): void {
    this.#growTo(slot + 1);
    this.#postings.putPacked(slot, packed, from, to);
    this.counts[slot] = (to - from) / 2;
  }

  remove(slot: number): void {
    this.counts[slot] = 0;
    this.#postings.remove(slot);
  }

  #growTo(slotCount: number): void {
    if (slotCount <= this.counts.length) return;
    const counts = new Uint16Array(Math.max(slotCount, this.counts.length * 2));
    counts.set(this.counts);
    this.counts = counts;
  }
}
