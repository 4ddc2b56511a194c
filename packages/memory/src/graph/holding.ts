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

/** What ended a statement, oldest first. `counts`: memories whose links are looked at. */
export function endersOf(
  node: MemoryNode,
  position: number | null,
  graph: MemoryGraph,
  counts: Counts = always,
): Ender[] {
  return graph
    .linksTo(node.id)
    .filter((link) => link.position === null || link.position === position)
    .map(({ from, by }) => ({ memory: graph.node(from)!, by }))
    .filter(({ memory }) => counts(memory))
    .sort((x, y) => compareAge(x.memory, y.memory));
}

/** Whether a memory no longer holds: it was ended as a whole, or every fact that it states was. */
export function isOutdated(node: MemoryNode, graph: MemoryGraph, counts: Counts = always): boolean {
  const links = graph.linksTo(node.id).filter(({ from }) => counts(graph.node(from)!));
  if (links.length === 0) return false;
  if (links.some(({ position }) => position === null)) return true;
  const ended = new Set(links.map(({ position }) => position));
  const facts = node.statements.flatMap((statement, position) => (isFact(statement) ? [position] : []));
  return facts.length > 0 && facts.every((position) => ended.has(position));
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
