/**
 * The core summary as facts in areas of a life (section 3.3): of everything that lasts and still holds, what matters most,
 * within a number of words. Pinned facts come first, then alerts, then by how vital an area is, how surely a fact lasts,
 * how often it was told and whether its memory is central. Between facts that may exclude each other the newer holds.
 */
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type LastingFact, type MemoryNode, compareAge } from "../../core/graph/memory-node.js";
import { isOutdated } from "../../core/graph/outdated.js";
import { formatDate } from "../../core/paper/naturalized-time.js";
import { splitTerms } from "../../core/text/words.js";
import type { LifeArea } from "../../ports/judge.js";
import type { ProfileArea } from "../../profiles/profile.js";
import { toPair } from "../commitment/relations.js";
import type { Judging } from "../judging.js";

export interface CoreFact {
  /** Title of the profile's area. */
  readonly area: string;
  readonly text: string;
  readonly sourceId: string;
  readonly at: string;
  /** That it lasts, in the judge's eyes. */
  readonly probability: number;
  /** How often it was told. */
  readonly toldCount: number;
  readonly isCentral: boolean;
  readonly isPinned: boolean;
  /** What its place was decided by. */
  readonly value: number;
}

interface Candidate extends CoreFact {
  readonly node: MemoryNode;
  readonly terms: ReadonlySet<string>;
}

const toldWeight = 0.1;
const centralWeight = 0.1;
/** A pinned fact is never cut, an alert only by those. */
const pinnedValue = 100;
const alertValue = 10;
/** Facts with at least this share of common terms are one. */
const sameShareMin = 0.6;
/** Candidates beyond these have no place in a summary; so many are compared. */
const comparedCountMax = 60;
/** That the newer of two facts changed the older: too weak for a link, but the older would be said to hold. */
const changeMin = 0.35;

/** All that lasts and holds, the most vital first, each once. */
export function gatherFacts(
  judged: ReadonlyMap<string, readonly LastingFact[]>,
  graph: MemoryGraph,
  centralIds: ReadonlySet<string>,
  areas: readonly ProfileArea[],
): Candidate[] {
  const found: Candidate[] = [];
  const nodes = [...graph.nodes()].filter((node) => !isOutdated(node, graph)).sort(compareAge);
  for (const node of nodes) {
    for (const fact of factsOf(node, judged.get(node.id) ?? [])) {
      const profileArea = findArea(areas, fact.area) ?? areas.find(({ title }) => title === fact.area);
      if (profileArea === undefined) continue;
      const terms = new Set(splitTerms(fact.text));
      const same = found.findIndex((other) => areSame(other.terms, terms));
      const before = found[same];
      const isPinned = node.pinnedArea !== null || (before?.isPinned ?? false);
      const isCentral = centralIds.has(node.id) || (before?.isCentral ?? false);
      const toldCount = (before?.toldCount ?? 0) + 1;
      const value =
        (isPinned ? pinnedValue : 0) +
        (profileArea.isAlert === true && fact.probability >= 0.5 ? alertValue : 0) +
        profileArea.weight +
        fact.probability +
        toldWeight * Math.log2(toldCount) +
        (isCentral ? centralWeight : 0);
      const { title } = profileArea;
      const at = new Date(node.initMs).toISOString();
      const { text, probability } = fact;
      found.push({
        area: title,
        text,
        sourceId: node.id,
        at,
        probability,
        toldCount,
        isCentral,
        isPinned,
        value,
        node,
        terms,
      });
      // Told again: the newer one stands for both.
      if (same >= 0) found.splice(same, 1);
    }
  }
  return found.sort((x, y) => y.value - x.value || compareAge(y.node, x.node));
}

function factsOf(node: MemoryNode, facts: readonly LastingFact[]): readonly LastingFact[] {
  if (node.pinnedArea === null) return facts;
  const own = facts.filter(({ area }) => area === node.pinnedArea);
  return own.length > 0 ? own : [{ text: node.summaryText, area: node.pinnedArea, probability: 1 }];
}

function findArea(areas: readonly ProfileArea[], area: string): ProfileArea | undefined {
  return areas.find(({ of }) => of.includes(area as LifeArea));
}

function areSame(x: ReadonlySet<string>, y: ReadonlySet<string>): boolean {
  const shared = [...x].filter((term) => y.has(term)).length;
  return shared > 0 && shared / (x.size + y.size - shared) >= sameShareMin;
}

/** Without those that a newer one may well have changed. */
export async function dropChanged(candidates: readonly Candidate[], judging: Judging | null): Promise<Candidate[]> {
  if (judging === null) return [...candidates];
  const compared = candidates.slice(0, comparedCountMax).toSorted((x, y) => compareAge(x.node, y.node));
  const pairs = compared.flatMap((newer, i) =>
    compared.slice(0, i).flatMap((older) => {
      if (older.node === newer.node || !areRelated(older, newer)) return [];
      const pair = toPair(older.text, newer.text);
      return pair === null ? [] : [{ older, pair }];
    }),
  );
  const relations = await judging.relation(pairs.map(({ pair }) => pair));
  const changed = new Set(pairs.filter((_, i) => relations[i]!.update >= changeMin).map(({ older }) => older));
  return candidates.filter((candidate) => !changed.has(candidate));
}

function areRelated(older: Candidate, newer: Candidate): boolean {
  return older.area === newer.area || [...older.terms].some((term) => newer.terms.has(term));
}

/** The first that fit into so many words, titles and dates included. */
export function chooseFacts(candidates: readonly Candidate[], wordCountMax: number, timeZone: string): CoreFact[] {
  const chosen: CoreFact[] = [];
  for (const { node: _, terms: __, ...fact } of candidates) {
    const text = writeFacts([...chosen, fact], [fact.area, ...chosen.map(({ area }) => area)], timeZone);
    if (countWords(text) <= wordCountMax) chosen.push(fact);
  }
  return chosen;
}

/** Short lines under their areas, in the order of the areas. */
export function writeFacts(facts: readonly CoreFact[], titles: readonly string[], timeZone: string): string {
  return [...new Set(titles)]
    .flatMap((title) => {
      const lines = facts.filter(({ area }) => area === title).map((fact) => `- ${writeFact(fact, timeZone)}`);
      return lines.length === 0 ? [] : [title, ...lines];
    })
    .join("\n");
}

/** Words whose meaning depends on the day they were said on. */
const dayWords =
  /\b(?:today|tonight|tomorrow|yesterday|this (?:morning|evening|week|month|year)|(?:next|last) (?:week|month|year|night|\p{L}+day)|just|now|since|from \p{L}+day|in (?:january|february|march|april|may|june|july|august|september|october|november|december))\b/iu;

function writeFact({ text, at }: CoreFact, timeZone: string): string {
  const line = text.replace(/\s+/gu, " ");
  return dayWords.test(line) ? `${line} (${formatDate(Date.parse(at), timeZone).replace(/^\S+ /u, "")})` : line;
}

function countWords(text: string): number {
  return text.split(/\s+/u).length;
}
