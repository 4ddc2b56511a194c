/** Times told by something in a life: words, event and days from it, the last one not included. */
import { describe, expect, it } from "vitest";
import { readQuestionTime } from "../../../src/core/question-time/question-time.js";

const at = Date.parse("2025-05-14T12:00:00Z");
const anchorsOf = (question: string): unknown[] =>
  readQuestionTime(question, at, "UTC").anchors.map(({ words, event, fromDays, untilDays }) => [
    words,
    event,
    fromDays,
    untilDays,
  ]);

describe("an event", () => {
  it.each([
    // Of a unit: half of it on both sides.
    ["the day of the scan", "the scan", 0, 1],
    ["the morning when I fell down", "I fell down", 0, 1],
    ["the evening that she left us", "she left us", 0, 1],
    ["the night of the storm", "the storm", 0, 2],
    ["the week of the move", "the move", -3, 4],
    ["the month I moved house", "I moved house", -15, 16],
    ["the year of the flood", "the flood", -180, 181],
    ["the moment she left", "she left", 0, 1],
    ["that same week I moved house", "I moved house", -3, 4],
    // After a word that joins.
    ["around the time of the move", "the move", -7, 8],
    ["about the time when she left us", "she left us", -7, 8],
    ["at the time when I fell down", "I fell down", -3, 4],
    ["the last time I fell down", "I fell down", 0, 1],
    ["as soon as they left us", "they left us", 0, 8],
    ["ever since the diagnosis", "the diagnosis", 0, Infinity],
    ["from the time I fell down", "I fell down", 0, Infinity],
    ["from the day I fell down", "I fell down", 0, Infinity],
    ["from the very day that I fell down", "I fell down", 0, Infinity],
    ["from the moment she left us", "she left us", 0, Infinity],
    ["since the day I fell down", "the day I fell down", 0, Infinity],
    ["from the day of the scan", "the scan", 0, 1],
    ["from the day after I fell down", "I fell down", 1, 2],
    ["from the week I moved house", "I moved house", -3, 4],
    ["following the operation", "the operation", 0, Infinity],
    ["long after the operation", "the operation", 0, Infinity],
    ["up until the scan", "the scan", -Infinity, 0],
    ["till the scan", "the scan", -Infinity, 0],
    ["prior to the scan", "the scan", -Infinity, 0],
    ["long before the scan", "the scan", -Infinity, 0],
    ["while I slept badly", "I slept badly", 0, 1],
    // A day of one's own.
    ["on discharge", "discharge", 0, 1],
    ["upon leaving hospital", "leaving hospital", 0, 1],
    ["at my sister's wedding", "my sister's wedding", 0, 1],
    ["at our silver wedding", "our silver wedding", 0, 1],
    ["on her 60th birthday", "her 60th birthday", 0, 1],
    // The first of something.
    ["in my first night home", "home", 0, 1],
    ["in his second month at school", "at school", 30, 60],
    ["in my first year with the frame", "the frame", 0, 365],
    ["in my first weekend away", "away", 0, 7],
    ["in my first three days home", "home", 0, 3],
    ["in the third fortnight of treatment", "treatment", 28, 42],
    ["in my last month at the unit", "my last month at the unit", -3, 4],
    ["on my final day with the frame", "my final day with the frame", -3, 4],
    // By an offset.
    ["in the course of the week after the fall", "the fall", 1, 8],
    ["soon after her fall", "her fall", 0, 8],
    ["in the months before the fall", "the fall", -92, 0],
  ])("%s", (words, event, fromDays, untilDays) => {
    const expected = [[words, event, fromDays, untilDays]];
    expect(anchorsOf(`What did the nurse do ${words}?`)).toEqual(expected);
    const leading = `${words[0]!.toUpperCase()}${words.slice(1)}`;
    expect(anchorsOf(`${leading}, what did the nurse do?`)).toEqual([[leading, event, fromDays, untilDays]]);
  });

  it.each([
    ["How was Anna's first day?", "Anna's first day", "Anna", 0, 1],
    ["How was my sister's first month?", "my sister's first month", "my sister", 0, 30],
    ["How was the nurses' first fortnight?", undefined, "", 0, 0],
    ["How did my first week home feel?", "my first week home", "home", 0, 7],
    ["What did I eat after the fall and how did I sleep?", "after the fall", "the fall", 0, Infinity],
    ["What did I eat after the fall compared with now?", "after the fall", "the fall", 0, Infinity],
    ["What did I eat after the fall (the bad one)?", "after the fall", "the fall", 0, Infinity],
    ["After the fall did I sleep?", "After the fall", "the fall", 0, Infinity],
    ["After the fall with whom did I walk?", "After the fall", "the fall", 0, Infinity],
    ["After it happened, who came?", "After it happened", "it happened", 0, Infinity],
    ["What did I eat after I fell - was it soup?", "after I fell", "I fell", 0, Infinity],
    ["What did I eat after the check-up?", "after the check-up", "the check-up", 0, Infinity],
  ])("%s", (question, words, event, fromDays, untilDays) => {
    expect(anchorsOf(question)).toEqual(words === undefined ? [] : [[words, event, fromDays, untilDays]]);
  });

  it("goes on for fourteen words at most", () => {
    const [anchor] = anchorsOf(`What did I eat after ${"the very ".repeat(20)}fall?`) as [string, string][];
    expect(anchor![1].split(" ")).toHaveLength(14);
  });
});

describe("no event is told by", () => {
  it.each([
    "Who looked after the cat?",
    "Who was named after the king?",
    "What came before and after the meal?",
    "What did I eat after it?",
    "Who came after her?",
    "What did I eat after each meal?",
    "What did I eat before 8 o'clock?",
    "What did I eat before two weeks?",
    "When do I take the tablets?",
    "What do I do when I take pictures?",
    "What did I do once?",
    "What happened on the table?",
    "What happened in the night she is cold?",
    "How was my first hour at school?",
    "What is my first week?",
    "How was Anna's first hour?",
    "What did I do at once?",
    "What did I do on purpose?",
    "What was it with after the fall?",
    "What did I do after to rest?",
    "What was the same day to him?",
  ])("%s", (question) => expect(anchorsOf(question)).toEqual([]));
});
