/**
 * A candidate memory, before it is decided whether it becomes one: an interaction with its summary, keywords,
 * statements and vectors, none of which depends on the graph at the time of the decision. A language model is shown the
 * memories nearest to the summary; what it says of them is weighed when the decision is made. Making a draft is slow (it
 * embeds) and happens outside the person's lock.
 */
import { extractKeywordsSteps } from "../text/keywords.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import type { LastingFact } from "../graph/memory-node.js";
import type { Interaction } from "../engine/records/person-data.js";
import { judgeFacts } from "../core/lasting-facts.js";
import type { EngineContext } from "../engine/engine-context.js";
import { type EmbeddedStatement, summarizeStatementsSteps } from "./interaction-summary.js";
import { nearestHoldingSteps } from "../model/claimed-updates.js";
import { type FindMemories, type ModelWork, workWithModel } from "../model/language-model-steps.js";
import { type JudgedSubstance, judgeSubstance } from "../commit/judged-substance.js";
import type { PersonState } from "../engine/person-state.js";
import { embedStatements } from "./statement-tokens.js";
import { runInSlices } from "../engine/serial-lock.js";
import {
  type Statement,
  quoteStatement,
  selectStatementsSteps,
  splitPassagesSteps,
  splitStatementsSteps,
} from "./cut.js";

export interface MemoryDraft {
  readonly interaction: Interaction;
  /** The sentences by which substance is judged. */
  readonly judgedStatements: readonly EmbeddedStatement[];
  readonly summaryText: string;
  readonly summarySource: "given" | "made from turns" | "language model";
  readonly fullText: string;
  readonly keywords: readonly string[];
  /** The hypothetical queries that a language model wrote, and their vectors. */
  readonly questions: readonly string[];
  readonly questionVectors: readonly QuantizedVector[];
  /** All of them in one text. */
  readonly hypotheticalQuery: string;
  /** The memory's statements, as a context quotes them, and their vectors. */
  readonly statements: readonly string[];
  readonly statementVectors: readonly QuantizedVector[];
  /** Vectors of their words, packed; null where the embedder or the store has none. */
  readonly tokenBytes: Uint8Array | null;
  readonly summaryVector: QuantizedVector;
  readonly hypotheticalVector: QuantizedVector;
  /** Null without a judge, and for what it cannot judge. */
  readonly judgedSubstance: JudgedSubstance | null;
  /** What of it lasts; null without a judge. */
  readonly facts: readonly LastingFact[] | null;
  /** What the language model said, or why it was not used; null when none is configured. */
  readonly model: ModelWork | null;
}

/** How many sentences substance is judged by, and how many a summary is made from; each takes time to embed. */
const judgedCount = 12;
const summarizedCountMax = 32;

/** `earlier` is a draft of the same interaction whose model replies are reused; `signal` ends the wait for a model. */
export async function makeDraft(
  interaction: Interaction,
  state: PersonState,
  earlier?: MemoryDraft,
  signal?: AbortSignal,
): Promise<MemoryDraft> {
  const { graph, context } = state;
  const { embedding, parameters } = context;
  const judgedStatements = await embedJudged(interaction, graph, context);
  const chooseSummary = async (written: string | null): Promise<string> =>
    interaction.summary ??
    written ??
    (await runInSlices(summarizeStatementsSteps(judgedStatements, parameters.summaryWordCountMax)));
  const findMemories: FindMemories = async (written) => {
    const [vector] = await embedding.embed([await chooseSummary(written)], "commitment");
    return runInSlices(nearestHoldingSteps(vector!, interaction, state.graph, parameters));
  };
  const model = earlier === undefined ? await askModel(interaction, state, findMemories, signal) : earlier.model;
  const summaryText = await chooseSummary(model?.summary ?? null);
  const fullText = joinTurns(interaction);
  const text = `${summaryText}\n${fullText}`;
  const keywords =
    model?.judgment?.keywords ??
    (await runInSlices(extractKeywordsSteps(text, graph.lexicalIndex, parameters.keywordCountMax)));
  // A question assembled from keywords finds less than the summary alone; only a language model writes a real one.
  const questions = model?.judgment?.questions ?? [];
  const hypotheticalQuery = questions.join(" ");
  const statements = await chooseStatements(model, interaction, graph, parameters.statementCountMax);
  const { vectors: statementVectors, tokenBytes } = await embedStatements({ statements, summaryText }, context);
  const questionVectors = await embedding.embed(questions, "commitment");
  const query = hypotheticalQuery === "" ? summaryText : `${hypotheticalQuery} ${summaryText}`;
  const [summaryVector, hypotheticalVector] = await embedding.embed([summaryText, query], "commitment");
  return {
    interaction,
    judgedSubstance: context.judging === null ? null : await judgeSubstance(interaction, context.judging, parameters),
    facts: await judgeFacts(interaction, graph.lexicalIndex, context),
    judgedStatements,
    summaryText,
    summarySource:
      interaction.summary !== null ? "given" : model?.summary == null ? "made from turns" : "language model",
    fullText,
    keywords,
    questions,
    questionVectors,
    hypotheticalQuery,
    statements,
    statementVectors,
    tokenBytes,
    summaryVector: summaryVector!,
    hypotheticalVector: hypotheticalVector!,
    model,
  };
}

/** The running summary of a conversation, chosen from its sentences as that of a memory is. */
export async function summarizeSaid(interaction: Interaction, { graph, context }: PersonState): Promise<string> {
  const statements = await embedJudged(interaction, graph, context);
  return runInSlices(summarizeStatementsSteps(statements, context.parameters.summaryWordCountMax));
}

async function askModel(
  interaction: Interaction,
  { coreSummary, context }: PersonState,
  findMemories: FindMemories,
  signal: AbortSignal | undefined,
): Promise<ModelWork | null> {
  const { modelCalls } = context;
  if (modelCalls === null) return null;
  return workWithModel(interaction, coreSummary?.text ?? null, modelCalls, context, findMemories, signal);
}

async function embedJudged(
  interaction: Interaction,
  graph: MemoryGraph,
  context: EngineContext,
): Promise<EmbeddedStatement[]> {
  const all = await runInSlices(splitStatementsSteps(interaction));
  const countMax = interaction.summary === null ? summarizedCountMax : judgedCount;
  const selected = await runInSlices(selectStatementsSteps(all, graph.lexicalIndex, countMax));
  return embedEach(selected.length > 0 ? selected : all.slice(0, judgedCount), context);
}

async function embedEach(statements: readonly Statement[], { embedding }: EngineContext): Promise<EmbeddedStatement[]> {
  const vectors = await embedding.embed(
    statements.map(({ text }) => text),
    "commitment",
  );
  return statements.map((statement, i) => ({ ...statement, vector: vectors[i]! }));
}

/** A model's statements come first: each says one thing and names who and when. What was said follows. */
async function chooseStatements(
  model: ModelWork | null,
  interaction: Interaction,
  graph: MemoryGraph,
  countMax: number,
): Promise<string[]> {
  const written = (model?.judgment?.statements ?? []).slice(0, countMax);
  const all = await runInSlices(splitPassagesSteps(interaction));
  const passages = await runInSlices(selectStatementsSteps(all, graph.lexicalIndex, countMax - written.length));
  return [...written, ...passages.map(quoteStatement)];
}

function joinTurns({ turns }: Interaction): string {
  return turns.map(({ who, text }) => `${who}: ${text}`).join("\n");
}
