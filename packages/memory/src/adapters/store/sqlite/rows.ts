/** Rows of the SQLite store: what lies in the file, its marks, and what it means. */
import { type Edge, type GraphChange, noChange } from "../../../core/graph/memory-node.js";
import type { HistoryEntry, Outcome } from "../../../ports/store.js";
import type { NodeLinks } from "../content.js";
import { toCursor } from "../cursor.js";
import { unpackInteraction } from "../interaction-bytes.js";
import type { Marker } from "./mark.js";

export interface PersonRow {
  readonly key: number;
  readonly name: string;
  readonly revision: number;
  readonly wholeBelow: number;
  readonly coreSummary: string | null;
  readonly commitsSinceCoreSummary: number;
}

/** An interaction without what was said. */
export interface InteractionHead {
  readonly sequence: number;
  readonly person: number;
  readonly id: string;
  readonly outcome: Outcome;
  readonly bodyMark: number;
  readonly trace: string | null;
  /** In a column of its own, by which what has expired is found. */
  readonly expiresMs: number | null;
}

export interface InteractionRow extends InteractionHead {
  readonly body: Uint8Array;
}

/** A memory without its content: what it says and its vectors. */
export interface MemoryHead extends NodeLinks {
  readonly key: number;
  readonly person: number;
  readonly revision: number;
  readonly contentMark: number;
}

export interface MemoryRow extends MemoryHead {
  readonly content: Uint8Array;
}

/** The memory that token vectors belong to. */
export type TokenPlace = Pick<MemoryHead, "key" | "contentMark">;

export interface EdgeRow {
  /** Keys of the memories. */
  readonly a: number;
  readonly b: number;
  readonly person: number;
  readonly revision: number;
  readonly weight: number;
  readonly boostMs: number;
  readonly boostedMs: number | null;
}

export interface RemovalRow {
  readonly a: string;
  readonly b: string | null;
}

export function markPerson(row: PersonRow, marker: Marker): number {
  const { key, name, revision, wholeBelow, coreSummary, commitsSinceCoreSummary } = row;
  return marker.of(key, name, revision, wholeBelow, coreSummary, commitsSinceCoreSummary);
}

export function markInteraction(head: InteractionHead, marker: Marker): number {
  const { sequence, person, id, outcome, bodyMark, trace, expiresMs } = head;
  return marker.of(sequence, person, id, outcome, bodyMark, trace, expiresMs);
}

export function markMemory(head: MemoryHead, marker: Marker): number {
  const { key, person, id, revision, pairId, contentMark, updates, pinnedArea, metadata, expiresMs } = head;
  return marker.of(key, person, id, revision, pairId, contentMark, updates, pinnedArea, metadata, expiresMs);
}

/** Tokens belong to a content: once the memory says something else, they are no longer whole. */
export function markTokens({ key, contentMark }: TokenPlace, bytes: Uint8Array, marker: Marker): number {
  return marker.of(key, contentMark, bytes);
}

export function markEdge({ a, b, person, revision, weight, boostMs, boostedMs }: EdgeRow, marker: Marker): number {
  return marker.of(a, b, person, revision, weight, boostMs, boostedMs);
}

export type PagedEdge = readonly [a: string, b: string, weight: number, boostMs: number, boostedMs: number | null];

export interface LoadedHead {
  readonly revision: number;
  readonly isWhole: boolean;
  readonly removals: readonly RemovalRow[];
  readonly coreSummary: string | null;
  readonly commitsSinceCoreSummary: number;
}

export function toHistoryEntry({ id, sequence, outcome, body, trace }: InteractionRow): HistoryEntry {
  return { interaction: unpackInteraction(id, body), outcome, trace, cursor: toCursor(sequence) };
}

export function toRemovals(removals: readonly RemovalRow[]): GraphChange {
  return {
    ...noChange,
    removeNodes: removals.filter(({ b }) => b === null).map(({ a }) => a),
    removeEdges: removals.flatMap(({ a, b }) => (b === null ? [] : [[a, b] as const])),
  };
}

export function toEdge([a, b, weight, boostMs, boostedMs]: PagedEdge): Edge {
  return { a, b, weight, boostMs, boostedMs };
}
