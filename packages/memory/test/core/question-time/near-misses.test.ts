/** Words that contain a word of the grammar and are another word: they change nothing. Asked on Wednesday 14 May 2025. */
import { describe, expect, it } from "vitest";
import { readMonth, readWeekday } from "../../../src/core/question-time/calendar-words.js";
import { readQuestionTime } from "../../../src/core/question-time/question-time.js";
import { tokenize } from "../../../src/core/question-time/time-words.js";
import { timesOf, timeWordsOf } from "./reading.js";

describe("a name of the calendar is not told by", () => {
  it.each([
    "within may",
    "office may",
    "amid april",
    "lastly april",
    "bathe April scan",
    "them April scan",
    "300 march",
    "12345 march",
  ])("what comes before the month: %s", (text) => expect(readMonth(tokenize(text), 1)).toBeUndefined());

  it.each(["march 300", "march 12345", "April lastly year", "march them 3rd"])(
    "what comes after the month: %s",
    (text) => expect(readMonth(tokenize(text), 0)).toBeUndefined(),
  );

  it.each(["on salmon", "on monk", "upon sat", "only sat", "nearby sun"])("what looks like a weekday: %s", (text) =>
    expect(readWeekday(tokenize(text), 1)).toBeUndefined(),
  );
});

describe("a time is read without", () => {
  it.each([
    ["in February 20245", ["in February"]],
    ["in February 12024", ["in February"]],
    ["in February '245", ["in February"]],
    ["in February '2", ["in February"]],
    ["in 1999 xml", ["in 1999"]],
    ["in 1999 classic cars", ["in 1999"]],
    ["in 1999 does she say", ["in 1999"]],
    ["with 3 hand 7 March", ["7 March"]],
    ["with 3 order 7 March", ["7 March"]],
    ["as a human last week", ["last week"]],
    ["then Monday", ["Monday"]],
    ["to bathe Monday", ["Monday"]],
    ["over the weekend often", ["weekend"]],
    ["over the weekend thereafter", ["weekend"]],
    ["to stalk about two weeks ago", ["about two weeks ago"]],
    ["as a talker about two weeks ago", ["about two weeks ago"]],
    ["within last week", ["within last week"]],
    ["at the 13/12/2024 scan", ["13/12/2024"]],
    ["at 13/12/2024 scan", ["13/12/2024"]],
    ["on bank holiday night", ["bank holiday"]],
    ["upon 3/4", []],
    ["only 3/4", []],
    ["upon the 3rd", []],
    ["only the 3rd", []],
    ["into the 3rd", []],
    ["often the 3rd", []],
    ["in the 11990s", []],
    ["in 12024", []],
    ["amid fall", []],
    ["in mid season fall", []],
    ["on third", []],
    ["in March 3 tablets", ["in March"]],
    ["between 7 and 3 March", ["3 March"]],
    ["at the latest fall", []],
  ])("%s", (text, words) => expect(timeWordsOf(`What did the nurse do ${text}?`)).toEqual(words));

  it.each([
    ["What had grown up to yesterday?", "before ..2025-05-13"],
    ["What was the addition up to yesterday?", "before ..2025-05-13"],
    ["What is unusually good at Easter?", "2025-04-18..2025-04-21"],
    ["What is my tendon like at Easter?", "2025-04-18..2025-04-21"],
    ["What is the door like at Easter?", "2025-04-18..2025-04-21"],
    ["What is there to undo at Easter?", "2025-04-18..2025-04-21"],
    ["What is the planet for Christmas?", "2024-12-24..2024-12-26"],
    ["What are the floorplans for Christmas?", "2024-12-24..2024-12-26"],
    ["What have I done until this morning?", "background 2025-05-14"],
    ["What have I done until last night?", "before ..2025-05-12"],
    [
      "Was last week, since next month, better than the week before?",
      "2025-05-05..2025-05-11 | 2025-04-28..2025-05-04",
    ],
  ])("%s", (question, days) => expect(timesOf(question)).toBe(days));
});

describe("an event is", () => {
  const eventsOf = (question: string): string[] =>
    readQuestionTime(question, Date.parse("2025-05-14T12:00:00Z"), "UTC").anchors.map(({ event }) => event);

  it.each([
    ["Where did my first week in Chicago?", ["in Chicago"]],
    ["How did my first week with Gordon?", ["Gordon"]],
    ["How was my first week without the frame?", ["without the frame"]],
    ["What did I overlook after the fall?", ["the fall"]],
    ["Who calls after the fall?", ["the fall"]],
    ["What did I eat after the fall thankfully ended?", ["the fall thankfully ended"]],
    ["What did I eat after the revs stopped?", ["the revs stopped"]],
    ["After the fall somewhat hurt, who came?", ["the fall somewhat hurt"]],
    ["After the fall however bad, who came?", ["the fall however bad"]],
    ["What did I eat after recall?", ["recall"]],
    ["What did I eat after allergy tests?", ["allergy tests"]],
    ["What did I eat after donation?", ["donation"]],
    ["What did I eat after hernia surgery?", ["hernia surgery"]],
    ["What did I fix after wifi?", ["wifi"]],
    ["How was the week theatre closed?", []],
    ["What did I eat after they've gone?", []],
    ["What did I do after lunch ended?", []],
    ["What did I eat after that long and very bad thing ended?", []],
    ["What did I eat after when I fell down?", ["when I fell down"]],
    ["What happened on admissions?", []],
    ["What happened on readmission?", []],
    ["What happened at my birthdays?", []],
    ["What happened at my nonwedding?", []],
    ["What did I eat after compared fall?", []],
  ])("%s", (question, events) => expect(eventsOf(question)).toEqual(events));
});
