/** Times made of other times, asked on Wednesday 14 May 2025. From a calendar. */
import { describe, expect, it } from "vitest";
import { timesOf, timeWordsOf } from "./reading.js";

describe("a time made of others", () => {
  it.each([
    // With a part of the day, a weekend or a week.
    ["on Friday late night", "2025-05-09..2025-05-10"],
    ["on Friday early evening", "2025-05-09"],
    ["on 3 March night", "2025-03-03..2025-03-04"],
    ["on Boxing Day weekend", "2024-12-26..2024-12-29"],
    ["in Valentine's Day week", "2025-02-10..2025-02-16"],
    // Ranges.
    ["from Friday to Monday", "2025-05-09..2025-05-12"],
    ["from Monday until Wednesday", "2025-05-05..2025-05-07"],
    ["from 3 March through 7 April", "2025-03-03..2025-04-07"],
    ["between Easter and last Friday", "2025-04-18..2025-05-09"],
    ["between today and tomorrow", "2025-05-14..2025-05-15"],
    ["between 2022 and 2024", "2022-01-01..2024-12-31"],
    ["from 3 March till Easter Monday", "2025-03-03..2025-04-21"],
    // Days of a part.
    ["on the eve of Easter", "2025-04-17"],
    ["in the small hours of 3 March", "2025-03-03"],
    ["on the afternoon of 3 March", "2025-03-03"],
    ["on the night of 3 March", "2025-03-03..2025-03-04"],
    ["on the second last day of April", "2025-04-29"],
    ["in the opening week of March", "2025-03-01..2025-03-09"],
    ["on the fifth day of April", "2025-04-05"],
    ["on the first of April", "2025-04-01"],
    ["on the first of last week", "2025-05-05"],
    ["the last days of February", "2025-02-24..2025-02-28"],
    // Weeks of a day.
    ["in the fortnight beginning 3 March", "2025-03-03..2025-03-16"],
    ["in the week starting 5 March", "2025-03-05..2025-03-11"],
    ["in the week containing 5 March", "2025-03-03..2025-03-09"],
    ["in the week commencing the 3rd of March", "2025-03-03..2025-03-09"],
    ["in the week ending 7 March", "2025-03-01..2025-03-07"],
    ["on the weekend of 5 March", "2025-03-08..2025-03-09"],
    ["on the weekend of 3 March", "2025-03-01..2025-03-02"],
    ["on the weekend of 4 March", "2025-03-01..2025-03-02"],
    // Quarters.
    ["in Q1", "2025-01-01..2025-03-31"],
    ["in Q3", "2024-07-01..2024-09-30"],
    ["in the second quarter of last year", "2024-04-01..2024-06-30"],
    ["in the fourth quarter", "2024-10-01..2024-12-31"],
    ["in the first quarter of the year", "2025-01-01..2025-03-31"],
    // Parts of what is going on.
    ["at the end of the week", "2025-05-08..2025-05-11"],
    ["at the start of the week", "2025-05-12..2025-05-13"],
    ["at the start of the month", "2025-05-01..2025-05-07"],
    ["in the middle of the year", "2025-05-03..2025-08-31"],
    ["at the end of the year", "2024-11-16..2024-12-31"],
    // Parts of what was.
    ["in the early weeks of 2025", "2025-01-01..2025-05-02"],
    ["in the closing weeks of 2024", "2024-09-01..2024-12-31"],
    ["midway through March", "2025-03-11..2025-03-20"],
    ["part way through March", "2025-03-11..2025-03-20"],
    ["at the outset of March", "2025-03-01..2025-03-07"],
    ["in the midst of March", "2025-03-11..2025-03-20"],
    ["at the tail end of March", "2025-03-25..2025-03-31"],
    ["at the very close of March", "2025-03-28..2025-03-31"],
    ["at the very beginning of March", "2025-03-01..2025-03-04"],
    ["later in March", "2025-03-21..2025-03-31"],
    ["late on in March", "2025-03-21..2025-03-31"],
    ["early on in March", "2025-03-01..2025-03-10"],
    ["late on Friday", "2025-05-09"],
    ["in end-March", "2025-03-25..2025-03-31"],
    ["in mid-to-late March", "2025-03-11..2025-03-31"],
    ["in early or mid March", "2025-03-01..2025-03-20"],
    ["in the first half of last week", "2025-05-05..2025-05-08"],
    ["in the second half of last week", "2025-05-09..2025-05-11"],
    ["in the last half of 2024", "2024-07-02..2024-12-31"],
    ["earlier in the month", "2025-05-01..2025-05-10"],
    // Distances.
    ["three days before Easter", "2025-04-15"],
    ["three days after Easter", "2025-04-24"],
    ["shortly after Easter", "2025-04-21..2025-04-28"],
    ["shortly before Easter", "2025-04-11..2025-04-17"],
    ["on the Sunday before Easter", "2025-04-13"],
    ["on the Sunday after Easter", "2025-04-27"],
    ["the weekend before Easter", "2025-04-12..2025-04-13"],
    ["the weekend after Easter", "2025-04-26..2025-04-27"],
    ["the month before Easter", "2025-03-18..2025-04-17"],
    // Weekdays from a date: 12 March 2025 is a Wednesday, Easter was from Friday 18 April to Monday 21 April.
    ["on the Friday before 12 March", "2025-03-07"],
    ["on the Wednesday before 12 March", "2025-03-05"],
    ["on the Wednesday after 12 March", "2025-03-19"],
    ["on the first Tuesday after 12 March", "2025-03-18"],
    ["on the second Tuesday after Easter", "2025-04-29"],
    ["on the last Tuesday before Christmas", "2024-12-17"],
    ["two Fridays before 12 March", "2025-02-28"],
    ["two Fridays after 12 March", "2025-03-21"],
    ["the two Fridays before 12 March", "2025-02-26..2025-03-11"],
    ["three weekends after Easter", "2025-05-10..2025-05-11"],
    ["the second weekend before 12 March", "2025-03-01..2025-03-02"],
    ["the weekend before Saturday 8 March", "2025-03-01..2025-03-02"],
    ["the weekend before Sunday 9 March", "2025-03-01..2025-03-02"],
    ["the weekend after Saturday 8 March", "2025-03-15..2025-03-16"],
    ["on the Friday night before 12 March", "2025-03-07..2025-03-08"],
    ["on the Tuesday morning before Christmas", "2024-12-17"],
    ["on the Monday a week after Easter Monday", "2025-04-28"],
    ["on the Tuesday two weeks before 12 March", "2025-02-25"],
    ["on the Monday that followed Easter", "2025-04-28"],
    ["on the Tuesday before yesterday", "2025-05-06"],
    ["the day before the first Sunday in March", "2025-03-01"],
    ["on the Friday of last week", "2025-05-09"],
  ])("%s", (expression, days) => {
    expect(timesOf(`What did the nurse do ${expression}?`)).toBe(days);
    expect(timeWordsOf(`What did the nurse do ${expression}?`)).toEqual([expression]);
  });

  it.each([
    ["What happened in Q5?", ""],
    ["What was the fifth quarter?", ""],
    ["How was the month?", ""],
    ["What is in the middle of?", ""],
    ["How was I in the end?", ""],
    ["What did I do between meals?", ""],
    ["Where did I get from March to the ward?", "2025-03-01..2025-03-31"],
  ])("%s", (question, days) => expect(timesOf(question)).toBe(days));
});

describe("times within times", () => {
  it.each([
    "the day before ",
    "the end of ",
    "early to mid ",
    "the turn of ",
    "the first half of ",
    "the evening of ",
    "the first day of ",
  ])("are read three deep and no deeper: %s", (lead) => {
    const read = (depth: number): string[] => timeWordsOf(`What did the nurse do ${lead.repeat(depth)}2024?`);
    expect(read(3)).toEqual([`${lead.repeat(3)}2024`]);
    expect(read(4).join(" ")).not.toContain(lead.repeat(4));
  });
});
