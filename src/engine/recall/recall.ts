/**
 * Recall (section 3.2): from a question to the memories that answer it. Start nodes are chosen by comparing the
 * question with what each memory says and with its own words, then the best candidates with when they were and what
 * they are about; from there the graph is walked at random; what is found becomes context. Everything that influenced
 * the result is in the trace, and the same question at the same time with the same seed gives the same recall.
 */
import { StatementCoverage } from "../../core/text/lexical-index.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import type { SpellingMatch } from "../../core/text/spelling.js";
import { createRandom } from "../../core/random.js";
import {
  type StartLimits,
  type StartScore,
  compareStartScores,
  selectStartNodes,
  tokenGain,
} from "../../core/paper/start-node.js";
import { type Traversal, type TraversalStep, traverse } from "../../core/paper/traversal.js";
import { gainsByArea, readAskedAreas } from "./area-gain.js";
import { readAskedWords } from "./asked-words.js";
import { findPieces, preferNamedSpeakers, spreadPieces } from "./context-statements.js";
import { type ContextText, writeContext } from "./context-text.js";
import { type AskedMoment, findAskedMoment, findOutdated, preferHolding } from "./currency.js";
import { confidenceOf } from "./confidence.js";
import { type JudgedAnswer, type JudgedAnswers, addRelevance, isBesideTheQuestion, judgeAnswers } from "./relevance.js";
import type { Parameters } from "../../parameters.js";
import type { ParsedSelection } from "../memory-selection.js";
import type { PersonState } from "../person-state.js";
import {
  type AskedQuestion,
  type RecallCandidate,
  type Scan,
  comparedTexts,
  compareMeta,
  scanMemories,
  scoreCandidates,
} from "./recall-candidates.js";
import { withoutOwnName } from "./own-name.js";
import { PassingMemories } from "./passing-memories.js";
import { type RecalledMemory, describeOutdated, describeRecalled } from "./recalled-memory.js";
import { type SeveralAsked, readSeveralAsked } from "./several-asked.js";
import { TokenSearch } from "./token-search.js";
import { type RewritingTrace, bestPieces, findWordings, readWordings, toRewording } from "./wordings.js";
import { type TimeFocusTrace, findFoci, gainsBySlot, readAskedTime, traceFocus } from "./recall-time.js";

export interface RecallRequest {
  readonly query: string;
  readonly atMs: number;
  readonly seed: number | string;
  readonly tokenBudget: number;
  /** Memories at most; null for no other limit than the parameters'. */
  readonly limit: number | null;
  /** Start score at least, which leaves out what only traversal reached; null for no other than the parameters'. */
  readonly minScore: number | null;
  /** Whether a language model is asked for other wordings of the question. */
  readonly rewrite: boolean;
  /** Which memories may be seen; null for all that have not expired. */
  readonly selection: ParsedSelection | null;
  /** Nobody waits for the answer any more once it is aborted. */
  readonly signal?: AbortSignal | undefined;
}

export interface RecallTrace {
  readonly query: string;
  readonly at: string;
  readonly timeZone: string;
  readonly seed: number | string;
  /** Those compared with the question: of its time or earlier, not expired, and passing the filter. */
  readonly memoryCount: number;
  /** How many of all memories pass `filter`, `from` and `to`; null if none of them was given. */
  readonly filter: { readonly passedCount: number; readonly memoryCount: number } | null;
  /** Interactions accepted but not yet processed, which this recall could not see. */
  readonly queuedCount: number;
  /** Where in time the question looks. */
  readonly timeFoci: readonly TimeFocusTrace[];
  /** Whether the question asks what has changed, so that recent memories gain. */
  readonly asksForChange: boolean;
  /** Words of the question that no memory has, and what they were taken for. */
  readonly spellings: readonly SpellingMatch[];
  /** The question as the judge read it, if it names the person; null otherwise. */
  readonly judgedAs: string | null;
  /** How a language model rewrote the question; null if it was not asked to. */
  readonly rewriting: RewritingTrace | null;
  /** What several things the question asks for, so that the context spreads over memories; null if for one thing. */
  readonly asksForSeveral: SeveralAsked | null;
  readonly starts: readonly StartScore[];
  /** The best memories that did not become start nodes, and why. */
  readonly passedOver: readonly (StartScore & { readonly reason: "startScoreMin" | "startCountMax" })[];
  readonly steps: readonly TraversalStep[];
  readonly limitsReached: Traversal["limitsReached"];
  /** What the judge thought of the best candidates as answers. */
  readonly answers: readonly (JudgedAnswer & { readonly id: string })[];
  /** Memories that were also compared by their individual statements and naturalized time. */
  readonly candidateCount: number;
  readonly context: Omit<ContextText, "text"> & { readonly tokenBudget: number };
}

export interface Recall {
  readonly context: string;
  /** Most relevant first. */
  readonly memories: readonly RecalledMemory[];
  /** The probability that the memory holds an answer; null where no judge reads answers. */
  readonly confidence: number | null;
  /** Whether the confidence reaches `answerableConfidenceMin`; null without one. */
  readonly answerable: boolean | null;
  readonly trace: RecallTrace;
}

const passedOverShown = 5;

export async function recallMemories(state: PersonState, request: RecallRequest): Promise<Recall> {
  const { context } = state;
  const { query, atMs, signal } = request;
  // Memories not yet loaded are, while the question is embedded; the refresh below waits for them and tells what failed.
  if (state.revision === 0) state.refresh().catch(() => {});
  const passing = new PassingMemories(request.selection, context.clock, atMs);
  const { passes } = passing;
  const { wordings, trace: rewriting } = await findWordings(request, passing, state);
  const asked = await readAskedTime(query, atMs, context);
  const [words, { areas, queuedCount }] = await readAskedWords(query, asked, state, async () => {
    signal?.throwIfAborted();
    const areas = await readAskedAreas(query, context);
    const [queuedCount] = await Promise.all([context.store.queuedCount(state.person), state.refresh()]);
    signal?.throwIfAborted();
    return { areas, queuedCount };
  });
  const rewordings = wordings.map((wording) => toRewording(wording, state));
  const { terms, embedded, spellings } = words;
  const question = { terms, vector: embedded.vector, rewordings, atMs, passes };
  const { isPassing, ...counts } = passing.slotsOf(state.graph);
  const foci = findFoci(asked, words.eventVectors, atMs, state.graph, isPassing, context);
  const area = gainsByArea(areas, atMs, passes, state);
  const time = gainsBySlot(foci, asked, atMs, state.graph, context.parameters);
  const asksForSeveral = context.parameters.severalSpread === 0 ? null : readSeveralAsked(query);
  const { startCountMax } = startLimits(asksForSeveral, context.parameters);
  const scan = scanMemories(state, question, { time, area }, startCountMax, isPassing);
  const candidates = await compareMeta(scan.candidates, question, state);
  const tokens = new TokenSearch(words.text, words.content, embedded, state);
  await tokens.read(candidates.map(({ node }) => node));
  const coverage = new StatementCoverage(terms, state.graph.lexicalIndex, context.parameters.lexicalSaturation);
  const nodes = candidates.map(({ node }) => node);
  await readWordings(rewordings, nodes, nodes.flatMap(comparedTexts));
  const moment = findAskedMoment(query, foci, atMs);
  signal?.throwIfAborted();
  const judged = { ...question, query: withoutOwnName(query, state), moment };
  const answers = await judgeAnswers(judged, candidates, coverage, tokens, state);
  const search = { question, passing, scan, candidates, coverage, words: tokens, moment, answers, asksForSeveral };
  const walked = await walk(search, state, request);
  // This answer does not wait for it; the next ones are faster.
  void state.index();
  return finishRecall(walked, search, state, request, {
    timeFoci: foci.map(traceFocus),
    asksForChange: asked.asksForChange,
    spellings,
    judgedAs: judged.query === query ? null : judged.query,
    rewriting,
    queuedCount,
    filter: request.selection === null ? null : counts,
  });
}

/** What a recall knows before it walks. */
interface Search {
  readonly question: AskedQuestion;
  readonly passing: PassingMemories;
  readonly scan: Scan;
  readonly candidates: readonly RecallCandidate[];
  readonly coverage: StatementCoverage;
  readonly words: TokenSearch;
  readonly moment: AskedMoment;
  readonly answers: JudgedAnswers;
  readonly asksForSeveral: SeveralAsked | null;
}

/** The scores of the candidates, and where the walk from the best of them leads in a graph of some revision. */
type Walked = Traversal & {
  readonly scores: StartScore[];
  readonly starts: StartScore[];
  readonly revision: number;
  readonly graph: MemoryGraph;
};

/** How often statements are read for a memory that changes meanwhile; what is then missing is read at the end. */
const readingTriesMax = 3;

/**
 * Walks, and reads the statements that the recall will weigh in slices, so that the rest, which the memory must not change
 * under, is short. Which memories are recalled is known only after the walk.
 */
async function walk(search: Search, state: PersonState, request: RecallRequest): Promise<Walked> {
  const { question, candidates, coverage } = search;
  const wordings = [search, ...question.rewordings];
  const usesCandidates = state.context.parameters.statementLexicalWeight > 0;
  let statements = usesCandidates ? candidates.flatMap(({ node }) => comparedTexts(node)) : [];
  let walked: Walked | undefined;
  for (let tries = 1; tries <= readingTriesMax; tries++) {
    await readWordings(wordings, [], statements);
    if (walked !== undefined && isCurrent(walked, state)) return walked;
    walked = walkNow(search, state, request);
    const recalled = walked.recalled.map(({ id }) => state.graph.node(id)!);
    statements = recalled.flatMap((node) => node.statements).filter((text) => !coverage.isKnown(text));
    const areKnown = wordings.every(({ words }) => recalled.every((node) => words.isKnown(node)));
    if (statements.length === 0 && areKnown) return walked;
    await readWordings(wordings, recalled, []);
  }
  return walked!;
}

function isCurrent({ graph, revision }: Walked, state: PersonState): boolean {
  return graph === state.graph && revision === state.revision;
}

function walkNow(search: Search, state: PersonState, { atMs, seed }: RecallRequest): Walked {
  const { graph, revision, context } = state;
  const { candidates, question, coverage, words, moment, answers, asksForSeveral } = search;
  const compared = scoreCandidates(candidates, question, coverage, words, state);
  const scores = preferHolding(addRelevance(compared, answers, state), moment, graph, question.passes);
  const starts = selectStartNodes(scores, startLimits(asksForSeveral, context.parameters));
  const startIds = starts.map(({ id }) => id);
  const traversal = traverse(startIds, graph, atMs, createRandom(seed), context.parameters, question.passes);
  return { scores, starts, revision, graph, ...traversal };
}

/** A question that asks for several things starts from more memories. */
function startLimits(asksForSeveral: SeveralAsked | null, parameters: Parameters): StartLimits {
  const { startScoreMin, startCountMax, severalStartCountMax } = parameters;
  return {
    startScoreMin,
    startCountMax: asksForSeveral === null ? startCountMax : Math.max(startCountMax, severalStartCountMax),
  };
}

function finishRecall(
  walked: Walked,
  search: Search,
  state: PersonState,
  request: RecallRequest,
  found: Pick<
    RecallTrace,
    "timeFoci" | "asksForChange" | "spellings" | "judgedAs" | "rewriting" | "queuedCount" | "filter"
  >,
): Recall {
  const { graph, context } = state;
  const { parameters, timeZone } = context;
  const { question, passing, scan, coverage, words, answers, asksForSeveral } = search;
  const { query, atMs, seed, tokenBudget, limit, minScore } = request;
  const { scores, starts, recalled, steps, limitsReached } = isCurrent(walked, state)
    ? walked
    : walkNow(search, state, request);
  const scoreOf = new Map(scores.map(({ id, score }) => [id, score]));
  const wanted = recalled
    .filter(({ id }) => minScore === null || (scoreOf.get(id) ?? -Infinity) >= minScore)
    .slice(0, limit ?? recalled.length);
  const nodes = wanted.map(({ id }) => graph.node(id)!);
  const outdated = findOutdated(nodes, atMs, graph, question.passes);
  const quoted = nodes.filter(({ id }) => !isBesideTheQuestion(id, answers));
  const pieces = quoted.flatMap((node) => {
    const value = scoreOf.get(node.id) ?? scan.valueOf(node.id) + tokenGain(words.of(node.id), parameters);
    const found = findPieces(node, value, { query: question.vector, coverage, words, graph });
    const others = question.rewordings.map((each) => findPieces(node, value, { query: each.vector, ...each, graph }));
    const best = bestPieces(found, others, parameters.rewritingWeight);
    const own = preferNamedSpeakers(best, query, parameters.speakerGain);
    return asksForSeveral === null ? own : spreadPieces(own, parameters.severalSpread);
  });
  const coreSummary = passing.coreSummaryOf(state);
  const content = { memories: quoted, pieces, outdated, coreSummary, isSpread: asksForSeveral !== null };
  const written = writeContext(content, request, context);
  const memories = wanted.map(({ id, fromId }, i) => ({
    ...describeRecalled(nodes[i]!, { atMs, timeZone, graph, passes: question.passes }),
    found: fromId === null ? ("start" as const) : ("traversal" as const),
    fromId,
    score: scoreOf.get(id) ?? null,
    outdated: describeOutdated(outdated.get(id)),
    inContext: written.includedIds.includes(id),
  }));
  const { text, ...contextTrace } = written;
  const isLeftOut = coreSummary === null && state.coreSummary !== null;
  const coreState = isLeftOut ? ("left out by the filter" as const) : contextTrace.coreSummary;
  const isJudged = context.judging !== null && parameters.relevanceCountMax > 0;
  const confidence = isJudged ? confidenceOf(answers, scores) : null;
  return {
    context: text,
    memories,
    confidence,
    answerable: confidence === null ? null : confidence >= parameters.answerableConfidenceMin,
    trace: {
      query,
      at: new Date(atMs).toISOString(),
      timeZone,
      seed,
      ...found,
      asksForSeveral,
      memoryCount: scan.memoryCount,
      candidateCount: scan.candidates.length,
      answers: [...answers].map(([id, answer]) => ({ id, ...answer })),
      starts,
      passedOver: findPassedOver(scores, starts, parameters.startScoreMin),
      steps,
      limitsReached,
      context: { ...contextTrace, coreSummary: coreState, tokenBudget },
    },
  };
}

function findPassedOver(
  scores: readonly StartScore[],
  starts: readonly StartScore[],
  startScoreMin: number,
): RecallTrace["passedOver"] {
  return scores
    .filter((score) => !starts.includes(score))
    .sort(compareStartScores)
    .slice(0, passedOverShown)
    .map((score) => ({ ...score, reason: score.score < startScoreMin ? "startScoreMin" : "startCountMax" }));
}
