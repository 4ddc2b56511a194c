/**
 * The times a question names, as intervals, and the rest of it: what the question is about. A hand-written reader of
 * English. A time without its year is the latest one that has begun, since questions to a memory are about the past.
 * Where words have two readings, both are intervals with the same words, the likelier one first.
 */
import { finish } from "../../text/steps.js";
import { localDay, startOfLocalDay } from "../../text/time.js";
import type { Span } from "./calendar.js";
import { isNoun, readWeekday } from "./calendar-words.js";
import { readPeriod, resolveSpans } from "./composed-expressions.js";
import type { TimeContext } from "./dated-expressions.js";
import { readLimited, readOpenTime, type TimeFound } from "./open-expressions.js";
import { skip, textAt, tokenize, type Token } from "./time-words.js";

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
}

export interface QuestionTime {
  readonly intervals: readonly QuestionInterval[];
  /** The question without the words of its intervals. */
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
  const times: TimeFound[] = [];
  let index = 0;
  while (index < tokens.length) {
    yield;
    const time = findTimeAt(context, index);
    const begun = time?.spans.filter(({ from }) => from <= context.today) ?? [];
    if (time !== undefined && begun.length > 0) times.push({ ...time, spans: begun });
    index = time?.end ?? index + 1;
  }
  const toMs = (day: number): number => (Number.isFinite(day) ? startOfLocalDay(day, timeZone) : day);
  return {
    intervals: times.flatMap(({ start, end, spans }) =>
      spans.map(({ from, until }) => ({
        words: question.slice(tokens[start]!.start, tokens[end - 1]!.end),
        fromMs: toMs(from),
        untilMs: toMs(until),
      })),
    ),
    rest: withoutWords(question, tokens, times),
  };
}

function findTimeAt(context: TimeContext, index: number): TimeFound | undefined {
  if (isAboutSomething(context.tokens, index)) return undefined;
  const open = readOpenTime(context, index);
  const limited = readLimited(context, index);
  const named = readNamed(context, index);
  const closed = (named?.end ?? 0) > (limited?.end ?? 0) ? named : limited;
  return open !== undefined && open.end >= (closed?.end ?? 0) ? open : closed;
}

/** "What did we talk about two weeks ago" is not about two weeks. */
function isAboutSomething(tokens: readonly Token[], index: number): boolean {
  return textAt(tokens, index) === "about" && aboutVerb.test(textAt(tokens, index - 1));
}

const aboutVerb =
  /^(?:talk|say|said|think|thought|ask|hear|heard|worr(?:y|ied)|complain|speak|spoken?|chat|write|wrote|read|kn[eo]w|learn|dream|jok|moan|t[eo]ll?d?|feel|felt|care|forg[eo]t|me|you|him|her|us|them)(?:s|t?ed|ing|ting)?$/u;

const prepositions = [
  "for? all|most|much|part|some|rest of",
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
  return {
    start: isBare ? skip(tokens, start, "the") : index,
    end: period.end,
    spans: resolveSpans(period, today).map((span) => (isAround ? widen(span) : span)),
  };
}

/** "The group I volunteered at last week": the preposition does not belong to the time. */
function isBareRelative(tokens: readonly Token[], index: number, start: number): boolean {
  const isTight = /^(?:in|at|on|for|from)$/u.test(textAt(tokens, index));
  return isTight && textAt(tokens, start) !== "the" && readWeekday(tokens, start) === undefined;
}

function widen({ from, until }: Span): Span {
  const slack = until - from <= 4 ? 2 : until - from <= 10 ? 3 : 10;
  return { from: from - slack, until: until + slack };
}

function withoutWords(question: string, tokens: readonly Token[], times: readonly TimeFound[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of times) {
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
