/** What the reader of times in questions finds, expression by expression. */
import { describe, expect, it } from "vitest";
import { readQuestionTime } from "../../src/core/question-time.js";

const at = Date.parse("2025-05-14T12:00:00Z");

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
});
