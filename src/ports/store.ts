/**
 * The durable truth about every person: the interactions handed in (the queue and the history), the memory graph, the
 * core summary. The engine keeps a graph in memory and writes every step as one atomic batch on the revision it was
 * computed on; a store refuses a stale batch, so several processes may serve one person.
 */
import type { GraphChange } from "../core/graph/memory-node.js";
import type { QuantizedVector } from "../core/vectors/quantized-vector.js";
import type { EmbedderIdentity } from "./embedder.js";

export interface Store {
  readonly kind: string;
  describe(): Promise<StoreDescription>;

  /** Whose vectors the store holds; null before the first. */
  embedder(): Promise<EmbedderIdentity | null>;
  setEmbedder(identity: EmbedderIdentity): Promise<void>;
  /** Sets it where there is none yet, in one step; gives whose it is then. */
  claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity>;

  /** Bytes that were costly to compute and belong to nobody, such as the vectors of a profile's examples. */
  cached(key: string): Promise<Uint8Array | null>;
  cache(key: string, bytes: Uint8Array): Promise<void>;

  /** Everybody with at least one interaction, in the order of their names. */
  persons(): Promise<string[]>;
  /** Everybody with a queued interaction. */
  personsWithQueue(): Promise<string[]>;

  /**
   * Keeps an interaction; it is durable when the promise resolves. False when its id is known already (then nothing
   * changes), except that an open interaction is replaced by its continuation: one that begins with the same turns.
   * With `mustContinue`, also false when there is nothing to continue: it may have been forgotten.
   */
  accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    options?: { readonly mustContinue?: boolean },
  ): Promise<boolean>;
  /** Queued interactions in the order they were accepted. */
  queued(person: string, countMax: number): Promise<Interaction[]>;
  /** How many are queued; asked with every recall. */
  queuedCount(person: string): Promise<number>;
  /** Interactions in the order they were accepted. */
  history(person: string, selection?: HistorySelection): Promise<HistoryEntry[]>;
  /** How many interactions there are of each outcome; an outcome without any is left out. */
  outcomeCounts(person: string): Promise<OutcomeCounts>;
  /** The traces of interactions with one of these outcomes, without what was said, in the order of acceptance. */
  traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]>;

  /** Revision of a person's graph; 0 for somebody unknown. Grows with every batch and never repeats. */
  revision(person: string): Promise<number>;
  /**
   * What changed after `sinceRevision`, or all there is where the store no longer knows the difference. All of it is of
   * one moment, though it comes in pages, so that a large memory never stands in the way as a whole.
   */
  load(person: string, sinceRevision?: number): Promise<PersonSnapshot>;
  /** Applies all of a batch or nothing, and returns the new revision. Throws StaleRevisionError. */
  apply(person: string, batch: Batch): Promise<number>;
  /** Keeps vectors of naturalized times: a cache beside the graph, without a revision. Unknown ids are passed over. */
  keepMetaVectors(person: string, vectors: readonly KeptMetaVector[]): Promise<void>;

  /**
   * For a store that many processes share: takes or prolongs the right to process somebody's queue, which ends by itself
   * after `leaseMs`. False while another owner has it. It spares work that another process is doing already; that an
   * interaction takes effect once does not depend on it. Where it is absent, every process goes ahead.
   */
  claimQueue?(person: string, owner: string, leaseMs: number): Promise<boolean>;
  /** Gives the right back; somebody else's stays. */
  releaseQueue?(person: string, owner: string): Promise<void>;

  /** Removes everything about a person; nothing of it can be read from the store afterwards. */
  forgetPerson(person: string): Promise<ErasedCounts>;
  close(): Promise<void>;
}

export interface StoreDescription {
  readonly kind: string;
  readonly location: string;
  readonly schemaVersion: number;
  readonly encrypted: boolean;
  /** Bytes the store takes where it lives. */
  readonly byteCount: number;
}

export interface Turn {
  readonly who: string;
  readonly text: string;
}

/** One interaction as it was handed in. */
export interface Interaction {
  readonly id: string;
  /** When it took place. */
  readonly initMs: number;
  readonly acceptedMs: number;
  readonly turns: readonly Turn[];
  readonly summary: string | null;
  readonly state: string | null;
  /** Committed whatever the filters would say: it was restored from the history by request. */
  readonly restored: boolean;
}

/** True when `next` begins with all of `turns`. */
export function continuesTurns(turns: readonly Turn[], next: readonly Turn[]): boolean {
  return turns.every(({ who, text }, i) => next[i]?.who === who && next[i].text === text);
}

/**
 * `open`: a conversation still going on. `queued`: accepted, not processed. `committed` and `paired`: a memory.
 * `discarded` by the substance filter, `replaced` by a newer repetition, `pruned` at the memory limit: no memory any
 * more, but kept here and restorable.
 */
export type Outcome = "open" | "queued" | "committed" | "paired" | "discarded" | "replaced" | "pruned";

export type OutcomeCounts = Readonly<Partial<Record<Outcome, number>>>;

export interface StoredTrace {
  readonly id: string;
  /** As in `HistoryEntry`. */
  readonly trace: string | null;
}

export interface HistoryEntry {
  readonly interaction: Interaction;
  readonly outcome: Outcome;
  /** How the outcome came about, as JSON; null before processing. */
  readonly trace: string | null;
}

export interface HistorySelection {
  readonly ids?: readonly string[];
  readonly outcomes?: readonly Outcome[];
}

export interface CoreSummary {
  readonly text: string;
  readonly updatedMs: number;
  /** The memories it was written from. */
  readonly sourceIds: readonly string[];
  /** How it came about, as JSON. */
  readonly trace: string;
}

export interface PersonSnapshot {
  readonly revision: number;
  /** True when the pages build the whole graph from nothing. */
  readonly isWhole: boolean;
  readonly coreSummary: CoreSummary | null;
  readonly commitsSinceCoreSummary: number;
  /** To be applied in their order; they can be read once. */
  readonly pages: AsyncIterable<SnapshotPage>;
}

export interface SnapshotPage {
  readonly change: GraphChange;
  readonly metaVectors: readonly KeptMetaVector[];
}

/** All pages of a snapshot as one. */
export async function readPages({ pages }: PersonSnapshot): Promise<SnapshotPage> {
  const read: SnapshotPage[] = [];
  for await (const page of pages) read.push(page);
  const changes = read.map(({ change }) => change);
  return {
    change: {
      putNodes: changes.flatMap(({ putNodes }) => putNodes),
      removeNodes: changes.flatMap(({ removeNodes }) => removeNodes),
      putEdges: changes.flatMap(({ putEdges }) => putEdges),
      removeEdges: changes.flatMap(({ removeEdges }) => removeEdges),
      setPairs: changes.flatMap(({ setPairs }) => setPairs),
    },
    metaVectors: read.flatMap(({ metaVectors }) => metaVectors),
  };
}

export interface KeptMetaVector {
  readonly id: string;
  readonly phrase: string;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly vector: QuantizedVector;
}

export interface Batch {
  /** The revision this was computed on; 0 for somebody unknown, who becomes known by `acceptEntries`. */
  readonly baseRevision: number;
  readonly change: GraphChange;
  /** Interactions with their outcomes, taken over from an export; none of them may be known. */
  readonly acceptEntries?: readonly HistoryEntry[];
  /** New outcomes of interactions. */
  readonly outcomes: readonly OutcomeChange[];
  /** Interactions to remove for good, with any memory made from them. Somebody without any left is unknown again. */
  readonly forgetInteractions: readonly string[];
  /** Interactions to queue again, this time past the filters. */
  readonly requeueInteractions?: readonly string[];
  /** Absent: stays as it is. */
  readonly coreSummary?: CoreSummary | null;
  readonly commitsSinceCoreSummary?: number;
}

export interface OutcomeChange {
  readonly id: string;
  readonly outcome: Outcome;
  readonly trace: string | null;
}

export interface ErasedCounts {
  readonly interactions: number;
  readonly memories: number;
  readonly edges: number;
}
