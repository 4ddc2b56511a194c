/** How a time is meant, how wide it is, and what of the question is left. Asked on Wednesday 14 May 2025. */
import { describe, expect, it } from "vitest";
import { readQuestionTime } from "../../../src/core/question-time/question-time.js";
import { timesOf, timeWordsOf } from "./reading.js";

const restOf = (question: string): string => readQuestionTime(question, Date.parse("2025-05-14T12:00:00Z"), "UTC").rest;

describe("around a time", () => {
  it.each([
    // Two days on both sides of up to four days, three of up to ten, ten of more.
    ["around 10 March", "2025-03-08..2025-03-12"],
    ["around Easter", "2025-04-16..2025-04-23"],
    ["around the first five days of April", "2025-03-29..2025-04-08"],
    ["around last week", "2025-05-02..2025-05-14"],
    ["near mid-April", "2025-04-08..2025-04-23"],
    ["circa February", "2025-01-22..2025-03-10"],
    ["round about last month", "2025-03-22..2025-05-10"],
    ["from around 3 March", "2025-03-01..2025-03-05"],
    ["in about February", "2025-01-22..2025-03-10"],
  ])("%s", (expression, days) => {
    expect(timesOf(`What did the nurse do ${expression}?`)).toBe(days);
    expect(timeWordsOf(`What did the nurse do ${expression}?`)).toEqual([expression]);
  });
});

describe("words before a time belong to it", () => {
  it.each([
    "for all of March",
    "part of last week",
    "most of last week",
    "over the whole of March",
    "for the rest of April",
    "way back in February",
    "sometime in February",
    "only on 3 March",
    "throughout February",
    "during April",
    "within February",
    "across February",
    "towards Easter",
    "as of 3 March",
    "all through February",
  ])("%s", (expression) => expect(timeWordsOf(`What did the nurse do ${expression}?`)).toEqual([expression]));

  it.each([
    ["Which group did I volunteer at last week?", "last week"],
    ["Who was I staying with in last month's flat?", "last month's"],
    ["What was I in for yesterday?", "yesterday"],
    ["What was the March 2024 scan about?", "March 2024"],
    ["What did the mid-April scan show?", "mid-April"],
    ["What did she do on Monday's walk?", "Monday's"],
  ])("not in %s", (question, words) => expect(timeWordsOf(question)).toEqual([words]));

  it.each(["talk", "complain", "dream", "ask", "think", "hear", "read", "worry", "tell me", "remind you"])(
    "nor after what is about something: %s",
    (verb) => expect(timeWordsOf(`What did I ${verb} about two weeks ago?`)).toEqual(["two weeks ago"]),
  );
});

describe("a time is in the background", () => {
  it.each([
    // Of what is to come.
    ["What will I do on Friday?", "background 2025-05-09"],
    ["What is due on Monday?", "background 2025-05-12"],
    ["What is scheduled for Monday?", "background 2025-05-12"],
    ["What do I need on Friday?", "background 2025-05-09"],
    ["Where are we going to be on Friday?", "background 2025-05-09"],
    ["What is she preparing for Christmas?", "background 2024-12-24..2024-12-26"],
    ["What are his hopes for Christmas?", "background 2024-12-24..2024-12-26"],
    ["What does she intend for March?", ""],
    ["What are my plans for April 2025?", "background 2025-04-01..2025-04-30"],
    // Of every year.
    ["What do they usually eat in March?", "background 2025-03-01..2025-03-31"],
    ["What does he do at Easter?", "background 2025-04-18..2025-04-21"],
    ["What is it like at Easter, generally?", "background 2025-04-18..2025-04-21"],
    // Of the day it is.
    ["It's the middle of May: what now?", "background 2025-05-11..2025-05-20"],
    ["We're in May: what should I take?", "background 2025-05-01..2025-05-31"],
    ["It is May 14: what is on?", "background 2025-05-14"],
  ])("%s", (question, days) => expect(timesOf(question).split(" | ")[0]).toBe(days));

  it.each([
    ["What did I have due on Friday?", "2025-05-09"],
    ["What will I have eaten in February?", "2025-02-01..2025-02-28"],
    ["What did they usually eat in March?", "2025-03-01..2025-03-31"],
    ["What do they eat in March?", "2025-03-01..2025-03-31"],
    ["What do they say about 3 March?", "2025-03-03"],
    ["What did he hope for at Christmas?", "2024-12-24..2024-12-26"],
    ["What did he plan a lot then for Christmas?", "2024-12-24..2024-12-26"],
    ["We're back: what was it in April?", "2025-04-01..2025-04-30"],
    ["It's April 14: what is on?", "2025-04-14"],
    ["How was it this week?", "2025-05-12..2025-05-18"],
  ])("but not in %s", (question, days) => expect(timesOf(question)).toBe(days));
});

describe("what is left", () => {
  it.each([
    ["What did I eat yesterday, and what did I drink?", "What did I eat, and what did I drink?"],
    ["Yesterday, what did I eat?", "what did I eat?"],
    ["What did I eat yesterday?", "What did I eat?"],
    ["Was it better than last week?", "Was it better?"],
    ["How was it compared with last week?", "How was it?"],
    ["How was it compared to last week, and why?", "How was it, and why?"],
    ["What did I eat on 3 March or on 5 April?", "What did I eat?"],
    ["What did I eat between yesterday and today", "What did I eat"],
    ["What did I eat on  3 March  at home?", "What did I eat at home?"],
    ["On 3 March: what did I eat?", "what did I eat?"],
    ["What did I eat, on 3 March, at home?", "What did I eat, at home?"],
    ["What am I doing tomorrow?", "What am I doing tomorrow?"],
    ["yesterday", ""],
  ])("of %j is %j", (question, rest) => expect(restOf(question)).toBe(rest));

  it("is not read beyond two thousand characters", () => {
    const long = (length: number): string => `${"x ".repeat(length / 2)}yesterday`;
    expect(timeWordsOf(long(1990))).toEqual(["yesterday"]);
    expect(timeWordsOf(long(2000))).toEqual([]);
  });
});

it("what is told from another time is told from the last one named", () => {
  expect(timesOf("What did I do on 3 March, on 5 April, and the day after?")).toBe(
    "2025-03-03 | 2025-04-05 | 2025-04-06",
  );
});

describe("beside a date with its year", () => {
  it.each([
    ["What did I finish last week, as told on 23 January 2022?", "2022-01-10..2022-01-16 | 2022-01-23"],
    ["What was I doing recently, as told on 23 January 2022?", "background 2025-04-15..2025-05-14 | 2022-01-23"],
    ["What did I finish last week, as told in 2022?", "2025-05-05..2025-05-11 | 2022-01-01..2022-12-31"],
    ["What did I finish last week, 3 May 2024 or 5 May 2024?", "2025-05-05..2025-05-11 | 2024-05-03 | 2024-05-05"],
  ])("%s", (question, days) => expect(timesOf(question)).toBe(days));
});
