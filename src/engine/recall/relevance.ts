/**
 * What the judge thinks of the best candidates as answers. It knows single statements: a memory that is one is ranked by
 * its verdict too; of a longer one it reads the passage closest to the question, which only counts towards confidence.
 * Of two statements that both answer, the newer one comes first if it may well have changed the other: what is too weak
 * for a link, since most facts of a life have nothing to do with each other, is a good guess between answers to one
 * question.
 */
import type { StatementCoverage } from "../../core/text/lexical-index.js";
import { type StartScore, compareStartScores } from "../../core/paper/start-node.js";
import { compareAge } from "../../core/graph/memory-node.js";
import { toPair, toldIn } from "../commitment/relations.js";
import { embeddedText } from "../commitment/statements.js";
import type { Judging } from "../judging.js";
import type { PersonState } from "../person-state.js";
import { runInSlices } from "../serial-lock.js";
import { findPieces } from "./context-statements.js";
import type { TokenSearch } from "./token-search.js";
import type { AskedMoment } from "./currency.js";
import { type AskedQuestion, type RecallCandidate, comparedTexts, scoreCandidates } from "./recall-candidates.js";

export interface JudgedAnswer {
  /** That it answers the question. */
  readonly probability: number;
  /** Whether the memory is a single statement, which the verdict is about as a whole. */
  readonly isWhole: boolean;
  /** The answers above this one that it may have changed, if the question is about now. */
  readonly changes: readonly string[];
}

export type JudgedAnswers = ReadonlyMap<string, JudgedAnswer>;

/** Passages of longer memories take the judge longest and count towards confidence only. */
const passageCountMax = 4;

/** What the judge reads the best candidates for: the question, and the time that it is about. */
interface JudgedQuestion extends AskedQuestion {
  readonly query: string;
  readonly moment: AskedMoment;
}

export async function judgeAnswers(
  question: JudgedQuestion,
  candidates: readonly RecallCandidate[],
  coverage: StatementCoverage,
  words: TokenSearch,
  state: PersonState,
): Promise<JudgedAnswers> {
  const { judging, parameters } = state.context;
  if (judging === null) return new Map();
  await runInSlices(coverage.readSteps(candidates.flatMap(({ node }) => comparedTexts(node))));
  const { graph } = state;
  const best = scoreCandidates(candidates, question, coverage, words, state)
    .toSorted(compareStartScores)
    .slice(0, parameters.relevanceCountMax);
  let passageCount = 0;
  const texts = best.flatMap(({ id, score }) => {
    const node = graph.node(id)!;
    const told = toldIn(node, parameters);
    if (told !== null) return [{ id, score, text: told, isWhole: true }];
    if (++passageCount > passageCountMax) return [];
    const [piece] = findPieces(node, score, { query: question.vector, coverage, words, graph }).toSorted(
      (x, y) => y.value - x.value,
    );
    return [{ id, score, text: embeddedText(piece!.text), isWhole: false }];
  });
  const probabilities = await judging.relevance(
    question.query,
    texts.map(({ text }) => text),
  );
  const judged = texts.map((text, i) => ({ ...text, probability: probabilities[i]! }));
  // What the answer was at another time is told by dates and links.
  const changes =
    question.moment.kind === "now" ? await judgeChanges(judged, judging, state) : new Map<string, string[]>();
  return new Map(
    judged.map(({ id, isWhole, probability }) => [id, { probability, isWhole, changes: changes.get(id) ?? [] }]),
  );
}

interface ReadAnswer {
  readonly id: string;
  /** Without what the verdict adds. */
  readonly score: number;
  readonly text: string;
  readonly isWhole: boolean;
  readonly probability: number;
}

/** Statements at least this share as likely to be the answer as the best, if that is likely at all, are rivals. */
const rivalShare = 0.25;
const rivalMin = 0.05;
const rivalCountMax = 4;
/** That the newer of two rivals changed the older one. */
const changeMin = 0.1;

/**
 * For each rival, the older ones whose place it takes because it may have changed them. The judge compares two only if the
 * newer one is below: as verdicts come, places change as they will in `preferChanges`.
 */
async function judgeChanges(
  answers: readonly ReadAnswer[],
  judging: Judging,
  { graph, context }: PersonState,
): Promise<Map<string, string[]>> {
  const { relevanceWeight } = context.parameters;
  const rivals = findRivals(answers)
    .filter(({ id }) => graph.node(id) !== undefined)
    .toSorted((x, y) => compareAge(graph.node(x.id)!, graph.node(y.id)!));
  const scoreOf = new Map(rivals.map(({ id, score, probability }) => [id, score + relevanceWeight * probability]));
  const changes = new Map<string, string[]>();
  for (const newer of answers.filter((answer) => rivals.includes(answer))) {
    for (const older of rivals.slice(0, rivals.indexOf(newer))) {
      const [low, high] = [scoreOf.get(newer.id)!, scoreOf.get(older.id)!];
      if (low >= high) continue;
      const pair = toPair(older.text, newer.text);
      const [relation] = await judging.relation(pair === null ? [] : [pair], "question");
      if (relation === undefined || relation.update < changeMin) continue;
      scoreOf.set(newer.id, high).set(older.id, low);
      changes.set(newer.id, [...(changes.get(newer.id) ?? []), older.id]);
    }
  }
  return changes;
}

/** The most likely answers among single statements. */
function findRivals(answers: readonly ReadAnswer[]): ReadAnswer[] {
  const whole = answers.filter(({ isWhole }) => isWhole).toSorted((x, y) => y.probability - x.probability);
  const best = whole[0]?.probability ?? 0;
  return whole
    .filter(({ probability }) => best >= rivalMin && probability >= rivalShare * best)
    .slice(0, rivalCountMax);
}

/** Where one statement very likely answers the question, those that very likely do not are left out of the context. */
const likely = 0.5;
const unlikely = 0.03;

export function isBesideTheQuestion(id: string, answers: JudgedAnswers): boolean {
  const answer = answers.get(id);
  if (answer?.isWhole !== true || answer.probability >= unlikely) return false;
  return [...answers.values()].some(({ probability }) => probability >= likely);
}

/** Scores with what the judge's verdicts add. */
export function addRelevance(
  scores: readonly StartScore[],
  answers: JudgedAnswers,
  { context }: PersonState,
): StartScore[] {
  const { relevanceWeight } = context.parameters;
  const gained = scores.map((each) => {
    const answer = answers.get(each.id);
    const relevanceGain = answer?.isWhole === true ? relevanceWeight * answer.probability : 0;
    return { ...each, relevanceGain, score: each.score + relevanceGain };
  });
  return preferChanges(gained, answers);
}

/** What may have changed another answer takes its place if it is below it. */
function preferChanges(scores: readonly StartScore[], answers: JudgedAnswers): StartScore[] {
  const scoreOf = new Map(scores.map(({ id, score }) => [id, score]));
  for (const [newer, { changes }] of answers) {
    for (const older of changes) {
      const [low, high] = [scoreOf.get(newer), scoreOf.get(older)];
      if (low === undefined || high === undefined || low >= high) continue;
      scoreOf.set(newer, high).set(older, low);
    }
  }
  return scores.map((each) => {
    const score = scoreOf.get(each.id)!;
    return { ...each, currencyGain: each.currencyGain + score - each.score, score };
  });
}
