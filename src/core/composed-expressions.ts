/**
 * Times made of other times: parts ("the last few days of February", "early last week"), distances ("two weeks before
 * 11 August", "the day after Christmas"), ranges ("from Monday to Wednesday") and the neighbourhood of a day ("the week
 * of 16 December"). Expressions nest, but no deeper than a few levels, so that no question takes long.
 */
import {
  monthSpan,
  nthWeekday,
  partOf,
  weekdayBefore,
  weekdayFrom,
  weekdayOf,
  weekSpan,
  type Part,
  type Span,
} from "./calendar.js";
import { readWeekday } from "./calendar-words.js";
import { ofYear, readDated, type Period, type TimeContext } from "./dated-expressions.js";
import { longWeekend } from "./holidays.js";
import { readOffset, type Offset } from "./time-offset.js";
import { readRelative, unitSpan } from "./relative-expressions.js";
import { follow, readNumber, readOrdinal, readUnit, skip, textAt, type Unit } from "./time-words.js";

const depthMax = 3;

/** The longest time that begins at a word. */
export function readPeriod(context: TimeContext, index: number, depth = 0): Period | undefined {
  if (depth > depthMax) return undefined;
  let best: Period | undefined;
  for (const read of [
    readRange,
    readDistant,
    readPart,
    readNthOf,
    readWeekOf,
    readQuarter,
    readCurrent,
    readDated,
    readRelative,
  ]) {
    const period = read(context, index, depth);
    if (period !== undefined && period.spans.length > 0 && period.end > (best?.end ?? -1)) best = period;
  }
  return best === undefined ? undefined : withDayPart(context, best);
}

function mapSpans(period: Period, end: number, change: (span: Span) => Span | undefined): Period {
  return { ...period, spans: period.spans.map(change).filter((span) => span !== undefined), end };
}

/** "Boxing Day morning" stays the day; "Friday night" goes on to the next one, "4th of July weekend" to the weekend. */
function withDayPart({ tokens }: TimeContext, period: Period): Period {
  const isDay = period.spans.every(({ from, until }) => until - from === 1);
  const nightEnd = isDay ? follow(tokens, period.end, "late? night") : -1;
  if (nightEnd >= 0) return mapSpans(period, nightEnd, ({ from, until }) => ({ from, until: until + 1 }));
  const isShort = period.spans.every(({ from, until }) => until - from <= 2);
  const weekendEnd = isShort ? follow(tokens, period.end, "weekend") : -1;
  if (weekendEnd >= 0) return mapSpans(period, weekendEnd, longWeekend);
  const partEnd = follow(tokens, period.end, "early|late? morning|afternoon|evening|lunchtime|teatime");
  return partEnd < 0 ? period : { ...period, end: partEnd };
}

/** "Between mid-April and Easter", "from Monday to Wednesday", "3 March to 7 April". */
function readRange(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens } = context;
  const start = follow(tokens, index, "between|from");
  const first = readPeriod(context, Math.max(start, index), depth + 2);
  if (first === undefined) return undefined;
  const joints = start < 0 ? "to|-|through" : "to|until|till|through|-|and";
  if (start >= 0 && tokens.slice(start, first.end).some((_, i) => follow(tokens, start + i, joints) >= 0)) return first;
  const joint = follow(tokens, first.end, joints);
  const second = joint < 0 ? undefined : readPeriod(context, joint, depth + 2);
  const last = second === undefined ? undefined : resolveSpans(second, context.today)[0];
  if (second === undefined || last === undefined) return undefined;
  const from = first.spans.find((span) => span.from <= last.from)?.from ?? (first.spans[0]?.from ?? 0) - 7;
  if (from > last.from) return undefined;
  return { spans: [{ from, until: last.until }], origin: second.origin, end: second.end };
}

/** Readings of a period: of a recurring one the latest that has begun. */
export function resolveSpans({ spans, origin }: Period, today: number): readonly Span[] {
  if (origin !== "recurring") return spans;
  const latest = spans.find(({ from }) => from <= today);
  return latest === undefined ? [] : [latest];
}

/** "Two weeks before 11 August", "the Sunday after Easter", "the night before Christmas". */
function readDistant(context: TimeContext, index: number, depth: number): Period | undefined {
  const offset = readOffset(context.tokens, index);
  const anchor =
    offset === undefined || !Number.isFinite(offset.fromDays + offset.untilDays)
      ? undefined
      : readPeriod(context, offset.end, depth + 1);
  return offset === undefined || anchor === undefined
    ? undefined
    : mapSpans(anchor, anchor.end, (span) => atOffset(span, offset));
}

/** Days after a longer time are counted from its last day, days before it from its first. */
function atOffset(span: Span, { fromDays, untilDays, weekday, unit }: Offset): Span {
  const isAfter = fromDays >= 0;
  if (weekday !== undefined) {
    const from = isAfter ? weekdayFrom(span.until, weekday) : weekdayBefore(span.from, weekday);
    return { from, until: from + (unit === "weekend" ? 2 : 1) };
  }
  const base = isAfter ? span.until - 1 : span.from;
  return { from: base + fromDays, until: base + untilDays };
}

const partWords: readonly (readonly [pattern: string, part: Part])[] = [
  ["the? very start|beginning of", "very start"],
  ["the? very end|close of", "very end"],
  ["the? start|beginning|opening|outset|dawn of", "start"],
  ["the? end|close|tail|finish|back of", "end"],
  ["the? tail end of", "end"],
  ["the? middle|midst|mid of", "middle"],
  ["midway|halfway through", "middle"],
  ["part -? way through", "middle"],
  ["the? early days|part|weeks|months|stages of|in", "early"],
  ["the? latter|later|closing part|weeks|months|stages of|in", "late"],
  ["early|earlier on|in", "early"],
  ["early|earlier on in", "early"],
  ["late|later on|in", "late"],
  ["late|later on in", "late"],
  ["the? early|earlier -?", "early"],
  ["the? mid|middle -?", "middle"],
  ["the? late|later -?", "late"],
];

/** "Mid-April", "the end of last week", "the first half of September", "earlier this week". */
function readPart(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens, today } = context;
  const earlier = follow(tokens, index, "earlier in?");
  const current = earlier < 0 ? undefined : readRelative(context, earlier);
  if (current !== undefined && current.spans[0]!.from <= today && current.spans[0]!.until > today) {
    return mapSpans(current, current.end, ({ from }) => ({ from, until: Math.max(from + 1, today) }));
  }
  for (const [pattern, part] of partWords) {
    const end = follow(tokens, index, pattern);
    const whole = end < 0 ? undefined : readPeriod(context, end, depth + 1);
    if (whole !== undefined && whole.end > end) return mapSpans(whole, whole.end, (span) => partOf(span, part));
  }
  const turnEnd = follow(tokens, index, "the? turn of");
  const turned = turnEnd < 0 ? undefined : readPeriod(context, turnEnd, depth + 1);
  if (turned !== undefined) return mapSpans(turned, turned.end, ({ from }) => ({ from: from - 3, until: from + 4 }));
  return readHalf(context, index, depth) ?? readDayPartOf(context, index, depth);
}

function readHalf(context: TimeContext, index: number, depth: number): Period | undefined {
  const end = follow(context.tokens, index, "the? first|second|latter|last half of|in");
  const whole = end < 0 ? undefined : readPeriod(context, end, depth + 1);
  if (whole === undefined) return undefined;
  const isFirst = textAt(context.tokens, skip(context.tokens, index, "the")) === "first";
  return mapSpans(whole, whole.end, ({ from, until }) => {
    const middle = Math.ceil((from + until) / 2);
    return isFirst ? { from, until: middle } : { from: middle, until };
  });
}

/** "The early hours of 3 February", "the night of the 3rd", "the eve of Easter". */
function readDayPartOf(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens } = context;
  const end = follow(tokens, index, "the? early|small? hours|morning|afternoon|evening|night|day|date|eve of|on");
  const day = end < 0 ? undefined : readPeriod(context, end, depth + 1);
  if (day === undefined) return undefined;
  const word = textAt(tokens, end - 2);
  if (word === "eve") return mapSpans(day, day.end, ({ from }) => ({ from: from - 1, until: from }));
  return word === "night" ? mapSpans(day, day.end, ({ from, until }) => ({ from, until: until + 1 })) : day;
}

/** "The first Sunday in March", "the last few days of February", "the final week of March", "the last day of June". */
function readNthOf(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens } = context;
  const rankAt = skip(tokens, index, "the? very?");
  const rank = readRank(context, rankAt);
  if (rank === undefined) return undefined;
  const counted = readCountOf(context, rank.end) ?? { unit: "day", count: 1, end: rank.end };
  const wholeAt = follow(tokens, counted.end, "of|in");
  const whole = wholeAt < 0 ? undefined : readPeriod(context, wholeAt, depth + 1);
  if (whole === undefined || (counted.end === rank.end && rank.value < 1)) return undefined;
  return mapSpans(whole, whole.end, (span) => nthOf(span, rank.value, counted));
}

/** -1 is the last, -2 the one before it. */
function readRank(
  { tokens }: TimeContext,
  index: number,
): { readonly value: number; readonly end: number } | undefined {
  const secondLast = follow(tokens, index, "second|next|penultimate -? to? last?");
  if (secondLast > index && /^(?:last|penultimate)$/u.test(textAt(tokens, secondLast - 1)))
    return { value: -2, end: secondLast };
  const last = follow(tokens, index, "last|final|closing|dying");
  if (last >= 0) return { value: -1, end: last };
  const opening = follow(tokens, index, "opening");
  return opening >= 0 ? { value: 1, end: opening } : readOrdinal(tokens, index);
}

interface Counted {
  readonly unit: Unit;
  readonly count: number;
  readonly weekday?: number;
  readonly end: number;
}

/** How many days or weeks a plain plural means: "the last days of May". */
const plainPluralCounts: Readonly<Partial<Record<Unit, number>>> = { day: 5, night: 5, week: 3, month: 3 };

function readCountOf({ tokens }: TimeContext, index: number): Counted | undefined {
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

const lengthOf: Readonly<Record<Unit, number>> = {
  hour: 0,
  day: 1,
  night: 1,
  week: 7,
  weekend: 7,
  month: 30.44,
  year: 365.25,
};

function nthOf(span: Span, n: number, { unit, count, weekday }: Counted): Span | undefined {
  if (weekday !== undefined || unit === "weekend") {
    const from = nthWeekday(span, weekday ?? 5, n);
    return from < span.from || from >= span.until ? undefined : { from, until: from + (weekday === undefined ? 2 : 1) };
  }
  const length = Math.round(lengthOf[unit] * count);
  const from = n > 0 ? span.from + (n - 1) * length : span.until + n * length;
  const part = { from: Math.max(span.from, from), until: Math.min(span.until, from + length) };
  if (part.until <= part.from) return undefined;
  return unit === "week" ? roundedWeek(part) : part;
}

/** "The second week of March" is the 8th to the 14th, or goes on to the Sunday; the last may begin on its Monday. */
function roundedWeek({ from, until }: Span): Span {
  const toMonday = weekdayOf(from);
  const toSunday = 6 - weekdayOf(until - 1);
  return { from: toMonday <= 2 ? from - toMonday : from, until: toSunday <= 2 ? until + toSunday : until };
}

/** "The week of 16 December", "week beginning 3 March", "the weekend of the 5th". */
function readWeekOf(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens } = context;
  const end = follow(
    tokens,
    index,
    "the? week|weekend|fortnight of|beginning|starting|commencing|ending|containing the?",
  );
  const date = end < 0 ? undefined : (readPeriod(context, end - 1, depth + 1) ?? readPeriod(context, end, depth + 1));
  if (date === undefined) return undefined;
  const unitAt = skip(tokens, index, "the");
  const unit = textAt(tokens, unitAt);
  const word = textAt(tokens, unitAt + 1);
  return mapSpans(date, date.end, ({ from, until }) => {
    if (unit === "weekend") return { from: weekdayFrom(from - 3, 5), until: weekdayFrom(from - 3, 5) + 2 };
    if (unit === "fortnight") return { from, until: from + 14 };
    if (word === "ending") return { from: until - 7, until };
    return word === "of" || word === "containing" ? weekSpan(from) : { from, until: from + 7 };
  });
}

/** "The first quarter of 2024", "Q3 last year". */
function readQuarter(context: TimeContext, index: number): Period | undefined {
  const { tokens } = context;
  const short = textAt(tokens, index) === "q" ? readNumber(tokens, index + 1) : undefined;
  const rank = short ?? readOrdinal(tokens, skip(tokens, index, "the"));
  const end = short?.end ?? (rank === undefined ? -1 : follow(tokens, rank.end, "quarter"));
  if (rank === undefined || rank.value > 4 || end < 0) return undefined;
  return ofYear(context, skip(tokens, end, "of the year"), (year) => [monthSpan(year, (rank.value - 1) * 3, 3)]);
}

/** "The end of the month": any month, the latest whose end has begun. Only as a part of it. */
function readCurrent({ tokens, today }: TimeContext, index: number, depth: number): Period | undefined {
  const end = depth === 0 ? -1 : follow(tokens, index, "the week|month|year");
  if (end < 0) return undefined;
  const { unit } = readUnit(tokens, end - 1)!;
  return { spans: [0, 1, 2].map((back) => unitSpan(today, unit, back)), origin: "recurring", end };
}
