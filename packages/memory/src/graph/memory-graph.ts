/**
 * One person's memory graph, laid out for scanning: nodes and edges by id, plus, by slot, what commitment and recall scan
 * (scan-tables.ts). It changes only by applying a GraphChange, the same one the store applied, so the two never drift
 * apart.
 */
import type { ScannedMemories } from "../paper/redundancy.js";
import { finish } from "../text/steps.js";
import type { LexicalIndex } from "../text/lexical-index.js";
import type { BinTable } from "./vectors/bin-table.js";
import type { CueTable } from "./vectors/cue-table.js";
import type { StatementTable } from "./vectors/statement-table.js";
import type { VectorTable } from "./vectors/vector-table.js";
import { EdgeTable } from "./edge-table.js";
import { bytesOfNode, edgeOverheadBytes } from "./graph-bytes.js";
import { type IndexedTerms, termsOfNodeSteps } from "./indexed-terms.js";
import { type Edge, type EmbeddedNode, type GraphChange, type MemoryNode, compareEdgesOf } from "./memory-node.js";
import type { Metadata } from "./metadata.js";
import { NodeTable } from "./node-table.js";
import type { PackedNodes } from "./packed-nodes.js";
import { ScanTables } from "./scan-tables.js";
import { isLasting } from "./statement.js";
import { LinkIndex, type LinkTo } from "./link-index.js";

const nodesPerSlice = 20;
const edgesPerSlice = 1_000;

/** What of a memory changes by itself. */
type MemoryLinks = Pick<MemoryNode, "pairId" | "ends" | "marks" | "metadata" | "expiresMs">;

export class MemoryGraph implements ScannedMemories {
  readonly dimensions: number;
  readonly #nodes = new NodeTable();
  readonly #edges = new EdgeTable();
  readonly #linkIndex = new LinkIndex();
  readonly #tables: ScanTables;
  #lasting: Map<string, readonly number[]> | undefined;
  readonly #marked = new Set<string>();
  #changeCount = 0;

  readonly summaryVectors: VectorTable;
  readonly hypotheticalVectors: VectorTable;
  readonly statements: StatementTable;
  readonly questions: CueTable;
  readonly lexicalIndex: LexicalIndex;
  readonly bins: BinTable;

  constructor(dimensions: number, binCount: number) {
    const tables = new ScanTables(dimensions, binCount);
    this.dimensions = dimensions;
    this.#tables = tables;
    this.summaryVectors = tables.summaryVectors;
    this.hypotheticalVectors = tables.hypotheticalVectors;
    this.statements = tables.statements;
    this.questions = tables.questions;
    this.lexicalIndex = tables.lexicalIndex;
    this.bins = tables.bins;
  }

  get nodeCount(): number {
    return this.#nodes.count;
  }

  get edgeCount(): number {
    return this.#edges.count;
  }

  /** The number of slots a scan has to cover; some may be empty (their `initMs` is NaN). */
  get slotCount(): number {
    return this.#nodes.slotCount;
  }

  /** When the memory in each slot happened; NaN for an empty slot. */
  get initMs(): Float64Array {
    return this.#tables.initMs;
  }

  /** Bytes this graph occupies, counted per memory; this is what `memoryBytesMax` limits. */
  get byteCount(): number {
    return this.#tables.byteCount + this.#edges.count * edgeOverheadBytes;
  }

  node(id: string): MemoryNode | undefined {
    return this.#nodes.get(id);
  }

  /** Without reading what the memory says. */
  has(id: string): boolean {
    return this.#nodes.slotOf(id) !== undefined;
  }

  nodes(): IterableIterator<MemoryNode> {
    return this.#nodes.all();
  }

  /** Reads what all memories say, in slices, so that `nodes` takes no longer than it must. */
  readSteps(): Generator<void, void> {
    return this.#nodes.readSteps();
  }

  /** The links by which newer memories ended something in this one, as far as these are there. */
  linksTo(id: string): readonly LinkTo[] {
    return this.#linkIndex.to(id).filter(({ from, isDoubtful }) => isDoubtful !== true && this.has(from));
  }

  /** The links by which newer memories may have ended something in this one. */
  doubtsAbout(id: string): readonly LinkTo[] {
    return this.#linkIndex.to(id).filter(({ from, isDoubtful }) => isDoubtful === true && this.has(from));
  }

  slotOf(id: string): number {
    return this.#nodes.slotOf(id)!;
  }

  idAt(slot: number): string {
    return this.#nodes.idAt(slot);
  }

  /** How many memories have been put into the graph so far. */
  get putCount(): number {
    return this.#tables.putCount;
  }

  /** Whether a memory was in the graph, in its present form, when `putCount` had this value. */
  wasThere(id: string, putCount: number): boolean {
    return this.#tables.putNumberOf(this.slotOf(id)) <= putCount;
  }

  nodeAt(slot: number): MemoryNode {
    return this.#nodes.at(slot);
  }

  /** Whether anything in the memory of a slot lasts, without reading what it says. */
  lastsAt(slot: number): boolean {
    return this.#nodes.lastsAt(slot);
  }

  /** Grows with every change. */
  get changeCount(): number {
    return this.#changeCount;
  }

  /** Whether anything in the memory of a slot is marked, without reading what it says. */
  isMarkedAt(slot: number): boolean {
    return this.#marked.size > 0 && this.#marked.has(this.idAt(slot));
  }

  /** Memories of which something is marked, without reading what the others say. */
  markedIds(): Iterable<string> {
    return this.#marked;
  }

  /** The positions of all statements that may last, by memory; what is loaded is read when somebody asks first. */
  lasting(): ReadonlyMap<string, readonly number[]> {
    if (this.#lasting === undefined) {
      this.#lasting = new Map();
      for (let slot = 0; slot < this.slotCount; slot++) {
        if (!Number.isNaN(this.initMs[slot]) && this.lastsAt(slot)) this.#noteLasting(this.nodeAt(slot));
      }
    }
    return this.#lasting;
  }

  #noteLasting({ id, statements }: MemoryNode): void {
    const positions = statements.flatMap((statement, position) => (isLasting(statement) ? [position] : []));
    if (positions.length > 0) this.#lasting?.set(id, positions);
    else this.#lasting?.delete(id);
  }

  /** Metadata and expiry of the memory in a slot, for scans: what it says stays unread. */
  metadataAt(slot: number): Metadata {
    return this.#nodes.metadataAt(slot);
  }

  expiresMsAt(slot: number): number | null {
    return this.#nodes.expiresMsAt(slot);
  }

  edge(a: string, b: string): Edge | undefined {
    return this.#edges.get(a, b);
  }

  /** Edges of a memory, strongest first. */
  edgesOf(id: string): Edge[] {
    return [...this.#edges.of(id)].sort(compareEdgesOf(id));
  }

  degree(id: string): number {
    return this.#edges.degree(id);
  }

  edges(): IterableIterator<Edge> {
    return this.#edges.all();
  }

  /** By slot, how many keywords the memory has. */
  get keywordCounts(): Uint16Array {
    return this.#tables.keywords.counts;
  }

  /** For each slot, how many of `keywords` it holds, compared by their terms. */
  sharedKeywords(keywords: readonly string[]): Map<number, number> {
    return this.#tables.keywords.shared(keywords);
  }

  /** How many of a memory's edges have ever been boosted. */
  boostedDegree(id: string): number {
    return this.#edges.boostedDegree(id);
  }

  /** Applies a change at once; with the terms of its memories, that takes no longer for long texts. */
  apply(change: GraphChange, terms?: IndexedTerms): void {
    finish(this.applySteps(change, terms));
  }

  /** Applies a change in slices; until the last slice the graph is in an intermediate state. */
  *applySteps(change: GraphChange, terms?: IndexedTerms): Generator<void, void> {
    this.#changeCount++;
    for (const [a, b] of change.removeEdges) this.#edges.remove(a, b);
    for (const id of change.removeNodes) this.#removeNode(id);
    for (const [i, embedded] of change.putNodes.entries()) {
      this.#putNode(embedded, terms?.get(embedded.node.id) ?? (yield* termsOfNodeSteps(embedded)));
      if (i % nodesPerSlice === nodesPerSlice - 1) yield;
    }
    for (const { id, pairId } of change.setPairs) this.#alterNode(id, { pairId });
    for (const { id, ends } of change.setEnds) this.#alterNode(id, { ends });
    for (const { id, marks } of change.setMarks) this.#alterNode(id, { marks });
    for (const { id, metadata, expiresMs } of change.setMetadata) this.#alterNode(id, { metadata, expiresMs });
    for (const [i, edge] of change.putEdges.entries()) {
      this.#edges.put(edge);
      if (i % edgesPerSlice === edgesPerSlice - 1) yield;
    }
  }

  /** Bytes a memory takes in this graph, not counting its edges. */
  bytesOf(node: MemoryNode): number {
    return bytesOfNode(node, this.dimensions);
  }

  /** Adds loaded memories, which are not there yet, in slices. */
  *putPackedSteps(page: PackedNodes): Generator<void, void> {
    const { ids, texts } = page;
    this.#changeCount++;
    for (const position of page.marked) this.#marked.add(ids[position]!);
    const first = this.#nodes.putPage(ids, texts);
    this.#lasting = undefined;
    for (const [position, ends] of page.ends) this.#linkIndex.put({ id: ids[position]!, ends });
    for (let i = 0; i < ids.length; i++) {
      this.#tables.putPacked(first + i, page, i);
      if (i % nodesPerSlice === nodesPerSlice - 1) yield;
    }
  }

  #putNode(embedded: EmbeddedNode, terms: readonly string[]): void {
    const { node } = embedded;
    if (this.#nodes.slotOf(node.id) !== undefined) this.#clearSlot(node.id);
    this.#linkIndex.put(node);
    this.#tables.put(this.#nodes.put(node), embedded, terms);
    this.#noteLasting(node);
    this.#noteMarks(node);
  }

  #noteMarks({ id, marks }: MemoryNode): void {
    if (marks.length > 0) this.#marked.add(id);
    else this.#marked.delete(id);
  }

  #alterNode(id: string, parts: Partial<MemoryLinks>): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    const altered = { ...node, ...parts };
    this.#linkIndex.remove(node);
    this.#linkIndex.put(altered);
    this.#tables.grow(this.bytesOf(altered) - this.bytesOf(node));
    this.#nodes.put(altered);
    this.#noteMarks(altered);
  }

  #removeNode(id: string): void {
    if (this.#nodes.slotOf(id) === undefined) return;
    this.#clearSlot(id);
    this.#lasting?.delete(id);
    this.#marked.delete(id);
    this.#nodes.remove(id);
    this.#edges.removeEnd(id);
  }

  #clearSlot(id: string): void {
    const node = this.#nodes.get(id)!;
    this.#linkIndex.remove(node);
    this.#tables.clear(this.slotOf(id), node);
  }
}
