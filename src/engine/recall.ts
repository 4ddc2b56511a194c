/**
 * Recall (section 3.2): from a question to the memories that answer it. Start nodes are chosen by comparing the question
 * with what each memory says and with its own words, then the best candidates with when they were and what they are about;
 * from them the graph is walked with chance; what is found becomes context. Everything that decided is in the trace, and
 * the same question at the same time with the same seed gives the same recall.
 */
import type { MemoryGraph } from "../core/memory-graph.js";
import { type MemoryNode, compareIds } from "../core/memory-node.js";
import { naturalizeTime } from "../core/naturalized-time.js";
import { type QuantizedVector, cosine } from "../core/quantized-vector.js";
import { createRandom } from "../core/random.js";
import { type StartScore, compareStartScores, selectStartNodes, startScore } from "../core/start-node.js";
import { type Traversal, type TraversalStep, traverse } from "../core/traversal.js";
import type { KeptMetaVector } from "../ports/store.js";
import { type ContextText, writeContext } from "./context-text.js";
import type { PersonState } from "./person-state.js";

export interface RecallRequest {
  readonly query: string;
  readonly atMs: number;
  readonly seed: number | string;
  readonly tokenBudget: number;
}

export interface RecalledMemory {
  readonly id: string;
  readonly at: string;
  readonly naturalizedTime: string;
  readonly summary: string;
  readonly state: string | null;
  readonly keywords: readonly string[];
  /** The memory that says nearly the same. */
  readonly pairId: string | null;
  /** A start node, or reached from `fromId` by traversal. */
  readonly found: "start" | "traversal";
  readonly fromId: string | null;
  /** Start score; null for a memory that traversal reached and that was no candidate. */
  readonly score: number | null;
  readonly inContext: boolean;
}

export interface RecallTrace {
  readonly query: string;
  readonly at: string;
  readonly timeZone: string;
  readonly seed: number | string;
  readonly memoryCount: number;
  /** Interactions accepted but not yet processed, which this recall could not see. */
  readonly queuedCount: number;
  readonly starts: readonly StartScore[];
  /** The best memories that did not become start nodes, and why. */
  readonly passedOver: readonly (StartScore & { readonly reason: "startScoreMin" | "startCountMax" })[];
  readonly steps: readonly TraversalStep[];
  readonly limitsReached: Traversal["limitsReached"];
  /** Memories that were compared by their naturalized time too. */
  readonly candidateCount: number;
  readonly context: Omit<ContextText, "text"> & { readonly tokenBudget: number };
}

export interface Recall {
  readonly context: string;
  /** Most relevant first. */
  readonly memories: readonly RecalledMemory[];
  readonly trace: RecallTrace;
}

const passedOverShown = 5;
const queuedShown = 1_000;

export async function recallMemories(state: PersonState, request: RecallRequest): Promise<Recall> {
  const { embedding, store } = state.context;
  const [queryVector] = await embedding.embed([request.query], "question");
  const queued = await store.queued(state.person, queuedShown);
  await state.refresh();
  const { memoryCount, candidates } = findCandidates(state, queryVector!, request);
  await refreshNaturalizedTimes(candidates, state, request);
  const scores = scoreCandidates(candidates, queryVector!, state, request);
  const counts = { memoryCount, queuedCount: queued.length, candidateCount: candidates.length };
  return finishRecall(scores, state, request, counts);
}

function finishRecall(
  scores: readonly StartScore[],
  state: PersonState,
  request: RecallRequest,
  counts: Pick<RecallTrace, "memoryCount" | "queuedCount" | "candidateCount">,
): Recall {
  const { graph, context, coreSummary } = state;
  const { parameters, timeZone } = context;
  const { query, atMs, seed, tokenBudget } = request;
  const starts = selectStartNodes(scores, parameters);
  const startIds = starts.map(({ id }) => id);
  const { recalled, steps, limitsReached } = traverse(startIds, graph, atMs, createRandom(seed), parameters);
  const nodes = recalled.map(({ id }) => graph.node(id)!);
  const written = writeContext(nodes, coreSummary, atMs, tokenBudget, context);
  const memories = recalled.map(({ id, fromId }, i) => ({
    ...describeMemory(nodes[i]!, atMs, timeZone),
    found: fromId === null ? ("start" as const) : ("traversal" as const),
    fromId,
    score: scores.find((score) => score.id === id)?.score ?? null,
    inContext: written.includedIds.includes(id),
  }));
  const { text, ...contextTrace } = written;
  return {
    context: text,
    memories,
    trace: {
      query,
      at: new Date(atMs).toISOString(),
      timeZone,
      seed,
      ...counts,
      starts,
      passedOver: findPassedOver(scores, starts, parameters.startScoreMin),
      steps,
      limitsReached,
      context: { ...contextTrace, tokenBudget },
    },
  };
}

function describeMemory(
  { id, initMs, summaryText, state, keywords, pairId }: MemoryNode,
  atMs: number,
  timeZone: string,
): Omit<RecalledMemory, "found" | "fromId" | "score" | "inContext"> {
  return {
    id,
    at: new Date(initMs).toISOString(),
    naturalizedTime: naturalizeTime(initMs, atMs, timeZone).phrase,
    summary: summaryText,
    state,
    keywords,
    pairId,
  };
}

/** A memory that may become a start node, by what it says. */
interface RecallCandidate {
  readonly node: MemoryNode;
  readonly querySimilarity: number;
  readonly lexicalCoverage: number;
}

/** The memories that existed at the time of the question and say most of what it asks, best first. */
function findCandidates(
  { graph, context }: PersonState,
  query: QuantizedVector,
  request: RecallRequest,
): { memoryCount: number; candidates: RecallCandidate[] } {
  const { lexicalWeight, lexicalSaturation, lexicalLengthWeight, candidateCountMax, startCountMax } =
    context.parameters;
  const similarities = querySimilarities(graph, query);
  const coverages =
    lexicalWeight === 0
      ? new Map<number, number>()
      : graph.lexicalIndex.coverages(request.query, lexicalSaturation, lexicalLengthWeight);
  const scores = new Float64Array(graph.slotCount).fill(-Infinity);
  let memoryCount = 0;
  for (let slot = 0; slot < graph.slotCount; slot++) {
    if (!(graph.initMs[slot]! <= request.atMs)) continue;
    memoryCount++;
    scores[slot] = similarities[slot]! + lexicalWeight * (coverages.get(slot) ?? 0);
  }
  const candidates = highestSlots(scores, Math.max(candidateCountMax, startCountMax), graph).map((slot) => ({
    node: graph.nodeAt(slot),
    querySimilarity: similarities[slot]!,
    lexicalCoverage: coverages.get(slot) ?? 0,
  }));
  return { memoryCount, candidates };
}

/** S_query: the best match among a memory's cues. */
function querySimilarities(graph: MemoryGraph, query: QuantizedVector): Float64Array {
  const similarities = new Float64Array(graph.slotCount);
  graph.hypotheticalVectors.cosines(query, similarities, 0, graph.slotCount);
  const { rowCount } = graph.statementVectors;
  const statementCosines = new Float64Array(rowCount);
  graph.statementVectors.cosines(query, statementCosines);
  for (let row = 0; row < rowCount; row++) {
    const slot = graph.statementSlots[row]!;
    if (slot >= 0 && statementCosines[row]! > similarities[slot]!) similarities[slot] = statementCosines[row]!;
  }
  return similarities;
}

/** Slots of the `count` highest scores, highest first; equal scores in the order of their ids. */
function highestSlots(scores: Float64Array, count: number, graph: MemoryGraph): number[] {
  const compare = (x: number, y: number): number => scores[y]! - scores[x]! || compareIds(graph.idAt(x), graph.idAt(y));
  const found: number[] = [];
  let lowest = -Infinity;
  // Most are below the lowest of the best so far and cost one comparison; the list is cut whenever it has doubled.
  const cut = (): void => {
    found.sort(compare);
    found.length = Math.min(found.length, count);
    if (found.length === count) lowest = scores[found.at(-1)!]!;
  };
  for (let slot = 0; slot < scores.length; slot++) {
    if (scores[slot] === -Infinity || scores[slot]! < lowest) continue;
    found.push(slot);
    if (found.length >= 2 * count) cut();
  }
  cut();
  return found;
}

/**
 * Embeds the naturalized times of candidates whose wording has changed since they were last embedded, and keeps them
 * until they change again (design decision 11).
 */
async function refreshNaturalizedTimes(
  candidates: readonly RecallCandidate[],
  state: PersonState,
  { atMs }: RecallRequest,
): Promise<void> {
  const { graph, context, person } = state;
  const { embedding, store, timeZone, parameters } = context;
  const isDue = ({ node }: RecallCandidate): boolean =>
    !graph.holdsMetaVector(node.id, atMs, naturalizeTime(node.initMs, atMs, timeZone).phrase);
  const due = parameters.metaWeightMax === 0 ? [] : candidates.filter(isDue);
  if (due.length === 0) return;
  const texts = due.map(({ node }) => metaText(node, atMs, timeZone));
  const vectors = await embedding.embed(texts, "question");
  const kept: KeptMetaVector[] = due.map(({ node }, i) => ({
    id: node.id,
    ...naturalizeTime(node.initMs, atMs, timeZone),
    vector: vectors[i]!,
  }));
  state.keepMetaVectors(kept);
  await store.keepMetaVectors(person, kept);
}

/** Naturalized time, state and keywords in one text (S_meta of section 3.2). */
function metaText({ initMs, state, keywords }: MemoryNode, atMs: number, timeZone: string): string {
  const { phrase } = naturalizeTime(initMs, atMs, timeZone);
  return [phrase, ...(state === null ? [] : [state]), ...keywords].join(", ");
}

/** Start scores of candidates; of one that was forgotten meanwhile, none. */
function scoreCandidates(
  candidates: readonly RecallCandidate[],
  query: QuantizedVector,
  { graph, context }: PersonState,
  { atMs }: RecallRequest,
): StartScore[] {
  return candidates
    .filter(({ node }) => graph.node(node.id) !== undefined)
    .map(({ node, querySimilarity, lexicalCoverage }) => {
      const metaSimilarity = cosine(query, graph.metaVectors.get(graph.slotOf(node.id)));
      const ageMs = atMs - node.initMs;
      return startScore(node.id, ageMs, metaSimilarity, querySimilarity, lexicalCoverage, context.parameters);
    });
}

function findPassedOver(
  scores: readonly StartScore[],
  starts: readonly StartScore[],
  startScoreMin: number,
): RecallTrace["passedOver"] {
  return scores
    .filter((score) => !starts.includes(score))
    .sort(compareStartScores)
    .slice(0, passedOverShown)
    .map((score) => ({ ...score, reason: score.score < startScoreMin ? "startScoreMin" : "startCountMax" }));
}
