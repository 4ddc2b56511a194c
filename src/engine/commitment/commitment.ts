/**
 * Commitment (section 3.1, Algorithm 1): from a candidate to a change of the graph. Pure and in slices: it reads the
 * graph and returns what is to be done, with the trace that explains it; writing is somebody else's.
 */
import { connectNewNode, type Neighbour } from "../../core/paper/edges.js";
import { quantileBins } from "../../core/paper/entropy.js";
import { type FreshNumbers, findFreshNumbers } from "../../core/text/fresh-numbers.js";
import { jaccardFromCounts, keywordTerms } from "../../core/text/keywords.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type Edge, type EmbeddedNode, type GraphChange, noChange } from "../../core/graph/memory-node.js";
import { type Pairing, boostPairEdge, decidePairing } from "../../core/paper/pairing.js";
import { type MostRedundant, MutualInformation, findMostRedundant } from "../../core/paper/redundancy.js";
import { similarity } from "../../core/paper/similarity.js";
import { dayMs } from "../../core/time.js";
import { splitTerms } from "../../core/text/words.js";
import type { Parameters } from "../../parameters.js";
import type { Outcome } from "../../ports/store.js";
import type { Candidate } from "./candidate.js";
import type { ModelWork } from "../language-model/language-model-steps.js";
import type { SubstanceDecision } from "./substance-filter.js";

export interface CommitTrace {
  readonly outcome: Outcome;
  readonly summarySource: Candidate["summarySource"];
  readonly substance: SubstanceDecision;
  /** The most redundant memory, whether or not it reaches the threshold; null in an empty graph. */
  readonly redundancy: RedundancyTrace | null;
  readonly pairing: PairingTrace | null;
  readonly edges: {
    readonly count: number;
    readonly evictedCount: number;
    readonly strongest: readonly Neighbour[];
  } | null;
  readonly keywords: readonly string[];
  readonly languageModel: Pick<ModelWork, "name" | "steps"> | null;
}

export interface RedundancyTrace {
  readonly id: string;
  readonly nmi: number;
  readonly jaccard: number;
  readonly temporalBonus: number;
  readonly score: number;
  readonly threshold: number;
  /** Numbers of the summary that the memory does not have; too many of them and nothing is repeated. */
  readonly freshNumbers: readonly string[];
  /** Why it is no repetition of that memory; null when it is one. */
  readonly keptApart: ReasonApart | null;
}

export type ReasonApart =
  "below the threshold" | "another meaning" | "numbers of its own" | "few words, some its own" | "restored by request";

export interface PairingTrace {
  readonly case: Pairing["case"];
  readonly partnerId: string | null;
  readonly removedId: string | null;
  readonly rewindDays: number;
  readonly boostDays: number;
}

export interface CommitmentPlan {
  readonly change: GraphChange;
  readonly outcome: Outcome;
  readonly trace: CommitTrace;
  /** The memory that made room, if any. */
  readonly removedId: string | null;
}

const sliceSlots = 500;
const strongestShown = 5;

/** Cosine of the candidate's summary with every slot of the graph; where novelty, redundancy and edges begin. */
export function* scanSimilarities(candidate: Candidate, graph: MemoryGraph): Generator<void, Float64Array> {
  const cosines = new Float64Array(graph.slotCount);
  for (let from = 0; from < graph.slotCount; from += sliceSlots) {
    graph.summaryVectors.cosines(candidate.summaryVector, cosines, from, Math.min(from + sliceSlots, graph.slotCount));
    yield;
  }
  return cosines;
}

/** What is done with a candidate that has substance. */
export function* planCommitment(
  candidate: Candidate,
  cosines: Float64Array,
  substance: SubstanceDecision,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, CommitmentPlan> {
  const sharedKeywords = graph.sharedKeywords(candidate.keywords);
  const mostRedundant = yield* scanRedundancy(candidate, sharedKeywords, graph, parameters);
  const news = mostRedundant === null ? null : findNews(candidate, mostRedundant.slot, graph);
  const keptApart =
    mostRedundant === null ? null : findReasonApart(candidate, mostRedundant, news!, cosines, graph, parameters);
  const isPaired = mostRedundant !== null && keptApart === null;
  const pairing = decidePairing(isPaired ? graph.nodeAt(mostRedundant.slot) : null, graph);
  const neighbours = yield* scanNeighbours(candidate, cosines, sharedKeywords, graph, parameters);
  const { id, initMs } = candidate.interaction;
  const removedId = pairing.case === "replace" ? pairing.removed.id : null;
  const boost =
    pairing.case === "add"
      ? null
      : boostPairEdge(pairing, { id, initMs }, neighbours.weightOf(pairing.partner.id), graph, parameters);
  const edges = connectNewNode(id, neighbours.list, boost?.edge ?? null, removedId, graph, parameters.degreeMax);
  const partnerId = pairing.case === "add" ? null : pairing.partner.id;
  const change: GraphChange = {
    putNodes: [toNode(candidate, partnerId)],
    removeNodes: removedId === null ? [] : [removedId],
    ...edges,
    setPairs: partnerId === null ? [] : [{ id: partnerId, pairId: id }],
  };
  const outcome = pairing.case === "add" ? "committed" : "paired";
  const pairingTrace = {
    case: pairing.case,
    partnerId,
    removedId,
    rewindDays: (boost?.rewindMs ?? 0) / dayMs,
    boostDays: (boost?.edge.boostMs ?? 0) / dayMs,
  };
  return {
    change,
    outcome,
    removedId,
    trace: {
      ...baseTrace(candidate, outcome, substance),
      redundancy: mostRedundant === null ? null : redundancyTrace(mostRedundant, news!, keptApart, graph, parameters),
      pairing: pairingTrace,
      edges: edgesTrace(id, edges),
    },
  };
}

/** What is done with a candidate that has none: nothing, but for the history. */
export function planDiscard(candidate: Candidate, substance: SubstanceDecision): CommitmentPlan {
  const trace = { ...baseTrace(candidate, "discarded", substance), redundancy: null, pairing: null, edges: null };
  return { change: noChange, outcome: "discarded", removedId: null, trace };
}

function* scanRedundancy(
  candidate: Candidate,
  sharedKeywords: ReadonlyMap<number, number>,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, MostRedundant | null> {
  const memory = {
    information: new MutualInformation(
      quantileBins(candidate.summaryVector, parameters.redundancyBinCount),
      parameters.redundancyBinCount,
    ),
    initMs: candidate.interaction.initMs,
    keywordCount: keywordTerms(candidate.keywords).size,
    sharedKeywords,
  };
  let best: MostRedundant | null = null;
  for (let from = 0; from < graph.slotCount; from += sliceSlots) {
    best = findMostRedundant(memory, graph, parameters, best, from, Math.min(from + sliceSlots, graph.slotCount));
    yield;
  }
  return best;
}

interface Neighbours {
  readonly list: readonly Neighbour[];
  weightOf(id: string): number;
}

export function* scanNeighbours(
  candidate: Candidate,
  cosines: Float64Array,
  sharedKeywords: ReadonlyMap<number, number>,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, Neighbours> {
  const keywordCount = keywordTerms(candidate.keywords).size;
  const weightAt = (slot: number): number => {
    const jaccard = jaccardFromCounts(sharedKeywords.get(slot) ?? 0, keywordCount, graph.keywordCounts[slot]!);
    return similarity(cosines[slot]!, jaccard, parameters);
  };
  const list: Neighbour[] = [];
  for (let slot = 0; slot < graph.slotCount; slot++) {
    if (slot % sliceSlots === sliceSlots - 1) yield;
    if (Number.isNaN(graph.initMs[slot]!)) continue;
    const weight = weightAt(slot);
    if (weight >= parameters.edgeThreshold) list.push({ id: graph.nodeAt(slot).id, weight });
  }
  return { list, weightOf: (id) => weightAt(graph.slotOf(id)) };
}

export function toNode(candidate: Candidate, pairId: string | null): EmbeddedNode {
  const { interaction, summaryText, fullText, keywords, hypotheticalQuery, cues, cueVectors } = candidate;
  return {
    node: {
      id: interaction.id,
      initMs: interaction.initMs,
      pairId,
      summaryText,
      state: interaction.state,
      keywords,
      hypotheticalQuery,
      statements: cues,
    },
    fullText,
    summaryVector: candidate.summaryVector,
    hypotheticalVector: candidate.hypotheticalVector,
    statementVectors: cueVectors,
  };
}

function baseTrace(
  candidate: Candidate,
  outcome: Outcome,
  substance: SubstanceDecision,
): Omit<CommitTrace, "redundancy" | "pairing" | "edges"> {
  const { model, summarySource, keywords } = candidate;
  const languageModel = model === null ? null : { name: model.name, steps: model.steps };
  return { outcome, summarySource, substance, keywords, languageModel };
}

/** Null when the candidate repeats what was found. */
function findReasonApart(
  candidate: Candidate,
  { slot, score }: MostRedundant,
  news: FreshNumbers,
  cosines: Float64Array,
  graph: MemoryGraph,
  parameters: Parameters,
): ReasonApart | null {
  if (score < parameters.redundancyThreshold) return "below the threshold";
  if (cosines[slot]! < parameters.redundancyCosineMin) return "another meaning";
  if (news.share > parameters.redundancyFreshNumberShareMax) return "numbers of its own";
  if (isShortNews(candidate, slot, graph, parameters)) return "few words, some its own";
  // It stands for itself, else it would replace or be replaced again.
  return candidate.interaction.restored ? "restored by request" : null;
}

/** Numbers in the candidate's summary that the memory in `slot` has nowhere. */
function findNews({ summaryText }: Candidate, slot: number, { lexicalIndex }: MemoryGraph): FreshNumbers {
  return findFreshNumbers(summaryText, (term) => lexicalIndex.holds(slot, term));
}

/**
 * Every word counts where there are few. "Ada takes aspirin" after "Ada is allergic to penicillin" is alike in form, but
 * half of its terms are new; "Ada sold the cup" after "Ada sold the lamp" has another thing in the same place.
 */
function isShortNews(
  { summaryText }: Candidate,
  slot: number,
  graph: MemoryGraph,
  { redundancyShortTermCountMax }: Parameters,
): boolean {
  const terms = new Set(splitTerms(summaryText));
  if (terms.size === 0 || terms.size > redundancyShortTermCountMax) return false;
  const newCount = [...terms].filter((term) => !graph.lexicalIndex.holds(slot, term)).length;
  if (newCount * 2 >= terms.size) return true;
  const before = [...new Set(splitTerms(graph.nodeAt(slot).summaryText))];
  const isReplaced = newCount > 0 && before.some((term) => !terms.has(term));
  return isReplaced && before.length <= redundancyShortTermCountMax;
}

function redundancyTrace(
  found: MostRedundant,
  { fresh }: FreshNumbers,
  keptApart: ReasonApart | null,
  graph: MemoryGraph,
  parameters: Parameters,
): RedundancyTrace {
  const { slot, ...score } = found;
  const { redundancyThreshold: threshold } = parameters;
  return { id: graph.nodeAt(slot).id, ...score, threshold, freshNumbers: fresh, keptApart };
}

function edgesTrace(
  id: string,
  { putEdges, removeEdges }: { putEdges: readonly Edge[]; removeEdges: readonly unknown[] },
): CommitTrace["edges"] {
  const strongest = putEdges
    .toSorted((x, y) => y.weight - x.weight)
    .slice(0, strongestShown)
    .map(({ a, b, weight }) => ({ id: a === id ? b : a, weight }));
  return { count: putEdges.length, evictedCount: removeEdges.length, strongest };
}
