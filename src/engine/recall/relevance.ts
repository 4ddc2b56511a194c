/**
 * What the judge thinks of the best candidates as answers. It knows single statements: a memory that is one is ranked by
 * its verdict too; of a longer one it reads the passage closest to the question, which only counts towards confidence.
 */
import type { StatementCoverage } from "../../core/text/lexical-index.js";
import { type StartScore, compareStartScores } from "../../core/paper/start-node.js";
import { compareAge } from "../../core/graph/memory-node.js";
import { toldIn } from "../commitment/relations.js";
import { embeddedText } from "../commitment/statements.js";
import type { PersonState } from "../person-state.js";
import { runInSlices } from "../serial-lock.js";
import { findPieces } from "./context-statements.js";
import type { AskedMoment } from "./currency.js";
import { type AskedQuestion, type RecallCandidate, scoreCandidates } from "./recall-candidates.js";

export interface JudgedAnswer {
  /** That it answers the question. */
  readonly probability: number;
  /** Whether the memory is a single statement, which the verdict is about as a whole. */
  readonly isWhole: boolean;
}

export type JudgedAnswers = ReadonlyMap<string, JudgedAnswer>;

export async function judgeAnswers(
  query: string,
  candidates: readonly RecallCandidate[],
  question: AskedQuestion,
  coverage: StatementCoverage,
  state: PersonState,
): Promise<JudgedAnswers> {
  const { judging, parameters } = state.context;
  if (judging === null) return new Map();
  await runInSlices(coverage.readSteps(candidates.flatMap(({ node }) => node.statements)));
  const { graph } = state;
  const best = scoreCandidates(candidates, question, coverage, state)
    .toSorted(compareStartScores)
    .slice(0, parameters.relevanceCountMax);
  const texts = best.map(({ id, score }) => {
    const node = graph.node(id)!;
    const told = toldIn(node, parameters);
    if (told !== null) return { id, text: told, isWhole: true };
    const [piece] = findPieces(node, score, question.vector, coverage, graph).toSorted((x, y) => y.value - x.value);
    return { id, text: embeddedText(piece!.text), isWhole: false };
  });
  const probabilities = await judging.relevance(
    query,
    texts.map(({ text }) => text),
  );
  return new Map(texts.map(({ id, isWhole }, i) => [id, { probability: probabilities[i]!, isWhole }]));
}

/** Where one statement very likely answers the question, those that very likely do not are left out of the context. */
const likely = 0.5;
const unlikely = 0.03;

export function isBesideTheQuestion(id: string, answers: JudgedAnswers): boolean {
  const answer = answers.get(id);
  if (answer?.isWhole !== true || answer.probability >= unlikely) return false;
  return [...answers.values()].some(({ probability }) => probability >= likely);
}

/** Memories at least this share as likely to be the answer as the best, if that is likely at all, are rivals. */
const rivalShare = 0.8;
const rivalMin = 0.3;

/** Scores with what the judge's verdicts add. */
export function addRelevance(
  scores: readonly StartScore[],
  answers: JudgedAnswers,
  moment: AskedMoment,
  { graph, context }: PersonState,
): StartScore[] {
  const { relevanceWeight } = context.parameters;
  const gained = scores.map((each) => {
    const answer = answers.get(each.id);
    const relevanceGain = answer?.isWhole === true ? relevanceWeight * answer.probability : 0;
    return { ...each, relevanceGain, score: each.score + relevanceGain };
  });
  return moment.kind === "now" ? newestFirst(gained, answers, graph.node.bind(graph)) : gained;
}

/** Of several statements that answer a question about now, the newest is the one that holds. */
function newestFirst(
  scores: readonly StartScore[],
  answers: JudgedAnswers,
  nodeOf: (id: string) => { readonly id: string; readonly initMs: number } | undefined,
): StartScore[] {
  const probabilityOf = ({ id }: StartScore): number => {
    const answer = answers.get(id);
    return answer?.isWhole === true ? answer.probability : 0;
  };
  const best = Math.max(0, ...scores.map(probabilityOf));
  const rivals = scores.filter((each) => best >= rivalMin && probabilityOf(each) >= rivalShare * best);
  const values = rivals.map(({ score }) => score).sort((x, y) => y - x);
  const inOrder = rivals.toSorted((x, y) => compareAge(nodeOf(y.id)!, nodeOf(x.id)!));
  const scoreOf = new Map(inOrder.map(({ id }, i) => [id, values[i]!]));
  return scores.map((each) => {
    const score = scoreOf.get(each.id) ?? each.score;
    return { ...each, currencyGain: score - each.score, score };
  });
}
