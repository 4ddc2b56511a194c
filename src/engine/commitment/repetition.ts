/**
 * Whether an interaction repeats a memory (section 3.1.1, Algorithm B2): the paper's score finds the most redundant
 * memory; our own conditions then separate what only sounds alike. Losing a detail is worse than keeping a repetition.
 */
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import type { MemoryNode } from "../../core/graph/memory-node.js";
import { quantileBins } from "../../core/paper/entropy.js";
import { type MostRedundant, MutualInformation, findMostRedundant } from "../../core/paper/redundancy.js";
import { type FreshNumbers, findFreshNumbersSteps } from "../../core/text/fresh-numbers.js";
import { splitTermsSteps } from "../../core/text/words.js";
import type { Parameters } from "../../parameters.js";
import { type ComparedKeywords, sliceSlots } from "../neighbour-scan.js";
import type { ReasonApart, RedundancyTrace } from "./commit-trace.js";
import type { MemoryDraft } from "./memory-draft.js";

export interface Repetition {
  /** The memory that is repeated; null if there is none. */
  readonly repeated: MemoryNode | null;
  /** About the most redundant memory; null in an empty graph. */
  readonly trace: RedundancyTrace | null;
}

export function* findRepetition(
  draft: MemoryDraft,
  keywords: ComparedKeywords,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, Repetition> {
  const found = yield* scanRedundancy(draft, keywords, graph, parameters);
  if (found === null) return { repeated: null, trace: null };
  const { slot, ...score } = found;
  const node = graph.nodeAt(slot);
  const news = yield* findFreshNumbersSteps(draft.summaryText, (term) => graph.lexicalIndex.holds(slot, term));
  const keptApart = yield* findReasonApartSteps(draft, found, news, graph, parameters);
  const { redundancyThreshold: threshold } = parameters;
  return {
    repeated: keptApart === null ? node : null,
    trace: { id: node.id, ...score, threshold, freshNumbers: news.fresh, keptApart },
  };
}

function* scanRedundancy(
  { summaryVector, interaction }: MemoryDraft,
  { count, shared }: ComparedKeywords,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, MostRedundant | null> {
  const { redundancyBinCount } = parameters;
  const newMemory = {
    information: new MutualInformation(quantileBins(summaryVector, redundancyBinCount), redundancyBinCount),
    initMs: interaction.initMs,
    keywordCount: count,
    sharedKeywords: shared,
  };
  let best: MostRedundant | null = null;
  for (let from = 0; from < graph.slotCount; from += sliceSlots) {
    const to = Math.min(from + sliceSlots, graph.slotCount);
    best = findMostRedundant(newMemory, graph, parameters, { best, from, to });
    yield;
  }
  return best;
}

/** Null when the draft repeats the match. */
function* findReasonApartSteps(
  draft: MemoryDraft,
  { slot, score }: MostRedundant,
  news: FreshNumbers,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, ReasonApart | null> {
  if (score < parameters.redundancyThreshold) return "below the threshold";
  if (news.share > parameters.redundancyFreshNumberShareMax) return "numbers of its own";
  if (yield* isShortNewsSteps(draft, slot, graph, parameters)) return "few words, some its own";
  // It stays separate; otherwise it would replace or be replaced again.
  return draft.interaction.restored ? "restored by request" : null;
}

/**
 * In a short summary every word counts. "Ada takes aspirin" after "Ada is allergic to penicillin" is alike in form, but
 * half of its terms are new; "Ada sold the cup" after "Ada sold the lamp" has a different object in the same place.
 */
function* isShortNewsSteps(
  { summaryText }: MemoryDraft,
  slot: number,
  graph: MemoryGraph,
  { redundancyShortTermCountMax }: Parameters,
): Generator<void, boolean> {
  const terms = new Set(yield* splitTermsSteps(summaryText));
  if (terms.size === 0 || terms.size > redundancyShortTermCountMax) return false;
  const newCount = [...terms].filter((term) => !graph.lexicalIndex.holds(slot, term)).length;
  if (newCount * 2 >= terms.size) return true;
  const before = [...new Set(yield* splitTermsSteps(graph.nodeAt(slot).summaryText))];
  const isReplaced = newCount > 0 && before.some((term) => !terms.has(term));
  return isReplaced && before.length <= redundancyShortTermCountMax;
}
