/**
 * Candidates for start nodes (section 3.2). One exact scan compares the question with every memory that existed and
 * passes: by vector (S_query), by words (BM25) and by time. The best are compared again word by word and, where S_meta
 * counts, by naturalized time, state and keywords.
 */
import { highestSlots } from "../graph/highest-slots.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, topicText } from "../graph/memory-node.js";
import { naturalizeTime } from "../paper/naturalized-time.js";
import { querySimilarities } from "../paper/query-similarity.js";
import { type StartEvidence, type StartScore, startScore, usesMeta } from "../paper/start-node.js";
import { cosine } from "../graph/vectors/quantized-vector.js";
import type { PersonState } from "../engine/person-state.js";
import type { AskedQuestion } from "./asked-question.js";
import type { PassingMemories } from "./passing-memories.js";
import { gainsBySlot, findFoci } from "./recall-time.js";
import { TokenSearch } from "./token-search.js";
import type { TimeFocus } from "../english/time/question-time.js";

export interface Candidates {
  /** Those that were compared: of the time of the question or earlier, and passing. */
  readonly memoryCount: number;
  readonly foci: readonly TimeFocus[];
  /** How many of all memories pass. */
  readonly filter: { readonly passedCount: number; readonly memoryCount: number };
  readonly scored: readonly { readonly node: MemoryNode; readonly score: StartScore }[];
  /** What the scan made of any memory. */
  readonly valueOf: (id: string) => number;
  /** How well the words of each of a candidate's statements match the question's; empty where they were not compared. */
  readonly matchesOf: (id: string) => readonly number[];
}

type Scanned = Pick<StartEvidence, "querySimilarity" | "lexicalCoverage" | "timeGain"> & { readonly node: MemoryNode };

export async function findCandidates(
  asked: AskedQuestion,
  passing: PassingMemories,
  state: PersonState,
): Promise<Candidates> {
  const { graph, context } = state;
  const { isPassing, ...filter } = passing.slotsOf(graph);
  const foci = findFoci(asked.time, context.parameters);
  const time = gainsBySlot(foci, asked.atMs, graph);
  const { memoryCount, values, scanned } = scan(asked, time, isPassing, state);
  const words = new TokenSearch(asked.query, asked.time.content, asked.embedding, state);
  await words.read(scanned.map(({ node }) => node));
  const metas = await compareMeta(scanned, asked, state);
  // Words count only if all have any: a gain that some cannot have would put them last.
  const areCompared = scanned.every(({ node }) => words.of(node.id) !== null);
  const scored = scanned.map(({ node, ...found }, i) => {
    const { best = 0, whole = 0 } = words.of(node.id) ?? {};
    const evidence = { ...found, metaSimilarity: metas[i]!, tokens: areCompared ? { best, whole } : null };
    return { node, score: startScore(node.id, asked.atMs - node.initMs, evidence, context.parameters) };
  });
  const valueOf = (id: string): number => values[graph.slotOf(id)] ?? -Infinity;
  const matchesOf = (id: string): readonly number[] => words.of(id)?.statements ?? [];
  return { memoryCount, foci, filter, scored, valueOf, matchesOf };
}

/** The memories that existed at the time of the question and pass, and the best of them. */
function scan(
  { terms, embedding, atMs }: AskedQuestion,
  time: Float64Array,
  isPassing: Uint8Array | null,
  { graph, context }: PersonState,
): { memoryCount: number; values: Float64Array; scanned: Scanned[] } {
  const { lexicalWeight, candidateCountMax, startCountMax } = context.parameters;
  const similarities = querySimilarities(graph, embedding.vector, context.parameters);
  const coverages = new Float64Array(graph.slotCount);
  if (lexicalWeight > 0) graph.lexicalIndex.coverages(terms, coverages);
  let memoryCount = 0;
  const values = new Float64Array(graph.slotCount).fill(-Infinity);
  for (let slot = 0; slot < values.length; slot++) {
    if (!(graph.initMs[slot]! <= atMs) || isPassing?.[slot] === 0) continue;
    memoryCount++;
    values[slot] = similarities[slot]! + lexicalWeight * coverages[slot]! + time[slot]!;
  }
  const scanned = highestSlots(values, Math.max(candidateCountMax, startCountMax), graph).map((slot) => ({
    node: graph.nodeAt(slot),
    querySimilarity: similarities[slot]!,
    lexicalCoverage: coverages[slot]!,
    timeGain: time[slot]!,
  }));
  return { memoryCount, values, scanned };
}

/** S_meta: the question's cosine with naturalized time, state and keywords in one text, embedded again. */
async function compareMeta(
  scanned: readonly Scanned[],
  { embedding, atMs }: AskedQuestion,
  { context }: PersonState,
): Promise<number[]> {
  if (!usesMeta(context.parameters)) return scanned.map(() => 0);
  const texts = scanned.map(({ node }) => metaText(node, atMs, context.timeZone));
  const vectors = await context.embedding.embed(texts, "question");
  return vectors.map((vector) => cosine(embedding.vector, vector));
}

function metaText(node: MemoryNode, atMs: number, timeZone: string): string {
  const { phrase } = naturalizeTime(node.initMs, atMs, timeZone);
  const topic = topicText(node);
  return topic === "" ? phrase : `${phrase}, ${topic}`;
}

/** Those that nobody forgot in the meantime, as the memory is now. */
export function presentScores({ scored }: Candidates, { passes }: PassingMemories, graph: MemoryGraph): StartScore[] {
  return scored.flatMap(({ score }) => {
    const node = graph.node(score.id);
    return node !== undefined && passes(node) ? [score] : [];
  });
}
