/**
 * The durable truth about every person: the submitted interactions (the queue and the history), the memory graph, the
 * core summary. The engine keeps a graph in memory and writes every step as one atomic batch on the revision it was
 * computed on; a store rejects a stale batch, so several processes may serve one person.
 */
import type { Edge, EmbeddedNode, GraphChange } from "../core/graph/memory-node.js";
import type { Metadata } from "../core/graph/metadata.js";
import type { PackedNodes } from "../core/graph/packed-nodes.js";
import type { EmbedderIdentity } from "./embedder.js";

export type { Metadata, MetadataValue } from "../core/graph/metadata.js";

export interface Store {
  readonly kind: string;
  describe(): Promise<StoreDescription>;

  /** Whose vectors the store holds; null before the first. */
  embedder(): Promise<EmbedderIdentity | null>;
  setEmbedder(identity: EmbedderIdentity): Promise<void>;
  /** Sets it atomically if it is unset; returns the resulting embedder. */
  claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity>;

  /** Bytes that are costly to compute and belong to no person, such as the vectors of a profile's examples. */
  cached(key: string): Promise<Uint8Array | null>;
  cache(key: string, bytes: Uint8Array): Promise<void>;

  /** All persons with at least one interaction, sorted by name; or some of them, in the same order. */
  persons(selection?: PersonSelection): Promise<string[]>;
  /** All persons with a queued interaction. */
  personsWithQueue(): Promise<string[]>;

  /**
   * Stores an interaction; it is durable when the promise resolves. False if its id is already known (then nothing
   * changes), except that an open interaction is replaced by its continuation: one that begins with the same turns.
   * With `mustContinue`, also false if there is nothing to continue: it may have been forgotten.
   */
  accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    options?: { readonly mustContinue?: boolean },
  ): Promise<boolean>;
  /** Queued interactions in order of acceptance. */
  queued(person: string, countMax: number): Promise<Interaction[]>;
  /** How many are queued; called with every recall. */
  queuedCount(person: string): Promise<number>;
  /** Interactions in order of acceptance, or the other way round. Throws InputError for a cursor that no entry has had. */
  history(person: string, selection?: HistorySelection): Promise<HistoryEntry[]>;
  /** How many interactions have each outcome; outcomes without any are left out. */
  outcomeCounts(person: string): Promise<OutcomeCounts>;
  /** The traces of interactions with one of these outcomes, without what was said, in order of acceptance. */
  traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]>;

  /** Interactions of all persons that have expired by a time, those that expired first at the start; in any state. */
  expired(nowMs: number, limit: number): Promise<ExpiredInteraction[]>;
  /** When the next interaction expires, or somewhat before; null if none does. */
  nextExpiryMs(): Promise<number | null>;

  /** Revision of a person's graph; 0 for an unknown person. Grows with every batch and never repeats. */
  revision(person: string): Promise<number>;
  /**
   * What changed after `sinceRevision`, or everything if the store no longer knows the difference. All of it is from
   * one moment, though it comes in pages, so that a large memory never has to be handled in one piece.
   */
  load(person: string, sinceRevision?: number): Promise<PersonSnapshot>;
  /** Applies all of a batch or nothing, and returns the new revision. Throws StaleRevisionError. */
  apply(person: string, batch: Batch): Promise<number>;
  /** The packed token vectors of memories, by id; of those that have none, and unknown ids, nothing. */
  tokens?(person: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * For a store that many processes share: takes or renews the right to process a person's queue, which expires after
   * `leaseMs`. False while another owner has it. It only saves work that another process is already doing; that an
   * interaction takes effect exactly once does not depend on it. If it is absent, every process goes ahead.
   */
  claimQueue?(person: string, owner: string, leaseMs: number): Promise<boolean>;
  /** Releases the right; another owner's stays. */
  releaseQueue?(person: string, owner: string): Promise<void>;

  /** What is damaged; empty when everything is whole. Every other method refuses what is damaged and names it. */
  damage?(): Promise<StoreDamage[]>;
  /** What is still whole about a person. */
  salvage?(person: string): Promise<SalvagedPerson>;

  /** Removes everything about a person; nothing of it can be read from the store afterwards. */
  forgetPerson(person: string): Promise<ErasedCounts>;
  close(): Promise<void>;
}

export interface StoreDescription {
  readonly kind: string;
  readonly location: string;
  readonly schemaVersion: number;
  readonly encrypted: boolean;
  /** Bytes the store occupies. */
  readonly byteCount: number;
  /** What is not as it should be although the store works, each as a sentence. */
  readonly warnings?: readonly string[];
}

/** Something in the store that is not what was written. */
export interface StoreDamage {
  /** Null if it is nobody's, or if nobody knows whose. */
  readonly person: string | null;
  /** The interaction, if it is about one. */
  readonly id: string | null;
  /** What is wrong, such as "the memory is damaged". */
  readonly part: string;
}

export function describeDamage({ person, id, part }: StoreDamage): string {
  const names = [person, id].filter((name) => name !== null).map((name) => JSON.stringify(name));
  return names.length === 0 ? part : `${names.join(", ")}: ${part}`;
}

export interface SalvagedPerson {
  readonly entries: readonly AcceptedEntry[];
  readonly nodes: readonly EmbeddedNode[];
  readonly edges: readonly Edge[];
  readonly coreSummary: CoreSummary | null;
}

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
  /** Ids of interactions that the caller said it makes outdated. */
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

export interface ExpiredInteraction {
  readonly person: string;
  readonly id: string;
}

/** Whether `next` begins with all of `turns`. */
export function continuesTurns(turns: readonly Turn[], next: readonly Turn[]): boolean {
  return turns.every(({ who, text }, i) => next[i]?.who === who && next[i].text === text);
}

/**
 * `open`: a conversation in progress. `queued`: accepted, not processed. `committed` and `paired`: a memory.
 * `discarded` by the substance filter, `replaced` by a newer repetition, `pruned` at the memory limit: no longer a
 * memory, but kept here and restorable.
 */
export type Outcome = "open" | "queued" | "committed" | "paired" | "discarded" | "replaced" | "pruned";

const outcomes: ReadonlySet<unknown> = new Set<Outcome>([
  "open",
  "queued",
  "committed",
  "paired",
  "discarded",
  "replaced",
  "pruned",
]);

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

export interface PersonSelection {
  /** Only those after this name, whether somebody is called so or not. */
  readonly after?: string;
  readonly limit?: number;
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

export interface CoreSummary {
  readonly text: string;
  readonly updatedMs: number;
  /** The memories it was written from. */
  readonly sourceIds: readonly string[];
  /** How it was written, as JSON. */
  readonly trace: string;
  /** What it says, as a list in JSON; empty where it was written without facts. */
  readonly facts: string;
}

/** `facts` of a core summary that has none. */
export const noFacts = "[]";

export interface PersonSnapshot {
  readonly revision: number;
  /** True if the pages build the whole graph from scratch. */
  readonly isWhole: boolean;
  readonly coreSummary: CoreSummary | null;
  readonly commitsSinceCoreSummary: number;
  /** To be applied in order; they can be read only once. */
  readonly pages: AsyncIterable<SnapshotPage>;
}

export interface SnapshotPage {
  readonly change: GraphChange;
  /** Further memories to put, in a form that a graph takes over faster. */
  readonly packed?: PackedNodes;
}

/** All pages of a snapshot as one. */
export async function readPages({ pages }: PersonSnapshot): Promise<SnapshotPage> {
  const read: SnapshotPage[] = [];
  for await (const page of pages) read.push(page);
  const changes = read.map(({ change }) => change);
  const packed = read.flatMap((page) => page.packed ?? []);
  return {
    change: {
      putNodes: [
        ...changes.flatMap(({ putNodes }) => putNodes),
        ...packed.flatMap((nodes) => nodes.ids.map((_, i) => nodes.embeddedAt(i))),
      ],
      removeNodes: changes.flatMap(({ removeNodes }) => removeNodes),
      putEdges: changes.flatMap(({ putEdges }) => putEdges),
      removeEdges: changes.flatMap(({ removeEdges }) => removeEdges),
      setPairs: changes.flatMap(({ setPairs }) => setPairs),
      setUpdates: changes.flatMap(({ setUpdates }) => setUpdates),
      setPinned: changes.flatMap(({ setPinned }) => setPinned),
      setMetadata: changes.flatMap(({ setMetadata }) => setMetadata),
    },
  };
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
  /** Absent means unchanged. */
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
