/**
 * Embeds a store filled by another embedder again: every memory gets new vectors, and edges are found as they would
 * have been, with pairs and boosts kept. While it runs the store belongs to no embedder, so that an interrupted run
 * cannot be mistaken for a finished one; running it again finishes it.
 */
import { connectNewNode } from "../../core/paper/edges.js";
import { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type Edge, type EmbeddedNode, compareAge, noChange, orderedPair } from "../../core/graph/memory-node.js";
import type { Parameters } from "../../parameters.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import { type Store, readPages } from "../../ports/store.js";
import type { EmbeddingQueue } from "../embedding-queue.js";
import { compareKeywords, scanNeighbours, scanSimilarities } from "../neighbour-scan.js";
import { runInSlices, yieldToEventLoop } from "../serial-lock.js";
import { type StatementEmbedding, embedStatements } from "../statement-tokens.js";

export interface ReembeddingProgress {
  readonly person: string;
  readonly doneCount: number;
  readonly totalCount: number;
}

/** What a store says about its embedder while it is embedded again. */
const unfinished = "unfinished re-embedding to ";

/** That a re-embedding was interrupted, which leaves vectors of two embedders; null if none was. */
export function describeInterruption(owner: EmbedderIdentity | null): string | null {
  if (owner?.name.startsWith(unfinished) !== true) return null;
  return `re-embedding the store for "${owner.name.slice(unfinished.length)}" was interrupted`;
}

const probe = "Can you hear me?";

export async function reembedStore(
  store: Store,
  embedding: EmbeddingQueue,
  parameters: Parameters,
  onProgress: (progress: ReembeddingProgress) => void,
): Promise<{ personCount: number; memoryCount: number }> {
  const { identity } = embedding;
  // An embedder that does not work must not cost the store the one it has.
  await embedding.embed([probe], "commitment");
  await store.setEmbedder({ name: `${unfinished}${identity.name}`, dimensions: identity.dimensions });
  const persons = await store.persons();
  let memoryCount = 0;
  for (const person of persons) memoryCount += await reembedPerson(person, store, embedding, parameters, onProgress);
  await store.setEmbedder(identity);
  return { personCount: persons.length, memoryCount };
}

async function reembedPerson(
  person: string,
  store: Store,
  embedding: EmbeddingQueue,
  parameters: Parameters,
  onProgress: (progress: ReembeddingProgress) => void,
): Promise<number> {
  const snapshot = await store.load(person);
  const { change } = await readPages(snapshot);
  const nodes = change.putNodes.toSorted((x, y) => compareAge(x.node, y.node));
  const reembedded: EmbeddedNode[] = [];
  for (const embedded of nodes) {
    reembedded.push(await reembedNode(embedded, { embedding, store, parameters }));
    onProgress({ person, doneCount: reembedded.length, totalCount: nodes.length });
  }
  const graph = await rebuildGraph(reembedded, change.putEdges, embedding.identity.dimensions, parameters);
  const edges = [...graph.edges()];
  const kept = new Set(edges.map(({ a, b }) => JSON.stringify([a, b])));
  const removeEdges = change.putEdges
    .filter(({ a, b }) => !kept.has(JSON.stringify([a, b])))
    .map(({ a, b }) => [a, b] as const);
  await store.apply(person, {
    baseRevision: snapshot.revision,
    change: { ...noChange, putNodes: reembedded, removeEdges, putEdges: edges },
    outcomes: [],
    forgetInteractions: [],
  });
  return nodes.length;
}

async function reembedNode(embedded: EmbeddedNode, work: StatementEmbedding): Promise<EmbeddedNode> {
  const { summaryText, hypotheticalQuery, questions } = embedded.node;
  const query = hypotheticalQuery === "" ? summaryText : `${hypotheticalQuery} ${summaryText}`;
  const texts = [summaryText, query, ...questions];
  const [summaryVector, hypotheticalVector, ...vectors] = await work.embedding.embed(texts, "commitment");
  const { vectors: statementVectors, tokenBytes } = await embedStatements(embedded.node, work);
  return {
    ...embedded,
    summaryVector: summaryVector!,
    hypotheticalVector: hypotheticalVector!,
    statementVectors,
    questionVectors: vectors,
    tokenBytes,
  };
}

async function rebuildGraph(
  nodes: readonly EmbeddedNode[],
  oldEdges: readonly Edge[],
  dimensions: number,
  parameters: Parameters,
): Promise<MemoryGraph> {
  const graph = new MemoryGraph(dimensions, parameters.redundancyBinCount);
  const boosts = new Map(oldEdges.map((edge) => [JSON.stringify([edge.a, edge.b]), edge]));
  for (const embedded of nodes) {
    const { node } = embedded;
    const cosines = await runInSlices(scanSimilarities(embedded.summaryVector, graph));
    const keywords = compareKeywords(node.keywords, graph);
    const neighbours = await runInSlices(scanNeighbours(keywords, cosines, graph, parameters));
    const [a, b] = orderedPair(node.id, node.pairId ?? node.id);
    const oldPairEdge = boosts.get(JSON.stringify([a, b]));
    const partner = node.pairId === null ? undefined : graph.node(node.pairId);
    const pairEdge =
      oldPairEdge === undefined || partner === undefined
        ? null
        : { ...oldPairEdge, weight: neighbours.weightOf(partner.id) };
    const newNode = { id: node.id, neighbours: neighbours.list, pairEdge, removedId: null };
    const edges = connectNewNode(newNode, graph, parameters.degreeMax);
    graph.apply({ ...noChange, putNodes: [embedded], ...edges });
    await yieldToEventLoop();
  }
  return graph;
}
