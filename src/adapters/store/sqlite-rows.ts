/** Rows of the SQLite store and what they stand for. Rows travel between the worker and the caller as they are. */
import type { Edge, EmbeddedNode, GraphChange, MemoryNode } from "../../core/memory-node.js";
import type {
  CoreSummary,
  HistoryEntry,
  Interaction,
  KeptMetaVector,
  Outcome,
  PersonSnapshot,
  Turn,
} from "../../ports/store.js";

export interface InteractionRow {
  readonly id: string;
  readonly init_ms: number;
  readonly accepted_ms: number;
  readonly body: string;
  readonly restored: 0 | 1;
  readonly outcome: Outcome;
  readonly trace: string | null;
}

export interface MemoryRow {
  readonly id: string;
  readonly init_ms: number;
  readonly pair_id: string | null;
  readonly summary_text: string;
  readonly full_text: string;
  readonly state: string | null;
  readonly keywords: string;
  readonly hypothetical_query: string;
  readonly statements: string;
  readonly vectors: ArrayBuffer;
  readonly meta_phrase: string | null;
  readonly meta_from_ms: number;
  readonly meta_until_ms: number;
  readonly meta_vector: ArrayBuffer | null;
}

export interface EdgeRow {
  readonly a: string;
  readonly b: string;
  readonly weight: number;
  readonly boost_ms: number;
  readonly boosted_ms: number | null;
}

export interface RemovalRow {
  readonly a: string;
  readonly b: string | null;
}

export interface LoadedRows {
  readonly revision: number;
  readonly isWhole: boolean;
  readonly memories: MemoryRow[];
  readonly edges: EdgeRow[];
  readonly removals: RemovalRow[];
  readonly coreSummary: string | null;
  readonly commitsSinceCoreSummary: number;
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

export function toSnapshot(rows: LoadedRows): PersonSnapshot {
  const change: GraphChange = {
    putNodes: rows.memories.map(toEmbeddedNode),
    removeNodes: rows.removals.filter(({ b }) => b === null).map(({ a }) => a),
    putEdges: rows.edges.map(toEdge),
    removeEdges: rows.removals.flatMap(({ a, b }) => (b === null ? [] : [[a, b] as const])),
    setPairs: [],
  };
  return {
    revision: rows.revision,
    isWhole: rows.isWhole,
    change,
    metaVectors: rows.memories.flatMap(toKeptMetaVector),
    coreSummary: rows.coreSummary === null ? null : (JSON.parse(rows.coreSummary) as CoreSummary),
    commitsSinceCoreSummary: rows.commitsSinceCoreSummary,
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

function toEmbeddedNode(row: MemoryRow): EmbeddedNode {
  const statements = JSON.parse(row.statements) as string[];
  const hasHypothetical = row.hypothetical_query !== "";
  const vectorCount = 1 + (hasHypothetical ? 1 : 0) + statements.length;
  const dimensions = row.vectors.byteLength / vectorCount;
  const vectors = Array.from({ length: vectorCount }, (_, i) => new Int8Array(row.vectors, i * dimensions, dimensions));
  return {
    node: {
      id: row.id,
      initMs: row.init_ms,
      pairId: row.pair_id,
      summaryText: row.summary_text,
      state: row.state,
      keywords: JSON.parse(row.keywords) as string[],
      hypotheticalQuery: row.hypothetical_query,
      statements,
    },
    fullText: row.full_text,
    summaryVector: vectors[0]!,
    hypotheticalVector: vectors[hasHypothetical ? 1 : 0]!,
    statementVectors: vectors.slice(hasHypothetical ? 2 : 1),
  };
}

function toKeptMetaVector(row: MemoryRow): KeptMetaVector[] {
  if (row.meta_phrase === null || row.meta_vector === null) return [];
  return [
    {
      id: row.id,
      phrase: row.meta_phrase,
      fromMs: row.meta_from_ms,
      untilMs: row.meta_until_ms,
      vector: new Int8Array(row.meta_vector),
    },
  ];
}

function toEdge({ a, b, weight, boost_ms, boosted_ms }: EdgeRow): Edge {
  return { a, b, weight, boostMs: boost_ms, boostedMs: boosted_ms };
}
