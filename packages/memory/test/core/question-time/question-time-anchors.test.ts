/** Times told by something in a life, and questions that only seem to tell a time. */
import { describe, expect, it } from "vitest";
import { readQuestionTime } from "../../../src/core/question-time/question-time.js";

const at = Date.parse("2025-05-14T12:00:00Z");

const anchors: readonly (readonly [
  question: string,
  words: string,
  event: string,
  fromDays: number,
  untilDays: number,
])[] = [
  ["Six days after the fall, what colour was my hip?", "Six days after the fall", "the fall", 6, 7],
  [
    "What did I eat the week after the stitches came out?",
    "the week after the stitches came out",
    "the stitches came out",
    1,
    8,
  ],
  [
    "How sore was it in the week before I went into theatre?",
    "in the week before I went into theatre",
    "I went into theatre",
    -7,
    0,
  ],
  ["How far could I go in the week I left the unit, and how?", "in the week I left the unit", "I left the unit", -3, 4],
  ["How did I sleep in my first week home?", "in my first week home", "home", 0, 7],
  ["How did my first few days at school go?", "my first few days at school", "at school", 0, 4],
  ["How was the second week of treatment?", "the second week of treatment", "treatment", 7, 14],
  ["What was it like in the new carer's first week?", "the new carer's first week", "the new carer", 0, 7],
  ["What did I need the day after the move?", "the day after the move", "the move", 1, 2],
  ["Who sat with me the night before the operation?", "the night before the operation", "the operation", -1, 1],
  ["A month after the accident how far could I walk?", "A month after the accident", "the accident", 25, 36],
  ["How bad was it a couple of weeks after the birth?", "a couple of weeks after the birth", "the birth", 10, 19],
  ["Soon after I got home, who called?", "Soon after I got home", "I got home", 0, 8],
  ["In the three days after the fall, what did I take?", "In the three days after the fall", "the fall", 1, 4],
  ["How was I on day three after the operation?", "on day three after the operation", "the operation", 3, 4],
  ["How was I in the second week after surgery?", "in the second week after surgery", "surgery", 8, 15],
  ["What changed within a week of the injection?", "within a week of the injection", "the injection", 0, 9],
  ["Four days into the course, what did I notice?", "Four days into the course", "the course", 4, 5],
  ["What did I eat in the run-up to the race?", "in the run-up to the race", "the race", -14, 0],
  ["After the operation what did I eat?", "After the operation", "the operation", 0, Infinity],
  ["What have I been eating since the diagnosis?", "since the diagnosis", "the diagnosis", 0, Infinity],
  ["Since starting the tablets, how have I slept?", "Since starting the tablets", "starting the tablets", 0, Infinity],
  [
    "Once they took the frame away, what did I lean on?",
    "Once they took the frame away",
    "they took the frame away",
    0,
    Infinity,
  ],
  ["Before the trouble began, how was the wound?", "Before the trouble began", "the trouble began", -Infinity, 0],
  ["What did he do before he retired?", "before he retired", "he retired", -Infinity, 0],
  ["What could I lift by the time she left?", "by the time she left", "she left", -3, 1],
  ["Who drove when I tested my braking?", "when I tested my braking", "I tested my braking", 0, 1],
  ["What did I buy when I'd been out?", "when I'd been out", "I'd been out", 0, 1],
  ["How heavy was I on the day she gave me the news?", "on the day she gave me the news", "she gave me the news", 0, 1],
  ["How was the afternoon I nearly passed out?", "the afternoon I nearly passed out", "I nearly passed out", 0, 1],
  ["What happened on the day of the scan?", "on the day of the scan", "the scan", 0, 1],
  ["What happened the minute the nurse left?", "the minute the nurse left", "the nurse left", 0, 1],
  ["How was the weekend of the wedding?", "the weekend of the wedding", "the wedding", -2, 3],
  ["What could I do as soon as the cast came off?", "as soon as the cast came off", "the cast came off", 0, 8],
  ["How did I feel the first time I walked outside?", "the first time I walked outside", "I walked outside", 0, 1],
  ["What did I do on my birthday?", "on my birthday", "my birthday", 0, 1],
  ["What did I manage in my last week at the unit?", "in my last week at the unit", "my last week at the unit", -3, 4],
  ["How long after the fall did I see a doctor?", "long after the fall", "the fall", 0, Infinity],
  ["What was I weighing at the time of my wedding?", "at the time of my wedding", "my wedding", -3, 4],
];

describe("a time told by an event", () => {
  it.each(anchors)("%s", (question, words, event, fromDays, untilDays) => {
    const read = readQuestionTime(question, at, "UTC");
    expect(read.anchors).toEqual([{ words, event, fromDays, untilDays }]);
    expect(read.intervals).toEqual([]);
    expect(read.rest).toBe(question);
  });

  it("ends where a date begins", () => {
    const read = readQuestionTime("What did I do after the fall in March?", at, "UTC");
    expect(read.anchors.map(({ event }) => event)).toEqual(["the fall"]);
    expect(read.intervals.map(({ words }) => words)).toEqual(["in March"]);
  });

  it("may stand beside another", () => {
    const read = readQuestionTime("What was it like when she came, and what by the time she left?", at, "UTC");
    expect(read.anchors.map(({ event }) => event)).toEqual(["she came", "she left"]);
  });
});

describe("no time is told by", () => {
  it.each([
    "When did I first complain about my knee?",
    "When was my last appointment?",
    "Who looks after the cat when I am away?",
    "What did I decide after all?",
    "Who stayed until six, and who had left before eight?",
    "How does he answer when asked?",
    "And the second?",
    "What was lent to me?",
    "Was it the same as usual in the morning it being cold?",
    "What should I do before bed?",
    "What do I take after breakfast?",
    "What made me drink before sunset?",
    "What happened after that?",
    "What have I lost since then?",
    "Which of his medicines have been altered?",
    "What does my friend pay me, and until when?",
    "When he clowns around more than usual, what might that tell us?",
    "How does she take it when people are sorry for her?",
    "After how many weeks did we meet again?",
    "What is my view on following dreams?",
    "May I take ibuprofen with it?",
    "Who may help me march up the hill?",
    "Did the cat sit in the sun, and where was the sat nav?",
    "What did June say about April?",
    "What became of April's cat?",
    "Who fed the cat that sat on the mat?",
    "What hurt in the fall?",
    "How many of my 3 tablets did I take?",
    "Did I take 2 of them?",
    "What was my reading of 148/84 about?",
    "Did I walk in 2000 steps what others do?",
    "What did the second doctor say?",
    "What was the 2nd dose?",
    "Can you wait a second?",
    "How did I get the spring in my step?",
    "How was the summer programme taken away?",
    "Which of the last two options was better?",
    "How much did I bend at my final Thursday group?",
    "What do I do on Sundays?",
    "What do we do every Friday?",
    "What did I say about the night shift?",
    "How does the meter at the end of a night compare?",
    "What did I tell you a while ago?",
    "How is my week looking?",
    "What was the story, from start to finish?",
    "Where does that come from?",
    "",
    "?",
  ])("%s", (question) => {
    expect(readQuestionTime(question, at, "UTC")).toEqual({ intervals: [], anchors: [], rest: question });
  });
});
