/**
 * The terms by which the lexical index finds a memory: those of its summary and of everything that was said, and what its
 * keywords add, which only a language model's do. Splitting a long text takes a while, so it is done in steps, before the
 * graph changes.
 */
import { finish } from "../text/steps.js";
import { isNumberWord, splitTerms, splitTermsSteps } from "../text/words.js";
import type { EmbeddedNode, GraphChange } from "./memory-node.js";

/** By the id of the memory. */
export type IndexedTerms = ReadonlyMap<string, readonly string[]>;

/** The terms of all memories that a change puts into the graph. */
export function* indexedTermsSteps({ putNodes }: GraphChange): Generator<void, IndexedTerms> {
  const terms = new Map<string, readonly string[]>();
  for (const embedded of putNodes) terms.set(embedded.node.id, yield* termsOfNodeSteps(embedded));
  return terms;
}

export function termsOfNode(embedded: EmbeddedNode): string[] {
  return finish(termsOfNodeSteps(embedded));
}

export function* termsOfNodeSteps({ node, fullText }: EmbeddedNode): Generator<void, string[]> {
  // Joined, not concatenated: V8 keeps a concatenation as a pair, which is slow to read letter by letter.
  const terms = yield* splitTermsSteps([node.summaryText, fullText].join("\n"));
  // Without a model the keywords are words of the text.
  return node.hypotheticalQuery === "" ? terms : terms.concat(termsAdded(node.keywords, new Set(terms)));
}

/** Once each, so that they do not outweigh the text. Numbers that the text does not have are not to be found by. */
function termsAdded(keywords: readonly string[], known: ReadonlySet<string>): string[] {
  const terms = new Set(keywords.flatMap((keyword) => splitTerms(keyword)));
  return [...terms].filter((term) => !known.has(term) && !isNumberWord(term));
}
