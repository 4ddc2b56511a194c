/** Which memories no longer held at a moment, for callers: statements tell it one by one in the context. */
import { endersOf, outdatedSinceMs } from "../graph/holding.js";
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
  const sinceMs = outdatedSinceMs(node, graph, counts);
  if (sinceMs === null) return null;
  const positions = [null, ...node.statements.keys()];
  const enders = positions.flatMap((position) => endersOf(node, position, graph, counts));
  return { since: new Date(sinceMs).toISOString(), by: uniteIds(enders.map(({ memory }) => memory.id)) };
}
