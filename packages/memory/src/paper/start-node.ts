/**
 * Start nodes (section 3.2, Algorithm B3): the memories a recall begins from.
 *
 *   S = alpha S_meta + (1 - alpha) S_query
 *
 * S_meta compares the question with the memory's naturalized time, state and keywords, S_query with what it says. alpha
 * rises with age, since the older a memory is, the more a person refers to it by when it was. The table calls 0.6 the
 * weight of the semantic side, so alpha starts at 0.4 (design decision 7); the semantic side stays the heavier one at
 * every age, so alpha approaches 0.5 and no more:
 *
 *   alpha(age) = base + (max - base) (1 - exp(-age / rise))
 *
 * Preset `default` adds the share of the question's words that the memory covers, how well its words match them, and the
 * gain of a memory that lies where in time the question looks.
 */
import type { Parameters } from "../parameters.js";
import { compareIds } from "../graph/memory-node.js";
import { dayMs } from "../text/time.js";

export interface StartEvidence {
  readonly metaSimilarity: number;
  readonly querySimilarity: number;
  readonly lexicalCoverage: number;
  /** How well its words match those of the question; null where words were not compared. */
  readonly tokens: {
    /** Those of its best statement. */
    readonly best: number;
    /** Those of the whole memory. */
    readonly whole: number;
  } | null;
  readonly timeGain: number;
}

export interface StartScore extends StartEvidence {
  readonly id: string;
  readonly metaWeight: number;
  readonly score: number;
}

/** Age at which alpha has covered 63 % of the way from base to maximum. */
const metaRiseDays = 28;

export function metaWeight(ageMs: number, parameters: Parameters): number {
  const { metaWeightBase, metaWeightMax } = parameters;
  const risen = 1 - Math.exp(-Math.max(0, ageMs) / (metaRiseDays * dayMs));
  return metaWeightBase + (metaWeightMax - metaWeightBase) * risen;
}

/** Whether S_meta contributes at any age. */
export function usesMeta({ metaWeightBase, metaWeightMax }: Parameters): boolean {
  return metaWeightBase > 0 || metaWeightMax > 0;
}

export function startScore(id: string, ageMs: number, evidence: StartEvidence, parameters: Parameters): StartScore {
  const { metaSimilarity, querySimilarity, lexicalCoverage, tokens, timeGain } = evidence;
  const { lexicalWeight, tokenWeight } = parameters;
  const alpha = metaWeight(ageMs, parameters);
  const score =
    alpha * metaSimilarity +
    (1 - alpha) * querySimilarity +
    lexicalWeight * lexicalCoverage +
    tokenWeight * (tokens === null ? 0 : tokens.best + tokens.whole) +
    timeGain;
  return { id, ...evidence, metaWeight: alpha, score };
}

/** Best first; ties in the order of their ids. */
export function compareStartScores(x: StartScore, y: StartScore): number {
  return y.score - x.score || compareIds(x.id, y.id);
}

/** The best `startCountMax` of those that reach `startScoreMin`. */
export function selectStartNodes(
  scores: readonly StartScore[],
  { startScoreMin, startCountMax }: Pick<Parameters, "startScoreMin" | "startCountMax">,
): StartScore[] {
  return scores
    .filter(({ score }) => score >= startScoreMin)
    .sort(compareStartScores)
    .slice(0, startCountMax);
}
