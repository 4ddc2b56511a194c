/**
 * The other wordings of a question in a recall. Each is a cue of its own, compared like the question with vectors, words
 * and single words; a memory counts by the wording it matches best. The question itself is always among them, and the
 * others count less, so a bad wording takes nothing from what the question finds.
 */
import { StatementCoverage } from "../../core/text/lexical-index.js";
import { splitTerms } from "../../core/text/words.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import type { MemoryNode } from "../../core/graph/memory-node.js";
import { querySimilarities } from "../../core/paper/query-similarity.js";
import type { StartEvidence, StartScore } from "../../core/paper/start-node.js";
import type { QuantizedVector } from "../../core/vectors/quantized-vector.js";
import type { TokenMatch } from "../../core/vectors/token-vectors.js";
import type { Parameters } from "../../parameters.js";
import type { Embedding } from "../embedding-queue.js";
import type { ModelStepTrace } from "../language-model/model-calls.js";
import type { CoreSummary } from "../../ports/store.js";
import { rewriteQuestion } from "../language-model/question-rewriting.js";
import type { PersonState } from "../person-state.js";
import { runInSlices } from "../serial-lock.js";
import type { ContextPiece } from "./context-statements.js";
import type { PassingMemories } from "./passing-memories.js";
import type { RecallRequest } from "./recall.js";
import { readAskedTime } from "./recall-time.js";
import { TokenSearch } from "./token-search.js";

/** How the rewriting went, and what came of it. */
export interface RewritingTrace extends ModelStepTrace {
  /** What was looked for besides the question. */
  readonly wordings: readonly string[];
}

interface Wording {
  readonly text: string;
  /** Without the words that say when. */
  readonly content: string;
  readonly embedding: Embedding;
}

export interface Rewording {
  readonly text: string;
  readonly terms: readonly string[];
  readonly vector: QuantizedVector;
  readonly coverage: StatementCoverage;
  readonly words: TokenSearch;
}

/** What one wording finds in a memory. */
export type Cue = Pick<StartEvidence, "querySimilarity" | "lexicalCoverage">;

/** Asks for wordings if the question is to be rewritten, and embeds them. */
export async function findWordings(
  { query, atMs, rewrite, signal }: Pick<RecallRequest, "query" | "atMs" | "rewrite" | "signal">,
  passing: PassingMemories,
  state: PersonState,
): Promise<{ wordings: Wording[]; trace: RewritingTrace | null }> {
  if (!rewrite) return { wordings: [], trace: null };
  const coreSummaryOf = (now: PersonState): CoreSummary | null => passing.coreSummaryOf(now);
  const { value, trace } = await rewriteQuestion(query, atMs, state, coreSummaryOf, signal);
  const texts = value ?? [];
  const embeddings = await state.context.embedding.embedWords(texts, "question");
  const contents = await Promise.all(texts.map((text) => readAskedTime(text, atMs, state.context)));
  const wordings = texts.map((text, i) => ({ text, content: contents[i]!.content, embedding: embeddings[i]! }));
  return { wordings, trace: { ...trace, wordings: texts } };
}

export function toRewording({ text, content, embedding }: Wording, state: PersonState): Rewording {
  const { graph, context } = state;
  const terms = splitTerms(content);
  return {
    text,
    terms,
    vector: embedding.vector,
    coverage: new StatementCoverage(terms, graph.lexicalIndex, context.parameters.lexicalSaturation),
    words: new TokenSearch(text, content, embedding, state),
  };
}

/** By slot, S_query and the share of the wording that a memory's words cover, both by what the wording counts. */
export function compareWording(
  { vector, terms }: Pick<Rewording, "vector" | "terms">,
  weight: number,
  graph: MemoryGraph,
  parameters: Parameters,
): { similarities: Float64Array; coverages: Float64Array } {
  const { lexicalWeight, lexicalSaturation, lexicalLengthWeight } = parameters;
  const similarities = querySimilarities(graph, vector, parameters);
  const coverages = new Float64Array(graph.slotCount);
  if (lexicalWeight > 0) graph.lexicalIndex.coverages(terms, lexicalSaturation, lexicalLengthWeight, coverages);
  if (weight === 1) return { similarities, coverages };
  return { similarities: similarities.map((x) => weight * x), coverages: coverages.map((x) => weight * x) };
}

export function weighTokens({ best, window, whole }: TokenMatch, weight: number): StartScore["tokens"] {
  return { best: weight * best, window: weight * window, whole: weight * whole };
}

/** Splits statements and compares the words of memories, in slices. */
export async function readWordings(
  wordings: readonly Pick<Rewording, "coverage" | "words">[],
  nodes: readonly MemoryNode[],
  statements: readonly string[],
): Promise<void> {
  for (const { coverage, words } of wordings) {
    await runInSlices(coverage.readSteps(statements));
    await words.read(nodes);
  }
}

/** The pieces of one memory, each with its best value over the wordings. */
export function bestPieces(
  own: readonly ContextPiece[],
  reworded: readonly (readonly ContextPiece[])[],
  weight: number,
): ContextPiece[] {
  return own.map((piece, i) => ({
    ...piece,
    value: Math.max(piece.value, ...reworded.map((pieces) => weight * pieces[i]!.value)),
  }));
}
