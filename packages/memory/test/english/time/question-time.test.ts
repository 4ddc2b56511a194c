/** What the reader of times in questions finds, and what holds for every question. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readQuestionTime, type QuestionInterval } from "../../../src/english/time/question-time.js";
import { askedOn, namedTimes, openTimes } from "./question-time-table.js";

const dayMs = 86_400_000;
const at = Date.parse(askedOn);
const rows = [...namedTimes, ...openTimes];

/** Days as the tables write them. */
function daysOf({ fromMs, untilMs }: QuestionInterval): string {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const last = day(untilMs - dayMs);
  if (fromMs === -Infinity) return `…${last}`;
  return day(fromMs) === last ? last : `${day(fromMs)}..${last}`;
}

function read(question: string, askedAt = at, timeZone = "UTC"): { days: string; words: string } {
  const { intervals } = readQuestionTime(question, askedAt, timeZone);
  return {
    days: intervals.map(daysOf).join(" | "),
    words: [...new Set(intervals.map(({ words }) => words))].join(" | "),
  };
}

/** Those of the tables that are read otherwise. */
function offenders(ask: (expression: string) => string, wordsToo = false): string[] {
  return rows.flatMap(([expression, days]) => {
    const found = read(ask(expression));
    const isRight = found.days === days && (!wordsToo || found.words === expression);
    return isRight ? [] : [`${expression}: ${found.days} instead of ${days}, from ${found.words}`];
  });
}

describe("a question's time", () => {
  it("is an interval of whole days, and the rest is what the question is about", () => {
    expect(readQuestionTime("How far did I walk on 19 February, and with whom?", at, "UTC")).toEqual({
      intervals: [
        {
          words: "on 19 February",
          fromMs: Date.parse("2025-02-19T00:00:00Z"),
          untilMs: Date.parse("2025-02-20T00:00:00Z"),
        },
      ],
      rest: "How far did I walk, and with whom?",
    });
  });

  it("is that of the tables, wherever the words stand and however they are typed", () => {
    expect(offenders((expression) => `What did the nurse do ${expression}?`, true)).toEqual([]);
    expect(offenders((expression) => `what did the nurse do ${expression.toLowerCase()}`)).toEqual([]);
  });

  it.each([
    ["last weekend", "2025-05-17", "2025-05-10..2025-05-11"],
    ["last weekend", "2025-05-18", "2025-05-10..2025-05-11"],
    ["last weekend", "2025-05-19", "2025-05-17..2025-05-18"],
    ["at the weekend", "2025-05-18", "2025-05-17..2025-05-18 | 2025-05-10..2025-05-11"],
    ["last Thursday", "2025-05-17", "2025-05-15 | 2025-05-08"],
    ["on Thursday", "2025-05-15", "2025-05-08 | 2025-05-15"],
    ["last month", "2025-01-01", "2024-12-01..2024-12-31"],
    ["yesterday", "2025-01-01", "2024-12-31"],
    ["on 29 February", "2027-06-01", "2024-02-29"],
    ["last summer", "2025-10-05", "2025-06-01..2025-08-31 | 2024-06-01..2024-08-31"],
    ["earlier this week", "2025-05-12", "2025-05-12"],
    ["from March on", "2025-05-14", "2025-03-01..2025-05-14"],
    ["from March on the ward", "2025-05-14", "2025-03-01..2025-03-31"],
    ["after Christmas Day", "2025-05-14", "2024-12-25..2025-01-15 | 2024-12-25..2025-05-14"],
    ["in the fall of 2023", "2025-05-14", "2023-09-01..2023-11-30"],
  ])("%s, on %s", (expression, day, days) => {
    expect(read(`What did the nurse do ${expression}?`, Date.parse(`${day}T12:00:00Z`)).days).toBe(days);
  });

  it.each([
    ["What did the scan on the 24th show?", "2025-04-24"],
    ["What did I do on 3 and 7 March?", "2025-03-03 | 2025-03-07"],
    ["Were my readings better in February or March?", "2025-02-01..2025-02-28 | 2025-03-01..2025-03-31"],
    ["What will I do tomorrow, and next Thursday?", ""],
    ["May I march with June and April?", ""],
    ["What did I lose in the fall?", ""],
    ["What did I do on the Tuesday before the surgery?", ""],
    ["Did I walk 2000 steps, or take 3/4 of a tablet?", ""],
    ["Did my son sit in the sun?", ""],
    ["What did we cook at Chinese New Year?", ""],
  ])("%s", (question, days) => expect(read(question).days).toBe(days));

  it.each([
    ["What did the doctor find at the mid-April check?", "mid-April", "What did the doctor find at the check?"],
    ["How did Monday's visit go?", "Monday's", "How did visit go?"],
    ["What did I own up to the day before yesterday?", "the day before yesterday", "What did I own up to?"],
    ["What did we talk about two weeks ago?", "two weeks ago", "What did we talk about?"],
    ["Which club did I volunteer at last weekend?", "last weekend", "Which club did I volunteer at?"],
    ["Is it better now than in March?", "in March", "Is it better now?"],
    ["How did it change after Tuesday's fall?", "Tuesday's", "How did it change after fall?"],
  ])("%s leaves what it is about", (question, words, rest) => {
    expect(read(question).words).toBe(words);
    expect(readQuestionTime(question, at, "UTC").rest).toBe(rest);
  });
});

const zones = ["UTC", "Europe/London", "Asia/Kolkata", "America/New_York", "Pacific/Auckland", "Pacific/Apia"];
const moment = fc.integer({ min: Date.parse("1995-01-01"), max: Date.parse("2060-01-01") });
const expressions = rows.map(([expression]) => expression);
const grammarWords = [...new Set(expressions.flatMap((expression) => expression.split(" ")))];
const jumble = fc.array(fc.constantFrom(...grammarWords, "when", "the", "of", "after", "since", "?", ",", "I fell"), {
  maxLength: 30,
});

describe("every question", () => {
  it("has intervals that have begun and end after they begin, and words that stand in it", () => {
    fc.assert(
      fc.property(jumble, moment, fc.constantFrom(...zones), (words, atMs, timeZone) => {
        const question = words.join(" ");
        const { intervals, rest } = readQuestionTime(question, atMs, timeZone);
        for (const interval of intervals) {
          expect(interval.fromMs).toBeLessThan(interval.untilMs);
          expect(interval.fromMs).toBeLessThanOrEqual(atMs);
          expect(interval.untilMs).not.toBe(Infinity);
          expect(question).toContain(interval.words);
        }
        expect(rest.length).toBeLessThanOrEqual(question.length);
      }),
      { numRuns: 150 },
    );
  });

  it("is read, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), moment, (question, atMs) => {
        expect(readQuestionTime(question, atMs, "UTC").rest.length).toBeLessThanOrEqual(question.length);
      }),
      { numRuns: 50 },
    );
  });

  it("is read the same by its days in every time zone", () => {
    fc.assert(
      fc.property(fc.constantFrom(...expressions), fc.integer({ min: 10_000, max: 30_000 }), (expression, day) => {
        const question = `What did she do ${expression}?`;
        const kolkataMs = 19_800_000;
        const noonMs = day * dayMs + dayMs / 2;
        const moved = readQuestionTime(question, noonMs, "UTC").intervals.map((interval) => ({
          ...interval,
          fromMs: interval.fromMs - kolkataMs,
          untilMs: interval.untilMs - kolkataMs,
        }));
        expect(readQuestionTime(question, noonMs - kolkataMs, "Asia/Kolkata").intervals).toEqual(moved);
      }),
    );
  });

  it.each(["the first of the first of ", "between 3 and ", "two weeks before the day after ", "early "])(
    "of nothing but %s is read to a bound",
    (words) => {
      const question = words.repeat(Math.ceil(100_000 / words.length));
      const firstPart = readQuestionTime(question.slice(0, 2000), 0, "UTC");
      expect(readQuestionTime(question, 0, "UTC").intervals).toEqual(firstPart.intervals);
    },
  );
});

describe("a time zone", () => {
  const of = (question: string, askedAt: string, timeZone: string): string[] =>
    readQuestionTime(question, Date.parse(askedAt), timeZone).intervals.flatMap(({ fromMs, untilMs }) =>
      [fromMs, untilMs].map((ms) => new Date(ms).toISOString()),
    );

  it("says which day it is, and how long days are", () => {
    const late = "2025-05-14T22:30:00Z";
    expect(of("What did I do yesterday?", late, "Europe/London")[0]).toBe("2025-05-12T23:00:00.000Z");
    expect(of("What did I do yesterday?", late, "Pacific/Auckland")[0]).toBe("2025-05-13T12:00:00.000Z");
    const winter = "2025-12-01T12:00:00Z";
    expect(of("And on 30 March?", winter, "Europe/London")).toEqual([
      "2025-03-30T00:00:00.000Z",
      "2025-03-30T23:00:00.000Z",
    ]);
    expect(of("And on 26 October?", winter, "Europe/London")).toEqual([
      "2025-10-25T23:00:00.000Z",
      "2025-10-27T00:00:00.000Z",
    ]);
  });

  it("says when it is summer, and when mothers have their day", () => {
    expect(of("And last summer?", askedOn, "Pacific/Auckland")[0]).toBe("2024-11-30T11:00:00.000Z");
    expect(of("And on Mother's Day?", askedOn, "America/New_York")[0]).toBe("2025-05-11T04:00:00.000Z");
    expect(of("And on Mother's Day?", askedOn, "Europe/London")[0]).toBe("2025-03-30T00:00:00.000Z");
  });
});
