/** Rows of the SQLite store: what lies in the file, its marks, and what it means. */
import { type Edge, type GraphChange, noChange } from "../../../core/graph/memory-node.js";
import type { Metadata } from "../../../core/graph/metadata.js";
import type { HistoryEntry, Interaction, InteractionVersion, Outcome, Turn } from "../../../ports/store.js";
import { toCursor } from "../cursor.js";
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
export interface MemoryHead {
  readonly key: number;
  readonly person: number;
  readonly id: string;
  readonly revision: number;
  readonly pairId: string | null;
  readonly contentMark: number;
  /** JSON; null if there are none. */
  readonly updates: string | null;
  readonly pinnedArea: string | null;
  /** JSON; null if there is none. */
  readonly metadata: string | null;
  readonly expiresMs: number | null;
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

/** An interaction as a list: names would take a tenth of the room. */
type InteractionBody = readonly [
  initMs: number,
  acceptedMs: number,
  turns: readonly Turn[],
  summary: string | null,
  state: string | null,
  restored: boolean,
  kept: boolean,
  updates: readonly string[],
  metadata: Metadata,
  versions: readonly InteractionVersion[],
];

export function interactionBody(interaction: Interaction): Buffer {
  const { initMs, acceptedMs, turns, summary, state, restored, kept, updates, metadata, versions } = interaction;
  const body: InteractionBody = [
    initMs,
    acceptedMs,
    turns,
    summary,
    state,
    restored,
    kept,
    updates,
    metadata,
    versions,
  ];
  return Buffer.from(JSON.stringify(body));
}

export function toHistoryEntry({ id, sequence, outcome, body, trace, expiresMs }: InteractionRow): HistoryEntry {
  const [initMs, acceptedMs, turns, summary, state, restored, kept, updates, metadata, versions] = parseJson(
    body,
  ) as InteractionBody;
  const said = { id, initMs, acceptedMs, turns, summary, state, restored, kept, updates };
  return { interaction: { ...said, metadata, expiresMs, versions }, outcome, trace, cursor: toCursor(sequence) };
}

export function packUpdates(updates: readonly string[]): string | null {
  return updates.length === 0 ? null : JSON.stringify(updates);
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

/** Bytes whose mark was right, so they are the JSON that was written. */
function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(asBuffer(bytes).toString("utf8"));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
