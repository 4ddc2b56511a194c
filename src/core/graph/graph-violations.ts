/**
 * The invariants of every memory graph, whatever was committed, paired, pruned or forgotten: no edge dangles or leads
 * back to its own memory, pairs are mutual and joined by an edge, and no memory has more edges than the cap (design
 * decision 4).
 */
import type { MemoryGraph } from "./memory-graph.js";
import { otherEnd } from "./memory-node.js";

/** The invariants a graph breaks; empty when it is sound. */
export function findViolations(graph: MemoryGraph, degreeMax: number): string[] {
  const violations: string[] = [];
  for (const node of graph.nodes()) {
    if (graph.degree(node.id) > degreeMax) violations.push(`${node.id} has ${graph.degree(node.id)} edges`);
    for (const edge of graph.edgesOf(node.id)) {
      if (edge.a === edge.b) violations.push(`${node.id} has an edge to itself`);
      if (graph.node(otherEnd(edge, node.id)) === undefined) violations.push(`edge ${edge.a} - ${edge.b} dangles`);
    }
    if (node.pairId === null) continue;
    if (graph.node(node.pairId)?.pairId !== node.id) violations.push(`${node.id} is paired on one side only`);
    if (graph.edge(node.id, node.pairId) === undefined) violations.push(`pair of ${node.id} has no edge`);
  }
  return violations;
}
