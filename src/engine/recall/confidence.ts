/**
 * How sure a recall is that the memory holds an answer, from 0 to 1: a logistic function of the judge's best verdict and of
 * the best memory's likeness to the question, fitted on questions of authors whom the judge had never read
 * (docs/judge.md).
 */
import type { StartScore } from "../../core/paper/start-node.js";
import type { JudgedAnswers } from "./relevance.js";

const intercept = 0;
const verdictWeight = 1;
const likenessWeight = 0;
/** Verdicts are never quite 0 or 1. */
const verdictMargin = 1e-4;

/** Null if nobody judged. */
export function confidenceOf(answers: JudgedAnswers, scores: readonly StartScore[]): number | null {
  if (answers.size === 0) return null;
  const verdict = Math.max(...[...answers.values()].map(({ probability }) => probability));
  const likeness = Math.max(...scores.map(({ querySimilarity }) => querySimilarity));
  return logistic(intercept + verdictWeight * logit(verdict) + likenessWeight * likeness);
}

function logit(probability: number): number {
  const inside = Math.min(1 - verdictMargin, Math.max(verdictMargin, probability));
  return Math.log(inside / (1 - inside));
}

function logistic(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
