/**
 * Pairing (Algorithm 1, cases 1 to 3; Algorithm B2): what happens to a new memory once the most redundant one is known.
 * Primacy and recency: of three memories that say the same, the oldest and the newest stay. The remaining pair is
 * (older, new); the boost goes on its edge, which also takes over the boost of the former pair's edge (design decision
 * 6).
 */
import type { Parameters } from "../parameters.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type Edge, type MemoryNode, compareAge, orderedPair } from "../graph/memory-node.js";
import { lastBoostMs, rewind } from "./rewind.js";

export type Pairing =
  /** Case 1: no memory says the same. */
  | { readonly case: "add" }
  /** Case 2: an unpaired memory says the same. */
  | { readonly case: "pair"; readonly partner: MemoryNode }
  /** Case 3: a paired memory does; the newer half of that pair is removed. */
  | { readonly case: "replace"; readonly partner: MemoryNode; readonly removed: MemoryNode }
  /** Case 3 where that half says something that would be lost: it stays, without a pair. */
  | { readonly case: "release"; readonly partner: MemoryNode; readonly released: MemoryNode };

/** `mayGo` says whether the newer half of a pair can be removed without losing anything. */
export function* decidePairingSteps(
  mostRedundant: MemoryNode | null,
  graph: MemoryGraph,
  mayGo: (newerHalf: MemoryNode, partner: MemoryNode) => Generator<void, boolean>,
): Generator<void, Pairing> {
  if (mostRedundant === null) return { case: "add" };
  if (mostRedundant.pairId === null) return { case: "pair", partner: mostRedundant };
  const other = graph.node(mostRedundant.pairId)!;
  const [partner, newerHalf] = [mostRedundant, other].sort(compareAge) as [MemoryNode, MemoryNode];
  if (yield* mayGo(newerHalf, partner)) return { case: "replace", partner, removed: newerHalf };
  return { case: "release", partner, released: newerHalf };
}

export interface Boost {
  /** The rewind this repetition gave. */
  readonly rewindMs: number;
  readonly edge: Edge;
}

/** The edge of the pair (partner, new), boosted. A repetition happens at the later of the two times. */
export function boostPairEdge(
  pairing: Exclude<Pairing, { case: "add" }>,
  added: { readonly id: string; readonly initMs: number },
  weight: number,
  graph: MemoryGraph,
  parameters: Parameters,
): Boost {
  const { partner } = pairing;
  const before = pairing.case === "replace" ? pairing.removed : pairing.case === "release" ? pairing.released : null;
  const inherited = before === null ? undefined : graph.edge(partner.id, before.id);
  const repeatedMs = Math.max(added.initMs, partner.initMs);
  const boostedMs = lastBoostMs(inherited?.boostedMs ?? null, partner.initMs, added.initMs);
  const rewindMs = rewind(repeatedMs - boostedMs, parameters);
  const [a, b] = orderedPair(partner.id, added.id);
  const boostMs = (inherited?.boostMs ?? 0) + rewindMs;
  return { rewindMs, edge: { a, b, weight, boostMs, boostedMs: Math.max(repeatedMs, boostedMs) } };
}

/** The edge of a former pair of which both halves stay: its boost has gone to the new pair. None if it is not kept. */
export function unboostReleased(
  pairing: Pairing,
  graph: MemoryGraph,
  removed: readonly (readonly [string, string])[],
): Edge[] {
  const edge = pairing.case === "release" ? graph.edge(pairing.partner.id, pairing.released.id) : undefined;
  if (edge === undefined || removed.some(([a, b]) => a === edge.a && b === edge.b)) return [];
  return [{ ...edge, boostMs: 0, boostedMs: null }];
}
