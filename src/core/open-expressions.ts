/**
 * Times that reach up to the question: "lately", "so far", "over the past two weeks"; and words that only say "now".
 */
import type { Span } from "./calendar.js";
import type { TimeContext } from "./dated-expressions.js";
import { follow, readDistance, readUnit, skip, textAt, type Token } from "./time-words.js";

export interface OpenTime {
  readonly end: number;
  readonly readings: readonly { readonly span: Span; readonly role: "until-now" | "background" }[];
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
  "at the present? time",
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
  const edge = follow(tokens, start, "the|these|this last|past");
  if (edge < 0) return undefined;
  const distance = readDistance(tokens, edge);
  const unit = readUnit(tokens, edge);
  const end = distance?.end ?? (unit === undefined ? -1 : edge + 1);
  if (end < 0 || follow(tokens, end, "of|in|at|before|that|on") >= 0) return undefined;
  if (distance !== undefined) return { dayCount: Math.max(1, distance.max), end };
  return unit === undefined || unit.isPlural || unit.unit === "weekend"
    ? undefined
    : { dayCount: Math.ceil(windowDays[unit.unit] * unit.factor), end };
}

const windowDays = { hour: 1, day: 2, night: 2, week: 8, weekend: 8, month: 32, year: 366 } as const;
