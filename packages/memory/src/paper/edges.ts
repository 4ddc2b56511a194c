/**
 * Edges of a new memory (Algorithm 1, ConnectNewNode): to every sufficiently similar memory, strongest first. A memory
 * keeps its strongest `degreeMax` edges (design decision 4): a full neighbour gives up its weakest edge for a stronger
 * one, but never the edge to its pair.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type Edge, compareEdgesOf, compareIds, orderedPair, otherEnd } from "../graph/memory-node.js";

/** A memory the new one is similar to. */
export interface Neighbour {
  readonly id: string;
  readonly weight: number;
}

export interface NewEdges {
  readonly putEdges: Edge[];
  readonly removeEdges: (readonly [string, string])[];
}

/** Neighbours tried per edge the new memory may keep: in a narrow domain most are already full of stronger edges. */
const triesPerEdge = 8;

export interface NewNode {
  readonly id: string;
  /** Memories similar enough for an edge. */
  readonly neighbours: readonly Neighbour[];
  /** The edge to its pair, which it always keeps. */
  readonly pairEdge: Edge | null;
  /** A memory that this one replaces. */
  readonly removedId: string | null;
  /** The memory that its pair was paired with until now and that stays: the edge of the two is like any other. */
  readonly releasedId?: string | null;
}

export function connectNewNode(
  { id, neighbours, pairEdge, removedId, releasedId = null }: NewNode,
  graph: MemoryGraph,
  degreeMax: number,
): NewEdges {
  const changes = new EdgeChanges(graph, degreeMax, removedId, releasedId);
  if (pairEdge !== null) changes.put(pairEdge, otherEnd(pairEdge, id));
  const strongestFirst = neighbours
    .filter((neighbour) => neighbour.id !== removedId && (pairEdge === null || neighbour.id !== otherEnd(pairEdge, id)))
    .sort((x, y) => y.weight - x.weight || compareIds(x.id, y.id))
    .slice(0, degreeMax * triesPerEdge);
  for (const neighbour of strongestFirst) {
    if (changes.putEdges.length >= degreeMax) break;
    if (!changes.hasRoom(neighbour)) continue;
    const [a, b] = orderedPair(id, neighbour.id);
    changes.put({ a, b, weight: neighbour.weight, boostMs: 0, boostedMs: null }, neighbour.id);
  }
  return { putEdges: changes.putEdges, removeEdges: changes.removeEdges };
}

/** The edges as they will be once all are chosen. */
class EdgeChanges implements NewEdges {
  readonly putEdges: Edge[] = [];
  readonly removeEdges: [string, string][] = [];
  readonly #graph: MemoryGraph;
  readonly #degreeMax: number;
  readonly #removedId: string | null;
  readonly #releasedId: string | null;
  readonly #removedKeys = new Set<string>();

  constructor(graph: MemoryGraph, degreeMax: number, removedId: string | null, releasedId: string | null) {
    this.#graph = graph;
    this.#degreeMax = degreeMax;
    this.#removedId = removedId;
    this.#releasedId = releasedId;
  }

  hasRoom({ id, weight }: Neighbour): boolean {
    const edges = this.#edgesOf(id);
    return edges.length < this.#degreeMax || (this.#weakest(id, edges)?.weight ?? Infinity) < weight;
  }

  /** Adds an edge to `neighbourId`, dropping its weakest one if it is full. */
  put(edge: Edge, neighbourId: string): void {
    const edges = this.#edgesOf(neighbourId);
    const weakest = edges.length < this.#degreeMax ? undefined : this.#weakest(neighbourId, edges);
    if (weakest !== undefined) {
      this.removeEdges.push([weakest.a, weakest.b]);
      this.#removedKeys.add(edgeKey(weakest));
    }
    this.putEdges.push(edge);
  }

  #edgesOf(id: string): Edge[] {
    return this.#graph
      .edgesOf(id)
      .filter((edge) => otherEnd(edge, id) !== this.#removedId && !this.#removedKeys.has(edgeKey(edge)));
  }

  #weakest(id: string, edges: readonly Edge[]): Edge | undefined {
    const node = this.#graph.node(id)!;
    const pairId = [id, node.pairId].includes(this.#releasedId) ? null : node.pairId;
    return [...edges].sort(compareEdgesOf(id)).findLast((edge) => otherEnd(edge, id) !== pairId);
  }
}

function edgeKey(edge: Edge): string {
  return `${edge.a}\n${edge.b}`;
}
