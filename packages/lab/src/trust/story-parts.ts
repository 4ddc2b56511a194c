/** Stories: what holds at the time asked about comes before what does not, and what was never told is not answered. */
import type { AnswerableQuestion, CorrectionQuestion, Statement, Story } from "../data/trust.js";
import { ratio } from "../report/filter-scores.js";
import { type Figures, type PartDefinition, type TrustVerdict, listProblems, share } from "./trust-part.js";
import { type Fate, type TrustAnswer, type TrustPerson, userTurn } from "./trust-system.js";

interface StoryVerdict extends TrustVerdict {
  /** What became of the statements that the question names. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly ranked: readonly Found[];
  readonly trace: object | null;
}

interface CorrectionVerdict extends StoryVerdict, Omit<CorrectionQuestion, "atMs"> {
  /** Ranks count from 1; null if none was found. */
  readonly currentRank: number | null;
  readonly outdatedRank: number | null;
  readonly isAbove: boolean;
}

interface AnswerVerdict extends StoryVerdict, Omit<AnswerableQuestion, "atMs"> {
  readonly confidence: number;
  readonly isAbstained: boolean;
  readonly goldRank: number | null;
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

/** A question's answer, and how the story that it is about was remembered. */
interface Answered extends TrustAnswer {
  readonly id: string;
  readonly texts: ReadonlyMap<string, string>;
  readonly fates: ReadonlyMap<string, Fate>;
}

async function replayStory<Question extends { readonly text: string; readonly atMs: number }, Verdict>(
  { id, statements, questions }: Story<Question>,
  person: TrustPerson,
  judge: (question: Question, answered: Answered) => Verdict,
): Promise<Verdict[]> {
  for (const { id: statement, atMs, text } of statements) {
    await person.commit({ id: statement, atMs, turns: userTurn(text) });
  }
  const texts = new Map(statements.map((statement) => [statement.id, statement.text]));
  const fates = await person.fates();
  const verdicts: Verdict[] = [];
  for (const [i, question] of questions.entries()) {
    const answer = await person.ask(question);
    verdicts.push(judge(question, { id: `${id}-q${i + 1}`, texts, fates, ...answer }));
  }
  return verdicts;
}

function judgeCorrection({ atMs: _atMs, ...question }: CorrectionQuestion, answered: Answered): CorrectionVerdict {
  const { current, outdated } = question;
  const currentRank = rankOf(current, answered.ranked);
  const outdatedRank = rankOf(outdated, answered.ranked);
  const isFound = currentRank !== null;
  const isAbove = isFound && (outdatedRank === null || currentRank < outdatedRank);
  const isDropped = areLost(current, answered);
  const problems = listProblems({
    "the current statement was dropped": isDropped,
    "the current statement was not found": !isFound && !isDropped,
    "an outdated statement is above the current one": isFound && !isAbove,
  });
  const evidence = gatherEvidence([...current, ...outdated], answered);
  return { id: answered.id, problems, ...question, currentRank, outdatedRank, isAbove, ...evidence };
}

function judgeAnswer({ atMs: _atMs, ...question }: AnswerableQuestion, answered: Answered): AnswerVerdict {
  const { isAnswerable, gold } = question;
  const { id, confidence, isAbstained } = answered;
  const goldRank = rankOf(gold, answered.ranked);
  const isDropped = isAnswerable && areLost(gold, answered);
  const isSeen = goldRank !== null && goldRank <= seenCount;
  const problems = listProblems({
    "what answers it was dropped": isDropped,
    [`what answers it is not among the first ${seenCount}`]: isAnswerable && !isSeen && !isDropped,
    "it was told, but the memory abstained": isAnswerable && isAbstained,
    "it was never told, but the memory did not abstain": !isAnswerable && !isAbstained,
  });
  const evidence = gatherEvidence(gold, answered);
  return { id, problems, ...question, confidence, isAbstained, goldRank, ...evidence };
}

function areLost(ids: readonly string[], { fates }: Answered): boolean {
  return ids.every((id) => fates.get(id)!.isLost);
}

function gatherEvidence(
  ids: readonly string[],
  { ranked, texts, fates, trace }: Answered,
): Pick<StoryVerdict, "outcomes" | "ranked" | "trace"> {
  return {
    outcomes: Object.fromEntries(ids.map((id) => [id, fates.get(id)!.outcome])),
    ranked: ranked.map((id) => ({ id, text: texts.get(id)! })),
    trace,
  };
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
  return ratio(won, answerable.length * unanswerable.length);
}
