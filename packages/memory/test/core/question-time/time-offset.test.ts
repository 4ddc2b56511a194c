/** How far from something a time is. Days count from the day of what follows, the last one not included. */
import { describe, expect, it } from "vitest";
import { dayNumber, type Span } from "../../../src/core/question-time/calendar.js";
import { besideSpan, readBeside, readOffset } from "../../../src/core/question-time/time-offset.js";
import { tokenize, type Unit } from "../../../src/core/question-time/time-words.js";

/** Days after something, and that the whole phrase was read. */
function offsetOf(phrase: string): readonly number[] | undefined {
  const tokens = tokenize(phrase);
  const offset = readOffset([...tokens, ...tokenize("fall")], 0);
  if (offset !== undefined) expect(offset.end).toBe(tokens.length);
  return offset === undefined ? undefined : [offset.fromDays, offset.untilDays];
}

describe("an offset", () => {
  it.each([
    ["soon after", 0, 8],
    ["immediately following", 0, 8],
    ["not long after", 0, 8],
    ["in the aftermath of", 0, 15],
    ["the wake of", 0, 15],
    ["shortly before", -7, 0],
    ["not long before", -7, 0],
    ["the run-up to", -14, 0],
    ["lead up to", -14, 0],
    ["leading up to", -14, 0],
    ["coming up to", -7, 0],
    ["approaching", -7, 0],
    ["on the eve of", -1, 0],
  ])("in words: %s", (phrase, from, until) => expect(offsetOf(phrase)).toEqual([from, until]));

  it.each([
    ["day", [1, 2], [-1, 0]],
    ["morning", [1, 2], [-1, 0]],
    ["afternoon", [0, 2], [-1, 0]],
    ["evening", [0, 2], [-1, 0]],
    ["night", [0, 2], [-1, 1]],
    ["days", [0, 8], [-7, 0]],
    ["nights", [0, 8], [-7, 0]],
    ["week", [1, 8], [-7, 0]],
    ["fortnight", [1, 15], [-14, 0]],
    ["weeks", [0, 29], [-28, 0]],
    ["month", [1, 32], [-31, 0]],
    ["months", [0, 92], [-92, 0]],
    ["year", [1, 366], [-365, 0]],
    ["years", [0, 1100], [-1100, 0]],
  ])("by the %s", (unit, after, before) => {
    expect(offsetOf(`the ${unit} after`)).toEqual(after);
    expect(offsetOf(`the very ${unit} following`)).toEqual(after);
    expect(offsetOf(`the ${unit} immediately after`)).toEqual(after);
    expect(offsetOf(`the ${unit} post-`)).toEqual(after);
    expect(offsetOf(`the ${unit} that followed`)).toEqual(after);
    for (const words of ["before", "preceding", "prior to", "leading up to", "ahead of", "which preceded"]) {
      expect(offsetOf(`the ${unit} ${words}`)).toEqual(before);
    }
    expect(offsetOf(`${unit} after`)).toEqual(unit.endsWith("s") ? after : undefined);
  });

  it.each([
    // The n-th of a unit begins a day after what it follows.
    ["the third day after", 3, 4],
    ["the second week after", 8, 15],
    ["my first month after", 1, 31],
    ["the second fortnight after", 15, 29],
    ["the first year following", 1, 366],
    ["the first few days after", 1, 5],
    ["the first couple of weeks after", 1, 29],
    ["the second three days after", 4, 7],
    ["the first days after", 1, 5],
    ["day three after", 3, 4],
    ["day 1 after", 1, 2],
    ["week two after", 8, 15],
    ["month one after", 1, 31],
  ])("counted: %s", (phrase, from, until) => expect(offsetOf(phrase)).toEqual([from, until]));

  it.each([
    ["six days after", 6, 7],
    ["six days before", -6, -5],
    ["two weeks after", 12, 17],
    ["two weeks before", -16, -11],
    ["a few days following", 2, 7],
    ["three nights before", -3, -1],
    ["three nights after", 3, 4],
    ["a month or so after", 20, 41],
    ["ten days into", 9, 12],
    ["within a week of", 0, 9],
    ["inside two days of", 0, 3],
    ["within a week before", -8, 0],
    ["the three days after", 1, 4],
    ["those two weeks after", 1, 15],
    ["the two weeks before", -14, 0],
  ])("by a distance: %s", (phrase, from, until) => expect(offsetOf(phrase)).toEqual([from, until]));

  it.each([
    "the day",
    "the nurse after",
    "six days",
    "the third hour after",
    "the third day before",
    "hour three after",
    "days three after",
    "day three before",
    "the third after",
    "two weeks of",
    "after",
  ])("is not %s", (phrase) => expect(offsetOf(phrase)).toBeUndefined());
});

describe("beside a time", () => {
  const beside = (phrase: string): unknown => readBeside(tokenize(phrase), 0);

  it.each([
    ["two days later", "day", 2, 0, 3],
    ["two days earlier", "day", -2, 0, 3],
    ["a week on", "day", 7, 1, 3],
    ["two weeks afterwards", "day", 14, 2, 3],
    ["a couple of days later", "day", 2, 1, 5],
    ["the next day", "day", 1, 0, 3],
    ["the following week", "week", 1, 0, 3],
    ["in the previous month", "month", -1, 0, 4],
    ["the preceding night?", "night", -1, 0, 3],
    ["over the following weekend,", "weekend", 1, 0, 4],
    ["the week before", "week", -1, 0, 3],
    ["the day after", "day", 1, 0, 3],
    ["the year before that", "year", -1, 0, 4],
    ["the morning following", "day", 1, 0, 3],
  ])("%s", (phrase, unit, steps, slackDays, end) => expect(beside(phrase)).toEqual({ unit, steps, slackDays, end }));

  it.each([
    "two days",
    "the next days",
    "the next hour",
    "the next nurse",
    "the day before Christmas",
    "day after",
    "the week",
  ])("is not %s", (phrase) => expect(beside(phrase)).toBeUndefined());

  const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
  const at = (unit: Unit, steps: number, [from, until]: readonly [number, number], slackDays = 0): string => {
    const span: Span = { from: dayNumber(2025, 2, from), until: dayNumber(2025, 2, until + 1) };
    const found = besideSpan(span, { unit, steps, slackDays, end: 0 });
    return `${iso(found.from)}..${iso(found.until - 1)}`;
  };

  // 3 March 2025 is a Monday.
  it.each([
    ["day", 1, [3, 3], "2025-03-04..2025-03-04"],
    ["day", -1, [3, 7], "2025-03-02..2025-03-02"],
    ["day", 2, [3, 7], "2025-03-09..2025-03-09"],
    ["night", 1, [3, 3], "2025-03-04..2025-03-05"],
    ["night", -1, [3, 4], "2025-03-02..2025-03-03"],
    ["week", 1, [3, 9], "2025-03-10..2025-03-16"],
    ["week", 1, [5, 5], "2025-03-10..2025-03-16"],
    ["week", 1, [1, 31], "2025-04-07..2025-04-13"],
    ["week", -1, [5, 5], "2025-02-24..2025-03-02"],
    ["weekend", 1, [8, 9], "2025-03-15..2025-03-16"],
    ["weekend", -1, [8, 9], "2025-03-01..2025-03-02"],
    ["weekend", 1, [5, 5], "2025-03-08..2025-03-09"],
    ["month", 1, [5, 5], "2025-04-01..2025-04-30"],
    ["month", -1, [1, 31], "2025-02-01..2025-02-28"],
    ["year", 1, [1, 31], "2026-01-01..2026-12-31"],
    ["year", -1, [1, 31], "2024-01-01..2024-12-31"],
  ] as const)("a %s, %i on, from %j", (unit, steps, days, expected) => expect(at(unit, steps, days)).toBe(expected));

  it("with slack is wider on both sides", () => {
    expect(at("day", 7, [3, 3], 1)).toBe("2025-03-09..2025-03-11");
  });
});
