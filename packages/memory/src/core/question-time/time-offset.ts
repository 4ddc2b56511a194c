/**
 * How far from something a time is: "six days after", "the week before", "soon after", "the second week after". What it
 * is counted from follows: a date, or an event in the person's own life.
 */
import {
  mondayOf,
  monthOf,
  monthSpan,
  weekdayBefore,
  weekdayFrom,
  yearOf,
  type DayOffset,
  type Span,
} from "./calendar.js";
import { readDirection } from "./offset-direction.js";
import {
  follow,
  readDistance,
  readNumber,
  readOrdinal,
  readUnit,
  skip,
  textAt,
  type Token,
  type Unit,
} from "./time-words.js";
import { readWeekdayOffset } from "./weekday-offset.js";

/** Days from the day of what follows, and where that begins. */
export interface Offset extends DayOffset {
  readonly end: number;
}

export function readOffset(tokens: readonly Token[], index: number): Offset | undefined {
  return (
    readFixedOffset(tokens, index) ??
    readWeekdayOffset(tokens, index) ??
    readUnitOffset(tokens, index) ??
    readNthOffset(tokens, index) ??
    readDistanceOffset(tokens, index)
  );
}

const fixedOffsets: readonly (readonly [pattern: string, fromDays: number, untilDays: number])[] = [
  ["soon|shortly|right|just|immediately|straight|straightaway|directly|promptly after|following", 0, 8],
  ["not long after", 0, 8],
  ["in? the aftermath|wake of", 0, 15],
  ["shortly|right|just|immediately|directly|soon before", -7, 0],
  ["not long before", -7, 0],
  ["the? run|lead -? up to", -14, 0],
  ["leading up to", -14, 0],
  ["coming up to", -7, 0],
  ["approaching", -7, 0],
  ["on? the eve of", -1, 0],
];

function readFixedOffset(tokens: readonly Token[], index: number): Offset | undefined {
  for (const [pattern, fromDays, untilDays] of fixedOffsets) {
    const end = follow(tokens, index, pattern);
    if (end >= 0) return { fromDays, untilDays, end };
  }
  return undefined;
}

/** Days after and before, for a unit with its article: "the day after", "in the weeks before". */
const unitOffsets: Readonly<
  Record<string, readonly [after: readonly [number, number], before: readonly [number, number]]>
> = {
  day: [
    [1, 2],
    [-1, 0],
  ],
  morning: [
    [1, 2],
    [-1, 0],
  ],
  afternoon: [
    [0, 2],
    [-1, 0],
  ],
  evening: [
    [0, 2],
    [-1, 0],
  ],
  night: [
    [0, 2],
    [-1, 1],
  ],
  days: [
    [0, 8],
    [-7, 0],
  ],
  nights: [
    [0, 8],
    [-7, 0],
  ],
  week: [
    [1, 8],
    [-7, 0],
  ],
  fortnight: [
    [1, 15],
    [-14, 0],
  ],
  weeks: [
    [0, 29],
    [-28, 0],
  ],
  month: [
    [1, 32],
    [-31, 0],
  ],
  months: [
    [0, 92],
    [-92, 0],
  ],
  year: [
    [1, 366],
    [-365, 0],
  ],
  years: [
    [0, 1100],
    [-1100, 0],
  ],
};

function readUnitOffset(tokens: readonly Token[], index: number): Offset | undefined {
  const unitAt = skip(tokens, index, "the? very|last?");
  const word = textAt(tokens, unitAt);
  const direction = readDirection(tokens, unitAt + 1);
  const hasArticle = unitAt > index || word.endsWith("s");
  if (direction === undefined || !hasArticle || !Object.hasOwn(unitOffsets, word)) return undefined;
  const [fromDays, untilDays] = unitOffsets[word]![direction.isAfter ? 0 : 1];
  return { fromDays, untilDays, end: direction.end };
}

/** "The third day after", "the second week after", "my first few days after", "day three after". */
function readNthOffset(tokens: readonly Token[], index: number): Offset | undefined {
  const numbered = readNumber(tokens, index + 1);
  const numberedUnit = readUnit(tokens, index);
  if (numbered !== undefined && numberedUnit !== undefined && !numberedUnit.isPlural && numberedUnit.unit !== "hour") {
    const direction = readDirection(tokens, numbered.end);
    const length = unitDays[numberedUnit.unit] * numberedUnit.factor;
    const fromDays = length === 1 ? numbered.value : 1 + (numbered.value - 1) * length;
    return direction?.isAfter === true ? { fromDays, untilDays: fromDays + length, end: direction.end } : undefined;
  }
  const rank = readOrdinal(tokens, skip(tokens, index, "the|my|his|her|our|their"));
  if (rank === undefined) return undefined;
  const count = readNumber(tokens, rank.end);
  const vague = follow(tokens, rank.end, "few|couple of?");
  const unitAt = Math.max(count?.end ?? rank.end, vague);
  const unit = readUnit(tokens, unitAt);
  const direction = readDirection(tokens, unitAt + 1);
  if (unit === undefined || unit.unit === "hour" || direction?.isAfter !== true) return undefined;
  const length = unitDays[unit.unit] * unit.factor * (count?.value ?? (vague < 0 && !unit.isPlural ? 1 : 4));
  const fromDays = 1 + (rank.value - 1) * length;
  return { fromDays, untilDays: fromDays + length, end: direction.end };
}

const unitDays: Readonly<Record<Unit, number>> = {
  hour: 1,
  day: 1,
  night: 1,
  week: 7,
  weekend: 7,
  month: 30,
  year: 365,
};

/** "Six days after", "a couple of weeks before", "within a week of", "ten days into". */
function readDistanceOffset(tokens: readonly Token[], index: number): Offset | undefined {
  const within = follow(tokens, index, "within|inside");
  const whole = follow(tokens, index, "the|those");
  const distance = readDistance(tokens, Math.max(within, whole, index));
  if (distance === undefined) return undefined;
  const { min, max, unit } = distance;
  const into = follow(tokens, distance.end, within < 0 ? "into" : "of");
  const direction = into < 0 ? readDirection(tokens, distance.end) : { isAfter: true, end: into };
  if (direction === undefined) return undefined;
  const { isAfter, end } = direction;
  if (whole >= 0) {
    const length = Math.round((min + max) / 2);
    return isAfter ? { fromDays: 1, untilDays: length + 1, end } : { fromDays: -length, untilDays: 0, end };
  }
  if (within >= 0) return isAfter ? { fromDays: 0, untilDays: max + 1, end } : { fromDays: -max, untilDays: 0, end };
  return isAfter
    ? { fromDays: min, untilDays: max + 1, end }
    : { fromDays: -max, untilDays: 1 - min + (unit === "night" ? 1 : 0), end };
}

/** How far from a time just named: "the night before", "the following week", "two days later". */
export interface Beside {
  readonly unit: Unit;
  /** How many units later; days if the unit is "day". */
  readonly steps: number;
  readonly slackDays: number;
  readonly end: number;
}

export function readBeside(tokens: readonly Token[], index: number): Beside | undefined {
  const start = skip(tokens, index, "on|in|at|over|during");
  const distance = readDistance(tokens, start);
  const later = distance === undefined ? -1 : follow(tokens, distance.end, "later|earlier|on|afterwards");
  if (distance !== undefined && later >= 0) {
    const days = (distance.min + distance.max) / 2;
    const sign = textAt(tokens, later - 1) === "earlier" ? -1 : 1;
    return {
      unit: "day",
      steps: sign * Math.round(days),
      slackDays: Math.ceil((distance.max - distance.min) / 2),
      end: later,
    };
  }
  const word = follow(tokens, start, "the next|following|previous|preceding");
  const unitAt = word < 0 ? follow(tokens, start, "the") : word;
  const unit = unitAt < 0 ? undefined : readUnit(tokens, unitAt);
  const end = word < 0 ? follow(tokens, unitAt + 1, "before|after|following that?") : unitAt + 1;
  if (
    unit === undefined ||
    unit.isPlural ||
    unit.unit === "hour" ||
    end < 0 ||
    !/^$|^[,.;:?!]$/u.test(textAt(tokens, end))
  ) {
    return undefined;
  }
  const isBack = /^(?:before|previous|preceding)$/u.test(textAt(tokens, word < 0 ? unitAt + 1 : word - 1));
  return { unit: unit.unit, steps: isBack ? -1 : 1, slackDays: 0, end };
}

/** The span next to another: as long as its unit, aligned to the calendar. */
export function besideSpan(span: Span, { unit, steps, slackDays }: Beside): Span {
  const edge = steps > 0 ? span.until - 1 : span.from;
  if (unit === "week") {
    const from = steps > 0 ? Math.max(span.until, mondayOf(edge) + 7) : mondayOf(edge) - 7;
    return { from, until: from + 7 };
  }
  if (unit === "weekend") {
    const from = steps > 0 ? weekdayFrom(span.until, 5) : weekdayBefore(span.from, 5);
    return { from, until: from + 2 };
  }
  if (unit === "month") return monthSpan(yearOf(edge), monthOf(edge) + steps);
  if (unit === "year") return monthSpan(yearOf(edge) + steps, 0, 12);
  const length = unit === "night" ? 2 : 1;
  return { from: edge + steps - slackDays, until: edge + steps + length + slackDays };
}
