/** Arithmetic with days, compared with counting day by day and with dates from a calendar. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  dateSpan,
  dayNumber,
  easterSunday,
  mondayOf,
  monthOf,
  monthSpan,
  nthWeekday,
  daysAtOffset,
  oneDay,
  partOf,
  weekdayBefore,
  weekdayFrom,
  weekdayOf,
  weekSpan,
  yearOf,
  type Part,
} from "../../../src/core/question-time/calendar.js";

const day = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / 86_400_000;
const anyDay = fc.integer({ min: -200_000, max: 200_000 });
const anyWeekday = fc.integer({ min: 0, max: 6 });

describe("a day", () => {
  it("is counted from 1 January 1970, a Thursday", () => {
    expect(dayNumber(1970, 0, 1)).toBe(0);
    expect(dayNumber(1969, 11, 31)).toBe(-1);
    expect(dayNumber(2024, 1, 29)).toBe(day("2024-02-29"));
    expect([0, 4, -4, 3, -3].map(weekdayOf)).toEqual([3, 0, 6, 6, 0]);
  });

  it("has the year and the month that it is written with", () => {
    fc.assert(
      fc.property(fc.integer({ min: -50_000, max: 80_000 }), (number) => {
        const iso = new Date(number * 86_400_000).toISOString();
        expect([yearOf(number), monthOf(number) + 1]).toEqual(iso.split("-").slice(0, 2).map(Number));
      }),
    );
  });

  it("is followed by the next weekday, and its week begins on the Monday before", () => {
    fc.assert(
      fc.property(anyDay, (number) => {
        expect(weekdayOf(number + 1)).toBe((weekdayOf(number) + 1) % 7);
        expect(weekdayOf(mondayOf(number))).toBe(0);
        expect(weekSpan(number)).toEqual({ from: mondayOf(number), until: mondayOf(number) + 7 });
        expect(number - mondayOf(number)).toBe(weekdayOf(number));
        expect(oneDay(number)).toEqual({ from: number, until: number + 1 });
      }),
    );
  });

  it("of a month that does not have it is none", () => {
    expect(dateSpan(2025, 1, 28)).toEqual(oneDay(day("2025-02-28")));
    expect(dateSpan(2025, 1, 29)).toBeUndefined();
    expect(dateSpan(2024, 1, 29)).toEqual(oneDay(day("2024-02-29")));
    expect(dateSpan(2025, 3, 31)).toBeUndefined();
    expect(dateSpan(2025, 3, 1)).toEqual(oneDay(day("2025-04-01")));
    expect(dateSpan(2025, 3, 0)).toBeUndefined();
    expect(dateSpan(2025, 3, -400)).toBeUndefined();
  });
});

it("months are counted on beyond the year", () => {
  expect(monthSpan(2025, 1)).toEqual({ from: day("2025-02-01"), until: day("2025-03-01") });
  expect(monthSpan(2025, 11, 3)).toEqual({ from: day("2025-12-01"), until: day("2026-03-01") });
  expect(monthSpan(2025, -1)).toEqual({ from: day("2024-12-01"), until: day("2025-01-01") });
});

describe("an offset", () => {
  const march = { from: dayNumber(2025, 2, 1), until: dayNumber(2025, 3, 1) };

  it("after a longer time counts from its last day, before it from its first", () => {
    expect(daysAtOffset(march, { fromDays: 1, untilDays: 3 })).toEqual({ from: march.until, until: march.until + 2 });
    expect(daysAtOffset(march, { fromDays: -1, untilDays: 0 })).toEqual({ from: march.from - 1, until: march.from });
    expect(daysAtOffset(march, { fromDays: 0, untilDays: Infinity })).toEqual({
      from: march.until - 1,
      until: Infinity,
    });
  });

  it("with a weekday is that weekday of its week, and the days that go with it", () => {
    fc.assert(
      fc.property(
        anyDay,
        anyWeekday,
        fc.integer({ min: -30, max: 30 }),
        fc.integer({ min: 1, max: 2 }),
        (day, first, fromDays, dayCount) => {
          const offset = { fromDays, untilDays: fromDays + 7, weekday: { first, dayCount } };
          const { from, until } = daysAtOffset({ from: day, until: day + 1 }, offset);
          expect(weekdayOf(from)).toBe(first);
          expect(from).toBeGreaterThanOrEqual(day + fromDays);
          expect(from).toBeLessThan(day + fromDays + 7);
          expect(until - from).toBe(dayCount);
        },
      ),
    );
  });
});

describe("a weekday", () => {
  it("before a day and from a day on is found as by walking there", () => {
    fc.assert(
      fc.property(anyDay, anyWeekday, (start, weekday) => {
        let before = start - 1;
        while (weekdayOf(before) !== weekday) before--;
        let from = start;
        while (weekdayOf(from) !== weekday) from++;
        expect([weekdayBefore(start, weekday), weekdayFrom(start, weekday)]).toEqual([before, from]);
      }),
    );
  });

  it("is the n-th of a span, from its beginning or its end", () => {
    fc.assert(
      fc.property(anyDay, anyWeekday, fc.integer({ min: 1, max: 4 }), (from, weekday, n) => {
        const span = { from, until: from + 28 };
        const all = Array.from({ length: 28 }, (_, i) => from + i).filter((each) => weekdayOf(each) === weekday);
        expect(nthWeekday(span, weekday, n)).toBe(all[n - 1]);
        expect(nthWeekday(span, weekday, -n)).toBe(all.at(-n));
      }),
    );
  });
});

describe("Easter Sunday", () => {
  /** Gauss's rule, with his M and N for each stretch of centuries. */
  function easterByGauss(year: number, m: number, n: number): number {
    const d = (19 * (year % 19) + m) % 30;
    const e = (2 * (year % 4) + 4 * (year % 7) + 6 * d + n) % 7;
    const isLate = e === 6 && (d === 29 || (d === 28 && (11 * m + 11) % 30 < 19));
    return dayNumber(year, 2, 22 + d + e) - (isLate ? 7 : 0);
  }

  it.each([
    [1583, 1699, 22, 2],
    [1700, 1799, 23, 3],
    [1800, 1899, 23, 4],
    [1900, 2099, 24, 5],
    [2100, 2199, 24, 6],
    [2200, 2299, 25, 0],
    [2300, 2399, 26, 1],
    [2400, 2499, 25, 1],
  ])("from %i to %i is that of Gauss's rule", (first, last, m, n) => {
    for (let year = first; year <= last; year++)
      expect([year, easterSunday(year)]).toEqual([year, easterByGauss(year, m, n)]);
  });

  it.each(["1818-03-22", "1943-04-25", "1954-04-18", "1981-04-19", "2008-03-23", "2024-03-31", "2025-04-20"])(
    "was on %s",
    (iso) => expect(easterSunday(Number(iso.slice(0, 4)))).toBe(day(iso)),
  );
});

describe("a part", () => {
  const parts: readonly Part[] = ["very start", "start", "early", "middle", "late", "end", "very end"];
  const partsOf = (length: number): string[] =>
    parts.map((part) => {
      const { from, until } = partOf({ from: 1000, until: 1000 + length }, part);
      return `${from - 1000}-${until - 1000}`;
    });

  it.each([
    ["four days is all of them", 4, ["0-4", "0-4", "0-4", "0-4", "0-4", "0-4", "0-4"]],
    ["five days is cut as a week", 5, ["0-1", "0-2", "0-3", "1-4", "3-5", "3-5", "5-5"]],
    ["a week: its middle is Tuesday to Thursday", 7, ["0-1", "0-2", "0-3", "1-4", "3-7", "3-7", "5-7"]],
    ["ten days is cut as a week", 10, ["0-1", "0-2", "0-3", "1-4", "3-7", "3-7", "5-7"]],
    [
      "February: thirds of ten days, weeks at its edges",
      28,
      ["0-4", "0-7", "0-10", "10-20", "20-28", "21-28", "24-28"],
    ],
    ["January: the last third is longer", 31, ["0-4", "0-7", "0-10", "10-20", "20-31", "24-31", "27-31"]],
    [
      "32 days is thirds of 11 days, three weeks at its edges",
      32,
      ["0-14", "0-21", "0-11", "11-21", "21-32", "11-32", "18-32"],
    ],
    ["a summer of 92 days: thirds of 31", 92, ["0-14", "0-21", "0-31", "31-61", "61-92", "71-92", "78-92"]],
    [
      "a year: thirds of 122, edges of 365 / 8 = 46",
      365,
      ["0-14", "0-46", "0-122", "122-243", "243-365", "319-365", "351-365"],
    ],
  ])("of %s", (_, length, expected) => expect(partsOf(length)).toEqual(expected));

  it("of eleven days is cut as a month", () => {
    expect(partOf({ from: 0, until: 11 }, "early")).toEqual({ from: 0, until: 10 });
    expect(partOf({ from: 0, until: 11 }, "end")).toEqual({ from: 4, until: 11 });
  });
});
