/**
 * How sure a recall is that the memory holds an answer, from 0 to 1: that one of the candidates is one, by the judge's
 * verdicts, and how close the closest is to the question, calibrated on questions of authors whom the judge had never
 * read (docs/judge.md).
 */
import type { StartScore } from "../../core/paper/start-node.js";
import { logOdds } from "../judging.js";
import type { JudgedAnswers } from "./relevance.js";

const intercept = -0.45;
const weight = 0.69;
const similarityWeight = 2;

/** `scores` of the candidates, among them all that were judged. */
export function confidenceOf(answers: JudgedAnswers, scores: readonly StartScore[]): number {
  let noneAnswers = 1;
  let closest = 0;
  for (const { id, querySimilarity } of scores) {
    noneAnswers *= 1 - (answers.get(id)?.probability ?? 0);
    if (answers.has(id)) closest = Math.max(closest, querySimilarity);
  }
  return 1 / (1 + Math.exp(-(intercept + weight * (logOdds(1 - noneAnswers) + similarityWeight * closest))));
}
