/**
 * Pruning score (Appendix A, Equation A1): how firmly a memory is still held, by its best edge.
 *
 *   PS(n) = max over neighbours m of weight(n, m) tau(effective age of n over the edge)
 *
 * A memory without edges gets edge_threshold tau(age), the best edge it could have missed, so that a fresh lone memory
 * outlives a stale connected one (design decision 9).
 */
import type { Parameters } from "../parameters.js";
import { decay } from "./decay.js";
import { effectiveAge } from "./effective-age.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { isOutdated } from "../graph/holding.js";
import { type MemoryNode, compareAge } from "../graph/memory-node.js";

export interface PruningScore {
  readonly id: string;
  readonly score: number;
}

export function pruningScore(node: MemoryNode, graph: MemoryGraph, nowMs: number, parameters: Parameters): number {
  const edges = graph.edgesOf(node.id);
  if (edges.length === 0) {
    return parameters.edgeThreshold * decay(effectiveAge(nowMs, node.initMs, 0), parameters);
  }
  let best = 0;
  for (const { weight, boostMs } of edges) {
    best = Math.max(best, weight * decay(effectiveAge(nowMs, node.initMs, boostMs), parameters));
  }
  return best;
}

/**
 * Memories in pruning order: what is outdated before what holds, and a memory of which something ended before the one that
 * ended it, so that nothing comes back because its correction went first; then lowest score first, then oldest first.
 * Within a pair the newer half goes before the older one.
 */
export function pruningOrder(graph: MemoryGraph, nowMs: number, parameters: Parameters): PruningScore[] {
  const nodes = [...graph.nodes()];
  const outdated = nodes.filter((node) => isOutdated(node, graph));
  const gone = new Set(outdated);
  const holding = nodes.filter((node) => !gone.has(node));
  const [first, others] = [outdated, holding].map((group) => orderGroup(group, graph, nowMs, parameters));
  return [...first!, ...afterWhatTheyEnded(others!, graph)];
}

/** Each as soon as the older memories in which it ended something have gone. */
function afterWhatTheyEnded(scores: readonly PruningScore[], graph: MemoryGraph): PruningScore[] {
  const left = new Set(scores.map(({ id }) => id));
  const order: PruningScore[] = [];
  const waiting = new Map<string, PruningScore[]>();
  for (const each of scores) {
    const next = [each];
    for (let score = next.shift(); score !== undefined; score = next.shift()) {
      const { id, pairId, ends, initMs } = graph.node(score.id)!;
      const newerHalf = pairId === null || compareAge({ id, initMs }, graph.node(pairId)!) > 0 ? [] : [pairId];
      const older = [...ends.map(({ memory }) => memory), ...newerHalf].find((other) => left.has(other));
      if (older === undefined) {
        order.push(score);
        left.delete(id);
        next.unshift(...(waiting.get(id) ?? []));
        waiting.delete(id);
      } else waiting.set(older, [...(waiting.get(older) ?? []), score]);
    }
  }
  return [...order, ...[...waiting.values()].flat()];
}

function orderGroup(
  nodes: readonly MemoryNode[],
  graph: MemoryGraph,
  nowMs: number,
  parameters: Parameters,
): PruningScore[] {
  const ascending = nodes
    .map((node) => ({ node, score: pruningScore(node, graph, nowMs, parameters) }))
    .sort((x, y) => x.score - y.score || compareAge(x.node, y.node));
  const scores = new Map(ascending.map(({ node, score }) => [node.id, score]));
  const order = new Map<string, PruningScore>();
  for (const { node } of ascending) {
    const pair = node.pairId === null ? undefined : graph.node(node.pairId);
    if (pair !== undefined && scores.has(pair.id) && compareAge(node, pair) < 0)
      order.set(pair.id, { id: pair.id, score: scores.get(pair.id)! });
    order.set(node.id, { id: node.id, score: scores.get(node.id)! });
  }
  return [...order.values()];
}
