/**
 * Days that people name instead of dating: feasts, public holidays and the like, with the days they fall on in a year.
 * Feasts that follow the moon come from the platform's own calendars. Where Britain and America keep a day at different
 * times, the person's time zone decides.
 */
import {
  dateSpan,
  dayNumber,
  easterSunday,
  monthSpan,
  nthWeekday,
  oneDay,
  weekdayOf,
  yearOf,
  type Span,
} from "./calendar.js";
import { dayMs } from "../time.js";
import { isTimeWord } from "./calendar-words.js";
import { follow, textAt, type Token } from "./time-words.js";

/** The days of a holiday in a year; a lunar year may begin twice in a solar year. */
export type HolidayDays = (year: number, timeZone: string) => readonly Span[];

export interface HolidayRead {
  readonly days: HolidayDays;
  readonly end: number;
}

/** The holiday whose name begins here; the longest name wins. */
export function readHoliday(tokens: readonly Token[], index: number): HolidayRead | undefined {
  if (follow(tokens, index, "lent") >= 0 && !tokens[index]!.isCapital && !isTimeWord(textAt(tokens, index - 1)))
    return undefined;
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

/** Days of a lunar calendar: its month as the platform names it, the day, and the number of days. */
const byMoon =
  (calendar: string, months: readonly string[], dayOfMonth: number, dayCount: number): HolidayDays =>
  (year) =>
    moonMonths(calendar, year)
      .filter(({ name }) => months.includes(name))
      .map(({ from }) => ({ from: from + dayOfMonth - 1, until: from + dayOfMonth - 1 + dayCount }))
      .filter(({ from }) => yearOf(from) === year);

interface MoonMonth {
  readonly name: string;
  readonly from: number;
}

/** Querying the platform is slow, so answers are cached; cleared when full. */
const knownMoonMonths = new Map<string, readonly MoonMonth[]>();
const knownMoonYearCountMax = 500;

function moonMonths(calendar: string, year: number): readonly MoonMonth[] {
  const key = `${calendar} ${year}`;
  const known = knownMoonMonths.get(key);
  if (known !== undefined) return known;
  if (knownMoonMonths.size >= knownMoonYearCountMax) knownMoonMonths.clear();
  const months = findMoonMonths(calendar, year);
  knownMoonMonths.set(key, months);
  return months;
}

/** First days of the lunar months that touch a year, latest first, stepping from month to month. */
function findMoonMonths(calendar: string, year: number): MoonMonth[] {
  const format = new Intl.DateTimeFormat(`en-u-ca-${calendar}`, { timeZone: "UTC", month: "numeric", day: "numeric" });
  const months: MoonMonth[] = [];
  let day = dayNumber(year, 11, 31);
  while (day >= dayNumber(year - 1, 11, 1)) {
    const parts = format.formatToParts(day * dayMs);
    const from = day - Number(parts.find(({ type }) => type === "day")!.value) + 1;
    months.push({ name: parts.find(({ type }) => type === "month")!.value, from });
    day = from - 1;
  }
  return months;
}

/** Diwali is the new moon between mid-October and mid-November; the days around it belong to it. */
const diwali: HolidayDays = (year) =>
  moonMonths("chinese", year)
    .filter(({ from }) => from >= dayNumber(year, 9, 18))
    .slice(-1)
    .map(({ from }) => ({ from: from - 3, until: from + 2 }));

const earlyMayHoliday = nth(5, monday, 1);
const lastMayMonday = nth(5, monday, -1);
const augustHoliday = nth(8, monday, -1);
const ramadan: HolidayDays = (year) =>
  moonMonths("islamic-umalqura", year)
    .map((month, i, months) => ({ ...month, until: months[i - 1]?.from ?? month.from + 30 }))
    .filter(({ name, from }) => name === "9" && yearOf(from) === year);
const eidAlFitr = byMoon("islamic-umalqura", ["10"], 1, 3);
const eidAlAdha = byMoon("islamic-umalqura", ["12"], 10, 4);

const holidays: readonly (readonly [pattern: string, days: HolidayDays])[] = [
  ["christmas|xmas", on(12, 24, 3)],
  ["christmas|xmas day", on(12, 25)],
  ["christmas|xmas eve", on(12, 24)],
  ["christmas|xmas time|period|holiday|holidays|break|week", on(12, 20, 13)],
  ["christmastime|yuletide", on(12, 20, 13)],
  ["boxing|st|saint .? stephen? day", on(12, 26)],
  ["the? festive season|period", on(12, 20, 13)],
  ["new year", on(12, 31, 2)],
  ["the new year", on(1, 1, 14)],
  ["new year|years '? eve", on(12, 31)],
  ["hogmanay", on(12, 31)],
  ["new year|years '? day", on(1, 1)],
  ["twelfth night", on(1, 5, 2)],
  ["epiphany", on(1, 6)],
  ["burns night", on(1, 25)],
  ["australia day", on(1, 26)],
  ["mlk|martin luther? king? day", nth(1, monday, 3)],
  ["groundhog day", on(2, 2)],
  ["waitangi day", on(2, 6)],
  ["valentine|valentines day?", on(2, 14)],
  ["st|saint .? valentine day", on(2, 14)],
  ["presidents|president '? day", nth(2, monday, 3)],
  ["st|saint .? david day", on(3, 1)],
  ["st|saint .? patrick|patricks day", on(3, 17)],
  ["pancake|shrove day|tuesday", byEaster(-47)],
  ["mardi gras", byEaster(-47)],
  ["ash wednesday", byEaster(-46)],
  ["lent", byEaster(-46, 46)],
  ["palm sunday", byEaster(-7)],
  ["holy week", byEaster(-7, 7)],
  ["maundy thursday", byEaster(-3)],
  ["good friday", byEaster(-2)],
  ["easter", byEaster(-2, 4)],
  ["easter weekend", byEaster(-2, 4)],
  ["easter holiday|holidays|break", byEaster(-9, 18)],
  ["easter week", byEaster(0, 7)],
  ["easter saturday|eve", byEaster(-1)],
  ["easter sunday|day", byEaster(0)],
  ["easter monday", byEaster(1)],
  ["ascension day", byEaster(39)],
  ["whitsun|whit|pentecost sunday?", byEaster(49)],
  ["whitsun|whit|pentecost weekend", byEaster(48, 3)],
  ["whit monday", byEaster(50)],
  ["corpus christi", byEaster(60)],
  ["april fool|fools day?", on(4, 1)],
  ["st|saint .? george day", on(4, 23)],
  ["anzac day", on(4, 25)],
  ["may day", on(5, 1)],
  ["early may bank holiday", earlyMayHoliday],
  ["may day bank holiday", earlyMayHoliday],
  ["may bank holiday", anyOf(earlyMayHoliday, lastMayMonday)],
  ["late? spring|whitsun bank holiday", lastMayMonday],
  ["late may bank holiday", lastMayMonday],
  ["memorial day", lastMayMonday],
  ["cinco de mayo", on(5, 5)],
  ["mother|mothers|mum|mom '? day", byZone(nth(5, sunday, 2), byEaster(-21))],
  ["mothering sunday", byEaster(-21)],
  ["father|fathers|dad '? day", nth(6, sunday, 3)],
  ["juneteenth", on(6, 19)],
  ["midsummer day|eve|night?", on(6, 21, 4)],
  ["the longest day", on(6, 21)],
  ["the shortest day", on(12, 21)],
  ["canada day", on(7, 1)],
  ["independence day", on(7, 4)],
  ["bastille day", on(7, 14)],
  ["august|summer bank holiday", augustHoliday],
  ["late? august bank holiday", augustHoliday],
  [
    "bank holiday",
    anyOf(on(1, 1), byEaster(-2), byEaster(1), earlyMayHoliday, lastMayMonday, augustHoliday, on(12, 25, 2)),
  ],
  ["bank holiday monday", anyOf(byEaster(1), earlyMayHoliday, lastMayMonday, augustHoliday)],
  ["labor day", nth(9, monday, 1)],
  ["labour day", on(5, 1)],
  ["columbus|indigenous day|peoples day?", nth(10, monday, 2)],
  ["halloween|hallowe'en", on(10, 31)],
  ["all saints|saint '? day", on(11, 1)],
  ["all souls|soul '? day", on(11, 2)],
  ["bonfire|fireworks|firework night", on(11, 5)],
  ["guy fawkes|fawke night|day?", on(11, 5)],
  ["remembrance|armistice|veterans|veteran '? day", on(11, 11)],
  ["remembrance sunday", nth(11, sunday, 2)],
  ["election day", nth(11, monday, 1, 1)],
  ["thanksgiving day?", nth(11, thursday, 4)],
  ["giving tuesday", nth(11, thursday, 4, tuesday + 4)],
  ["black friday", nth(11, thursday, 4, 1)],
  ["cyber monday", nth(11, thursday, 4, 4)],
  [
    "advent",
    (year) => [
      { from: nthWeekday({ from: 0, until: dayNumber(year, 11, 25) }, sunday, -4), until: dayNumber(year, 11, 25) },
    ],
  ],
  ["ramadan", ramadan],
  ["eid", anyOf(eidAlFitr, eidAlAdha)],
  ["eid al|ul -? fitr", eidAlFitr],
  ["eid al|ul -? adha", eidAlAdha],
  ["hanukkah|chanukah", byMoon("hebrew", ["Kislev"], 24, 9)],
  ["purim", byMoon("hebrew", ["Adar", "Adar II"], 14, 1)],
  ["passover|pesach", byMoon("hebrew", ["Nisan"], 14, 9)],
  ["rosh hashanah|hashana", byMoon("hebrew", ["Tishri"], 1, 2)],
  ["yom kippur", byMoon("hebrew", ["Tishri"], 10, 1)],
  ["chinese|lunar new year", byMoon("chinese", ["1"], 1, 3)],
  ["mid -? autumn festival", byMoon("chinese", ["8"], 15, 1)],
  ["diwali|deepavali", diwali],
];
