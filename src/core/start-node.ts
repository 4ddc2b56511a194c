/**
 * Start nodes (section 3.2, Algorithm B3): the memories a recall begins from.
 *
 *   S = alpha S_meta + (1 - alpha) S_query
 *
 * S_meta compares the question with the memory's naturalized time, state and keywords, S_query with what it says. alpha
 * rises with age, since the older a memory is, the more a person refers to it by when it was; the table calls 0.6 the
 * weight of the semantic side, so alpha starts at 0.4 (design decision 7):
 *
 *   alpha(age) = base + (max - base) (1 - exp(-age / rise))
 *
 * Preset `default` adds the share of the question that the memory's own words cover.
 */
import type { Parameters } from "../parameters.js";
import { compareIds } from "./memory-node.js";
import { dayMs } from "./time.js";

export interface StartScore {
  readonly id: string;
  readonly metaSimilarity: number;
  readonly querySimilarity: number;
  readonly metaWeight: number;
  readonly lexicalCoverage: number;
  readonly score: number;
}

export function metaWeight(ageMs: number, parameters: Parameters): number {
  const { metaWeightBase, metaWeightMax, metaWeightRiseDays } = parameters;
  const risen = 1 - Math.exp(-Math.max(0, ageMs) / (metaWeightRiseDays * dayMs));
  return metaWeightBase + (metaWeightMax - metaWeightBase) * risen;
}

export function startScore(
  id: string,
  ageMs: number,
  metaSimilarity: number,
  querySimilarity: number,
  lexicalCoverage: number,
  parameters: Parameters,
): StartScore {
  const alpha = metaWeight(ageMs, parameters);
  const score = alpha * metaSimilarity + (1 - alpha) * querySimilarity + parameters.lexicalWeight * lexicalCoverage;
  return { id, metaSimilarity, querySimilarity, metaWeight: alpha, lexicalCoverage, score };
}

/** Best first; equal scores in the order of their ids. */
export function compareStartScores(x: StartScore, y: StartScore): number {
  return y.score - x.score || compareIds(x.id, y.id);
}

/** The best `startCountMax` of those that reach `startScoreMin`. */
export function selectStartNodes(scores: readonly StartScore[], parameters: Parameters): StartScore[] {
  return scores
    .filter(({ score }) => score >= parameters.startScoreMin)
    .sort(compareStartScores)
    .slice(0, parameters.startCountMax);
}
