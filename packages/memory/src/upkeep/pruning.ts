/**
 * Pruning (section 3.2, the "forgetter"; Equation A1): only when a configured limit on memories or bytes is exceeded,
 * lowest score first, until the graph is within it. What is pinned stays a memory; what is pruned stays in the history
 * and can be restored.
 */
import { pruningOrder, type PruningScore } from "../paper/pruning-score.js";
import { type GraphChange, noChange } from "../graph/memory-node.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { Batch } from "../engine/records/person-data.js";
import { writeOutcome } from "../engine/commit-trace.js";
import type { PersonState } from "../engine/person-state.js";
import { linksAfterRemoval } from "../graph/passed-links.js";

export interface PruningLimits {
  /** Memories to keep at most; 0 means no limit. */
  readonly memoryCountMax?: number;
  /** Bytes in memory to keep at most; 0 means no limit. */
  readonly memoryBytesMax?: number;
}

export interface PruningReport {
  readonly pruned: readonly PruningScore[];
  readonly memoryCount: number;
  readonly byteCount: number;
}

export async function pruneToLimits(
  state: PersonState,
  countMax = state.context.parameters.memoryCountMax,
  bytesMax = state.context.parameters.memoryBytesMax,
): Promise<PruningReport> {
  if (countMax === 0 && bytesMax === 0) return report(state, []);
  const pruned = await state.change(async () => {
    const isWithin = isWithinLimits(state.graph.nodeCount, state.graph.byteCount, countMax, bytesMax);
    if (!isWithin) await state.readAll();
    const chosen = isWithin ? [] : choosePruned(state, countMax, bytesMax);
    return { batch: chosen.length === 0 ? null : pruningBatch(chosen, state), result: chosen };
  });
  return report(state, pruned);
}

function choosePruned({ graph, context }: PersonState, countMax: number, bytesMax: number): PruningScore[] {
  const chosen: PruningScore[] = [];
  const staying = new Set<string>();
  let count = graph.nodeCount;
  let bytes = graph.byteCount;
  for (const score of pruningOrder(graph, newestMs(graph, context.clock.nowMs()), context.parameters)) {
    if (isWithinLimits(count, bytes, countMax, bytesMax)) break;
    const { marks, ends } = graph.node(score.id)!;
    // Nor may anything come back of what is pinned.
    if (marks.some(({ kind }) => kind === "pinned") || ends.some(({ memory }) => staying.has(memory))) {
      staying.add(score.id);
      continue;
    }
    chosen.push(score);
    count--;
    bytes -= graph.bytesOf(graph.node(score.id)!);
  }
  return chosen;
}

/**
 * Ages are measured from the newest memory, not from the clock: pruning chooses between memories, and after a long pause
 * all of them would have faded alike. A memory from a moment that the clock has not reached counts as one of now.
 */
function newestMs(graph: MemoryGraph, nowMs: number): number {
  let newest = -Infinity;
  for (const { initMs } of graph.nodes()) newest = Math.max(newest, initMs);
  return Math.min(nowMs, newest);
}

function isWithinLimits(count: number, bytes: number, countMax: number, bytesMax: number): boolean {
  return (countMax === 0 || count <= countMax) && (bytesMax === 0 || bytes <= bytesMax);
}

function pruningBatch(chosen: readonly PruningScore[], { graph }: PersonState): Omit<Batch, "baseRevision"> {
  const outcomes = chosen.map(({ id, score }) => {
    const { ends } = graph.node(id)!;
    const links = ends.length === 0 ? {} : { ends };
    return writeOutcome(id, { outcome: "pruned", pruningScore: score, ...links });
  });
  const ids = chosen.map(({ id }) => id);
  return { change: removeMemories(ids, graph), outcomes, forgetInteractions: [] };
}

/** Removes memories, releases the pairs of those that stay, and passes on their links. */
export function removeMemories(ids: readonly string[], graph: MemoryGraph): GraphChange {
  const removed = new Set(ids.filter((id) => graph.node(id) !== undefined));
  const released = [...removed]
    .map((id) => graph.node(id)!.pairId)
    .filter((pairId) => pairId !== null && !removed.has(pairId)) as string[];
  return {
    ...noChange,
    removeNodes: [...removed],
    setPairs: released.map((id) => ({ id, pairId: null })),
    setEnds: linksAfterRemoval(removed, graph),
  };
}

function report({ graph }: PersonState, pruned: readonly PruningScore[]): PruningReport {
  return { pruned, memoryCount: graph.nodeCount, byteCount: graph.byteCount };
}
