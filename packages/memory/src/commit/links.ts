/**
 * Links (design: "A ends B"): what the statements of a new memory end. The caller may name it; otherwise the reader's
 * verdicts decide, and what a language model claimed, each for exactly the statement that changed. What arrives late, about
 * an earlier time, may have ended already.
 */
import type { RelatedStatement } from "../engine/commit-trace.js";
import { endersOf } from "../graph/holding.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type GraphChange, type MemoryNode, compareAge } from "../graph/memory-node.js";
import { findSame, passLinks } from "../graph/passed-links.js";
import { type EndLink, type Place, isFact, placeNamed, uniteLinks } from "../graph/statement.js";
import type { Parameters } from "../parameters.js";
import type { ReadInteraction } from "../reader/read.js";
import { splitWords } from "../text/words.js";

export interface NewLinks {
  readonly ends: readonly EndLink[];
  /** Of newer memories that end something in this one. */
  readonly setEnds: GraphChange["setEnds"];
}

/** One statement changes one thing, which may have been told twice. */
const linksPerStatementMax = 2;

/** An end in doubt: the other signs speak for it, and the reader less, or the statements tell much. */
const sureEndsMin = 0.4;
const wordCountMax = 24;

/** `claimed`: memories that a language model took to be changed. `removedId`: the memory whose place it takes. */
export function findLinks(
  { interaction, statements }: ReadInteraction,
  related: readonly RelatedStatement[],
  claimed: readonly string[],
  removedId: string | null,
  graph: MemoryGraph,
  { endProbabilityMin, endDoubtMin }: Parameters,
): NewLinks {
  const { id, initMs } = interaction;
  const heir = { id, initMs, statements };
  const passed = removedId === null ? { ends: [], setEnds: [] } : passLinks(removedId, heir, graph);
  const named = namedPlaces(interaction.updates, graph);
  const isOlder = ({ memory }: Place): boolean => compareAge(graph.node(memory)!, interaction) < 0;
  const isOpen = ({ memory }: Place): boolean => memory !== removedId && memory !== id;
  const asked = named.filter((place) => isOpen(place) && isOlder(place)).map((place) => ({ ...place, by: null }));
  const seems = ({ guard, ends, repeats, memory }: RelatedStatement): boolean =>
    guard === null && ends > repeats && memory !== removedId && memory !== id;
  const isSurely = (each: RelatedStatement): boolean =>
    claimed.includes(each.memory) ||
    (each.probability >= endProbabilityMin && each.ends >= sureEndsMin && areShort(each, statements, graph));
  const surely = related.filter((each) => seems(each) && isSurely(each));
  const doubtful = related.filter((each) => seems(each) && !isSurely(each) && each.probability >= endDoubtMin);
  // A caller who names what is outdated has said it all.
  const seen =
    named.length > 0 ? [] : [...bestOf(surely), ...claimed.flatMap((each) => onlyFactOf(each, surely, graph))];
  const ended = seen.flatMap((link) => (isOlder(link) ? withTwin(link, graph, id) : [])).filter(isOlder);
  const doubted = doubtful
    .filter(isOlder)
    .map(({ memory, position, by }): EndLink => ({ memory, position, by, isDoubtful: true }));
  const endedBy = seen.filter((link) => !isOlder(link));
  const later = new Map(passed.setEnds.map((each) => [each.id, each.ends]));
  for (const { memory, position, by } of endedBy) {
    const ends = later.get(memory) ?? graph.node(memory)!.ends;
    later.set(memory, uniteLinks(ends, [{ memory: id, position: by, by: position }]));
  }
  return {
    ends: uniteLinks(named.length > 0 ? [] : doubted, asked, ended, passed.ends),
    setEnds: [...later].map(([each, ends]) => ({ id: each, ends })),
  };
}

/** A long statement tells several things, and only one of them may have ended. */
function areShort(
  { memory, position, by }: RelatedStatement,
  statements: ReadInteraction["statements"],
  graph: MemoryGraph,
): boolean {
  const texts = [graph.node(memory)!.statements[position]!.text, statements[by]!.text];
  return texts.every((text) => splitWords(text).length <= wordCountMax);
}

/** What a caller's names mean: statements, or whole memories and the memories that say the same. */
export function namedPlaces(names: readonly string[], graph: MemoryGraph): Place[] {
  return names.flatMap((name): Place[] => {
    const node = graph.node(name);
    if (node !== undefined) return withPair(node.id, graph).map((memory) => ({ memory, position: null }));
    const place = placeNamed(name);
    const isThere = place !== null && graph.node(place.memory)?.statements[place.position!] !== undefined;
    return isThere ? withTwin({ ...place, by: null }, graph, null) : [];
  });
}

/** A memory, if it is still one, and the one that says the same. */
export function withPair(id: string, graph: MemoryGraph): string[] {
  const node = graph.node(id);
  return node === undefined ? [] : [id, ...(node.pairId === null ? [] : [node.pairId])];
}

/** What a language model means by a memory that states one thing, where the reader compared nothing of it. */
function onlyFactOf(id: string, related: readonly RelatedStatement[], graph: MemoryGraph): EndLink[] {
  if (related.some(({ memory }) => memory === id)) return [];
  const { statements } = graph.node(id)!;
  const facts = statements.flatMap((statement, position) => (isFact(statement) ? [position] : []));
  const wasRead = statements.some(({ reading }) => reading !== null);
  if (wasRead && facts.length !== 1) return [];
  return [{ memory: id, position: wasRead ? facts[0]! : null, by: null }];
}

function bestOf(related: readonly RelatedStatement[]): RelatedStatement[] {
  const counts = new Map<number, number>();
  return related
    .toSorted((x, y) => y.probability - x.probability)
    .filter(({ by }) => {
      counts.set(by, (counts.get(by) ?? 0) + 1);
      return counts.get(by)! <= linksPerStatementMax;
    });
}

/** A link, and the same to the statement of the paired memory that says it again. `newer`: whose links are made again. */
function withTwin({ memory, position, by }: EndLink, graph: MemoryGraph, newer: string | null): EndLink[] {
  const node = graph.node(memory)!;
  const link = { memory, position, by };
  const pair: MemoryNode | undefined = node.pairId === null ? undefined : graph.node(node.pairId);
  if (pair === undefined || position === null) return [link];
  const twin = findSame(node.statements[position]!, pair.statements);
  const isOpen = twin !== undefined && endersOf(pair, twin, graph, ({ id }) => id !== newer).length === 0;
  return isOpen ? [link, { memory: pair.id, position: twin, by }] : [link];
}
