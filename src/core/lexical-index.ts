/**
 * A lexical index over the full texts of a person's memories (design: several cues per memory), scored by BM25
 * (Robertson & Zaragoza 2009, with the idf that stays positive). Texts can be added and removed at any time; what was
 * removed leaves no trace in it.
 */
import { rarity, type TermStatistics } from "./keywords.js";
import { splitTerms } from "./words.js";

interface Posting {
  readonly keys: number[];
  readonly counts: number[];
}

export class LexicalIndex implements TermStatistics {
  readonly #postings = new Map<string, Posting>();
  readonly #terms = new Map<number, string[]>();
  readonly #lengths = new Map<number, number>();
  #totalLength = 0;

  get documentCount(): number {
    return this.#lengths.size;
  }

  get termCount(): number {
    return this.#postings.size;
  }

  /** Whether the text of `key` has `term`. */
  holds(key: number, term: string): boolean {
    return this.#postings.get(term)?.keys.includes(key) ?? false;
  }

  readonly documentFrequency = (term: string): number => this.#postings.get(term)?.keys.length ?? 0;

  add(key: number, text: string): void {
    if (this.#lengths.has(key)) this.remove(key);
    const terms = splitTerms(text);
    const distinctTerms: string[] = [];
    for (const term of terms) {
      const { keys, counts } = this.#postingOf(term);
      const last = keys.length - 1;
      if (last >= 0 && keys[last] === key) counts[last]!++;
      else {
        keys.push(key);
        counts.push(1);
        distinctTerms.push(term);
      }
    }
    this.#terms.set(key, distinctTerms);
    this.#lengths.set(key, terms.length);
    this.#totalLength += terms.length;
  }

  #postingOf(term: string): Posting {
    let posting = this.#postings.get(term);
    if (posting === undefined) this.#postings.set(term, (posting = { keys: [], counts: [] }));
    return posting;
  }

  remove(key: number): void {
    for (const term of this.#terms.get(key) ?? []) {
      const posting = this.#postings.get(term)!;
      const at = posting.keys.indexOf(key);
      const last = posting.keys.length - 1;
      posting.keys[at] = posting.keys[last]!;
      posting.counts[at] = posting.counts[last]!;
      posting.keys.pop();
      posting.counts.pop();
      if (last === 0) this.#postings.delete(term);
    }
    this.#totalLength -= this.#lengths.get(key) ?? 0;
    this.#terms.delete(key);
    this.#lengths.delete(key);
  }

  /**
   * Share of the question that each text covers: its BM25 score over the score of an imagined text that repeats every
   * term of the question without end. Between 0 and 1 and free of the corpus's size, so that it can be added to cosines.
   */
  coverages(query: string, saturation: number, lengthWeight: number): Map<number, number> {
    const coverages = new Map<number, number>();
    const meanLength = this.#totalLength / (this.documentCount || 1);
    let ideal = 0;
    for (const [term, repeats] of countTerms(splitTerms(query))) {
      const weight = repeats * rarity(term, this);
      ideal += weight;
      const posting = this.#postings.get(term);
      if (posting === undefined) continue;
      for (let i = 0; i < posting.keys.length; i++) {
        const key = posting.keys[i]!;
        const part =
          weight * saturate(posting.counts[i]!, this.#lengths.get(key)! / meanLength, saturation, lengthWeight);
        coverages.set(key, (coverages.get(key) ?? 0) + part);
      }
    }
    for (const [key, sum] of coverages) coverages.set(key, sum / ideal);
    return coverages;
  }
}

/**
 * Share of a question's terms that one statement covers, by the rarity they have among the memories. Statements are
 * short and of a kind, so that their length does not matter.
 */
export class StatementCoverage {
  readonly #weights = new Map<string, number>();
  readonly #saturation: number;
  #ideal = 0;

  constructor(query: string, statistics: TermStatistics, saturation: number) {
    this.#saturation = saturation;
    for (const [term, repeats] of countTerms(splitTerms(query))) {
      const weight = repeats * rarity(term, statistics);
      this.#weights.set(term, weight);
      this.#ideal += weight;
    }
  }

  of(statement: string): number {
    if (this.#ideal === 0) return 0;
    let sum = 0;
    for (const [term, count] of countTerms(splitTerms(statement))) {
      const weight = this.#weights.get(term);
      if (weight !== undefined) sum += weight * saturate(count, 1, this.#saturation, 0);
    }
    return sum / this.#ideal;
  }
}

/** BM25's term saturation without its constant factor k1 + 1: 0 for no occurrence, approaching 1 for many. */
export function saturate(count: number, relativeLength: number, saturation: number, lengthWeight: number): number {
  return count / (count + saturation * (1 - lengthWeight + lengthWeight * relativeLength));
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
