/**
 * Times made of other times: parts ("the last few days of February", "early last week"), distances ("two weeks before
 * 11 August", "the day after Christmas"), ranges ("from Monday to Wednesday") and the neighbourhood of a day ("the week
 * of 16 December"). Expressions nest only a few levels deep, so no question takes long.
 */
import { monthSpan, partOf, weekdayBefore, weekdayFrom, weekSpan, type Part, type Span } from "./calendar.js";
import { readWeekday } from "./calendar-words.js";
import { nthOf, readCountOf, readRank } from "./counted-parts.js";
import { ofYear, readDated, type Period, type TimeContext } from "./dated-expressions.js";
import { longWeekend } from "./holidays.js";
import { readRelative, unitSpan } from "./relative-expressions.js";
import {
  daysOf,
  follow,
  readDistance,
  readNumber,
  readOrdinal,
  readUnit,
  skip,
  textAt,
  type Distance,
  type Token,
} from "./time-words.js";

const depthMax = 3;

/** The longest time expression that begins at a word. */
export function readPeriod(context: TimeContext, index: number, depth = 0): Period | undefined {
  if (depth > depthMax) return undefined;
  let best: Period | undefined;
  for (const read of [
    readRange,
    readDistant,
    readPart,
    readQuarter,
    readNthOf,
    readWeekOf,
    readWeekdayOf,
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
  const spans = period.spans.map(change).filter((span) => span !== undefined);
  return { ...period, spans: spans.filter(({ from, until }) => from < until), end };
}

/** "Boxing Day morning" stays that day; "Friday night" extends to the next, "4th of July weekend" to the weekend. */
function withDayPart({ tokens }: TimeContext, period: Period): Period {
  const isDay = period.spans.every(({ from, until }) => until - from === 1);
  const nightEnd = isDay ? follow(tokens, period.end, "late? night") : -1;
  if (nightEnd >= 0) return mapSpans(period, nightEnd, ({ from, until }) => ({ from, until: until + 1 }));
  const isShort = period.spans.every(({ from, until }) => until - from <= 2);
  const weekendEnd = isShort ? follow(tokens, period.end, "weekend") : -1;
  if (weekendEnd >= 0) return mapSpans(period, weekendEnd, longWeekend);
  const weekEnd = isShort && period.origin !== "relative" ? follow(tokens, period.end, "week") : -1;
  if (weekEnd >= 0) return mapSpans(period, weekEnd, ({ from }) => weekSpan(from));
  const goneEnd = period.origin === "relative" ? follow(tokens, period.end, "just? gone|past") : -1;
  if (goneEnd >= 0) return { ...period, end: goneEnd };
  const partEnd = follow(tokens, period.end, "early|late? morning|afternoon|evening|lunchtime|teatime");
  return partEnd < 0 ? period : { ...period, end: partEnd };
}

/** "Between mid-April and Easter", "from Monday to Wednesday", "3 March to 7 April". */
function readRange(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens } = context;
  const start = follow(tokens, index, "between|from");
  const first = readPeriod(context, Math.max(start, index), depth + 2);
  if (first === undefined) return undefined;
  if (start >= 0 && tokens.slice(start, first.end).some(({ text }) => /^(?:to|until|till|through|and)$/u.test(text))) {
    return first;
  }
  const joint = follow(tokens, first.end, start < 0 ? "to|-|through" : "to|until|till|through|-|and");
  const second = joint < 0 ? undefined : readPeriod(context, joint, depth + 2);
  const last = second === undefined ? undefined : resolveSpans(second, context.today)[0];
  if (second === undefined || last === undefined) return undefined;
  const from = first.spans.flatMap(({ from: day }) => [day, day - 7]).find((day) => day <= last.from);
  if (from === undefined) return undefined;
  return { spans: [{ from, until: last.until }], origin: second.origin, end: second.end };
}

/** Readings of a period; for a recurring one, the latest that has begun. */
export function resolveSpans({ spans, origin }: Period, today: number): readonly Span[] {
  if (origin !== "recurring") return spans;
  const latest = spans.find(({ from }) => from <= today);
  return latest === undefined ? [] : [latest];
}

/** "Two weeks before 11 August", "the night before Christmas", "the Tuesday after Easter". */
function readDistant(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens } = context;
  const start = skip(tokens, index, "in|on? the");
  const isWeekend = textAt(tokens, start) === "weekend";
  const weekday = isWeekend ? 5 : readWeekday(tokens, start);
  const distance = weekday === undefined ? (readDistance(tokens, start) ?? readOneUnit(tokens, start)) : undefined;
  const distanceEnd = distance?.end ?? (weekday === undefined ? -1 : start + 1);
  if (distanceEnd < 0) return undefined;
  const afterEnd = follow(tokens, distanceEnd, "after|following");
  const anchorAt = Math.max(afterEnd, follow(tokens, distanceEnd, "before|preceding"));
  const anchor = anchorAt < 0 ? undefined : readPeriod(context, anchorAt, depth + 1);
  if (anchor === undefined) return undefined;
  const isAfter = afterEnd >= 0;
  return mapSpans(anchor, anchor.end, ({ from, until }) => {
    if (weekday !== undefined) {
      const day = isAfter ? weekdayFrom(until, weekday) : weekdayBefore(isWeekend ? from - 1 : from, weekday);
      return { from: day, until: day + (isWeekend ? 2 : 1) };
    }
    const { min, max, unit } = distance!;
    if (isAfter) return { from: until - 1 + min, until: until + max };
    return { from: from - max, until: from - min + (unit === "night" ? 2 : 1) };
  });
}

/** "The day", "the week": from its first day to its last. */
function readOneUnit(tokens: readonly Token[], index: number): Distance | undefined {
  const read = readUnit(tokens, index);
  if (read === undefined || read.isPlural || read.unit === "hour") return undefined;
  return { min: 1, max: Math.round(daysOf[read.unit] * read.factor), unit: read.unit, end: index + 1 };
}

const partWords: readonly (readonly [pattern: string, part: Part])[] = [
  ["the? very start|beginning of", "very start"],
  ["the? very end|close of", "very end"],
  ["the? start|beginning|opening|outset of", "start"],
  ["the? end|close of", "end"],
  ["the? tail|back end of", "end"],
  ["end -?", "end"],
  ["start|beginning -?", "start"],
  ["midweek -?", "middle"],
  ["the? middle|midst|mid of", "middle"],
  ["midway|halfway through", "middle"],
  ["the? mid|middle -?", "middle"],
  ["the? early|earlier part|days|weeks|months of|in", "early"],
  ["the? early|earlier on? in? -?", "early"],
  ["the? latter|later|closing part|weeks|months|stages of|in", "late"],
  ["the? late|later on? in? -?", "late"],
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
  const rank = readRank(tokens, rankAt);
  if (rank === undefined) return undefined;
  const counted = readCountOf(tokens, rank.end) ?? { unit: "day", count: 1, end: rank.end };
  const wholeAt = follow(tokens, counted.end, "of|in");
  const whole = wholeAt < 0 ? undefined : readPeriod(context, wholeAt, depth + 1);
  if (whole === undefined || (counted.end === rank.end && rank.value < 1)) return undefined;
  return mapSpans(whole, whole.end, (span) => nthOf(span, rank.value, counted));
}

/** "The Saturday of the Easter weekend", "the Monday of Holy Week". */
function readWeekdayOf(context: TimeContext, index: number, depth: number): Period | undefined {
  const { tokens } = context;
  const weekdayAt = follow(tokens, index, "the");
  const weekday = weekdayAt < 0 ? undefined : readWeekday(tokens, weekdayAt);
  const wholeAt = weekday === undefined ? -1 : follow(tokens, weekdayAt + 1, "of|in");
  const whole = wholeAt < 0 ? undefined : readPeriod(context, wholeAt, depth + 1);
  if (whole === undefined || weekday === undefined) return undefined;
  return mapSpans(whole, whole.end, (span) => nthOf(span, 1, { unit: "day", count: 1, weekday, end: whole.end }));
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

/** "The end of the month": of any month, the latest whose end has begun. Only as a part of it. */
function readCurrent({ tokens, today }: TimeContext, index: number, depth: number): Period | undefined {
  const end = depth === 0 ? -1 : follow(tokens, index, "the week|month|year");
  if (end < 0) return undefined;
  const { unit } = readUnit(tokens, end - 1)!;
  return { spans: [0, 1, 2].map((back) => unitSpan(today, unit, back)), origin: "recurring", end };
}
