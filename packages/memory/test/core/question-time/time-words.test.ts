/** Words of a question: tokens, patterns, numbers and distances. Distances are worked out by hand. */
import { describe, expect, it } from "vitest";
import {
  follow,
  readDistance,
  readNumber,
  readOrdinal,
  readUnit,
  skip,
  textAt,
  tokenize,
} from "../../../src/core/question-time/time-words.js";

describe("tokens", () => {
  const textsOf = (text: string): string[] => tokenize(text).map((token) => token.text);

  it.each([
    ["What did I do?", ["what", "did", "i", "do", "?"]],
    ["on 19/02/2025, 3/2 and 2025-02-19", ["on", "19/02/2025", ",", "3/2", "and", "2025-02-19"]],
    ["3rd 21st 2nd 4th 1990s 19x", ["3rd", "21st", "2nd", "4th", "1990s", "1", "9", "x"]],
    ["3.2.25 but 1.2/3", ["3.2.25", "but", "1", ".", "2/3"]],
    ["12345", ["12345"]],
    ["mid-April 3–7 3—7 a‐b", ["mid", "-", "april", "3", "-", "7", "3", "-", "7", "a", "-", "b"]],
    ["don’t O'Brien", ["don't", "o'brien"]],
    ["Été déjà", ["été", "déjà"]],
    ["Monday's visit", ["monday", "visit"]],
    ["St Thomas' ward", ["st", "thomas", "'", "ward"]],
    ["", []],
  ])("of %j", (text, expected) => expect(textsOf(text)).toEqual(expected));

  it("know their place, their capital and their genitive", () => {
    expect(tokenize("The nurses' Monday’s ’tis")).toEqual([
      { text: "the", start: 0, end: 3, isCapital: true, isGenitive: false },
      { text: "nurses", start: 4, end: 10, isCapital: false, isGenitive: true },
      { text: "'", start: 10, end: 11, isCapital: false, isGenitive: false },
      { text: "monday", start: 12, end: 20, isCapital: true, isGenitive: true },
      { text: "'", start: 21, end: 22, isCapital: false, isGenitive: false },
      { text: "tis", start: 22, end: 25, isCapital: false, isGenitive: false },
    ]);
  });

  it("beyond the last are empty", () => {
    expect([textAt(tokenize("one"), 0), textAt(tokenize("one"), 1), textAt(tokenize("one"), -1)]).toEqual([
      "one",
      "",
      "",
    ]);
  });
});

describe("a pattern", () => {
  const tokens = tokenize("in the last week of May");

  it.each([
    ["the last", 1, 3],
    ["the? last|past week", 1, 4],
    ["the? last|past week", 2, 4],
    ["past week", 2, -1],
    ["last month", 2, -1],
    ["last few? week", 2, 4],
    ["in? the", 0, 2],
    ["of may june?", 4, 6],
    ["may june", 5, -1],
    ["first?", 0, 0],
  ])("%s at %i ends at %i", (pattern, index, end) => {
    expect(follow(tokens, index, pattern)).toBe(end);
    expect(skip(tokens, index, pattern)).toBe(end < 0 ? index : end);
  });
});

const small =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(
    " ",
  );
const smallOrdinals =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split(
    " ",
  );
const tenWords = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

function spell(value: number, units: readonly string[], round: (ten: string) => string, joint: string): string {
  if (value < 20) return units[value]!;
  const ten = tenWords[Math.floor(value / 10)]!;
  return value % 10 === 0 ? round(ten) : `${ten}${joint}${units[value % 10]!}`;
}

describe("numbers", () => {
  it.each(["-", " "])("in words are read up to 99, joined by %j", (joint) => {
    for (let value = 0; value < 100; value++) {
      const tokens = tokenize(`${spell(value, small, (ten) => ten, joint)} weeks`);
      expect(readNumber(tokens, 0)).toEqual({ value, end: tokens.length - 1 });
    }
  });

  it.each(["-", " "])("of order are read up to the 99th, joined by %j", (joint) => {
    for (let value = 1; value < 100; value++) {
      const tokens = tokenize(`${spell(value, smallOrdinals, (ten) => ten.replace(/y$/u, "ieth"), joint)} week`);
      expect(readOrdinal(tokens, 0)).toEqual({ value, end: tokens.length - 1 });
    }
  });

  it("are read in digits, four at most, and two with an ending", () => {
    expect(readNumber(tokenize("7 days"), 0)).toEqual({ value: 7, end: 1 });
    expect(readNumber(tokenize("2025"), 0)).toEqual({ value: 2025, end: 1 });
    expect(readNumber(tokenize("20251"), 0)).toBeUndefined();
    expect(["1st", "2nd", "3rd", "31st", "12th"].map((text) => readOrdinal(tokenize(text), 0)?.value)).toEqual([
      1, 2, 3, 31, 12,
    ]);
    expect(readOrdinal(tokenize("112th"), 0)).toBeUndefined();
    expect(readNumber(tokenize("3rd"), 0)).toBeUndefined();
    expect(readOrdinal(tokenize("3"), 0)).toBeUndefined();
  });

  it("go no further than they make sense", () => {
    expect(readNumber(tokenize("twenty-zero"), 0)).toEqual({ value: 20, end: 1 });
    expect(readNumber(tokenize("twenty ten"), 0)).toEqual({ value: 20, end: 1 });
    expect(readNumber(tokenize("week"), 0)).toBeUndefined();
    expect(readOrdinal(tokenize("twenty tenth"), 0)).toBeUndefined();
    expect(readOrdinal(tokenize("twenty"), 0)).toBeUndefined();
    expect(readOrdinal(tokenize("week"), 0)).toBeUndefined();
  });
});

describe("units", () => {
  it.each([
    ["minute", "hour", 1 / 60],
    ["min", "hour", 1 / 60],
    ["hour", "hour", 1],
    ["hr", "hour", 1],
    ["day", "day", 1],
    ["morning", "day", 1],
    ["afternoon", "day", 1],
    ["evening", "day", 1],
    ["night", "night", 1],
    ["week", "week", 1],
    ["wk", "week", 1],
    ["fortnight", "week", 2],
    ["weekend", "weekend", 1],
    ["month", "month", 1],
    ["mth", "month", 1],
    ["quarter", "month", 3],
    ["year", "year", 1],
    ["yr", "year", 1],
    ["decade", "year", 10],
  ])("%s, one and several", (word, unit, factor) => {
    expect(readUnit(tokenize(word), 0)).toEqual({ unit, factor, isPlural: false });
    expect(readUnit(tokenize(`${word}s`), 0)).toEqual({ unit, factor, isPlural: true });
  });

  it.each(["walk", "constructor", ""])("%j is none", (word) => expect(readUnit(tokenize(word), 0)).toBeUndefined());
});

describe("a distance in days", () => {
  it.each([
    // Days are meant as said up to six, then within a tenth.
    ["two days", 2, 2],
    ["six days", 6, 6],
    ["seven days", 6, 8],
    ["ten days", 9, 11],
    ["thirty days", 27, 33],
    ["three nights", 3, 3],
    ["20 nights", 18, 22],
    // Weeks within 15 %, a day at least: 7 ± 1, 14 ± 2, 42 ± 6.
    ["a week", 6, 8],
    ["one week", 6, 8],
    ["two weeks", 12, 16],
    ["a fortnight", 12, 16],
    ["six weeks", 36, 48],
    ["two weekends", 12, 16],
    // Months from 83 % to 118 % of 30.44 days.
    ["a month", 25, 35],
    ["two months", 50, 71],
    ["a quarter", 75, 107],
    // Years within 30 days and 30 more for each: 365 ± 60, 731 ± 90, 3653 ± 330.
    ["a year", 305, 425],
    ["two years", 641, 821],
    ["a decade", 3323, 3983],
    // Halves as loosely as months: 182.6, 3.5, 10.5 and 547.9 days.
    ["half a year", 151, 215],
    ["half a week", 2, 4],
    ["a week and a half", 8, 12],
    ["a year and a half", 454, 646],
    // Hours are the same day or the days they take.
    ["an hour", 0, 1],
    ["ten minutes", 0, 1],
    ["24 hours", 0, 1],
    ["25 hours", 0, 2],
    // Two numbers: from the lower edge of the first to the upper one of the second.
    ["a day or two", 1, 2],
    ["a week or two", 6, 16],
    ["two or three days", 2, 3],
    ["two to three weeks", 12, 24],
    ["2-3 weeks", 12, 24],
    // Words that count vaguely.
    ["a couple of days", 1, 3],
    ["couple weeks", 10, 18],
    ["a few days", 2, 6],
    ["few weeks", 14, 39],
    ["several days", 2, 8],
    ["many weeks", 17, 56],
    ["a number of weeks", 17, 56],
    ["half a dozen days", 5, 7],
    // A hedge adds 15 % of the upper edge, a day at least, on both sides.
    ["about a week", 5, 9],
    ["a week or so", 5, 9],
    ["about two days", 1, 3],
    ["about an hour", 0, 2],
    ["at least about two weeks", 10, 18],
    ["some few days", 1, 7],
    ["some days", 1, 9],
    ["about a few weeks", 8, 45],
    ["exactly two weeks", 14, 14],
    ["exactly a month", 30, 30],
    ["exactly a day or two", 2, 2],
    ["a good fortnight", 12, 16],
    ["a full week", 6, 8],
  ])("%s", (text, min, max) => {
    const tokens = tokenize(`${text} ago`);
    expect(readDistance(tokens, 0)).toMatchObject({ min, max, end: tokens.length - 1 });
  });

  it.each(["two walks", "a of weeks", "ago", "at least about roughly two weeks", "a couple", "half", "week"])(
    "is not %s",
    (text) => expect(readDistance(tokenize(text), 0)).toBeUndefined(),
  );

  it("knows its unit", () => {
    const units = ["two days", "a few nights", "a fortnight", "six months", "a decade", "an hour"];
    expect(units.map((text) => readDistance(tokenize(text), 0)?.unit)).toEqual([
      "day",
      "night",
      "week",
      "month",
      "year",
      "hour",
    ]);
  });
});
