/**
 * How sure a recall is that the memory holds an answer, from 0 to 1: the judge's verdict on the best candidate and how close
 * that is to the question, calibrated on questions of authors whom the judge had never read (docs/judge.md).
 */
import type { StartScore } from "../../core/paper/start-node.js";
import type { JudgedAnswers } from "./relevance.js";

const intercept = 0.5;
const weight = 0.78;
const similarityWeight = 2;
/** Verdicts are never quite 0 or 1. */
const verdictMargin = 1e-4;

/** `scores` of the candidates, among them all that were judged. */
export function confidenceOf(answers: JudgedAnswers, scores: readonly StartScore[]): number {
  let best = logOdds(0);
  for (const { id, querySimilarity } of scores) {
    const answer = answers.get(id);
    if (answer === undefined) continue;
    best = Math.max(best, logOdds(answer.probability) + similarityWeight * querySimilarity);
  }
  return 1 / (1 + Math.exp(-(intercept + weight * best)));
}

function logOdds(probability: number): number {
  const verdict = Math.min(1 - verdictMargin, Math.max(verdictMargin, probability));
  return Math.log(verdict / (1 - verdict));
}
