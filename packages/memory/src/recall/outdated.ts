/** Which memories no longer held at a moment, for callers: statements tell it one by one in the context. */
import { endersOf, isOutdated } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, uniteIds } from "../graph/memory-node.js";
import type { Passes } from "./passing-memories.js";

export interface Outdated {
  readonly since: string;
  /** The memories that ended it. */
  readonly by: readonly string[];
}

export function findOutdated(node: MemoryNode, atMs: number, graph: MemoryGraph, passes: Passes): Outdated | null {
  const counts = (newer: MemoryNode): boolean => newer.initMs <= atMs && passes(newer);
  if (!isOutdated(node, graph, counts)) return null;
  const positions = [null, ...node.statements.keys()];
  const enders = positions.flatMap((position) => endersOf(node, position, graph, counts));
  const lastMs = Math.max(...enders.map(({ memory }) => memory.initMs));
  return { since: new Date(lastMs).toISOString(), by: uniteIds(enders.map(({ memory }) => memory.id)) };
}
