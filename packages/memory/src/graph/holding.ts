/** What still holds, by the links between statements and the marks that were set. */
import type { MemoryGraph } from "./memory-graph.js";
import { type MemoryNode, compareAge } from "./memory-node.js";
import { type Mark, type MarkKind, isFact } from "./statement.js";

/** A statement that ended another: its memory, and its position there if it is a single one. */
export interface Ender {
  readonly memory: MemoryNode;
  readonly by: number | null;
}

export type Counts = (node: MemoryNode) => boolean;
const always: Counts = () => true;

/**
 * What ended a statement, each once, oldest first. `counts`: memories that are looked at. The others, and what nothing may
 * be said of, ended nothing, as if they had been forgotten: what ended them ended it.
 */
export function endersOf(
  node: MemoryNode,
  position: number | null,
  graph: MemoryGraph,
  counts: Counts = always,
): Ender[] {
  const linksTo = (memory: MemoryNode, ended: number | null, isAny: boolean): Ender[] =>
    graph
      .linksTo(memory.id)
      .filter((link) => isAny || link.position === null || link.position === ended)
      .map(({ from, by }) => ({ memory: graph.node(from)!, by }));
  const enders = new Map<string, Ender>();
  // A list that grows while it is walked: every ender comes once, however the links run.
  const open = linksTo(node, position, false);
  for (const ender of open) {
    const name = `${ender.by} ${ender.memory.id}`;
    if (enders.has(name)) continue;
    enders.set(name, ender);
    if (!isHeard(ender, counts)) open.push(...linksTo(ender.memory, ender.by, ender.by === null));
  }
  return [...enders.values()]
    .filter((ender) => ender.memory !== node && isHeard(ender, counts))
    .sort((x, y) => compareAge(x.memory, y.memory));
}

function isHeard({ memory, by }: Ender, counts: Counts): boolean {
  return counts(memory) && !isSilent(memory, by) && !isAllSilent(memory);
}

/** Whether a memory no longer holds: it was ended as a whole, or every fact that it states was. */
export function isOutdated(node: MemoryNode, graph: MemoryGraph, counts: Counts = always): boolean {
  return outdatedSinceMs(node, graph, counts) !== null;
}

/** Since when nothing of a memory holds; null while any of it does. */
export function outdatedSinceMs(node: MemoryNode, graph: MemoryGraph, counts: Counts = always): number | null {
  if (graph.linksTo(node.id).length === 0) return null;
  const facts = node.statements.flatMap((statement, position) => (isFact(statement) ? [position] : []));
  const firstMs = (position: number | null): number =>
    endersOf(node, position, graph, counts)[0]?.memory.initMs ?? Infinity;
  const sinceMs = facts.length === 0 ? firstMs(null) : Math.max(...facts.map(firstMs));
  return sinceMs === Infinity ? null : sinceMs;
}

/** Memories whose statements ended some of this one, oldest first, each once. */
export function outdatedBy(id: string, graph: MemoryGraph): MemoryNode[] {
  const ids = new Set(graph.linksTo(id).map(({ from }) => from));
  return [...ids].map((each) => graph.node(each)!).sort(compareAge);
}

/** Whether a statement has a mark, by itself or with all of its memory. */
export function isMarked({ marks }: Pick<MemoryNode, "marks">, position: number | null, kind: MarkKind): boolean {
  return marks.some((mark) => mark.kind === kind && (mark.position === null || mark.position === position));
}

/** Whether nothing may be said of it. */
export function isSilent(node: Pick<MemoryNode, "marks">, position: number | null): boolean {
  return isMarked(node, position, "held") || isMarked(node, position, "untrue");
}

/** Whether nothing of a memory may be said: it, or everything that it states, is held back or was never so. */
export function isAllSilent(node: MemoryNode): boolean {
  if (node.marks.length === 0) return false;
  if (isSilent(node, null)) return true;
  return node.statements.length > 0 && node.statements.every((_, position) => isSilent(node, position));
}

export function withMark(marks: readonly Mark[], mark: Mark): Mark[] {
  return [...withoutMark(marks, mark.position, mark.kind), mark].sort(
    (x, y) => (x.position ?? -1) - (y.position ?? -1) || (x.kind < y.kind ? -1 : 1),
  );
}

export function withoutMark(marks: readonly Mark[], position: number | null, kind: MarkKind): Mark[] {
  return marks.filter((mark) => mark.kind !== kind || mark.position !== position);
}
