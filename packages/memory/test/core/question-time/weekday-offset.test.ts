/** Weekdays and weekends counted from something. The days are worked out by walking a calendar day by day. */
import { describe, expect, it } from "vitest";
import { dayNumber, daysAtOffset, weekdayOf } from "../../../src/core/question-time/calendar.js";
import { readWeekdayOffset } from "../../../src/core/question-time/weekday-offset.js";
import { tokenize } from "../../../src/core/question-time/time-words.js";

/** Read before "surgery", and the whole phrase. */
function offsetOf(phrase: string): ReturnType<typeof readWeekdayOffset> {
  const tokens = tokenize(phrase);
  const offset = readWeekdayOffset([...tokens, ...tokenize("surgery")], 0);
  if (offset !== undefined) expect(offset.end).toBe(tokens.length);
  return offset;
}

/** Monday 3 March 2025, and the six days after it. */
const week = Array.from({ length: 7 }, (_, i) => dayNumber(2025, 2, 3) + i);

function daysFrom(phrase: string, day: number): number[] {
  const { from, until } = daysAtOffset({ from: day, until: day + 1 }, offsetOf(phrase)!);
  return Array.from({ length: until - from }, (_, i) => from + i);
}

/** The n-th such weekday found by stepping away from a day, one day at a time. */
function walk(day: number, weekday: number, step: 1 | -1, n: number): number {
  let found = day;
  for (let count = 0; count < n; count++) {
    found += step;
    while (weekdayOf(found) !== weekday) found += step;
  }
  return found;
}

const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

describe.each(names)("%s", (name) => {
  const weekday = names.indexOf(name);

  it.each([
    ["the X before", -1, 1],
    ["that X before", -1, 1],
    ["the very X before", -1, 1],
    ["the X just before", -1, 1],
    ["the X immediately preceding", -1, 1],
    ["the X prior to", -1, 1],
    ["the X ahead of", -1, 1],
    ["the X leading up to", -1, 1],
    ["the X that preceded", -1, 1],
    ["the last X before", -1, 1],
    ["my final X before", -1, 1],
    ["the first X before", -1, 1],
    ["the second X before", -1, 2],
    ["the second-to-last X before", -1, 2],
    ["the penultimate X before", -1, 2],
    ["two Xs before", -1, 2],
    ["a couple of Xs before", -1, 2],
    ["3 Xs before", -1, 3],
    ["the X after", 1, 1],
    ["the X following", 1, 1],
    ["the X right after", 1, 1],
    ["the X which followed", 1, 1],
    ["the next X after", 1, 1],
    ["the following X after", 1, 1],
    ["her first X after", 1, 1],
    ["the 2nd X after", 1, 2],
    ["the third X after", 1, 3],
    ["two Xs after", 1, 2],
    ["the X morning before", -1, 1],
    ["the X late afternoon after", 1, 1],
    ["the X evening before", -1, 1],
  ] as const)("%s is on no day the day itself", (pattern, step, n) => {
    for (const day of week) {
      expect(daysFrom(pattern.replace("X", name), day)).toEqual([walk(day, weekday, step, n)]);
    }
  });

  it("at night goes on into the next day", () => {
    for (const day of week) {
      const before = walk(day, weekday, -1, 1);
      expect(daysFrom(`the ${name} night before`, day)).toEqual([before, before + 1]);
    }
  });

  it("some weeks away is the nearest", () => {
    for (const day of week) {
      const nearest = (middle: number): number => walk(middle - 4, weekday, 1, 1);
      expect(daysFrom(`the ${name} two weeks before`, day)).toEqual([nearest(day - 14)]);
      expect(daysFrom(`the ${name} a week after`, day)).toEqual([nearest(day + 7)]);
    }
  });
});

describe("a weekend", () => {
  it.each([
    ["the weekend before", -1, 1],
    ["the weekend leading up to", -1, 1],
    ["the last weekend before", -1, 1],
    ["two weekends before", -1, 2],
    ["the weekend after", 1, 1],
    ["the weekend that followed", 1, 1],
    ["our first weekend after", 1, 1],
    ["the second weekend after", 1, 2],
    ["three weekends after", 1, 3],
  ] as const)("%s is whole, and does not touch the day itself", (phrase, step, n) => {
    for (const day of week) {
      const edge = step === 1 ? walk(day, 5, 1, n) : walk(day, 6, -1, n) - 1;
      expect(daysFrom(phrase, day)).toEqual([edge, edge + 1]);
    }
  });

  it("after a Saturday is the next one, before a Sunday the one before", () => {
    const saturday = week[5]!;
    expect(daysFrom("the weekend after", saturday)).toEqual([saturday + 7, saturday + 8]);
    expect(daysFrom("the weekend before", saturday + 1)).toEqual([saturday - 7, saturday - 6]);
  });
});

describe("several", () => {
  it.each([
    ["the two Fridays before", -14, 0],
    ["those three Mondays after", 1, 22],
    ["the two weekends before", -14, 0],
  ])("%s are all the days from the first", (phrase, fromDays, untilDays) => {
    expect(offsetOf(phrase)).toEqual({ fromDays, untilDays, end: tokenize(phrase).length });
  });
});

describe("no weekday is counted by", () => {
  it.each([
    "the Tuesday",
    "the Tuesday class before",
    "the Tuesday's before",
    "every Tuesday before",
    "a Tuesday before",
    "the Tuesdays before",
    "one Tuesdays before",
    "two Friday before",
    "two tablets before",
    "two weekends",
    "the last Tuesday after",
    "the next Tuesday before",
    "the Tuesday two days before",
    "the Tuesday two weeks",
    "the weekend of",
    "the weekends before",
    "Tuesday, before",
  ])("%s", (phrase) => expect(offsetOf(phrase)).toBeUndefined());
});
