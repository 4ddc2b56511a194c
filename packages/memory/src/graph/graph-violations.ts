/**
 * The invariants of every memory graph, whatever was committed, paired, pruned or forgotten: no edge dangles or leads
 * back to its own memory, pairs are mutual and joined by an edge, no memory has more edges than the cap (design decision
 * 4), what a memory ended is there and no newer, without circles, and marks and links are of statements.
 */
import type { MemoryGraph } from "./memory-graph.js";
import { type MemoryNode, compareIds, otherEnd, updatesOf } from "./memory-node.js";
import { compareLinks, isStatement } from "./statement.js";

/** The invariants a graph breaks; empty when it is sound. */
export function findViolations(graph: MemoryGraph, degreeMax: number): string[] {
  const violations: string[] = [];
  for (const node of graph.nodes()) {
    if (graph.degree(node.id) > degreeMax) violations.push(`${node.id} has ${graph.degree(node.id)} edges`);
    for (const edge of graph.edgesOf(node.id)) {
      if (edge.a === edge.b) violations.push(`${node.id} has an edge to itself`);
      if (graph.node(otherEnd(edge, node.id)) === undefined) violations.push(`edge ${edge.a} - ${edge.b} dangles`);
    }
    violations.push(...findLinkViolations(node, graph));
    if (!node.statements.every(isStatement)) violations.push(`the statements of ${node.id} are none`);
    const isThere = ({ position }: { readonly position: number | null }): boolean =>
      position === null || position < node.statements.length;
    if (!node.marks.every(isThere)) violations.push(`a mark of ${node.id} has no statement`);
    if (node.pairId === null) continue;
    if (graph.node(node.pairId)?.pairId !== node.id) violations.push(`${node.id} is paired on one side only`);
    if (graph.edge(node.id, node.pairId) === undefined) violations.push(`pair of ${node.id} has no edge`);
  }
  const circle = findCircle(graph);
  if (circle.length > 0) violations.push(`${circle.join(", ")} make each other outdated`);
  return violations;
}

function findLinkViolations({ id, initMs, statements, ends }: MemoryNode, graph: MemoryGraph): string[] {
  const violations: string[] = [];
  for (const { memory, position, by } of ends) {
    const older = graph.node(memory);
    if (older === undefined) violations.push(`${id} ends something in ${memory}, which does not exist`);
    else if (memory === id) violations.push(`${id} ends something in itself`);
    else if (older.initMs > initMs) violations.push(`${id} ends something in ${memory}, which is newer`);
    else if (position !== null && position >= older.statements.length) violations.push(`${id} ends what is not there`);
    if (by !== null && by >= statements.length) violations.push(`${id} ends something by what it does not say`);
  }
  const isInOrder = ends.every((link, i) => i === 0 || compareLinks(ends[i - 1]!, link) < 0);
  if (!isInOrder) violations.push(`the links of ${id} are not sorted, or name one twice`);
  return violations;
}

/** What is left when memories that nothing made outdated are taken away, again and again: circles, and what is behind them. */
function findCircle(graph: MemoryGraph): string[] {
  const others = (node: MemoryNode): string[] => updatesOf(node).filter((older) => older !== node.id);
  const newerCounts = new Map<string, number>();
  for (const node of graph.nodes()) {
    for (const id of others(node)) newerCounts.set(id, (newerCounts.get(id) ?? 0) + 1);
  }
  const holding = [...graph.nodes()].filter(({ id }) => !newerCounts.has(id));
  for (let node = holding.pop(); node !== undefined; node = holding.pop()) {
    for (const id of others(node)) {
      const count = newerCounts.get(id)! - 1;
      newerCounts.set(id, count);
      if (count > 0) continue;
      newerCounts.delete(id);
      const older = graph.node(id);
      if (older !== undefined) holding.push(older);
    }
  }
  return [...newerCounts.keys()].sort(compareIds);
}
