/**
 * What the judge thinks of the best candidates as answers. It knows single statements: a memory that is one is ranked by
 * its verdict too; of a longer one it reads the passage closest to the question, which only counts towards confidence.
 * Of two statements that both answer, the newer one comes first if it may well have changed the other: what is too weak
 * for a link, since most facts of a life have nothing to do with each other, is a good guess between answers to one
 * question.
 */
import type { StatementCoverage } from "../../core/text/lexical-index.js";
import { type StartScore, compareStartScores } from "../../core/paper/start-node.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
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
  /** The answers that may have been changed by this one. */
  readonly changes: readonly string[];
}

export type JudgedAnswers = ReadonlyMap<string, JudgedAnswer>;

/** Passages of longer memories take the judge longest and count towards confidence only. */
const passageCountMax = 4;

export async function judgeAnswers(
  query: string,
  candidates: readonly RecallCandidate[],
  question: AskedQuestion,
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
    if (told !== null) return [{ id, text: told, isWhole: true }];
    if (++passageCount > passageCountMax) return [];
    const [piece] = findPieces(node, score, { query: question.vector, coverage, words, graph }).toSorted(
      (x, y) => y.value - x.value,
    );
    return [{ id, text: embeddedText(piece!.text), isWhole: false }];
  });
  const probabilities = await judging.relevance(
    query,
    texts.map(({ text }) => text),
  );
  const judged = texts.map((text, i) => ({ ...text, probability: probabilities[i]! }));
  const changes = await judgeChanges(judged, judging, graph);
  return new Map(
    judged.map(({ id, isWhole, probability }) => [id, { probability, isWhole, changes: changes.get(id) ?? [] }]),
  );
}

interface ReadAnswer {
  readonly id: string;
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

/** For each rival, the older ones that it may have changed. */
async function judgeChanges(
  answers: readonly ReadAnswer[],
  judging: Judging,
  graph: MemoryGraph,
): Promise<Map<string, string[]>> {
  const whole = answers.filter(({ isWhole }) => isWhole).toSorted((x, y) => y.probability - x.probability);
  const best = whole[0]?.probability ?? 0;
  const rivals = whole
    .filter(({ probability }) => best >= rivalMin && probability >= rivalShare * best)
    .slice(0, rivalCountMax)
    .filter(({ id }) => graph.node(id) !== undefined)
    .toSorted((x, y) => compareAge(graph.node(x.id)!, graph.node(y.id)!));
  const pairs = rivals.flatMap((newer, i) =>
    rivals.slice(0, i).flatMap((older) => {
      const pair = toPair(older.text, newer.text);
      return pair === null ? [] : [{ older, newer, pair }];
    }),
  );
  const relations = await judging.relation(pairs.map(({ pair }) => pair));
  const changes = new Map<string, string[]>();
  for (const [i, { older, newer }] of pairs.entries()) {
    if (relations[i]!.update >= changeMin) changes.set(newer.id, [...(changes.get(newer.id) ?? []), older.id]);
  }
  return changes;
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
  moment: AskedMoment,
  { context }: PersonState,
): StartScore[] {
  const { relevanceWeight } = context.parameters;
  const gained = scores.map((each) => {
    const answer = answers.get(each.id);
    const relevanceGain = answer?.isWhole === true ? relevanceWeight * answer.probability : 0;
    return { ...each, relevanceGain, score: each.score + relevanceGain };
  });
  return moment.kind === "now" ? preferChanges(gained, answers) : gained;
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
