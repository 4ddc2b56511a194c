/**
 * Probabilistic traversal (section 3.2, Algorithm 2): from each start node, depth first, strongest edge first, a
 * neighbour m of n is taken with probability
 *
 *   P(m) = min(1, mu weight(n, m) tau(effective age of m over the edge))
 *
 * A recall visits a memory at most once. Every draw is recorded, so the walk can be read and replayed.
 */
import type { Parameters } from "../parameters.js";
import { decay } from "./decay.js";
import { effectiveAge } from "./effective-age.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type Edge, type MemoryNode, otherEnd } from "../graph/memory-node.js";
import type { Random } from "../text/random.js";

export interface TraversalStep {
  readonly from: string;
  readonly to: string;
  readonly depth: number;
  readonly weight: number;
  readonly boostMs: number;
  readonly effectiveAgeMs: number;
  readonly decay: number;
  readonly probability: number;
  readonly draw: number;
  readonly taken: boolean;
}

export interface RecalledNode {
  readonly id: string;
  /** The start node the walk began from. */
  readonly startId: string;
  /** The memory it was reached from; null for a start node. */
  readonly fromId: string | null;
}

/** Draws in one recall. */
const traversalStepCountMax = 1000;

/** Why a walk ended before it ran out of edges. */
export type TraversalLimit = "recallNodeCountMax" | "traversalStepCountMax" | "traversalNodeCountPerStartMax";

export interface Traversal {
  readonly recalled: readonly RecalledNode[];
  readonly steps: readonly TraversalStep[];
  readonly limitsReached: readonly TraversalLimit[];
}

/** `passes`: which memories the walk may enter, as if the others were not there. */
export function traverse(
  startIds: readonly string[],
  graph: MemoryGraph,
  nowMs: number,
  random: Random,
  parameters: Parameters,
  passes: (node: MemoryNode) => boolean = () => true,
): Traversal {
  const walk = new Walk(graph, nowMs, random, parameters, passes);
  for (const startId of startIds) walk.addStart(startId);
  for (const startId of startIds) walk.goFrom(startId);
  return { recalled: walk.recalled, steps: walk.steps, limitsReached: [...walk.limitsReached] };
}

/** P(m) of section 3.2, cut off at 1. */
export function selectionProbability(weight: number, decayed: number, explorationFactor: number): number {
  return Math.min(1, Math.max(0, explorationFactor * weight * decayed));
}

class Walk {
  readonly recalled: RecalledNode[] = [];
  readonly steps: TraversalStep[] = [];
  readonly limitsReached = new Set<TraversalLimit>();
  readonly #visited = new Set<string>();
  readonly #graph: MemoryGraph;
  readonly #nowMs: number;
  readonly #random: Random;
  readonly #parameters: Parameters;
  readonly #passes: (node: MemoryNode) => boolean;

  constructor(
    graph: MemoryGraph,
    nowMs: number,
    random: Random,
    parameters: Parameters,
    passes: (node: MemoryNode) => boolean,
  ) {
    this.#graph = graph;
    this.#nowMs = nowMs;
    this.#random = random;
    this.#parameters = parameters;
    this.#passes = passes;
  }

  /** All start nodes are in the recall before any walk begins, so that no walk takes another's start. */
  addStart(startId: string): void {
    if (this.#visited.has(startId)) return;
    if (this.recalled.length >= this.#parameters.recallNodeCountMax) {
      this.limitsReached.add("recallNodeCountMax");
      return;
    }
    this.#visited.add(startId);
    this.recalled.push({ id: startId, startId, fromId: null });
  }

  /** The recursion of Algorithm 2 as a stack of edge lists, so that a long chain cannot exhaust the call stack. */
  goFrom(startId: string): void {
    if (!this.#visited.has(startId)) return;
    let reachedCount = 0;
    const stack = [{ id: startId, edges: this.#graph.edgesOf(startId), next: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const edge = top.edges[top.next++];
      if (edge === undefined) {
        stack.pop();
        continue;
      }
      const to = otherEnd(edge, top.id);
      if (this.#visited.has(to) || !this.#isThere(this.#graph.node(to)!)) continue;
      const limit = this.#limitReached(reachedCount);
      if (limit !== null) {
        this.limitsReached.add(limit);
        return;
      }
      if (!this.#draw(edge, top.id, to, stack.length)) continue;
      reachedCount++;
      this.#visited.add(to);
      this.recalled.push({ id: to, startId, fromId: top.id });
      stack.push({ id: to, edges: this.#graph.edgesOf(to), next: 0 });
    }
  }

  #isThere(node: MemoryNode): boolean {
    return node.initMs <= this.#nowMs && this.#passes(node);
  }

  #limitReached(reachedCount: number): TraversalLimit | null {
    const { recallNodeCountMax, traversalNodeCountPerStartMax } = this.#parameters;
    if (reachedCount >= traversalNodeCountPerStartMax) return "traversalNodeCountPerStartMax";
    if (this.recalled.length >= recallNodeCountMax) return "recallNodeCountMax";
    if (this.steps.length >= traversalStepCountMax) return "traversalStepCountMax";
    return null;
  }

  #draw(edge: Edge, from: string, to: string, depth: number): boolean {
    const { weight, boostMs } = edge;
    const effectiveAgeMs = effectiveAge(this.#nowMs, this.#graph.node(to)!.initMs, boostMs);
    const decayed = decay(effectiveAgeMs, this.#parameters);
    const probability = selectionProbability(weight, decayed, this.#parameters.explorationFactor);
    const draw = this.#random();
    const taken = draw < probability;
    this.steps.push({ from, to, depth, weight, boostMs, effectiveAgeMs, decay: decayed, probability, draw, taken });
    return taken;
  }
}
