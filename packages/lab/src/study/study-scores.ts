/**
 * Win rates of a human study with Wilson 95 % intervals (Equation A3, Table "Human evaluation results"). A tie is half a
 * win for both, in the rate and in the interval, as in the paper; the same figures without ties are given too. The interval
 * treats judgments as independent; several judges of one item are not quite, so it is then slightly too narrow.
 */
import type { Interval } from "../report/bootstrap.js";
import type { Judgment, JudgmentSheet, StudyKey } from "./study-format.js";
import { type Agreement, measureAgreement } from "./study-agreement.js";
import { wilsonInterval } from "./wilson.js";

export interface Tally {
  readonly wins: number;
  readonly ties: number;
  readonly losses: number;
}

export interface WinRate extends Tally {
  /** Null if nothing was judged. */
  readonly winRate: number | null;
  readonly interval: Interval;
  /** Null if there are only ties. */
  readonly winRateWithoutTies: number | null;
  readonly intervalWithoutTies: Interval;
}

/** The rate is that of the first system. */
export interface PairWinRate extends WinRate {
  readonly systems: readonly [string, string];
  readonly identicalCount: number;
}

export interface StudyScores {
  readonly dataset: string;
  readonly pack: string;
  readonly itemCount: number;
  readonly judgmentCount: number;
  readonly judges: readonly { readonly judge: string; readonly judgmentCount: number }[];
  readonly systems: Readonly<Record<string, WinRate>>;
  readonly pairs: readonly PairWinRate[];
  readonly agreement: Agreement | null;
  readonly leftShare: number | null;
}

export function scoreJudgments(key: StudyKey, sheets: readonly JudgmentSheet[]): StudyScores {
  const verdicts = sheets.flatMap(({ judgments }) => judgments.map((judgment) => toVerdict(key, judgment)));
  const decided = verdicts.filter(({ isTie }) => !isTie);
  return {
    dataset: key.dataset,
    pack: key.pack,
    itemCount: key.items.length,
    judgmentCount: verdicts.length,
    judges: sheets.map(({ judge, judgments }) => ({ judge, judgmentCount: judgments.length })),
    systems: Object.fromEntries(key.systems.map((system) => [system, rateOf(tally(verdicts, system))])),
    pairs: key.systems.flatMap((first, i) =>
      key.systems.slice(i + 1).map((second) => ratePair(key, verdicts, [first, second])),
    ),
    agreement: measureAgreement(sheets),
    leftShare: decided.length === 0 ? null : decided.filter(({ isLeft }) => isLeft).length / decided.length,
  };
}

/** Equation A3: (wins + 0.5 ties) / (wins + ties + losses). */
export function winRate({ wins, ties, losses }: Tally): number | null {
  const opportunities = wins + ties + losses;
  return opportunities === 0 ? null : (wins + 0.5 * ties) / opportunities;
}

interface StudyVerdict {
  readonly winner: string;
  readonly loser: string;
  readonly isTie: boolean;
  readonly isLeft: boolean;
}

function toVerdict({ items }: StudyKey, { item, choice }: Judgment): StudyVerdict {
  const { left, right } = items.find(({ id }) => id === item)!;
  const isLeft = choice !== "right";
  return { winner: isLeft ? left : right, loser: isLeft ? right : left, isTie: choice === "tie", isLeft };
}

function tally(verdicts: readonly StudyVerdict[], system: string): Tally {
  const count = (matches: (verdict: StudyVerdict) => boolean): number => verdicts.filter(matches).length;
  return {
    wins: count(({ winner, isTie }) => !isTie && winner === system),
    ties: count(({ winner, loser, isTie }) => isTie && (winner === system || loser === system)),
    losses: count(({ loser, isTie }) => !isTie && loser === system),
  };
}

function rateOf(counts: Tally): WinRate {
  const { wins, ties, losses } = counts;
  return {
    ...counts,
    winRate: winRate(counts),
    interval: wilsonInterval(wins + 0.5 * ties, wins + ties + losses),
    winRateWithoutTies: winRate({ wins, ties: 0, losses }),
    intervalWithoutTies: wilsonInterval(wins, wins + losses),
  };
}

function ratePair(key: StudyKey, verdicts: readonly StudyVerdict[], systems: readonly [string, string]): PairWinRate {
  const isOfPair = (a: string, b: string): boolean => systems.includes(a) && systems.includes(b);
  const ofPair = verdicts.filter(({ winner, loser }) => isOfPair(winner, loser));
  const identicalCount = key.identical.filter(({ systems: [a, b] }) => isOfPair(a, b)).length;
  return { systems, ...rateOf(tally(ofPair, systems[0])), identicalCount };
}
