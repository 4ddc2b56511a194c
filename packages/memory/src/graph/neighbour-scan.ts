/**
 * Which memories a text is similar to (section 3.1.2, ConnectNewNode): one exact scan over all of them, in slices.
 * Commitment, refining and re-embedding find edges with it.
 */
import type { MemoryGraph } from "./memory-graph.js";
import type { Neighbour } from "../paper/edges.js";
import { similarity } from "../paper/similarity.js";
import { jaccardFromCounts, keywordTerms } from "../text/keywords.js";
import type { QuantizedVector } from "./vectors/quantized-vector.js";
import type { Parameters } from "../parameters.js";

export const sliceSlots = 500;

export interface Neighbours {
  /** Memories similar enough for an edge. */
  readonly list: readonly Neighbour[];
  /** The weight that an edge to any memory would have. */
  weightOf(id: string): number;
}

/** Cosine of a summary with every slot of the graph; the basis of novelty and edges. */
export function* scanSimilarities(summaryVector: QuantizedVector, graph: MemoryGraph): Generator<void, Float64Array> {
  const cosines = new Float64Array(graph.slotCount);
  for (let from = 0; from < graph.slotCount; from += sliceSlots) {
    graph.summaryVectors.cosines(summaryVector, cosines, from, Math.min(from + sliceSlots, graph.slotCount));
    yield;
  }
  return cosines;
}

export interface ComparedKeywords {
  readonly count: number;
  /** How many of them each slot also has; slots not listed have none. */
  readonly shared: ReadonlyMap<number, number>;
}

export function compareKeywords(keywords: readonly string[], graph: MemoryGraph): ComparedKeywords {
  return { count: keywordTerms(keywords).size, shared: graph.sharedKeywords(keywords) };
}

/** `cosines`: the similarity of the text's summary to every slot. */
export function* scanNeighbours(
  { count, shared }: ComparedKeywords,
  cosines: Float64Array,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, Neighbours> {
  const weightAt = (slot: number): number => {
    const jaccard = jaccardFromCounts(shared.get(slot) ?? 0, count, graph.keywordCounts[slot]!);
    return similarity(cosines[slot]!, jaccard, parameters);
  };
  const list: Neighbour[] = [];
  for (let slot = 0; slot < graph.slotCount; slot++) {
    if (slot % sliceSlots === sliceSlots - 1) yield;
    if (Number.isNaN(graph.initMs[slot]!)) continue;
    const weight = weightAt(slot);
    if (weight >= parameters.edgeThreshold) list.push({ id: graph.idAt(slot), weight });
  }
  return { list, weightOf: (id) => weightAt(graph.slotOf(id)) };
}
