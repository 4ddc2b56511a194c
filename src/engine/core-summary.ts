/**
 * Core summary (section 3.3): what the assistant has learned of a person, written from a central subset of fixed size and
 * always part of the context. It starts as "N/A", is written anew every so many commits, and when a memory it was written
 * from is forgotten it is written from nothing, so that no forgotten word lives on in it.
 */
import { centralSubsetSteps, type CentralScore } from "../core/central-subset.js";
import type { MemoryGraph } from "../core/memory-graph.js";
import { compareAge, noChange } from "../core/memory-node.js";
import { createRandom } from "../core/random.js";
import { splitSentences } from "../core/sentences.js";
import { splitTerms, splitWords } from "../core/words.js";
import type { CoreSummary } from "../ports/store.js";
import { writeCoreSummaryWithModel } from "./language-model-steps.js";
import type { PersonState } from "./person-state.js";
import { runInSlices } from "./serial-lock.js";

export const emptyCoreSummary = "N/A";

export interface CoreSummaryTrace {
  readonly seed: string;
  readonly centralSubset: readonly CentralScore[];
  readonly languageModel: { readonly name: string; readonly used: boolean } | null;
}

/** Writes the core summary when it is due, or now. */
export async function updateCoreSummary(state: PersonState, when: "when due" | "now"): Promise<void> {
  const { coreSummaryIntervalCommits } = state.context.parameters;
  if (coreSummaryIntervalCommits === 0) return;
  if (when === "when due" && state.commitsSinceCoreSummary < coreSummaryIntervalCommits) return;
  const written = await writeCoreSummary(state, await state.exclusively(() => findCentralMemories(state)));
  await state.change(async () => {
    // A memory it was written from may have been forgotten while it was being written.
    const isValid = written === null || written.sourceIds.every((id) => state.graph.node(id) !== undefined);
    const coreSummary = isValid ? written : null;
    const commitsSinceCoreSummary = isValid ? 0 : coreSummaryIntervalCommits;
    return {
      batch: { change: noChange, outcomes: [], forgetInteractions: [], coreSummary, commitsSinceCoreSummary },
      result: undefined,
    };
  });
}

interface CentralMemories {
  readonly seed: string;
  readonly newestMs: number;
  readonly central: readonly CentralScore[];
  readonly summaries: readonly string[];
  readonly sentences: string;
  readonly current: CoreSummary | null;
}

/** The central subset and its texts. Ages count from the newest memory, so that an imported past is seen as it was. */
async function findCentralMemories({
  context,
  graph,
  person,
  revision,
  coreSummary,
}: PersonState): Promise<CentralMemories> {
  const { parameters } = context;
  const seed = `core summary of ${person} at revision ${revision}`;
  const newestMs = [...graph.nodes()].reduce((newest, { initMs }) => Math.max(newest, initMs), -Infinity);
  const central = await runInSlices(centralSubsetSteps(graph, newestMs, createRandom(seed), parameters));
  const memories = central.map(({ id }) => graph.node(id)!).sort(compareAge);
  return {
    seed,
    newestMs,
    central,
    summaries: memories.map(({ summaryText }) => summaryText),
    sentences: selectCoreSentences(
      central.map(({ id }) => id),
      graph,
      parameters.coreSummaryWordCountMax,
    ),
    current: coreSummary,
  };
}

async function writeCoreSummary({ context }: PersonState, found: CentralMemories): Promise<CoreSummary | null> {
  const { languageModel } = context;
  const { seed, newestMs, central, summaries, sentences, current } = found;
  if (central.length === 0) return null;
  const ids = central.map(({ id }) => id);
  const fromModel =
    languageModel === null
      ? null
      : await writeCoreSummaryWithModel(current?.text ?? null, summaries, languageModel, context);
  const trace: CoreSummaryTrace = {
    seed,
    centralSubset: central,
    languageModel: languageModel === null ? null : { name: languageModel.name, used: fromModel !== null },
  };
  return {
    text: fromModel ?? sentences,
    updatedMs: newestMs,
    // A model's update carries the old text on, so what fed the old one feeds the new one.
    sourceIds: fromModel === null ? ids : [...new Set([...(current?.sourceIds ?? []), ...ids])],
    trace: JSON.stringify(trace),
  };
}

interface CoreSentence {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly wordCount: number;
  readonly memory: { readonly id: string; readonly initMs: number };
  readonly position: number;
}

/**
 * The core summary without a language model: sentences of the central memories that speak of what keeps coming up in this
 * person's life, one from each memory before a second from any, without saying a thing twice, in the order of time.
 */
export function selectCoreSentences(ids: readonly string[], graph: MemoryGraph, wordCountMax: number): string {
  const sentences = ids.flatMap((id) => sentencesOf(id, graph));
  const chosen: CoreSentence[] = [];
  const taken = new Map<string, number>();
  let wordsLeft = wordCountMax;
  for (;;) {
    const fitting = sentences.filter((sentence) => !chosen.includes(sentence) && sentence.wordCount <= wordsLeft);
    const fewest = Math.min(...fitting.map(({ memory }) => taken.get(memory.id) ?? 0));
    const next = fitting
      .filter(({ memory }) => (taken.get(memory.id) ?? 0) === fewest)
      .map((sentence) => ({ sentence, gain: recurrence(sentence, graph) * (1 - overlap(sentence, chosen)) }))
      .sort((x, y) => y.gain - x.gain)[0];
    if (next === undefined || next.gain <= 0) break;
    chosen.push(next.sentence);
    taken.set(next.sentence.memory.id, fewest + 1);
    wordsLeft -= next.sentence.wordCount;
  }
  return chosen
    .sort((x, y) => compareAge(x.memory, y.memory) || x.position - y.position)
    .map(({ text }) => `- ${text}`)
    .join("\n");
}

function sentencesOf(id: string, graph: MemoryGraph): CoreSentence[] {
  const memory = graph.node(id)!;
  return splitSentences(memory.summaryText).map((text, position) => ({
    text,
    terms: new Set(splitTerms(text)),
    wordCount: splitWords(text).length,
    memory,
    position,
  }));
}

/** How much a sentence is about what comes up again and again: the mean share of memories that hold each of its terms. */
function recurrence({ terms }: CoreSentence, graph: MemoryGraph): number {
  const { documentCount, documentFrequency } = graph.lexicalIndex;
  let sum = 0;
  for (const term of terms) sum += Math.log2(documentFrequency(term)) / Math.log2(Math.max(2, documentCount));
  return sum / Math.max(6, terms.size);
}

/** Largest share of a sentence's terms that one already chosen has too. */
function overlap({ terms }: CoreSentence, chosen: readonly CoreSentence[]): number {
  let largest = 0;
  for (const other of chosen) {
    const shared = [...terms].filter((term) => other.terms.has(term)).length;
    largest = Math.max(largest, shared / Math.max(1, terms.size));
  }
  return largest;
}
