/**
 * Recall (section 3.2): from a question to the memories that answer it. Start nodes are chosen by comparing the question
 * with what each memory says, with when it was and what it is about, and with its own words; from them the graph is
 * walked with chance; what is found becomes context. Everything that decided is in the trace, and the same seed gives the
 * same recall.
 */
import type { MemoryGraph } from "../core/memory-graph.js";
import { type MemoryNode, compareIds } from "../core/memory-node.js";
import { naturalizeTime } from "../core/naturalized-time.js";
import type { QuantizedVector } from "../core/quantized-vector.js";
import { createRandom } from "../core/random.js";
import { type StartScore, selectStartNodes, startScore } from "../core/start-node.js";
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
  readonly score: number;
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
  readonly naturalizedTimes: { readonly refreshedCount: number; readonly staleCount: number };
  readonly context: Omit<ContextText, "text"> & { readonly tokenBudget: number };
}

export interface Recall {
  readonly context: string;
  /** Most relevant first. */
  readonly memories: readonly RecalledMemory[];
  readonly trace: RecallTrace;
}

const passedOverShown = 5;

export async function recallMemories(state: PersonState, request: RecallRequest): Promise<Recall> {
  const { embedding, store } = state.context;
  const [queryVector] = await embedding.embed([request.query], "question");
  const queued = await store.queued(state.person, queuedShown);
  await state.refresh();
  const naturalizedTimes = await refreshNaturalizedTimes(state, queryVector!, request);
  const scan = scanMemories(state, queryVector!, request);
  return finishRecall(state, request, scan, naturalizedTimes, queued.length);
}

const queuedShown = 1_000;

function finishRecall(
  state: PersonState,
  request: RecallRequest,
  scan: Scan,
  naturalizedTimes: RecallTrace["naturalizedTimes"],
  queuedCount: number,
): Recall {
  const { graph, context, coreSummary } = state;
  const { parameters, timeZone } = context;
  const { query, atMs, seed, tokenBudget } = request;
  const best = scan.best(parameters.startCountMax + passedOverShown);
  const starts = selectStartNodes(best, parameters);
  const startIds = starts.map(({ id }) => id);
  const { recalled, steps, limitsReached } = traverse(startIds, graph, atMs, createRandom(seed), parameters);
  const nodes = recalled.map(({ id }) => graph.node(id)!);
  const written = writeContext(nodes, coreSummary?.text ?? null, atMs, tokenBudget, context);
  const memories = recalled.map(({ id, fromId }, i) => ({
    ...describeMemory(nodes[i]!, atMs, timeZone),
    found: fromId === null ? ("start" as const) : ("traversal" as const),
    fromId,
    score: scan.scores[graph.slotOf(id)]!,
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
      memoryCount: scan.memoryCount,
      queuedCount,
      starts,
      passedOver: findPassedOver(best, starts, parameters.startScoreMin),
      steps,
      limitsReached,
      naturalizedTimes,
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

/** Start scores of all memories that existed at the time of the question. */
interface Scan {
  readonly memoryCount: number;
  /** By slot; -Infinity where there is no memory. */
  readonly scores: Float64Array;
  /** The best `count` in full, best first. */
  best(count: number): StartScore[];
}

function scanMemories({ graph, context }: PersonState, query: QuantizedVector, request: RecallRequest): Scan {
  const { parameters } = context;
  const similarities = querySimilarities(graph, query);
  const metas = new Float64Array(graph.slotCount);
  graph.metaVectors.cosines(query, metas, 0, graph.slotCount);
  const { lexicalSaturation, lexicalLengthWeight } = parameters;
  const coverages =
    parameters.lexicalWeight === 0
      ? new Map<number, number>()
      : graph.lexicalIndex.coverages(request.query, lexicalSaturation, lexicalLengthWeight);
  const score = (slot: number): StartScore => {
    const similarity = similarities[slot]!;
    // Without a vector of its time yet, a memory is judged by what it says alone.
    const meta = Number.isNaN(graph.metaFromMs[slot]!) ? similarity : metas[slot]!;
    const ageMs = request.atMs - graph.initMs[slot]!;
    return startScore(graph.idAt(slot), ageMs, meta, similarity, coverages.get(slot) ?? 0, parameters);
  };
  const scores = new Float64Array(graph.slotCount).fill(-Infinity);
  let memoryCount = 0;
  for (let slot = 0; slot < graph.slotCount; slot++) {
    if (!(graph.initMs[slot]! <= request.atMs)) continue;
    memoryCount++;
    scores[slot] = score(slot).score;
  }
  return { memoryCount, scores, best: (count) => highestSlots(scores, count, graph).map(score) };
}

/** Slots of the `count` highest scores, highest first, without sorting the rest; equal scores in the order of their ids. */
function highestSlots(scores: Float64Array, count: number, graph: MemoryGraph): number[] {
  const isBefore = (x: number, y: number): boolean =>
    scores[x]! > scores[y]! || (scores[x] === scores[y] && graph.idAt(x) < graph.idAt(y));
  const highest: number[] = [];
  for (let slot = 0; slot < scores.length; slot++) {
    if (scores[slot] === -Infinity) continue;
    if (highest.length === count && !isBefore(slot, highest.at(-1)!)) continue;
    let place = highest.length;
    while (place > 0 && isBefore(slot, highest[place - 1]!)) place--;
    highest.splice(place, 0, slot);
    if (highest.length > count) highest.pop();
  }
  return highest;
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

/**
 * Embeds naturalized times whose wording has changed since they were embedded, the most promising memories first, and
 * keeps them until they change again. What is beyond the limit keeps its old wording for this recall.
 */
async function refreshNaturalizedTimes(
  state: PersonState,
  query: QuantizedVector,
  request: RecallRequest,
): Promise<RecallTrace["naturalizedTimes"]> {
  const { graph, context, person } = state;
  const { parameters, embedding, store, timeZone } = context;
  const isNeeded = parameters.metaWeightMax > 0;
  const due = isNeeded ? findDue(state, query, request) : [];
  const refreshed = due.slice(0, parameters.metaRefreshCountMax);
  const vectors = await embedding.embed(
    refreshed.map((node) => metaText(node, request.atMs, timeZone)),
    "question",
  );
  const kept: KeptMetaVector[] = refreshed.map(({ id, initMs }, i) => ({
    id,
    ...naturalizeTime(initMs, request.atMs, timeZone),
    vector: vectors[i]!,
  }));
  if (graph === state.graph) state.keepMetaVectors(kept);
  if (kept.length > 0) await store.keepMetaVectors(person, kept);
  return { refreshedCount: kept.length, staleCount: due.length - kept.length };
}

function findDue(state: PersonState, query: QuantizedVector, request: RecallRequest): MemoryNode[] {
  const { graph, context } = state;
  const due: MemoryNode[] = [];
  for (let slot = 0; slot < graph.slotCount; slot++) {
    const holds = graph.metaFromMs[slot]! <= request.atMs && request.atMs < graph.metaUntilMs[slot]!;
    if (!holds && graph.initMs[slot]! <= request.atMs) due.push(graph.nodeAt(slot));
  }
  if (due.length <= context.parameters.metaRefreshCountMax) return due;
  const { scores } = scanMemories(state, query, request);
  const scoreOf = ({ id }: MemoryNode): number => scores[graph.slotOf(id)]!;
  return due.sort((x, y) => scoreOf(y) - scoreOf(x) || compareIds(x.id, y.id));
}

/** Naturalized time, state and keywords in one text (S_meta of section 3.2). */
function metaText({ initMs, state, keywords }: MemoryNode, atMs: number, timeZone: string): string {
  const { phrase } = naturalizeTime(initMs, atMs, timeZone);
  return [phrase, ...(state === null ? [] : [state]), ...keywords].join(", ");
}

function findPassedOver(
  best: readonly StartScore[],
  starts: readonly StartScore[],
  startScoreMin: number,
): RecallTrace["passedOver"] {
  return best
    .filter((score) => !starts.includes(score))
    .slice(0, passedOverShown)
    .map((score) => ({ ...score, reason: score.score < startScoreMin ? "startScoreMin" : "startCountMax" }));
}
