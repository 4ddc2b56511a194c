/**
 * What a question says about time. A hand-written reader of English: it finds the times a question names, decides how
 * each is meant, and leaves the rest, which is what the question is about. A time without its year is the latest one
 * that has begun, since questions to a memory are about the past. Where words have two readings, both are intervals
 * with the same words, the likelier one first.
 */
import { finish } from "../steps.js";
import type { Span } from "./calendar.js";
import { isNoun, isPast, readMonth, readWeekday } from "./calendar-words.js";
import { readPeriod, resolveSpans } from "./composed-expressions.js";
import type { Period, TimeContext } from "./dated-expressions.js";
import { readLifeAnchorsSteps, weekdayLeadEnd, type LifeAnchor } from "./life-anchor.js";
import { localDay, startOfLocalDay } from "../time.js";
import { readLimited, readOpenTime, type IntervalRole, type Reading } from "./open-expressions.js";
import { besideSpan, readBeside } from "./time-offset.js";
import { follow, skip, textAt, tokenize, type Token } from "./time-words.js";

export type { IntervalRole } from "./open-expressions.js";
export { timeGains } from "./time-focus.js";
export type { TimeFocus } from "./time-focus.js";

/** An interval of time that a question names, and the words it was read from. */
export interface QuestionInterval {
  /** As they appear in the question. */
  readonly words: string;
  /** The first moment, in the person's time zone; -Infinity if it is open. */
  readonly fromMs: number;
  /** The first moment after it. */
  readonly untilMs: number;
  readonly role: IntervalRole;
}

export interface QuestionTime {
  readonly intervals: readonly QuestionInterval[];
  readonly anchors: readonly LifeAnchor[];
  /** The question without the words of its intervals, except background ones. */
  readonly rest: string;
}

/** Real questions are shorter; anything beyond is not read. */
const readLengthMax = 2000;

export function readQuestionTime(question: string, atMs: number, timeZone: string): QuestionTime {
  return finish(readQuestionTimeSteps(question, atMs, timeZone));
}

/** A step is a word: each may begin many kinds of time, all of which are tried. */
export function* readQuestionTimeSteps(
  question: string,
  atMs: number,
  timeZone: string,
): Generator<void, QuestionTime> {
  const tokens = tokenize(question.slice(0, readLengthMax));
  const context: TimeContext = { tokens, today: localDay(atMs, timeZone), timeZone };
  const times = yield* rebaseSteps(context, yield* findTimesSteps(context));
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
    anchors: yield* readLifeAnchorsSteps(question, tokens, taken),
    rest: withoutWords(question, tokens, times),
  };
}

/** Tokens that describe a time, and what they may mean. */
interface TimeFound {
  readonly start: number;
  readonly end: number;
  readonly readings: readonly Reading[];
  readonly origin: Period["origin"] | "open";
}

function* findTimesSteps(context: TimeContext): Generator<void, TimeFound[]> {
  const found: TimeFound[] = [];
  let index = 0;
  while (index < context.tokens.length) {
    yield;
    const time = findTimeAt(context, index) ?? findBeside(context, index, found.at(-1));
    const lifeEnd = fromLifeEnd(context, index, time?.end ?? index + 1);
    if (lifeEnd === undefined && time !== undefined && time.readings.length > 0) found.push(time);
    index = lifeEnd ?? time?.end ?? index + 1;
  }
  return found;
}

/**
 * Where the calendar may go on if the words from `start` to `end` count a weekday from an event in the person's life:
 * after "on the Tuesday before" if "the surgery" follows, after "the Easter" if that is "the Easter party".
 */
function fromLifeEnd(context: TimeContext, start: number, end: number): number | undefined {
  const { tokens } = context;
  for (let index = start; index < end; index++) {
    const leadEnd = weekdayLeadEnd(tokens, index);
    if (leadEnd === undefined) continue;
    const named = readPeriod(context, skip(tokens, leadEnd, "the|my|your|his|her|our|their"));
    if (named !== undefined && isNoun(tokens, named.end) && !isPast(tokens[named.end]!)) return named.end;
    return end <= leadEnd ? leadEnd : undefined;
  }
  return undefined;
}

function findTimeAt(context: TimeContext, index: number): TimeFound | undefined {
  if (isAboutSomething(context.tokens, index)) return undefined;
  const open = readOpenTime(context, index);
  const limited = readLimited(context, index);
  const named = readNamed(context, index);
  const closed = (named?.end ?? 0) > (limited?.end ?? 0) ? named : limited;
  return open !== undefined && open.end >= (closed?.end ?? 0) ? { start: index, ...open, origin: "open" } : closed;
}

/** "What did we talk about two weeks ago" is not about two weeks. */
function isAboutSomething(tokens: readonly Token[], index: number): boolean {
  return textAt(tokens, index) === "about" && aboutVerb.test(textAt(tokens, index - 1));
}

const aboutVerb =
  /^(?:talk|say|said|think|thought|ask|hear|heard|worr(?:y|ied)|complain|speak|spoken?|chat|write|wrote|read|kn[eo]w|learn|dream|jok|moan|t[eo]ll?d?|feel|felt|care|forg[eo]t|me|you|him|her|us|them)(?:s|t?ed|ing|ting)?$/u;

/** "The night before", "the following week", "two days later": counted from the time named just before. */
function findBeside(
  { tokens, today }: TimeContext,
  index: number,
  previous: TimeFound | undefined,
): TimeFound | undefined {
  const named = previous?.readings.filter(({ role }) => role === "named") ?? [];
  const offset = named.length === 0 ? undefined : readBeside(tokens, index);
  if (offset === undefined) return undefined;
  const readings = named.map(({ span }): Reading => ({ span: besideSpan(span, offset), role: "named" }));
  return {
    start: index,
    end: offset.end,
    readings: readings.filter(({ span }) => span.from <= today),
    origin: "relative",
  };
}

/**
 * A date with its year says when something was told: "last Friday" next to it counts from there and not from today, and
 * "recently" adds nothing.
 */
function* rebaseSteps(context: TimeContext, found: readonly TimeFound[]): Generator<void, readonly TimeFound[]> {
  const dates = found.filter(({ origin }) => origin === "dated");
  const [date] = dates;
  if (date === undefined || dates.length > 1) return found;
  const { from, until } = date.readings[0]!.span;
  const rebased: TimeFound[] = [];
  for (const time of found) {
    yield;
    if (time.origin === "open") rebased.push({ ...time, readings: time.readings.map(toBackground) });
    else if (time.origin !== "relative" || until - from > 1) rebased.push(time);
    else rebased.push(findTimeAt({ ...context, today: from }, time.start) ?? time);
  }
  return rebased;
}

function toBackground({ span }: Reading): Reading {
  return { span, role: "background" };
}

const prepositions = [
  "for? all|most|much|part|some|rest of",
  "for|over|during? the whole|rest|bulk of",
  "way? back|sometime|just|only|all? on|in|at|over|during|throughout|through|for|towards|toward|within|across|from? around|about?",
  "around|about|circa|near|round about?",
  "as? of",
] as const;

/** A time with the preposition before it, unless it modifies something: "the mid-April appointment". */
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
  const isAround = tokens.slice(index, start).some(({ text }) => /^(?:around|about|circa|near|round)$/u.test(text));
  const readings = resolveSpans(period, today).map((span): Reading => {
    const wide = isAround ? widen(span) : span;
    return { span: wide, role: isBackground(context, index, period, wide) ? "background" : "named" };
  });
  return { start: isBare ? skip(tokens, start, "the") : index, end: period.end, readings, origin: period.origin };
}

/** "The group I volunteered at last week": the preposition does not belong to the time. */
function isBareRelative(tokens: readonly Token[], index: number, start: number): boolean {
  const isTight = /^(?:in|at|on|for|from)$/u.test(textAt(tokens, index));
  return isTight && textAt(tokens, start) !== "the" && readWeekday(tokens, start) === undefined;
}

function isBackground(context: TimeContext, index: number, period: Period, span: Span): boolean {
  const { tokens, today } = context;
  if (span.from > today || saysNow(tokens, index, span, today)) return true;
  if (isAhead(tokens) && tokens.slice(index, period.end).some((_, i) => readWeekday(tokens, index + i) !== undefined))
    return true;
  if (textAt(tokens, index) === "for" && tokens.slice(Math.max(0, index - 3), index).some(isPlan)) return true;
  const words = tokens.slice(index, period.end);
  return (
    period.origin === "recurring" &&
    !words.some(({ text }) => /\d/u.test(text)) &&
    isHabitual(tokens, index, period.end)
  );
}

/** "What do I have on Friday?" asks about the future. */
function isAhead(tokens: readonly Token[]): boolean {
  if (tokens.some((token) => isPast(token) && !/^(?:scheduled|booked)$/u.test(token.text))) return false;
  return ["will|shall|due|scheduled|booked|upcoming", "do|does i|you|we|they|he|she|it have|need", "going to"].some(
    (pattern) => tokens.some((_, i) => follow(tokens, i, pattern) >= 0),
  );
}

function isPlan({ text }: Token): boolean {
  return /^(?:plan(?:s|ned|ning)?|hop(?:e|es|ed|ing)|intend(?:s|ed|ing)?|prepar\w+)$/u.test(text);
}

/** "What do they watch at Thanksgiving?": present tense, about every year. */
function isHabitual(tokens: readonly Token[], index: number, end: number): boolean {
  if (tokens.some((token, i) => (i < index || i >= end) && isPast(token))) return false;
  const isAlways = tokens.some(({ text }) =>
    /^(?:usually|always|normally|typically|generally|tend|tends)$/u.test(text),
  );
  const month = tokens.slice(index, end).some((_, i) => readMonth(tokens, index + i) !== undefined);
  return isAlways || (!month && tokens.some(({ text }) => /^(?:do|does)$/u.test(text)));
}

/** "We're in the first days of June" says what day it is. */
function saysNow(tokens: readonly Token[], index: number, { from, until }: Span, today: number): boolean {
  const isSaid = ["we're|i'm", "we|it|this are|is", "now"].some((pattern) =>
    [1, 2].some((back) => follow(tokens, index - back, pattern) === index),
  );
  // The ending of "it's" reads as that of a genitive.
  const isItSaid = textAt(tokens, index - 1) === "it" && tokens[index - 1]!.isGenitive;
  return (isSaid || isItSaid) && from <= today && today < until;
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

/** What may be left over before a comma or at the end; only the first of several is tried, so that it stays linear. */
const danglingWord = " (?:than|since|between|and|or|compared (?:with|to))";
const danglingWords = new RegExp(`(?<!${danglingWord})(?:${danglingWord})+(?=[,.;:?!]|$)`, "gu");

function tidy(text: string): string {
  return text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/ (?=[,.;:?!])/gu, "")
    .replaceAll(danglingWords, "")
    .replaceAll(/,(?=[,.;:?!])/gu, "")
    .replace(/^[\s,.;:]+/u, "")
    .trim();
}
