/**
 * Which facts newer ones exclude: the judge's word that one statement changed the other, how alike the areas of life are
 * that both speak of, and the terms they share. That is a weaker sign than a link between memories needs, but enough not to
 * say any longer that the older one holds.
 */
import { isNumberWord, isSpelledNumber, splitWords } from "../text/words.js";
import type { AreaShares, JudgedPair } from "../ports/judge.js";
import { findGuard } from "../commit/relation-words.js";
import { toPair } from "../commit/relations.js";
import { type Judging, logOdds, relationWordCountMax } from "../reader/reading-queue.js";
import { type CoreFact, keyOf, termsOf } from "./core-fact.js";

/** That a newer fact changed an older one: fitted on the lives of training/data with authors held out. */
const bias = -5.65;
const updateWeight = 0.62;
const areaWeight = 4.84;
const termWeight = 1.71;

/** From here on the older fact is no longer said, and from there on it surely was so before. */
const changedMin = logOdds(0.2);
const surelyChangedMin = logOdds(0.5);
/** How much likelier than any other it must be if they have no word in common. */
const marginMin = 1;
/** Pairs that are compared, those that share most; each takes the judge as long as another statement. */
const comparedCountMax = 8;
/** Facts of a life that the probability was fitted on: among more, each of them is less likely to be the one. */
const fittedCount = 25;

/** Words of somebody who tells that something has ended. */
const ending =
  /\b(?:no (?:more|longer)|any ?more|stopped|gave up|given up|quit|retired|moved|swapped|switched|replaced|instead|sold|ended|finished|over|closed|shut|died|split|broke up|separated|divorced|cancell?ed|gone|for good|(?:is|are|was|has|have|do|does|will|wo|would|could|can)n['’]t)\b/iu;

export interface ChangedFact {
  /** The memory of the fact that excludes it. */
  readonly byId: string;
  readonly byText: string;
  /** Whether it surely was so before: the judge is sure, or the newer fact tells of an end. */
  readonly isSure: boolean;
}

interface Compared {
  readonly older: CoreFact;
  readonly newer: CoreFact;
  readonly sharedCount: number;
  readonly pair: JudgedPair;
}

/** By the keys of those that no longer hold. `others` are known to hold with each other. */
export async function findChanged(
  added: readonly CoreFact[],
  others: readonly CoreFact[],
  judging: Judging,
): Promise<Map<string, ChangedFact>> {
  const compared = findCompared(added, others);
  const texts = [...new Set(compared.flatMap(({ older, newer }) => [older.text, newer.text]))];
  const shares = (await judging.areas(texts, "commitment")) ?? [];
  const sharesOf = new Map(texts.map((text, i) => [text, shares[i]!]));
  const relations = await judging.relation(
    compared.map(({ pair }) => pair),
    "commitment",
  );
  const prior = bias - Math.log(Math.max(1, (added.length + others.length) / fittedCount));
  const scored = compared.flatMap(({ older, newer, sharedCount }, i) => {
    const { repetition, update } = relations[i]!;
    if (repetition > update) return [];
    const likeness = likenessOf(sharesOf.get(older.text)!, sharesOf.get(newer.text)!);
    const value = prior + updateWeight * logOdds(update) + areaWeight * likeness + termWeight * Math.log1p(sharedCount);
    return [{ older, newer, sharedCount, value }];
  });
  const changed = new Map<string, ChangedFact>();
  for (const each of scored.sort((x, y) => x.value - y.value)) {
    const { older, newer, sharedCount, value } = each;
    const rivals = scored.filter((other) => other !== each && other.newer === newer).map((other) => other.value);
    const best = Math.max(...rivals);
    // One statement changes one thing, unless that was told twice. Without a word in common, it must be clear which one;
    // a medicine that is taken must not go because another one changed.
    if (sharedCount === 0 && value - best < marginMin) continue;
    if (findGuard({ text: older.text, facts: [older] }, newer.text) !== null) continue;
    const isFixed = older.isPinned || (older.area === "medicine" && sharedCount === 0);
    if (value >= surelyChangedMin || (value >= changedMin && value >= best && !isFixed)) {
      const isSure = value >= surelyChangedMin || ending.test(newer.text);
      changed.set(keyOf(older), { byId: newer.sourceId, byText: newer.text, isSure });
    }
  }
  return changed;
}

/** A number, a shorter term, or one in more of the facts, tells little about what two of them have in common. */
const termLengthMin = 4;
const commonShareMax = 0.1;
const commonCountMin = 3;

function findCompared(added: readonly CoreFact[], others: readonly CoreFact[]): Compared[] {
  const isShort = ({ text }: CoreFact): boolean => splitWords(text).length <= relationWordCountMax;
  const addedShort = added.filter(isShort);
  const all = [...addedShort, ...others.filter(isShort)].map((fact) => ({ fact, terms: termsOf(fact) }));
  const counts = new Map<string, number>();
  for (const term of all.flatMap(({ terms }) => [...terms])) counts.set(term, (counts.get(term) ?? 0) + 1);
  const countMax = Math.max(commonCountMin, commonShareMax * all.length);
  const isTelling = (term: string): boolean =>
    term.length >= termLengthMin && counts.get(term)! <= countMax && !isNumberWord(term) && !isSpelledNumber(term);
  const candidates = all.slice(0, addedShort.length).flatMap(({ fact, terms }, i) =>
    all
      .slice(i + 1)
      .filter((other) => other.fact.sourceId !== fact.sourceId)
      .map((other) => ({
        both: other.fact.toldMs <= fact.toldMs ? [other.fact, fact] : [fact, other.fact],
        sharedCount: [...terms].filter((term) => other.terms.has(term) && isTelling(term)).length,
        isSameArea: other.fact.area === fact.area,
      })),
  );
  return candidates
    .filter(({ sharedCount, isSameArea }) => isSameArea || sharedCount > 0)
    .sort((x, y) => y.sharedCount + Number(y.isSameArea) - x.sharedCount - Number(x.isSameArea))
    .slice(0, comparedCountMax)
    .flatMap(({ both: [older, newer], sharedCount }) => {
      const pair = toPair(older!.text, newer!.text);
      return pair === null ? [] : [{ older: older!, newer: newer!, sharedCount, pair }];
    });
}

/** From 0 to 1: how far two statements belong to the same areas. */
function likenessOf({ passing: _, ...one }: AreaShares, { passing: __, ...other }: AreaShares): number {
  return Object.entries(one).reduce(
    (sum, [area, share]) => sum + Math.sqrt(share * other[area as keyof typeof other]),
    0,
  );
}

/** New facts, with those marked that surely changed something. */
export function markChanges(added: readonly CoreFact[], changed: ReadonlyMap<string, ChangedFact>): CoreFact[] {
  const sure = [...changed.values()].filter(({ isSure }) => isSure);
  const changers = new Set(sure.map(({ byId, byText }) => keyOf({ sourceId: byId, text: byText })));
  return added.map((fact) => ({ ...fact, isChange: fact.isChange || changers.has(keyOf(fact)) }));
}
