/**
 * Weekdays and weekends counted from an event in a life: "the Tuesday before the surgery" is no Tuesday before the
 * question. Asked on Wednesday 14 May 2025.
 */
import { describe, expect, it } from "vitest";
import { anchoredDays, readQuestionTime } from "../../../src/core/question-time/question-time.js";
import { timesOf, timeWordsOf } from "./reading.js";

const dayMs = 86_400_000;
const at = Date.parse("2025-05-14T12:00:00Z");
/** The event was on Thursday 13 March 2025. */
const eventDay = Date.parse("2025-03-13") / dayMs;

const iso = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Words, event and days of each time that an event tells. */
function lifeTimes(question: string): string[][] {
  return readQuestionTime(question, at, "UTC").anchors.map((anchor) => {
    const { from, until } = anchoredDays(eventDay, anchor);
    const days = until - from === 1 ? iso(from) : `${iso(from)}..${iso(until - 1)}`;
    return [anchor.words, anchor.event, days];
  });
}

describe("a weekday counted from an event", () => {
  it.each([
    ["on the Tuesday before the surgery", "the surgery", "2025-03-11"],
    ["the Thursday before the surgery", "the surgery", "2025-03-06"],
    ["the Thursday after the surgery", "the surgery", "2025-03-20"],
    ["the Friday after her birthday party", "her birthday party", "2025-03-14"],
    ["on the Monday following the fall", "the fall", "2025-03-17"],
    ["on the Monday right after the fall", "the fall", "2025-03-17"],
    ["on the Monday that followed the fall", "the fall", "2025-03-17"],
    ["on the Friday just before the move", "the move", "2025-03-07"],
    ["on the Friday immediately preceding the move", "the move", "2025-03-07"],
    ["on the Friday prior to the move", "the move", "2025-03-07"],
    ["on the first Tuesday after the surgery", "the surgery", "2025-03-18"],
    ["on the second Tuesday after the surgery", "the surgery", "2025-03-25"],
    ["on the next Tuesday after the surgery", "the surgery", "2025-03-18"],
    ["on the following Tuesday after the surgery", "the surgery", "2025-03-18"],
    ["on the last Tuesday before the surgery", "the surgery", "2025-03-11"],
    ["on my last Tuesday before the surgery", "the surgery", "2025-03-11"],
    ["on her first Saturday after the move", "the move", "2025-03-15"],
    ["two Fridays before the surgery", "the surgery", "2025-02-28"],
    ["three Sundays after the surgery", "the surgery", "2025-03-30"],
    ["a couple of Fridays after the surgery", "the surgery", "2025-03-21"],
    ["the two Fridays before the surgery", "the surgery", "2025-02-27..2025-03-12"],
    ["that Tuesday before the surgery", "the surgery", "2025-03-11"],
    ["on the Tuesday morning before the surgery", "the surgery", "2025-03-11"],
    ["on the Tuesday night before the surgery", "the surgery", "2025-03-11..2025-03-12"],
    ["on the Monday two weeks before the surgery", "the surgery", "2025-02-24"],
    ["on the Saturday before I left the unit", "I left the unit", "2025-03-08"],
    ["on the Saturday after they took the frame away", "they took the frame away", "2025-03-15"],
    ["on the Saturday before Anna's wedding", "Anna's wedding", "2025-03-08"],
    ["on the Saturday before my birthday", "my birthday", "2025-03-08"],
    ["on the Saturday before leaving hospital", "leaving hospital", "2025-03-08"],
    ["on the tues before the surgery", "the surgery", "2025-03-11"],
    // Weekends.
    ["the weekend before the wedding", "the wedding", "2025-03-08..2025-03-09"],
    ["over the weekend before the wedding", "the wedding", "2025-03-08..2025-03-09"],
    ["on the weekend just before the wedding", "the wedding", "2025-03-08..2025-03-09"],
    ["over the weekend leading up to the wedding", "the wedding", "2025-03-08..2025-03-09"],
    ["the weekend prior to the wedding", "the wedding", "2025-03-08..2025-03-09"],
    ["the weekend following the wedding", "the wedding", "2025-03-15..2025-03-16"],
    ["on the first weekend after the wedding", "the wedding", "2025-03-15..2025-03-16"],
    ["two weekends after the wedding", "the wedding", "2025-03-22..2025-03-23"],
    // Parts of the days next to it.
    ["the evening before the exam", "the exam", "2025-03-12"],
    ["on the evening before the exam", "the exam", "2025-03-12"],
    ["the morning before the exam", "the exam", "2025-03-12"],
    ["the morning after the party", "the party", "2025-03-14"],
    ["on the morning right after the party", "the party", "2025-03-14"],
    ["the night before the party", "the party", "2025-03-12..2025-03-13"],
  ])("%s", (words, event, days) => {
    const question = `What did the nurse do ${words}?`;
    expect(lifeTimes(question)).toEqual([[words, event, days]]);
    expect(readQuestionTime(question, at, "UTC")).toMatchObject({ intervals: [], rest: question });
    const leading = `${words[0]!.toUpperCase()}${words.slice(1)}`;
    expect(lifeTimes(`${leading}, what did the nurse do?`)).toEqual([[leading, event, days]]);
    expect(lifeTimes(`what did the nurse do ${words.toLowerCase()}`)).toEqual([
      [words.toLowerCase(), event.toLowerCase(), days],
    ]);
  });

  it.each([
    ["How did the Friday after the party go?", [["the Friday after the party", "the party", "2025-03-14"]]],
    [
      "How far back on the Tuesday before the surgery could I walk?",
      [["on the Tuesday before the surgery", "the surgery", "2025-03-11"]],
    ],
    [
      "Who rang on the Tuesday before the surgery and how was I?",
      [["on the Tuesday before the surgery", "the surgery", "2025-03-11"]],
    ],
    [
      "How did the weekend after the party compare with the Friday before the party?",
      [
        ["the weekend after the party", "the party", "2025-03-15..2025-03-16"],
        ["the Friday before the party", "the party", "2025-03-07"],
      ],
    ],
    [
      "Was it the Tuesday or the Wednesday before the surgery?",
      [["the Wednesday before the surgery", "the surgery", "2025-03-12"]],
    ],
    [
      "What have I eaten since the Tuesday before the surgery?",
      [["the Tuesday before the surgery", "the surgery", "2025-03-11"]],
    ],
    [
      "What had we packed by the weekend before the move?",
      [["by the weekend before the move", "the move", "2025-03-08..2025-03-09"]],
    ],
  ])("%s", (question, times) => {
    expect(lifeTimes(question)).toEqual(times);
    expect(timesOf(question)).toBe("");
  });

  it("ends where a date begins", () => {
    const question = "What did I do on the Tuesday before we went to Oslo in March?";
    expect(lifeTimes(question)).toEqual([["on the Tuesday before we went to Oslo", "we went to Oslo", "2025-03-11"]]);
    expect(timesOf(question)).toBe("2025-03-01..2025-03-31");
  });

  it.each([
    ["the Easter party", "on the Tuesday before the Easter party"],
    ["the Christmas party at the club", "on the Friday before the Christmas party at the club"],
    ["Mother's Day brunch", "the Saturday before Mother's Day brunch"],
    ["the March 2024 scan", "on the Monday after the March 2024 scan"],
    ["my April appointment", "the Friday before my April appointment"],
    ["Monday's appointment", "on the Friday before Monday's appointment"],
    ["spring term started", "the Friday before spring term started"],
  ])("may name a time itself: %s", (event, words) => {
    const question = `What did the nurse do ${words}?`;
    expect(lifeTimes(question).map((found) => found.slice(0, 2))).toEqual([[words, event]]);
    expect(timesOf(question)).toBe("");
  });
});

describe("a weekday counted from a time of the calendar is on the calendar", () => {
  it.each([
    ["on the Tuesday before Christmas", "2024-12-17"],
    ["on the Friday before 12 March", "2025-03-07"],
    ["on the Friday before the 12th", "2025-05-09"],
    ["on the Friday before 12 March 2024", "2024-03-08"],
    ["on the first Tuesday after Easter", "2025-04-22"],
    ["two Fridays before Christmas", "2024-12-13"],
    ["the weekend before Mother's Day", "2025-03-22..2025-03-23"],
    ["the weekend after the August bank holiday", "2024-08-31..2024-09-01"],
    ["the Sunday before last", "2025-05-04"],
    ["the weekend before last", "2025-05-03..2025-05-04"],
    ["on the Monday after last week", "2025-05-12"],
    ["the evening before Christmas Eve", "2024-12-23"],
    ["the morning after Boxing Day", "2024-12-27"],
  ])("%s", (words, days) => {
    const question = `What did the nurse do ${words}?`;
    expect([timesOf(question), timeWordsOf(question)]).toEqual([days, [words]]);
    expect(lifeTimes(question)).toEqual([]);
  });

  it.each([
    ["Why was it that the Tuesday before Christmas went badly?", "2024-12-17"],
    ["What did she wear on the Sunday after Easter to church?", "2025-04-27"],
    ["On the Tuesday before Christmas what did I eat?", "2024-12-17"],
  ])("whatever follows: %s", (question, days) => {
    expect(timesOf(question)).toBe(days);
    expect(lifeTimes(question)).toEqual([]);
  });
});

describe("no weekday is counted from an event in", () => {
  const lastTuesday = "2025-05-13";

  it.each([
    // A time of the day.
    ["What did I eat on Tuesday before noon?", lastTuesday],
    ["What did I eat Tuesday before noon?", lastTuesday],
    ["What did I eat on Tuesday before lunch?", lastTuesday],
    ["What did I eat on the Tuesday before lunch?", lastTuesday],
    ["What did I eat on the Tuesday before noon?", lastTuesday],
    ["What did I eat on the Tuesday after work?", lastTuesday],
    ["What did I eat on the Tuesday before 8 o'clock?", lastTuesday],
    // Without an article it is the last one.
    ["What did I eat on Tuesday before the exam?", lastTuesday],
    ["What did I eat on Tuesday, before the exam?", lastTuesday],
    ["What did I eat last Tuesday before the exam?", "2025-05-13 | 2025-05-06"],
    ["What did I eat last weekend before the wedding?", "2025-05-10..2025-05-11"],
    // Nothing, or nothing that can be looked up, follows.
    ["What did I eat on the Tuesday before?", lastTuesday],
    ["What did I eat on the Tuesday before that?", lastTuesday],
    ["What did I eat on the Tuesday after it?", lastTuesday],
    ["What will I eat on the Tuesday after next?", `background ${lastTuesday}`],
    // Every one of them, or any.
    ["What do I eat every Tuesday before lunch?", ""],
    ["What do we eat on Tuesdays after the class?", ""],
    ["What did I eat every Tuesday after the surgery?", ""],
    ["What did I eat each weekend before the wedding?", ""],
    ["What did I eat on a Tuesday after the surgery?", ""],
    ["What did I eat on the other Tuesday after the surgery?", ""],
    ["Was the Tuesday before or after the surgery better?", ""],
    // A thing that is on that day.
    ["What was in the Tuesday class before the exam?", ""],
    ["What was in my Tuesday class before the exam?", ""],
    ["What did I wear to the Tuesday rehearsal before the concert?", ""],
    ["What was in Tuesday's class before the exam?", lastTuesday],
  ])("%s", (question, days) => {
    expect(readQuestionTime(question, at, "UTC").anchors.filter(({ weekday }) => weekday !== undefined)).toEqual([]);
    expect(timesOf(question)).toBe(days);
  });

  it("words that only begin like it", () => {
    expect(lifeTimes("What did I eat on the Tuesday before we meet?")).toEqual([]);
  });
});
