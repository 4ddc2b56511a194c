/**
 * Choosing: the most valuable statements that fit the budget. What ended comes only for a question about then, or beside what
 * replaced it. A question about a time shares the budget over all memories of that time before any of them says more.
 */
import type { MemoryNode } from "../graph/memory-node.js";
import type { TimeFocus } from "../english/time/question-time.js";
import { type QuotedStatement, compareQuoted } from "./quoted-statements.js";

export interface ChoiceRules {
  readonly foci: readonly TimeFocus[];
  readonly asksAboutThen: boolean;
  /** Tokens of a statement in the context; the first of a memory also pays for its day. */
  readonly costOf: (statement: QuotedStatement, isFirst: boolean) => number;
}

/** Of the budget, what the first statements of the memories of a time may take. */
const timeShareMax = 0.6;
/** A longer time is no time that is asked about. */
const timeSpanMsMax = 100 * 86_400_000;

export function chooseStatements(
  statements: readonly QuotedStatement[],
  available: number,
  { foci, asksAboutThen, costOf }: ChoiceRules,
): QuotedStatement[] {
  const chosen = new Map<string, QuotedStatement>();
  const begun = new Set<string>();
  let left = available;
  const take = (statement: QuotedStatement, limit = left): boolean => {
    if (chosen.has(statement.name)) return false;
    const cost = costOf(statement, !begun.has(statement.memory.id));
    if (cost > Math.min(left, limit)) return false;
    left -= cost;
    begun.add(statement.memory.id);
    chosen.set(statement.name, statement);
    return true;
  };
  const ranked = statements.toSorted(compareQuoted);
  const holding = ranked.filter(({ ended }) => ended === null || asksAboutThen);
  let share = available * timeShareMax;
  for (const statement of firstOfEach(holding.filter(({ memory }) => isIn(memory, foci)))) {
    const before = left;
    if (take(statement, share)) share -= before - left;
  }
  const replaced = ranked.filter(({ ended }) => ended !== null && !asksAboutThen);
  const byName = new Map(holding.map((statement) => [statement.name, statement]));
  for (const statement of holding) {
    const before = byName.get(statement.needs ?? "");
    if (take(statement) && before !== undefined) take(before);
    for (const old of replaced) if (chosen.has(statement.name) && old.ended!.by.includes(statement.name)) take(old);
  }
  return [...chosen.values()];
}

function isIn({ initMs }: MemoryNode, foci: readonly TimeFocus[]): boolean {
  return foci.some(({ fromMs, untilMs }) => untilMs - fromMs <= timeSpanMsMax && initMs >= fromMs && initMs < untilMs);
}

function firstOfEach(ranked: readonly QuotedStatement[]): QuotedStatement[] {
  const seen = new Set<string>();
  return ranked.filter(({ memory }) => !seen.has(memory.id) && seen.add(memory.id));
}
