/**
 * Candidates for start nodes (section 3.2): one scan compares the question with what every memory says and when it was;
 * the best are compared again by their individual statements and by naturalized time, state and keywords.
 */
import { highestSlots } from "../../core/graph/highest-slots.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import type { StatementCoverage } from "../../core/text/lexical-index.js";
import { type MemoryNode, topicText } from "../../core/graph/memory-node.js";
import { metaSimilarity } from "../../core/paper/meta-similarity.js";
import { naturalizeTime, yearlessPhrase } from "../../core/paper/naturalized-time.js";
import { type QuantizedVector, cosine } from "../../core/vectors/quantized-vector.js";
import {
  type StartEvidence,
  type StartScore,
  startScore,
  usesMeta,
  usesMetaParts,
} from "../../core/paper/start-node.js";
import type { KeptMetaVector } from "../../ports/store.js";
import type { PersonState } from "../person-state.js";
import { chainOf } from "./currency.js";
import type { Passes } from "./passing-memories.js";
import type { TokenSearch } from "./token-search.js";
import { type Cue, type Rewording, compareWording, weighTokens } from "./wordings.js";

export interface AskedQuestion {
  /** The terms of what is asked about: the question without the words that say when or ask about change. */
  readonly terms: readonly string[];
  readonly vector: QuantizedVector;
  /** Other wordings of it. */
  readonly rewordings: readonly Rewording[];
  readonly atMs: number;
  /** Which memories it may see. */
  readonly passes: Passes;
}

/** A memory that may become a start node, as far as one scan can tell. */
type ScannedMemory = Pick<StartEvidence, "timeGain" | "areaGain"> & {
  readonly node: MemoryNode;
  /** By the question, then by each of its other wordings. */
  readonly cues: readonly Cue[];
};

export type RecallCandidate = ScannedMemory & Pick<StartEvidence, "metaSimilarity">;

export interface Scan {
  readonly memoryCount: number;
  readonly candidates: readonly ScannedMemory[];
  /** What candidates are chosen by; -Infinity for a memory added after the scan. */
  readonly valueOf: (id: string) => number;
}

/** The memories that existed at the time of the question and pass, and the best of them, best first. */
export function scanMemories(
  { graph, context }: PersonState,
  question: AskedQuestion,
  gains: { readonly time: Float64Array; readonly area: Float64Array },
  startCountMax: number,
  isPassing: Uint8Array | null,
): Scan {
  const { parameters } = context;
  const { lexicalWeight, rewritingWeight, candidateCountMax } = parameters;
  const { slotCount, putCount } = graph;
  const compared = [
    compareWording(question, 1, graph, parameters),
    ...question.rewordings.map((wording) => compareWording(wording, rewritingWeight, graph, parameters)),
  ];
  let memoryCount = 0;
  const valuesBy = compared.map(() => new Float64Array(slotCount).fill(-Infinity));
  for (let slot = 0; slot < slotCount; slot++) {
    if (!(graph.initMs[slot]! <= question.atMs) || isPassing?.[slot] === 0) continue;
    memoryCount++;
    for (const [i, { similarities, coverages }] of compared.entries()) {
      const value = similarities[slot]! + lexicalWeight * coverages[slot]! + gains.time[slot]! + gains.area[slot]!;
      valuesBy[i]![slot] = value;
    }
  }
  // The best by each wording, so that none of them drives out what the question itself finds.
  const best = valuesBy.flatMap((values) => highestSlots(values, Math.max(candidateCountMax, startCountMax), graph));
  const candidates = withChains(best, graph, question).map((slot) => ({
    node: graph.nodeAt(slot),
    cues: compared.map(({ similarities, coverages }) => ({
      querySimilarity: similarities[slot]!,
      lexicalCoverage: coverages[slot]!,
    })),
    timeGain: gains.time[slot]!,
    areaGain: gains.area[slot]!,
  }));
  return {
    memoryCount,
    candidates,
    valueOf: (id) => (graph.wasThere(id, putCount) ? valuesBy[0]![graph.slotOf(id)]! : -Infinity),
  };
}

/** The best, and what made them outdated or was made outdated by them: it may share few words with the question. */
function withChains(slots: readonly number[], graph: MemoryGraph, { atMs, passes }: AskedQuestion): number[] {
  const chained = slots.flatMap((slot) =>
    chainOf(graph.nodeAt(slot), atMs, graph, passes).map(({ id }) => graph.slotOf(id)),
  );
  return [...new Set([...slots, ...chained])];
}

/** S_meta of what a scan found; 0 for what was forgotten in the meantime. */
export async function compareMeta(
  candidates: readonly ScannedMemory[],
  { vector, atMs }: AskedQuestion,
  state: PersonState,
): Promise<RecallCandidate[]> {
  const { timePhrases, timeZone, parameters } = state.context;
  if (candidates.length === 0 || !usesMeta(parameters)) return withMeta(candidates, state, () => 0);
  if (!usesMetaParts(parameters)) {
    await refreshNaturalizedTimes(candidates, state, atMs);
    const { graph } = state;
    return withMeta(candidates, state, ({ id }) => cosine(vector, graph.metaVectors.get(graph.slotOf(id))));
  }
  const phrases = await timePhrases.load("question");
  return withMeta(candidates, state, ({ id, initMs }) => {
    const phrase = phrases.get(yearlessPhrase(initMs, atMs, timeZone))!;
    return metaSimilarity(vector, phrase, topicVectorOf(id, state.graph));
  });
}

/** In a memory of an old file, which has none, the vector of the summary takes its place. */
function topicVectorOf(id: string, graph: MemoryGraph): QuantizedVector {
  const slot = graph.slotOf(id);
  return (graph.topicVectors.has(slot) ? graph.topicVectors : graph.summaryVectors).get(slot);
}

function withMeta(
  candidates: readonly ScannedMemory[],
  { graph }: PersonState,
  similarityOf: (node: MemoryNode) => number,
): RecallCandidate[] {
  return candidates.map((each) => ({
    ...each,
    metaSimilarity: graph.node(each.node.id) === undefined ? 0 : similarityOf(each.node),
  }));
}

/**
 * Embeds the naturalized times of candidates whose wording has changed since they were last embedded, and caches them
 * until they change again (design decision 11).
 */
async function refreshNaturalizedTimes(
  candidates: readonly ScannedMemory[],
  state: PersonState,
  atMs: number,
): Promise<void> {
  const { graph, context, person } = state;
  const { embedding, store, timeZone, log } = context;
  const due = candidates.filter(
    ({ node }) => !graph.holdsMetaVector(node.id, atMs, naturalizeTime(node.initMs, atMs, timeZone).phrase),
  );
  if (due.length === 0) return;
  const texts = due.map(({ node }) => metaText(node, atMs, timeZone));
  const vectors = await embedding.embed(texts, "question");
  const kept: KeptMetaVector[] = due.map(({ node }, i) => ({
    id: node.id,
    ...naturalizeTime(node.initMs, atMs, timeZone),
    vector: vectors[i]!,
  }));
  state.keepMetaVectors(kept);
  // The answer does not wait for the disk: what is not stored is embedded again.
  store.keepMetaVectors(person, kept).catch((cause: unknown) => {
    log({ level: "warn", message: "vectors of naturalized times could not be stored", person, cause });
  });
}

/** Naturalized time, state and keywords in one text (S_meta of section 3.2). */
function metaText(node: MemoryNode, atMs: number, timeZone: string): string {
  const { phrase } = naturalizeTime(node.initMs, atMs, timeZone);
  const topic = topicText(node);
  return topic === "" ? phrase : `${phrase}, ${topic}`;
}

/**
 * Start scores of the candidates, each by the wording it matches best, skipping any that were forgotten in the meantime or no longer pass.
 * Their words are compared only if all have any: a gain that some cannot have would put them last.
 */
export function scoreCandidates(
  candidates: readonly RecallCandidate[],
  { atMs, rewordings, passes }: AskedQuestion,
  coverage: StatementCoverage,
  words: Pick<TokenSearch, "of">,
  { graph, context }: PersonState,
): StartScore[] {
  const { parameters } = context;
  const present = candidates.filter(({ node }) => {
    const now = graph.node(node.id);
    return now !== undefined && passes(now);
  });
  const wordings = [{ text: null, coverage, words }, ...rewordings].map((wording) => ({
    ...wording,
    weight: wording.text === null ? 1 : parameters.rewritingWeight,
    areCompared: present.every(({ node }) => wording.words.of(node.id) !== null),
  }));
  return present.map(({ node, cues, ...found }) => {
    const scores = wordings.map(({ text, weight, areCompared, ...wording }, i) => {
      const statementCoverage =
        parameters.statementLexicalWeight === 0 ? 0 : weight * bestCoverage(node, wording.coverage);
      const tokens = areCompared ? weighTokens(wording.words.of(node.id)!, weight) : null;
      const evidence = { ...found, ...cues[i]!, wording: text, statementCoverage, tokens };
      return startScore(node.id, atMs - node.initMs, evidence, parameters);
    });
    return scores.reduce((best, each) => (each.score > best.score ? each : best));
  });
}

function bestCoverage(node: MemoryNode, coverage: StatementCoverage): number {
  let best = 0;
  for (const text of comparedTexts(node)) best = Math.max(best, coverage.of(text));
  return best;
}

/** The texts of a candidate that are compared with the words of the question: its statements and its questions. */
export function comparedTexts({ statements, questions }: MemoryNode): string[] {
  return [...statements, ...questions];
}
