/** What the reader of times makes of a question, as the tables of the tests write it. */
import { readQuestionTime } from "../../../src/core/question-time/question-time.js";

const dayMs = 86_400_000;

function isoDay(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString().slice(0, 10) : "";
}

/** Each time with its role, unless it is named, and its days, both included: "until-now 2025-05-09..2025-05-14". */
export function timesOf(question: string, on = "2025-05-14", timeZone = "UTC"): string {
  const { intervals } = readQuestionTime(question, Date.parse(`${on}T12:00:00Z`), timeZone);
  return intervals
    .map(({ role, fromMs, untilMs }) => {
      const [first, last] = [isoDay(fromMs), isoDay(untilMs - dayMs)];
      return `${role === "named" ? "" : `${role} `}${first === last ? first : `${first}..${last}`}`;
    })
    .join(" | ");
}

/** The words of a question that tell a time. */
export function timeWordsOf(question: string, on = "2025-05-14"): string[] {
  const { intervals } = readQuestionTime(question, Date.parse(`${on}T12:00:00Z`), "UTC");
  return [...new Set(intervals.map(({ words }) => words))];
}
