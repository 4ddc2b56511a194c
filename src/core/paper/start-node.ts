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
 * Preset `default` adds the shares of the question that the memory's full text and its best statement cover, and the gains
 * of a memory that lies where in time the question looks, or whose lasting facts belong to what it asks about.
 */
import type { Parameters } from "../../parameters.js";
import { compareIds } from "../graph/memory-node.js";
import { dayMs } from "../time.js";

export interface StartScore {
  readonly id: string;
  /** The wording of a language model that the memory matches better than the question itself; null for none. */
  readonly wording: string | null;
  readonly metaSimilarity: number;
  readonly querySimilarity: number;
  readonly metaWeight: number;
  readonly lexicalCoverage: number;
  /** Of the statement that covers the most. */
  readonly statementCoverage: number;
  /** How well its words match those of the question; null where words were not compared. */
  readonly tokens: {
    /** Those of its best statement. */
    readonly best: number;
    /** Those of a statement and of the ones before and after it. */
    readonly window: number;
    /** Those of the whole memory. */
    readonly whole: number;
  } | null;
  /** By those matches, as far as they are better than by chance. */
  readonly tokenGain: number;
  readonly timeGain: number;
  /** By lasting facts in the areas of life that the question asks about. */
  readonly areaGain: number;
  /** By what the judge thinks of the memory as an answer; 0 where it was not asked. */
  readonly relevanceGain: number;
  /** By holding at the time in question while other memories of its chain of updates do not; negative for those. */
  readonly currencyGain: number;
  readonly score: number;
}

export type StartEvidence = Omit<
  StartScore,
  "id" | "metaWeight" | "tokenGain" | "relevanceGain" | "currencyGain" | "score"
>;

export function metaWeight(ageMs: number, parameters: Parameters): number {
  const { metaWeightBase, metaWeightMax, metaWeightRiseDays } = parameters;
  const risen = 1 - Math.exp(-Math.max(0, ageMs) / (metaWeightRiseDays * dayMs));
  return metaWeightBase + (metaWeightMax - metaWeightBase) * risen;
}

/** Whether S_meta contributes at any age. */
export function usesMeta({ metaWeightBase, metaWeightMax }: Parameters): boolean {
  return metaWeightBase > 0 || metaWeightMax > 0;
}

/** Whether it does, from the vectors of time and topic instead of those of one text. */
export function usesMetaParts(parameters: Parameters): boolean {
  return usesMeta(parameters) && parameters.metaParts === 1;
}

export function startScore(id: string, ageMs: number, evidence: StartEvidence, parameters: Parameters): StartScore {
  const { metaSimilarity, querySimilarity, lexicalCoverage, statementCoverage, timeGain, areaGain } = evidence;
  const { lexicalWeight, statementLexicalWeight, tokenLexicalShare } = parameters;
  const alpha = metaWeight(ageMs, parameters);
  const lexicalShare = evidence.tokens === null ? 1 : tokenLexicalShare;
  const gain = tokenGain(evidence.tokens, parameters);
  const score =
    alpha * metaSimilarity +
    (1 - alpha) * querySimilarity +
    lexicalShare * (lexicalWeight * lexicalCoverage + statementLexicalWeight * statementCoverage) +
    gain +
    timeGain +
    areaGain;
  return { id, ...evidence, metaWeight: alpha, tokenGain: gain, relevanceGain: 0, currencyGain: 0, score };
}

/** How well words match that have nothing to do with each other: among many, one always comes near. */
const matchByChance = 0.3;

/** What a memory gains by words that match those of the question, in meaning or in letters, better than by chance. */
export function tokenGain(tokens: StartScore["tokens"], parameters: Parameters): number {
  if (tokens === null) return 0;
  const { tokenWeight, tokenWindowWeight, tokenWholeWeight } = parameters;
  return (
    tokenWeight * (tokens.best - matchByChance) +
    tokenWindowWeight * (tokens.window - matchByChance) +
    tokenWholeWeight * (tokens.whole - matchByChance)
  );
}

/** Best first; ties in the order of their ids. */
export function compareStartScores(x: StartScore, y: StartScore): number {
  return y.score - x.score || compareIds(x.id, y.id);
}

export type StartLimits = Pick<Parameters, "startScoreMin" | "startCountMax">;

/** The best `startCountMax` of those that reach `startScoreMin`. */
export function selectStartNodes(scores: readonly StartScore[], parameters: StartLimits): StartScore[] {
  return scores
    .filter(({ score }) => score >= parameters.startScoreMin)
    .sort(compareStartScores)
    .slice(0, parameters.startCountMax);
}
