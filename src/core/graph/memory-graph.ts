/**
 * One person's memory graph, laid out for scanning: nodes and edges by id, plus, by slot, the vectors, bins, times and
 * keywords that commitment and recall scan. It changes only by applying a GraphChange, the same one the store applied,
 * so the two never drift apart.
 */
import { BinTable } from "../vectors/bin-table.js";
import { CueTable } from "../vectors/cue-table.js";
import { quantileBins } from "../paper/entropy.js";
import { LexicalIndex } from "../text/lexical-index.js";
import { finish } from "../steps.js";
import { type IndexedTerms, termsOfNodeSteps } from "./indexed-terms.js";
import { EdgeTable } from "./edge-table.js";
import { bytesOf, bytesOfNode, edgeOverheadBytes } from "./graph-bytes.js";
import {
  type Edge,
  type EmbeddedNode,
  type GraphChange,
  type LastingFact,
  type MemoryNode,
  compareAge,
  compareEdgesOf,
} from "./memory-node.js";
import { findWritten } from "./written-statements.js";
import { KeywordTable } from "./keyword-table.js";
import { MetaTable } from "./meta-table.js";
import { NodeTable } from "./node-table.js";
import type { MetaVector, PackedNodes } from "./packed-nodes.js";
import { UpdateIndex } from "./update-index.js";
import type { ScannedMemories } from "../paper/redundancy.js";
import { StatementTable } from "../vectors/statement-table.js";
import { type VectorPlace, VectorTable } from "../vectors/vector-table.js";

const firstSlotCount = 64;
const nodesPerSlice = 20;
const edgesPerSlice = 1_000;

export class MemoryGraph implements ScannedMemories {
  readonly dimensions: number;
  readonly #nodes = new NodeTable();
  readonly #edges = new EdgeTable();
  readonly #updateIndex = new UpdateIndex();
  readonly #keywords = new KeywordTable();
  #byteCount = 0;

  readonly summaryVectors: VectorTable;
  readonly hypotheticalVectors: VectorTable;
  readonly statements: StatementTable;
  readonly questions: CueTable;
  /** Of state and keywords; zero for a memory without one. */
  readonly topicVectors: VectorTable;
  readonly lexicalIndex = new LexicalIndex();
  readonly #metas: MetaTable;
  /** Vectors of naturalized time, state and keywords; zero where there is none. */
  readonly metaVectors: VectorTable;
  readonly bins: BinTable;
  initMs = new Float64Array(firstSlotCount).fill(NaN);
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
    this.#metas = new MetaTable(dimensions);
    this.metaVectors = this.#metas.vectors;
    this.bins = new BinTable(dimensions, (slot) => quantileBins(this.summaryVectors.get(slot), binCount));
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

  /** Bytes this graph occupies, counted per memory; this is what `memoryBytesMax` limits. */
  get byteCount(): number {
    return this.#byteCount + this.#edges.count * edgeOverheadBytes;
  }

  node(id: string): MemoryNode | undefined {
    return this.#nodes.get(id);
  }

  nodes(): IterableIterator<MemoryNode> {
    return this.#nodes.all();
  }

  /** Reads what all memories say, in slices, so that `nodes` takes no longer than it must. */
  readSteps(): Generator<void, void> {
    return this.#nodes.readSteps();
  }

  /** The memories that made this one outdated, oldest first. */
  outdatedBy(id: string): readonly MemoryNode[] {
    return Array.from(this.#updateIndex.newerThan(id), (newer) => this.#nodes.get(newer)!).sort(compareAge);
  }

  slotOf(id: string): number {
    return this.#nodes.slotOf(id)!;
  }

  idAt(slot: number): string {
    return this.#nodes.idAt(slot);
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
    return this.#nodes.at(slot);
  }

  /** What of the memory in a slot lasts. */
  factsAt(slot: number): readonly LastingFact[] {
    return this.#nodes.factsAt(slot);
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
    return this.#keywords.counts;
  }

  /** For each slot, how many of `keywords` it holds, compared by their terms. */
  sharedKeywords(keywords: readonly string[]): Map<number, number> {
    return this.#keywords.shared(keywords);
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
  setMetaVector(kept: MetaVector): void {
    const slot = this.#nodes.slotOf(kept.id);
    if (slot !== undefined) this.#metas.set(slot, kept);
  }

  /** Whether the cached vector still matches the naturalized time in the time zone it was worded in. */
  holdsMetaVector(id: string, nowMs: number, phrase: string): boolean {
    return this.#metas.holds(this.slotOf(id), nowMs, phrase);
  }

  /** The period for which a memory's cached vector is valid; NaN if there is none. */
  metaPeriod(id: string): readonly [fromMs: number, untilMs: number] {
    return this.#metas.period(this.slotOf(id));
  }

  /** Bytes a memory takes in this graph, not counting its edges. */
  bytesOf(node: MemoryNode): number {
    return bytesOfNode(node, this.dimensions);
  }

  /**
   * Adds loaded memories, which are not there yet, in slices. Their terms can be found at once, but everything that asks for
   * many of them is slow until `indexSteps` has run.
   */
  *putPackedSteps(page: PackedNodes): Generator<void, void> {
    const { ids, texts } = page;
    const first = this.#nodes.putPage(ids, texts);
    this.#growTo(first + ids.length);
    for (const [position, updates] of page.updates) this.#updateIndex.put({ id: ids[position]!, updates });
    for (let i = 0; i < ids.length; i++) {
      this.#putPacked(first + i, page, i);
      const meta = page.metaAt(i);
      if (meta === null) this.#metas.clear(first + i);
      else this.#metas.set(first + i, meta);
      if (i % nodesPerSlice === nodesPerSlice - 1) yield;
    }
  }

  *indexSteps(): Generator<void, void> {
    yield* this.lexicalIndex.enterSteps();
    yield* this.#keywords.enterSteps();
  }

  #putPacked(slot: number, page: PackedNodes, position: number): void {
    const { codes, numbers } = page;
    const place = page.placeAt(position);
    const { hasHypothetical, statementCount, questionCount, termsAt, keywordsAt, keywordsEnd } = place;
    const vectors = (from: number): VectorPlace => ({
      codes,
      at: place.vectorsAt + from * this.dimensions,
      numbers,
      squaresAt: place.squaresAt + from,
    });
    const statementsAt = hasHypothetical ? 2 : 1;
    const questionsAt = statementsAt + statementCount;
    const hypothetical = vectors(statementsAt - 1);
    this.#byteCount += bytesOf(statementCount + questionCount, place.characterCount, this.dimensions);
    this.initMs[slot] = place.initMs;
    this.#putNumbers[slot] = ++this.#putCount;
    this.bins.put(slot);
    this.summaryVectors.setRows(slot, 1, vectors(0));
    this.hypotheticalVectors.setRows(slot, 1, hypothetical);
    const square = numbers[hypothetical.squaresAt]!;
    const statements = { ...vectors(statementsAt), square, productsAt: place.productsAt };
    // Only a language model writes statements and hypothetical queries.
    this.statements.putRows(
      slot,
      statementCount,
      statements,
      hasHypothetical ? findWritten(page.embeddedAt(position)) : [],
    );
    if (questionCount > 0) this.questions.putRows(slot, questionCount, vectors(questionsAt));
    if (place.hasTopic) this.topicVectors.setRows(slot, 1, vectors(questionsAt + questionCount));
    this.lexicalIndex.addPacked(slot, numbers, termsAt, keywordsAt);
    this.#keywords.putPacked(slot, numbers, keywordsAt, keywordsEnd);
  }

  #putNode(embedded: EmbeddedNode, terms: readonly string[]): void {
    const { node, summaryVector, hypotheticalVector, statementVectors, questionVectors, topicVector } = embedded;
    if (this.#nodes.slotOf(node.id) !== undefined) this.#clearSlot(node.id);
    const slot = this.#nodes.put(node);
    this.#growTo(slot + 1);
    this.#updateIndex.put(node);
    this.#byteCount += this.bytesOf(node);
    this.initMs[slot] = node.initMs;
    this.#putNumbers[slot] = ++this.#putCount;
    this.bins.put(slot);
    this.summaryVectors.set(slot, summaryVector);
    this.hypotheticalVectors.set(slot, hypotheticalVector);
    this.#metas.clear(slot);
    this.statements.put(slot, statementVectors, hypotheticalVector, findWritten(embedded));
    this.questions.put(slot, questionVectors);
    if (topicVector !== null) this.topicVectors.set(slot, topicVector);
    this.lexicalIndex.add(slot, terms);
    this.#keywords.put(slot, node.keywords);
  }

  #alterNode(id: string, parts: Partial<Pick<MemoryNode, "pairId" | "updates" | "pinnedArea">>): void {
    const node = this.#nodes.get(id);
    if (node === undefined) return;
    const altered = { ...node, ...parts };
    this.#updateIndex.remove(node);
    this.#updateIndex.put(altered);
    this.#nodes.put(altered);
  }

  #removeNode(id: string): void {
    if (this.#nodes.slotOf(id) === undefined) return;
    this.#clearSlot(id);
    this.#nodes.remove(id);
    this.#edges.removeEnd(id);
  }

  #clearSlot(id: string): void {
    const slot = this.slotOf(id);
    const node = this.#nodes.get(id)!;
    this.#updateIndex.remove(node);
    this.#byteCount -= this.bytesOf(node);
    this.initMs[slot] = NaN;
    this.#metas.clear(slot);
    this.#keywords.remove(slot);
    this.bins.clear(slot);
    this.summaryVectors.clear(slot);
    this.hypotheticalVectors.clear(slot);
    this.statements.remove(slot);
    this.questions.remove(slot);
    if (slot < this.topicVectors.rowCount) this.topicVectors.clear(slot);
    this.lexicalIndex.remove(slot);
  }

  #growTo(slotCount: number): void {
    if (slotCount <= this.initMs.length) return;
    const capacity = Math.max(slotCount, this.initMs.length * 2);
    this.initMs = grown(this.initMs, new Float64Array(capacity).fill(NaN));
    this.#putNumbers = grown(this.#putNumbers, new Float64Array(capacity));
  }
}

function grown<Numbers extends { set(values: ArrayLike<number>): void }>(
  from: ArrayLike<number>,
  to: Numbers,
): Numbers {
  to.set(from);
  return to;
}
