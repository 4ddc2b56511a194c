/** What entered the core memory and what left it, moment by moment: it follows from when statements were told and ended. */
import type { CoreFact } from "../engine/core-memory.js";
import type { EngineContext } from "../engine/engine-context.js";
import { endersOf } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { findEver, usesFacts } from "./core.js";

type Changed = Pick<CoreFact, "memory" | "position" | "line" | "area">;

export interface CoreChange {
  readonly atMs: number;
  readonly entered: readonly Changed[];
  /** With the memory that ended it. */
  readonly left: readonly { readonly fact: Changed; readonly byId: string }[];
}

/** Up to a time, the newest last. */
export function coreChanges(graph: MemoryGraph, rules: EngineContext, atMs: number): CoreChange[] {
  if (!usesFacts(rules)) return [];
  const changes = new Map<number, { entered: Changed[]; left: { fact: Changed; byId: string }[] }>();
  const changeAt = (ms: number): { entered: Changed[]; left: { fact: Changed; byId: string }[] } => {
    const change = changes.get(ms) ?? { entered: [], left: [] };
    changes.set(ms, change);
    return change;
  };
  for (const fact of findEver(graph, rules)) {
    if (fact.toldMs > atMs) continue;
    changeAt(fact.toldMs).entered.push(fact);
    const [ender] = endersOf(graph.node(fact.memory)!, fact.position, graph);
    if (ender !== undefined && ender.memory.initMs <= atMs) {
      changeAt(ender.memory.initMs).left.push({ fact, byId: ender.memory.id });
    }
  }
  return [...changes].sort(([x], [y]) => x - y).map(([ms, change]) => ({ atMs: ms, ...change }));
}
