/**
 * What the core summary knows (section 3.3), as facts in areas of a life: those it says, some that would take their place,
 * and those it said once. A version of the summary is the facts that were said at its time.
 */
import type { MemoryNode } from "../graph/memory-node.js";
import type { CoreSummary } from "../engine/records/person-data.js";
import { splitTerms } from "../text/words.js";
import { embeddedText } from "../reader/cut.js";

export interface CoreFact {
  readonly text: string;
  /** An area of life, or the title of one that somebody pinned it to. */
  readonly area: string;
  /** The memory it comes from. */
  readonly sourceId: string;
  readonly toldMs: number;
  /** That it lasts, in the judge's eyes. */
  readonly probability: number;
  readonly toldCount: number;
  /** Whether its memory has been in the central subset. */
  readonly isCentral: boolean;
  readonly isPinned: boolean;
  /** Whether something else was true before. */
  readonly isChange: boolean;
  /** The version since which it is said, by the time of that version's newest memory; null while it is in reserve. */
  readonly sinceMs: number | null;
  /** Why and when it left; null while it holds. */
  readonly left: FactLeft | null;
}

export interface FactLeft {
  readonly untilMs: number;
  readonly reason: "outdated" | "told again" | "less vital" | "withdrawn";
  /** The memory that took its place. */
  readonly byId: string | null;
}

/** What tells facts apart. */
export function keyOf({ sourceId, text }: Pick<CoreFact, "sourceId" | "text">): string {
  return JSON.stringify([sourceId, text]);
}

/** Whether it was said at a time, by default now. */
export function isSaid({ sinceMs, left }: CoreFact, atMs = Infinity): boolean {
  return sinceMs !== null && sinceMs <= atMs && (left === null || left.untilMs > atMs);
}

export function isHolding({ left }: CoreFact): boolean {
  return left === null;
}

/** From this probability a fact enters though its memory is not central. */
const vitalProbabilityMin = 0.85;

/** The facts of a memory that are clearly vital, or any that last if it is central. */
export function factsOf(
  { id, initMs, facts, summaryText, updates, pinnedArea }: MemoryNode,
  isCentral: boolean,
): CoreFact[] {
  const judged = facts ?? [];
  const own = pinnedArea === null ? [] : judged.filter(({ area }) => area === pinnedArea);
  const strongest = judged.toSorted((x, y) => y.probability - x.probability).slice(0, 1);
  const unjudged = { text: embeddedText(summaryText), area: pinnedArea ?? "", probability: 1 };
  const pinned = pinnedArea === null ? [] : own.length > 0 ? own : strongest.length > 0 ? strongest : [unjudged];
  const entering = judged.filter(
    (fact) => !pinned.includes(fact) && (isCentral || fact.probability >= vitalProbabilityMin),
  );
  const origin = { sourceId: id, toldMs: initMs, toldCount: 1, isCentral, sinceMs: null, left: null };
  // Of a memory with several facts nobody knows which of them changed something.
  const isChange = updates.length > 0 && judged.length <= 1;
  const all = [
    ...pinned.map((fact) => ({ ...fact, area: pinnedArea!, isPinned: true })),
    ...entering.map((fact) => ({ ...fact, isPinned: false })),
  ];
  return all.map((fact) => ({ ...origin, ...fact, isChange }));
}

/** Every recall needs the facts, and they change with a commit at most. */
const factsRead = new WeakMap<object, readonly CoreFact[]>();

/** Of a stored core summary; none where it was written without facts. */
export function readCoreFacts(coreSummary: Pick<CoreSummary, "facts"> | null): readonly CoreFact[] {
  if (coreSummary === null) return [];
  let facts = factsRead.get(coreSummary);
  if (facts === undefined) {
    factsRead.set(coreSummary, (facts = (JSON.parse(coreSummary.facts) as unknown[]).filter(isCoreFact)));
  }
  return facts;
}

const termsRead = new WeakMap<CoreFact, ReadonlySet<string>>();

/** A fact is compared with many. */
export function termsOf(fact: CoreFact): ReadonlySet<string> {
  let terms = termsRead.get(fact);
  if (terms === undefined) termsRead.set(fact, (terms = new Set(splitTerms(fact.text))));
  return terms;
}

/** As far as a date can go. */
const timeMsMax = 8.64e15;

/** An export may have been written by anybody. */
function isCoreFact(value: unknown): value is CoreFact {
  const { text, area, sourceId, toldMs, probability, toldCount, sinceMs, left } = (value ?? {}) as Partial<CoreFact>;
  const numbers = [toldMs, probability, toldCount, sinceMs ?? 0, left?.untilMs ?? 0];
  return (
    [text, area, sourceId].every((each) => typeof each === "string") &&
    numbers.every((each) => typeof each === "number" && Math.abs(each) <= timeMsMax) &&
    (left === null || typeof left === "object")
  );
}

/** The facts without those of forgotten memories, in any version; nor does one still say that a forgotten one was before it. */
export function factsWithout(ids: ReadonlySet<string>, facts: readonly CoreFact[]): CoreFact[] {
  const [gone, rest] = [true, false].map((isGone) => facts.filter(({ sourceId }) => ids.has(sourceId) === isGone));
  const [ofGone, ofRest] = [gone!, rest!].map((some) => new Set(some.map(({ left }) => left?.byId)));
  return rest!.map((fact) => {
    const { sourceId, left, isChange } = fact;
    return {
      ...fact,
      isChange: isChange && (!ofGone!.has(sourceId) || ofRest!.has(sourceId)),
      left: left !== null && ids.has(left.byId ?? "") ? { ...left, byId: null } : left,
    };
  });
}

/** The memories that facts come from or were replaced by. */
export function sourcesOf(facts: readonly CoreFact[]): string[] {
  return facts.flatMap(({ sourceId, left }) => [sourceId, ...(left?.byId == null ? [] : [left.byId])]);
}
