/** Whether a memory no longer holds, by the links between memories. */
import type { MemoryGraph } from "./memory-graph.js";
import { type MemoryNode, compareAge } from "./memory-node.js";

/**
 * Both halves of a pair say the same, so what made one outdated did so to the other if that had been told before. What
 * `exceptId` did does not count: it is about to say something else.
 */
export function isOutdated(node: MemoryNode, graph: MemoryGraph, exceptId?: string): boolean {
  const newerThan = (id: string): MemoryNode[] => graph.outdatedBy(id).filter((newer) => newer.id !== exceptId);
  if (newerThan(node.id).length > 0) return true;
  return node.pairId !== null && newerThan(node.pairId).some((newer) => compareAge(node, newer) < 0);
}
