/**
 * Every number that steers the memory, in one place: default, the paper's value where it differs, range, where it comes
 * from and what it means. The command line, the docs and (later) servers read this table; no number is typed twice.
 */
import { InputError } from "./errors.js";

export interface ParameterDefinition {
  readonly default: number;
  /** The value of preset `paper`, where it differs from the default. */
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
    meaning: "Smallest similarity of two memories that makes an edge.",
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
    default: 12,
    paper: 0,
    min: 0,
    max: 256,
    integer: true,
    section: "design",
    meaning: "Single statements of an interaction kept as cues, each with a vector of its own; 0 keeps none.",
  },
  summaryWordCountMax: {
    default: 90,
    min: 10,
    max: 1000,
    integer: true,
    section: "3, memory system inputs",
    meaning: "Words of an interaction summary that is made from turns.",
  },
  substanceThreshold: {
    default: 0,
    min: -10,
    max: 10,
    section: "Algorithm B1",
    meaning: "Substance score from which an interaction is committed; -10 commits everything.",
  },
  substanceExampleCount: {
    default: 3,
    min: 1,
    max: 100,
    integer: true,
    section: "Algorithm B1 (design)",
    meaning: "Nearest examples of a profile whose mean cosine is a statement's closeness.",
  },
  substanceStatementCount: {
    default: 4,
    min: 1,
    max: 1000,
    integer: true,
    section: "Algorithm B1 (design)",
    meaning: "Statements that speak for an interaction, those nearest to substance first.",
  },
  substanceSpecificityWeight: {
    default: 0.3,
    min: 0,
    max: 10,
    section: "Algorithm B1 (design)",
    meaning: "What numbers and names can add to the substance score.",
  },
  substanceFamiliarityWeight: {
    default: 1.5,
    min: 0,
    max: 10,
    section: "3.3, core summary as baseline",
    meaning: "What likeness to a memory can add to the substance score.",
  },
  substanceNoveltyMax: {
    default: 0.4,
    min: 0,
    max: 1,
    section: "3.3, core summary as baseline",
    meaning: "Novelty (1 - cosine with the nearest memory) below which likeness to a memory counts.",
  },
  redundancyThreshold: {
    default: 0.2,
    paper: 0.25,
    min: 0,
    max: 10,
    section: "Table C3, threshold (RS_min)",
    meaning: "Redundancy score from which two memories say the same; 10 turns the filter off.",
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
    meaning: "Largest share by which closeness in time raises the redundancy score.",
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
    meaning: "Largest rewind one repetition can give.",
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
  metaWeightBase: {
    default: 0.4,
    min: 0,
    max: 1,
    section: "Table C3, alpha_meta; Algorithm B3",
    meaning: "Share of S_meta in the start score of a fresh memory.",
  },
  metaWeightMax: {
    default: 0.6,
    min: 0,
    max: 1,
    section: "Algorithm B3, CalculateAlpha",
    meaning: "Share of S_meta that an old memory approaches.",
  },
  metaWeightRiseDays: {
    default: 28,
    min: 0.01,
    max: 3650,
    section: "Algorithm B3, CalculateAlpha",
    meaning: "Age at which S_meta's share has made 63 % of its way from base to maximum.",
  },
  candidateCountMax: {
    default: 32,
    paper: 1_000_000,
    min: 1,
    max: 1_000_000,
    integer: true,
    section: "design, time words",
    meaning:
      "Memories, best by what they say, whose S_meta is looked at too; start nodes come from them, so at least startCountMax are.",
  },
  lexicalWeight: {
    default: 1,
    paper: 0,
    min: 0,
    max: 10,
    section: "design, several cues",
    meaning: "Weight of the lexical (BM25) coverage of the question beside the start score; 0 turns it off.",
  },
  lexicalSaturation: {
    default: 1.2,
    min: 0,
    max: 10,
    section: "design, BM25 k1",
    meaning: "How soon repeating a word stops to count.",
  },
  lexicalLengthWeight: {
    default: 0.75,
    min: 0,
    max: 1,
    section: "design, BM25 b",
    meaning: "How much long texts are discounted.",
  },
  startCountMax: {
    default: 3,
    min: 1,
    max: 1000,
    integer: true,
    section: "Table C3, top_k_starts",
    meaning: "Start nodes of a recall.",
  },
  startScoreMin: {
    default: 0.2,
    paper: 0.4,
    min: -1,
    max: 10,
    section: "Table C3, min_threshold",
    meaning: "Smallest start score of a start node.",
  },
  explorationFactor: {
    default: 2,
    min: 0,
    max: 100,
    section: "Table C3, mu",
    meaning: "Scales the probability of going on to a neighbour.",
  },
  traversalNodeCountPerStartMax: {
    default: 3,
    paper: 1,
    min: 0,
    max: 10_000,
    integer: true,
    section: "Table C3, max_nodes_per_start",
    meaning: "Memories reached from one start node, the start itself not counted; 0 turns traversal off.",
  },
  recallNodeCountMax: {
    default: 10,
    min: 1,
    max: 10_000,
    integer: true,
    section: "design, named limits",
    meaning: "Memories in one recall, starts included.",
  },
  traversalStepCountMax: {
    default: 1000,
    min: 1,
    max: 1_000_000,
    integer: true,
    section: "design, named limits",
    meaning: "Draws in one recall.",
  },
  decayMidpointDays: {
    default: 28,
    min: 0.01,
    max: 36_500,
    section: "Table C3, mid_sig; Equation 2, a",
    meaning: "Effective age at which decay is halfway to its floor.",
  },
  decayScaleDays: {
    default: 5,
    min: 0.001,
    max: 3650,
    section: "Equation 2, b",
    meaning: "Steepness of decay: lower is steeper.",
  },
  decayLinearDays: {
    default: 1,
    min: 0,
    max: 3650,
    section: "Equation 2, c",
    meaning: "Age up to which decay falls in a straight line from 1.",
  },
  decayFloor: {
    default: 0.05,
    min: 0,
    max: 1,
    section: "Table C3, floor; Equation 2, d",
    meaning: "What decay never falls below; 1 turns decay off.",
  },
  contextTokenBudget: {
    default: 1000,
    min: 0,
    max: 10_000_000,
    integer: true,
    section: "3, formatted context",
    meaning: "Tokens of the context text, core summary included.",
  },
  // Core summary
  coreSummaryIntervalCommits: {
    default: 10,
    min: 0,
    max: 1_000_000,
    integer: true,
    section: "3.3, periodic update",
    meaning: "Commits after which the core summary is written anew; 0 turns it off.",
  },
  coreSummaryWordCountMax: {
    default: 150,
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
    meaning: "Clusters of k-means; each gives its best memory to the central subset.",
  },
  clusterIterationCountMax: {
    default: 25,
    min: 1,
    max: 1000,
    integer: true,
    section: "3.3, k-means",
    meaning: "Rounds of k-means.",
  },
  clusterSampleCountMax: {
    default: 2000,
    min: 2,
    max: 1_000_000,
    integer: true,
    section: "design, named limits",
    meaning: "Memories that k-means finds its centroids on; all others are then given to the nearest.",
  },
  criticalCount: {
    default: 4,
    min: 0,
    max: 256,
    integer: true,
    section: "3.3, k_2",
    meaning: "Best memories added to the central subset from what the clusters left.",
  },
  centralCountMax: {
    default: 12,
    min: 1,
    max: 512,
    integer: true,
    section: "3.3, M",
    meaning: "Size of the central subset; above it the most recent stay.",
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
  entropyBinCount: {
    default: 16,
    min: 2,
    max: 256,
    integer: true,
    section: "3.3, binned entropy",
    meaning: "Bins of equal width for a vector's entropy.",
  },
  // Pruning and limits
  memoryCountMax: {
    default: 0,
    min: 0,
    max: 100_000_000,
    integer: true,
    section: "3.2, pruning module",
    meaning: "Memories of a person above which the weakest are pruned; 0 is no limit.",
  },
  memoryBytesMax: {
    default: 0,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    integer: true,
    section: "3.2, pruning module",
    meaning: "Bytes of a person's memories above which the weakest are pruned; 0 is no limit.",
  },
  historyRetentionDays: {
    default: 0,
    min: 0,
    max: 36_500,
    section: "design, history",
    meaning:
      "Days an interaction that is no memory (discarded, replaced, pruned) stays restorable; 0 is until forgotten.",
  },
  interactionCharacterCountMax: {
    default: 100_000,
    min: 100,
    max: 100_000_000,
    integer: true,
    section: "design, limits",
    meaning: "Characters of one interaction.",
  },
  futureToleranceMinutes: {
    default: 5,
    min: 0,
    max: 1_000_000,
    section: "design, limits",
    meaning: "How far ahead of the clock the time of an interaction may lie.",
  },
} as const satisfies Record<string, ParameterDefinition>;

export type ParameterName = keyof typeof parameterDefinitions;
export type Parameters = Readonly<Record<ParameterName, number>>;
export type Preset = "default" | "paper";
export const presets: readonly Preset[] = ["default", "paper"];

/** The parameters of a preset, with the caller's own values put over them and every range and relation checked. */
export function parseParameters(
  overrides: Partial<Record<string, number>> = {},
  preset: Preset = "default",
): Parameters {
  if (!presets.includes(preset)) {
    throw new InputError("option_invalid", `preset "${String(preset)}" is unknown; use one of: ${presets.join(", ")}`);
  }
  const parameters = presetParameters(preset);
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) continue;
    if (!isParameterName(name)) {
      throw new InputError(
        "parameter_unknown",
        `parameter "${name}" is unknown; \`mnemosyne parameters\` lists them all`,
      );
    }
    checkRange(name, value);
    parameters[name] = value;
  }
  checkRelations(parameters);
  return Object.freeze(parameters);
}

function presetParameters(preset: Preset): Record<ParameterName, number> {
  const entries = Object.entries(parameterDefinitions).map(([name, definition]: [string, ParameterDefinition]) => [
    name,
    preset === "paper" ? (definition.paper ?? definition.default) : definition.default,
  ]);
  return Object.fromEntries(entries) as Record<ParameterName, number>;
}

function isParameterName(name: string): name is ParameterName {
  return Object.hasOwn(parameterDefinitions, name);
}

function checkRange(name: ParameterName, value: number): void {
  const { min, max, integer }: ParameterDefinition = parameterDefinitions[name];
  if (typeof value !== "number" || !(value >= min && value <= max) || (integer === true && !Number.isInteger(value))) {
    const kind = integer === true ? "a whole number" : "a number";
    throw new InputError(
      "parameter_out_of_range",
      `parameter "${name}" is ${String(value)}; it must be ${kind} from ${min} to ${max}`,
    );
  }
}

const weightSumTolerance = 1e-9;

function checkRelations(p: Parameters): void {
  const thetaSum = p.centralConnectivityWeight + p.centralBoostWeight + p.centralRecencyWeight + p.centralEntropyWeight;
  if (Math.abs(thetaSum - 1) > weightSumTolerance) {
    throw new InputError(
      "parameters_conflict",
      `the four central...Weight parameters must sum to 1 (section 3.3), they sum to ${thetaSum}`,
    );
  }
  if (p.metaWeightMax < p.metaWeightBase) {
    throw new InputError(
      "parameters_conflict",
      `metaWeightMax (${p.metaWeightMax}) is below metaWeightBase (${p.metaWeightBase}); the weight rises with age`,
    );
  }
}
