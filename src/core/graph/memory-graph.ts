/**
 * One person's memory graph, laid out for scanning: nodes and edges by id, plus, by slot, the vectors, bins, times and
 * keywords that commitment and recall scan. It changes only by applying a GraphChange, the same one the store applied,
 * so the two never drift apart.
 */
import { BinTable } from "../vectors/bin-table.js";
import { CueTable } from "../vectors/cue-table.js";
import { quantileBins } from "../paper/entropy.js";
import { keywordTerm, keywordTerms } from "../text/keywords.js";
import { KnownWords } from "../text/known-words.js";
import { LexicalIndex } from "../text/lexical-index.js";
import { finish } from "../steps.js";
import { type IndexedTerms, termsOfNodeSteps } from "./indexed-terms.js";
import { EdgeTable } from "./edge-table.js";
import { bytesOfNode, edgeOverheadBytes } from "./graph-bytes.js";
import {
  type Edge,
  type EmbeddedNode,
  type GraphChange,
  type MemoryNode,
  compareAge,
  compareEdgesOf,
} from "./memory-node.js";
import { Postings } from "../text/postings.js";
import { findWritten } from "./written-statements.js";
import { UpdateIndex } from "./update-index.js";
import type { QuantizedVector } from "../vectors/quantized-vector.js";
import type { ScannedMemories } from "../paper/redundancy.js";
import { StatementTable } from "../vectors/statement-table.js";
import { VectorTable } from "../vectors/vector-table.js";

const firstSlotCount = 64;
const nodesPerSlice = 20;
const edgesPerSlice = 1_000;

export class MemoryGraph implements ScannedMemories {
  readonly dimensions: number;
  readonly #nodes = new Map<string, MemoryNode>();
  readonly #edges = new EdgeTable();
  readonly #slots = new Map<string, number>();
  readonly #ids: (string | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  readonly #updateIndex = new UpdateIndex();
  readonly #keywordPostings = new Postings();
  readonly #keywordNumbers = new KnownWords((keyword) => this.#keywordPostings.numberOf(keywordTerm(keyword)));
  #byteCount = 0;

  readonly summaryVectors: VectorTable;
  readonly hypotheticalVectors: VectorTable;
  readonly statements: StatementTable;
  readonly questions: CueTable;
  /** Of state and keywords; zero for a memory without one. */
  readonly topicVectors: VectorTable;
  readonly lexicalIndex = new LexicalIndex();
  /**
   * Vectors of naturalized time, state and keywords, with the period for which each is valid; NaN where there is none.
   */
  readonly metaVectors: VectorTable;
  metaFromMs = new Float64Array(firstSlotCount).fill(NaN);
  metaUntilMs = new Float64Array(firstSlotCount).fill(NaN);
  readonly #metaPhrases: (string | undefined)[] = [];
  readonly bins: BinTable;
  initMs = new Float64Array(firstSlotCount).fill(NaN);
  keywordCounts = new Uint16Array(firstSlotCount);
  /** By slot, the value of `putCount` when its memory was put into the graph. */
  #putNumbers = new Float64Array(firstSlotCount);
  #putCount = 0;

  constructor(dimensions: number, binCount: number) {
    this.dimensions = dimensions;
    this.summaryVectors = new VectorTable(dimensions);
    this.hypotheticalVectors = new VectorTable(dimensions);
    this.statements = new StatementTable(dimensions);
    this.questions = new CueTable(dimensions);
    this.topicVectors = new VectorTable(dimensions);
    this.metaVectors = new VectorTable(dimensions);
    this.bins = new BinTable(dimensions, (slot) => quantileBins(this.summaryVectors.get(slot), binCount));
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  get edgeCount(): number {
    return this.#edges.count;
  }

  /** The number of slots a scan has to cover; some may be empty (their `initMs` is NaN). */
  get slotCount(): number {
    return this.#ids.length;
  }

  /** Bytes this graph occupies, counted per memory; this is what `memoryBytesMax` limits. */
  get byteCount(): number {
    return this.#byteCount + this.#edges.count * edgeOverheadBytes;
  }

  node(id: string): MemoryNode | undefined {
    return this.#nodes.get(id);
  }

  nodes(): IterableIterator<MemoryNode> {
    return this.#nodes.values();
  }

  /** The memories that made this one outdated, oldest first. */
  outdatedBy(id: string): readonly MemoryNode[] {
    return Array.from(this.#updateIndex.newerThan(id), (newer) => this.#nodes.get(newer)!).sort(compareAge);
  }

  slotOf(id: string): number {
    return this.#slots.get(id)!;
  }

  idAt(slot: number): string {
    return this.#ids[slot]!;
  }

  /** How many memories have been put into the graph so far. */
  get putCount(): number {
    return this.#putCount;
  }

  /** Whether a memory was in the graph, in its present form, when `putCount` had this value. */
  wasThere(id: string, putCount: number): boolean {
    return this.#putNumbers[this.slotOf(id)]! <= putCount;
  }

  nodeAt(slot: number): MemoryNode {
    return this.#nodes.get(this.idAt(slot))!;
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

  /** For each slot, how many of `keywords` it holds, compared by their terms. */
  sharedKeywords(keywords: readonly string[]): Map<number, number> {
    const shared = new Map<number, number>();
    for (const term of keywordTerms(keywords)) {
      this.#keywordPostings.forEach(term, (slot) => shared.set(slot, (shared.get(slot) ?? 0) + 1));
    }
    return shared;
  }

  /** How many of a memory's edges have ever been boosted. */
  boostedDegree(id: string): number {
    let count = 0;
    for (const { boostMs } of this.#edges.of(id)) if (boostMs > 0) count++;
    return count;
  }

  /** Applies a change at once; with the terms of its memories, that takes no longer for long texts. */
  apply(change: GraphChange, terms?: IndexedTerms): void {
    finish(this.applySteps(change, terms));
  }

  /** Applies a change in slices; until the last slice the graph is in an intermediate state. */
  *applySteps(change: GraphChange, terms?: IndexedTerms): Generator<void, void> {
    for (const [a, b] of change.removeEdges) this.#edges.remove(a, b);
    for (const id of change.removeNodes) this.#removeNode(id);
    for (const [i, embedded] of change.putNodes.entries()) {
      this.#putNode(embedded, terms?.get(embedded.node.id) ?? (yield* termsOfNodeSteps(embedded)));
      if (i % nodesPerSlice === nodesPerSlice - 1) yield;
    }
    for (const { id, pairId } of change.setPairs) this.#alterNode(id, { pairId });
    for (const { id, updates } of change.setUpdates) this.#alterNode(id, { updates });
    for (const { id, area } of change.setPinned) this.#alterNode(id, { pinnedArea: area });
    for (const [i, edge] of change.putEdges.entries()) {
      this.#edges.put(edge);
      if (i % edgesPerSlice === edgesPerSlice - 1) yield;
    }
  }

  /** Caches the vector of a memory's naturalized time, unless the memory has been removed. */
  setMetaVector(kept: {
    readonly id: string;
    readonly phrase: string;
    readonly fromMs: number;
    readonly untilMs: number;
    readonly vector: QuantizedVector;
  }): void {
    const slot = this.#slots.get(kept.id);
    if (slot === undefined) return;
    this.metaVectors.set(slot, kept.vector);
    this.#metaPhrases[slot] = kept.phrase;
    this.metaFromMs[slot] = kept.fromMs;
    this.metaUntilMs[slot] = kept.untilMs;
  }

  /** Whether the cached vector still matches the naturalized time in the time zone it was worded in. */
  holdsMetaVector(id: string, nowMs: number, phrase: string): boolean {
    const slot = this.slotOf(id);
    const isInTime = this.metaFromMs[slot]! <= nowMs && nowMs < this.metaUntilMs[slot]!;
    return isInTime && this.#metaPhrases[slot] === phrase;
  }

  /** Bytes a memory takes in this graph, not counting its edges. */
  bytesOf(node: MemoryNode): number {
    return bytesOfNode(node, this.dimensions);
  }

  #putNode(embedded: EmbeddedNode, terms: readonly string[]): void {
    const { node, summaryVector, hypotheticalVector, statementVectors, questionVectors, topicVector } = embedded;
    if (this.#nodes.has(node.id)) this.#clearSlot(node.id);
    const slot = this.#slots.get(node.id) ?? this.#freeSlots.pop() ?? this.#ids.length;
    this.#growTo(slot + 1);
    this.#ids[slot] = node.id;
    this.#slots.set(node.id, slot);
    this.#nodes.set(node.id, node);
    this.#updateIndex.put(node);
    this.#byteCount += this.bytesOf(node);
    this.initMs[slot] = node.initMs;
    this.#putNumbers[slot] = ++this.#putCount;
    this.bins.put(slot);
    this.summaryVectors.set(slot, summaryVector);
    this.hypotheticalVectors.set(slot, hypotheticalVector);
    this.statements.put(slot, statementVectors, hypotheticalVector, findWritten(embedded));
    this.questions.put(slot, questionVectors);
    if (topicVector !== null) this.topicVectors.set(slot, topicVector);
    this.lexicalIndex.add(slot, terms);
    const keywords = node.keywords.map((keyword) => this.#keywordNumbers.meaningOf(keyword, 0, keyword.length));
    this.keywordCounts[slot] = this.#keywordPostings.put(slot, keywords);
  }

  #alterNode(id: string, parts: Partial<Pick<MemoryNode, "pairId" | "updates" | "pinnedArea">>): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    const altered = { ...node, ...parts };
    this.#updateIndex.remove(node);
    this.#updateIndex.put(altered);
    this.#nodes.set(id, altered);
  }

  #removeNode(id: string): void {
    if (!this.#nodes.has(id)) return;
    const slot = this.#slots.get(id)!;
    this.#clearSlot(id);
    this.#nodes.delete(id);
    this.#slots.delete(id);
    this.#edges.removeEnd(id);
    this.#ids[slot] = undefined;
    this.#freeSlots.push(slot);
  }

  #clearSlot(id: string): void {
    const slot = this.#slots.get(id)!;
    const node = this.#nodes.get(id)!;
    this.#updateIndex.remove(node);
    this.#byteCount -= this.bytesOf(node);
    this.initMs[slot] = NaN;
    this.metaFromMs[slot] = NaN;
    this.metaUntilMs[slot] = NaN;
    if (slot < this.metaVectors.rowCount) this.metaVectors.clear(slot);
    this.keywordCounts[slot] = 0;
    this.bins.clear(slot);
    this.summaryVectors.clear(slot);
    this.hypotheticalVectors.clear(slot);
    this.statements.remove(slot);
    this.questions.remove(slot);
    if (slot < this.topicVectors.rowCount) this.topicVectors.clear(slot);
    this.lexicalIndex.remove(slot);
    const goneCount = this.#keywordPostings.remove(slot);
    if (goneCount > 0) this.#keywordNumbers.clear();
  }

  #growTo(slotCount: number): void {
    if (slotCount <= this.initMs.length) return;
    const capacity = Math.max(slotCount, this.initMs.length * 2);
    this.initMs = grown(this.initMs, new Float64Array(capacity).fill(NaN));
    this.metaFromMs = grown(this.metaFromMs, new Float64Array(capacity).fill(NaN));
    this.metaUntilMs = grown(this.metaUntilMs, new Float64Array(capacity).fill(NaN));
    this.#putNumbers = grown(this.#putNumbers, new Float64Array(capacity));
    this.keywordCounts = grown(this.keywordCounts, new Uint16Array(capacity));
  }
}

function grown<Numbers extends { set(values: ArrayLike<number>): void }>(
  from: ArrayLike<number>,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}
