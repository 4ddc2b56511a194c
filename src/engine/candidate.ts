/**
 * A candidate for memory: an interaction with everything commitment needs of it that does not depend on what else is
 * known, above all its vectors. Making one is slow (it embeds) and happens outside the person's lock.
 */
import { extractKeywords } from "../core/keywords.js";
import type { MemoryGraph } from "../core/memory-graph.js";
import type { QuantizedVector } from "../core/quantized-vector.js";
import type { Interaction } from "../ports/store.js";
import type { EngineContext } from "./engine-context.js";
import { type EmbeddedStatement, summarizeStatements } from "./interaction-summary.js";
import { type ModelStep, judgeWithModel } from "./language-model-steps.js";
import type { PersonState } from "./person-state.js";
import { type Statement, selectStatements, splitStatements } from "./statements.js";

export interface Candidate {
  readonly interaction: Interaction;
  /** Statements the substance filter looks at. */
  readonly statements: readonly EmbeddedStatement[];
  readonly summaryText: string;
  readonly summarySource: "given" | "made from turns";
  readonly fullText: string;
  readonly keywords: readonly string[];
  readonly hypotheticalQuery: string;
  /** Statements kept as cues. */
  readonly cues: readonly EmbeddedStatement[];
  readonly summaryVector: QuantizedVector;
  readonly hypotheticalVector: QuantizedVector;
  /** What the language model said, or why it was not used; null when none is configured. */
  readonly model: ModelStep | null;
}

/** Statements embedded at least, since substance is judged by them, and at most, since each takes its time. */
const judgedCountMin = 8;
const judgedCountMax = 32;
const queryKeywordCount = 5;

export async function makeCandidate(interaction: Interaction, state: PersonState): Promise<Candidate> {
  const { graph, context } = state;
  const coreSummary = state.coreSummary?.text ?? null;
  const { embedding, parameters, languageModel } = context;
  const model = languageModel === null ? null : await judgeWithModel(interaction, coreSummary, languageModel, context);
  const statements = await embedStatements(interaction, graph, context);
  const summaryText = interaction.summary ?? summarizeStatements(statements, parameters.summaryWordCountMax);
  const fullText = joinTurns(interaction);
  const text = `${summaryText}\n${fullText}`;
  const keywords = model?.judgement?.keywords ?? extractKeywords(text, graph.lexicalIndex, parameters.keywordCountMax);
  const hypotheticalQuery = chooseHypotheticalQuery(model, keywords, parameters.statementCountMax);
  const cues = await chooseCues(model, statements, graph, context);
  const [summaryVector, hypotheticalVector] = await embedding.embed(
    [summaryText, ...(hypotheticalQuery === "" ? [] : [`${hypotheticalQuery} ${summaryText}`])],
    "commitment",
  );
  return {
    interaction,
    statements,
    summaryText,
    summarySource: interaction.summary === null ? "made from turns" : "given",
    fullText,
    keywords,
    hypotheticalQuery,
    cues,
    summaryVector: summaryVector!,
    hypotheticalVector: hypotheticalVector ?? summaryVector!,
    model,
  };
}

async function embedStatements(
  interaction: Interaction,
  graph: MemoryGraph,
  context: EngineContext,
): Promise<EmbeddedStatement[]> {
  const { statementCountMax } = context.parameters;
  const all = splitStatements(interaction);
  // A summary has to be made from all of them; a given one leaves only the telling statements to look at.
  const countMax = interaction.summary === null ? judgedCountMax : Math.max(judgedCountMin, statementCountMax);
  const selected = selectStatements(all, graph.lexicalIndex, Math.min(countMax, judgedCountMax));
  return embedEach(selected.length > 0 ? selected : all.slice(0, judgedCountMin), context);
}

async function embedEach(statements: readonly Statement[], { embedding }: EngineContext): Promise<EmbeddedStatement[]> {
  const vectors = await embedding.embed(
    statements.map(({ text }) => text),
    "commitment",
  );
  return statements.map((statement, i) => ({ ...statement, vector: vectors[i]! }));
}

async function chooseCues(
  model: ModelStep | null,
  statements: readonly EmbeddedStatement[],
  graph: MemoryGraph,
  context: EngineContext,
): Promise<EmbeddedStatement[]> {
  const { statementCountMax } = context.parameters;
  if (statementCountMax === 0) return [];
  if (model?.judgement == null) return selectStatements(statements, graph.lexicalIndex, statementCountMax);
  const written = model.judgement.statements.map((text) => ({ who: null, text }));
  return embedEach(written.slice(0, statementCountMax), context);
}

/**
 * The question a memory answers (section 3.1.2). A language model writes a real one. Without one, statements are the
 * better cue; only where none are kept, as in the paper's own setting, a question is put together from the keywords.
 */
function chooseHypotheticalQuery(
  model: ModelStep | null,
  keywords: readonly string[],
  statementCountMax: number,
): string {
  if (model?.judgement != null) return model.judgement.hypotheticalQuery;
  if (statementCountMax > 0 || keywords.length === 0) return "";
  return `What was said about ${keywords.slice(0, queryKeywordCount).join(", ")}?`;
}

function joinTurns({ turns }: Interaction): string {
  return turns.map(({ who, text }) => `${who}: ${text}`).join("\n");
}
