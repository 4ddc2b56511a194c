/**
 * S_query of section 3.2 with several cues (design: what we add): how close a question comes to what a memory says. The
 * paper compares with one vector, the hypothetical query together with the summary. Beside it stand the memory's two
 * best statements. A statement alone often does not say what it is about ("It was down to three millimetres"), so the
 * direction of its memory is mixed into it:
 *
 *   S_query = (1 - w) cos(q, m) + w mean of the two highest cos(q, s + c m)       q, m, s of unit length
 */
import type { Parameters } from "../parameters.js";
import type { MemoryGraph } from "./memory-graph.js";
import type { QuantizedVector } from "./quantized-vector.js";

/** S_query of every slot. */
export function querySimilarities(graph: MemoryGraph, query: QuantizedVector, parameters: Parameters): Float64Array {
  const { statementWeight, statementContextWeight } = parameters;
  const similarities = new Float64Array(graph.slotCount);
  graph.hypotheticalVectors.cosines(query, similarities, 0, graph.slotCount);
  if (statementWeight === 0) return similarities;
  const best = new Float64Array(graph.slotCount).fill(-Infinity);
  const second = new Float64Array(graph.slotCount).fill(-Infinity);
  const { vectors, slots } = graph.statements;
  const scales = graph.statements.contextScales(statementContextWeight);
  const cosines = new Float64Array(vectors.rowCount);
  vectors.cosines(query, cosines);
  for (let row = 0; row < vectors.rowCount; row++) {
    const slot = slots[row]!;
    if (slot < 0) continue;
    // cos(q, s + c m) of unit vectors
    const value = (cosines[row]! + statementContextWeight * similarities[slot]!) * scales[row]!;
    if (value > best[slot]!) {
      second[slot] = best[slot]!;
      best[slot] = value;
    } else if (value > second[slot]!) second[slot] = value;
  }
  for (let slot = 0; slot < graph.slotCount; slot++) {
    if (best[slot] === -Infinity) continue;
    const statements = second[slot] === -Infinity ? best[slot]! : (best[slot]! + second[slot]!) / 2;
    similarities[slot] = (1 - statementWeight) * similarities[slot]! + statementWeight * statements;
  }
  return similarities;
}
