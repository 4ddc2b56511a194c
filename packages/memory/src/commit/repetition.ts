/**
 * Whether an interaction repeats a memory (section 3.1.1, Algorithm B2). Single statements are compared by the judge.
 * Otherwise the paper's score finds the most redundant memory, and our own conditions separate what only sounds alike.
 * Losing a detail is worse than keeping a repetition.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { MemoryNode } from "../graph/memory-node.js";
import { isSameMetadata } from "../graph/metadata.js";
import { quantileBins } from "../paper/entropy.js";
import { type MostRedundant, MutualInformation, findMostRedundant } from "../paper/redundancy.js";
import { splitTermsSteps } from "../text/words.js";
import type { Parameters } from "../parameters.js";
import { isOther } from "../english/changed-words.js";
import { type ComparedKeywords, sliceSlots } from "../graph/neighbour-scan.js";
import type { ReasonApart, RedundancyTrace } from "./commit-trace.js";
import { tellsEndOf } from "../english/ends.js";
import type { MemoryDraft } from "../reader/read.js";
import { type JudgedRelation, assistantPrefix, withPair } from "./relations.js";

export interface Repetition {
  /** The memory that is repeated; null if there is none. */
  readonly repeated: MemoryNode | null;
  /** About the memory that is repeated, or else the most redundant one; null in an empty graph. */
  readonly trace: RedundancyTrace | null;
}

/** `relations`: to the nearest memories, if the judge compared them. */
export function* findRepetition(
  draft: MemoryDraft,
  keywords: ComparedKeywords,
  relations: readonly JudgedRelation[] | null,
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, Repetition> {
  // Whoever says that it is outdated does not say the same again.
  const named = new Set(draft.interaction.updates.flatMap((id) => withPair(id, graph)));
  const unnamed = (relations ?? []).filter(({ id }) => !named.has(id));
  const judged = yield* findJudgedRepetition(draft, unnamed, graph, parameters);
  const judgedSlot = judged === null ? null : graph.slotOf(judged.id);
  const compared = judgedSlot === null ? slotsOfOthers(draft, graph) : [{ from: judgedSlot, to: judgedSlot + 1 }];
  const found = yield* scanRedundancy(draft, keywords, compared, graph, parameters);
  if (found === null) return { repeated: null, trace: null };
  const { slot, ...score } = found;
  const node = graph.nodeAt(slot);
  const terms = yield* termsOfSteps(draft);
  const fresh = terms.filter((term) => !graph.lexicalIndex.holds(slot, term));
  const freshTermShare = terms.length === 0 ? 0 : fresh.length / terms.length;
  const isJudged = relations?.some(({ id }) => id === node.id) ?? false;
  const keptApart =
    judged !== null
      ? null
      : named.has(node.id)
        ? "named as outdated"
        : isJudged
          ? tellsEndOf(toldText(node), toldText(draft))
            ? "tells of an end"
            : "judged to be another fact"
          : findReasonApart(draft, found, freshTermShare, graph, parameters);
  const { redundancyThreshold: threshold } = parameters;
  return {
    repeated: keptApart === null ? node : null,
    trace: { id: node.id, ...score, threshold, freshTermShare, keptApart },
  };
}

/** The memory that the judge takes to say the same, unless it is outdated or the words speak against it. */
function* findJudgedRepetition(
  draft: MemoryDraft,
  relations: readonly JudgedRelation[],
  graph: MemoryGraph,
  { repetitionProbabilityMin }: Parameters,
): Generator<void, MemoryNode | null> {
  if (draft.interaction.restored) return null;
  for (const { id, repetition } of relations.toSorted((x, y) => y.repetition - x.repetition)) {
    if (repetition < repetitionProbabilityMin) return null;
    yield;
    const node = graph.node(id)!;
    // What only its own words made outdated before they were edited holds again.
    const isOutdated = graph.outdatedBy(id).some((newer) => newer.id !== draft.interaction.id);
    if (!isOther(node.summaryText, draft.summaryText) && !isOutdated) return node;
  }
  return null;
}

/**
 * Whether a memory may give way to a repetition without loss: the repetition and the memory it is paired with say all of
 * it, and the repetition is found by the same filters for as long.
 */
export function* mayReplaceSteps(
  draft: MemoryDraft,
  removed: MemoryNode,
  partner: MemoryNode,
  parameters: Parameters,
): Generator<void, boolean> {
  const { metadata, expiresMs } = draft.interaction;
  if (!isSameMetadata(metadata, removed.metadata) || (expiresMs ?? Infinity) < (removed.expiresMs ?? Infinity)) {
    return false;
  }
  return yield* isContainedSteps(removed, [draft, partner], parameters);
}

/** Whether every term of a memory is also in one of the others, but for as many as may be lost. */
function* isContainedSteps(
  memory: MemoryNode,
  others: readonly Pick<MemoryNode, "summaryText" | "statements">[],
  { replacedTermCountMax }: Parameters,
): Generator<void, boolean> {
  const held = new Set<string>();
  for (const other of others) for (const term of yield* termsOfSteps(other)) held.add(term);
  const lost = (yield* termsOfSteps(memory)).filter((term) => !held.has(term));
  return lost.length <= replacedTermCountMax;
}

/** Each once. */
function* termsOfSteps(memory: Pick<MemoryNode, "summaryText" | "statements">): Generator<void, string[]> {
  return [...new Set(yield* splitTermsSteps(textOf(memory)))];
}

/** Without what an assistant said, who ends nothing. */
function toldText({ summaryText, statements }: Pick<MemoryNode, "summaryText" | "statements">): string {
  return [summaryText, ...statements.filter((statement) => !statement.startsWith(assistantPrefix))].join("\n");
}

function textOf({ summaryText, statements }: Pick<MemoryNode, "summaryText" | "statements">): string {
  return [summaryText, ...statements].join("\n");
}

interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** All slots, except that of the memory itself if it is edited. */
function slotsOfOthers({ interaction }: MemoryDraft, graph: MemoryGraph): SlotRange[] {
  if (graph.node(interaction.id) === undefined) return [{ from: 0, to: graph.slotCount }];
  const own = graph.slotOf(interaction.id);
  return [
    { from: 0, to: own },
    { from: own + 1, to: graph.slotCount },
  ];
}

function* scanRedundancy(
  { summaryVector, interaction }: MemoryDraft,
  { count, shared }: ComparedKeywords,
  compared: readonly SlotRange[],
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
  for (const range of compared) {
    for (let { from } = range; from < range.to; from += sliceSlots) {
      const to = Math.min(from + sliceSlots, range.to);
      best = findMostRedundant(newMemory, graph, parameters, { best, from, to });
      yield;
    }
  }
  return best;
}

/** Null when the draft repeats the match. */
function findReasonApart(
  draft: MemoryDraft,
  { slot, score }: MostRedundant,
  freshTermShare: number,
  graph: MemoryGraph,
  { redundancyThreshold, redundancyFreshTermShareMax }: Parameters,
): ReasonApart | null {
  if (score < redundancyThreshold) return "below the threshold";
  // Preset `paper` compares scores and looks at no words.
  if (redundancyFreshTermShareMax < 1) {
    if (freshTermShare > redundancyFreshTermShareMax) return "words of its own";
    if (tellsEndOf(toldText(graph.nodeAt(slot)), toldText(draft))) return "tells of an end";
  }
  // It stays separate; otherwise it would replace or be replaced again.
  return draft.interaction.restored ? "restored by request" : null;
}
