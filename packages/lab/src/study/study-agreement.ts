/**
 * How far judges agree beyond chance, on the items that all of them judged, with left, right and tie as categories: Cohen's
 * kappa (1960) for two judges, Fleiss' kappa (1971) for more. Both are (observed - expected) / (1 - expected); Cohen
 * computes the expected agreement from each judge's own shares of the categories, Fleiss from the shares of all judges.
 */
import { mean } from "../report/bootstrap.js";
import type { Choice, JudgmentSheet } from "./study-format.js";

export interface Agreement {
  readonly measure: "Cohen's kappa" | "Fleiss' kappa";
  readonly judgeCount: number;
  /** Items that all judges judged. */
  readonly sharedCount: number;
  /** Share of pairs of judges who chose the same. */
  readonly observed: number | null;
  /** Null if no item is shared, or if chance alone gives full agreement. */
  readonly kappa: number | null;
}

const choices: readonly Choice[] = ["left", "right", "tie"];

/** Null for a single judge. */
export function measureAgreement(sheets: readonly JudgmentSheet[]): Agreement | null {
  if (sheets.length < 2) return null;
  const rows = sharedChoices(sheets);
  const measure = sheets.length === 2 ? "Cohen's kappa" : "Fleiss' kappa";
  const described = { measure, judgeCount: sheets.length, sharedCount: rows.length } as const;
  if (rows.length === 0) return { ...described, observed: null, kappa: null };
  const observed = mean(rows.map(pairsThatAgree));
  const expected = sheets.length === 2 ? expectedByJudge(rows) : expectedTogether(rows);
  return { ...described, observed, kappa: expected === 1 ? null : (observed - expected) / (1 - expected) };
}

/** One row per item that everybody judged, one column per judge. */
function sharedChoices(sheets: readonly JudgmentSheet[]): Choice[][] {
  const [first, ...others] = sheets.map(
    ({ judgments }) => new Map(judgments.map(({ item, choice }) => [item, choice])),
  );
  return [...first!]
    .filter(([item]) => others.every((other) => other.has(item)))
    .map(([item, choice]) => [choice, ...others.map((other) => other.get(item)!)]);
}

function pairsThatAgree(row: readonly Choice[]): number {
  const counts = choices.map((choice) => row.filter((chosen) => chosen === choice).length);
  return counts.reduce((sum, count) => sum + count * (count - 1), 0) / (row.length * (row.length - 1));
}

function expectedByJudge(rows: readonly (readonly Choice[])[]): number {
  const [first, second] = [0, 1].map((judge) => shares(rows.map((row) => row[judge]!)));
  return first!.reduce((sum, share, i) => sum + share * second![i]!, 0);
}

function expectedTogether(rows: readonly (readonly Choice[])[]): number {
  return shares(rows.flat()).reduce((sum, share) => sum + share * share, 0);
}

function shares(chosen: readonly Choice[]): number[] {
  return choices.map((choice) => chosen.filter((other) => other === choice).length / chosen.length);
}
