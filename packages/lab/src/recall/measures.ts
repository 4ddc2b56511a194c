/** Figures of one question (Equation A2 and "Retrieval Benchmarking" of the paper). A memory listed twice counts once. */

/** 1 if at least one of the first k is relevant, else 0. */
export function hitAt(k: number, ranked: readonly string[], gold: readonly string[]): number {
  return firstDistinct(k, ranked).some((id) => gold.includes(id)) ? 1 : 0;
}

/**
 * nDCG@k = DCG@k / IDCG@k, DCG@k = sum over i = 1..k of rel_i / log2(i + 1), with rel_i = 1 for a relevant memory, else 0.
 * IDCG@k is the DCG@k of the order that puts all relevant ones first.
 */
export function ndcgAt(k: number, ranked: readonly string[], gold: readonly string[]): number {
  const gain = (relevances: readonly number[]): number =>
    relevances.reduce((sum, relevance, i) => sum + relevance / Math.log2(i + 2), 0);
  const ideal = Array.from({ length: Math.min(k, new Set(gold).size) }, () => 1);
  return gain(firstDistinct(k, ranked).map((id) => (gold.includes(id) ? 1 : 0))) / gain(ideal);
}

/** Share of the relevant memories that are among the first k. */
export function recallAt(k: number, ranked: readonly string[], gold: readonly string[]): number {
  const relevant = new Set(gold);
  return firstDistinct(k, ranked).filter((id) => relevant.has(id)).length / relevant.size;
}

function firstDistinct(k: number, ranked: readonly string[]): string[] {
  return [...new Set(ranked)].slice(0, k);
}

/** Share of the pieces of evidence, each a list of texts, that are whole in a text; case, quotes and space do not matter. */
export function evidenceShare(text: string, evidence: readonly (readonly string[])[]): number {
  const flat = flatten(text);
  return evidence.filter((marks) => marks.every((mark) => flat.includes(flatten(mark)))).length / evidence.length;
}

function flatten(text: string): string {
  return text.toLowerCase().replace(/[’‘]/gu, "'").replace(/[“”]/gu, '"').replace(/\s+/gu, " ").trim();
}

/** The probability that a value drawn from `high` is above one drawn from `low`; ties count half. */
export function areaUnderCurve(high: readonly number[], low: readonly number[]): number {
  let wins = 0;
  for (const h of high) for (const l of low) wins += h > l ? 1 : h === l ? 0.5 : 0;
  return wins / (high.length * low.length);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
