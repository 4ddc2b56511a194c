/**
 * S_query of section 3.2 with several cues (design: what we add): how close a question comes to what a memory says. The
 * paper compares it with one vector, the hypothetical query together with the summary. We add the memory's two best
 * statements. A statement alone often does not say what it is about ("It was down to three millimetres"), so the
 * direction of its memory is mixed into it:
 *
 *   S_query = (1 - w) cos(q, m) + w (a + b) / 2       a, b: the two highest cos(q, s + c m)       q, m, s of unit length
 *
 * Statements of a language model say again what was said, and the two best would often be one thought in two wordings.
 * Where there are both, a is the best that was said and b the best that was written. The model's hypothetical queries h
 * can only raise b, to v cos(q, h): two questions are alike in form, whatever they ask about.
 */
import type { Parameters } from "../parameters.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";

/** How much of its memory is mixed into a statement's direction (c). */
const statementContextWeight = 0.5;
/** How many cues are compared at a time. */
const rowsPerBlock = 1_024;
const blockCosines = new Float64Array(rowsPerBlock);

/** S_query of every slot. */
export function querySimilarities(graph: MemoryGraph, query: QuantizedVector, parameters: Parameters): Float64Array {
  const { statementWeight, questionWeight } = parameters;
  const { slotCount } = graph;
  const similarities = new Float64Array(slotCount);
  graph.hypotheticalVectors.cosines(query, similarities, 0, slotCount);
  if (statementWeight === 0) return similarities;
  const said = new TwoBest(slotCount);
  const written = new TwoBest(slotCount);
  const { vectors, slots, written: isWritten } = graph.statements;
  const scales = graph.statements.contextScales(statementContextWeight);
  for (let from = 0; from < vectors.rowCount; from += rowsPerBlock) {
    const to = Math.min(from + rowsPerBlock, vectors.rowCount);
    vectors.cosines(query, blockCosines, from, to, from);
    for (let row = from; row < to; row++) {
      const slot = slots[row]!;
      if (slot < 0) continue;
      // cos(q, s + c m) of unit vectors
      const value = (blockCosines[row - from]! + statementContextWeight * similarities[slot]!) * scales[row]!;
      (isWritten[row] === 1 ? written : said).add(slot, value);
    }
  }
  const questions = bestQuestions(graph, query, questionWeight);
  for (let slot = 0; slot < slotCount; slot++) {
    const first = said.best[slot] === -Infinity ? written.best[slot]! : said.best[slot]!;
    if (first === -Infinity) continue;
    const statements = (first + Math.max(secondOf(slot, said, written), questions[slot]!)) / 2;
    similarities[slot] = (1 - statementWeight) * similarities[slot]! + statementWeight * statements;
  }
  return similarities;
}

/** By slot, v cos(q, h) of the question that comes closest; -Infinity without any. */
function bestQuestions({ questions, slotCount }: MemoryGraph, query: QuantizedVector, weight: number): Float64Array {
  const best = new Float64Array(slotCount).fill(-Infinity);
  const { vectors, slots } = questions;
  for (let from = 0; from < vectors.rowCount; from += rowsPerBlock) {
    const to = Math.min(from + rowsPerBlock, vectors.rowCount);
    vectors.cosines(query, blockCosines, from, to, from);
    for (let row = from; row < to; row++) {
      const slot = slots[row]!;
      if (slot >= 0) best[slot] = Math.max(best[slot]!, weight * blockCosines[row - from]!);
    }
  }
  return best;
}

/** The best that was written next to the best that was said; of a single kind its second best, or its only one again. */
function secondOf(slot: number, said: TwoBest, written: TwoBest): number {
  const only = said.best[slot] === -Infinity ? written : written.best[slot] === -Infinity ? said : null;
  if (only === null) return written.best[slot]!;
  return only.second[slot] === -Infinity ? only.best[slot]! : only.second[slot]!;
}

/** By slot, the two highest values; -Infinity where there are none. */
class TwoBest {
  readonly best: Float64Array;
  readonly second: Float64Array;

  constructor(slotCount: number) {
    this.best = new Float64Array(slotCount).fill(-Infinity);
    this.second = new Float64Array(slotCount).fill(-Infinity);
  }

  add(slot: number, value: number): void {
    if (value > this.best[slot]!) {
      this.second[slot] = this.best[slot]!;
      this.best[slot] = value;
    } else if (value > this.second[slot]!) this.second[slot] = value;
  }
}
