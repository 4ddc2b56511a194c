/**
 * What no longer holds. A memory holds from when it was told until a newer one that ended it. Recall shows that and
 * reorders nothing by it.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge } from "../graph/memory-node.js";
import type { Passes } from "./passing-memories.js";

/** A memory that no longer holds. */
export interface Outdated {
  readonly untilMs: number;
  /** What holds since then. */
  readonly newer: readonly MemoryNode[];
}

/** Those of some memories that no longer held at a moment, with what held instead. */
export function findOutdated(
  nodes: readonly MemoryNode[],
  atMs: number,
  graph: MemoryGraph,
  passes: Passes,
): Map<string, Outdated> {
  const outdated = new Map<string, Outdated>();
  for (const node of nodes) {
    const newer = endersOf(node, atMs, graph, passes);
    if (newer.length === 0) continue;
    const holding = laterOf(node, atMs, graph, passes).filter(
      (later) => endersOf(later, atMs, graph, passes).length === 0,
    );
    outdated.set(node.id, { untilMs: newer[0]!.initMs, newer: holding });
  }
  return outdated;
}

/** The memories that ended one, as far as known at a moment, oldest first; behind one that does not pass, those that ended it. */
function endersOf(node: MemoryNode, atMs: number, graph: MemoryGraph, passes: Passes): MemoryNode[] {
  const reached = new Set(graph.outdatedBy(node.id));
  // A set that grows while it is walked.
  for (const each of reached) if (!passes(each)) for (const further of graph.outdatedBy(each.id)) reached.add(further);
  return [...reached].filter((each) => each.id !== node.id && each.initMs <= atMs && passes(each)).sort(compareAge);
}

/** Everything that ended a memory, or what ended it. */
function laterOf(node: MemoryNode, atMs: number, graph: MemoryGraph, passes: Passes): MemoryNode[] {
  const later = new Map<string, MemoryNode>();
  const open = [node];
  for (const each of open) {
    for (const newer of endersOf(each, atMs, graph, passes)) {
      if (newer.id === node.id || later.has(newer.id)) continue;
      later.set(newer.id, newer);
      open.push(newer);
    }
  }
  return [...later.values()].sort(compareAge);
}
