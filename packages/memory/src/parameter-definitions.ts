/**
 * Every number that controls the memory, in one place: default, the paper's value if it differs, range, source and
 * meaning. The command line, the docs and (later) servers read this table; no number is typed twice.
 */
import { readerParameterDefinitions } from "./reader-parameters.js";
import { modelParameterDefinitions } from "./model-parameters.js";
import { recallParameterDefinitions } from "./recall-parameters.js";

export interface ParameterDefinition {
  readonly default: number;
  /** The value in preset `paper`, if it differs from the default. */
  readonly paper?: number;
  readonly min: number;
  readonly max: number;
  readonly integer?: boolean;
  /** Section, equation, algorithm or table of the paper, or "design" for what the paper leaves open. */
  readonly section: string;
  readonly meaning: string;
}

export const parameterDefinitions = {
  // Commitment
  edgeThreshold: {
    default: 0.5,
    min: 0,
    max: 1,
    section: "Table C3, edge_threshold",
    meaning: "Minimum similarity for an edge between two memories.",
  },
  keywordWeight: {
    default: 0.3,
    min: 0,
    max: 1,
    section: "Table C3, alpha_key",
    meaning: "Share of keyword Jaccard in similarity; the rest is the cosine of the summary vectors.",
  },
  degreeMax: {
    default: 32,
    min: 1,
    max: 1024,
    integer: true,
    section: "design",
    meaning: "Edges a memory keeps, strongest first; the edge of a pair always stays.",
  },
  keywordCountMax: {
    default: 12,
    min: 1,
    max: 64,
    integer: true,
    section: "Table C2, keywords",
    meaning: "Keywords kept for a memory.",
  },
  statementCountMax: {
    default: 48,
    paper: 0,
    min: 0,
    max: 256,
    integer: true,
    section: "design, several cues",
    meaning: "Statements of an interaction kept as cues, each with its own vector; 0 keeps none.",
  },
  summaryWordCountMax: {
    default: 90,
    min: 10,
    max: 1000,
    integer: true,
    section: "3, memory system inputs",
    meaning: "Maximum words of an interaction summary made from turns.",
  },
  substanceThreshold: {
    default: 0,
    min: -10,
    max: 10,
    section: "Algorithm B1",
    meaning: "Minimum substance score for an interaction to be committed; -10 commits everything.",
  },
  ...readerParameterDefinitions,
  replacedTermCountMax: {
    default: 0,
    paper: 1_000_000,
    min: 0,
    max: 1_000_000,
    integer: true,
    section: "Algorithm 1, case 3 (design)",
    meaning: "Words of a memory that may be lost when a repetition replaces it; with more it stays, without a pair.",
  },
  redundancyThreshold: {
    default: 0.17,
    paper: 0.25,
    min: 0,
    max: 10,
    section: "Table C3, threshold (RS_min)",
    meaning: "Minimum redundancy score for two memories to say the same; 10 turns the filter off.",
  },
  redundancyFreshTermShareMax: {
    default: 0.1,
    paper: 1,
    min: 0,
    max: 1,
    section: "design, redundancy",
    meaning: "Share of a new memory's words that a similar one may lack for it to count as a repetition; 1 allows any.",
  },
  redundancyNmiWeight: {
    default: 0.6,
    min: 0,
    max: 1,
    section: "Table C3, alpha_NMI",
    meaning: "Share of normalized mutual information in the redundancy score; the rest is keyword Jaccard.",
  },
  redundancyBinCount: {
    default: 8,
    min: 2,
    max: 16,
    integer: true,
    section: "3.1.1, binned embeddings",
    meaning: "Quantile bins into which a vector's components are sorted for mutual information.",
  },
  temporalBonusWeight: {
    default: 0.5,
    min: 0,
    max: 10,
    section: "Table C3, temporal_weight_factor",
    meaning: "The most by which closeness in time raises the redundancy score, as a share.",
  },
  temporalBonusHalfLifeHours: {
    default: 24,
    min: 0.01,
    max: 100_000,
    section: "Table C3, temporal_decay_hours",
    meaning: "Hours apart at which that bonus has halved.",
  },
  rewindMaxDays: {
    default: 21,
    min: 0,
    max: 3650,
    section: "Equation 1, Delta_max",
    meaning: "Largest rewind from one repetition.",
  },
  rewindCriticalDays: {
    default: 3,
    min: 0,
    max: 3650,
    section: "Equation 1, t_crit",
    meaning: "Days since the last boost at which a repetition gives half of the largest rewind.",
  },
  rewindScaleDays: {
    default: 1,
    min: 0.001,
    max: 365,
    section: "Equation 1 (unit of time, design)",
    meaning: "Steepness of the rewind sigmoid.",
  },
  // Recall
  ...recallParameterDefinitions,
  // Core summary
  coreSummaryIntervalCommits: {
    default: 10,
    min: 0,
    max: 1_000_000,
    integer: true,
    section: "3.3, periodic update",
    meaning: "Commits after which the core summary is rewritten; 0 turns it off.",
  },
  coreSummaryWordCountMax: {
    default: 400,
    paper: 250,
    min: 10,
    max: 10_000,
    integer: true,
    section: "3.3",
    meaning: "Words of the core summary.",
  },
  clusterCount: {
    default: 8,
    min: 1,
    max: 256,
    integer: true,
    section: "3.3, k",
    meaning: "Clusters of k-means; each contributes its best memory to the central subset.",
  },
  criticalCount: {
    default: 4,
    min: 0,
    max: 256,
    integer: true,
    section: "3.3, k_2",
    meaning: "Best of the remaining memories added to the central subset.",
  },
  centralCountMax: {
    default: 12,
    min: 1,
    max: 512,
    integer: true,
    section: "3.3, M",
    meaning: "Size of the central subset; beyond it only the most recent stay.",
  },
  centralConnectivityWeight: {
    default: 0.3,
    min: 0,
    max: 1,
    section: "Table C3, theta_conn",
    meaning: "Weight of connectivity in the hybrid score.",
  },
  centralBoostWeight: {
    default: 0.3,
    min: 0,
    max: 1,
    section: "Table C3, theta_boost",
    meaning: "Weight of boosted edges in the hybrid score.",
  },
  centralRecencyWeight: {
    default: 0.2,
    min: 0,
    max: 1,
    section: "Table C3, theta_rece",
    meaning: "Weight of recency in the hybrid score.",
  },
  centralEntropyWeight: {
    default: 0.2,
    min: 0,
    max: 1,
    section: "Table C3, theta_ent",
    meaning: "Weight of information density in the hybrid score.",
  },
  centralRecencyDays: {
    default: 28,
    min: 0.01,
    max: 36_500,
    section: "Table C3, lambda",
    meaning: "Age at which the recency score has fallen to 1/e.",
  },
  // Pruning and limits
  memoryCountMax: {
    default: 0,
    min: 0,
    max: 100_000_000,
    integer: true,
    section: "3.2, pruning module",
    meaning: "Memories of a person above which the weakest are pruned; 0 means no limit.",
  },
  memoryBytesMax: {
    default: 0,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    integer: true,
    section: "3.2, pruning module",
    meaning: "Bytes of a person's memories above which the weakest are pruned; 0 means no limit.",
  },
  historyRetentionDays: {
    default: 0,
    min: 0,
    max: 36_500,
    section: "design, history",
    meaning:
      "Days an interaction that is not a memory (discarded, replaced, pruned) stays restorable; 0 means until forgotten.",
  },
  interactionCharacterCountMax: {
    default: 100_000,
    min: 100,
    max: 100_000_000,
    integer: true,
    section: "design, limits",
    meaning: "Characters of one interaction: its texts, who said them, summary and state.",
  },
  interactionTurnCountMax: {
    default: 1_000,
    min: 1,
    max: 1_000_000,
    integer: true,
    section: "design, limits",
    meaning: "Turns of one interaction or conversation.",
  },
  questionCharacterCountMax: {
    default: 20_000,
    min: 100,
    max: 100_000_000,
    integer: true,
    section: "design, limits",
    meaning: "Characters of one question.",
  },
  personsInMemoryMax: {
    default: 1_000,
    min: 1,
    max: 100_000_000,
    integer: true,
    section: "design, limits",
    meaning: "Persons whose graphs a process keeps in memory; the least recently used are loaded again when needed.",
  },
  queueLeaseSeconds: {
    default: 30,
    min: 0.1,
    max: 86_400,
    section: "design, limits",
    meaning:
      "Where several processes share a store: how long the queue of a process that died stays reserved for it, and how often others look for such queues.",
  },
  // Language model
  ...modelParameterDefinitions,
  // Limits
  futureToleranceMinutes: {
    default: 5,
    min: 0,
    max: 1_000_000,
    section: "design, limits",
    meaning: "How far ahead of the clock the time of an interaction may lie.",
  },
} as const satisfies Record<string, ParameterDefinition>;
