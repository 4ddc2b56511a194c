/** Whether a memory no longer holds, by the links between memories. */
import type { MemoryGraph } from "./memory-graph.js";
import { type MemoryNode, compareAge } from "./memory-node.js";

/** Both halves of a pair say the same, so what made one outdated did so to the other if that had been told before. */
export function isOutdated(node: MemoryNode, graph: MemoryGraph): boolean {
  if (graph.outdatedBy(node.id).length > 0) return true;
  return node.pairId !== null && graph.outdatedBy(node.pairId).some((newer) => compareAge(node, newer) < 0);
}
