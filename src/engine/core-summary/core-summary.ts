/**
 * Core summary (section 3.3): what the assistant has learned about a person, written from a central subset of fixed
 * size and always part of the context. It starts as "N/A" and is updated every so many commits. When a memory it was
 * written from is forgotten, it is rewritten from scratch, so that no forgotten word survives in it; when one becomes
 * outdated, it is due at once.
 */
import { centralSubsetSteps, type CentralScore } from "../../core/paper/central-subset.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type LastingFact, type MemoryNode, compareAge, noChange, uniteIds } from "../../core/graph/memory-node.js";
import { isOutdated } from "../../core/graph/outdated.js";
import { createRandom } from "../../core/random.js";
import { splitSentencesSteps } from "../../core/text/sentences.js";
import { type CoreSummary, noFacts } from "../../ports/store.js";
import { type CoreSentence, scoreCoreSentence, selectCoreSentencesSteps } from "./core-sentences.js";
import type { EngineContext } from "../engine-context.js";
import { lifeAreas } from "../../profiles/general.js";
import type { Profile, ProfileArea } from "../../profiles/profile.js";
import { type CoreFact, chooseFacts, dropChanged, gatherFacts, writeFacts } from "./core-facts.js";
import { isInstruction } from "./instructions.js";
import { judgeFacts } from "./lasting-facts.js";
import { sourceNodes } from "./outdated-sources.js";
import { sampleEvenly, sentenceCountLimit } from "../commitment/statements.js";
import { type ModelWork, writeCoreSummaryWithModel } from "../language-model/language-model-steps.js";
import type { PersonState } from "../person-state.js";
import { runInSlices } from "../serial-lock.js";

export const emptyCoreSummary = "N/A";

export interface CoreSummaryTrace {
  readonly seed: string;
  readonly centralSubset: readonly CentralScore[];
  readonly languageModel: Pick<ModelWork, "name" | "steps"> | null;
}

/** How often it is rewritten because the memories changed while it was being written. */
const outdatedTriesMax = 5;

/** Writes the core summary, either now or only if it is due. */
export async function updateCoreSummary(state: PersonState, when: "when due" | "now"): Promise<void> {
  const { coreSummaryIntervalCommits } = state.context.parameters;
  if (coreSummaryIntervalCommits === 0) return;
  for (let tries = 1; tries <= outdatedTriesMax; tries++) {
    if (when === "when due" && state.commitsSinceCoreSummary < coreSummaryIntervalCommits) return;
    const isLast = when === "now" || tries === outdatedTriesMax;
    if (await tryCoreSummary(state, isLast)) return;
  }
}

/**
 * False if it was not stored because another process has changed the memories: that process may have written it, so the
 * caller has to check again whether it is due.
 */
async function tryCoreSummary(state: PersonState, isKeptOutdated: boolean): Promise<boolean> {
  const { coreSummaryIntervalCommits } = state.context.parameters;
  const { revision } = state;
  const found = await findCentralMemories(state);
  const written = await writeCoreSummary(state, found);
  return state.change(async () => {
    if (state.revision !== revision && (!isKeptOutdated || saysWhatEnded(found, state))) {
      return { batch: null, result: false };
    }
    // If a memory it was written from was forgotten in the meantime, it is due again at once.
    const isValid = written === null || (await areKnown(written.sourceIds, state));
    const coreSummary = isValid ? written : null;
    const commitsSinceCoreSummary = isValid ? 0 : coreSummaryIntervalCommits;
    const batch = { change: noChange, outcomes: [], forgetInteractions: [], coreSummary, commitsSinceCoreSummary };
    return { batch, result: true };
  });
}

/** Whether a memory it was written from has become outdated in the meantime. */
function saysWhatEnded({ memories }: CentralMemories, { graph }: PersonState): boolean {
  return sourceNodes(
    memories.map(({ id }) => id),
    graph,
  ).some((node) => isOutdated(node, graph));
}

async function areKnown(ids: readonly string[], { context, person }: PersonState): Promise<boolean> {
  return (await context.store.history(person, { ids })).length === ids.length;
}

interface CentralMemories {
  readonly seed: string;
  readonly newestMs: number;
  readonly central: readonly CentralScore[];
  /** In chronological order. */
  readonly memories: readonly MemoryNode[];
  readonly current: CoreSummary | null;
}

/** The central subset and its texts. Ages count from the newest memory, so that an imported past is seen as it was. */
async function findCentralMemories(state: PersonState): Promise<CentralMemories> {
  const { context, graph, person, coreSummary } = state;
  const newestMs = [...graph.nodes()].reduce((newest, { initMs }) => Math.max(newest, initMs), -Infinity);
  const seed = `core summary of ${person}, ${graph.nodeCount} memories up to ${newestMs}`;
  const central = await runInSlices(centralSubsetSteps(graph, newestMs, createRandom(seed), context.parameters));
  // A memory forgotten in the meantime is missing here, and the summary is not stored.
  const nodes = central.flatMap(({ id }) => graph.node(id) ?? []);
  const memories = [...new Set(nodes.map((node) => olderOfPair(node, graph)))].sort(compareAge);
  return { seed, newestMs, central, memories, current: coreSummary };
}

/** Of a pair the older half is used: it says in full what the newer one repeats, if it still holds. */
function olderOfPair(node: MemoryNode, graph: MemoryGraph): MemoryNode {
  const pair = node.pairId === null ? undefined : graph.node(node.pairId);
  return pair !== undefined && compareAge(pair, node) < 0 && !isOutdated(pair, graph) ? pair : node;
}

async function writeCoreSummary(state: PersonState, found: CentralMemories): Promise<CoreSummary | null> {
  const { modelCalls, parameters } = state.context;
  const { seed, newestMs, central, memories, current } = found;
  if (central.length === 0) return null;
  const ids = [...new Set([...central, ...memories].map(({ id }) => id))];
  const outdated = sourceNodes(current?.sourceIds ?? [], state.graph)
    .filter((node) => isOutdated(node, state.graph))
    .sort((x, y) => compareAge(y, x))
    .slice(0, parameters.centralCountMax);
  const known = { current: current?.text ?? null, memories: memories.map(textOf), outdated: outdated.map(textOf) };
  const answer = modelCalls === null ? null : await writeCoreSummaryWithModel(known, modelCalls, state.context);
  const fromModel = answer?.value ?? null;
  const facts = await findCoreFacts(state, new Set(central.map(({ id }) => id)));
  const trace: CoreSummaryTrace = {
    seed,
    centralSubset: central,
    languageModel: answer === null ? null : { name: modelCalls!.model.name, steps: [answer.trace] },
  };
  return {
    text: fromModel ?? (facts === null ? await writeCoreSentences(memories, state) : writeAreas(facts, state.context)),
    updatedMs: newestMs,
    // A model's update carries over the old text, so the sources of the old one are also sources of the new one.
    sourceIds: uniteIds(
      fromModel === null ? [] : (current?.sourceIds ?? []),
      ids,
      (facts ?? []).map(({ sourceId }) => sourceId),
    ),
    trace: JSON.stringify(trace),
    facts: facts === null ? noFacts : JSON.stringify(facts),
  };
}

/** Null if nobody judged what lasts: preset "paper", or no judge that can. */
async function findCoreFacts(state: PersonState, centralIds: ReadonlySet<string>): Promise<CoreFact[] | null> {
  const { graph, context } = state;
  const { judging, parameters, timeZone } = context;
  if (judging === null) return null;
  const judged = await judgeMissing(graph, centralIds, context);
  if (judged === null) return null;
  const candidates = gatherFacts(judged, graph, centralIds, areasOf(context.profile));
  return chooseFacts(await dropChanged(candidates, judging), parameters.coreSummaryWordCountMax, timeZone);
}

/** Memories from before there was a judge are judged when they are central, or among the newest. */
const missingCountMax = 64;

/** What lasts of every memory; null if the judge cannot say. */
async function judgeMissing(
  graph: MemoryGraph,
  centralIds: ReadonlySet<string>,
  context: EngineContext,
): Promise<ReadonlyMap<string, readonly LastingFact[]> | null> {
  const judged = new Map<string, readonly LastingFact[]>();
  const missing: MemoryNode[] = [];
  for (const node of graph.nodes()) {
    if (node.facts === null) missing.push(node);
    else judged.set(node.id, node.facts);
  }
  const rank = ({ id }: MemoryNode): number => (centralIds.has(id) ? 0 : 1);
  const chosen = missing.sort((x, y) => rank(x) - rank(y) || compareAge(y, x)).slice(0, missingCountMax);
  for (const { id, summaryText } of chosen) {
    const facts = await judgeFacts({ turns: [], summary: summaryText }, context);
    if (facts === null) return null;
    judged.set(id, facts);
  }
  return judged;
}

export function areasOf({ areas }: Profile): readonly ProfileArea[] {
  return areas ?? lifeAreas;
}

function writeAreas(facts: readonly CoreFact[], { profile, timeZone }: EngineContext): string {
  return writeFacts(
    facts,
    areasOf(profile).map(({ title }) => title),
    timeZone,
  );
}

function textOf({ summaryText }: MemoryNode): string {
  return summaryText;
}

/** The core summary without a language model: sentences of the central memories. */
async function writeCoreSentences(memories: readonly MemoryNode[], { graph, context }: PersonState): Promise<string> {
  const sentences = await runInSlices(splitSummariesSteps(memories));
  const vectors = await context.embedding.embed(
    sentences.map(({ text }) => text),
    "commitment",
  );
  const examples = await context.examples.load();
  const scored: CoreSentence[] = [];
  function* scoreSteps(): Generator<void, void> {
    for (const [i, sentence] of sentences.entries()) {
      scored.push(scoreCoreSentence({ ...sentence, vector: vectors[i]! }, examples, graph.lexicalIndex));
      yield;
    }
  }
  await runInSlices(scoreSteps());
  return runInSlices(selectCoreSentencesSteps(scored, context.parameters.coreSummaryWordCountMax));
}

/** The sentences of each memory's summary; of a very long one, some from all over it. */
function* splitSummariesSteps(
  memories: readonly MemoryNode[],
): Generator<void, Pick<CoreSentence, "memory" | "text" | "position">[]> {
  const sentences: Pick<CoreSentence, "memory" | "text" | "position">[] = [];
  for (const memory of memories) {
    const all = yield* splitSentencesSteps(memory.summaryText);
    for (const [position, text] of sampleEvenly(all, sentenceCountLimit).entries()) {
      if (!isInstruction(text)) sentences.push({ memory, text, position });
    }
  }
  return sentences;
}
