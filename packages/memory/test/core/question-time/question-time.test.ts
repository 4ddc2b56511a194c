/** What the reader of times in questions finds, expression by expression. */
import { describe, expect, it } from "vitest";
import { readQuestionTime, type QuestionInterval } from "../../../src/core/question-time/question-time.js";
import { askedOn, namedTimes, openTimes } from "./question-time-table.js";

const dayMs = 86_400_000;
const at = Date.parse(askedOn);

/** Days as the tables write them. */
function daysOf({ fromMs, untilMs }: QuestionInterval): string {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const last = day(untilMs - dayMs);
  if (fromMs === -Infinity) return `…${last}`;
  return day(fromMs) === last ? last : `${day(fromMs)}..${last}`;
}

function read(question: string, askedAt = at): { days: string; roles: string[]; words: string[] } {
  const { intervals } = readQuestionTime(question, askedAt, "UTC");
  return {
    days: intervals.map(daysOf).join(" | "),
    roles: [...new Set(intervals.map(({ role }) => role))],
    words: [...new Set(intervals.map(({ words }) => words))],
  };
}

describe("a question's time", () => {
  it("is an interval of whole days, and the rest is what the question is about", () => {
    expect(readQuestionTime("How far did I walk on 19 February, and with whom?", at, "UTC")).toEqual({
      intervals: [
        {
          words: "on 19 February",
          fromMs: Date.parse("2025-02-19T00:00:00Z"),
          untilMs: Date.parse("2025-02-20T00:00:00Z"),
          role: "named",
        },
      ],
      anchors: [],
      rest: "How far did I walk, and with whom?",
    });
  });

  it.each(namedTimes)("%s", (expression, days) => {
    expect(read(`What did the nurse do ${expression}?`)).toEqual({ days, roles: ["named"], words: [expression] });
  });

  it.each(openTimes)("%s, %s", (expression, role, days) => {
    expect(read(`What has she done ${expression}?`)).toEqual({ days, roles: [role], words: [expression] });
  });

  it.each([
    ["last weekend", "2025-05-17", "2025-05-10..2025-05-11"],
    ["last weekend", "2025-05-18", "2025-05-10..2025-05-11"],
    ["last weekend", "2025-05-19", "2025-05-17..2025-05-18"],
    ["at the weekend", "2025-05-18", "2025-05-17..2025-05-18 | 2025-05-10..2025-05-11"],
    ["last Thursday", "2025-05-17", "2025-05-15 | 2025-05-08"],
    ["last Thursday", "2025-05-15", "2025-05-08"],
    ["on Thursday", "2025-05-15", "2025-05-08 | 2025-05-15"],
    ["last week", "2025-05-18", "2025-05-05..2025-05-11"],
    ["last month", "2025-01-01", "2024-12-01..2024-12-31"],
    ["yesterday", "2025-01-01", "2024-12-31"],
    ["on New Year's Eve", "2024-12-31", "2024-12-31"],
    ["on 29 February", "2027-06-01", "2024-02-29"],
    ["last summer", "2025-10-05", "2025-06-01..2025-08-31 | 2024-06-01..2024-08-31"],
    ["this summer", "2025-10-05", "2025-06-01..2025-08-31"],
    ["earlier this week", "2025-05-12", "2025-05-12"],
    ["in March", "2025-03-01", "2025-03-01..2025-03-31"],
    ["on Tuesday 3 March", "2025-05-14", "2025-03-03"],
    ["from March on", "2025-05-14", "2025-03-01..2025-05-14"],
    ["from March on the ward", "2025-05-14", "2025-03-01..2025-03-31"],
    ["in the second half of 3 March", "2025-05-14", "2025-03-03"],
    ["after Christmas Day", "2025-05-14", "2024-12-25..2025-01-15 | 2024-12-25..2025-05-14"],
    ["after the day before yesterday", "2025-05-14", "2025-05-12..2025-05-14"],
  ])("%s, on %s", (expression, day, days) => {
    expect(read(`What did the nurse do ${expression}?`, Date.parse(`${day}T12:00:00Z`)).days).toBe(days);
  });

  it.each([
    ["How did last week compare with the week before?", "2025-05-05..2025-05-11 | 2025-04-28..2025-05-04"],
    ["Did I sleep better last night than the night before?", "2025-05-13..2025-05-14 | 2025-05-12..2025-05-13"],
    ["How was I last week and the week before that?", "2025-05-05..2025-05-11 | 2025-04-28..2025-05-04"],
    ["What did the scan on the 24th show?", "2025-04-24"],
    ["What did I do on 3 March, and two days later?", "2025-03-03 | 2025-03-05"],
    ["What did I do in March, and the following month?", "2025-03-01..2025-03-31 | 2025-04-01..2025-04-30"],
    ["What did I do on 3 and 7 March?", "2025-03-03 | 2025-03-07"],
    ["Were my readings better in February or March?", "2025-02-01..2025-02-28 | 2025-03-01..2025-03-31"],
    ["What did I finish last Friday, as told on 23 January 2022?", "2022-01-21 | 2022-01-14 | 2022-01-23"],
  ])("%s", (question, days) => expect(read(question).days).toBe(days));

  it.each([
    ["What did the doctor find at the mid-April check?", "mid-April", "What did the doctor find at the check?"],
    ["How did Monday's visit go?", "Monday's", "How did visit go?"],
    ["What did I own up to the day before yesterday?", "the day before yesterday", "What did I own up to?"],
    ["What did we talk about two weeks ago?", "two weeks ago", "What did we talk about?"],
    ["Which club did I volunteer at last weekend?", "last weekend", "Which club did I volunteer at?"],
    ["What was I waking up at in the week of 5 May?", "in the week of 5 May", "What was I waking up at?"],
    ["Is it better now than in March?", "in March", "Is it better now?"],
    ["How did it change after Tuesday's fall?", "Tuesday's", "How did it change after fall?"],
  ])("%s leaves what it is about", (question, words, rest) => {
    const { intervals, rest: left } = readQuestionTime(question, at, "UTC");
    expect(intervals.filter(({ role }) => role !== "background").map((interval) => interval.words)).toEqual([words]);
    expect(left).toBe(rest);
  });

  it.each([
    ["We're in the first days of May: what should he be taking?", "in the first days of May", "2025-05-03T12:00:00Z"],
    ["What do they watch at Christmas?", "at Christmas", askedOn],
    ["What are my plans for the spring?", "for the spring", askedOn],
    ["What do I have on Friday?", "on Friday", askedOn],
  ])("%s is not about a time that was", (question, words, askedAt) => {
    const { intervals, rest } = readQuestionTime(question, Date.parse(askedAt), "UTC");
    expect(intervals.map((interval) => [interval.words, interval.role])).toEqual([[words, "background"]]);
    expect(rest).toBe(question);
  });

  it.each([...namedTimes, ...openTimes])("%s, typed in a hurry", (expression, ...expected) => {
    expect(read(`what did the nurse do ${expression.toLowerCase()}`).days).toBe(expected.at(-1));
  });

  it.each([...namedTimes, ...openTimes])("%s, at the beginning of a question", (expression, ...expected) => {
    const question = `${expression[0]!.toUpperCase()}${expression.slice(1)}, what did the nurse say?`;
    expect(read(question).days).toBe(expected.at(-1));
  });
});
