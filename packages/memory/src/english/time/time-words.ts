/**
 * Words of a question as the time reader sees them: tokens, phrases, numbers, and distances such as "a couple of
 * weeks". Phrases are matched by small patterns, word by word and without backtracking, so reading takes time linear in
 * the question.
 */

export interface Token {
  /** In lower case, without the possessive ending. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isCapital: boolean;
  readonly isGenitive: boolean;
}

/** No number of a time is longer than 20 digits; tried at each digit, a long row of them would take its square. */
const tokenPattern =
  /\d{1,4}([-/.])\d{1,2}\1\d{1,4}|\d{1,2}\/\d{1,2}|\d{1,20}(?:st|nd|rd|th|s)?\b|\p{L}+(?:['’]\p{L}+)*|[^\s\p{L}]/giu;

export function tokenize(text: string): Token[] {
  return [...text.matchAll(tokenPattern)].map((match) => {
    const raw = match[0];
    const lower = raw
      .toLowerCase()
      .replaceAll("’", "'")
      .replace(/^[‐‑–—−]$/u, "-");
    return {
      text: lower.replace(/'s$|(?<=s)'$/u, ""),
      start: match.index,
      end: match.index + raw.length,
      isCapital: /^\p{Lu}/u.test(raw),
      isGenitive: lower.endsWith("'s") || (lower.endsWith("s") && /^['’]/u.test(text.slice(match.index + raw.length))),
    };
  });
}

export function textAt(tokens: readonly Token[], index: number): string {
  return tokens[index]?.text ?? "";
}

interface PatternWord {
  readonly words: ReadonlySet<string>;
  readonly isOptional: boolean;
}

const patterns = new Map<string, readonly PatternWord[]>();

/**
 * The index after a phrase, or -1. A pattern is words separated by spaces: "the? last|past week" has an optional word
 * and a choice.
 */
export function follow(tokens: readonly Token[], index: number, pattern: string): number {
  let end = index;
  for (const { words, isOptional } of compilePattern(pattern)) {
    if (words.has(textAt(tokens, end))) end++;
    else if (!isOptional) return -1;
  }
  return end;
}

/** The index after an optional phrase. */
export function skip(tokens: readonly Token[], index: number, pattern: string): number {
  return Math.max(index, follow(tokens, index, pattern));
}

/** Patterns are literals of the grammar, so their number is fixed. */
function compilePattern(pattern: string): readonly PatternWord[] {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = pattern.split(" ").map((word) => ({
      words: new Set(word.replace(/\?$/u, "").split("|")),
      isOptional: word.endsWith("?"),
    }));
    patterns.set(pattern, compiled);
  }
  return compiled;
}

export interface NumberRead {
  readonly value: number;
  readonly end: number;
}

const cardinals =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const tens = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const ordinals =
  "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  );

/** A number in digits or in words, below a hundred if in words. */
export function readNumber(tokens: readonly Token[], index: number): NumberRead | undefined {
  const text = textAt(tokens, index);
  if (/^\d{1,4}$/u.test(text)) return { value: Number(text), end: index + 1 };
  const small = cardinals.indexOf(text);
  if (small >= 0) return { value: small, end: index + 1 };
  const ten = tens.indexOf(text);
  if (ten < 0) return undefined;
  const unitAt = skip(tokens, index + 1, "-");
  const unit = cardinals.indexOf(textAt(tokens, unitAt));
  return unit > 0 && unit < 10
    ? { value: (ten + 2) * 10 + unit, end: unitAt + 1 }
    : { value: (ten + 2) * 10, end: index + 1 };
}

/** An ordinal: "3rd", "third", "twenty-first", "thirtieth". */
export function readOrdinal(tokens: readonly Token[], index: number): NumberRead | undefined {
  const text = textAt(tokens, index);
  if (/^\d{1,2}(?:st|nd|rd|th)$/u.test(text)) return { value: Number.parseInt(text, 10), end: index + 1 };
  const small = ordinals.indexOf(text);
  if (small >= 0) return { value: small + 1, end: index + 1 };
  const tenth = tens.indexOf(text.replace(/ieth$/u, "y"));
  if (tenth >= 0 && text.endsWith("ieth")) return { value: (tenth + 2) * 10, end: index + 1 };
  const ten = tens.indexOf(text);
  if (ten < 0) return undefined;
  const unitAt = skip(tokens, index + 1, "-");
  const unit = ordinals.indexOf(textAt(tokens, unitAt));
  return unit >= 0 && unit < 9 ? { value: (ten + 2) * 10 + unit + 1, end: unitAt + 1 } : undefined;
}

export type Unit = "hour" | "day" | "night" | "week" | "weekend" | "month" | "year";

/** A unit of time and how many of it a word means. */
const units: Readonly<Record<string, readonly [Unit, number]>> = {
  minute: ["hour", 1 / 60],
  hour: ["hour", 1],
  day: ["day", 1],
  morning: ["day", 1],
  afternoon: ["day", 1],
  evening: ["day", 1],
  night: ["night", 1],
  week: ["week", 1],
  fortnight: ["week", 2],
  weekend: ["weekend", 1],
  month: ["month", 1],
  quarter: ["month", 3],
  year: ["year", 1],
  decade: ["year", 10],
  min: ["hour", 1 / 60],
  hr: ["hour", 1],
  wk: ["week", 1],
  mth: ["month", 1],
  yr: ["year", 1],
};

export interface UnitRead {
  readonly unit: Unit;
  readonly factor: number;
  readonly isPlural: boolean;
}

export function readUnit(tokens: readonly Token[], index: number): UnitRead | undefined {
  const text = textAt(tokens, index);
  const singular = text.replace(/s$/u, "");
  if (!Object.hasOwn(units, singular)) return undefined;
  const [unit, factor] = units[singular]!;
  return { unit, factor, isPlural: text !== singular };
}

/** A distance in days, both ends included. */
export interface Distance {
  readonly min: number;
  readonly max: number;
  readonly unit: Unit;
  readonly end: number;
}

export const daysOf: Readonly<Record<Unit, number>> = {
  hour: 1 / 24,
  day: 1,
  night: 1,
  week: 7,
  weekend: 7,
  month: 30.44,
  year: 365.25,
};

/** How many units a vague word may mean. */
const vagueCounts: readonly (readonly [string, number, number])[] = [
  ["a? couple of?", 1.5, 2.6],
  ["a|some few", 2, 5.5],
  ["few", 2, 5.5],
  ["several|some|many", 2.5, 8],
  ["a number of", 2.5, 8],
  ["half a dozen", 5, 7],
];

const hedges: ReadonlySet<string> = new Set(
  "exactly about around roughly nearly almost approximately maybe perhaps some over under only just more less at than least".split(
    " ",
  ),
);
const hedgeCountMax = 3;

/** "Two weeks", "a day or two", "a week or so", "about three months", "half a year". */
export function readDistance(tokens: readonly Token[], index: number): Distance | undefined {
  let start = index;
  while (start < index + hedgeCountMax && hedges.has(textAt(tokens, start))) start++;
  const exact = readCountedUnit(tokens, start) ?? readVagueUnit(tokens, index) ?? readVagueUnit(tokens, start);
  if (exact === undefined) return undefined;
  const soEnd = follow(tokens, exact.end, "or so");
  if (start === index && soEnd < 0) return exact;
  if (textAt(tokens, index) === "exactly") {
    const days = Math.round((exact.min + exact.max) / 2);
    return { ...exact, min: days, max: days };
  }
  const slack = Math.max(1, Math.round(exact.max * 0.15));
  return { ...exact, min: Math.max(0, exact.min - slack), max: exact.max + slack, end: Math.max(exact.end, soEnd) };
}

function readVagueUnit(tokens: readonly Token[], index: number): Distance | undefined {
  for (const [pattern, low, high] of vagueCounts) {
    const end = follow(tokens, index, pattern);
    const read = end < 0 ? undefined : readUnit(tokens, end);
    if (read === undefined) continue;
    const days = daysOf[read.unit] * read.factor;
    return { min: Math.floor(low * days), max: Math.round(high * days), unit: read.unit, end: end + 1 };
  }
  return undefined;
}

function readCountedUnit(tokens: readonly Token[], index: number): Distance | undefined {
  const count = readCount(tokens, index);
  if (count === undefined) return undefined;
  const secondAt = follow(tokens, count.end, "or|to|-");
  const second = secondAt < 0 ? undefined : readNumber(tokens, secondAt);
  const unitAt = second?.end ?? count.end;
  const read = readUnit(tokens, unitAt);
  if (read === undefined) return undefined;
  const halfEnd = follow(tokens, unitAt + 1, "and a half");
  const orTwoEnd = count.value === 1 ? follow(tokens, unitAt + 1, "or two|three") : -1;
  const low = (count.value + (halfEnd < 0 ? 0 : 0.5)) * read.factor;
  const high = (second?.value ?? (orTwoEnd < 0 ? low / read.factor : 2)) * read.factor;
  return {
    min: daysAway(low, read.unit).min,
    max: daysAway(high, read.unit).max,
    unit: read.unit,
    end: Math.max(unitAt + 1, halfEnd, orTwoEnd),
  };
}

function readCount(tokens: readonly Token[], index: number): NumberRead | undefined {
  const half = follow(tokens, index, "half a|an");
  if (half >= 0) return { value: 0.5, end: half };
  const one = follow(tokens, index, "a|an|one good|full|whole|solid?");
  return one < 0 ? readNumber(tokens, index) : { value: 1, end: one };
}

/** People round: the larger a number of weeks, months or years, the more loosely it is meant. */
function daysAway(count: number, unit: Unit): { readonly min: number; readonly max: number } {
  const days = count * daysOf[unit];
  if (unit === "hour") return { min: 0, max: Math.ceil(days) };
  if (unit === "month" || !Number.isInteger(count))
    return { min: Math.floor(days * 0.83), max: Math.floor(days * 1.18) };
  const slack =
    unit === "year"
      ? 30 + 30 * count
      : unit === "day" || unit === "night"
        ? days <= 6
          ? 0
          : Math.round(days * 0.1)
        : Math.max(1, Math.round(days * 0.15));
  return { min: Math.round(days) - slack, max: Math.round(days) + slack };
}
