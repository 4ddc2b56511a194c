/**
 * Retrieval metrics for one question (Equation A2 and "Retrieval Benchmarking" of the paper): hit rate, nDCG and recall
 * among the best k memories, and the share of the evidence that reached the context.
 */
import { splitSentences } from "mnemosyne-edge/internal/core/text/sentences.js";

/** 1 if at least one of the first k is relevant, else 0. */
export function hitAt(k: number, ranked: readonly string[], gold: readonly string[]): number {
  return firstDistinct(k, ranked).some((id) => gold.includes(id)) ? 1 : 0;
}

/**
 * nDCG@k = DCG@k / IDCG@k, DCG@k = sum over i = 1..k of rel_i / log2(i + 1), with rel_i = 1 for a relevant memory, else 0.
 * IDCG@k is the DCG@k of the order that puts all relevant ones first: min(k, number of relevant) terms.
 */
export function ndcgAt(k: number, ranked: readonly string[], gold: readonly string[]): number {
  const relevances = firstDistinct(k, ranked).map((id) => (gold.includes(id) ? 1 : 0));
  const ideal = Array.from({ length: Math.min(k, new Set(gold).size) }, () => 1);
  return ideal.length === 0 ? 0 : discountedGain(relevances) / discountedGain(ideal);
}

function discountedGain(relevances: readonly number[]): number {
  return relevances.reduce((sum, relevance, i) => sum + relevance / Math.log2(i + 2), 0);
}

/** Share of the relevant memories that are among the first k. */
export function recallAt(k: number, ranked: readonly string[], gold: readonly string[]): number {
  const relevant = new Set(gold);
  const found = firstDistinct(k, ranked).filter((id) => relevant.has(id));
  return relevant.size === 0 ? 0 : found.length / relevant.size;
}

/** A memory listed twice counts once, at its better rank. */
function firstDistinct(k: number, ranked: readonly string[]): string[] {
  return [...new Set(ranked)].slice(0, k);
}

/** Share of the evidence turns whose sentences are all in the context, ignoring white space. */
export function evidenceShare(context: string, evidence: readonly string[]): number {
  const flat = normalizeSpace(context);
  const found = evidence.filter((turn) =>
    splitSentences(turn).every((sentence) => flat.includes(normalizeSpace(sentence))),
  );
  return found.length / evidence.length;
}

function normalizeSpace(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
