/** Why an interaction had its outcome, as the history keeps it and callers see it. */
import type { Neighbour } from "../paper/edges.js";
import type { Pairing } from "../paper/pairing.js";
import type { OutcomeChange } from "../engine/records/person-data.js";
import type { ClaimedUpdate } from "../model/claimed-updates.js";
import type { ModelWork } from "../model/language-model-steps.js";
import type { MemoryDraft } from "../reader/read.js";
import type { JudgedRelation } from "./relations.js";
import type { SubstanceDecision } from "./substance-filter.js";

/** In place of the id of an interaction that was forgotten. */
export const forgottenId = "(forgotten)";

/** What last happened to the interaction. */
export type InteractionTrace = CommitTrace | ReplacedTrace | PrunedTrace;

export interface CommitTrace {
  readonly outcome: "committed" | "paired" | "discarded";
  readonly summarySource: MemoryDraft["summarySource"];
  readonly substance: SubstanceDecision;
  /** The memory that is repeated, or else the most redundant one; null in an empty graph. */
  readonly redundancy: RedundancyTrace | null;
  readonly pairing: PairingTrace | null;
  /** What the judge saw in the nearest memories. */
  readonly relations: readonly JudgedRelation[];
  /** The memories that it made outdated. */
  readonly updates: readonly string[];
  /** Those of them that a language model named, and what it named without being believed. */
  readonly claimedUpdates: readonly ClaimedUpdate[];
  readonly edges: {
    readonly count: number;
    readonly evictedCount: number;
    readonly strongest: readonly Neighbour[];
  } | null;
  readonly keywords: readonly string[];
  readonly languageModel: Pick<ModelWork, "name" | "steps"> | null;
}

export interface RedundancyTrace {
  readonly id: string;
  readonly nmi: number;
  readonly jaccard: number;
  readonly temporalBonus: number;
  readonly score: number;
  readonly threshold: number;
  /** The share of its words that the memory lacks; with too many of them it is not a repetition. */
  readonly freshTermShare: number;
  /** Why it is not a repetition of that memory; null when it is one. */
  readonly keptApart: ReasonApart | null;
}

export type ReasonApart =
  | "below the threshold"
  | "words of its own"
  | "judged to be another fact"
  | "tells of an end"
  | "named as outdated"
  | "restored by request";

export interface PairingTrace {
  readonly case: Pairing["case"];
  readonly partnerId: string | null;
  readonly removedId: string | null;
  readonly rewindDays: number;
  readonly boostDays: number;
}

/** A newer repetition replaced the memory (Algorithm 1, case 3). */
export interface ReplacedTrace {
  readonly outcome: "replaced";
  readonly by: string;
}

/** The memory was the weakest when a limit was exceeded (Equation A1). */
export interface PrunedTrace {
  readonly outcome: "pruned";
  readonly pruningScore: number;
  /** The memories it had made outdated, if any; restoring it makes them outdated again. */
  readonly updates?: readonly string[];
}

/** What became of an interaction, for the store. */
export function writeOutcome(id: string, trace: InteractionTrace): OutcomeChange {
  return { id, outcome: trace.outcome, trace: writeTrace(trace) };
}

/** A store keeps traces as JSON, written here and nowhere else. */
export function writeTrace(trace: InteractionTrace): string {
  return JSON.stringify(trace);
}

/** The trace that a store keeps as JSON, read here and nowhere else; null before processing, and for anything else. */
export function readTrace({ trace: json }: { readonly trace: string | null }): InteractionTrace | null {
  const trace = json === null ? null : (JSON.parse(json) as Partial<InteractionTrace> | null);
  return isTrace(trace) ? trace : null;
}

function isTrace(trace: Partial<InteractionTrace> | null): trace is InteractionTrace {
  if (trace?.outcome === "replaced") return typeof trace.by === "string";
  if (trace?.outcome === "pruned") return trace.updates === undefined || Array.isArray(trace.updates);
  const { substance, relations, updates, claimedUpdates } = (trace ?? {}) as Partial<CommitTrace>;
  return substance !== undefined && [relations, updates, claimedUpdates].every(Array.isArray);
}

/** How it was committed; null before that, and once it is no memory any more. */
export function commitTraceOf(trace: InteractionTrace | null): CommitTrace | null {
  return trace === null || trace.outcome === "replaced" || trace.outcome === "pruned" ? null : trace;
}
