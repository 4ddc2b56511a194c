/** Rows of the SQLite store and their meaning. */
import { deserialize } from "node:v8";
import {
  type Edge,
  type EmbeddedNode,
  type GraphChange,
  type MemoryNode,
  noChange,
} from "../../../core/graph/memory-node.js";
import type { HistoryEntry, Interaction, KeptMetaVector, Outcome, SnapshotPage, Turn } from "../../../ports/store.js";

export interface InteractionRow {
  readonly id: string;
  readonly init_ms: number;
  readonly accepted_ms: number;
  readonly body: string;
  readonly restored: 0 | 1;
  readonly outcome: Outcome;
  readonly trace: string | null;
}

/** A memory in transit; its vectors and its meta vector travel next to it, and these are their byte counts. */
export type MemoryRow = readonly [
  id: string,
  initMs: number,
  pairId: string | null,
  summaryText: string,
  fullText: string,
  state: string | null,
  keywords: string,
  hypotheticalQuery: string,
  statements: string,
  metaPhrase: string | null,
  metaFromMs: number,
  metaUntilMs: number,
  vectorByteCount: number,
  metaVectorByteCount: number,
];

export type EdgeRow = readonly [a: string, b: string, weight: number, boostMs: number, boostedMs: number | null];

export interface RemovalRow {
  readonly a: string;
  readonly b: string | null;
}

export interface LoadedHead {
  readonly revision: number;
  readonly isWhole: boolean;
  readonly removals: readonly RemovalRow[];
  readonly coreSummary: string | null;
  readonly commitsSinceCoreSummary: number;
}

export interface PageRows {
  readonly memories: readonly MemoryRow[];
  readonly edges: readonly EdgeRow[];
}

/** PageRows, serialized, and the vectors of its memories one after another. */
export interface PackedPage {
  readonly rows: Uint8Array;
  readonly vectors: Uint8Array;
}

interface InteractionBody {
  readonly turns: readonly Turn[];
  readonly summary: string | null;
  readonly state: string | null;
}

export function interactionBody({ turns, summary, state }: Interaction): string {
  return JSON.stringify({ turns, summary, state } satisfies InteractionBody);
}

export function toHistoryEntry(row: InteractionRow): HistoryEntry {
  const body = JSON.parse(row.body) as InteractionBody;
  return {
    interaction: {
      id: row.id,
      initMs: row.init_ms,
      acceptedMs: row.accepted_ms,
      ...body,
      restored: row.restored === 1,
    },
    outcome: row.outcome,
    trace: row.trace,
  };
}

export function unpackPage({ rows, vectors }: PackedPage): SnapshotPage {
  const { memories, edges } = deserialize(rows) as PageRows;
  const putNodes: EmbeddedNode[] = [];
  const metaVectors: KeptMetaVector[] = [];
  let at = vectors.byteOffset;
  for (const row of memories) {
    const [id, , , , , , , , , phrase, fromMs, untilMs, vectorByteCount, metaVectorByteCount] = row;
    putNodes.push(toEmbeddedNode(row, vectors.buffer, at));
    at += vectorByteCount;
    const vector = new Int8Array(vectors.buffer, at, metaVectorByteCount);
    at += metaVectorByteCount;
    if (phrase !== null && metaVectorByteCount > 0) metaVectors.push({ id, phrase, fromMs, untilMs, vector });
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

function toEmbeddedNode(row: MemoryRow, buffer: ArrayBufferLike, start: number): EmbeddedNode {
  const [id, initMs, pairId, summaryText, fullText, state, keywords, hypotheticalQuery, statementTexts] = row;
  const vectorByteCount = row[12];
  const statements = JSON.parse(statementTexts) as string[];
  const hasHypothetical = hypotheticalQuery !== "";
  const vectorCount = 1 + (hasHypothetical ? 1 : 0) + statements.length;
  const dimensions = vectorByteCount / vectorCount;
  const vectors: Int8Array[] = [];
  for (let i = 0; i < vectorCount; i++) vectors.push(new Int8Array(buffer, start + i * dimensions, dimensions));
  return {
    node: {
      id,
      initMs,
      pairId,
      summaryText,
      state,
      keywords: JSON.parse(keywords) as string[],
      hypotheticalQuery,
      statements,
    },
    fullText,
    summaryVector: vectors[0]!,
    hypotheticalVector: vectors[hasHypothetical ? 1 : 0]!,
    statementVectors: vectors.slice(hasHypothetical ? 2 : 1),
  };
}

function toEdge([a, b, weight, boostMs, boostedMs]: EdgeRow): Edge {
  return { a, b, weight, boostMs, boostedMs };
}
