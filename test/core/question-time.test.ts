/** What the reader of times in questions finds, expression by expression. */
import { describe, expect, it } from "vitest";
import { readQuestionTime, type QuestionInterval } from "../../src/core/question-time.js";
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

  it.each([...namedTimes, ...openTimes])("%s, at the beginning of a question", (expression, ...expected) => {
    const question = `${expression[0]!.toUpperCase()}${expression.slice(1)}, what did the nurse say?`;
    expect(read(question).days).toBe(expected.at(-1));
  });
});
