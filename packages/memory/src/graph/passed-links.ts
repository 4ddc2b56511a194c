/**
 * What becomes of links when memories go. A link never names what is gone, and what was ended stays so as long as anything
 * is left that was newer: what ended a removed statement takes over what that one had ended.
 */
import { splitTerms } from "../text/words.js";
import type { MemoryGraph } from "./memory-graph.js";
import { type GraphChange, type MemoryNode, compareAge } from "./memory-node.js";
import { type EndLink, type Mark, type Place, type Statement, uniteLinks } from "./statement.js";

type SetEnds = GraphChange["setEnds"];

/** The links of memories that stay, where they name a removed one. */
export function linksAfterRemoval(removed: ReadonlySet<string>, graph: MemoryGraph): SetEnds {
  const newer = new Set([...removed].flatMap((id) => graph.linksTo(id).map(({ from }) => from)));
  return [...newer]
    .filter((id) => !removed.has(id))
    .map((id) => ({ id, ends: endsAfterRemoval(graph.node(id)!.ends, removed, graph) }));
}

/** Memories and what they ended. */
export interface LinkedMemories {
  node(id: string): Pick<MemoryNode, "ends"> | undefined;
}

/** Links with those of removed memories in the place of links to these. */
export function endsAfterRemoval(
  ends: readonly EndLink[],
  removed: ReadonlySet<string>,
  graph: LinkedMemories,
): EndLink[] {
  const reached = [...ends];
  const seen = new Set<string>();
  // A list that grows while it is walked: every link is followed once, however the links run.
  for (const link of reached) {
    const key = JSON.stringify([link.memory, link.position, link.by]);
    if (!removed.has(link.memory) || seen.has(key)) continue;
    seen.add(key);
    for (const older of endedBy(link, graph.node(link.memory)?.ends ?? [])) reached.push({ ...older, by: link.by });
  }
  return uniteLinks(reached.filter(({ memory }) => !removed.has(memory)));
}

/** Of a memory's links, those by one of its statements, or all of them. */
export function endedBy({ position }: Place, ends: readonly EndLink[]): EndLink[] {
  return ends.filter(({ by }) => position === null || by === null || by === position);
}

/** The links of a memory and its pair without those to a place, and to its pair; nothing if there are none. */
export function linksWithout(newer: Place, older: Place, graph: MemoryGraph): SetEnds {
  const both = (id: string): MemoryNode[] =>
    [graph.node(id), graph.node(graph.node(id)?.pairId ?? "")].flatMap((node) => node ?? []);
  const olderIds = new Set(both(older.memory).map(({ id }) => id));
  const isMeant = ({ memory, position, by }: EndLink): boolean =>
    olderIds.has(memory) &&
    (older.position === null || position === older.position || memory !== older.memory) &&
    (newer.position === null || by === newer.position);
  return both(newer.memory)
    .filter(({ ends }) => ends.some(isMeant))
    .map(({ id, ends }) => ({ id, ends: ends.filter((link) => !isMeant(link)) }));
}

/** Where a statement stands after its memory was cut again; undefined if it is no longer said. */
export type Move = (position: number | null) => number | null | undefined;

/** `gone`: positions of what was taken out, whatever else sounds like it. */
export function movesBetween(
  former: readonly Statement[],
  statements: readonly Statement[],
  gone: ReadonlySet<number> = new Set(),
): Move {
  return (position) => {
    if (position === null) return null;
    return gone.has(position) ? undefined : findSame(former[position]!, statements);
  };
}

export interface PassedLinks {
  /** What the heir ends: its own links and those of the removed memory. */
  readonly ends: readonly EndLink[];
  /** The memories that ended something in the removed one, with the heir in its place. */
  readonly setEnds: SetEnds;
}

/**
 * The links of a memory that another one replaces (Algorithm 1, case 3). A memory cannot have ended anything in a later
 * one: if the heir says again what had ended, it holds.
 */
export function passLinks(
  removedId: string,
  heir: Pick<MemoryNode, "id" | "initMs" | "statements">,
  graph: MemoryGraph,
): PassedLinks {
  const removed = graph.node(removedId)!;
  const ends = [...(graph.node(heir.id)?.ends ?? []), ...removed.ends.map((link) => ({ ...link, by: null }))].filter(
    ({ memory }) => memory !== removedId && memory !== heir.id && compareAge(graph.node(memory)!, heir) < 0,
  );
  const from = new Set(graph.linksTo(removedId).map((link) => link.from));
  const setEnds = [...from]
    .filter((id) => id !== heir.id)
    .map((id) => {
      const newer = graph.node(id)!;
      const passed = newer.ends.flatMap((link) => {
        if (link.memory !== removedId) return [link];
        if (compareAge(heir, newer) >= 0) return [];
        const position = link.position === null ? null : findSame(removed.statements[link.position]!, heir.statements);
        return position === undefined ? [] : [{ ...link, memory: heir.id, position }];
      });
      return { id, ends: uniteLinks(passed) };
    });
  return { ends: uniteLinks(ends), setEnds };
}

/** The marks of what is still said. */
export function moveMarks(marks: readonly Mark[], move: Move): Mark[] {
  return marks.flatMap((mark) => {
    const position = move(mark.position);
    return position === undefined ? [] : [{ ...mark, position }];
  });
}

/** Of their terms, that two statements share if they say the same. */
const sameShareMin = 0.4;

/** The position of the statement that says the same as another one; undefined if none does. */
export function findSame({ text }: Statement, statements: readonly Statement[]): number | undefined {
  const exact = statements.findIndex((statement) => statement.text === text);
  if (exact >= 0) return exact;
  const terms = new Set(splitTerms(text));
  const shares = statements.map((statement) => {
    const others = new Set(splitTerms(statement.text));
    const shared = [...terms].filter((term) => others.has(term)).length;
    return shared / Math.max(1, terms.size + others.size - shared);
  });
  const best = shares.indexOf(Math.max(0, ...shares));
  return best >= 0 && shares[best]! >= sameShareMin ? best : undefined;
}
