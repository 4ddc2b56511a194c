/**
 * Facts are carried on from version to version of the core summary, so that a step costs the same however many memories
 * there are. A fact stays until it is outdated, forgotten or more vital ones take its place; pinned facts come first, then
 * alerts, then by how vital the area is, how surely the fact lasts, how often it was told and whether its memory is central.
 */
import type { ProfileArea } from "../profiles/profile.js";
import type { ChangedFact } from "./changed-facts.js";
import { type CoreFact, type FactLeft, isHolding, keyOf, termsOf } from "./core-fact.js";
import { type LineRules, areaOf, countLineWords, writeFact } from "./fact-lines.js";

/** What happened since the last version. */
export interface FactStep {
  /** The time of the newest memory. */
  readonly atMs: number;
  /** That of the last version: what was told by then has been counted. */
  readonly countedMs: number;
  readonly added: readonly CoreFact[];
  /** Memories whose facts are all among those added. */
  readonly renewed: ReadonlySet<string>;
  /** Memories that no longer hold, with those that made them outdated. */
  readonly ended: ReadonlyMap<string, string | null>;
  /** By their keys, facts that newer ones exclude. */
  readonly changed: ReadonlyMap<string, ChangedFact>;
}

const reserveCountMax = 40;
const leftCountMax = 100;

const pinnedValue = 100;
const alertValue = 10;
const toldWeight = 0.1;
const centralWeight = 0.1;
const passingMin = 1e-3;
/** Per word beyond a short line. */
const lengthWeight = 0.01;
const shortWordCount = 16;
/** What each fact of an area that comes before it costs another: areas take turns. */
const turnWeight = 0.15;
/** Facts with at least this share of common terms are one. */
const sameShareMin = 0.6;

/** Those said, the most vital first, then the reserve, then those that left, the last one last. */
export function carryFacts(before: readonly CoreFact[], step: FactStep, rules: LineRules): CoreFact[] {
  const gone: CoreFact[] = [];
  const leave = (fact: CoreFact, reason: FactLeft["reason"], byId: string | null): void => {
    if (fact.sinceMs !== null) gone.push({ ...fact, left: { untilMs: step.atMs, reason, byId } });
  };
  const known = new Map(before.filter(isHolding).map((fact) => [keyOf(fact), fact]));
  const added = step.added.filter((fact) => !step.changed.has(keyOf(fact)) && !step.ended.has(fact.sourceId));
  const addedKeys = new Set(added.map(keyOf));
  const isNew = ({ toldMs }: CoreFact): boolean => before.length === 0 || toldMs > step.countedMs;
  let held: CoreFact[] = [];
  for (const [key, fact] of known) {
    const endedBy = step.ended.get(fact.sourceId) ?? step.changed.get(key)?.byId;
    if (endedBy !== undefined || step.ended.has(fact.sourceId)) leave(fact, "outdated", endedBy ?? null);
    else if (addedKeys.has(key)) continue;
    else if (step.renewed.has(fact.sourceId)) leave(fact, "withdrawn", null);
    else held.push(fact);
  }
  for (const fact of added) {
    const same = held.filter((other) => areOne(other, fact));
    const chosen = same.reduce((best, other) => (speaksBefore(other, best) ? other : best), fact);
    for (const other of [...same, fact]) if (other !== chosen) leave(other, "told again", chosen.sourceId);
    held = [...held.filter((other) => !same.includes(other)), mergeFacts(chosen, [...same, fact], isNew(fact), known)];
  }
  const ranked = rankFacts(held, rules.areas);
  const said = new Set(chooseSaid(ranked, rules));
  for (const fact of ranked) if (!said.has(fact)) leave(fact, "less vital", null);
  const reserve = ranked.filter((fact) => !said.has(fact)).slice(0, reserveCountMax);
  return [
    ...[...said].map((fact) => ({ ...fact, sinceMs: fact.sinceMs ?? step.atMs })),
    ...reserve.map((fact) => ({ ...fact, sinceMs: null })),
    ...[...before.filter((fact) => !isHolding(fact)), ...gone].slice(-leftCountMax),
  ];
}

/** A pin belongs to one memory: another fact is the same only if it says nothing more. */
function areOne(held: CoreFact, fact: CoreFact): boolean {
  if (!areSame(held, fact)) return false;
  if (held.isPinned === fact.isPinned) return true;
  const [pinned, other] = held.isPinned ? [held, fact] : [fact, held];
  return [...termsOf(other)].every((term) => termsOf(pinned).has(term));
}

function speaksBefore(one: CoreFact, other: CoreFact): boolean {
  return one.isPinned === other.isPinned ? one.toldMs > other.toldMs : one.isPinned;
}

/** One fact that stands for all that say the same. `isNew`: whether the last of them has not been counted. */
function mergeFacts(
  chosen: CoreFact,
  all: readonly CoreFact[],
  isNew: boolean,
  known: ReadonlyMap<string, CoreFact>,
): CoreFact {
  const earlier = known.get(keyOf(chosen));
  const counts = all.map(({ toldCount }) => toldCount);
  const toldCount = isNew ? counts.reduce((sum, count) => sum + count, 0) : Math.max(...counts);
  return {
    ...chosen,
    toldCount: Math.max(toldCount, earlier?.toldCount ?? 0),
    probability: Math.max(...all.map(({ probability }) => probability)),
    isCentral: (earlier?.isCentral ?? false) || all.some(({ isCentral }) => isCentral),
    isChange: (earlier?.isChange ?? false) || all.some(({ isChange }) => isChange),
    sinceMs: earlier?.sinceMs ?? null,
  };
}

function areSame(one: CoreFact, other: CoreFact): boolean {
  const [x, y] = [termsOf(one), termsOf(other)];
  const shared = [...x].filter((term) => y.has(term)).length;
  return shared > 0 && shared / (x.size + y.size - shared) >= sameShareMin;
}

/** What a fact's place is decided by. */
export function valueOf({ text, isPinned, isCentral, probability, toldCount }: CoreFact, area: ProfileArea): number {
  return (
    (isPinned ? pinnedValue : 0) +
    (area.isAlert === true ? alertValue : 0) +
    area.weight +
    surenessOf(probability) +
    toldWeight * Math.log2(toldCount) +
    (isCentral ? centralWeight : 0) -
    lengthWeight * Math.max(0, countLineWords(text) - shortWordCount)
  );
}

/** From 0 to 1: among probabilities close to 1 it is the distance to 1 that counts. */
function surenessOf(probability: number): number {
  return Math.min(1, -Math.log10(Math.max(1 - probability, passingMin)) / -Math.log10(passingMin));
}

/** The most vital first, the areas in turn; those that belong to no area are left out. */
export function rankFacts(facts: readonly CoreFact[], areas: readonly ProfileArea[]): CoreFact[] {
  let left = facts.flatMap((fact) => {
    const area = areaOf(fact, areas);
    return area === null ? [] : [{ fact, area, value: valueOf(fact, area) }];
  });
  left.sort((x, y) => y.value - x.value || y.fact.toldMs - x.fact.toldMs);
  const ranked: CoreFact[] = [];
  while (left.length > 0) {
    const next = left.reduce((best, other) => (other.value > best.value ? other : best));
    ranked.push(next.fact);
    left = left
      .filter((other) => other !== next)
      .map((other) => (other.area === next.area ? { ...other, value: other.value - turnWeight } : other));
  }
  return ranked;
}

/** The first that fit into so many words, headings and dates included; pinned ones whatever their length. */
function chooseSaid(ranked: readonly CoreFact[], { areas, timeZone, wordCountMax }: LineRules): CoreFact[] {
  const chosen: CoreFact[] = [];
  const begun = new Set<ProfileArea>();
  let left = wordCountMax;
  for (const fact of ranked) {
    const area = areaOf(fact, areas)!;
    const heading = begun.has(area) ? 0 : countLineWords(area.title);
    const wordCount = heading + countLineWords(`- ${writeFact(fact, timeZone)}`);
    if (!fact.isPinned && wordCount > left) continue;
    left -= wordCount;
    begun.add(area);
    chosen.push(fact);
  }
  return chosen;
}
