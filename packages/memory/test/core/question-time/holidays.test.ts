/** Days that people name instead of dating, as calendars print them. */
import { describe, expect, it } from "vitest";
import { dayNumber, weekdayOf, type Span } from "../../../src/core/question-time/calendar.js";
import { longWeekend, readHoliday } from "../../../src/core/question-time/holidays.js";
import { tokenize } from "../../../src/core/question-time/time-words.js";
import { timesOf } from "./reading.js";

const iso = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);

function daysOf({ from, until }: Span): string {
  return until - from === 1 ? iso(from) : `${iso(from)}..${iso(until - 1)}`;
}

/** The days of a holiday in a year; the whole name must be read. */
function daysIn(year: number, name: string, timeZone = "UTC"): string {
  const tokens = tokenize(name);
  const read = readHoliday(tokens, 0);
  expect(read?.end).toBe(tokens.length);
  const days = read!.days(year, timeZone).toSorted((x, y) => x.from - y.from);
  return days.map(daysOf).join(" ");
}

describe("in 2025", () => {
  it.each([
    ["Christmas", "2025-12-24..2025-12-26"],
    ["Xmas", "2025-12-24..2025-12-26"],
    ["Christmas Day", "2025-12-25"],
    ["Christmas Eve", "2025-12-24"],
    ["Christmas holidays", "2025-12-20..2026-01-01"],
    ["Christmastime", "2025-12-20..2026-01-01"],
    ["the festive season", "2025-12-20..2026-01-01"],
    ["Boxing Day", "2025-12-26"],
    ["St. Stephen's Day", "2025-12-26"],
    ["New Year", "2025-12-31..2026-01-01"],
    ["the New Year", "2025-01-01..2025-01-14"],
    ["New Year's Eve", "2025-12-31"],
    ["Hogmanay", "2025-12-31"],
    ["New Year's Day", "2025-01-01"],
    ["Twelfth Night", "2025-01-05..2025-01-06"],
    ["Epiphany", "2025-01-06"],
    ["Burns Night", "2025-01-25"],
    ["Australia Day", "2025-01-26"],
    ["Martin Luther King Day", "2025-01-20"],
    ["Groundhog Day", "2025-02-02"],
    ["Waitangi Day", "2025-02-06"],
    ["Valentine's", "2025-02-14"],
    ["St Valentine's Day", "2025-02-14"],
    ["Presidents' Day", "2025-02-17"],
    ["St David's Day", "2025-03-01"],
    ["Saint Patrick's Day", "2025-03-17"],
    ["Shrove Tuesday", "2025-03-04"],
    ["Mardi Gras", "2025-03-04"],
    ["Ash Wednesday", "2025-03-05"],
    ["Lent", "2025-03-05..2025-04-19"],
    ["Palm Sunday", "2025-04-13"],
    ["Holy Week", "2025-04-13..2025-04-19"],
    ["Maundy Thursday", "2025-04-17"],
    ["Good Friday", "2025-04-18"],
    ["Easter", "2025-04-18..2025-04-21"],
    ["Easter weekend", "2025-04-18..2025-04-21"],
    ["Easter holidays", "2025-04-11..2025-04-28"],
    ["Easter week", "2025-04-20..2025-04-26"],
    ["Easter Saturday", "2025-04-19"],
    ["Easter Sunday", "2025-04-20"],
    ["Easter Monday", "2025-04-21"],
    ["Ascension Day", "2025-05-29"],
    ["Pentecost", "2025-06-08"],
    ["Whitsun weekend", "2025-06-07..2025-06-09"],
    ["Whit Monday", "2025-06-09"],
    ["Corpus Christi", "2025-06-19"],
    ["April Fool's Day", "2025-04-01"],
    ["St George's Day", "2025-04-23"],
    ["Anzac Day", "2025-04-25"],
    ["May Day", "2025-05-01"],
    ["May Day bank holiday", "2025-05-05"],
    ["early May bank holiday", "2025-05-05"],
    ["May bank holiday", "2025-05-05 2025-05-26"],
    ["late May bank holiday", "2025-05-26"],
    ["spring bank holiday", "2025-05-26"],
    ["Memorial Day", "2025-05-26"],
    ["Cinco de Mayo", "2025-05-05"],
    ["Mothering Sunday", "2025-03-30"],
    ["Father's Day", "2025-06-15"],
    ["Juneteenth", "2025-06-19"],
    ["Midsummer Eve", "2025-06-21..2025-06-24"],
    ["the longest day", "2025-06-21"],
    ["the shortest day", "2025-12-21"],
    ["Canada Day", "2025-07-01"],
    ["Independence Day", "2025-07-04"],
    ["Bastille Day", "2025-07-14"],
    ["summer bank holiday", "2025-08-25"],
    ["late August bank holiday", "2025-08-25"],
    ["bank holiday", "2025-01-01 2025-04-18 2025-04-21 2025-05-05 2025-05-26 2025-08-25 2025-12-25..2025-12-26"],
    ["bank holiday Monday", "2025-04-21 2025-05-05 2025-05-26 2025-08-25"],
    ["Labor Day", "2025-09-01"],
    ["Labour Day", "2025-05-01"],
    ["Columbus Day", "2025-10-13"],
    ["Halloween", "2025-10-31"],
    ["All Saints' Day", "2025-11-01"],
    ["All Souls' Day", "2025-11-02"],
    ["Bonfire Night", "2025-11-05"],
    ["Guy Fawkes", "2025-11-05"],
    ["Armistice Day", "2025-11-11"],
    ["Veterans' Day", "2025-11-11"],
    ["Veterans Day", "2025-11-11"],
    ["Remembrance Sunday", "2025-11-09"],
    ["Election Day", "2025-11-04"],
    ["Thanksgiving", "2025-11-27"],
    ["Black Friday", "2025-11-28"],
    ["Cyber Monday", "2025-12-01"],
    ["Giving Tuesday", "2025-12-02"],
    ["Advent", "2025-11-30..2025-12-24"],
    ["Ramadan", "2025-03-01..2025-03-29"],
    ["Eid al-Fitr", "2025-03-30..2025-04-01"],
    ["Eid ul-Adha", "2025-06-06..2025-06-09"],
    ["Eid", "2025-03-30..2025-04-01 2025-06-06..2025-06-09"],
    ["Hanukkah", "2025-12-14..2025-12-22"],
    ["Purim", "2025-03-14"],
    ["Passover", "2025-04-12..2025-04-20"],
    ["Rosh Hashanah", "2025-09-23..2025-09-24"],
    ["Yom Kippur", "2025-10-02"],
    ["Chinese New Year", "2025-01-29..2025-01-31"],
    ["Mid-Autumn Festival", "2025-10-06"],
    ["Diwali", "2025-10-18..2025-10-22"],
  ])("%s is %s", (name, days) => expect(daysIn(2025, name)).toBe(days));
});

describe("in other years", () => {
  it.each([
    ["Martin Luther King Day", 2024, "2024-01-15"],
    ["Presidents' Day", 2024, "2024-02-19"],
    ["Memorial Day", 2021, "2021-05-31"],
    ["Father's Day", 2024, "2024-06-16"],
    ["Labor Day", 2024, "2024-09-02"],
    ["Columbus Day", 2024, "2024-10-14"],
    ["Remembrance Sunday", 2020, "2020-11-08"],
    ["Election Day", 2022, "2022-11-08"],
    ["Election Day", 2021, "2021-11-02"],
    ["Thanksgiving", 2024, "2024-11-28"],
    ["Thanksgiving", 2023, "2023-11-23"],
    ["Black Friday", 2023, "2023-11-24"],
    ["Advent", 2024, "2024-12-01..2024-12-24"],
    ["Advent", 2022, "2022-11-27..2022-12-24"],
    ["Purim", 2024, "2024-03-24"],
    // The new moon of 18 October 2028, the first day on which it may be.
    ["Diwali", 2028, "2028-10-15..2028-10-19"],
    ["Diwali", 2024, "2024-10-29..2024-11-02"],
    ["Ramadan", 2024, "2024-03-11..2024-04-09"],
    ["Chinese New Year", 2024, "2024-02-10..2024-02-12"],
    // Twice, since twelve months of the moon are shorter than a year.
    ["Eid al-Fitr", 2000, "2000-01-08..2000-01-10 2000-12-27..2000-12-29"],
  ])("%s, %i, is %s", (name, year, days) => expect(daysIn(year, name)).toBe(days));

  it("Mother's Day is in May in America and in Lent elsewhere", () => {
    expect(daysIn(2025, "Mother's Day", "America/New_York")).toBe("2025-05-11");
    expect(daysIn(2024, "Mum's Day", "US/Pacific")).toBe("2024-05-12");
    expect(daysIn(2025, "Mother's Day", "Europe/London")).toBe("2025-03-30");
    expect(daysIn(2025, "Mother's Day", "Asia/America/Tokyo")).toBe("2025-03-30");
  });
});

describe("a name", () => {
  const endOf = (text: string, index: number): number | undefined => readHoliday(tokenize(text), index)?.end;

  it("is read as far as it goes", () => {
    expect(endOf("Christmas Day dinner", 0)).toBe(2);
    expect(endOf("Christmas dinner", 0)).toBe(1);
    expect(endOf("early May bank holiday Monday", 0)).toBe(4);
    expect(endOf("on Easter", 0)).toBeUndefined();
    expect(endOf("on Easter", 1)).toBe(2);
    expect(endOf("Boxing gloves", 0)).toBeUndefined();
  });

  it("of Lent is not what somebody lent", () => {
    expect(endOf("what was lent to me", 2)).toBeUndefined();
    expect(endOf("what I gave up during lent", 5)).toBe(6);
    expect(endOf("Lent", 0)).toBe(1);
  });
});

describe("a long weekend", () => {
  /** From Monday 5 May 2025; `first` and `last` are days from there. */
  const start = dayNumber(2025, 4, 5);
  const around = (first: number, last: number): readonly number[] => {
    const { from, until } = longWeekend({ from: start + first, until: start + last + 1 });
    return [from - start, until - 1 - start];
  };

  it("goes from a day to the weekend beside it", () => {
    expect(weekdayOf(start)).toBe(0);
    expect(around(0, 0)).toEqual([-2, 0]);
    expect(around(1, 1)).toEqual([-2, 1]);
    expect(around(2, 2)).toEqual([2, 6]);
    expect(around(3, 3)).toEqual([3, 6]);
    expect(around(4, 4)).toEqual([4, 6]);
    expect(around(5, 5)).toEqual([5, 6]);
    expect(around(6, 6)).toEqual([5, 6]);
  });

  it("takes in both of two days", () => {
    expect(around(0, 1)).toEqual([-2, 1]);
    expect(around(1, 2)).toEqual([-2, 2]);
    expect(around(3, 4)).toEqual([3, 6]);
    expect(around(4, 5)).toEqual([4, 6]);
    expect(around(5, 6)).toEqual([5, 6]);
    expect(around(6, 7)).toEqual([5, 7]);
  });

  it("of a New Year on Sunday and Monday ends on the Monday", () => {
    expect(timesOf("What did I do over New Year weekend?", "2024-05-14")).toBe("2023-12-30..2024-01-01");
  });
});
