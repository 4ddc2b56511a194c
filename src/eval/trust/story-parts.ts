/** Stories: what holds at the time asked about comes before what does not, and what was never told is not answered. */
import type { AnswerableQuestion, CorrectionQuestion, Statement, Story } from "../data/trust.js";
import { type Figures, type PartDefinition, type TrustVerdict, listProblems, share } from "./trust-part.js";
import { type TrustAnswer, type TrustPerson, userTurn } from "./trust-system.js";

interface CorrectionVerdict extends TrustVerdict, Omit<CorrectionQuestion, "atMs"> {
  /** Ranks count from 1; null if none was found. */
  readonly currentRank: number | null;
  readonly outdatedRank: number | null;
  readonly isAbove: boolean;
  readonly ranked: readonly Found[];
  readonly trace: object | null;
}

interface AnswerVerdict extends TrustVerdict, Omit<AnswerableQuestion, "atMs"> {
  readonly confidence: number;
  readonly isAbstained: boolean;
  readonly goldRank: number | null;
  readonly ranked: readonly Found[];
  readonly trace: object | null;
}

type Found = Pick<Statement, "id" | "text">;

/** How many memories somebody looks at. */
const seenCount = 3;

export const correctionsPart: PartDefinition<Story<CorrectionQuestion>, CorrectionVerdict> = {
  name: "corrections",
  measure: (story, person) => replayStory(story, person, judgeCorrection),
  score: (verdicts) => ({
    ...scoreRanks(verdicts, ""),
    ...scoreRanks(
      verdicts.filter(({ about }) => about === "present"),
      "Present",
    ),
    ...scoreRanks(
      verdicts.filter(({ about }) => about === "past"),
      "Past",
    ),
  }),
};

export const unanswerablePart: PartDefinition<Story<AnswerableQuestion>, AnswerVerdict> = {
  name: "unanswerable",
  measure: (story, person) => replayStory(story, person, judgeAnswer),
  score: (verdicts) => {
    const answerable = verdicts.filter(({ isAnswerable }) => isAnswerable);
    const unanswerable = verdicts.filter(({ isAnswerable }) => !isAnswerable);
    return {
      auc: areaUnderCurve(answerable.map(confidenceOf), unanswerable.map(confidenceOf)),
      hit3: share(answerable, ({ goldRank }) => goldRank !== null && goldRank <= seenCount),
      abstained: share(unanswerable, ({ isAbstained }) => isAbstained),
      abstainedWrongly: share(answerable, ({ isAbstained }) => isAbstained),
    };
  },
};

async function replayStory<Question extends { readonly text: string; readonly atMs: number }, Verdict>(
  { id, statements, questions }: Story<Question>,
  person: TrustPerson,
  judge: (id: string, question: Question, answer: TrustAnswer, ranked: Found[]) => Verdict,
): Promise<Verdict[]> {
  for (const { id: statement, atMs, text } of statements) {
    await person.commit({ id: statement, atMs, turns: userTurn(text) });
  }
  const texts = new Map(statements.map((statement) => [statement.id, statement.text]));
  const verdicts: Verdict[] = [];
  for (const [i, question] of questions.entries()) {
    const answer = await person.ask(question);
    const ranked = answer.ranked.map((found) => ({ id: found, text: texts.get(found)! }));
    verdicts.push(judge(`${id}-q${i + 1}`, question, answer, ranked));
  }
  return verdicts;
}

function judgeCorrection(
  id: string,
  { atMs: _atMs, ...question }: CorrectionQuestion,
  answer: TrustAnswer,
  ranked: readonly Found[],
): CorrectionVerdict {
  const currentRank = rankOf(question.current, answer.ranked);
  const outdatedRank = rankOf(question.outdated, answer.ranked);
  const isFound = currentRank !== null;
  const isAbove = isFound && (outdatedRank === null || currentRank < outdatedRank);
  const problems = listProblems({
    "the current statement was not found": !isFound,
    "an outdated statement is above the current one": isFound && !isAbove,
  });
  return { id, problems, ...question, currentRank, outdatedRank, isAbove, ranked, trace: answer.trace };
}

function judgeAnswer(
  id: string,
  { atMs: _atMs, ...question }: AnswerableQuestion,
  { confidence, isAbstained, ...answer }: TrustAnswer,
  ranked: readonly Found[],
): AnswerVerdict {
  const { isAnswerable, gold } = question;
  const goldRank = rankOf(gold, answer.ranked);
  const problems = listProblems({
    "it was told, but the memory abstained": isAnswerable && isAbstained,
    [`it was told, but is not among the first ${seenCount}`]: isAnswerable && (goldRank ?? Infinity) > seenCount,
    "it was never told, but the memory did not abstain": !isAnswerable && !isAbstained,
  });
  return { id, problems, ...question, confidence, isAbstained, goldRank, ranked, trace: answer.trace };
}

/** The best rank of some ids; null if none was found. */
function rankOf(ids: readonly string[], ranked: readonly string[]): number | null {
  const index = ranked.findIndex((id) => ids.includes(id));
  return index === -1 ? null : index + 1;
}

function scoreRanks(verdicts: readonly CorrectionVerdict[], suffix: string): Figures {
  return {
    [`currentAboveOutdated${suffix}`]: share(verdicts, ({ isAbove }) => isAbove),
    [`currentFirst${suffix}`]: share(verdicts, ({ currentRank }) => currentRank === 1),
    [`currentFound${suffix}`]: share(verdicts, ({ currentRank }) => currentRank !== null),
  };
}

function confidenceOf({ confidence }: AnswerVerdict): number {
  return confidence;
}

/** How often an answerable question has more confidence than one that is not; a tie counts half. */
function areaUnderCurve(answerable: readonly number[], unanswerable: readonly number[]): number | null {
  let won = 0;
  for (const high of answerable) for (const low of unanswerable) won += high > low ? 1 : high === low ? 0.5 : 0;
  const pairCount = answerable.length * unanswerable.length;
  return pairCount === 0 ? null : won / pairCount;
}
