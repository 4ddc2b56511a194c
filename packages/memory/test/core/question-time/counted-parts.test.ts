/** Which one of what in a longer time. */
import { describe, expect, it } from "vitest";
import { dayNumber, monthSpan } from "../../../src/core/question-time/calendar.js";
import { nthOf, readCountOf, readRank } from "../../../src/core/question-time/counted-parts.js";
import { tokenize } from "../../../src/core/question-time/time-words.js";

describe("a rank", () => {
  it.each([
    ["first", 1, 1],
    ["second", 2, 1],
    ["2nd", 2, 1],
    ["opening", 1, 1],
    ["last", -1, 1],
    ["final", -1, 1],
    ["closing", -1, 1],
    ["dying", -1, 1],
    ["second last", -2, 2],
    ["second to last", -2, 3],
    ["second-to-last", -2, 5],
    ["next to last", -2, 3],
    ["penultimate", -2, 1],
  ])("%s is %i", (text, value, end) => expect(readRank(tokenize(`${text} week`), 0)).toEqual({ value, end }));

  it("is not any word", () => expect(readRank(tokenize("next week"), 0)).toBeUndefined());
});

describe("what is counted", () => {
  it.each([
    ["Sunday", { unit: "day", count: 1, weekday: 6, end: 1 }],
    ["day", { unit: "day", count: 1, end: 1 }],
    ["days", { unit: "day", count: 5, end: 1 }],
    ["nights", { unit: "night", count: 5, end: 1 }],
    ["weeks", { unit: "week", count: 3, end: 1 }],
    ["months", { unit: "month", count: 3, end: 1 }],
    ["weekends", { unit: "weekend", count: 1, end: 1 }],
    ["few days", { unit: "day", count: 5, end: 2 }],
    ["few weeks", { unit: "week", count: 3, end: 2 }],
    ["couple of days", { unit: "day", count: 2, end: 3 }],
    ["four days", { unit: "day", count: 4, end: 2 }],
    ["fortnight", { unit: "week", count: 2, end: 1 }],
    ["two fortnights", { unit: "week", count: 4, end: 2 }],
    ["decade", { unit: "year", count: 10, end: 1 }],
  ])("%s", (text, expected) => expect(readCountOf(tokenize(text), 0)).toEqual(expected));

  it.each(["hour", "two hours", "nurse", "few", ""])("is not %j", (text) =>
    expect(readCountOf(tokenize(text), 0)).toBeUndefined(),
  );
});

describe("the n-th in March 2025, which began on a Saturday", () => {
  const march = monthSpan(2025, 2);
  const nth = (n: number, counted: string): readonly number[] | undefined => {
    const found = nthOf(march, n, readCountOf(tokenize(counted), 0)!);
    return found === undefined
      ? undefined
      : [found.from - dayNumber(2025, 1, 28), found.until - 1 - dayNumber(2025, 1, 28)];
  };

  it.each([
    [1, "day", [1, 1]],
    [31, "day", [31, 31]],
    [-1, "day", [31, 31]],
    [-2, "day", [30, 30]],
    [1, "few days", [1, 5]],
    [2, "four days", [5, 8]],
    [-1, "couple of days", [30, 31]],
    [1, "Saturday", [1, 1]],
    [1, "Sunday", [2, 2]],
    [5, "Monday", [31, 31]],
    [-1, "Monday", [31, 31]],
    [-5, "Saturday", [1, 1]],
    [1, "weekend", [1, 2]],
    [5, "weekend", [29, 30]],
    [-1, "weekend", [29, 30]],
    // The first seven days end on Friday the 7th, and go on to the Sunday; the second begin on a Saturday.
    [1, "week", [1, 9]],
    [2, "week", [8, 16]],
    // The last seven days begin on Tuesday the 25th, and go back to the Monday.
    [-1, "week", [24, 31]],
    [1, "fortnight", [1, 16]],
    [-1, "fortnight", [17, 31]],
    [1, "month", [1, 30]],
    [2, "month", [31, 31]],
    [1, "year", [1, 31]],
  ])("%i, %s", (n, counted, expected) => expect(nth(n, counted)).toEqual(expected));

  it.each([
    [32, "day"],
    [6, "Monday"],
    [-6, "Monday"],
    [5, "Tuesday"],
    [6, "weekend"],
    [3, "month"],
  ])("%i, %s, is not there", (n, counted) => expect(nth(n, counted)).toBeUndefined());

  it("a week keeps to its days where the edge of a calendar week is further away", () => {
    // April 2025 began on a Tuesday: days 1 to 7 end on a Monday; the 8th is a Tuesday.
    const april = monthSpan(2025, 3);
    const found = nthOf(april, 1, { unit: "week", count: 1, end: 0 })!;
    expect([found.from - april.from, found.until - april.from]).toEqual([-1, 7]);
    // May 2025 began on a Thursday: days 1 to 7 end on a Wednesday.
    const may = monthSpan(2025, 4);
    const other = nthOf(may, 1, { unit: "week", count: 1, end: 0 })!;
    expect([other.from - may.from, other.until - may.from]).toEqual([0, 7]);
    // Wednesday 1 January 2025 is two days after its Monday; the 7th is a Tuesday.
    const january = monthSpan(2025, 0);
    const third = nthOf(january, 1, { unit: "week", count: 1, end: 0 })!;
    expect([third.from - january.from, third.until - january.from]).toEqual([-2, 7]);
  });
});

it("two months of a year are 2 * 30.44 = 61 days, two years of a decade 731", () => {
  const two = (unit: string): number => {
    const decade = monthSpan(2020, 0, 120);
    const { from, until } = nthOf(decade, 1, readCountOf(tokenize(`two ${unit}`), 0)!)!;
    return until - from;
  };
  expect([two("months"), two("years")]).toEqual([61, 731]);
});
