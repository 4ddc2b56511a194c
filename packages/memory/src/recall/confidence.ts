/**
 * The probability that the memory holds an answer. The reader reads the few statements that come closest to the question;
 * that none of them answers it, and how close the best of them comes, makes the confidence. It reorders nothing: on talk
 * by others a ranking by its verdicts found less than one without.
 */
import type { StartScore } from "../paper/start-node.js";
import type { PersonState } from "../engine/person-state.js";
import { embeddedText } from "../reader/cut.js";
import { logOdds } from "../reader/reading-queue.js";
import type { AskedQuestion } from "./asked-question.js";
import { type QuotedStatement, compareQuoted } from "./quoted-statements.js";

export interface JudgedAnswer {
  readonly id: string;
  /** That the statement answers the question. */
  readonly probability: number;
}

/** Each further statement takes the reader as long again. The three numbers below were fitted with three statements read. */
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
  if (context.reading === null) return [];
  const best = statements.toSorted(compareQuoted).slice(0, readCount);
  const texts = best.map((statement) => embeddedText(statement).slice(0, readLengthMax));
  const probabilities = await context.reading.answers(query, texts, "question");
  return best.map(({ memory }, i) => ({ id: memory.id, probability: probabilities[i]! }));
}

/** Null where nobody reads answers. */
export function confidenceOf(
  answers: readonly JudgedAnswer[],
  scores: readonly StartScore[],
  { context }: PersonState,
): number | null {
  if (context.reading === null) return null;
  const noneAnswers = answers.reduce((none, { probability }) => none * (1 - probability), 1);
  const closest = Math.max(0, ...scores.map(({ querySimilarity }) => querySimilarity));
  return 1 / (1 + Math.exp(-(intercept + weight * (logOdds(1 - noneAnswers) + similarityWeight * closest))));
}
