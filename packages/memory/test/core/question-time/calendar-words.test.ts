/** Names of the calendar, and words that only look like one. */
import { describe, expect, it } from "vitest";
import {
  isNoun,
  isPast,
  isTimeWord,
  readMonth,
  readSeason,
  readWeekday,
} from "../../../src/core/question-time/calendar-words.js";
import { tokenize } from "../../../src/core/question-time/time-words.js";

const months = "January February March April May June July August September October November December".split(" ");
const weekdays = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(" ");

/** What is read at the word in capitals or in brackets: "[may] we". */
function readAt<T>(text: string, read: (tokens: ReturnType<typeof tokenize>, index: number) => T): T {
  const before = text.slice(0, text.indexOf("["));
  return read(tokenize(text.replaceAll(/[[\]]/gu, "")), tokenize(before).length);
}

describe("a month", () => {
  it.each(months.map((name, month) => [name, month] as const))("%s is number %i", (name, month) => {
    for (const text of [name, name.toLowerCase(), name.slice(0, 3)]) {
      expect(readAt(`in [${text}]`, readMonth)).toBe(month);
    }
  });

  it("is not any word that begins like one", () => {
    for (const text of ["Sept", "sept"]) expect(readAt(`in [${text}]`, readMonth)).toBe(8);
    for (const text of ["Janu", "Ju", "Decem", "marching", ""])
      expect(readAt(`in [${text}]`, readMonth)).toBeUndefined();
  });

  it.each([
    "3 [march]",
    "the 3rd of [march]",
    "third [march]",
    "[march] 3",
    "[March] 21st",
    "[march] 2024",
    "[March] the 3rd",
    "[may] 3",
    "since [may]",
    "in [may]",
    "mid - [may]",
    "late [may]",
    "[April] last year",
    "[April] of this year",
    "[april] this year",
    "this [june]",
    "next [june]",
    "- [april]",
    "by [june]",
    "back in [august]",
    "my [June] appointment",
    "the [April] scan",
    "compared with [June]",
    "in February and [March]",
    "[July]",
    "[november]",
    "[Feb]",
  ])("is meant in %s", (text) => expect(readAt(text, readMonth)).toBeTypeOf("number"));

  it.each([
    "[may] I go",
    "it [may] be",
    "they [march] on",
    "[April] said",
    "[June] the cat",
    "a cat [June] saw",
    "with [June]",
    "for [April] and the cat",
    "about [June]",
    "in [April]'s car",
    "after [may]",
    "my [June]",
    "my [june] appointment",
    "my [June] and I",
    "[may] of you",
    "[march] 300",
    "12345 [march]",
    "with [June] and April",
    "the [jan] thing",
    "[dec] was",
    "[mar] it",
  ])("is not meant in %s", (text) => expect(readAt(text, readMonth)).toBeUndefined());
});

describe("a weekday", () => {
  it.each(weekdays.map((name, weekday) => [name, weekday] as const))("%s is number %i", (name, weekday) => {
    expect(readAt(`[${name}]`, readWeekday)).toBe(weekday);
    expect(readAt(`[${name.toLowerCase()}]`, readWeekday)).toBe(weekday);
    expect(readAt(`on [${name.slice(0, 3)}]`, readWeekday)).toBe(weekday);
    expect(readAt(`on [${name.slice(0, 3).toLowerCase()}]`, readWeekday)).toBe(weekday);
  });

  it("has longer and shorter names", () => {
    const read = ["tue", "tues", "weds", "thu", "thur", "thurs", "fri"].map((text) => readAt(`[${text}]`, readWeekday));
    expect(read).toEqual([1, 1, 2, 3, 3, 3, 4]);
    for (const text of ["frid", "m", "thursd", "mond", "tuesdays"])
      expect(readAt(`on [${text}]`, readWeekday)).toBeUndefined();
  });

  it.each(["the [sun] shone", "I [sat] there", "she [wed] him", "the [Sun] shone", "at [sun]"])(
    "is not meant in %s",
    (text) => expect(readAt(text, readWeekday)).toBeUndefined(),
  );

  it.each([
    "last [sat]",
    "since [sun]",
    "until [mon]",
    "by [wed]",
    "next [sun]",
    "last [Sat]",
    "from [Mon]",
    "after [Sun]",
  ])("is meant in %s", (text) => expect(readAt(text, readWeekday)).toBeTypeOf("number"));
});

describe("a season", () => {
  const seasonIn = (text: string, timeZone: string): number | undefined => readSeason(tokenize(text), 0, timeZone);

  it.each([
    ["spring", 2, 8],
    ["summer", 5, 11],
    ["autumn", 8, 2],
    ["fall", 8, 2],
    ["winter", 11, 5],
    ["summertime", 5, 11],
  ])("%s begins in month %i, in the south in %i", (text, north, south) => {
    for (const zone of ["UTC", "Europe/London", "America/New_York", "Asia/Australia/Tokyo"]) {
      expect(seasonIn(text, zone)).toBe(north);
    }
    for (const zone of [
      "Australia/Sydney",
      "Pacific/Auckland",
      "Africa/Johannesburg",
      "America/Argentina/Salta",
      "America/Sao_Paulo",
    ]) {
      expect(seasonIn(text, zone)).toBe(south);
    }
  });

  it("is not any other word", () => {
    expect([seasonIn("toString", "UTC"), seasonIn("sometime", "UTC")]).toEqual([undefined, undefined]);
  });
});

describe("a word", () => {
  it("of time comes before a month, a season or a year", () => {
    expect(["in", "since", "than", "every", "back", "-"].map(isTimeWord)).toEqual(Array(6).fill(true));
    expect(["the", "nurse", ""].map(isTimeWord)).toEqual([false, false, false]);
  });

  it("is taken for a noun by what it is not", () => {
    const texts = ["appointment", "x", "Appointment", "and", "was", "3rd", "instead", "", "check-up"];
    expect(texts.map((text) => isNoun(tokenize(text), 0))).toEqual([
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(isNoun(tokenize("scan"), 1)).toBe(false);
  });

  it("is in the past by its form", () => {
    const past = ["walked", "she'd", "went", "woke", "was", "used", "agreed", "needed"];
    const present = ["red", "go", "bed", "need", "indeed", "edit", "d"];
    const isPastWord = (text: string): boolean => isPast(tokenize(text)[0]!);
    expect(past.filter((text) => !isPastWord(text))).toEqual([]);
    expect(present.filter(isPastWord)).toEqual([]);
  });
});
