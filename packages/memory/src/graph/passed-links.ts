/**
 * What becomes of update links (`MemoryNode.updates`) when memories go. A link never names what is gone, and what was
 * outdated stays so as long as anything is left that was newer: whoever made a removed memory outdated takes over its
 * links.
 */
import type { MemoryGraph } from "./memory-graph.js";
import { type GraphChange, type MemoryNode, compareAge, uniteIds } from "./memory-node.js";

type SetUpdates = GraphChange["setUpdates"];

/** The links of memories that stay, where they name a removed one. */
export function linksAfterRemoval(removed: ReadonlySet<string>, graph: MemoryGraph): SetUpdates {
  const newer = new Map([...removed].flatMap((id) => graph.outdatedBy(id).map((node) => [node.id, node])));
  return [...newer.values()]
    .filter(({ id }) => !removed.has(id))
    .map(({ id, updates }) => ({ id, updates: updatesAfterRemoval(updates, removed, graph) }));
}

/** Memories and what they made outdated. */
interface LinkedMemories {
  node(id: string): Pick<MemoryNode, "updates"> | undefined;
}

/** `updates` with the links of removed memories in the place of these memories. */
export function updatesAfterRemoval(
  updates: readonly string[],
  removed: ReadonlySet<string>,
  graph: LinkedMemories,
): string[] {
  const reached = new Set(updates);
  // A set that grows while it is walked: every id comes once, however the links run.
  for (const id of reached) {
    if (removed.has(id)) for (const older of graph.node(id)?.updates ?? []) reached.add(older);
  }
  return uniteIds([...reached].filter((id) => !removed.has(id)));
}

/** The links of a memory and its pair without those to an older one and its pair; nothing if there are none. */
export function linksWithout(id: string, outdatedId: string, graph: MemoryGraph): SetUpdates {
  const both = (each: string): MemoryNode[] =>
    [graph.node(each), graph.node(graph.node(each)?.pairId ?? "")].flatMap((node) => node ?? []);
  const older = new Set(both(outdatedId).map((node) => node.id));
  return both(id)
    .filter(({ updates }) => updates.some((each) => older.has(each)))
    .map((node) => ({ id: node.id, updates: node.updates.filter((each) => !older.has(each)) }));
}

export interface PassedLinks {
  /** What the heir makes outdated: its own links and those of the removed memory. */
  readonly updates: readonly string[];
  /** The memories that made the removed one outdated, with the heir in its place. */
  readonly setUpdates: SetUpdates;
}

/**
 * The links of a memory that another one replaces (Algorithm 1, case 3). A memory cannot have made a later one outdated:
 * if the heir says again what had become outdated, it holds.
 */
export function passLinks(removedId: string, heir: Pick<MemoryNode, "id" | "initMs">, graph: MemoryGraph): PassedLinks {
  const removed = graph.node(removedId)!;
  const updates = [...(graph.node(heir.id)?.updates ?? []), ...removed.updates].filter(
    (id) => id !== removedId && id !== heir.id && compareAge(graph.node(id)!, heir) < 0,
  );
  const setUpdates = graph
    .outdatedBy(removedId)
    .filter(({ id }) => id !== heir.id)
    .map((newer) => {
      const others = newer.updates.filter((id) => id !== removedId);
      return { id: newer.id, updates: uniteIds(others, compareAge(heir, newer) < 0 ? [heir.id] : []) };
    });
  return { updates: uniteIds(updates), setUpdates };
}
