/** Rows of the SQLite store: what lies in the file, its marks, and what it means. */
import { type Edge, type GraphChange, noChange } from "../../../core/graph/memory-node.js";
import { type Metadata, hasMetadata, noMetadata } from "../../../core/graph/metadata.js";
import type {
  HistoryEntry,
  Interaction,
  InteractionVersion,
  KeptMetaVector,
  Outcome,
  Turn,
} from "../../../ports/store.js";
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

/** What does not expire has the mark that it had before there was such a thing. */
export function markInteraction(head: InteractionHead, marker: Marker): number {
  const rest = head.expiresMs === null ? [] : [head.expiresMs];
  return marker.of(head.sequence, head.person, head.id, head.outcome, head.bodyMark, head.trace, ...rest);
}

/**
 * A memory that made nothing outdated, is not pinned, has no metadata or does not expire has the mark that it had before
 * there was such a thing.
 */
export function markMemory(head: MemoryHead, marker: Marker): number {
  const { key, person, id, revision, pairId, contentMark, updates, pinnedArea, metadata, expiresMs } = head;
  // Most have none of it, and a graph is loaded with one mark for each memory.
  if (pinnedArea === null && metadata === null && expiresMs === null) {
    return updates === null
      ? marker.of(key, person, id, revision, pairId, contentMark)
      : marker.of(key, person, id, revision, pairId, contentMark, updates);
  }
  const rest = expiresMs !== null ? [metadata, expiresMs] : metadata !== null ? [metadata] : [];
  return marker.of(key, person, id, revision, pairId, contentMark, updates, pinnedArea, ...rest);
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

/** What was submitted, as a list: names would take a tenth of the room. The end is left out where it says nothing. */
type InteractionBody = readonly [
  initMs: number,
  acceptedMs: number,
  turns: readonly Turn[],
  summary: string | null,
  state: string | null,
  restored: boolean,
  kept?: boolean,
  updates?: readonly string[],
  metadata?: Metadata,
  versions?: readonly InteractionVersion[],
];

export function interactionBody(interaction: Interaction): Buffer {
  const { initMs, acceptedMs, turns, summary, state, restored, kept, updates, metadata, versions } = interaction;
  const notes = hasMetadata(metadata) || versions.length > 0 ? ([metadata, versions] as const) : ([] as const);
  const wishes = kept || updates.length > 0 || notes.length > 0 ? ([kept, updates, ...notes] as const) : ([] as const);
  const body: InteractionBody = [initMs, acceptedMs, turns, summary, state, restored, ...wishes];
  return Buffer.from(JSON.stringify(body));
}

export function toHistoryEntry({ id, sequence, outcome, body, trace, expiresMs }: InteractionRow): HistoryEntry {
  const [initMs, acceptedMs, turns, summary, state, restored, kept = false, updates = [], ...notes] = parseJson(
    body,
  ) as InteractionBody;
  const [metadata = noMetadata, versions = []] = notes;
  const said = { id, initMs, acceptedMs, turns, summary, state, restored, kept, updates };
  return { interaction: { ...said, metadata, expiresMs, versions }, outcome, trace, cursor: toCursor(sequence) };
}

export function packUpdates(updates: readonly string[]): string | null {
  return updates.length === 0 ? null : JSON.stringify(updates);
}

const metaHeadByteCount = 24;

/** A checksum, the interval, the vector, and the phrase last: its length is what is left. */
export function packMeta({ id, phrase, fromMs, untilMs, vector }: KeptMetaVector, marker: Marker): Uint8Array {
  const phraseBytes = Buffer.from(phrase);
  const packed = Buffer.alloc(metaHeadByteCount + vector.byteLength + phraseBytes.byteLength);
  packed.writeDoubleLE(fromMs, 8);
  packed.writeDoubleLE(untilMs, 16);
  packed.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), metaHeadByteCount);
  packed.set(phraseBytes, metaHeadByteCount + vector.byteLength);
  packed.writeDoubleLE(marker.of(id, packed.subarray(8)), 0);
  return packed;
}

export function isMetaWhole(id: string, meta: Buffer, marker: Marker): boolean {
  return meta.byteLength > metaHeadByteCount && meta.readDoubleLE(0) === marker.of(id, meta.subarray(8));
}

export function unpackMeta(meta: Buffer, dimensions: number): Omit<KeptMetaVector, "id"> {
  const vectorEnd = metaHeadByteCount + dimensions;
  return {
    phrase: meta.toString("utf8", vectorEnd),
    fromMs: meta.readDoubleLE(8),
    untilMs: meta.readDoubleLE(16),
    vector: new Int8Array(meta.buffer, meta.byteOffset + metaHeadByteCount, dimensions),
  };
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
