/**
 * The central subset (section 3.3, GetCentralSubset): the memories a core summary is written from. Every memory gets a
 * hybrid score of four parts; the best of each k-means cluster are taken, then the best k_2 of the rest; beyond M, only
 * the most recent stay. A memory that a newer one made outdated, or that is held back, is not among them.
 *
 *   s_conn  = |N(n)| / (|G| - 1)
 *   s_boost = boosted edges of n / most boosted edges of any memory
 *   s_rece  = exp(-(t - t_init) / lambda)
 *   s_ent   = 1 / (1 + H(e_n))
 */
import type { Parameters } from "../parameters.js";
import { binnedEntropy } from "./entropy.js";
import { kMeansSteps } from "./k-means.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge, compareIds } from "../graph/memory-node.js";
import { isAllSilent, isOutdated } from "../graph/holding.js";
import type { Random } from "../text/random.js";
import { dayMs } from "../text/time.js";
import { VectorTable } from "../graph/vectors/vector-table.js";

/** Bins of equal width for the entropy of a vector. */
const entropyBinCount = 16;

export interface CentralScore {
  readonly id: string;
  readonly initMs: number;
  readonly cluster: number;
  readonly connectivity: number;
  readonly boost: number;
  readonly recency: number;
  readonly informationDensity: number;
  readonly score: number;
}

/**
 * Runs in slices, as k-means does; the caller decides what happens between them. Copies what it needs from the graph
 * first, so the graph may change between slices.
 */
export function* centralSubsetSteps(
  graph: MemoryGraph,
  nowMs: number,
  random: Random,
  parameters: Parameters,
): Generator<void, CentralScore[]> {
  const { nodeCount } = graph;
  const isTold = (node: MemoryNode): boolean => !isOutdated(node, graph) && !isAllSilent(node);
  const nodes = [...graph.nodes()].filter((node) => node.initMs <= nowMs && isTold(node)).sort(compareAge);
  yield;
  const vectors = new VectorTable(graph.dimensions);
  const memories: CentralMemory[] = [];
  const rows: number[] = [];
  for (const [i, { id }] of nodes.entries()) {
    const node = graph.node(id);
    if (node !== undefined) {
      const vector = graph.summaryVectors.get(graph.slotOf(id));
      rows.push(vectors.add(vector));
      memories.push(copyMemory(node, binnedEntropy(vector, entropyBinCount), graph));
    }
    if (i % scoresPerSlice === scoresPerSlice - 1) yield;
  }
  const clusters = yield* kMeansSteps(vectors, rows, parameters, random);
  const boostCountMax = memories.reduce((most, { boostCount }) => Math.max(most, boostCount), 0);
  const scores: CentralScore[] = [];
  for (const [i, memory] of memories.entries()) {
    scores.push(centralScore(memory, clusters[i]!, { boostCountMax, nodeCount, nowMs }, parameters));
    if (i % scoresPerSlice === scoresPerSlice - 1) yield;
  }
  yield;
  return selectCentralSubset(scores, parameters);
}

const scoresPerSlice = 100;

interface CentralMemory {
  readonly id: string;
  readonly initMs: number;
  readonly degree: number;
  readonly boostCount: number;
  readonly entropy: number;
}

/** The values against which a memory's parts are normalized. */
interface CentralGraph {
  readonly boostCountMax: number;
  readonly nodeCount: number;
  readonly nowMs: number;
}

function copyMemory({ id, initMs }: MemoryNode, entropy: number, graph: MemoryGraph): CentralMemory {
  return { id, initMs, degree: graph.degree(id), boostCount: graph.boostedDegree(id), entropy };
}

function centralScore(
  { id, initMs, degree, boostCount, entropy }: CentralMemory,
  cluster: number,
  { boostCountMax, nodeCount, nowMs }: CentralGraph,
  parameters: Parameters,
): CentralScore {
  const connectivity = connectivityScore(degree, nodeCount);
  const boost = boostScore(boostCount, boostCountMax);
  const recency = recencyScore(nowMs - initMs, parameters.centralRecencyDays);
  const informationDensity = informationDensityScore(entropy);
  const score =
    parameters.centralConnectivityWeight * connectivity +
    parameters.centralBoostWeight * boost +
    parameters.centralRecencyWeight * recency +
    parameters.centralEntropyWeight * informationDensity;
  return { id, initMs, cluster, connectivity, boost, recency, informationDensity, score };
}

export function connectivityScore(degree: number, nodeCount: number): number {
  return nodeCount < 2 ? 0 : degree / (nodeCount - 1);
}

export function boostScore(boostCount: number, boostCountMax: number): number {
  return boostCountMax === 0 ? 0 : boostCount / boostCountMax;
}

export function recencyScore(ageMs: number, recencyDays: number): number {
  return Math.exp(-Math.max(0, ageMs) / (recencyDays * dayMs));
}

/** Information density: the lower the entropy, the higher the density. */
export function informationDensityScore(entropy: number): number {
  return 1 / (1 + entropy);
}

/** The best of each cluster, then the best of the rest, then the most recent of those; best first. */
export function selectCentralSubset(
  scores: readonly CentralScore[],
  { criticalCount, centralCountMax }: Parameters,
): CentralScore[] {
  const compare = (x: CentralScore, y: CentralScore): number => y.score - x.score || compareIds(x.id, y.id);
  const bestByCluster = new Map<number, CentralScore>();
  for (const score of scores) {
    const best = bestByCluster.get(score.cluster);
    if (best === undefined || compare(score, best) < 0) bestByCluster.set(score.cluster, score);
  }
  const rest: CentralScore[] = [];
  for (const score of scores) {
    if (bestByCluster.get(score.cluster) === score) continue;
    if (rest.length === criticalCount && (criticalCount === 0 || compare(score, rest.at(-1)!) > 0)) continue;
    rest.push(score);
    rest.sort(compare);
    rest.length = Math.min(rest.length, criticalCount);
  }
  const selected = [...[...bestByCluster.values()].sort(compare), ...rest];
  if (selected.length <= centralCountMax) return selected;
  const mostRecentFirst = selected.toSorted((x, y) => compareAge(y, x));
  const mostRecent = new Set(mostRecentFirst.slice(0, centralCountMax));
  return selected.filter((score) => mostRecent.has(score));
}
