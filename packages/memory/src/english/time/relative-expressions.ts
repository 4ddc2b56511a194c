/**
 * Times counted from the day of the question: "yesterday", "last Thursday", "three weeks ago", "the weekend before
 * last". Vague words give a wide span. Where people mean different days by the same words ("last Thursday" said on a
 * Saturday), the nearer one comes first and the other is a second reading.
 */
import {
  mondayOf,
  monthOf,
  monthSpan,
  oneDay,
  weekdayBefore,
  weekdayOf,
  weekSpan,
  yearOf,
  type Span,
} from "./calendar.js";
import { isNoun, readMonth, readSeason, readWeekday } from "./calendar-words.js";
import { ofYear, relative, type Period, type TimeContext } from "./dated-expressions.js";
import { readHoliday } from "./holidays.js";
import { follow, readDistance, readUnit, skip, textAt, type Token, type Unit } from "./time-words.js";
import {
  dayParts,
  nearestWeekday,
  readPlainWeekday,
  readWeekdayOfWeek,
  weekdayReadings,
} from "./weekday-expressions.js";

export function readRelative(context: TimeContext, index: number): Period | undefined {
  return (
    readNamedDay(context, index) ??
    readWeekdayOfWeek(context, index) ??
    readBeforeLast(context, index) ??
    readAgo(context, index) ??
    readThisOrLast(context, index) ??
    readOther(context, index) ??
    readPlainWeekday(context, index)
  );
}

/** Days from today: the first, and the one after the last. */
const namedDays: readonly (readonly [pattern: string, fromDays: number, untilDays: number])[] = [
  ["the? day|morning|afternoon|evening before yesterday", -2, -1],
  ["the? night before last", -2, 0],
  ["the? evening before last", -2, -1],
  [`yesterday ${dayParts}?`, -1, 0],
  ["yesterday night", -1, 1],
  ["last night", -1, 1],
  ["last evening", -1, 0],
  [`this ${dayParts}`, 0, 1],
  ["earlier|later today", 0, 1],
  ["today|tonight", 0, 1],
  ["just now", 0, 1],
  ["tomorrow", 1, 2],
  ["the day after tomorrow", 2, 3],
  ["this time last year", -375, -355],
  ["this time last month", -34, -27],
  ["this time last week", -8, -5],
  ["this|the same? day last week", -7, -6],
  ["a year ago today", -366, -364],
  ["a week ago today", -7, -6],
  ["a month ago today", -32, -27],
];

function readNamedDay({ tokens, today }: TimeContext, index: number): Period | undefined {
  let best: Period | undefined;
  for (const [pattern, fromDays, untilDays] of namedDays) {
    const end = follow(tokens, index, pattern);
    if (end > (best?.end ?? -1)) best = relative(end, { from: today + fromDays, until: today + untilDays });
  }
  return best;
}

/** "The week before last", "the Sunday before last", "the summer before last". */
function readBeforeLast(context: TimeContext, index: number): Period | undefined {
  const { tokens } = context;
  const nameAt = skip(tokens, index, "the");
  const last = lastOf(context, nameAt);
  const end = last === undefined ? -1 : follow(tokens, last.end, "before last");
  return last === undefined || end < 0 ? undefined : relative(end, last.earlier);
}

/** The last unit, weekday, month, season or holiday that is over, and the one before that. */
function lastOf(
  context: TimeContext,
  index: number,
): { readonly latest: Span; readonly earlier: Span; readonly end: number } | undefined {
  const { tokens, today } = context;
  const unit = readUnit(tokens, index);
  if (unit !== undefined && !unit.isPlural && unit.unit !== "hour") {
    return { latest: unitSpan(today, unit.unit, 1), earlier: unitSpan(today, unit.unit, 2), end: index + 1 };
  }
  const weekday = readWeekday(tokens, index);
  if (weekday !== undefined) {
    const day = weekdayBefore(today, weekday);
    return { latest: oneDay(day), earlier: oneDay(day - 7), end: index + 1 };
  }
  const yearly = readYearly(context, index);
  const past = yearly?.spans.filter(({ until }) => until <= today) ?? [];
  return yearly === undefined || past.length < 2 ? undefined : { latest: past[0]!, earlier: past[1]!, end: yearly.end };
}

/** A yearly month, season or holiday. */
function readYearly(context: TimeContext, index: number): Period | undefined {
  const { tokens, timeZone } = context;
  const holiday = readHoliday(tokens, index);
  if (holiday !== undefined) return ofYear(context, holiday.end, (year) => holiday.days(year, timeZone));
  const season = readSeason(tokens, index, timeZone);
  if (season !== undefined) return ofYear(context, index + 1, (year) => [monthSpan(year, season, 3)]);
  const month = readMonth(tokens, index);
  return month === undefined ? undefined : ofYear(context, index + 1, (year) => [monthSpan(year, month)]);
}

/** The calendar unit that many units back: 0 is the one containing today. */
export function unitSpan(today: number, unit: Unit, back: number): Span {
  if (unit === "week") return weekSpan(today - 7 * back);
  if (unit === "month") return monthSpan(yearOf(today), monthOf(today) - back);
  if (unit === "year") return monthSpan(yearOf(today) - back, 0, 12);
  if (unit === "weekend") return weekendSpan(today, back);
  if (unit === "night") return { from: today - back, until: today - back + 2 };
  return oneDay(today - back);
}

/** The last weekend is over or, on its Sunday, nearly so: on a Saturday it is the one a week ago. */
function weekendSpan(today: number, back: number): Span {
  const saturday =
    back === 0 ? mondayOf(today) + 5 : weekdayBefore(today, 5) - 7 * (back - 1) - (weekdayOf(today) === 6 ? 7 : 0);
  return { from: saturday, until: saturday + 2 };
}

/** "Three weeks ago", "a month back", "a week ago on Monday", "a week last Tuesday". */
function readAgo(context: TimeContext, index: number): Period | undefined {
  const { tokens, today } = context;
  const distance = readDistance(tokens, index);
  if (distance === undefined) return undefined;
  const { min, max, unit } = distance;
  const middle = (min + max) / 2;
  const lastAt = follow(tokens, distance.end, "last");
  const lastWeekday = lastAt < 0 || unit !== "week" ? undefined : readWeekday(tokens, lastAt);
  if (lastWeekday !== undefined) {
    return relative(lastAt + 1, oneDay(weekdayBefore(today, lastWeekday) - 7 * Math.round(middle / 7)));
  }
  const end = follow(tokens, distance.end, "ago|back");
  const isWayBack =
    textAt(tokens, distance.end) === "back" &&
    (/^(?:to|in|at|from|on)$/u.test(textAt(tokens, end)) || isNoun(tokens, end));
  if (end < 0 || isWayBack) return undefined;
  const weekdayAt = skip(tokens, end, "on? last?");
  const weekday = unit === "week" ? readWeekday(tokens, weekdayAt) : undefined;
  if (weekday !== undefined) return relative(weekdayAt + 1, nearestWeekday(today - middle, weekday));
  if (unit === "weekend") return relative(end, unitSpan(today, unit, Math.max(1, Math.round(middle / 7))));
  return relative(skip(tokens, end, "today|now"), {
    from: today - max,
    until: today - min + (unit === "night" ? 2 : 1),
  });
}

/** "This week", "last month", "last Thursday", "last summer", "this Easter", "next year". */
function readThisOrLast(context: TimeContext, index: number): Period | undefined {
  const { tokens, today } = context;
  const article = skip(tokens, index, "the");
  const word = textAt(tokens, article);
  const nameAt = follow(tokens, article, "this|last|past|previous|next|coming past|last|coming?");
  if (nameAt < 0 || isOwned(tokens, index)) return undefined;
  const isWindow = /^(?:last|past|next)$/u.test(word) && textAt(tokens, nameAt) !== "weekend";
  if (article > index && isWindow) return undefined;
  const isPast = /^(?:last|past|previous)$/u.test(textAt(tokens, nameAt - 1));
  const isNext = /^(?:next|coming)$/u.test(textAt(tokens, nameAt - 1));
  const steps = isPast ? 1 : isNext ? -1 : 0;
  if (readUnit(tokens, nameAt) !== undefined) return readUnitBack(context, nameAt, steps, word);
  const weekday = readWeekday(tokens, nameAt);
  if (weekday !== undefined) return relative(nameAt + 1, ...weekdayReadings(today, weekday, word, isNext));
  const yearly = readYearly(context, nameAt);
  if (yearly === undefined || yearly.origin === "dated") return undefined;
  if (isPast) return lastYearly(context, yearly);
  return isNext ? nextYearly(context, yearly) : thisYearly(context, yearly);
}

/** The calendar week, month or year; "this weekend" said before the weekend may be the last one. */
function readUnitBack({ tokens, today }: TimeContext, index: number, back: number, word: string): Period | undefined {
  const { unit, isPlural } = readUnit(tokens, index)!;
  if (isPlural || unit === "hour" || unit === "day") return undefined;
  if (unit === "weekend" && back === 0 && weekdayOf(today) < 5) {
    return relative(index + 1, unitSpan(today, unit, 1), unitSpan(today, unit, 0));
  }
  const isWindow = word === "this" && back === 1 && unit !== "weekend";
  return isWindow ? undefined : relative(index + 1, unitSpan(today, unit, back));
}

/** "My last week", "her next month" are not counted from today. */
function isOwned(tokens: readonly Token[], index: number): boolean {
  return (
    /^(?:my|your|his|her|our|their|its|a|an|every|each)$/u.test(textAt(tokens, index - 1)) ||
    tokens[index - 1]?.isGenitive === true
  );
}

/** The last one that is over; if it was in this calendar year, the previous year's may be meant as well. */
function lastYearly({ today }: TimeContext, { spans, end }: Period): Period | undefined {
  const past = spans.filter(({ until }) => until <= today);
  if (past.length < 2) return undefined;
  return yearOf(past[0]!.from) === yearOf(today) ? relative(end, past[0]!, past[1]!) : relative(end, past[0]!);
}

/** The current one, or this calendar year's, or the next. */
function thisYearly(context: TimeContext, yearly: Period): Period | undefined {
  const { today } = context;
  const { spans, end } = yearly;
  const begun = spans.find(({ from }) => from <= today);
  if (begun !== undefined && (begun.until > today || yearOf(begun.until - 1) === yearOf(today)))
    return relative(end, begun);
  return nextYearly(context, yearly);
}

function nextYearly({ today }: TimeContext, { spans, end }: Period): Period | undefined {
  const next = spans.findLast(({ from }) => from > today);
  return next === undefined ? undefined : relative(end, next);
}

/** "The other day", "at the weekend": a time marked only by the article. */
const others: readonly (readonly [pattern: string, fromDays: number, untilDays: number])[] = [
  ["the other day|morning|afternoon|evening|night", -8, 0],
  ["the other week", -21, -4],
  ["the other weekend", -23, -1],
  ["the other month", -75, -14],
  ["one day|evening|night last week", -7, 0],
];

function readOther({ tokens, today }: TimeContext, index: number): Period | undefined {
  for (const [pattern, fromDays, untilDays] of others) {
    const end = follow(tokens, index, pattern);
    if (end >= 0) return relative(end, { from: today + fromDays, until: today + untilDays });
  }
  const weekendEnd = follow(tokens, index, "the weekend");
  if (weekendEnd < 0 || /^(?:of|before|after|following)$/u.test(textAt(tokens, weekendEnd))) return undefined;
  const isWeekend = weekdayOf(today) >= 5;
  return isWeekend
    ? relative(weekendEnd, unitSpan(today, "weekend", 0), unitSpan(today, "weekend", 1))
    : relative(weekendEnd, unitSpan(today, "weekend", 1));
}
