/**
 * Arithmetic with calendar days. A day is its number counted from 1 January 1970, as returned by `localDay`, so a
 * calendar needs no time zone; months count from 0 and weeks begin on Monday, weekday 0.
 */
import { dayMs } from "../../text/time.js";

/** Whole days, from the first to the one after the last. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

function dayNumber(year: number, month: number, dayOfMonth: number): number {
  return Math.floor(Date.UTC(year, month, dayOfMonth) / dayMs);
}

export function yearOf(day: number): number {
  return new Date(day * dayMs).getUTCFullYear();
}

export function monthOf(day: number): number {
  return new Date(day * dayMs).getUTCMonth();
}

/** 1 January 1970 was a Thursday, weekday 3. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

export function mondayOf(day: number): number {
  return day - weekdayOf(day);
}

export function oneDay(day: number): Span {
  return { from: day, until: day + 1 };
}

export function weekSpan(day: number): Span {
  return { from: mondayOf(day), until: mondayOf(day) + 7 };
}

/** The months of a year; numbers past either end run into the neighbouring years. */
export function monthSpan(year: number, month: number, monthCount = 1): Span {
  return { from: dayNumber(year, month, 1), until: dayNumber(year, month + monthCount, 1) };
}

/** The date, or undefined if the month has no such day. */
export function dateSpan(year: number, month: number, dayOfMonth: number): Span | undefined {
  const day = dayNumber(year, month, dayOfMonth);
  return dayOfMonth > 0 && monthOf(day) === month ? oneDay(day) : undefined;
}

/** The last occurrence of a weekday before a day. */
export function weekdayBefore(day: number, weekday: number): number {
  return day - 1 - weekdayOf(day - 1 - weekday);
}

/** The first occurrence of a weekday on or after a day. */
export function weekdayFrom(day: number, weekday: number): number {
  return weekdayBefore(day + 7, weekday);
}

/** The n-th occurrence of a weekday in a span, counted from its end if n is negative. */
export function nthWeekday(span: Span, weekday: number, n: number): number {
  return n > 0 ? weekdayFrom(span.from, weekday) + (n - 1) * 7 : weekdayBefore(span.until, weekday) + (n + 1) * 7;
}

/** Easter Sunday of the western churches, by the anonymous Gregorian algorithm. */
export function easterSunday(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const skippedLeapDays = Math.floor(century / 4);
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - skippedLeapDays - moonCorrection + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.floor((year % 100) / 4) - epact - (year % 4)) % 7;
  const lateCorrection = Math.floor((golden + 11 * epact + 22 * toSunday) / 451);
  return dayNumber(year, 2, 22 + epact + toSunday - 7 * lateCorrection);
}

/** Parts of a longer time that words such as "early" or "the end of" name. */
export type Part = "very start" | "start" | "early" | "middle" | "late" | "end" | "very end";

/** Days of a part in a week, in a month and in anything longer; at most this far from its edge. */
export function partOf(span: Span, part: Part): Span {
  const length = span.until - span.from;
  if (length < 5) return span;
  const [fromDay, untilDay] =
    length <= 10 ? weekParts[part] : length <= 31 ? monthPart(part, length) : longPart(part, length);
  return { from: span.from + fromDay, until: Math.min(span.until, span.from + untilDay) };
}

const weekParts: Readonly<Record<Part, readonly [number, number]>> = {
  "very start": [0, 1],
  start: [0, 2],
  early: [0, 3],
  middle: [1, 4],
  late: [3, 7],
  end: [3, 7],
  "very end": [5, 7],
};

function monthPart(part: Part, length: number): readonly [number, number] {
  if (part === "very start") return [0, 4];
  if (part === "start") return [0, 7];
  if (part === "early") return [0, 10];
  if (part === "middle") return [10, 20];
  if (part === "late") return [20, length];
  return [length - (part === "end" ? 7 : 4), length];
}

function longPart(part: Part, length: number): readonly [number, number] {
  const third = Math.round(length / 3);
  const edge = Math.max(21, Math.round(length / 8));
  if (part === "very start") return [0, 14];
  if (part === "start") return [0, edge];
  if (part === "early") return [0, third];
  if (part === "middle") return [third, length - third];
  if (part === "late") return [length - third, length];
  return [length - (part === "end" ? edge : 14), length];
}
