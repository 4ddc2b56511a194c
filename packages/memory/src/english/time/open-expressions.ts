/**
 * Times open on one side: up to the question ("lately", "over the past two weeks", "since March") or up to some time
 * ("before Christmas").
 */
import { partOf, type Span } from "./calendar.js";
import { readPeriod, resolveSpans } from "./composed-expressions.js";
import type { TimeContext } from "./dated-expressions.js";
import { follow, readDistance, readUnit, skip, textAt, type Token } from "./time-words.js";

/** Tokens that describe a time, and the days they may mean. */
export interface TimeFound {
  readonly start: number;
  readonly end: number;
  readonly spans: readonly Span[];
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
];

export function readOpenTime({ tokens, today }: TimeContext, index: number): TimeFound | undefined {
  const until = today + 1;
  const window = readWindow(tokens, index);
  if (window !== undefined) {
    return { start: index, end: window.end, spans: [{ from: until - window.dayCount, until }] };
  }
  for (const [pattern, dayCount] of openWords) {
    const end = follow(tokens, index, pattern);
    if (end >= 0) return { start: index, end, spans: [{ from: until - dayCount, until }] };
  }
  return undefined;
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

/** "Since March", "before Christmas", "until Friday", "by the end of April", "after Easter". */
export function readLimited(context: TimeContext, index: number): TimeFound | undefined {
  const { tokens, today } = context;
  for (const [pattern, limit] of limits) {
    const start = follow(tokens, index, pattern);
    if (pattern.startsWith("up") && phrasalVerb.test(textAt(tokens, index - 1))) continue;
    const period = start < 0 ? undefined : readPeriod(context, start);
    if (period === undefined || (pattern === "from" && !isOnwards(tokens, period.end))) continue;
    return {
      // The preposition belongs to something that the time describes: "after Tuesday's fall".
      start: tokens[period.end - 1]!.isGenitive ? start : index,
      end: period.end + (isOnwards(tokens, period.end) ? 1 : 0),
      spans: resolveSpans(period, today)
        .flatMap((span) => limit(span, today))
        .filter(({ from, until }) => from < until),
    };
  }
  return undefined;
}

type Limit = (span: Span, today: number) => Span[];

const untilNow: Limit = ({ from }, today) => [{ from, until: today + 1 }];
const beforeIt: Limit = ({ from }) => [{ from: -Infinity, until: from }];
/** "Until Friday" includes Friday, "until March" ends where March begins. */
const untilIt: Limit = ({ from, until }) => [{ from: -Infinity, until: until - from === 1 ? until : from }];

/** How things stood by then is found in the days up to it. */
const byIt: Limit = ({ from, until }) => {
  const last = until - from > 10 ? partOf({ from, until }, "start").until : until;
  return [{ from: Math.min(from, last - 7), until: last }];
};

/** What came after is looked for first in the weeks that follow, then up to now. */
const afterIt: Limit = ({ from, until }, today) => {
  const start = until - from === 1 ? from : until;
  const sinceThen: Span = { from: start, until: today + 1 };
  return start + 22 > today ? [sinceThen] : [{ from: start, until: start + 22 }, sinceThen];
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
