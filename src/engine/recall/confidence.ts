/**
 * How sure a recall is that the memory holds an answer, from 0 to 1: the judge's verdict on the best candidate, calibrated
 * on questions of authors whom the judge had never read (docs/judge.md).
 */
import type { JudgedAnswers } from "./relevance.js";

const intercept = 0.97;
const weight = 0.94;
/** Verdicts are never quite 0 or 1. */
const verdictMargin = 1e-4;

/** Null if nobody judged. */
export function confidenceOf(answers: JudgedAnswers, hasJudge: boolean): number | null {
  if (!hasJudge) return null;
  const best = Math.max(verdictMargin, ...[...answers.values()].map(({ probability }) => probability));
  const verdict = Math.min(best, 1 - verdictMargin);
  return 1 / (1 + Math.exp(-(intercept + weight * Math.log(verdict / (1 - verdict)))));
}
