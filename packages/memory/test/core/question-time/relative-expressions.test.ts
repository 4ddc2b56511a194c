/** Times told from the day of the question, Wednesday 14 May 2025 unless another is named. From a calendar. */
import { describe, expect, it } from "vitest";
import { timesOf, timeWordsOf } from "./reading.js";

describe("a time told from today", () => {
  it.each([
    ["the evening before yesterday", "2025-05-12"],
    ["the evening before last", "2025-05-12"],
    ["yesterday evening", "2025-05-13"],
    ["yesterday night", "2025-05-13..2025-05-14"],
    ["last evening", "2025-05-13"],
    ["this afternoon", "2025-05-14"],
    ["later today", "2025-05-14"],
    ["tonight", "2025-05-14"],
    ["just now", "2025-05-14"],
    ["the day after tomorrow", "background 2025-05-16"],
    ["this time last month", "2025-04-10..2025-04-16"],
    ["this time last week", "2025-05-06..2025-05-08"],
    ["the same day last week", "2025-05-07"],
    ["a year ago today", "2024-05-13..2024-05-14"],
    ["a week ago today", "2025-05-07"],
    ["a month ago today", "2025-04-12..2025-04-16"],
    ["the other evening", "2025-05-06..2025-05-13"],
    ["the other weekend", "2025-04-21..2025-05-12"],
    ["the other month", "2025-02-28..2025-04-29"],
    ["one evening last week", "2025-05-07..2025-05-13"],
    // The last but one.
    ["the Easter before last", "2024-03-29..2024-04-01"],
    ["the October before last", "2023-10-01..2023-10-31"],
    ["the spring before last", "2023-03-01..2023-05-31"],
    ["the day before last", "2025-05-12"],
    ["the fortnight before last", "2025-04-28..2025-05-04"],
    // So long ago.
    ["five nights ago", "2025-05-09..2025-05-10"],
    ["two weeks ago today", "2025-04-28..2025-05-02"],
    ["two weeks last Tuesday", "2025-04-29"],
    ["three weeks ago on Friday", "2025-04-25"],
    ["two weeks ago last Monday", "2025-04-28"],
    ["two weekends back", "2025-05-03..2025-05-04"],
    ["a few weekends ago", "2025-04-19..2025-04-20"],
    ["one weekend ago", "2025-05-10..2025-05-11"],
    ["two summers ago", "2023-06-01..2023-08-31"],
    ["a couple of Mondays ago", "2025-05-05"],
    ["four Thursdays ago", "2025-04-17"],
    ["five Mondays ago", "2025-04-14"],
    // This, last and next.
    ["this March", "2025-03-01..2025-03-31"],
    ["this May", "2025-05-01..2025-05-31"],
    ["this October", "background 2025-10-01..2025-10-31"],
    ["this Easter", "2025-04-18..2025-04-21"],
    ["this winter", "2024-12-01..2025-02-28"],
    ["this New Year", "2024-12-31..2025-01-01"],
    ["last Easter", "2025-04-18..2025-04-21 | 2024-03-29..2024-04-01"],
    ["next Easter", "background 2026-04-03..2026-04-06"],
    ["next March", "background 2026-03-01..2026-03-31"],
    ["next year", "background 2026-01-01..2026-12-31"],
    ["next month", "background 2025-06-01..2025-06-30"],
    ["the previous month", "2025-04-01..2025-04-30"],
    ["the past weekend", "2025-05-10..2025-05-11"],
    ["this weekend", "2025-05-10..2025-05-11 | background 2025-05-17..2025-05-18"],
    ["next weekend", "background 2025-05-24..2025-05-25"],
    ["the coming week", "background 2025-05-19..2025-05-25"],
    ["the previous Thursday", "2025-05-08"],
    ["this coming Friday", "background 2025-05-16"],
    ["this Friday", "background 2025-05-16"],
    ["this Wednesday", "2025-05-14"],
    ["next Wednesday", "background 2025-05-21"],
    ["this last weekend", "2025-05-10..2025-05-11"],
    // Weekdays of a week.
    ["on Monday evening of last week", "2025-05-05"],
    ["on Tuesday the week before last", "2025-04-29"],
    ["on Friday the previous week", "2025-05-09"],
    ["on Thursday this week", "background 2025-05-15"],
    ["on Monday next week", "background 2025-05-19"],
    ["next week on Tuesday", "background 2025-05-20"],
    ["the week before last on Sunday", "2025-05-04"],
    ["last week, on the Friday", "2025-05-09"],
    ["on Tuesday a week ago", "2025-05-06"],
    ["on Friday three weeks back", "2025-04-25"],
    ["on Friday week", "background 2025-05-23"],
    ["on Friday fortnight", "background 2025-05-30"],
    ["on Wednesday fortnight", "background 2025-06-04"],
  ])("%s", (expression, days) => {
    expect(timesOf(`What did the nurse do ${expression}?`)).toBe(days);
    expect(timeWordsOf(`What did the nurse do ${expression}?`)).toEqual([expression]);
  });

  it.each([
    ["this weekend", "2025-05-16", "2025-05-10..2025-05-11 | background 2025-05-17..2025-05-18"],
    ["this weekend", "2025-05-17", "2025-05-17..2025-05-18"],
    ["two weekends ago", "2025-05-18", "2025-05-03..2025-05-04"],
    ["two weekends ago", "2025-05-17", "2025-05-03..2025-05-04"],
    ["the weekend before last", "2025-05-19", "2025-05-10..2025-05-11"],
    ["next weekend", "2025-05-18", "background 2025-05-24..2025-05-25"],
    ["over the weekend", "2025-05-17", "2025-05-17..2025-05-18 | 2025-05-10..2025-05-11"],
    ["over the weekend", "2025-05-16", "2025-05-10..2025-05-11"],
    ["last summer", "2025-09-01", "2025-06-01..2025-08-31 | 2024-06-01..2024-08-31"],
    ["last summer", "2025-08-31", "2024-06-01..2024-08-31"],
    ["this summer", "2025-08-31", "2025-06-01..2025-08-31"],
    ["this winter", "2025-05-14", "2024-12-01..2025-02-28"],
    ["this winter", "2025-11-30", "2024-12-01..2025-02-28"],
    ["this December", "2025-12-31", "2025-12-01..2025-12-31"],
    ["this December", "2026-01-01", "background 2026-12-01..2026-12-31"],
    ["the October before last", "2025-10-31", "2023-10-01..2023-10-31"],
    ["the October before last", "2025-11-01", "2024-10-01..2024-10-31"],
    ["last October", "2025-10-31", "2024-10-01..2024-10-31"],
    ["this Christmas", "2025-12-23", "background 2025-12-24..2025-12-26"],
    ["this Christmas", "2025-12-24", "2025-12-24..2025-12-26"],
    ["last month", "2025-03-31", "2025-02-01..2025-02-28"],
    ["this Sunday", "2025-05-18", "2025-05-18"],
    ["last Sunday", "2025-05-18", "2025-05-11"],
    ["on Sunday", "2025-05-18", "2025-05-11 | 2025-05-18"],
    ["last Monday", "2025-05-12", "2025-05-05"],
    ["on Monday of this week", "2025-05-18", "2025-05-12"],
  ])("%s, on %s", (expression, on, days) => expect(timesOf(`What did the nurse do ${expression}?`, on)).toBe(days));
});

describe("no time is told by", () => {
  it.each([
    "What was my last week like?",
    "What was Anna's last month like?",
    "How was every last day?",
    "What was the last day like?",
    "What were last weeks like?",
    "What came of my Thursday group?",
    "What is a usual Monday?",
    "Which Sundays ago?",
    "How far is it two days back to the coast?",
    "How far is two weeks back home?",
    "What hurt in this last week?",
    "What was one Sunday ago?",
  ])("%s", (question) => expect(timesOf(question).replace(/until-now.*/u, "")).toBe(""));
});

it("what follows a time from today makes no week of it", () => {
  expect(timesOf("What did I do yesterday week?")).toBe("2025-05-13");
  expect(timeWordsOf("What did I do on Friday just gone?")).toEqual(["on Friday just gone"]);
  expect(timeWordsOf("What did I do on 3 March just gone?")).toEqual(["on 3 March"]);
});
