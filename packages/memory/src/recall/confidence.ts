/**
 * The probability that the memory holds an answer. The judge reads the few statements that come closest to the question;
 * that none of them answers it, and how close the best of them comes, makes the confidence. It reorders nothing: on talk
 * by others a ranking by the judge's verdicts found less than one without.
 */
import type { StartScore } from "../paper/start-node.js";
import type { PersonState } from "../engine/person-state.js";
import { embeddedText } from "../reader/cut.js";
import { logOdds } from "../reader/reading-queue.js";
import type { AskedQuestion } from "./asked-question.js";
import type { QuotedStatement } from "./statements.js";

export interface JudgedAnswer {
  readonly id: string;
  /** That the statement answers the question. */
  readonly probability: number;
}

/** Each further statement takes the judge as long again. The three numbers below were fitted with three statements read. */
const readCount = 2;
/** Of a statement; what answers a question is seldom said later. */
const readLengthMax = 120;
const intercept = -0.45;
const weight = 0.69;
const similarityWeight = 2;

export async function judgeAnswers(
  { query }: AskedQuestion,
  statements: readonly QuotedStatement[],
  { context }: PersonState,
): Promise<JudgedAnswer[]> {
  if (context.judging === null) return [];
  const best = statements.toSorted((x, y) => y.value - x.value).slice(0, readCount);
  const texts = best.map(({ text }) => embeddedText(text).slice(0, readLengthMax));
  const probabilities = await context.judging.relevance(query, texts);
  return best.map(({ memory }, i) => ({ id: memory.id, probability: probabilities[i]! }));
}

/** Null where no judge reads answers. */
export function confidenceOf(
  answers: readonly JudgedAnswer[],
  scores: readonly StartScore[],
  { context }: PersonState,
): number | null {
  if (context.judging === null) return null;
  const noneAnswers = answers.reduce((none, { probability }) => none * (1 - probability), 1);
  const closest = Math.max(0, ...scores.map(({ querySimilarity }) => querySimilarity));
  return 1 / (1 + Math.exp(-(intercept + weight * (logOdds(1 - noneAnswers) + similarityWeight * closest))));
}
