/**
 * Naturalized time (section 3.2, S_meta): how a person would say when a memory was, and until when that wording is
 * valid. The wording changes at midnights known in advance, about a dozen times in a memory's life, so its vector can
 * be cached until the next change (design decision 11).
 */
import { dayMs } from "../time.js";

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
  const daysApart = localDay(nowMs, timeZone) - initDay;
  if (daysApart < 0) {
    return { phrase: "later", fromMs: -Infinity, untilMs: startOfLocalDay(initDay, timeZone) };
  }
  const index = stages.findLastIndex(({ fromDay }) => fromDay <= daysApart);
  const next = stages[index + 1];
  return {
    phrase: stages[index]!.phrase(calendarDay(initDay)),
    fromMs: startOfLocalDay(initDay + stages[index]!.fromDay, timeZone),
    untilMs: next === undefined ? Infinity : startOfLocalDay(initDay + next.fromDay, timeZone),
  };
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

function partOfMonth(day: number): string {
  return day <= 10 ? "early" : day <= 20 ? "mid" : "late";
}

function calendarDay(day: number): CalendarDay {
  const date = new Date(day * dayMs);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** Number of the calendar day that a moment falls on in a time zone, counted from 1 January 1970. */
export function localDay(ms: number, timeZone: string): number {
  return Math.floor((ms + zoneOffsetMs(ms, timeZone)) / dayMs);
}

/** The first moment of a calendar day in a time zone. */
export function startOfLocalDay(day: number, timeZone: string): number {
  const asIfUtc = day * dayMs;
  const guess = asIfUtc - zoneOffsetMs(asIfUtc, timeZone);
  const start = asIfUtc - zoneOffsetMs(guess, timeZone);
  // Where clocks go forward at midnight, the day begins an hour late and `start` still falls on the day before.
  return localDay(start, timeZone) < day ? guess : start;
}

const formatters = new Map<string, Intl.DateTimeFormat>();
/** Offsets change on a quarter of an hour at the finest, so one answer covers its quarter; cleared when full. */
const knownOffsets = new Map<string, Map<number, number>>();
const knownOffsetCountMax = 10_000;
const quarterMs = 900_000;

function zoneOffsetMs(ms: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  let offsets = knownOffsets.get(timeZone);
  if (offsets === undefined || offsets.size >= knownOffsetCountMax) {
    offsets = new Map();
    knownOffsets.set(timeZone, offsets);
  }
  const quarter = Math.floor(ms / quarterMs);
  let offset = offsets.get(quarter);
  if (offset === undefined) offsets.set(quarter, (offset = computeOffsetMs(ms, timeZone)));
  return offset;
}

/** No zone changed its offset before; formatters count years BC upwards, and the range of dates is finite. */
const firstOffsetMs = Date.UTC(1000, 0, 1);
const lastOffsetMs = Date.UTC(200_000, 0, 1);

function computeOffsetMs(anyMs: number, timeZone: string): number {
  const ms = Math.min(lastOffsetMs, Math.max(firstOffsetMs, anyMs));
  let formatter = formatters.get(timeZone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(timeZone, formatter);
  }
  const part: Record<string, number> = {};
  for (const { type, value } of formatter.formatToParts(ms)) part[type] = Number(value);
  const local = Date.UTC(part["year"]!, part["month"]! - 1, part["day"], part["hour"], part["minute"], part["second"]);
  return local - Math.floor(ms / 1000) * 1000;
}
