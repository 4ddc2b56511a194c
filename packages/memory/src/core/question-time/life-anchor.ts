/**
 * Times described by an event in the person's own life: "six days after the fall", "in the week I left the unit", "once
 * they took the frame away". The event is taken verbatim; only the memories know when it was.
 */
import { daysAtOffset, oneDay, type DayOffset, type Span } from "./calendar.js";
import { isPast, readWeekday } from "./calendar-words.js";
import { readOffset, type Offset } from "./time-offset.js";
import { follow, readDistance, readOrdinal, readNumber, readUnit, skip, textAt, type Token } from "./time-words.js";

/** Its days count from the event's day. */
export interface LifeAnchor extends DayOffset {
  /** The whole expression as it appears in the question. */
  readonly words: string;
  readonly event: string;
}

/** The days an anchor means if its event was on this day. */
export function anchoredDays(eventDay: number, anchor: LifeAnchor): Span {
  return daysAtOffset(oneDay(eventDay), anchor);
}

/** What comes before the event; it ends where the event begins. */
interface Lead extends Offset {
  /** Only a clause about a past event makes it a time; "when I take pictures" is not one. */
  readonly needsPast?: boolean;
}

/** Anchors of a question. `taken` marks the tokens of calendar times, which cannot be part of an event. */
export function* readLifeAnchorsSteps(
  question: string,
  tokens: readonly Token[],
  taken: ReadonlySet<number>,
): Generator<void, LifeAnchor[]> {
  const anchors: LifeAnchor[] = [];
  let index = 0;
  while (index < tokens.length) {
    yield;
    const owned = taken.has(index) ? undefined : readOwnersTime(question, tokens, index);
    if (owned !== undefined) {
      anchors.push(owned.anchor);
      index = owned.end;
      continue;
    }
    const lead = taken.has(index) ? undefined : readLead(tokens, index);
    const end = lead === undefined || taken.has(lead.end - 1) ? -1 : eventEnd(tokens, lead.end, index, taken);
    if (lead === undefined || end <= lead.end || !isEvent(tokens.slice(lead.end, end), lead)) {
      index++;
      continue;
    }
    const last = withoutVerb(tokens, index, end);
    const cut = (from: number): string => question.slice(tokens[from]!.start, tokens[last - 1]!.end);
    const { fromDays, untilDays, weekday } = lead;
    const offset: DayOffset = { fromDays, untilDays, ...(weekday === undefined ? {} : { weekday }) };
    anchors.push({ words: cut(index), event: cut(lead.end), ...offset });
    index = end;
  }
  return anchors;
}

/** "How did my first week home go?": the verb of the question is not part of the event. */
function withoutVerb(tokens: readonly Token[], start: number, end: number): number {
  const isAsked = tokens.slice(Math.max(0, start - 2), start).some(({ text }) => /^(?:did|does|do)$/u.test(text));
  return isAsked && /^(?:go|feel|look|seem|compare|come|turn|end|start|begin)$/u.test(textAt(tokens, end - 1))
    ? end - 1
    : end;
}

/**
 * Where "the Tuesday before" ends if what follows may be an event: the weekday is then not counted from today. The
 * calendar decides first, since "the Tuesday before Christmas" looks the same.
 */
export function weekdayLeadEnd(tokens: readonly Token[], index: number): number | undefined {
  const lead = readEventOffset(tokens, skip(tokens, index, prepositions));
  if (lead?.weekday === undefined) return undefined;
  const event = tokens.slice(lead.end, eventEnd(tokens, lead.end, index, new Set()));
  return event.length > 0 && isEvent(event, lead) ? lead.end : undefined;
}

const prepositions = "in|on|during|over|by|from|at|for|throughout";

/** "Tuesday before the exam" and "last Tuesday before the exam", without an article, count from today. */
function readEventOffset(tokens: readonly Token[], index: number): Offset | undefined {
  const nameAt = skip(tokens, index, "last|next|following");
  const isFromToday = readWeekday(tokens, nameAt) !== undefined || textAt(tokens, nameAt) === "weekend";
  return isFromToday ? undefined : readOffset(tokens, index);
}

function readLead(tokens: readonly Token[], index: number): Lead | undefined {
  const start = skip(tokens, index, prepositions);
  for (const at of new Set([start, skip(tokens, start, "the course of")])) {
    const lead =
      readEventOffset(tokens, at) ?? readFirstTime(tokens, at) ?? readLastTime(tokens, at) ?? readTimeOf(tokens, at);
    if (lead !== undefined) return lead;
  }
  return readConnector(tokens, index) ?? readOwnDay(tokens, index);
}

/** "On my birthday", "at our silver wedding", "on discharge", "upon leaving hospital". */
function readOwnDay(tokens: readonly Token[], index: number): Lead | undefined {
  const step = follow(tokens, index, "on|upon");
  if (
    step >= 0 &&
    /^(?:discharge|admission|arrival|diagnosis|(?:leav|arriv|com|return|start|stopp|mov|enter|reach)ing)$/u.test(
      textAt(tokens, step),
    )
  ) {
    return { fromDays: 0, untilDays: 1, end: step };
  }
  const end = follow(tokens, index, "on|at my|your|his|her|our|their");
  const isDay = [0, 1, 2].some((more) => ownDays.test(textAt(tokens, end + more)));
  return end >= 0 && isDay ? { fromDays: 0, untilDays: 1, end: end - 1 } : undefined;
}

const ownDays = /^(?:birthday|anniversary|wedding|graduation|retirement|funeral|christening|engagement)$/u;

/** "My first week home", "his first few days at school", "the first month of treatment". */
function readFirstTime(tokens: readonly Token[], index: number): Lead | undefined {
  const rank = readOrdinal(tokens, skip(tokens, index, "the|my|your|his|her|our|their very?"));
  if (rank === undefined) return undefined;
  const count = readNumber(tokens, rank.end);
  const vague = follow(tokens, rank.end, "few|couple of?");
  const unitAt = Math.max(count?.end ?? rank.end, vague);
  const unit = readUnit(tokens, unitAt);
  const start = follow(tokens, unitAt + 1, "of|back|home|at|in|on|with|as|out|without|under|away");
  if (unit === undefined || unit.unit === "hour" || start < 0) return undefined;
  const length = firstDays[unit.unit] * unit.factor * (count?.value ?? (vague < 0 ? 1 : 4));
  const fromDays = (rank.value - 1) * length;
  return {
    fromDays,
    untilDays: fromDays + length,
    end: /^(?:of|with)$/u.test(textAt(tokens, start - 1)) ? start : start - 1,
  };
}

/** "The new carer's first week": here the event comes before its time. */
function readOwnersTime(
  question: string,
  tokens: readonly Token[],
  index: number,
): { readonly anchor: LifeAnchor; readonly end: number } | undefined {
  if (!/^(?:the|my|your|his|her|our|their)$/u.test(textAt(tokens, index)) && tokens[index]!.isGenitive !== true)
    return undefined;
  const ownerLength = tokens.slice(index, index + ownerLengthMax).findIndex(({ isGenitive }) => isGenitive) + 1;
  const owner = index + ownerLength - 1;
  const rankEnd = ownerLength === 0 ? -1 : follow(tokens, owner + 1, "first");
  const unit = rankEnd < 0 ? undefined : readUnit(tokens, rankEnd);
  if (unit === undefined || unit.unit === "hour") return undefined;
  const { start } = tokens[index]!;
  const event = question.slice(start, tokens[owner]!.end).replace(/['’]s?$/u, "");
  const words = question.slice(start, tokens[rankEnd]!.end);
  return { anchor: { words, event, fromDays: 0, untilDays: firstDays[unit.unit] * unit.factor }, end: rankEnd + 1 };
}

const ownerLengthMax = 4;
const firstDays = { day: 1, night: 1, week: 7, weekend: 7, month: 30, year: 365 } as const;

/** "My last week at the unit" is itself an event. */
function readLastTime(tokens: readonly Token[], index: number): Lead | undefined {
  const end = follow(tokens, index, "my|his|her|our|their last|final day|night|week|month at|in|on|with|of|as|before");
  return end < 0 ? undefined : { fromDays: -3, untilDays: 4, end: index };
}

/**
 * "The week I left", "the day of the operation", "the afternoon when I nearly passed out"; "from the day I fell" covers
 * everything since.
 */
function readTimeOf(tokens: readonly Token[], index: number): Lead | undefined {
  const unitAt = skip(tokens, index, "the|that same|very?");
  const word = textAt(tokens, unitAt);
  const isPartOfDay = /^(?:morning|afternoon|evening|night)$/u.test(word) && textAt(tokens, index - 1) === "in";
  if (unitAt === index || isPartOfDay || !Object.hasOwn(timesOf, word)) return undefined;
  const joined = follow(tokens, unitAt + 1, "of|that|when|on|in? which?");
  const isClause =
    /^(?:i|he|she|we|they|you|it|my|his|her|our|their|the)$/u.test(textAt(tokens, unitAt + 1)) ||
    tokens[unitAt + 1]?.isCapital === true;
  if (joined <= unitAt + 1 && !isClause) return undefined;
  const [fromDays, untilDays] = timesOf[word]!;
  const isOf = textAt(tokens, unitAt + 1) === "of";
  const isSince = !isOf && textAt(tokens, index - 1) === "from" && /^(?:day|moment|minute)$/u.test(word);
  return { fromDays, untilDays: isSince ? Infinity : untilDays, end: Math.max(joined, unitAt + 1), needsPast: !isOf };
}

const timesOf: Readonly<Record<string, readonly [number, number]>> = {
  day: [0, 1],
  morning: [0, 1],
  afternoon: [0, 1],
  evening: [0, 1],
  night: [0, 2],
  weekend: [-2, 3],
  week: [-3, 4],
  month: [-15, 16],
  year: [-180, 181],
  moment: [0, 1],
  minute: [0, 1],
};

const connectors: readonly (readonly [pattern: string, fromDays: number, untilDays: number, needsPast: boolean])[] = [
  ["by the time", -3, 1, true],
  ["the first|last time", 0, 1, true],
  ["at the time of", -3, 4, false],
  ["at the time when|that?", -3, 4, true],
  ["around|about the time of|when|that?", -7, 8, false],
  ["as soon as", 0, 8, true],
  ["once", 0, Infinity, true],
  ["ever? since", 0, Infinity, false],
  ["from the time|moment|day", 0, Infinity, true],
  ["long? after", 0, Infinity, false],
  ["following the|my|your|his|her|our|their|a|an", 0, Infinity, false],
  ["up? until|till", -Infinity, 0, false],
  ["prior to", -Infinity, 0, false],
  ["long? before", -Infinity, 0, false],
  ["when|while|whilst", 0, 1, true],
];

function readConnector(tokens: readonly Token[], index: number): Lead | undefined {
  const before = textAt(tokens, index - 1);
  if (notConnecting.test(before) || (before === "with" && !textAt(tokens, index - 2).startsWith("compar")))
    return undefined;
  for (const [pattern, fromDays, untilDays, needsPast] of connectors) {
    const end = follow(tokens, index, pattern);
    if (end >= 0) return { fromDays, untilDays, end: pattern.startsWith("following") ? end - 1 : end, needsPast };
  }
  return undefined;
}

/** "Look after", "named after", "before and after", "at once". */
const notConnecting =
  /^(?:look|looks|looked|looking|named|call|called|ask|asked|asking|take|takes|took|run|ran|and|or|day|week|month|year|time|at|soon|shortly|the|than|only|more|just|everyone|about|of)$/u;

const eventLengthMax = 14;

/** An event extends to the end of its clause. */
function eventEnd(tokens: readonly Token[], from: number, lead: number, taken: ReadonlySet<number>): number {
  const isLeading = lead === 0 || /^[,.;:!?]$/u.test(textAt(tokens, lead - 1));
  for (let at = from; at < Math.min(tokens.length, from + eventLengthMax); at++) {
    const text = textAt(tokens, at);
    if (taken.has(at) || /^[,.;:!?()"“”]$/u.test(text) || isSpacedDash(tokens, at)) return at;
    if (/^(?:compare[ds]?|versus|vs|than)$/u.test(text)) return at;
    if (/^(?:and|or|but)$/u.test(text) && startsQuestion(tokens, at + 1)) return at;
    if (at > from && (isLeading ? startsQuestion(tokens, at) : follow(tokens, at, inversion) >= 0)) return at;
    if (at > from && readConnector(tokens, at) !== undefined) return at;
  }
  return Math.min(tokens.length, from + eventLengthMax);
}

const inversion = "did|do|does|had|could|would|should|can i|you|he|she|it|we|they";

function isSpacedDash(tokens: readonly Token[], index: number): boolean {
  return textAt(tokens, index) === "-" && tokens[index]!.start > (tokens[index - 1]?.end ?? 0);
}

/** "What", "with what", "did I": where the main question begins. */
function startsQuestion(tokens: readonly Token[], index: number): boolean {
  const start = skip(tokens, index, "in|on|at|for|with|by|from|to|about|then?");
  if (/^(?:what|how|who|whom|whose|which|where|why|when)$/u.test(textAt(tokens, start))) return true;
  return (
    follow(
      tokens,
      index,
      "did|do|does|was|were|is|are|had|has|have|could|can|would|should|will i|you|he|she|it|we|they|my|the|there|his|her|our|their|anyone|anything",
    ) >= 0
  );
}

/** Words after "before" or "after" that are a time of day or add nothing. */
const noEvent =
  /^(?:about|around|all|that|this|then|it|me|him|them|her|us|you|lunch|dinner|breakfast|tea|supper|meals?|eating|food|bed|bedtime|dark|sunset|sunrise|dawn|dusk|noon|midday|midnight|school|work|hours|long|now|today|tomorrow|each|every|any|a|an|both|sleep|sleeping|exercise|iftar|suhoor|prayers?|\d.*)$/u;

function isEvent(event: readonly Token[], { needsPast }: Lead): boolean {
  const first = textAt(event, 0);
  const isPronoun = /^(?:i|he|she|we|they|you|it)(?:'\p{L}+)?$/u.test(first);
  if (readDistance(event, 0)?.end === event.length || (noEvent.test(first) && !isClauseWith(event, first)))
    return false;
  if (
    /^(?:did|do|does|is|was|were|will|would|should|can|could|has|have|had|are|am|not|to|exactly|how|what|which|and|or)$/u.test(
      first,
    )
  )
    return false;
  if (readNumber(event, 0) !== undefined || isWeekday(event)) return false;
  return needsPast === true || isPronoun ? event.length > 1 && event.some(isPast) : true;
}

/** "Since the Tuesday before the exam": the Tuesday is not the event. Nor is it in "the Tuesday after next". */
function isWeekday(event: readonly Token[]): boolean {
  const start = skip(event, 0, "the|that");
  const isName = readWeekday(event, start) !== undefined || /^(?:weekend|next|last)$/u.test(textAt(event, start));
  return isName && event.length === start + 1;
}

/** "That happened", "it started": a pronoun with a verb tells something; so does "her" with what is hers. */
function isClauseWith(event: readonly Token[], first: string): boolean {
  if (first === "her") return event.length > 1;
  return /^(?:it|that|this|you)$/u.test(first) && event.slice(1, 4).some(isPast);
}
