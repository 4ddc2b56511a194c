/**
 * Embeds a store filled by another embedder again: every memory gets new vectors, and edges are found as they would
 * have been, with pairs and boosts kept. While it runs the store belongs to no embedder, so that an interrupted run
 * cannot be mistaken for a finished one; running it again finishes it.
 */
import { connectNewNode } from "../../paper/edges.js";
import { MemoryGraph } from "../../graph/memory-graph.js";
import { type Edge, type EmbeddedNode, compareAge, noChange, orderedPair } from "../../graph/memory-node.js";
import type { Parameters } from "../../parameters.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import type { Records } from "../../engine/records/records.js";
import type { EmbeddingQueue } from "../../engine/embedding-queue.js";
import { compareKeywords, scanNeighbours, scanSimilarities } from "../../graph/neighbour-scan.js";
import { runInSlices, yieldToEventLoop } from "../../engine/serial-lock.js";
import { readMoment } from "./person-moment.js";
import { type StatementEmbedding, embedStatements, embedTopic, packWords } from "../../reader/statement-tokens.js";

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
  records: Records,
  embedding: EmbeddingQueue,
  parameters: Parameters,
  onProgress: (progress: ReembeddingProgress) => void,
): Promise<{ personCount: number; memoryCount: number }> {
  const { identity } = embedding;
  // An embedder that does not work must not cost the store the one it has.
  await embedding.embed([probe], "commitment");
  await records.setEmbedder({ name: `${unfinished}${identity.name}`, dimensions: identity.dimensions });
  const persons = await records.persons();
  let memoryCount = 0;
  for (const person of persons) memoryCount += await reembedPerson(person, records, embedding, parameters, onProgress);
  await records.setEmbedder(identity);
  return { personCount: persons.length, memoryCount };
}

async function reembedPerson(
  person: string,
  records: Records,
  embedding: EmbeddingQueue,
  parameters: Parameters,
  onProgress: (progress: ReembeddingProgress) => void,
): Promise<number> {
  const moment = await readMoment(person, records);
  const nodes = moment.nodes.toSorted((x, y) => compareAge(x.node, y.node));
  const reembedded: EmbeddedNode[] = [];
  for (const embedded of nodes) {
    reembedded.push(await reembedNode(embedded, { embedding, parameters }));
    onProgress({ person, doneCount: reembedded.length, totalCount: nodes.length });
  }
  const graph = await rebuildGraph(reembedded, moment.edges, embedding.identity.dimensions, parameters);
  const change = { ...noChange, putNodes: reembedded, putEdges: [...graph.edges()] };
  const batch = { baseRevision: moment.revision, change, outcomes: [], forgetInteractions: [] };
  const { dimensions } = embedding.identity;
  await records.apply(person, batch, new MemoryGraph(dimensions, parameters.redundancyBinCount), new Map());
  return nodes.length;
}

async function reembedNode(embedded: EmbeddedNode, work: StatementEmbedding): Promise<EmbeddedNode> {
  const { node } = embedded;
  const questionVectors = await work.embedding.embed(node.questions, "commitment");
  const { vectors: statementVectors, words } = await embedStatements(node.statements, work);
  const tokenBytes = await packWords(node, words, work);
  const [summaryVector, hypotheticalVector] = await embedTopic(node, statementVectors, work);
  return {
    ...embedded,
    summaryVector,
    hypotheticalVector,
    statementVectors,
    questionVectors,
    // Those of the old embedder must not stay.
    tokenBytes: tokenBytes ?? new Uint8Array(0),
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
