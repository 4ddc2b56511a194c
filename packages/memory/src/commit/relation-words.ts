/**
 * Where words correct what the judge says of two statements: it overlooks a negation now and then, and reads English only.
 */
import type { MemoryNode } from "../graph/memory-node.js";
import type { JudgedPair, Relation } from "../ports/judge.js";
import { findNegation } from "../english/changed-words.js";
import { areContained, areOfOthers, tellSameEnd, tellsEndOf } from "../english/ends.js";
import { isForeign } from "../english/languages.js";
import { type Told, isWarning, speaksOfWarning } from "../english/warnings.js";

/** Why a relation is not what the judge alone would say. */
export type WordsReason =
  /** In the same words, one of them with a negation. */
  | "says no to it"
  | "tells of its end"
  | "tells of the same end"
  | "tells of somebody else"
  /** The judge reads English only: in another language only what has the same words is a repetition. */
  | "other words in another language"
  /** Nothing ends a warning that is not about it. */
  | "does not speak of the warning";

interface CorrectedRelation extends Relation {
  readonly byWords?: WordsReason;
}

const changed: Relation = { repetition: 0, update: 1, different: 0 };
const other: Relation = { repetition: 0, update: 0, different: 1 };

/** `facts`: what lasts of the older statement. */
export function correctByWords(relation: Relation, pair: JudgedPair, facts: MemoryNode["facts"]): CorrectedRelation {
  const corrected = correctEnd(relation, pair);
  const guard = corrected.update === 0 ? null : findGuard({ text: pair.older, facts }, pair.newer);
  return guard === null ? corrected : { ...withoutUpdate(corrected, "different"), byWords: guard };
}

/** Why what is told now does not end what was told, whatever the judge says. */
export function findGuard(older: Told, newer: string): WordsReason | null {
  return isWarning(older) && !speaksOfWarning(older.text, newer) ? "does not speak of the warning" : null;
}

function correctEnd(relation: Relation, { older, newer }: JudgedPair): CorrectedRelation {
  if (findNegation(older, newer) === "in the same words") return { ...changed, byWords: "says no to it" };
  if (areOfOthers(older, newer)) return { ...other, byWords: "tells of somebody else" };
  if (tellSameEnd(older, newer)) return { ...withoutUpdate(relation, "repetition"), byWords: "tells of the same end" };
  if (!isForeign(older, newer)) return relation;
  const isContained = areContained(older, newer);
  if (tellsEndOf(older, newer)) {
    return isContained ? { ...changed, byWords: "tells of its end" } : withoutRepetition(relation, "tells of its end");
  }
  return isContained ? relation : withoutRepetition(relation, "other words in another language");
}

function withoutUpdate({ update, ...others }: Relation, taken: "repetition" | "different"): Relation {
  return { ...others, update: 0, [taken]: others[taken] + update };
}

function withoutRepetition({ repetition, update, different }: Relation, byWords: WordsReason): CorrectedRelation {
  return { repetition: 0, update, different: different + repetition, byWords };
}
