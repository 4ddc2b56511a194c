/** What holds for every question: in any words, at any time, in any time zone. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anchoredDays, readQuestionTime } from "../../../src/core/question-time/question-time.js";
import { namedTimes, openTimes } from "./question-time-table.js";

const expressions = [...namedTimes, ...openTimes].map(([expression]) => expression);
const zones = ["UTC", "Europe/London", "Asia/Kolkata", "America/New_York", "Pacific/Auckland", "Pacific/Apia"];
const moment = fc.integer({ min: Date.parse("1995-01-01"), max: Date.parse("2060-01-01") });

/** Words of the grammar in no order. */
const grammarWords = [...new Set(expressions.flatMap((expression) => expression.split(" ")))];
const jumble = fc.array(
  fc.constantFrom(...grammarWords, "when", "the", "of", "after", "before", "since", "?", ",", "I fell", "the party"),
  {
    maxLength: 30,
  },
);

describe("every question", () => {
  it("has intervals that begin before they end, and words that stand in it", () => {
    fc.assert(
      fc.property(jumble, moment, fc.constantFrom(...zones), (words, atMs, timeZone) => {
        const question = words.join(" ");
        const { intervals, anchors, rest } = readQuestionTime(question, atMs, timeZone);
        for (const interval of intervals) {
          expect(interval.fromMs).toBeLessThan(interval.untilMs);
          expect(question).toContain(interval.words);
          expect(interval.untilMs).not.toBe(Infinity);
        }
        for (const anchor of anchors) {
          expect(anchor.fromDays).toBeLessThan(anchor.untilDays);
          const { from, until } = anchoredDays(20_000, anchor);
          expect(from).toBeLessThan(until);
          expect(question).toContain(anchor.words);
          expect(anchor.words).toContain(anchor.event);
        }
        expect(rest.length).toBeLessThanOrEqual(question.length);
      }),
      { numRuns: 300 },
    );
  });

  it("about the past names a time that has begun", () => {
    fc.assert(
      fc.property(fc.constantFrom(...expressions), moment, fc.constantFrom(...zones), (expression, atMs, timeZone) => {
        const { intervals } = readQuestionTime(`What did she do ${expression}?`, atMs, timeZone);
        for (const { fromMs, role } of intervals) if (role !== "background") expect(fromMs).toBeLessThanOrEqual(atMs);
      }),
      { numRuns: 500 },
    );
  });

  it("is read, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), moment, (question, atMs) => {
        expect(readQuestionTime(question, atMs, "UTC").rest.length).toBeLessThanOrEqual(question.length);
      }),
    );
  });

  it("is read the same by its days in every time zone", () => {
    fc.assert(
      fc.property(fc.constantFrom(...expressions), fc.integer({ min: 10_000, max: 30_000 }), (expression, day) => {
        const question = `What did she do ${expression}?`;
        const [inUtc, inKolkata] = ["UTC", "Asia/Kolkata"].map((timeZone) => {
          const noonMs = day * 86_400_000 + 43_200_000 - (timeZone === "UTC" ? 0 : 19_800_000);
          return readQuestionTime(question, noonMs, timeZone).intervals;
        });
        const moved = inUtc!.map((interval) => ({
          ...interval,
          fromMs: interval.fromMs - 19_800_000,
          untilMs: interval.untilMs - 19_800_000,
        }));
        expect(inKolkata).toEqual(moved);
      }),
    );
  });
});

describe("a time zone", () => {
  const of = (question: string, at: string, timeZone: string): string[] =>
    readQuestionTime(question, Date.parse(at), timeZone).intervals.flatMap(({ fromMs, untilMs }) =>
      [fromMs, untilMs].map((ms) => new Date(ms).toISOString()),
    );

  it("says which day it is", () => {
    const at = "2025-05-14T22:30:00Z";
    expect(of("What did I do yesterday?", at, "Europe/London")[0]).toBe("2025-05-12T23:00:00.000Z");
    expect(of("What did I do yesterday?", at, "Asia/Kolkata")[0]).toBe("2025-05-13T18:30:00.000Z");
    expect(of("What did I do yesterday?", at, "Pacific/Auckland")[0]).toBe("2025-05-13T12:00:00.000Z");
    expect(of("What did I do yesterday?", at, "America/New_York")[0]).toBe("2025-05-13T04:00:00.000Z");
  });

  it("makes days of 23 and 25 hours", () => {
    const at = "2025-12-01T12:00:00Z";
    expect(of("And on 30 March?", at, "Europe/London")).toEqual([
      "2025-03-30T00:00:00.000Z",
      "2025-03-30T23:00:00.000Z",
    ]);
    expect(of("And on 26 October?", at, "Europe/London")).toEqual([
      "2025-10-25T23:00:00.000Z",
      "2025-10-27T00:00:00.000Z",
    ]);
    expect(of("And on 9 March?", at, "America/New_York")).toEqual([
      "2025-03-09T05:00:00.000Z",
      "2025-03-10T04:00:00.000Z",
    ]);
  });

  it("says when it is summer, and when mothers have their day", () => {
    const at = "2025-05-14T12:00:00Z";
    expect(of("And last summer?", at, "Pacific/Auckland")[0]).toBe("2024-11-30T11:00:00.000Z");
    expect(of("And on Mother's Day?", at, "America/New_York")[0]).toBe("2025-05-11T04:00:00.000Z");
    expect(of("And on Mother's Day?", at, "Europe/London")[0]).toBe("2025-03-30T00:00:00.000Z");
  });
});

describe("a long question", () => {
  it.each([
    "the first of the first of ",
    "between 3 and ",
    "two weeks before the day after ",
    "early ",
    "after I fell ",
    "the Tuesday before the party on the first Friday after the fall ",
  ])("of nothing but %s is read to a bound", (words) => {
    const question = words.repeat(Math.ceil(100_000 / words.length));
    const read = readQuestionTime(question, 0, "UTC");
    const firstPart = readQuestionTime(question.slice(0, 2000), 0, "UTC");
    expect(read.intervals).toEqual(firstPart.intervals);
    expect(read.anchors).toEqual(firstPart.anchors);
  });
});
