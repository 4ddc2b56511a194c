/**
 * What an interaction is to the memories nearest to it: a repetition of one, an update that makes one outdated, or another
 * fact. The judge compares single statements; longer talks hold many facts at once and are left to the redundancy filter.
 */
import { highestSlots } from "../../core/graph/highest-slots.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type GraphChange, type MemoryNode, compareAge, uniteIds } from "../../core/graph/memory-node.js";
import { splitTerms, splitWords, toTerm } from "../../core/text/words.js";
import type { Parameters } from "../../parameters.js";
import type { JudgedPair, Relation } from "../../ports/judge.js";
import { relationCosineMin, relationWordCountMax } from "../judging.js";
import type { PersonState } from "../person-state.js";
import { type ClaimedUpdate, believedIds } from "../language-model/claimed-updates.js";
import { passLinks } from "../update-links.js";
import type { MemoryDraft } from "./memory-draft.js";
import { embeddedText } from "./statements.js";
import { aboutSelf } from "./own-words.js";
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
  const terms = new Set(splitTerms(told));
  const pairs = findNearest(cosines, graph, parameters).flatMap(({ node, cosine }) => {
    const other = toldIn(node);
    if (other === null) return [];
    // Two facts from one life are rarely about the same thing if nothing connects them.
    const isConnected = cosine >= relationCosineMin || splitTerms(other).some((term) => terms.has(term));
    if (!isConnected) return [];
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
export function toldIn({ statements, summaryText }: Pick<MemoryNode, "statements" | "summaryText">): string | null {
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
  { relationCountMax }: Parameters,
): { node: MemoryNode; cosine: number }[] {
  const values = cosines.map((cosine, slot) => (Number.isNaN(graph.initMs[slot]) ? -Infinity : cosine));
  return highestSlots(values, relationCountMax, graph).map((slot) => ({
    node: graph.nodeAt(slot),
    cosine: values[slot]!,
  }));
}

/** Below this cosine two summaries are about the same thing only if they share a word that is no name. */
const updateCosineMin = 0.5;
/** With a word in common that is no name, this is close enough: two facts about one person share the name at least. */
const sharedWordCosineMin = 0.35;

/** The judge compares what two statements say, and is not always sure what they are about. */
function areAboutTheSame(
  one: Pick<MemoryNode, "summaryText" | "statements">,
  other: Pick<MemoryNode, "summaryText" | "statements">,
  cosine: number,
): boolean {
  if (cosine >= updateCosineMin) return true;
  const words = wordsWithoutNames(one);
  return cosine >= sharedWordCosineMin && [...wordsWithoutNames(other)].some((term) => words.has(term));
}

function wordsWithoutNames({ summaryText, statements }: Pick<MemoryNode, "summaryText" | "statements">): Set<string> {
  const words = [summaryText, ...statements].map(embeddedText).flatMap(splitWords);
  return new Set(words.filter((word) => !/^\p{Lu}/u.test(word)).flatMap((word) => toTerm(word) ?? []));
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
    .filter(({ id: other, cosine }) => areAboutTheSame(draft, graph.node(other)!, cosine))
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
