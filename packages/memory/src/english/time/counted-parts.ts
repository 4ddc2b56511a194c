/**
 * Counted parts: which one ("the first", "the last but one") of what ("weekend", "few days", "Sunday") in a longer
 * time.
 */
import { nthWeekday, weekdayOf, type Span } from "./calendar.js";
import { readWeekday } from "./calendar-words.js";
import {
  follow,
  readNumber,
  readOrdinal,
  readUnit,
  textAt,
  type NumberRead,
  type Token,
  type Unit,
  daysOf,
} from "./time-words.js";

/** -1 is the last, -2 the one before it. */
export function readRank(tokens: readonly Token[], index: number): NumberRead | undefined {
  const secondLast = follow(tokens, index, "second|next|penultimate -? to? -? last?");
  if (secondLast > index && /^(?:last|penultimate)$/u.test(textAt(tokens, secondLast - 1)))
    return { value: -2, end: secondLast };
  const last = follow(tokens, index, "last|final|closing|dying");
  if (last >= 0) return { value: -1, end: last };
  const opening = follow(tokens, index, "opening");
  return opening >= 0 ? { value: 1, end: opening } : readOrdinal(tokens, index);
}

export interface Counted {
  readonly unit: Unit;
  readonly count: number;
  readonly weekday?: number;
  readonly end: number;
}

/** How many days or weeks a plain plural means: "the last days of May". */
const plainPluralCounts: Readonly<Partial<Record<Unit, number>>> = { day: 5, night: 5, week: 3, month: 3 };

export function readCountOf(tokens: readonly Token[], index: number): Counted | undefined {
  const weekday = readWeekday(tokens, index);
  if (weekday !== undefined) return { unit: "day", count: 1, weekday, end: index + 1 };
  const vagueEnd = follow(tokens, index, "couple|few of?");
  const number = readNumber(tokens, index);
  const unitAt = Math.max(vagueEnd, number?.end ?? index);
  const read = readUnit(tokens, unitAt);
  if (read === undefined || read.unit === "hour") return undefined;
  const plain = read.isPlural ? (plainPluralCounts[read.unit] ?? 1) : 1;
  const vague = textAt(tokens, index) === "couple" ? 2 : plain;
  return { unit: read.unit, count: (vagueEnd < 0 ? (number?.value ?? plain) : vague) * read.factor, end: unitAt + 1 };
}

export function nthOf(span: Span, n: number, { unit, count, weekday }: Counted): Span | undefined {
  if (weekday !== undefined || unit === "weekend") {
    const from = nthWeekday(span, weekday ?? 5, n);
    return from < span.from || from >= span.until ? undefined : { from, until: from + (weekday === undefined ? 2 : 1) };
  }
  const length = Math.round(daysOf[unit] * count);
  const from = n > 0 ? span.from + (n - 1) * length : span.until + n * length;
  const part = { from: Math.max(span.from, from), until: Math.min(span.until, from + length) };
  if (part.until <= part.from) return undefined;
  return unit === "week" ? roundedWeek(part) : part;
}

/** "The second week of March" is the 8th to the 14th, or runs on to the Sunday; the last may begin on its Monday. */
function roundedWeek({ from, until }: Span): Span {
  const toMonday = weekdayOf(from);
  const toSunday = 6 - weekdayOf(until - 1);
  return { from: toMonday <= 2 ? from - toMonday : from, until: toSunday <= 2 ? until + toSunday : until };
}
