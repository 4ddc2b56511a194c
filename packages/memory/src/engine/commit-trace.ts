/** Why an interaction had its outcome, as the history keeps it and callers see it. */
import type { Guard } from "../english/guards.js";
import type { EndLink, Place } from "../graph/statement.js";
import type { Neighbour } from "../paper/edges.js";
import type { Pairing } from "../paper/pairing.js";
import type { Relation } from "../ports/reader.js";
import type { OutcomeChange } from "./records/person-data.js";

/** In place of the id of an interaction that was forgotten. */
export const forgottenId = "(forgotten)";

/** What last happened to the interaction. */
export type InteractionTrace = CommitTrace | ReplacedTrace | PrunedTrace;

export interface CommitTrace {
  readonly outcome: "committed" | "paired" | "discarded" | "forgetAsked";
  readonly summarySource: "given" | "made from turns" | "language model";
  readonly substance: SubstanceDecision;
  /** The memory that is repeated, or else the most redundant one; null in an empty graph. */
  readonly redundancy: RedundancyTrace | null;
  readonly pairing: PairingTrace | null;
  /** What the reader saw in the nearest facts. */
  readonly relations: readonly RelatedStatement[];
  /** The older statements, or whole memories, that it ended. */
  readonly ends: readonly Ended[];
  /** What a language model named as ended, and why it was not believed. */
  readonly claims: readonly ModelClaim[];
  /** What a wish to forget means: held back until it is settled. */
  readonly forgetAsked: readonly Place[];
  readonly edges: {
    readonly count: number;
    readonly evictedCount: number;
    readonly strongest: readonly Neighbour[];
  } | null;
  readonly keywords: readonly string[];
  readonly languageModel: {
    readonly name: string;
    readonly steps: readonly ModelStep[];
  } | null;
}

/** What happened in one step of the language model. */
export interface ModelStep {
  readonly step: string;
  readonly how: string;
  readonly repairs: readonly string[];
  /** Why the last reply was unusable, or why there was none. */
  readonly failure: string | null;
}

export type Ended = EndLink;

export interface RelatedStatement extends Relation, Place {
  readonly position: number;
  /** Position of the new statement. */
  readonly by: number;
  readonly cosine: number;
  /** Calibrated: that the one told later ends the other. */
  readonly probability: number;
  /** Why it may not, whatever the reader says. */
  readonly guard: Guard | null;
}

export interface ModelClaim {
  /** Null if the model named something else than a memory it was shown. */
  readonly id: string | null;
  /** Why it was not believed; null if it was. */
  readonly refused: ClaimRefusal | null;
}

export type ClaimRefusal =
  "not shown" | "named twice" | "too many" | "nothing in common" | "no longer holds anyway" | "repeated, not changed";

/** How an interaction compares with the profile's examples. */
export interface SubstanceTrace {
  readonly substantial: boolean;
  readonly score: number;
  readonly threshold: number;
  /** The category closest to the evidence; null if the interaction is not substantial. */
  readonly category: string | null;
  /** Means over the evidence. */
  readonly closeness: number;
  readonly mundaneCloseness: number;
  readonly familiarity: number;
  readonly specificity: number;
  readonly novelty: number;
  /** False if the statements are in another language than the examples. */
  readonly comparable: boolean;
  /** Positions of the statements that represent the interaction, strongest first. */
  readonly evidence: readonly number[];
}

export interface SubstanceDecision extends SubstanceTrace {
  readonly decidedBy: SubstanceDecider;
  /** The reader's, that the interaction tells something worth remembering; null without one. */
  readonly probability: number | null;
}

export type SubstanceDecider =
  | "reader"
  | "examples"
  | "language model"
  | "restored by request"
  | "kept by request"
  | "asked to remember"
  | "edited by request";

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
  | "tells facts of its own"
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
  /** What it had ended, if anything; restoring it ends that again. */
  readonly ends?: readonly Ended[];
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
  if (trace?.outcome === "pruned") return trace.ends === undefined || areObjects(trace.ends);
  const { substance, relations, ends, claims, forgetAsked } = (trace ?? {}) as Partial<CommitTrace>;
  return substance !== undefined && [relations, ends, claims, forgetAsked].every(areObjects);
}

function areObjects(list: unknown): boolean {
  return Array.isArray(list) && list.every((each) => typeof each === "object" && each !== null);
}

/** How it was committed; null before that, and once it is no memory any more. */
export function commitTraceOf(trace: InteractionTrace | null): CommitTrace | null {
  return trace === null || trace.outcome === "replaced" || trace.outcome === "pruned" ? null : trace;
}
