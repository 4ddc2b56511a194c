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
import type { Random } from "./random.js";
import { dayMs } from "./time.js";

export interface CentralScore {
  readonly id: string;
  readonly cluster: number;
  readonly connectivity: number;
  readonly boost: number;
  readonly recency: number;
  readonly entropy: number;
  readonly score: number;
}

/** Runs in slices, as k-means does; the caller decides what happens between them. */
export function* centralSubsetSteps(
  graph: MemoryGraph,
  nowMs: number,
  random: Random,
  parameters: Parameters,
): Generator<void, CentralScore[]> {
  const nodes = [...graph.nodes()].filter(({ initMs }) => initMs <= nowMs).sort(compareAge);
  const rows = nodes.map(({ id }) => graph.slotOf(id));
  const { clusterCount, clusterIterationCountMax } = parameters;
  const clusters = yield* kMeansSteps(graph.summaryVectors, rows, clusterCount, clusterIterationCountMax, random);
  const boostCounts = nodes.map(({ id }) => graph.edgesOf(id).filter(({ boostMs }) => boostMs > 0).length);
  yield;
  const boostCountMax = boostCounts.reduce((most, count) => Math.max(most, count), 0);
  const scores = nodes.map((node, i) =>
    centralScore(node, clusters[i]!, boostCounts[i]!, boostCountMax, graph, nowMs, parameters),
  );
  return selectCentralSubset(scores, graph, parameters);
}

function centralScore(
  node: MemoryNode,
  cluster: number,
  boostCount: number,
  boostCountMax: number,
  graph: MemoryGraph,
  nowMs: number,
  parameters: Parameters,
): CentralScore {
  const vector = graph.summaryVectors.get(graph.slotOf(node.id));
  const connectivity = connectivityScore(graph.degree(node.id), graph.nodeCount);
  const boost = boostScore(boostCount, boostCountMax);
  const recency = recencyScore(nowMs - node.initMs, parameters.centralRecencyDays);
  const entropy = entropyScore(binnedEntropy(vector, parameters.entropyBinCount));
  const score =
    parameters.centralConnectivityWeight * connectivity +
    parameters.centralBoostWeight * boost +
    parameters.centralRecencyWeight * recency +
    parameters.centralEntropyWeight * entropy;
  return { id: node.id, cluster, connectivity, boost, recency, entropy, score };
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
  graph: MemoryGraph,
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
  const mostRecentFirst = selected.toSorted((x, y) => compareAge(graph.node(y.id)!, graph.node(x.id)!));
  const mostRecent = new Set(mostRecentFirst.slice(0, centralCountMax));
  return selected.filter((score) => mostRecent.has(score));
}
