/**
 * Why one statement may not end another, whatever a reader says: exact rules for what would hurt. Not to say a warning any
 * longer is dangerous, a name or a code is changed by naming it, and a maybe changes nothing.
 */
import type { Reading } from "../graph/statement.js";
import { splitTerms } from "../text/words.js";
import { isUnsure, onlyAsks } from "./clauses.js";
import { areOfOthers } from "./ends.js";
import { speaksOfWarning, warningWords } from "./warnings.js";

export type Guard =
  /** A maybe, a plan that is not made, a question. */
  | "is unsure"
  /** Nothing ends a warning that is not about it. */
  | "does not speak of the warning"
  /** Names, codes and relations to people end only by what is about them. */
  | "is about something else"
  | "tells of somebody else";

interface Told {
  readonly text: string;
  readonly reading: Pick<Reading, "area" | "about"> | null;
}

const named: ReadonlySet<string> = new Set(["self", "codes", "people"]);

export function isWarning({ text, reading }: Told): boolean {
  return warningWords.test(text) || reading?.area === "alert";
}

/** Null where it may. */
export function findGuard(older: Told, newer: Told): Guard | null {
  if (isUnsure(newer.text) || onlyAsks(newer.text)) return "is unsure";
  if (isWarning(older) && !speaksOfWarning(older.text, newer.text)) return "does not speak of the warning";
  if (areOfOthers(older.text, newer.text)) return "tells of somebody else";
  const area = older.reading?.area ?? "";
  if (!named.has(area) || newer.reading?.area === area) return null;
  const known = new Set(splitTerms(older.text));
  return splitTerms(newer.text).some((term) => known.has(term)) ? null : "is about something else";
}
