/**
 * Recall (section 3.2), on one page: a question is read, candidates are found and ranked, the graph is walked at random
 * from the best, statements are chosen, and they become the context. Everything that influenced the result is in the
 * trace, and the same question at the same time with the same seed gives the same recall.
 */
import { createRandom } from "../text/random.js";
import { type StartScore, compareStartScores, selectStartNodes } from "../paper/start-node.js";
import { type Traversal, type TraversalStep, traverse } from "../paper/traversal.js";
import type { ParsedSelection } from "../engine/memory-selection.js";
import type { PersonState } from "../engine/person-state.js";
import { readQuestion } from "./asked-question.js";
import { findCandidates, presentScores } from "./candidates.js";
import { confidenceOf } from "./confidence.js";
import { asksAboutThen } from "../english/then-and-now.js";
import { type ContextText, writeContext } from "./context.js";
import { findOutdated } from "./outdated.js";
import { PassingMemories } from "./passing-memories.js";
import { type TimeFocusTrace, traceFocus } from "./recall-time.js";
import { type RecalledMemory, describeRecalled } from "./recalled-memory.js";
import { quoteMemory, withEnders, worthOf } from "./quoted-statements.js";

export interface RecallRequest {
  readonly query: string;
  readonly atMs: number;
  readonly seed: number | string;
  readonly tokenBudget: number;
  /** Memories at most; null for no other limit than the parameters'. */
  readonly limit: number | null;
  /** Start score at least, which leaves out what only traversal reached; null for no other than the parameters'. */
  readonly minScore: number | null;
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
  /** Memories that were compared in full, best first as the scan found them. */
  readonly candidateCount: number;
  readonly starts: readonly StartScore[];
  /** The best memories that did not become start nodes, and why. */
  readonly passedOver: readonly (StartScore & { readonly reason: "startScoreMin" | "startCountMax" })[];
  readonly steps: readonly TraversalStep[];
  readonly limitsReached: Traversal["limitsReached"];
  readonly context: Omit<ContextText, "text"> & { readonly tokenBudget: number };
}

export interface Recall {
  readonly context: string;
  /** Most relevant first. */
  readonly memories: readonly RecalledMemory[];
  /** The probability that the memory holds an answer; null where nobody reads answers. */
  readonly confidence: number | null;
  readonly trace: RecallTrace;
}

const passedOverShown = 5;

export async function recallMemories(state: PersonState, request: RecallRequest): Promise<Recall> {
  const { parameters, timeZone, clock, core: cores } = state.context;
  const { query, atMs, seed, tokenBudget, limit, minScore, selection, signal } = request;
  const passing = new PassingMemories(selection, clock, atMs);
  const { passes } = passing;
  const asked = await readQuestion(query, atMs, state);
  signal?.throwIfAborted();
  const found = await findCandidates(asked, passing, state);
  signal?.throwIfAborted();

  // Until the context is written nothing waits, so that the memory cannot change meanwhile.
  const { graph } = state;
  const scores = presentScores(found, passing, graph);
  const starts = selectStartNodes(scores, parameters);
  const startIds = starts.map(({ id }) => id);
  const walked = traverse(startIds, graph, atMs, createRandom(seed), parameters, passes);
  const scoreOf = new Map(scores.map((score) => [score.id, score]));
  const recalled = walked.recalled
    .filter(({ id }) => minScore === null || (scoreOf.get(id)?.score ?? -Infinity) >= minScore)
    .slice(0, limit ?? walked.recalled.length)
    .map((each) => ({ ...each, node: graph.node(each.id)! }));
  const compared = { query: asked.embedding.vector, atMs, graph, passes };
  const quoted = recalled.flatMap(({ node }) => {
    const score = scoreOf.get(node.id);
    const worth = score === undefined ? found.valueOf(node.id) : worthOf(score);
    return quoteMemory(node, worth, found.matchesOf(node.id), compared);
  });
  const statements = withEnders(quoted, compared);
  const core = cores.of(state, atMs, passes);
  const { text, ...written } = writeContext(
    {
      statements,
      core,
      isCoreFiltered: core.text === null && selection !== null && cores.of(state, atMs).text !== null,
    },
    { atMs, tokenBudget, foci: found.foci, asksAboutThen: asksAboutThen(query) },
    state.context,
  );
  const included = new Set(written.includedIds);
  const memories = recalled.map(({ id, fromId, node }) => ({
    ...describeRecalled(node, { atMs, timeZone, graph, passes }),
    found: fromId === null ? ("start" as const) : ("traversal" as const),
    fromId,
    score: scoreOf.get(id)?.score ?? null,
    outdated: findOutdated(node, atMs, graph, passes),
    inContext: included.has(id),
  }));

  const confidence = confidenceOf(scores, state);
  return {
    context: text,
    memories,
    confidence,
    trace: {
      query,
      at: new Date(atMs).toISOString(),
      timeZone,
      seed,
      memoryCount: found.memoryCount,
      filter: selection === null ? null : found.filter,
      queuedCount: asked.queuedCount,
      timeFoci: found.foci.map(traceFocus),
      candidateCount: found.scored.length,
      starts,
      passedOver: findPassedOver(scores, starts, parameters.startScoreMin),
      steps: walked.steps,
      limitsReached: walked.limitsReached,
      context: { ...written, tokenBudget },
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
