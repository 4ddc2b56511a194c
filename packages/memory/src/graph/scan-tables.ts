/**
 * What commitment and recall scan of all memories, by slot: vectors, bins, times, terms and keywords. A memory is put into
 * all of these tables and cleared from all of them, either as it is or as a store loads it, packed; both leave the same.
 */
import { quantileBins } from "../paper/entropy.js";
import { LexicalIndex } from "../text/lexical-index.js";
import { BinTable } from "./vectors/bin-table.js";
import { CueTable } from "./vectors/cue-table.js";
import { StatementTable } from "./vectors/statement-table.js";
import { type VectorPlace, VectorTable } from "./vectors/vector-table.js";
import { bytesOf, bytesOfNode } from "./graph-bytes.js";
import { KeywordTable } from "./keyword-table.js";
import type { EmbeddedNode, MemoryNode } from "./memory-node.js";
import type { PackedNodes } from "./packed-nodes.js";
import { isWritten } from "./statement.js";

const firstSlotCount = 64;

export class ScanTables {
  readonly dimensions: number;
  readonly summaryVectors: VectorTable;
  readonly hypotheticalVectors: VectorTable;
  readonly statements: StatementTable;
  readonly questions: CueTable;
  readonly bins: BinTable;
  readonly lexicalIndex = new LexicalIndex();
  readonly keywords = new KeywordTable();
  /** NaN for an empty slot. */
  initMs = new Float64Array(firstSlotCount).fill(NaN);
  /** By slot, the value of `putCount` when its memory was put. */
  #putNumbers = new Float64Array(firstSlotCount);
  #putCount = 0;
  #byteCount = 0;

  constructor(dimensions: number, binCount: number) {
    this.dimensions = dimensions;
    this.summaryVectors = new VectorTable(dimensions);
    this.hypotheticalVectors = new VectorTable(dimensions);
    this.statements = new StatementTable(dimensions);
    this.questions = new CueTable(dimensions);
    this.bins = new BinTable((slot) => quantileBins(this.summaryVectors.get(slot), binCount));
  }

  /** How many memories have been put so far. */
  get putCount(): number {
    return this.#putCount;
  }

  putNumberOf(slot: number): number {
    return this.#putNumbers[slot]!;
  }

  /** Bytes the memories take, not counting their edges. */
  get byteCount(): number {
    return this.#byteCount;
  }

  /** `terms`: by which the lexical index finds the memory. */
  put(slot: number, embedded: EmbeddedNode, terms: readonly string[]): void {
    const { node, summaryVector, hypotheticalVector, statementVectors, questionVectors } = embedded;
    this.#begin(slot, node.initMs, bytesOfNode(node, this.dimensions));
    this.summaryVectors.set(slot, summaryVector);
    this.hypotheticalVectors.set(slot, hypotheticalVector);
    this.statements.put(slot, statementVectors, hypotheticalVector, node.statements.map(isWritten));
    this.questions.put(slot, questionVectors);
    this.lexicalIndex.add(slot, terms);
    this.keywords.put(slot, node.keywords);
  }

  putPacked(slot: number, page: PackedNodes, position: number): void {
    const { codes, numbers } = page;
    const place = page.placeAt(position);
    const { hasHypothetical, hasWritten, statementCount, questionCount, keywordsAt } = place;
    const vectors = (from: number): VectorPlace => ({
      codes,
      at: place.vectorsAt + from * this.dimensions,
      numbers,
      squaresAt: place.squaresAt + from,
    });
    const statementsAt = hasHypothetical ? 2 : 1;
    const questionsAt = statementsAt + statementCount;
    const hypothetical = vectors(statementsAt - 1);
    this.#begin(slot, place.initMs, bytesOf(statementCount + questionCount, place.characterCount, this.dimensions));
    this.summaryVectors.setRows(slot, 1, vectors(0));
    this.hypotheticalVectors.setRows(slot, 1, hypothetical);
    const square = numbers[hypothetical.squaresAt]!;
    const statements = { ...vectors(statementsAt), square, productsAt: place.productsAt };
    const written = hasWritten ? page.embeddedAt(position).node.statements.map(isWritten) : [];
    this.statements.putRows(slot, statementCount, statements, written);
    if (questionCount > 0) this.questions.putRows(slot, questionCount, vectors(questionsAt));
    this.lexicalIndex.addPacked(slot, numbers, place.termsAt, keywordsAt);
    this.keywords.putPacked(slot, numbers, keywordsAt, place.keywordsEnd);
  }

  /** `node`: the memory in the slot. */
  clear(slot: number, node: MemoryNode): void {
    this.#byteCount -= bytesOfNode(node, this.dimensions);
    this.initMs[slot] = NaN;
    this.keywords.remove(slot);
    this.bins.forget(slot);
    this.summaryVectors.clear(slot);
    this.hypotheticalVectors.clear(slot);
    this.statements.remove(slot);
    this.questions.remove(slot);
    this.lexicalIndex.remove(slot);
  }

  /** The memory in some slot changed its size. */
  grow(byteCount: number): void {
    this.#byteCount += byteCount;
  }

  #begin(slot: number, initMs: number, byteCount: number): void {
    this.#growTo(slot + 1);
    this.#byteCount += byteCount;
    this.initMs[slot] = initMs;
    this.#putNumbers[slot] = ++this.#putCount;
    this.bins.forget(slot);
  }

  #growTo(slotCount: number): void {
    if (slotCount <= this.initMs.length) return;
    const capacity = Math.max(slotCount, this.initMs.length * 2);
    this.initMs = grown(this.initMs, new Float64Array(capacity).fill(NaN));
    this.#putNumbers = grown(this.#putNumbers, new Float64Array(capacity));
  }
}

function grown(from: Float64Array, to: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  to.set(from);
  return to;
}
