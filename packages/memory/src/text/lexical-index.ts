/**
 * A lexical index over the full texts of a person's memories (design: several cues per memory), scored by BM25
 * (Robertson & Zaragoza 2009, with the idf that stays positive). Texts can be added and removed at any time; a removed
 * text leaves no trace in it.
 */
import { rarity, type TermStatistics } from "./keywords.js";
import { Postings } from "./postings.js";

export class LexicalIndex implements TermStatistics {
  readonly #postings = new Postings();
  /** By key; undefined for a key without a text. */
  readonly #lengths: (number | undefined)[] = [];
  #documentCount = 0;
  #totalLength = 0;

  get documentCount(): number {
    return this.#documentCount;
  }

  get termCount(): number {
    return this.#postings.termCount;
  }

  /** Whether the text of `key` has `term`. */
  holds(key: number, term: string): boolean {
    return this.#postings.holds(key, term);
  }

  readonly documentFrequency = (term: string): number => this.#postings.keyCount(term);

  /** `terms`: of the text, as `splitTerms` finds them. */
  add(key: number, terms: readonly string[]): void {
    this.remove(key);
    this.#postings.put(key, terms);
    this.#addDocument(key, terms.length);
  }

  /** The same for packed terms (term-hash.ts), those of `packed` from `from` to `to`. */
  addPacked(key: number, packed: Int32Array, from: number, to: number): void {
    this.remove(key);
    this.#addDocument(key, this.#postings.putPacked(key, packed, from, to));
  }

  #addDocument(key: number, length: number): void {
    while (this.#lengths.length < key) this.#lengths.push(undefined);
    this.#lengths[key] = length;
    this.#documentCount++;
    this.#totalLength += length;
  }

  remove(key: number): void {
    const length = this.#lengths[key];
    if (length === undefined) return;
    this.#postings.remove(key);
    this.#lengths[key] = undefined;
    this.#documentCount--;
    this.#totalLength -= length;
  }

  /**
   * The share of the question that each text covers: its BM25 score over the score of an imaginary text that repeats
   * every term of the question without end. Between 0 and 1 and independent of the corpus's size, so it can be added to
   * cosines. A question of only common words says little, so no text covers it completely: the denominator is at least
   * one new term's worth. `terms` are those of the question. Written to `out` by key; 0 for a text that has none of it.
   */
  coverages(terms: readonly string[], out: Float64Array): void {
    out.fill(0);
    const meanLength = this.#totalLength / (this.documentCount || 1);
    let ideal = 0;
    for (const [term, repeats] of countTerms(terms)) {
      const weight = repeats * rarity(term, this);
      ideal += weight;
      this.#postings.forEach(term, (key, count) => {
        const part = weight * saturate(count, this.#lengths[key]! / meanLength);
        out[key]! += part;
      });
    }
    const whole = Math.max(ideal, rarityMax(this));
    for (let key = 0; key < out.length; key++) out[key]! /= whole;
  }
}

/** Rarity of a term that no text has. */
function rarityMax({ documentCount }: TermStatistics): number {
  return rarity("", { documentCount, documentFrequency: () => 0 });
}

/** BM25's k1 and b. */
const saturation = 1.2;
const lengthWeight = 0.75;

/** BM25's term saturation without its constant factor k1 + 1: 0 for no occurrence, approaching 1 for many. */
function saturate(count: number, relativeLength: number): number {
  return count / (count + saturation * (1 - lengthWeight + lengthWeight * relativeLength));
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
