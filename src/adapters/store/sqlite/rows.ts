/** Rows of the SQLite store: what lies in the file, its marks, and what it means. */
import { deserialize } from "node:v8";
import {
  type Edge,
  type EmbeddedNode,
  type GraphChange,
  type LastingFact,
  type MemoryNode,
  noChange,
} from "../../../core/graph/memory-node.js";
import type { HistoryEntry, Interaction, KeptMetaVector, Outcome, SnapshotPage, Turn } from "../../../ports/store.js";
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
  return marker.of(head.sequence, head.person, head.id, head.outcome, head.bodyMark, head.trace);
}

/** A memory that made nothing outdated, or is not pinned, has the mark that it had before there was such a thing. */
export function markMemory(head: MemoryHead, marker: Marker): number {
  const { updates, pinnedArea } = head;
  const rest = pinnedArea !== null ? [updates, pinnedArea] : updates !== null ? [updates] : [];
  return marker.of(head.key, head.person, head.id, head.revision, head.pairId, head.contentMark, ...rest);
}

/** Tokens belong to a content: once the memory says something else, they are no longer whole. */
export function markTokens({ key, contentMark }: TokenPlace, bytes: Uint8Array, marker: Marker): number {
  return marker.of(key, contentMark, bytes);
}

export function markEdge({ a, b, person, revision, weight, boostMs, boostedMs }: EdgeRow, marker: Marker): number {
  return marker.of(a, b, person, revision, weight, boostMs, boostedMs);
}

/** A memory in transit: its content and its meta vector travel next to it, and these are their byte counts. */
export type PagedMemory = readonly [
  id: string,
  pairId: string | null,
  updates: string | null,
  pinnedArea: string | null,
  contentByteCount: number,
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
];

/** A piece of the full text, from byte to byte, or a text that is not part of it. */
type Piece = string | readonly [start: number, end: number];

type PackedFact = readonly [text: Piece, area: string, probability: number];

/**
 * What a memory says, apart from its pair and its pin, which change, and its full text, which follows. The end is left
 * out where nobody judged what lasts and there are no further cues.
 */
type ContentHead = readonly [
  initMs: number,
  summaryText: Piece,
  state: string | null,
  keywords: readonly string[],
  hypotheticalQuery: string,
  statements: readonly Piece[],
  facts?: readonly PackedFact[] | null,
  questions?: readonly string[],
  hasTopic?: boolean,
];

export function interactionBody(interaction: Interaction): Buffer {
  const { initMs, acceptedMs, turns, summary, state, restored, kept, updates } = interaction;
  const wishes = kept || updates.length > 0 ? ([kept, updates] as const) : ([] as const);
  const body: InteractionBody = [initMs, acceptedMs, turns, summary, state, restored, ...wishes];
  return Buffer.from(JSON.stringify(body));
}

export function toHistoryEntry({ id, outcome, body, trace }: InteractionRow): HistoryEntry {
  const [initMs, acceptedMs, turns, summary, state, restored, kept = false, updates = []] = parseJson(
    body,
  ) as InteractionBody;
  return { interaction: { id, initMs, acceptedMs, turns, summary, state, restored, kept, updates }, outcome, trace };
}

const lengthByteCount = 4;

/**
 * The lengths of the first two parts, then the parts: the head, the full text, and the vectors (summary, hypothetical
 * query if there is one, statements, questions, topic if there is one). Statements are mostly sentences of the full text, so they are written as places in
 * it.
 */
export function memoryContent({ node, fullText, ...vectors }: EmbeddedNode): Buffer {
  const { initMs, summaryText, state, keywords, hypotheticalQuery, questions, statements, facts } = node;
  const text = Buffer.from(fullText);
  let from = 0;
  const find = (piece: string): Piece => {
    const bytes = Buffer.from(piece);
    const ahead = text.indexOf(bytes, from);
    const start = ahead < 0 ? text.indexOf(bytes) : ahead;
    if (start < 0 || bytes.byteLength === 0) return piece;
    from = start + bytes.byteLength;
    return [start, from];
  };
  const pieces = statements.map(find);
  from = 0;
  const summary = find(summaryText);
  from = 0;
  const packFact = ({ text: said, area, probability }: LastingFact): PackedFact => [find(said), area, probability];
  const judged = facts?.map(packFact) ?? null;
  const hasTopic = vectors.topicVector !== null;
  const said = [initMs, summary, state, keywords, hypotheticalQuery, pieces] as const;
  const head: ContentHead =
    questions.length > 0 || hasTopic
      ? [...said, judged, questions, hasTopic]
      : judged === null
        ? said
        : [...said, judged];
  const headBytes = Buffer.from(JSON.stringify(head));
  const lengths = Buffer.alloc(2 * lengthByteCount);
  lengths.writeUInt32LE(headBytes.byteLength, 0);
  lengths.writeUInt32LE(text.byteLength, lengthByteCount);
  return Buffer.concat([lengths, headBytes, text, packVectors(node, vectors)]);
}

function packVectors(
  { hypotheticalQuery }: MemoryNode,
  embedded: Omit<EmbeddedNode, "node" | "fullText" | "tokenBytes">,
): Uint8Array {
  const { summaryVector, hypotheticalVector, statementVectors, questionVectors, topicVector } = embedded;
  const hypothetical = hypotheticalQuery === "" ? [] : [hypotheticalVector];
  const topic = topicVector === null ? [] : [topicVector];
  const vectors = [summaryVector, ...hypothetical, ...statementVectors, ...questionVectors, ...topic];
  const packed = new Int8Array(vectors.length * summaryVector.length);
  vectors.forEach((vector, i) => packed.set(vector, i * summaryVector.length));
  return new Uint8Array(packed.buffer);
}

export function packUpdates(updates: readonly string[]): string | null {
  return updates.length === 0 ? null : JSON.stringify(updates);
}

/** Vectors remain views of the content; tokens are read apart. */
export function toEmbeddedNode({
  id,
  pairId,
  updates,
  pinnedArea,
  content: bytes,
}: Pick<MemoryRow, "id" | "pairId" | "updates" | "pinnedArea" | "content">): EmbeddedNode {
  const content = asBuffer(bytes);
  const headEnd = 2 * lengthByteCount + content.readUInt32LE(0);
  const textEnd = headEnd + content.readUInt32LE(lengthByteCount);
  const head = JSON.parse(content.toString("utf8", 2 * lengthByteCount, headEnd)) as ContentHead;
  const [initMs, summary, state, keywords, hypotheticalQuery, pieces, facts, questions = [], hasTopic = false] = head;
  const read = (piece: Piece): string =>
    typeof piece === "string" ? piece : content.toString("utf8", headEnd + piece[0], headEnd + piece[1]);
  const summaryText = read(summary);
  const statements = pieces.map(read);
  const hasHypothetical = hypotheticalQuery !== "";
  const vectorCount = 1 + (hasHypothetical ? 1 : 0) + statements.length + questions.length + (hasTopic ? 1 : 0);
  const dimensions = (content.byteLength - textEnd) / vectorCount;
  const vectors: Int8Array[] = [];
  for (let i = 0; i < vectorCount; i++) {
    vectors.push(new Int8Array(content.buffer, content.byteOffset + textEnd + i * dimensions, dimensions));
  }
  const statementsAt = hasHypothetical ? 2 : 1;
  const questionsAt = statementsAt + statements.length;
  const topicAt = questionsAt + questions.length;
  return {
    node: {
      id,
      initMs,
      pairId,
      summaryText,
      state,
      keywords,
      hypotheticalQuery,
      questions,
      statements,
      updates: updates === null ? [] : (JSON.parse(updates) as string[]),
      facts: facts?.map(([said, area, probability]) => ({ text: read(said), area, probability })) ?? null,
      pinnedArea,
    },
    fullText: content.toString("utf8", headEnd, textEnd),
    summaryVector: vectors[0]!,
    hypotheticalVector: vectors[hasHypothetical ? 1 : 0]!,
    statementVectors: vectors.slice(statementsAt, questionsAt),
    questionVectors: vectors.slice(questionsAt, topicAt),
    topicVector: hasTopic ? vectors[topicAt]! : null,
    tokenBytes: null,
  };
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
  for (const [id, pairId, updates, pinnedArea, contentByteCount, metaByteCount] of memories) {
    const embedded = toEmbeddedNode({ id, pairId, updates, pinnedArea, content: take(contentByteCount) });
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

function toEdge([a, b, weight, boostMs, boostedMs]: PagedEdge): Edge {
  return { a, b, weight, boostMs, boostedMs };
}

/** Bytes whose mark was right, so they are the JSON that was written. */
function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(asBuffer(bytes).toString("utf8"));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
