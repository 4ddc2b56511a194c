/**
 * What a memory says, in one piece of bytes: numbers (a header, the terms of the lexical index, what follows from the
 * vectors), the vectors, a head in JSON and the full text. Statements are mostly sentences of the full text, so they are
 * written as places in it. A load copies numbers and vectors as they are and leaves head and text for later; the length is
 * a multiple of four, so that the numbers of many contents in a row can be read as such.
 */
import { charactersOf } from "../../graph/graph-bytes.js";
import { termsOfNode } from "../../graph/indexed-terms.js";
import type { EmbeddedNode, MemoryNode } from "../../graph/memory-node.js";
import { packMetadata, unpackMetadata } from "../../graph/metadata.js";
import type { PackedPlace } from "../../graph/packed-nodes.js";
import { type EndLink, type Mark, type Reading, type Statement, isLasting, isWritten } from "../../graph/statement.js";
import { keywordTerms } from "../../text/keywords.js";
import { hasUnspacedScript } from "../../text/words.js";
import { hashTerm, lowOf, packTerms, termVersion } from "../../text/term-hash.js";
import { dot } from "../../graph/vectors/quantized-vector.js";

/** A piece of the full text, from byte to byte, or a text that is not part of it. */
type Piece = string | readonly [start: number, end: number];

type PackedReading = readonly [
  fact: number,
  about: Reading["about"],
  area: Reading["area"],
  lasting: number,
  alone: number,
];

/** The question is a piece of what somebody else said. */
type PackedStatement = readonly [
  text: Piece,
  turn: number | null,
  who: string | null,
  asked: Piece | null,
  kind: Statement["kind"],
  reading: PackedReading | null,
];

/** Apart from links, marks and metadata, which change, and the full text, which follows. */
type ContentHead = readonly [
  summaryText: Piece,
  state: string | null,
  keywords: readonly string[],
  hypotheticalQuery: string,
  statements: readonly PackedStatement[],
  questions: readonly string[],
];

/** What a memory has apart from its content, and what changes while that stays. */
export type MemoryLinks = Pick<MemoryNode, "pairId" | "ends" | "marks" | "metadata" | "expiresMs">;

/** The same as rows have it. */
export interface NodeLinks {
  readonly id: string;
  readonly pairId: string | null;
  /** JSON; null if there are none. */
  readonly ends: string | null;
  readonly marks: string | null;
  /** JSON; null if there is none. */
  readonly metadata: string | null;
  readonly expiresMs: number | null;
}

type PackedEnd = readonly [memory: string, position: number | null, by: number | null, isDoubtful?: 1];
type PackedMark = readonly [position: number | null, kind: Mark["kind"], area: string | null];

export function packLinks(id: string, links: MemoryLinks): NodeLinks {
  const { pairId, ends, marks, metadata, expiresMs } = links;
  const packedEnds = ends.map(({ memory, position, by, isDoubtful }): PackedEnd =>
    isDoubtful === true ? [memory, position, by, 1] : [memory, position, by],
  );
  const packedMarks = marks.map(({ position, kind, area }): PackedMark => [position, kind, area]);
  const pack = (list: readonly unknown[]): string | null => (list.length === 0 ? null : JSON.stringify(list));
  return { id, pairId, ends: pack(packedEnds), marks: pack(packedMarks), metadata: packMetadata(metadata), expiresMs };
}

export function unpackLinks({ pairId, ends, marks, metadata, expiresMs }: NodeLinks): MemoryLinks {
  const packedMarks = marks === null ? [] : (JSON.parse(marks) as PackedMark[]);
  return {
    pairId,
    ends: unpackEnds(ends),
    marks: packedMarks.map(([position, kind, area]) => ({ position, kind, area })),
    metadata: unpackMetadata(metadata),
    expiresMs,
  };
}

export function unpackEnds(ends: string | null): EndLink[] {
  const packed = ends === null ? [] : (JSON.parse(ends) as PackedEnd[]);
  return packed.map(([memory, position, by, isDoubtful]) =>
    isDoubtful === 1 ? { memory, position, by, isDoubtful: true } : { memory, position, by },
  );
}

/** Places of the header's numbers; the time takes two. */
const header = {
  termVersion: 0,
  flags: 1,
  initMs: 2,
  dimensions: 4,
  headLength: 5,
  textLength: 6,
  characterCount: 7,
  statementCount: 8,
  questionCount: 9,
  termLength: 10,
  keywordLength: 11,
} as const;
export const headerLength = 12;
const flags = { hypothetical: 1, lasts: 2, written: 4 } as const;
export const numberByteCount = 4;
const signBit = 1 << 31;

/** A content among others in one piece of bytes; head and text in bytes. */
export interface ContentPlace extends PackedPlace {
  readonly dimensions: number;
  /** Whether any of its statements lasts. */
  readonly lasts: boolean;
  readonly headAt: number;
  readonly textAt: number;
  readonly textEnd: number;
}

/** `terms`: by which the lexical index finds the memory. */
export function memoryContent(embedded: EmbeddedNode, terms: readonly string[] = termsOfNode(embedded)): Buffer {
  const { node, fullText, hypotheticalVector, statementVectors, questionVectors } = embedded;
  const text = Buffer.from(fullText);
  const head = Buffer.from(JSON.stringify(packHead(node, text)));
  const packedTerms = packTerms(terms);
  const keywords = packTerms([...keywordTerms(node.keywords)]);
  const vectors = vectorsOf(embedded);
  const dimensions = embedded.summaryVector.length;
  const products = statementVectors.map((vector) => dot(vector, 0, hypotheticalVector, 0, dimensions));
  const start = new Int32Array(headerLength);
  start[header.termVersion] = versionOfTerms(embedded);
  start[header.flags] = flagsOf(embedded);
  start[header.dimensions] = dimensions;
  start.set(new Int32Array(Float64Array.of(node.initMs).buffer), header.initMs);
  start[header.headLength] = head.byteLength;
  start[header.textLength] = text.byteLength;
  start[header.characterCount] = charactersOf(node);
  start[header.statementCount] = statementVectors.length;
  start[header.questionCount] = questionVectors.length;
  start[header.termLength] = packedTerms.length;
  start[header.keywordLength] = keywords.length;
  const numbers = [start, packedTerms, keywords, Int32Array.from(vectors, squareOf), Int32Array.from(products)];
  const parts = [...[...numbers, ...vectors].map(asBytes), head, text];
  const byteCount = parts.reduce((sum, { byteLength }) => sum + byteLength, 0);
  return Buffer.concat([...parts, Buffer.alloc(-byteCount & (numberByteCount - 1))]);
}

/** Whether the content that begins at a number has the terms of now. */
export function isCurrent(numbers: Int32Array, at: number): boolean {
  const version = numbers[at + header.termVersion]!;
  return version === termVersion || version === segmentedVersion;
}

/** What is written without spaces is split by the platform, and another release of it may do so in another way. */
const segmentedVersion = lowOf(hashTerm(`${termVersion} ${process.versions["icu"] ?? ""}`)) | signBit;

function versionOfTerms({ node, fullText }: EmbeddedNode): number {
  const isSegmented = [node.summaryText, fullText, ...node.keywords].some(hasUnspacedScript);
  return isSegmented ? segmentedVersion : termVersion;
}

/** Of the content that begins at a number. */
export function dimensionsOf(numbers: Int32Array, at: number): number {
  return numbers[at + header.dimensions]!;
}

const [timeNumbers, time] = sharedTime();

/** The parts of the content that begins at a number. */
export function placeContent(numbers: Int32Array, at: number): ContentPlace {
  const marked = numbers[at + header.flags]!;
  const dimensions = numbers[at + header.dimensions]!;
  const statementCount = numbers[at + header.statementCount]!;
  const questionCount = numbers[at + header.questionCount]!;
  const hasHypothetical = (marked & flags.hypothetical) !== 0;
  const vectorCount = 1 + Number(hasHypothetical) + statementCount + questionCount;
  const termsAt = at + headerLength;
  const keywordsAt = termsAt + numbers[at + header.termLength]!;
  const keywordsEnd = keywordsAt + numbers[at + header.keywordLength]!;
  const productsAt = keywordsEnd + vectorCount;
  const vectorsAt = (productsAt + statementCount) * numberByteCount;
  const headAt = vectorsAt + vectorCount * dimensions;
  const textAt = headAt + numbers[at + header.headLength]!;
  timeNumbers[0] = numbers[at + header.initMs]!;
  timeNumbers[1] = numbers[at + header.initMs + 1]!;
  return {
    dimensions,
    initMs: time[0]!,
    characterCount: numbers[at + header.characterCount]!,
    vectorsAt,
    hasHypothetical,
    hasWritten: (marked & flags.written) !== 0,
    statementCount,
    questionCount,
    lasts: (marked & flags.lasts) !== 0,
    squaresAt: keywordsEnd,
    productsAt,
    termsAt,
    keywordsAt,
    keywordsEnd,
    headAt,
    textAt,
    textEnd: textAt + numbers[at + header.textLength]!,
  };
}

/** The node of a head and a full text. */
export function toNode(links: NodeLinks, initMs: number, headBytes: Buffer, text: Buffer): MemoryNode {
  return nodeOf(links, initMs, JSON.parse(headBytes.toString("utf8")) as ContentHead, text);
}

/** Vectors remain views of the content; tokens are read apart. */
export function toEmbeddedNode({
  content: bytes,
  ...links
}: NodeLinks & { readonly content: Uint8Array }): EmbeddedNode {
  const content = aligned(bytes);
  return embeddedAt(links, content, placeContent(numbersIn(content), 0));
}

/** Of a content among others. */
export function embeddedAt(links: NodeLinks, bytes: Buffer, place: ContentPlace): EmbeddedNode {
  const text = bytes.subarray(place.textAt, place.textEnd);
  const node = toNode(links, place.initMs, bytes.subarray(place.headAt, place.textAt), text);
  return withVectors(node, text, bytes, place);
}

type VectorsPlace = Pick<ContentPlace, "dimensions" | "vectorsAt" | "hasHypothetical">;

/** The order of the vectors is that of `vectorsOf`. */
function withVectors(node: MemoryNode, text: Buffer, bytes: Buffer, place: VectorsPlace): EmbeddedNode {
  const { dimensions, vectorsAt, hasHypothetical } = place;
  const vectorAt = (i: number): Int8Array =>
    new Int8Array(bytes.buffer, bytes.byteOffset + vectorsAt + i * dimensions, dimensions);
  const statementsAt = hasHypothetical ? 2 : 1;
  const questionsAt = statementsAt + node.statements.length;
  return {
    node,
    fullText: text.toString("utf8"),
    summaryVector: vectorAt(0),
    hypotheticalVector: vectorAt(statementsAt - 1),
    statementVectors: node.statements.map((_, i) => vectorAt(statementsAt + i)),
    questionVectors: node.questions.map((_, i) => vectorAt(questionsAt + i)),
    tokenBytes: null,
  };
}

/** The bytes, or a copy if numbers could not be read from them where they are. */
export function aligned(bytes: Uint8Array): Buffer {
  const { buffer, byteOffset, byteLength } = bytes;
  return byteOffset % numberByteCount === 0 ? Buffer.from(buffer, byteOffset, byteLength) : alignedCopy(bytes);
}

export function numbersIn({ buffer, byteOffset, byteLength }: Buffer): Int32Array {
  return new Int32Array(buffer, byteOffset, Math.floor(byteLength / numberByteCount));
}

function alignedCopy(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.byteLength);
  copy.set(bytes);
  return copy;
}

function nodeOf(links: NodeLinks, initMs: number, head: ContentHead, text: Buffer): MemoryNode {
  const [summary, state, keywords, hypotheticalQuery, statements, questions] = head;
  const read = (piece: Piece): string =>
    typeof piece === "string" ? piece : text.toString("utf8", piece[0], piece[1]);
  return {
    id: links.id,
    initMs,
    ...unpackLinks(links),
    summaryText: read(summary),
    state,
    keywords,
    hypotheticalQuery,
    questions,
    statements: statements.map(([said, turn, who, asked, kind, reading]) => ({
      turn,
      who,
      text: read(said),
      asked: asked === null ? null : read(asked),
      kind,
      reading: reading === null ? null : unpackReading(reading),
    })),
  };
}

function unpackReading([fact, about, area, lasting, alone]: PackedReading): Reading {
  return { fact, about, area, lasting, alone };
}

function packHead(node: MemoryNode, text: Buffer): ContentHead {
  const { summaryText, state, keywords, hypotheticalQuery, questions, statements } = node;
  let from = 0;
  const find = (piece: string, moves = true): Piece => {
    const bytes = Buffer.from(piece);
    const ahead = text.indexOf(bytes, from);
    const start = ahead < 0 ? text.indexOf(bytes) : ahead;
    if (start < 0 || bytes.byteLength === 0) return piece;
    if (moves) from = start + bytes.byteLength;
    return [start, start + bytes.byteLength];
  };
  const packed = statements.map(({ text: said, turn, who, asked, kind, reading }): PackedStatement => {
    const packedReading = reading === null ? null : packReading(reading);
    return [find(said), turn, who, asked === null ? null : find(asked, false), kind, packedReading];
  });
  from = 0;
  return [find(summaryText), state, keywords, hypotheticalQuery, packed, questions];
}

function packReading({ fact, about, area, lasting, alone }: Reading): PackedReading {
  return [fact, about, area, lasting, alone];
}

function flagsOf({ node }: EmbeddedNode): number {
  const hypothetical = node.hypotheticalQuery === "" ? 0 : flags.hypothetical;
  const lasts = node.statements.some(isLasting) ? flags.lasts : 0;
  return hypothetical | lasts | (node.statements.some(isWritten) ? flags.written : 0);
}

function vectorsOf(embedded: EmbeddedNode): Int8Array[] {
  const { node, summaryVector, hypotheticalVector, statementVectors, questionVectors } = embedded;
  const hypothetical = node.hypotheticalQuery === "" ? [] : [hypotheticalVector];
  return [summaryVector, ...hypothetical, ...statementVectors, ...questionVectors];
}

function squareOf(vector: Int8Array): number {
  return dot(vector, 0, vector, 0, vector.length);
}

function asBytes({ buffer, byteOffset, byteLength }: Int32Array | Int8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A number and its bytes as two whole numbers. */
function sharedTime(): [numbers: Int32Array, value: Float64Array] {
  const value = new Float64Array(1);
  return [new Int32Array(value.buffer), value];
}
