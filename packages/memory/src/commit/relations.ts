/**
 * What an interaction is to the memories nearest to it: a repetition of one, an update that makes one outdated, or another
 * fact. The judge compares single statements; longer talks hold many facts at once and are left to the redundancy filter.
 */
import { highestSlots } from "../graph/highest-slots.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type GraphChange, type MemoryNode, compareAge, uniteIds } from "../graph/memory-node.js";
import { splitWords } from "../text/words.js";
import type { Parameters } from "../parameters.js";
import type { JudgedPair, Relation } from "../ports/judge.js";
import { relationWordCountMax } from "../reader/reading-queue.js";
import type { PersonState } from "../engine/person-state.js";
import { type ClaimedUpdate, believedIds } from "../model/claimed-updates.js";
import { passLinks } from "../graph/passed-links.js";
import type { MemoryDraft } from "../reader/read.js";
import { embeddedText } from "../reader/cut.js";
import { aboutSelf } from "../english/own-words.js";
import { type WordsReason, correctByWords } from "./relation-words.js";

export interface JudgedRelation extends Relation {
  /** The memory it was compared with. */
  readonly id: string;
  readonly cosine: number;
  /** Why it is not what the judge alone would say. */
  readonly byWords?: WordsReason;
}

export const assistantPrefix = "assistant: ";
/** Words that are longer on average are no statement; so that a long talk is not split into words at every recall. */
const wordLengthMax = 40;

/** Null if nobody judges, or if it holds more than the judge can compare. `cosines`: with every slot of the graph. */
export async function judgeRelations(
  draft: MemoryDraft,
  cosines: Float64Array,
  { graph, context }: PersonState,
): Promise<JudgedRelation[] | null> {
  const { judging, parameters } = context;
  const told = toldIn(draft);
  if (judging === null || told === null) return null;
  const pairs = findNearest(cosines, graph, parameters).flatMap(({ node, cosine }) => {
    const other = toldIn(node);
    if (other === null) return [];
    const [pair, { facts }] = isOlder(node, draft) ? [toPair(other, told), node] : [toPair(told, other), draft];
    return pair === null ? [] : [{ id: node.id, cosine, pair, facts }];
  });
  const relations = await judging.relation(
    pairs.map(({ pair }) => pair),
    "commitment",
  );
  return pairs.map(({ id, cosine, pair, facts }, i) => ({ id, cosine, ...correctByWords(relations[i]!, pair, facts) }));
}

/** A name and a colon, as what somebody other than the user said is quoted. */
const speaker = /^(\p{Lu}[\p{L}'’.-]*(?: \p{Lu}[\p{L}'’.-]*)?): /u;

/**
 * Two statements as the judge compares them, without the names of those who made them. Null if different people speak of
 * themselves: what one of them says changes nothing about the other.
 */
export function toPair(older: string, newer: string): JudgedPair | null {
  const [before, after] = [speaker.exec(older)?.[1], speaker.exec(newer)?.[1]];
  if (before === undefined || after === undefined) return { older, newer };
  const pair = { older: older.replaceAll(`${before}: `, ""), newer: newer.replaceAll(`${after}: `, "") };
  return before !== after && (aboutSelf.test(pair.older) || aboutSelf.test(pair.newer)) ? null : pair;
}

function isOlder(node: MemoryNode, { interaction }: MemoryDraft): boolean {
  return compareAge(node, interaction) < 0;
}

/** What people said, without what an assistant did; null if it is nothing or more than a statement. */
function toldIn({ statements, summaryText }: Pick<MemoryNode, "statements" | "summaryText">): string | null {
  const told = statements
    .filter((statement) => !statement.startsWith(assistantPrefix))
    .map(embeddedText)
    .join(" ");
  const text = statements.length === 0 ? embeddedText(summaryText) : told;
  if (text === "" || text.length > relationWordCountMax * wordLengthMax) return null;
  return splitWords(text).length > relationWordCountMax ? null : text;
}

function findNearest(
  cosines: Float64Array,
  graph: MemoryGraph,
  { relationCountMax, relationCosineMin }: Parameters,
): { node: MemoryNode; cosine: number }[] {
  const isComparable = (cosine: number, slot: number): boolean =>
    cosine >= relationCosineMin && !Number.isNaN(graph.initMs[slot]);
  const values = cosines.map((cosine, slot) => (isComparable(cosine, slot) ? cosine : -Infinity));
  return highestSlots(values, relationCountMax, graph).map((slot) => ({
    node: graph.nodeAt(slot),
    cosine: values[slot]!,
  }));
}

/** One statement changes one thing, which may have been told twice. */
const linkCountMax = 2;

/** A memory, if it is still one, and the one that says the same: whoever names one of them means what both say. */
export function withPair(id: string, graph: MemoryGraph): string[] {
  const node = graph.node(id);
  return node === undefined ? [] : [id, ...(node.pairId === null ? [] : [node.pairId])];
}

export interface UpdateLinks {
  /** What the new memory makes outdated. */
  readonly updates: readonly string[];
  readonly setUpdates: GraphChange["setUpdates"];
}

/**
 * The links of a new memory: to those that the caller named or else a language model or the judge takes to be outdated by
 * it, and those of a memory that it replaces. What arrives late, about an earlier time, may be outdated already.
 */
export function findLinks(
  draft: MemoryDraft,
  relations: readonly JudgedRelation[],
  claims: readonly ClaimedUpdate[],
  removedId: string | null,
  graph: MemoryGraph,
  parameters: Parameters,
): UpdateLinks {
  const { id, initMs, updates: named } = draft.interaction;
  const passed = removedId === null ? { updates: [], setUpdates: [] } : passLinks(removedId, { id, initMs }, graph);
  const changed = relations
    .filter((relation) => relation.update >= parameters.updateProbabilityMin && relation.id !== removedId)
    .toSorted((x, y) => y.update - x.update)
    .slice(0, linkCountMax)
    .map((relation) => graph.node(relation.id)!);
  const wasOutdated = (node: MemoryNode): boolean =>
    graph.outdatedBy(node.id).some((newer) => newer.id !== id && isOlder(newer, draft));
  // Whoever names what is outdated has said it all.
  const seen = named.length > 0 ? [] : changed.filter((node) => !wasOutdated(node));
  const outdated = seen.filter((node) => isOlder(node, draft));
  const asked = named
    .flatMap((each) => withPair(each, graph))
    .filter((each) => each !== removedId && isOlder(graph.node(each)!, draft));
  const [newer] = changed.filter((node) => !isOlder(node, draft)).toSorted(compareAge);
  const linked = new Map(passed.setUpdates.map((each) => [each.id, each.updates]));
  if (newer !== undefined) linked.set(newer.id, uniteIds(linked.get(newer.id) ?? newer.updates, [id]));
  return {
    updates: uniteIds(
      asked,
      outdated.map((node) => node.id),
      believedIds(claims),
      passed.updates,
    ),
    setUpdates: [...linked].map(([linkedId, updates]) => ({ id: linkedId, updates })),
  };
}
