/** Rows of the SQLite store: what lies in the file, its marks, and what it means. */
import { deserialize } from "node:v8";
import {
  type Edge,
  type EmbeddedNode,
  type GraphChange,
  type MemoryNode,
  noChange,
} from "../../../core/graph/memory-node.js";
import type { HistoryEntry, Interaction, KeptMetaVector, Outcome, SnapshotPage } from "../../../ports/store.js";
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
}

export interface InteractionRow extends InteractionHead {
  readonly body: Uint8Array;
}

/** A memory without its content. */
export interface MemoryHead {
  readonly key: number;
  readonly person: number;
  readonly id: string;
  readonly revision: number;
  readonly pairId: string | null;
  readonly contentMark: number;
}

export interface MemoryRow extends MemoryHead {
  readonly content: Uint8Array;
  readonly vectors: Uint8Array;
}

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
  return marker.of(head.sequence, head.person, head.id, head.outcome, head.bodyMark, head.trace);
}

export function markMemory(head: MemoryHead, marker: Marker): number {
  return marker.of(head.key, head.person, head.id, head.revision, head.pairId, head.contentMark);
}

export function markEdge({ a, b, person, revision, weight, boostMs, boostedMs }: EdgeRow, marker: Marker): number {
  return marker.of(a, b, person, revision, weight, boostMs, boostedMs);
}

/** A memory in transit: its content, vectors and meta vector travel next to it, and these are their byte counts. */
export type PagedMemory = readonly [
  id: string,
  pairId: string | null,
  contentByteCount: number,
  vectorByteCount: number,
  metaByteCount: number,
];

export type PagedEdge = readonly [a: string, b: string, weight: number, boostMs: number, boostedMs: number | null];

export interface LoadedHead {
  readonly revision: number;
  readonly isWhole: boolean;
  readonly removals: readonly RemovalRow[];
  readonly coreSummary: string | null;
  readonly commitsSinceCoreSummary: number;
}

export interface PageRows {
  readonly memories: readonly PagedMemory[];
  readonly edges: readonly PagedEdge[];
}

/** PageRows, serialized, and the bytes of its memories one after another. */
export interface PackedPage {
  readonly rows: Uint8Array;
  readonly bytes: Uint8Array;
}

/** What is said about a memory, apart from what changes by itself. */
type MemoryContent = Omit<MemoryNode, "id" | "pairId"> & { readonly fullText: string };

export function interactionBody(interaction: Interaction): Buffer {
  const { initMs, acceptedMs, turns, summary, state, restored } = interaction;
  return Buffer.from(JSON.stringify({ initMs, acceptedMs, turns, summary, state, restored }));
}

export function toHistoryEntry({ id, outcome, body, trace }: InteractionRow): HistoryEntry {
  return { interaction: { id, ...(parseJson(body) as Omit<Interaction, "id">) }, outcome, trace };
}

export function memoryContent({ node, fullText }: Pick<EmbeddedNode, "node" | "fullText">): Buffer {
  const { initMs, summaryText, state, keywords, hypotheticalQuery, statements } = node;
  const content = { initMs, summaryText, fullText, state, keywords, hypotheticalQuery, statements };
  return Buffer.from(JSON.stringify(content satisfies MemoryContent));
}

export function packVectors(
  node: MemoryNode,
  { summaryVector, hypotheticalVector, statementVectors }: Omit<EmbeddedNode, "node" | "fullText">,
): Uint8Array {
  const hypothetical = node.hypotheticalQuery === "" ? [] : [hypotheticalVector];
  const vectors = [summaryVector, ...hypothetical, ...statementVectors];
  const packed = new Int8Array(vectors.length * summaryVector.length);
  vectors.forEach((vector, i) => packed.set(vector, i * summaryVector.length));
  return new Uint8Array(packed.buffer);
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

function unpackMeta(id: string, meta: Buffer, dimensions: number): KeptMetaVector {
  const vectorEnd = metaHeadByteCount + dimensions;
  return {
    id,
    phrase: meta.toString("utf8", vectorEnd),
    fromMs: meta.readDoubleLE(8),
    untilMs: meta.readDoubleLE(16),
    vector: new Int8Array(meta.buffer, meta.byteOffset + metaHeadByteCount, dimensions),
  };
}

export function unpackPage({ rows, bytes }: PackedPage): SnapshotPage {
  const { memories, edges } = deserialize(rows) as PageRows;
  const putNodes: EmbeddedNode[] = [];
  const metaVectors: KeptMetaVector[] = [];
  let at = 0;
  const take = (byteCount: number): Buffer =>
    Buffer.from(bytes.buffer, bytes.byteOffset + (at += byteCount) - byteCount, byteCount);
  for (const [id, pairId, contentByteCount, vectorByteCount, metaByteCount] of memories) {
    const embedded = toEmbeddedNode(id, pairId, take(contentByteCount), take(vectorByteCount));
    putNodes.push(embedded);
    if (metaByteCount > 0) metaVectors.push(unpackMeta(id, take(metaByteCount), embedded.summaryVector.length));
  }
  return { change: { ...noChange, putNodes, putEdges: edges.map(toEdge) }, metaVectors };
}

export function toRemovals(removals: readonly RemovalRow[]): GraphChange {
  return {
    ...noChange,
    removeNodes: removals.filter(({ b }) => b === null).map(({ a }) => a),
    removeEdges: removals.flatMap(({ a, b }) => (b === null ? [] : [[a, b] as const])),
  };
}

export function toEmbeddedNode(
  id: string,
  pairId: string | null,
  content: Uint8Array,
  vectorBytes: Uint8Array,
): EmbeddedNode {
  const { initMs, summaryText, fullText, state, keywords, hypotheticalQuery, statements } = parseJson(
    content,
  ) as MemoryContent;
  const hasHypothetical = hypotheticalQuery !== "";
  const vectorCount = 1 + (hasHypothetical ? 1 : 0) + statements.length;
  const dimensions = vectorBytes.byteLength / vectorCount;
  const vectors: Int8Array[] = [];
  for (let i = 0; i < vectorCount; i++) {
    vectors.push(new Int8Array(vectorBytes.buffer, vectorBytes.byteOffset + i * dimensions, dimensions));
  }
  return {
    node: { id, initMs, pairId, summaryText, state, keywords, hypotheticalQuery, statements },
    fullText,
    summaryVector: vectors[0]!,
    hypotheticalVector: vectors[hasHypothetical ? 1 : 0]!,
    statementVectors: vectors.slice(hasHypothetical ? 2 : 1),
  };
}

function toEdge([a, b, weight, boostMs, boostedMs]: PagedEdge): Edge {
  return { a, b, weight, boostMs, boostedMs };
}

/** Bytes whose mark was right, so they are the JSON that was written. */
function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
}
