/**
 * S_query of section 3.2 with several cues (design: what we add): how close a question comes to what a memory says. The
 * paper compares it with one vector, the hypothetical query together with the summary. We add the memory's two best
 * statements. A statement alone often does not say what it is about ("It was down to three millimetres"), so the
 * direction of its memory is mixed into it:
 *
 *   S_query = (1 - w) cos(q, m) + w mean of the two highest cos(q, s + c m)       q, m, s of unit length
 */
import type { Parameters } from "../../parameters.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { QuantizedVector } from "../vectors/quantized-vector.js";

/** How many statements are compared at a time. */
const rowsPerBlock = 1_024;
const blockCosines = new Float64Array(rowsPerBlock);

/** S_query of every slot. */
export function querySimilarities(graph: MemoryGraph, query: QuantizedVector, parameters: Parameters): Float64Array {
  const { statementWeight, statementContextWeight } = parameters;
  const { slotCount } = graph;
  const similarities = new Float64Array(slotCount);
  graph.hypotheticalVectors.cosines(query, similarities, 0, slotCount);
  if (statementWeight === 0) return similarities;
  const best = new Float64Array(slotCount).fill(-Infinity);
  const second = new Float64Array(slotCount).fill(-Infinity);
  const { vectors, slots } = graph.statements;
  const scales = graph.statements.contextScales(statementContextWeight);
  for (let from = 0; from < vectors.rowCount; from += rowsPerBlock) {
    const to = Math.min(from + rowsPerBlock, vectors.rowCount);
    vectors.cosines(query, blockCosines, from, to, from);
    for (let row = from; row < to; row++) {
      const slot = slots[row]!;
      if (slot < 0) continue;
      // cos(q, s + c m) of unit vectors
      const value = (blockCosines[row - from]! + statementContextWeight * similarities[slot]!) * scales[row]!;
      if (value > best[slot]!) {
        second[slot] = best[slot]!;
        best[slot] = value;
      } else if (value > second[slot]!) second[slot] = value;
    }
  }
  for (let slot = 0; slot < slotCount; slot++) {
    if (best[slot] === -Infinity) continue;
    const statements = second[slot] === -Infinity ? best[slot]! : (best[slot]! + second[slot]!) / 2;
    similarities[slot] = (1 - statementWeight) * similarities[slot]! + statementWeight * statements;
  }
  return similarities;
}
