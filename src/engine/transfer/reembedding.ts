/**
 * A store filled by another embedder, embedded anew: every memory gets new vectors, and edges are found again as they
 * would have been, pairs and boosts kept. While it runs the store belongs to no embedder, so that an interrupted run
 * cannot be mistaken for a finished one; running it again finishes it.
 */
import { connectNewNode, type Neighbour } from "../../core/paper/edges.js";
import { keywordJaccard } from "../../core/text/keywords.js";
import { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type Edge, type EmbeddedNode, compareAge, noChange, orderedPair } from "../../core/graph/memory-node.js";
import { similarity } from "../../core/paper/similarity.js";
import type { Parameters } from "../../parameters.js";
import { type Store, readPages } from "../../ports/store.js";
import type { EmbeddingQueue } from "../embedding-queue.js";
import { yieldToEventLoop } from "../serial-lock.js";
import { embeddedText } from "../commitment/statements.js";

export interface ReembeddingProgress {
  readonly person: string;
  readonly doneCount: number;
  readonly totalCount: number;
}

export async function reembedStore(
  store: Store,
  embedding: EmbeddingQueue,
  parameters: Parameters,
  onProgress: (progress: ReembeddingProgress) => void,
): Promise<{ personCount: number; memoryCount: number }> {
  const { identity } = embedding;
  await store.setEmbedder({ name: `unfinished re-embedding to ${identity.name}`, dimensions: identity.dimensions });
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
    reembedded.push(await reembedNode(embedded, embedding));
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

async function reembedNode(embedded: EmbeddedNode, embedding: EmbeddingQueue): Promise<EmbeddedNode> {
  const { summaryText, hypotheticalQuery, statements } = embedded.node;
  const query = hypotheticalQuery === "" ? summaryText : `${hypotheticalQuery} ${summaryText}`;
  const vectors = await embedding.embed([summaryText, query, ...statements.map(embeddedText)], "commitment");
  const [summaryVector, hypotheticalVector, ...statementVectors] = vectors;
  return { ...embedded, summaryVector: summaryVector!, hypotheticalVector: hypotheticalVector!, statementVectors };
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
    const neighbours = findNeighbours(embedded, graph, parameters);
    const [a, b] = orderedPair(node.id, node.pairId ?? node.id);
    const oldPairEdge = boosts.get(JSON.stringify([a, b]));
    const partner = neighbours.find(({ id }) => id === node.pairId);
    const pairEdge =
      oldPairEdge === undefined || partner === undefined ? null : { ...oldPairEdge, weight: partner.weight };
    const linked = neighbours.filter(({ weight }) => weight >= parameters.edgeThreshold);
    const edges = connectNewNode(node.id, linked, pairEdge, null, graph, parameters.degreeMax);
    graph.apply({ ...noChange, putNodes: [embedded], ...edges });
    await yieldToEventLoop();
  }
  return graph;
}

function findNeighbours(
  { node, summaryVector }: EmbeddedNode,
  graph: MemoryGraph,
  parameters: Parameters,
): Neighbour[] {
  const cosines = new Float64Array(graph.slotCount);
  graph.summaryVectors.cosines(summaryVector, cosines, 0, graph.slotCount);
  return [...graph.nodes()].map(({ id, keywords }) => ({
    id,
    weight: similarity(cosines[graph.slotOf(id)]!, keywordJaccard(node.keywords, keywords), parameters),
  }));
}
