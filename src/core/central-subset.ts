/**
 * The central subset (section 3.3, GetCentralSubset): the memories a core summary is written from. Every memory gets a
 * hybrid score of four parts; the best of each k-means cluster are taken, then the best k_2 of the rest; above M the
 * most recent stay.
 *
 *   s_conn  = |N(n)| / (|G| - 1)
 *   s_boost = boosted edges of n / most boosted edges of any memory
 *   s_rece  = exp(-(t - t_init) / lambda)
 *   s_ent   = 1 / (1 + H(e_n))
 */
import type { Parameters } from "../parameters.js";
import { binnedEntropy } from "./entropy.js";
import { kMeansSteps } from "./k-means.js";
import type { MemoryGraph } from "./memory-graph.js";
import { type MemoryNode, compareAge, compareIds } from "./memory-node.js";
import type { QuantizedVector } from "./quantized-vector.js";
import type { Random } from "./random.js";
import { dayMs } from "./time.js";
import { VectorTable } from "./vector-table.js";

export interface CentralScore {
  readonly id: string;
  readonly initMs: number;
  readonly cluster: number;
  readonly connectivity: number;
  readonly boost: number;
  readonly recency: number;
  readonly entropy: number;
  readonly score: number;
}

/**
 * Runs in slices, as k-means does; the caller decides what happens between them. What it needs of the graph is copied
 * first, so that the graph may change meanwhile.
 */
export function* centralSubsetSteps(
  graph: MemoryGraph,
  nowMs: number,
  random: Random,
  parameters: Parameters,
): Generator<void, CentralScore[]> {
  const { nodeCount } = graph;
  const nodes = [...graph.nodes()].filter(({ initMs }) => initMs <= nowMs).sort(compareAge);
  const vectors = new VectorTable(graph.dimensions);
  const memories: CentralMemory[] = [];
  for (const [i, { id }] of nodes.entries()) {
    const node = graph.node(id);
    if (node !== undefined) memories.push(copyMemory(node, graph));
    if (i % scoresPerSlice === scoresPerSlice - 1) yield;
  }
  const rows = memories.map(({ vector }) => vectors.add(vector));
  const clusters = yield* kMeansSteps(vectors, rows, parameters, random);
  const boostCountMax = memories.reduce((most, { boostCount }) => Math.max(most, boostCount), 0);
  const scores: CentralScore[] = [];
  for (const [i, memory] of memories.entries()) {
    scores.push(centralScore(memory, clusters[i]!, boostCountMax, nodeCount, nowMs, parameters));
    if (i % scoresPerSlice === scoresPerSlice - 1) yield;
  }
  return selectCentralSubset(scores, parameters);
}

const scoresPerSlice = 200;

interface CentralMemory {
  readonly id: string;
  readonly initMs: number;
  readonly degree: number;
  readonly boostCount: number;
  readonly vector: QuantizedVector;
}

function copyMemory({ id, initMs }: MemoryNode, graph: MemoryGraph): CentralMemory {
  const vector = graph.summaryVectors.get(graph.slotOf(id));
  return { id, initMs, degree: graph.degree(id), boostCount: graph.boostedDegree(id), vector };
}

function centralScore(
  { id, initMs, degree, boostCount, vector }: CentralMemory,
  cluster: number,
  boostCountMax: number,
  nodeCount: number,
  nowMs: number,
  parameters: Parameters,
): CentralScore {
  const connectivity = connectivityScore(degree, nodeCount);
  const boost = boostScore(boostCount, boostCountMax);
  const recency = recencyScore(nowMs - initMs, parameters.centralRecencyDays);
  const entropy = entropyScore(binnedEntropy(vector, parameters.entropyBinCount));
  const score =
    parameters.centralConnectivityWeight * connectivity +
    parameters.centralBoostWeight * boost +
    parameters.centralRecencyWeight * recency +
    parameters.centralEntropyWeight * entropy;
  return { id, initMs, cluster, connectivity, boost, recency, entropy, score };
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

export function entropyScore(entropy: number): number {
  return 1 / (1 + entropy);
}

/** Best of each cluster, then the best of the rest, then the most recent of those; best first. */
export function selectCentralSubset(
  scores: readonly CentralScore[],
  { criticalCount, centralCountMax }: Parameters,
): CentralScore[] {
  const bestFirst = scores.toSorted((x, y) => y.score - x.score || compareIds(x.id, y.id));
  const seenClusters = new Set<number>();
  const bestOfCluster: CentralScore[] = [];
  const rest: CentralScore[] = [];
  for (const score of bestFirst) {
    (seenClusters.has(score.cluster) ? rest : bestOfCluster).push(score);
    seenClusters.add(score.cluster);
  }
  const selected = [...bestOfCluster, ...rest.slice(0, criticalCount)];
  if (selected.length <= centralCountMax) return selected;
  const mostRecentFirst = selected.toSorted((x, y) => compareAge(y, x));
  const mostRecent = new Set(mostRecentFirst.slice(0, centralCountMax));
  return selected.filter((score) => mostRecent.has(score));
}
