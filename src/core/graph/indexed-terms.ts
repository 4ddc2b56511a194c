/**
 * The terms by which the lexical index finds a memory: those of its summary and of everything that was said. Splitting a
 * long text takes a while, so it is done in steps, before the graph changes.
 */
import { finish } from "../steps.js";
import { splitTermsSteps } from "../text/words.js";
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

export function termsOfNodeSteps({ node, fullText }: EmbeddedNode): Generator<void, string[]> {
  // Joined, not concatenated: V8 keeps a concatenation as a pair, which is slow to read letter by letter.
  return splitTermsSteps([node.summaryText, fullText].join("\n"));
}
