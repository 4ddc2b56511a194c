/**
 * A weekday or a weekend counted from something: "the Tuesday before", "the first Friday after", "two weekends before",
 * "the Monday a week after". How many days away it is depends on the weekday of what it is counted from, so its offset
 * is the week in which it lies. It is never the day itself.
 */
import type { DayOffset, WeekdayRun } from "./calendar.js";
import { readWeekday } from "./calendar-words.js";
import { readRank } from "./counted-parts.js";
import { readDirection } from "./offset-direction.js";
import { follow, readDistance, readNumber, skip, textAt, type Token } from "./time-words.js";

interface WeekdayOffset extends DayOffset {
  readonly end: number;
}

export function readWeekdayOffset(tokens: readonly Token[], index: number): WeekdayOffset | undefined {
  return readOneWeekday(tokens, index) ?? readSeveralWeekdays(tokens, index);
}

/** "The Tuesday before", "her second weekend after", "the Friday night before", "the Monday two weeks after". */
function readOneWeekday(tokens: readonly Token[], index: number): WeekdayOffset | undefined {
  const start = skip(tokens, index, "the|that|my|your|his|her|our|their? very?");
  const rank = readRankFrom(tokens, start);
  const name = readRun(tokens, rank.end);
  if (name === undefined) return undefined;
  const distance = readDistance(tokens, name.end);
  const direction = readDirection(tokens, distance?.end ?? name.end);
  if (direction === undefined || (rank.isAfter ?? direction.isAfter) !== direction.isAfter) return undefined;
  if (distance === undefined) return weekAway(rank.count, direction.isAfter, name, direction.end);
  if (distance.unit !== "week") return undefined;
  const days = ((distance.min + distance.max) / 2) * (direction.isAfter ? 1 : -1);
  const fromDays = Math.round(days) - 3;
  return { fromDays, untilDays: fromDays + 7, weekday: name.run, end: direction.end };
}

interface RankFrom {
  readonly count: number;
  /** Given where a word only makes sense on one side: "the last Tuesday before", "the next Tuesday after". */
  readonly isAfter?: boolean;
  readonly end: number;
}

function readRankFrom(tokens: readonly Token[], index: number): RankFrom {
  const next = follow(tokens, index, "next|following");
  if (next >= 0) return { count: 1, isAfter: true, end: next };
  const rank = readRank(tokens, index);
  if (rank === undefined) return { count: 1, end: index };
  return rank.value > 0 ? { count: rank.value, end: rank.end } : { count: -rank.value, isAfter: false, end: rank.end };
}

interface RunRead {
  readonly run: WeekdayRun;
  /** How many of its days lie before something if it does: a weekend's two, of the night of a Friday only the Friday. */
  readonly wholeDays: number;
  readonly end: number;
}

const saturday = 5;

function readRun(tokens: readonly Token[], index: number): RunRead | undefined {
  if (textAt(tokens, index) === "weekend")
    return { run: { first: saturday, dayCount: 2 }, wholeDays: 2, end: index + 1 };
  const first = readWeekday(tokens, index);
  if (first === undefined || tokens[index]!.isGenitive) return undefined;
  const night = follow(tokens, index + 1, "late? night");
  if (night >= 0) return { run: { first, dayCount: 2 }, wholeDays: 1, end: night };
  const end = skip(tokens, index + 1, "early|late? morning|lunchtime|afternoon|evening");
  return { run: { first, dayCount: 1 }, wholeDays: 1, end };
}

/** "Two Fridays before", "a couple of weekends after"; "the two Fridays before" are all the days from the first. */
function readSeveralWeekdays(tokens: readonly Token[], index: number): WeekdayOffset | undefined {
  const start = skip(tokens, index, "the|those");
  const couple = follow(tokens, start, "a? couple of?");
  const count = couple < 0 ? readNumber(tokens, start) : { value: 2, end: couple };
  const name = count === undefined ? undefined : tokens[count.end];
  if (count === undefined || count.value < 2 || name?.text.endsWith("s") !== true) return undefined;
  const run = readRun([{ ...name, text: name.text.slice(0, -1) }], 0);
  const direction = readDirection(tokens, count.end + 1);
  if (run === undefined || direction === undefined) return undefined;
  if (start === index) return weekAway(count.value, direction.isAfter, run, direction.end);
  const dayCount = 7 * count.value;
  return direction.isAfter
    ? { fromDays: 1, untilDays: dayCount + 1, end: direction.end }
    : { fromDays: -dayCount, untilDays: 0, end: direction.end };
}

/** The week in which the n-th one begins. */
function weekAway(n: number, isAfter: boolean, { run, wholeDays }: RunRead, end: number): WeekdayOffset {
  const fromDays = isAfter ? 1 + 7 * (n - 1) : 1 - wholeDays - 7 * n;
  return { fromDays, untilDays: fromDays + 7, weekday: run, end };
}
