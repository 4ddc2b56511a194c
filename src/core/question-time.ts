/**
 * What a question says about when. A hand-written reader of English: it finds the times that a question names, tells
 * how each of them is meant, and leaves the rest, which is what the question is about. A time without its year is the
 * latest one that has begun, since questions to a memory are about the past. Where words have two readings, both are
 * intervals with the same words, the likelier one first.
 */
import { partOf, type Span } from "./calendar.js";
import { isNoun, readWeekday } from "./calendar-words.js";
import { readPeriod, resolveSpans } from "./composed-expressions.js";
import type { Period, TimeContext } from "./dated-expressions.js";
import { readLifeAnchors, type LifeAnchor } from "./life-anchor.js";
import { localDay, startOfLocalDay } from "./naturalized-time.js";
import { readOpenTime } from "./open-expressions.js";
import { follow, skip, textAt, tokenize, type Token } from "./time-words.js";

export type { LifeAnchor } from "./life-anchor.js";

/**
 * "named": the question is about what happened in it. "until-now": open towards the question's own time. "before": up
 * to a moment. "background": about now or later; it says nothing about when a memory was.
 */
export type IntervalRole = "named" | "until-now" | "before" | "background";

/** An interval of time that a question names, and the words it was read from. */
export interface QuestionInterval {
  /** As they stand in the question. */
  readonly words: string;
  /** The first moment, by the person's time zone; -Infinity if it is open. */
  readonly fromMs: number;
  /** The first moment after it. */
  readonly untilMs: number;
  readonly role: IntervalRole;
}

export interface QuestionTime {
  readonly intervals: readonly QuestionInterval[];
  readonly anchors: readonly LifeAnchor[];
  /** The question without the words of its intervals, except those in the background. */
  readonly rest: string;
}

/** Nobody asks longer questions; what is beyond is not read. */
const readLengthMax = 2000;

export function readQuestionTime(question: string, atMs: number, timeZone: string): QuestionTime {
  const tokens = tokenize(question.slice(0, readLengthMax));
  const context: TimeContext = { tokens, today: localDay(atMs, timeZone), timeZone };
  const times = rebase(context, findTimes(context));
  const toMs = (day: number): number => (Number.isFinite(day) ? startOfLocalDay(day, timeZone) : day);
  const taken = new Set(times.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, i) => start + i)));
  return {
    intervals: times.flatMap(({ start, end, readings }) =>
      readings.map(({ span, role }) => ({
        words: question.slice(tokens[start]!.start, tokens[end - 1]!.end),
        fromMs: toMs(span.from),
        untilMs: toMs(span.until),
        role,
      })),
    ),
    anchors: readLifeAnchors(question, tokens, taken),
    rest: withoutWords(question, tokens, times),
  };
}

export interface Reading {
  readonly span: Span;
  readonly role: IntervalRole;
}

/** Tokens that tell a time, and what they may mean. */
interface TimeFound {
  readonly start: number;
  readonly end: number;
  readonly readings: readonly Reading[];
  readonly origin: Period["origin"] | "open";
}

function findTimes(context: TimeContext): TimeFound[] {
  const found: TimeFound[] = [];
  let index = 0;
  while (index < context.tokens.length) {
    const time = findTimeAt(context, index);
    if (time !== undefined && time.readings.length > 0) found.push(time);
    index = time?.end ?? index + 1;
  }
  return found;
}

function findTimeAt(context: TimeContext, index: number): TimeFound | undefined {
  const open = readOpenTime(context, index);
  const limited = readLimited(context, index);
  const named = readNamed(context, index);
  const closed = (named?.end ?? 0) > (limited?.end ?? 0) ? named : limited;
  return open !== undefined && open.end >= (closed?.end ?? 0) ? { start: index, ...open, origin: "open" } : closed;
}

/**
 * A date with its year is when something was told: "last Friday" beside it is told from there and not from today, and
 * "recently" says nothing more.
 */
function rebase(context: TimeContext, found: readonly TimeFound[]): readonly TimeFound[] {
  const dates = found.filter(({ origin }) => origin === "dated");
  const [date] = dates;
  if (date === undefined || dates.length > 1) return found;
  const { from, until } = date.readings[0]!.span;
  return found.map((time) => {
    if (time.origin === "open") return { ...time, readings: time.readings.map(toBackground) };
    if (time.origin !== "relative" || until - from > 1) return time;
    return findTimeAt({ ...context, today: from }, time.start) ?? time;
  });
}

function toBackground({ span }: Reading): Reading {
  return { span, role: "background" };
}

/** "Since March", "before Christmas", "until Friday", "by the end of April", "after Easter". */
function readLimited(context: TimeContext, index: number): TimeFound | undefined {
  for (const [pattern, limit] of limits) {
    const start = follow(context.tokens, index, pattern);
    if (pattern.startsWith("up") && phrasalVerb.test(textAt(context.tokens, index - 1))) continue;
    const period = start < 0 ? undefined : readPeriod(context, start);
    if (period === undefined) continue;
    const readings = resolveSpans(period, context.today).flatMap((span) => limit(span, context));
    return { start: index, end: skip(context.tokens, period.end, "onwards|onward"), readings, origin: period.origin };
  }
  return undefined;
}

type Limit = (span: Span, context: TimeContext) => Reading[];

const untilNow: Limit = ({ from }, { today }) =>
  from > today ? [] : [{ span: { from, until: today + 1 }, role: "until-now" }];
const beforeIt: Limit = ({ from }) => [{ span: { from: -Infinity, until: from }, role: "before" }];
/** "Until Friday" takes Friday in, "until March" ends where March begins. */
const untilIt: Limit = ({ from, until }, { today }) =>
  from <= today && until > today && until - from === 1
    ? [{ span: { from, until }, role: "background" }]
    : [{ span: { from: -Infinity, until: until - from === 1 ? until : from }, role: "before" }];

/** How things were by then is found in the days up to it; how many there were, in all the time before. */
const byIt: Limit = ({ from, until }, { tokens }) => {
  if (tokens.some((_, i) => follow(tokens, i, "how many|often") >= 0)) {
    return [{ span: { from: -Infinity, until }, role: "before" }];
  }
  const last = until - from > 10 ? partOf({ from, until }, "start").until : until;
  return [{ span: { from: Math.min(from, last - 7), until: last }, role: "named" }];
};

/** What came after is first looked for in the weeks that follow, and then up to now. */
const afterIt: Limit = ({ from, until }, { today }) => {
  if (until > today + 1) return [];
  const start = until - from === 1 ? from : until;
  const soon: Reading = { span: { from: start, until: start + 22 }, role: "named" };
  const sinceThen: Reading = { span: { from: start, until: today + 1 }, role: "until-now" };
  return soon.span.until > today ? [sinceThen] : [soon, sinceThen];
};

const limits: readonly (readonly [pattern: string, limit: Limit])[] = [
  ["ever? since", untilNow],
  ["from", (span, context) => (isOnwards(context) ? untilNow(span, context) : [{ span, role: "named" }])],
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

function isOnwards({ tokens }: TimeContext): boolean {
  return tokens.some((_, i) => follow(tokens, i, "onwards|onward") >= 0 || follow(tokens, i, "on ,|?") >= 0);
}

const prepositions = [
  "back|sometime|just|only|all? on|in|at|over|during|throughout|through|for|towards|toward|within|across|from? around|about?",
  "around|about|circa|near|of|as of?",
] as const;

/** A time with the preposition before it, unless it describes something: "the mid-April appointment". */
function readNamed(context: TimeContext, index: number): TimeFound | undefined {
  const { tokens, today } = context;
  const afterwards = Math.max(...prepositions.map((pattern) => skip(tokens, index, pattern)));
  const direct = readPeriod(context, index);
  const after = afterwards === index ? undefined : readPeriod(context, afterwards);
  const period = (after?.end ?? 0) > (direct?.end ?? 0) ? after : direct;
  if (period === undefined) return undefined;
  const start = period === direct ? index : afterwards;
  if (start > index && period.origin === "relative" && isBareRelative(tokens, index, start)) return undefined;
  const describes = isNoun(tokens, period.end) || tokens[period.end - 1]!.isGenitive;
  const isBare = describes && !/^\d{4}$/u.test(textAt(tokens, period.end - 1));
  const isAround = tokens.slice(index, start).some(({ text }) => /^(?:around|about|circa|near)$/u.test(text));
  const readings = resolveSpans(period, today).map((span): Reading => {
    const wide = isAround ? widen(span) : span;
    return { span: wide, role: wide.from > today || saysNow(tokens, index, wide, today) ? "background" : "named" };
  });
  return { start: isBare ? skip(tokens, start, "the") : index, end: period.end, readings, origin: period.origin };
}

/** "The group I volunteered at last week": the preposition is not of the time. */
function isBareRelative(tokens: readonly Token[], index: number, start: number): boolean {
  const isTight = /^(?:in|at|on|for|from)$/u.test(textAt(tokens, index));
  return isTight && textAt(tokens, start) !== "the" && readWeekday(tokens, start) === undefined;
}

/** "We're in the first days of June" says which day it is. */
function saysNow(tokens: readonly Token[], index: number, { from, until }: Span, today: number): boolean {
  const isSaid = ["we're|it's|i'm", "we|it|this are|is", "now"].some((pattern) =>
    [1, 2].some((back) => follow(tokens, index - back, pattern) === index),
  );
  return isSaid && from <= today && today < until;
}

function widen({ from, until }: Span): Span {
  const slack = until - from <= 4 ? 2 : until - from <= 10 ? 3 : 10;
  return { from: from - slack, until: until + slack };
}

function withoutWords(question: string, tokens: readonly Token[], times: readonly TimeFound[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end, readings } of times) {
    if (readings.every(({ role }) => role === "background")) continue;
    rest += `${question.slice(from, tokens[start]!.start)} `;
    from = tokens[end - 1]!.end;
  }
  return tidy(rest + question.slice(from));
}

function tidy(text: string): string {
  return text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ (?=[,.;:?!])/gu, "")
    .replaceAll(/(?: (?:than|since|between|compared (?:with|to)))+(?=[,.;:?!]|$)/gu, "")
    .replaceAll(/,(?=[,.;:?!])/gu, "")
    .replace(/^[\s,.;:]+/u, "")
    .trim();
}
