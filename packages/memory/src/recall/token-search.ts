/**
 * How well the words of memories match those of the question, word by word (design: late interaction). One vector for a
 * whole statement loses what only one of its words says; here every word of the question looks for its best counterpart,
 * and counts by how rare it is among the person's memories. The vectors are read from the store for the best candidates
 * only. A memory without any, and an embedder or a store that has none, is compared as before.
 */
import { rarity } from "../text/keywords.js";
import { splitTerms, toTerm } from "../text/words.js";
import type { MemoryNode } from "../graph/memory-node.js";
import { type QuestionToken, type TokenMatch, TokenMatcher } from "../graph/vectors/token-vectors.js";
import type { Embedding } from "../engine/embedding-queue.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { tokenizedTexts } from "../reader/statement-tokens.js";

/** A longer question is compared by its rarest words. */
const wordCountMax = 32;

export class TokenSearch {
  readonly #state: PersonState;
  readonly #matcher: TokenMatcher | null;
  /** By memory; null for one without tokens. */
  readonly #matches = new Map<
    string,
    { readonly statements: MemoryNode["statements"]; readonly match: TokenMatch | null }
  >();

  /** `content` is the question without the words that say when. */
  constructor(query: string, content: string, embedded: Embedding, state: PersonState) {
    const { embedding, parameters } = state.context;
    const isUsed = parameters.tokenWeight > 0;
    const tokens = isUsed ? weighWords(query, content, embedded, embedding.wordDimensions, state) : [];
    this.#state = state;
    this.#matcher = tokens.length === 0 ? null : new TokenMatcher(tokens, embedding.wordDimensions);
  }

  /** Reads and compares memories that have not been yet. */
  async read(nodes: readonly MemoryNode[]): Promise<void> {
    const matcher = this.#matcher;
    const { person, context } = this.#state;
    const missing = nodes.filter((node) => !this.isKnown(node));
    if (matcher === null || missing.length === 0) return;
    const ids = missing.map(({ id }) => id);
    const found = await context.records.tokens(person, ids);
    const matches = this.#matches;
    await runInSlices(
      (function* compare() {
        for (const node of missing) {
          const bytes = found.get(node.id);
          const match = bytes === undefined ? null : matcher.match(bytes, tokenizedTexts(node).length);
          matches.set(node.id, { statements: node.statements, match });
          yield;
        }
      })(),
    );
  }

  /** Whether a memory, as it is now, needs no reading. */
  isKnown({ id, statements }: MemoryNode): boolean {
    return this.#matcher === null || this.#matches.get(id)?.statements === statements;
  }

  of(id: string): TokenMatch | null {
    return this.#matches.get(id)?.match ?? null;
  }
}

function weighWords(
  query: string,
  content: string,
  { words, wordVectors }: Embedding,
  dimensions: number,
  { graph }: PersonState,
): QuestionToken[] {
  const kept = new Set(splitTerms(content));
  const timeTerms = new Set(splitTerms(query).filter((term) => !kept.has(term)));
  const weighed = words.map((word, i) => {
    const term = toTerm(word) ?? word;
    return {
      vector: wordVectors.subarray(i * dimensions, (i + 1) * dimensions),
      weight: rarity(term, graph.lexicalIndex),
      saysWhen: timeTerms.has(term),
    };
  });
  const about = weighed.some(({ saysWhen }) => !saysWhen) ? weighed.filter(({ saysWhen }) => !saysWhen) : weighed;
  const rarest = about.toSorted((x, y) => y.weight - x.weight).slice(0, wordCountMax);
  const sum = rarest.reduce((total, { weight }) => total + weight, 0);
  return rarest.map(({ vector, weight }) => ({ vector, weight: weight / sum }));
}
