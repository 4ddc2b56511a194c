/**
 * Calendar times: "19 February", "October 13, 2023", "the 21st", "in spring", "Easter", "2022". A time without its year
 * recurs every year and may be any of them: the reader takes the latest that is not in the future.
 */
import { dateSpan, monthOf, monthSpan, weekdayOf, yearOf, type Span } from "./calendar.js";
import { readHoliday } from "./holidays.js";
import { isNoun, isTimeWord, readMonth, readSeason, readWeekday } from "./calendar-words.js";
import { follow, readNumber, readOrdinal, skip, textAt, type Token } from "./time-words.js";

export interface TimeContext {
  readonly tokens: readonly Token[];
  /** The day on which the question is asked. */
  readonly today: number;
  readonly timeZone: string;
}

/** A time that a phrase names. */
export interface Period {
  /**
   * Recurring: the same time of every year, month or week, latest first. Otherwise readings of the phrase, likelier
   * first.
   */
  readonly spans: readonly Span[];
  /** "dated": with its year; "recurring": without; "relative": counted from the day of the question. */
  readonly origin: "dated" | "recurring" | "relative";
  readonly end: number;
}

export function relative(end: number, ...spans: Span[]): Period {
  return { spans, origin: "relative", end };
}

/** The year before the question's, and as many more as it takes to find a 29 February. */
const laterYearCount = 1;
const earlierYearCount = 8;

export function readDated(context: TimeContext, index: number): Period | undefined {
  return (
    readNumericDate(context, index) ??
    readWeekdayDate(context, index) ??
    readDayOfMonth(context, index) ??
    readMonthThenDay(context, index) ??
    readHolidayPeriod(context, index) ??
    readSeasonOrMonth(context, index) ??
    readBareDay(context, index) ??
    readBareYear(context, index)
  );
}

/** A time of the year: of the year that follows it in the text, or else of every year. */
export function ofYear(context: TimeContext, end: number, days: (year: number) => readonly Span[]): Period | undefined {
  const said = readYear(context, end);
  const thisYear = yearOf(context.today);
  const count = laterYearCount + earlierYearCount + 1;
  const years =
    said === undefined ? Array.from({ length: count }, (_, i) => thisYear + laterYearCount - i) : [said.value];
  const spans = years.flatMap(days).toSorted((a, b) => b.from - a.from);
  if (spans.length === 0) return undefined;
  return { spans, origin: said === undefined ? "recurring" : "dated", end: said?.end ?? end };
}

function readYear({ tokens, today }: TimeContext, index: number) {
  const start = skip(tokens, index, ",|of|in? the? year?");
  const text = textAt(tokens, start);
  if (/^(?:19|20)\d\d$/u.test(text) && !isCounted(tokens, start)) return { value: Number(text), end: start + 1 };
  const short = follow(tokens, index, "'");
  if (short >= 0 && /^\d\d$/u.test(textAt(tokens, short)))
    return { value: 2000 + Number(textAt(tokens, short)), end: short + 1 };
  const year = yearOf(today);
  for (const [pattern, value] of [
    ["of|, last year", year - 1],
    ["last year", year - 1],
    ["of? the year before last", year - 2],
    ["of? the previous year", year - 1],
    ["of? this year", year],
  ] as const) {
    const end = follow(tokens, index, pattern);
    if (end >= 0) return { value, end };
  }
  return undefined;
}

/** Whether a number counts something: "in 2000 steps". */
function isCounted(tokens: readonly Token[], index: number): boolean {
  return (
    /^(?:\p{L}{3,}s|%|ml|mg|kg|km)$/u.test(textAt(tokens, index + 1)) &&
    !/^(?:was|has|does|did)$/u.test(textAt(tokens, index + 1))
  );
}

function readNumericDate({ tokens, today }: TimeContext, index: number): Period | undefined {
  const match = /^(\d{1,4})([-/.])(\d{1,2})(?:\2(\d{1,4}))?$/u.exec(textAt(tokens, index));
  if (match === null) return undefined;
  const [first, second, third] = [Number(match[1]), Number(match[3]), match[4]];
  const end = index + 1;
  if (match[1]!.length === 4) return datedPeriod([dateSpan(first, second - 1, Number(third ?? 0))], end);
  if (third === undefined) {
    if (!/^(?:on|since|until|before|after|by|from|to|and|-)$/u.test(textAt(tokens, index - 1))) return undefined;
    const span = [0, -1].map((back) => yearOf(today) + back).flatMap((year) => readings(year, first, second));
    const period = datedPeriod(span, end);
    // "To 49/51" is a measurement.
    return period === undefined ? undefined : { ...period, origin: "recurring" };
  }
  if (third.length !== 2 && third.length !== 4) return undefined;
  return datedPeriod(readings(third.length === 2 ? 2000 + Number(third) : Number(third), first, second), end);
}

/** Day before month, plus the American order when it is possible. */
function readings(year: number, first: number, second: number): (Span | undefined)[] {
  const british = second <= 12 ? dateSpan(year, second - 1, first) : undefined;
  const american = first <= 12 && first !== second ? dateSpan(year, first - 1, second) : undefined;
  return [british, american];
}

function datedPeriod(spans: readonly (Span | undefined)[], end: number): Period | undefined {
  const possible = spans.filter((span) => span !== undefined);
  return possible.length === 0 ? undefined : { spans: possible, origin: "dated", end };
}

/** "Thursday 6 February", "Sunday the fifth of January": of several years, those in which the weekday matches. */
function readWeekdayDate(context: TimeContext, index: number): Period | undefined {
  const weekday = readWeekday(context.tokens, index);
  if (weekday === undefined) return undefined;
  const start = skip(context.tokens, index + 1, ",? the?");
  const date = readDayOfMonth(context, start) ?? readMonthThenDay(context, start) ?? readBareDay(context, start - 1);
  if (date === undefined) return undefined;
  const right = date.spans.filter(({ from }) => weekdayOf(from) === weekday);
  const past = right.filter(({ from }) => from <= context.today && from > context.today - pastDaysMax);
  if (past.length > 0) return { ...date, spans: past };
  const coming = right.filter(({ from }) => from > context.today && from < context.today + comingDaysMax);
  return coming.length > 0 ? { ...date, spans: coming, origin: "dated" } : date;
}

/** If the matching date is further away than this, the weekday is taken to be wrong. */
const pastDaysMax = 730;
const comingDaysMax = 60;

/** "19 February", "the twelfth of April", "3-7 March", "between 3 and 7 March"; for "3 and 7 March" the 3rd alone. */
function readDayOfMonth(context: TimeContext, index: number): Period | undefined {
  const { tokens } = context;
  const isBetween = textAt(tokens, index - 1) === "between";
  const first = readDayNumber(tokens, skip(tokens, index, "the"));
  if (first === undefined) return undefined;
  let last = first;
  let isRange = isBetween;
  for (let count = 0; count < dayListLengthMax; count++) {
    const joint = textAt(tokens, last.end);
    if (!/^(?:,|and|or|to|-|until|till|through|&)$/u.test(joint)) break;
    const next = readDayNumber(tokens, skip(tokens, last.end + 1, "and|or? the?"));
    if (next === undefined) break;
    isRange ||= /^(?:to|-|until|till|through|or)$/u.test(joint) && next.value > last.value;
    last = next;
  }
  const monthAt = skip(tokens, last.end, "day? of? the? month? of?");
  const month = readMonth(tokens, monthAt);
  if (month === undefined) return undefined;
  const period = ofYear(context, monthAt + 1, (year) =>
    dayRange(year, month, first.value, isRange ? last.value : first.value),
  );
  return period === undefined || isRange || last === first ? period : { ...period, end: first.end };
}

const dayListLengthMax = 5;

function dayRange(year: number, month: number, firstDay: number, lastDay: number): Span[] {
  const from = dateSpan(year, month, firstDay)?.from;
  const until = dateSpan(year, month, lastDay)?.until;
  return from === undefined || until === undefined || until <= from ? [] : [{ from, until }];
}

function readDayNumber(tokens: readonly Token[], index: number) {
  const read = readOrdinal(tokens, index) ?? readNumber(tokens, index);
  return read !== undefined && read.value >= 1 && read.value <= 31 ? read : undefined;
}

/** "October 13, 2023", "March the 3rd", "August 3-7". */
function readMonthThenDay(context: TimeContext, index: number): Period | undefined {
  const { tokens } = context;
  const month = readMonth(tokens, index);
  if (month === undefined) return undefined;
  const first = readDayNumber(tokens, skip(tokens, index + 1, ".? the?"));
  if (
    first === undefined ||
    (readNumber(tokens, first.end) !== undefined && !/^\d{4}$/u.test(textAt(tokens, first.end)))
  )
    return undefined;
  if (isCounted(tokens, first.end - 1)) return undefined;
  const joint = follow(tokens, first.end, "-|to|or|through|until the?");
  const second = joint < 0 ? undefined : readDayNumber(tokens, joint);
  const last = second !== undefined && second.value > first.value ? second : first;
  return ofYear(context, last.end, (year) => dayRange(year, month, first.value, last.value));
}

function readHolidayPeriod(context: TimeContext, index: number): Period | undefined {
  const { tokens, timeZone } = context;
  const holiday = readHoliday(tokens, index) ?? readHoliday(tokens, skip(tokens, index, "the"));
  if (holiday === undefined) return undefined;
  return ofYear(context, holiday.end, (year) => holiday.days(year, timeZone));
}

function readSeasonOrMonth(context: TimeContext, index: number): Period | undefined {
  const { tokens } = context;
  const start = skip(tokens, index, "the? month of");
  const month = readMonth(tokens, start);
  if (month !== undefined) return ofYear(context, start + 1, (year) => [monthSpan(year, month)]);
  const seasonAt = skip(tokens, index, "the");
  const season = readSeason(tokens, seasonAt, context.timeZone);
  if (season === undefined || !isSeason(tokens, index, seasonAt)) return undefined;
  return ofYear(context, seasonAt + 1, (year) => [monthSpan(year, season, 3)]);
}

/** "Spring", "the summer programme" and above all "the fall" are not always seasons. */
function isSeason(tokens: readonly Token[], index: number, seasonAt: number): boolean {
  if (
    /^(?:of|19\d\d|20\d\d)$/u.test(textAt(tokens, seasonAt + 1)) &&
    /^(?:19|20)\d\d$/u.test(textAt(tokens, skip(tokens, seasonAt + 1, "of")))
  ) {
    return true;
  }
  if (follow(tokens, seasonAt + 1, "of? last|this year") >= 0) return true;
  const before = textAt(tokens, index - 1);
  if (textAt(tokens, seasonAt) === "fall")
    return /^(?:early|mid|late)$/u.test(before) || (before === "-" && textAt(tokens, index - 2) === "mid");
  return isTimeWord(before) && !isNoun(tokens, seasonAt + 1);
}

/** "The 19th": of any month. A number followed by a noun is not a date: "the 2nd dose". */
function readBareDay(context: TimeContext, index: number): Period | undefined {
  const { tokens, today } = context;
  const dayAt = skip(tokens, index, "the");
  const day = dayAt > index || /^\d/u.test(textAt(tokens, index)) ? readOrdinal(tokens, dayAt) : undefined;
  if (day === undefined || day.value > 31) return undefined;
  const before = textAt(tokens, index - 1);
  const isAfterPreposition =
    /^(?:on|since|until|till|by|before|after|from|around)$/u.test(before) ||
    (/^\d/u.test(textAt(tokens, dayAt)) && /^(?:to|between|and|of)$/u.test(before)) ||
    readWeekday(tokens, index - 1) !== undefined;
  if (!isAfterPreposition || isNoun(tokens, day.end)) return undefined;
  const months = Array.from({ length: 14 }, (_, back) => monthSpan(yearOf(today), monthOf(today) - back));
  const spans = months.flatMap(({ from, until }) =>
    from + day.value <= until ? [{ from: from + day.value - 1, until: from + day.value }] : [],
  );
  return { spans, origin: "recurring", end: day.end };
}

function readBareYear({ tokens }: TimeContext, index: number): Period | undefined {
  const text = textAt(tokens, index);
  const decadeAt = skip(tokens, index, "the");
  const decade = /^((?:19|20)\d)0s$/u.exec(textAt(tokens, decadeAt));
  if (decade !== null) return datedPeriod([monthSpan(Number(decade[1]) * 10, 0, 120)], decadeAt + 1);
  const isYear = /^(?:19|20)\d\d$/u.test(text) && isTimeWord(textAt(tokens, index - 1)) && !isCounted(tokens, index);
  return isYear ? datedPeriod([monthSpan(Number(text), 0, 12)], index + 1) : undefined;
}
