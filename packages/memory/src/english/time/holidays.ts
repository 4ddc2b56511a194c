/**
 * Days that people name instead of dating: feasts, public holidays and the like, with the days they fall on in a year.
 * Where Britain and America keep a day at different times, the person's time zone decides. Feasts of lunar calendars are
 * not read.
 */
import { dateSpan, easterSunday, monthSpan, nthWeekday, oneDay, weekdayOf, type Span } from "./calendar.js";
import { follow, textAt, type Token } from "./time-words.js";

/** The days of a holiday in a year. */
export type HolidayDays = (year: number, timeZone: string) => readonly Span[];

export interface HolidayRead {
  readonly days: HolidayDays;
  readonly end: number;
}

/** The holiday whose name begins here; the longest name wins. */
export function readHoliday(tokens: readonly Token[], index: number): HolidayRead | undefined {
  if (/^(?:chinese|lunar|jewish|islamic)$/u.test(textAt(tokens, index - 1))) return undefined;
  let best: HolidayRead | undefined;
  for (const [pattern, days] of holidays) {
    const end = follow(tokens, index, pattern);
    if (end > (best?.end ?? index)) best = { days, end };
  }
  return best;
}

/** A holiday together with the long weekend it makes. */
export function longWeekend(days: Span): Span {
  const first = weekdayOf(days.from);
  const last = weekdayOf(days.until - 1);
  if (first >= saturday) {
    return { from: days.from - first + saturday, until: Math.max(days.until, days.from - first + 7) };
  }
  if (first <= tuesday) return { from: days.from - first - 2, until: Math.max(days.until, days.from - first + 1) };
  return { from: Math.min(days.from, days.until - 1 - last + saturday), until: days.until - 1 - last + 7 };
}

const monday = 0;
const tuesday = 1;
const thursday = 3;
const saturday = 5;
const sunday = 6;

const on =
  (month: number, dayOfMonth: number, dayCount = 1): HolidayDays =>
  (year) => {
    const { from } = dateSpan(year, month - 1, dayOfMonth)!;
    return [{ from, until: from + dayCount }];
  };

const nth =
  (month: number, weekday: number, n: number, laterDays = 0): HolidayDays =>
  (year) => [oneDay(nthWeekday(monthSpan(year, month - 1), weekday, n) + laterDays)];

const byEaster =
  (fromDays: number, dayCount = 1): HolidayDays =>
  (year) => {
    const from = easterSunday(year) + fromDays;
    return [{ from, until: from + dayCount }];
  };

const anyOf =
  (...all: readonly HolidayDays[]): HolidayDays =>
  (year, timeZone) =>
    all.flatMap((days) => days(year, timeZone));

const byZone =
  (american: HolidayDays, others: HolidayDays): HolidayDays =>
  (year, timeZone) =>
    (/^(?:America|US)\//u.test(timeZone) ? american : others)(year, timeZone);

const earlyMayHoliday = nth(5, monday, 1);
const lastMayMonday = nth(5, monday, -1);
const augustHoliday = nth(8, monday, -1);

const holidays: readonly (readonly [pattern: string, days: HolidayDays])[] = [
  ["christmas|xmas", on(12, 24, 3)],
  ["christmas|xmas day", on(12, 25)],
  ["christmas|xmas eve", on(12, 24)],
  ["christmas|xmas time|period|holiday|holidays|break|week", on(12, 20, 13)],
  ["boxing|st|saint .? stephen? day", on(12, 26)],
  ["the? festive season|period", on(12, 20, 13)],
  ["new year", on(12, 31, 2)],
  ["the new year", on(1, 1, 14)],
  ["new year|years '? eve", on(12, 31)],
  ["new year|years '? day", on(1, 1)],
  ["mlk|martin luther? king? day", nth(1, monday, 3)],
  ["valentine|valentines day?", on(2, 14)],
  ["st|saint .? valentine day", on(2, 14)],
  ["presidents|president '? day", nth(2, monday, 3)],
  ["st|saint .? patrick|patricks day", on(3, 17)],
  ["pancake|shrove day|tuesday", byEaster(-47)],
  ["mardi gras", byEaster(-47)],
  ["ash wednesday", byEaster(-46)],
  ["palm sunday", byEaster(-7)],
  ["holy week", byEaster(-7, 7)],
  ["good friday", byEaster(-2)],
  ["easter", byEaster(-2, 4)],
  ["easter weekend", byEaster(-2, 4)],
  ["easter holiday|holidays|break", byEaster(-9, 18)],
  ["easter week", byEaster(0, 7)],
  ["easter sunday|day", byEaster(0)],
  ["easter monday", byEaster(1)],
  ["whitsun|whit|pentecost sunday?", byEaster(49)],
  ["whit monday", byEaster(50)],
  ["april fool|fools day?", on(4, 1)],
  ["may day", on(5, 1)],
  ["may bank holiday", anyOf(earlyMayHoliday, lastMayMonday)],
  ["late? spring|whitsun bank holiday", lastMayMonday],
  ["memorial day", lastMayMonday],
  ["mother|mothers|mum|mom '? day", byZone(nth(5, sunday, 2), byEaster(-21))],
  ["father|fathers|dad '? day", nth(6, sunday, 3)],
  ["juneteenth", on(6, 19)],
  ["midsummer day|eve|night?", on(6, 21, 4)],
  ["independence day", on(7, 4)],
  ["august|summer bank holiday", augustHoliday],
  ["late? august bank holiday", augustHoliday],
  [
    "bank holiday",
    anyOf(on(1, 1), byEaster(-2), byEaster(1), earlyMayHoliday, lastMayMonday, augustHoliday, on(12, 25, 2)),
  ],
  ["bank holiday monday", anyOf(byEaster(1), earlyMayHoliday, lastMayMonday, augustHoliday)],
  ["labor day", nth(9, monday, 1)],
  ["labour day", on(5, 1)],
  ["halloween|hallowe'en", on(10, 31)],
  ["all saints|saint '? day", on(11, 1)],
  ["bonfire|fireworks|firework night", on(11, 5)],
  ["guy fawkes|fawke night|day?", on(11, 5)],
  ["remembrance|armistice|veterans|veteran '? day", on(11, 11)],
  ["remembrance sunday", nth(11, sunday, 2)],
  ["thanksgiving day?", nth(11, thursday, 4)],
  ["black friday", nth(11, thursday, 4, 1)],
  ["cyber monday", nth(11, thursday, 4, 4)],
];
