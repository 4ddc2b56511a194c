/**
 * Times open on one side: up to the question ("lately", "so far", "over the past two weeks", "since March") or up to
 * some time ("before Christmas"); and words that only say "now".
 */
import { partOf, type Span } from "./calendar.js";
import { readPeriod, resolveSpans } from "./composed-expressions.js";
import type { Period, TimeContext } from "./dated-expressions.js";
import { follow, readDistance, readUnit, skip, textAt, type Token } from "./time-words.js";

/**
 * "named": the question is about what happened in it. "until-now": open towards the time of the question. "before": up
 * to a moment. "background": about now or later; it says nothing about when a memory was.
 */
export type IntervalRole = "named" | "until-now" | "before" | "background";

/** What the words may mean. */
export interface Reading {
  readonly span: Span;
  readonly role: IntervalRole;
}

interface OpenTime {
  readonly end: number;
  readonly readings: readonly Reading[];
}

/** Days back from the question. */
const openWords: readonly (readonly [pattern: string, dayCount: number])[] = [
  ["recently|lately", 30],
  ["of late", 30],
  ["these days", 30],
  ["these last|past days", 7],
  ["the? last|past|recent days", 7],
  ["in|over? recent days", 7],
  ["in|over? recent weeks", 30],
  ["in|over? recent months", 120],
  ["in|over? recent years", 1100],
  ["so far this? week", 7],
  ["so|thus far", Infinity],
  ["until|till|til now", Infinity],
  ["up to|until|till now", Infinity],
  ["to date", Infinity],
  ["as yet", Infinity],
];

const nowWords = [
  "up to|until|till today",
  "until|till today",
  "as of right? now|today",
  "right? now",
  "at? the? moment",
  "currently|nowadays|presently|still",
  "at present",
  "at the present time",
];

export function readOpenTime(context: TimeContext, index: number): OpenTime | undefined {
  const { tokens, today } = context;
  const until = today + 1;
  const window = readWindow(tokens, index);
  if (window !== undefined) {
    return { end: window.end, readings: [{ span: { from: until - window.dayCount, until }, role: "until-now" }] };
  }
  for (const [pattern, dayCount] of openWords) {
    const end = follow(tokens, index, pattern);
    if (end >= 0) return { end, readings: [{ span: { from: until - dayCount, until }, role: "until-now" }] };
  }
  for (const pattern of nowWords) {
    const end = follow(tokens, index, pattern);
    if (end >= 0 && isNow(tokens, index, end))
      return { end, readings: [{ span: { from: today, until }, role: "background" }] };
  }
  return undefined;
}

/** "The moment I fell" is not now. */
function isNow(tokens: readonly Token[], index: number, end: number): boolean {
  return textAt(tokens, end - 1) !== "moment" || textAt(tokens, index) === "at";
}

/** "Over the past two weeks", "in the last ten days", "these last few days", "the past month", "this last week". */
function readWindow(
  tokens: readonly Token[],
  index: number,
): { readonly dayCount: number; readonly end: number } | undefined {
  const start = skip(tokens, index, "in|over|during|within|for|throughout|across");
  const edge = follow(tokens, start, "the|these|this? last|past");
  if (edge < 0) return undefined;
  const distance = readDistance(tokens, edge);
  if (distance === undefined && follow(tokens, start, "last|past") >= 0) return undefined;
  const unit = readUnit(tokens, edge);
  const end = distance?.end ?? (unit === undefined ? -1 : edge + 1);
  if (end < 0 || follow(tokens, end, "of|in|at|before|that|on") >= 0) return undefined;
  if (distance !== undefined) return { dayCount: Math.max(1, distance.max), end };
  return unit === undefined || unit.isPlural || unit.unit === "weekend"
    ? undefined
    : { dayCount: Math.ceil(windowDays[unit.unit] * unit.factor), end };
}

const windowDays = { hour: 1, day: 2, night: 2, week: 8, weekend: 8, month: 32, year: 366 } as const;

interface LimitedTime extends OpenTime {
  /** After the preposition, if that belongs to something the time describes: "after Tuesday's fall". */
  readonly start: number;
  readonly origin: Period["origin"];
}

/** "Since March", "before Christmas", "until Friday", "by the end of April", "after Easter". */
export function readLimited(context: TimeContext, index: number): LimitedTime | undefined {
  for (const [pattern, limit] of limits) {
    const start = follow(context.tokens, index, pattern);
    if (pattern.startsWith("up") && phrasalVerb.test(textAt(context.tokens, index - 1))) continue;
    const period = start < 0 ? undefined : readPeriod(context, start);
    if (period === undefined || (pattern === "from" && !isOnwards(context.tokens, period.end))) continue;
    const readings = resolveSpans(period, context.today).flatMap((span) => limit(span, context));
    const first = context.tokens[period.end - 1]!.isGenitive ? start : index;
    return {
      start: first,
      end: period.end + (isOnwards(context.tokens, period.end) ? 1 : 0),
      readings,
      origin: period.origin,
    };
  }
  return undefined;
}

type Limit = (span: Span, context: TimeContext) => Reading[];

const untilNow: Limit = ({ from }, { today }) =>
  from > today ? [] : [{ span: { from, until: today + 1 }, role: "until-now" }];
const beforeIt: Limit = ({ from }) => [{ span: { from: -Infinity, until: from }, role: "before" }];
/** "Until Friday" includes Friday, "until March" ends where March begins. */
const untilIt: Limit = ({ from, until }, { today }) =>
  from <= today && until > today && until - from === 1
    ? [{ span: { from, until }, role: "background" }]
    : [{ span: { from: -Infinity, until: until - from === 1 ? until : from }, role: "before" }];

/** How things stood by then is found in the days up to it; how many there were, in all the time before. */
const byIt: Limit = ({ from, until }, { tokens, today }) => {
  if (from > today) return [{ span: { from, until }, role: "background" }];
  if (tokens.some((_, i) => follow(tokens, i, "how many|often") >= 0)) {
    return [{ span: { from: -Infinity, until }, role: "before" }];
  }
  const last = until - from > 10 ? partOf({ from, until }, "start").until : until;
  return [{ span: { from: Math.min(from, last - 7), until: last }, role: "named" }];
};

/** What came after is looked for first in the weeks that follow, then up to now. */
const afterIt: Limit = ({ from, until }, { today }) => {
  const start = until - from === 1 ? from : until;
  if (start > today) return [];
  const soon: Reading = { span: { from: start, until: start + 22 }, role: "named" };
  const sinceThen: Reading = { span: { from: start, until: today + 1 }, role: "until-now" };
  return soon.span.until > today ? [sinceThen] : [soon, sinceThen];
};

const limits: readonly (readonly [pattern: string, limit: Limit])[] = [
  ["ever? since", untilNow],
  ["from", untilNow],
  ["before|pre -?", beforeIt],
  ["prior to", beforeIt],
  ["up to|until|till", untilIt],
  ["until|till|til", untilIt],
  ["by", byIt],
  ["after|following|post -?", afterIt],
];

/** "What did I own up to yesterday?" is not about the time before. */
const phrasalVerb =
  /^(?:own|owned|owning|get|gets|got|getting|live|lived|face|faced|look|looked|measure|measured|stand|stood|add|added|wake|woke|was|were|been|i|you|he|she|we|they)$/u;

/** "From March on", but not "from March on the ward". */
function isOnwards(tokens: readonly Token[], index: number): boolean {
  return (
    /^onwards?$/u.test(textAt(tokens, index)) ||
    (textAt(tokens, index) === "on" && /^$|^[,.;:?!]$/u.test(textAt(tokens, index + 1)))
  );
}
