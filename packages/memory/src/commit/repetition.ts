/**
 * Whether an interaction repeats a memory (section 3.1.1, Algorithm B2). One that states facts does only if each of them
 * repeats one there, in the reader's eyes. Otherwise the paper's score finds the most redundant memory, and our own
 * conditions separate what only sounds alike. Losing a detail is worse than keeping a repetition.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type MemoryNode, compareAge } from "../graph/memory-node.js";
import { isSameMetadata } from "../graph/metadata.js";
import { quantileBins } from "../paper/entropy.js";
import { type MostRedundant, MutualInformation, findMostRedundant } from "../paper/redundancy.js";
import { splitTermsSteps } from "../text/words.js";
import type { Parameters } from "../parameters.js";
import { isOther } from "../english/changed-words.js";
import { type ComparedKeywords, sliceSlots } from "../graph/neighbour-scan.js";
import type { ReasonApart, RedundancyTrace, RelatedStatement } from "../engine/commit-trace.js";
import { isOutdated } from "../graph/holding.js";
import { type Place, type Statement, isFact } from "../graph/statement.js";
import { tellsEndOf } from "../english/ends.js";
import { assistant } from "../reader/cut.js";
import type { ReadInteraction } from "../reader/read.js";

export interface Repetition {
  /** The memory that is repeated; null if there is none. */
  readonly repeated: MemoryNode | null;
  /** About the memory that is repeated, or else the most redundant one; null in an empty graph. */
  readonly trace: RedundancyTrace | null;
}

/** `related`: to the nearest facts. `named`: what the caller says is outdated. */
export function* findRepetition(
  read: ReadInteraction,
  keywords: ComparedKeywords,
  related: readonly RelatedStatement[],
  named: readonly Place[],
  graph: MemoryGraph,
  parameters: Parameters,
): Generator<void, Repetition> {
  const outdated = new Set(named.map(({ memory }) => memory));
  const facts = read.statements.flatMap((statement, position) => (isFact(statement) ? [position] : []));
  const told = findToldAgain(
    read,
    facts,
    related.filter(({ memory }) => !outdated.has(memory)),
    graph,
    parameters,
  );
  const toldSlot = told === null ? null : graph.slotOf(told.id);
  const compared = toldSlot === null ? slotsOfOthers(read, graph) : [{ from: toldSlot, to: toldSlot + 1 }];
  const found = yield* scanRedundancy(read, keywords, compared, graph, parameters);
  if (found === null) return { repeated: null, trace: null };
  const { slot, ...score } = found;
  const node = graph.nodeAt(slot);
  const terms = yield* termsOfSteps(read);
  const fresh = terms.filter((term) => !graph.lexicalIndex.holds(slot, term));
  const freshTermShare = terms.length === 0 ? 0 : fresh.length / terms.length;
  const keptApart =
    told !== null
      ? null
      : outdated.has(node.id)
        ? "named as outdated"
        : facts.length > 0
          ? "tells facts of its own"
          : findReasonApart(read, found, freshTermShare, graph, parameters);
  const { redundancyThreshold: threshold } = parameters;
  return {
    repeated: keptApart === null ? node : null,
    trace: { id: node.id, ...score, threshold, freshTermShare, keptApart },
  };
}

/** The memory of which every fact is told again, unless it is outdated or the words speak against it. */
function findToldAgain(
  { interaction, statements }: ReadInteraction,
  facts: readonly number[],
  related: readonly RelatedStatement[],
  graph: MemoryGraph,
  { repetitionProbabilityMin }: Parameters,
): MemoryNode | null {
  if (interaction.restored || facts.length === 0) return null;
  const again = related.filter(({ memory, position, by, repeats, ends }) => {
    const older = graph.node(memory)!.statements[position]!;
    return repeats >= Math.max(repetitionProbabilityMin, ends) && !isOther(older.text, statements[by]!.text);
  });
  const ids = [...new Set(again.map(({ memory }) => memory))];
  const all = ids.filter((id) => facts.every((by) => again.some((each) => each.memory === id && each.by === by)));
  // What only its own words ended before they were edited holds again.
  const holding = all
    .map((id) => graph.node(id)!)
    .filter((node) => !isOutdated(node, graph, ({ id }) => id !== interaction.id));
  return holding.sort(compareAge)[0] ?? null;
}

/**
 * Whether a memory may give way to a repetition without loss: the repetition and the memory it is paired with say all of
 * it, and the repetition is found by the same filters for as long.
 */
export function* mayReplaceSteps(
  draft: ReadInteraction,
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

type Said = Pick<MemoryNode, "summaryText" | "statements">;

/** Without what an assistant said, who ends nothing. */
function toldText({ summaryText, statements }: Said): string {
  return [summaryText, ...statements.filter(({ who }) => who !== assistant).map(quoted)].join("\n");
}

function textOf({ summaryText, statements }: Said): string {
  return [summaryText, ...statements.map(quoted)].join("\n");
}

function quoted({ who, text, asked }: Statement): string {
  return [who, asked, text].filter((part) => part !== null).join(" ");
}

interface SlotRange {
  readonly from: number;
  readonly to: number;
}

/** All slots, except that of the memory itself if it is edited. */
function slotsOfOthers({ interaction }: ReadInteraction, graph: MemoryGraph): SlotRange[] {
  if (graph.node(interaction.id) === undefined) return [{ from: 0, to: graph.slotCount }];
  const own = graph.slotOf(interaction.id);
  return [
    { from: 0, to: own },
    { from: own + 1, to: graph.slotCount },
  ];
}

function* scanRedundancy(
  { summaryVector, interaction }: ReadInteraction,
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
  draft: ReadInteraction,
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
