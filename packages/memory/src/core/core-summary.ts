/**
 * Core summary (section 3.3): what the assistant has learned about a person, always part of the context. With a judge that
 * tells areas of a life apart it is facts, brought up to date with every memory; every so many commits a central subset of
 * fixed size says which other facts matter. Otherwise it is written from that subset, by a language model or as sentences,
 * starting as "N/A". When a memory behind it is forgotten, no word of it survives.
 */
import { centralSubsetSteps, type CentralScore } from "../paper/central-subset.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge, noChange, uniteIds } from "../graph/memory-node.js";
import { isOutdated } from "../graph/outdated.js";
import { createRandom } from "../text/random.js";
import { splitSentencesSteps } from "../text/sentences.js";
import type { CoreSummary } from "../engine/records/person-data.js";
import { sampleEvenly, sentenceCountLimit } from "../reader/cut.js";
import { writeCoreSummaryWithModel } from "../model/language-model-steps.js";
import type { ModelAnswer } from "../model/model-calls.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { type CoreFact, isSaid, readCoreFacts, sourcesOf } from "./core-fact.js";
import { type CoreSentence, scoreCoreSentence, selectCoreSentencesSteps } from "./core-sentences.js";
import { type CoreSummaryTrace, usesFacts } from "./core-summary-step.js";
import { factRules, writeFacts } from "./fact-lines.js";
import { updateFacts } from "./fact-update.js";
import { isInstruction } from "../english/instructions.js";
import { sourceNodes } from "./outdated-sources.js";

export const emptyCoreSummary = "N/A";

/** How often it is rewritten because the memories changed while it was being written. */
const outdatedTriesMax = 5;

/** Writes the core summary, either now or only if it is due. */
export async function updateCoreSummary(state: PersonState, when: "when due" | "now"): Promise<void> {
  const { coreSummaryIntervalCommits } = state.context.parameters;
  if (coreSummaryIntervalCommits === 0) return;
  for (let tries = 1; tries <= outdatedTriesMax; tries++) {
    if (when === "when due" && state.commitsSinceCoreSummary < coreSummaryIntervalCommits) return;
    const isLast = when === "now" || tries === outdatedTriesMax;
    if (await tryCoreSummary(state, { isLast, memories: when === "now" ? "all" : "central" })) return;
  }
}

/**
 * False if it was not stored because another process has changed the memories: that process may have written it, so the
 * caller has to check again whether it is due.
 */
async function tryCoreSummary(
  state: PersonState,
  { isLast, memories }: { readonly isLast: boolean; readonly memories: "all" | "central" },
): Promise<boolean> {
  const { coreSummaryIntervalCommits } = state.context.parameters;
  const { revision } = state;
  const found = await findCentralMemories(state);
  const written = await writeCoreSummary(state, found, memories);
  return state.change(async () => {
    const isOverdue = state.revision !== revision && (!isLast || saysWhatEnded(found, written, state));
    if (isOverdue || knowsOtherFacts(found, state)) {
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

/** Whether something was told, pinned or forgotten in the meantime: its facts must not be written over. */
function knowsOtherFacts({ current }: CentralMemories, { coreSummary, context }: PersonState): boolean {
  return usesFacts(context) && coreSummary?.facts !== current?.facts;
}

/** Whether a memory it was written from has become outdated in the meantime. */
function saysWhatEnded({ memories }: CentralMemories, written: CoreSummary | null, { graph }: PersonState): boolean {
  const said = readCoreFacts(written).filter((fact) => isSaid(fact));
  const ids = said.length > 0 ? sourcesOf(said) : memories.map(({ id }) => id);
  return sourceNodes(ids, graph).some((node) => isOutdated(node, graph));
}

async function areKnown(ids: readonly string[], { context, person }: PersonState): Promise<boolean> {
  return (await context.records.history(person, { ids })).length === ids.length;
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
  await state.readAll();
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

async function writeCoreSummary(
  state: PersonState,
  found: CentralMemories,
  memories: "all" | "central",
): Promise<CoreSummary | null> {
  const { seed, newestMs, central, memories: centralMemories, current } = found;
  if (central.length === 0) return null;
  const facts = await updateFacts(state, found, memories);
  const said = facts.filter((fact) => isSaid(fact));
  const answer = await askModel(state, found);
  const fromModel = answer?.value ?? null;
  const languageModel = answer === null ? null : { name: state.context.modelCalls!.model.name, steps: [answer.trace] };
  const trace: CoreSummaryTrace = { seed, centralSubset: central, languageModel };
  const ids = [...new Set([...central, ...centralMemories].map(({ id }) => id))];
  // A model's update carries over the old text, so the sources of the old one are also sources of the new one.
  const carried = fromModel === null ? [] : (current?.sourceIds ?? []);
  return {
    text: usesFacts(state.context)
      ? writeFacts(said, factRules(state.context))
      : addPinned(said, fromModel ?? (await writeCoreSentences(centralMemories, state)), state),
    updatedMs: newestMs,
    sourceIds: uniteIds(carried, ids, sourcesOf(facts)),
    trace: JSON.stringify(trace),
    facts: JSON.stringify(facts),
  };
}

/** What somebody pinned comes before what was found without facts. */
function addPinned(pinned: readonly CoreFact[], text: string, { context }: PersonState): string {
  return pinned.length === 0 ? text : `${writeFacts(pinned, factRules(context))}\n${text}`;
}

/** Null if no model is configured, or if facts speak for themselves. */
async function askModel(
  { context, graph }: PersonState,
  { memories, current }: CentralMemories,
): Promise<ModelAnswer<string> | null> {
  const { modelCalls, parameters } = context;
  if (modelCalls === null || usesFacts(context)) return null;
  const outdated = sourceNodes(current?.sourceIds ?? [], graph)
    .filter((node) => isOutdated(node, graph))
    .sort((x, y) => compareAge(y, x))
    .slice(0, parameters.centralCountMax);
  const known = { current: current?.text ?? null, memories: memories.map(textOf), outdated: outdated.map(textOf) };
  return writeCoreSummaryWithModel(known, modelCalls, context);
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
