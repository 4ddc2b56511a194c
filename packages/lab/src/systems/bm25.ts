/** BM25 over whole texts (Robertson & Zaragoza 2009, with the idf that stays positive). */
import { splitTerms } from "mnemosyne-edge/internal/core/text/words.js";

const saturation = 1.2;
const lengthWeight = 0.75;

export interface ScoredId {
  readonly id: string;
  readonly score: number;
}

export class Bm25Index {
  readonly #texts: { readonly id: string; readonly counts: ReadonlyMap<string, number>; readonly length: number }[] =
    [];
  readonly #documentFrequency = new Map<string, number>();
  #totalLength = 0;

  add(id: string, text: string): void {
    const terms = splitTerms(text);
    const counts = countTerms(terms);
    for (const term of counts.keys()) this.#documentFrequency.set(term, this.#frequency(term) + 1);
    this.#texts.push({ id, counts, length: terms.length });
    this.#totalLength += terms.length;
  }

  /** Every text that shares a term with the question, best first. */
  search(question: string): ScoredId[] {
    const terms = countTerms(splitTerms(question));
    const meanLength = this.#totalLength / this.#texts.length;
    return this.#texts
      .map(({ id, counts, length }) => {
        let score = 0;
        for (const [term, repeats] of terms) {
          const count = counts.get(term) ?? 0;
          const damping = saturation * (1 - lengthWeight + (lengthWeight * length) / meanLength);
          score += repeats * this.#rarity(term) * ((count * (saturation + 1)) / (count + damping));
        }
        return { id, score };
      })
      .filter(({ score }) => score > 0)
      .sort((x, y) => y.score - x.score);
  }

  #rarity(term: string): number {
    const frequency = this.#frequency(term);
    return Math.log(1 + (this.#texts.length - frequency + 0.5) / (frequency + 0.5));
  }

  #frequency(term: string): number {
    return this.#documentFrequency.get(term) ?? 0;
  }
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
