/**
 * Naturalized time (section 3.2, S_meta): how a person would say when a memory was, and until when that wording is
 * valid. The wording changes at midnights known in advance, about a dozen times in a memory's life. Preset `paper` embeds
 * it at each recall (design decision 11).
 */
import { clockAt, dayMs, localDay, startOfLocalDay } from "../text/time.js";

export interface NaturalizedTime {
  readonly phrase: string;
  /** The wording is valid from `fromMs` (inclusive) to `untilMs` (exclusive). */
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Days after the memory's own day on which a wording begins, and the wording. */
const stages: readonly { readonly fromDay: number; readonly phrase: (calendar: CalendarDay) => string }[] = [
  { fromDay: 0, phrase: () => "today" },
  { fromDay: 1, phrase: () => "yesterday" },
  { fromDay: 2, phrase: () => "two days ago" },
  { fromDay: 3, phrase: () => "three days ago" },
  { fromDay: 4, phrase: () => "four days ago" },
  { fromDay: 5, phrase: () => "five days ago" },
  { fromDay: 6, phrase: () => "six days ago" },
  { fromDay: 7, phrase: () => "last week" },
  { fromDay: 14, phrase: () => "two weeks ago" },
  { fromDay: 21, phrase: () => "three weeks ago" },
  { fromDay: 28, phrase: ({ day, month }) => `in ${partOfMonth(day)} ${monthNames[month]}` },
  { fromDay: 300, phrase: ({ month, year }) => `in ${monthNames[month]} ${year}` },
];
const laterPhrase = "later";

const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export function naturalizeTime(initMs: number, nowMs: number, timeZone: string): NaturalizedTime {
  const initDay = localDay(initMs, timeZone);
  const index = stageIndex(initDay, localDay(nowMs, timeZone));
  if (index < 0) {
    return { phrase: laterPhrase, fromMs: -Infinity, untilMs: startOfLocalDay(initDay, timeZone) };
  }
  const next = stages[index + 1];
  return {
    phrase: stages[index]!.phrase(calendarDay(initDay)),
    fromMs: startOfLocalDay(initDay + stages[index]!.fromDay, timeZone),
    untilMs: next === undefined ? Infinity : startOfLocalDay(initDay + next.fromDay, timeZone),
  };
}

/** Negative for a day to come. */
function stageIndex(initDay: number, nowDay: number): number {
  return stages.findLastIndex(({ fromDay }) => fromDay <= nowDay - initDay);
}

interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** The date as a person would write it next to a memory, e.g. "Wed 8 Jan 2025". */
export function formatDate(ms: number, timeZone: string): string {
  const day = localDay(ms, timeZone);
  const { year, month, day: dayOfMonth } = calendarDay(day);
  const weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(day * dayMs).getUTCDay()]!;
  return `${weekday} ${dayOfMonth} ${monthNames[month]!.slice(0, 3)} ${year}`;
}

/** The time of day as a clock shows it, e.g. "08:10". */
export function formatTimeOfDay(ms: number, timeZone: string): string {
  return new Date(clockAt(ms, timeZone)).toISOString().slice(11, 16);
}

function partOfMonth(day: number): string {
  return day <= 10 ? "early" : day <= 20 ? "mid" : "late";
}

function calendarDay(day: number): CalendarDay {
  const date = new Date(day * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}
