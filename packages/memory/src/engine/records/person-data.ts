/**
 * What the engine keeps of a person, in its own words: interactions and what became of them, the core summary, and the batch
 * in which a step writes its result. records.ts makes records of it.
 */
import type { GraphChange } from "../../graph/memory-node.js";
import type { Metadata } from "../../graph/metadata.js";

export type { Metadata, MetadataValue } from "../../graph/metadata.js";

export interface Turn {
  readonly who: string;
  readonly text: string;
}

/** One interaction as it was submitted. */
export interface Interaction {
  readonly id: string;
  /** When it took place. */
  readonly initMs: number;
  readonly acceptedMs: number;
  readonly turns: readonly Turn[];
  readonly summary: string | null;
  readonly state: string | null;
  /** Committed regardless of the filters: it was restored from the history by request. */
  readonly restored: boolean;
  /** Becomes a memory whatever the substance filter says, as the caller asked. */
  readonly kept: boolean;
  /** Interactions, or statements of theirs, that the caller said it makes outdated. */
  readonly updates: readonly string[];
  /** What the caller notes about it. */
  readonly metadata: Metadata;
  /** When it is to be forgotten; null for never. */
  readonly expiresMs: number | null;
  /** What it was before it was edited, oldest first. */
  readonly versions: readonly InteractionVersion[];
}

/** An interaction as it was until it was edited. */
export interface InteractionVersion {
  readonly replacedMs: number;
  readonly initMs: number;
  readonly turns: readonly Turn[];
  readonly summary: string | null;
  readonly state: string | null;
  readonly metadata: Metadata;
}

/** Whether `next` begins with all of `turns`. */
export function continuesTurns(turns: readonly Turn[], next: readonly Turn[]): boolean {
  return turns.every(({ who, text }, i) => next[i]?.who === who && next[i].text === text);
}

/**
 * `open`: a conversation in progress. `queued`: accepted, not processed. `committed` and `paired`: a memory.
 * `discarded` by the substance filter, `forgetAsked` as a wish to forget, `replaced` by a newer repetition, `pruned` at the
 * memory limit: not a memory, but kept here and restorable.
 */
export type Outcome = "open" | "queued" | "committed" | "paired" | "discarded" | "forgetAsked" | "replaced" | "pruned";

const outcomes: ReadonlySet<unknown> = new Set<Outcome>([
  "open",
  "queued",
  "committed",
  "paired",
  "discarded",
  "forgetAsked",
  "replaced",
  "pruned",
]);

/** Whether an interaction with this outcome has a memory. */
export function isMemory({ outcome }: { readonly outcome: Outcome }): boolean {
  return outcome === "committed" || outcome === "paired";
}

/** Whether a value that was read from somewhere is an outcome. */
export function isOutcome(value: unknown): value is Outcome {
  return outcomes.has(value);
}

export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

export interface StoredTrace {
  readonly id: string;
  /** As in `HistoryEntry`. */
  readonly trace: string | null;
}

/** An interaction and what became of it. */
export interface AcceptedEntry {
  readonly interaction: Interaction;
  readonly outcome: Outcome;
  /** Why it had this outcome, as JSON; null before processing. */
  readonly trace: string | null;
}

export interface HistoryEntry extends AcceptedEntry {
  /** Its place in the order of acceptance: valid in this store, even when the interaction is gone. */
  readonly cursor: string;
}

export interface HistorySelection {
  readonly ids?: readonly string[];
  readonly outcomes?: readonly Outcome[];
  /** Leaves out what is damaged instead of refusing. */
  readonly skipDamaged?: boolean;
  /** From the newest to the oldest. */
  readonly newestFirst?: boolean;
  /** Only what comes after the entry that has, or had, this cursor, in the order that is asked for. */
  readonly after?: string;
  /** At most as many of those that are selected. */
  readonly limit?: number;
}

/** What is kept of the core summary: the central subset and, where no reader tells what lasts, the text made from it. */
export interface CoreSummary {
  /** Null where statements speak for themselves. */
  readonly text: string | null;
  readonly updatedMs: number;
  /** The central subset, or the memories that the text was written from. */
  readonly sourceIds: readonly string[];
  /** How it was found and written, as JSON. */
  readonly trace: string;
}

export interface Batch {
  /** The revision this was computed on; 0 for an unknown person, who becomes known through `acceptEntries`. */
  readonly baseRevision: number;
  readonly change: GraphChange;
  /** Interactions with their outcomes, taken over from an export; none of them may exist yet. */
  readonly acceptEntries?: readonly AcceptedEntry[];
  /** New outcomes of interactions. */
  readonly outcomes: readonly OutcomeChange[];
  /** Interactions to remove for good, with any memory made from them. A person without any left is unknown again. */
  readonly forgetInteractions: readonly string[];
  /** Interactions to queue again, this time bypassing the filters. */
  readonly requeueInteractions?: readonly string[];
  /** New `updates` of interactions: what was forgotten must not be named by what stays. Unknown ids are skipped. */
  readonly setInteractionUpdates?: readonly { readonly id: string; readonly updates: readonly string[] }[];
  /**
   * Interactions as they are after an edit, before anything above happens to them. Outcome, trace, `restored` and the place
   * in the history stay. Unknown ids are skipped.
   */
  readonly replaceInteractions?: readonly Interaction[];
  /** Memories of which the former content must leave no bytes behind. */
  readonly eraseFormer?: readonly string[];
  /** Absent means unchanged. */
  readonly coreSummary?: CoreSummary | null;
  readonly commitsSinceCoreSummary?: number;
}

export interface OutcomeChange {
  readonly id: string;
  readonly outcome: Outcome;
  readonly trace: string | null;
}
