/**
 * The central subset (section 3.3), found every so many commits: what decides in a core memory that is too long, and where no
 * reader tells what lasts, what a language model or the most telling sentences make a text of, starting as "N/A".
 */
import { type CentralScore, centralSubsetSteps } from "../paper/central-subset.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge, noChange, uniteIds } from "../graph/memory-node.js";
import { isAllSilent, isOutdated } from "../graph/holding.js";
import { createRandom } from "../text/random.js";
import { splitSentencesSteps } from "../text/sentences.js";
import { ModelError, StoreError } from "../errors.js";
import type { CoreSummary } from "../engine/records/person-data.js";
import { sampleEvenly, sentenceCountLimit } from "../reader/sentences.js";
import { writeCoreSummaryWithModel } from "../model/language-model-steps.js";
import type { ModelAnswer, ModelStepTrace } from "../engine/parts.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { withoutOutdated } from "../model/outdated-sources.js";
import { textsOf, usesFacts } from "./core.js";
import { type CoreSentence, scoreCoreSentence, selectCoreSentencesSteps } from "./core-sentences.js";
import { isInstruction } from "../english/instructions.js";

export const emptyCoreSummary = "N/A";

export interface CoreSummaryTrace {
  readonly seed: string | null;
  readonly centralSubset: readonly CentralScore[];
  /** Null where no model wrote a text. */
  readonly languageModel: { readonly name: string; readonly steps: readonly ModelStepTrace[] } | null;
}

/** The trace that a store keeps as JSON, read here and nowhere else. */
export function readSummaryTrace({ trace }: CoreSummary): CoreSummaryTrace {
  return JSON.parse(trace) as CoreSummaryTrace;
}

/**
 * Writes it again after something was forgotten. It is due already, so the next commit does it if the embedder is unavailable
 * or the store takes no more, such as a full one.
 */
export async function rebuildCoreSummary(state: PersonState): Promise<void> {
  try {
    await updateCoreSummary(state, "now");
  } catch (error) {
    if (!(error instanceof ModelError || error instanceof StoreError)) throw error;
    const message = "the core summary could not be rewritten yet";
    state.context.log({ level: "warn", message, person: state.person, cause: error });
  }
}

/** How often it is found again because the memories changed meanwhile. */
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
async function tryCoreSummary(state: PersonState, isLast: boolean): Promise<boolean> {
  const { coreSummaryIntervalCommits } = state.context.parameters;
  const { revision } = state;
  const found = await findCentralMemories(state);
  const written = await writeCoreSummary(state, found);
  return state.change(async () => {
    const isOverdue = state.revision !== revision && (!isLast || saysWhatEnded(found, written, state));
    if (isOverdue) return { batch: null, result: false };
    // If a memory it was written from was forgotten in the meantime, it is due again at once.
    const isValid = written === null || (await areKnown(written.sourceIds, state));
    const coreSummary = isValid ? written : null;
    const commitsSinceCoreSummary = isValid ? 0 : coreSummaryIntervalCommits;
    const batch = { change: noChange, outcomes: [], forgetInteractions: [], coreSummary, commitsSinceCoreSummary };
    return { batch, result: true };
  });
}

/** Whether a memory that the text was written from has become outdated in the meantime. */
function saysWhatEnded({ memories }: CentralMemories, written: CoreSummary | null, { graph }: PersonState): boolean {
  if (written?.text == null) return false;
  return memories.some(({ id }) => graph.has(id) && isOutdated(graph.node(id)!, graph));
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
  return pair !== undefined && compareAge(pair, node) < 0 && !isOutdated(pair, graph) && !isAllSilent(pair)
    ? pair
    : node;
}

async function writeCoreSummary(state: PersonState, found: CentralMemories): Promise<CoreSummary | null> {
  const { seed, newestMs, central, memories, current } = found;
  if (central.length === 0) return null;
  const answer = await askModel(state, found);
  const fromModel = answer?.value ?? null;
  const languageModel = answer === null ? null : { name: state.context.modelCalls!.model.name, steps: [answer.trace] };
  const trace: CoreSummaryTrace = { seed, centralSubset: central, languageModel };
  const ids = [...new Set([...central, ...memories].map(({ id }) => id))];
  // A model's update carries over the old text, so the sources of the old one are also sources of the new one.
  const carried = fromModel === null ? [] : (current?.sourceIds ?? []);
  return {
    text: usesFacts(state.context) ? null : (fromModel ?? (await writeCoreSentences(memories, state))),
    updatedMs: newestMs,
    sourceIds: uniteIds(carried, ids),
    trace: JSON.stringify(trace),
  };
}

/** Null if no model is configured, or if facts speak for themselves. */
async function askModel(
  { context, graph }: PersonState,
  { memories, current }: CentralMemories,
): Promise<ModelAnswer<string> | null> {
  const { modelCalls, parameters } = context;
  if (modelCalls === null || usesFacts(context)) return null;
  const sources = (current?.sourceIds ?? []).flatMap((id) => graph.node(id) ?? []).sort((x, y) => compareAge(y, x));
  const { ended, holding } = textsOf(sources, graph);
  const text = current?.text == null ? "" : withoutOutdated(current.text, ended, holding);
  const outdated = ended.slice(0, parameters.centralCountMax);
  const texts = memories.map((node) => textsOf([node], graph).holding.join(" "));
  const known = { current: text === "" ? null : text, memories: texts, outdated };
  return writeCoreSummaryWithModel(known, modelCalls, context);
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
