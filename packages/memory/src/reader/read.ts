/**
 * Reading: an interaction becomes statements with readings, a summary, keywords and vectors, none of which depends on what
 * the memory decides later. A language model, where there is one, is shown the memories nearest to the summary; what it
 * says of them is weighed when links are made. Reading is slow (it embeds) and happens outside the person's lock.
 */
import { tellsOwnWarning } from "../english/warnings.js";
import { type ForgetWish, isWishToRemember, readForgetWish } from "../english/wishes.js";
import type { EngineContext } from "../engine/engine-context.js";
import type { Interaction } from "../engine/records/person-data.js";
import { runInSlices } from "../engine/serial-lock.js";
import type { MemoryGraph } from "../graph/memory-graph.js";
import type { Reading, Statement } from "../graph/statement.js";
import type { QuantizedVector } from "../graph/vectors/quantized-vector.js";
import { extractKeywordsSteps } from "../text/keywords.js";
import { type CutStatement, assistant, cutStatementsSteps, selectStatementsSteps } from "./cut.js";
import { summarizeSteps } from "./interaction-summary.js";
import { type EmbeddedSentence, splitSaidSteps, tellingSteps } from "./sentences.js";
import { embedStatements } from "./statement-tokens.js";

/** What a language model wrote of an interaction, as far as it can be used. */
export interface Written {
  readonly summary: string | null;
  readonly keywords: readonly string[] | null;
  readonly statements: readonly string[];
  readonly questions: readonly string[];
}

export interface ReadInteraction {
  readonly interaction: Interaction;
  readonly summaryText: string;
  readonly summarySource: "given" | "made from turns" | "language model";
  readonly fullText: string;
  readonly keywords: readonly string[];
  /** The hypothetical queries that a language model wrote, and their vectors. */
  readonly questions: readonly string[];
  readonly questionVectors: readonly QuantizedVector[];
  /** All of them in one text. */
  readonly hypotheticalQuery: string;
  readonly statements: readonly Statement[];
  readonly statementVectors: readonly QuantizedVector[];
  /** Vectors of their words, packed; null where the embedder or the store has none. */
  readonly tokenBytes: Uint8Array | null;
  readonly summaryVector: QuantizedVector;
  readonly hypotheticalVector: QuantizedVector;
  /** The sentences by which the profile's examples tell substance. */
  readonly sentences: readonly EmbeddedSentence[];
  readonly asksToRemember: boolean;
  readonly forgetWishes: readonly ForgetWishAt[];
}

export interface ForgetWishAt extends ForgetWish {
  readonly position: number;
}

/** How many sentences substance is told by, and how many a summary is made from; each takes time to embed. */
const judgedCount = 12;
const summarizedCountMax = 32;

type Work = Pick<EngineContext, "embedding" | "parameters" | "reading">;

/** `write`: asks a language model, which may be told the summary that is used without it. */
export async function readInteraction(
  interaction: Interaction,
  graph: MemoryGraph,
  context: Work,
  write: (summarize: (written: string | null) => Promise<string>) => Promise<Written | null> = async () => null,
): Promise<ReadInteraction> {
  const { embedding, parameters } = context;
  const cut = await cutStatements(interaction, graph, parameters.statementCountMax);
  const said = await embedStatements({ statements: cut, summaryText: "" }, { embedding, parameters });
  const sentences = cut.length > 0 ? toSentences(cut, said.vectors) : await embedSentences(interaction, graph, context);
  const summarize = async (text: string | null): Promise<string> =>
    interaction.summary ?? text ?? (await runInSlices(summarizeSteps(sentences, parameters.summaryWordCountMax)));
  const written = await write(summarize);
  const summaryText = await summarize(written?.summary ?? null);
  const statements = await addWritten(cut, written?.statements ?? [], graph, parameters.statementCountMax);
  const { vectors, tokenBytes } = await embedStatements({ statements, summaryText }, { embedding, parameters });
  const fullText = interaction.turns.map(({ who, text }) => `${who}: ${text}`).join("\n");
  const extracted = extractKeywordsSteps(`${summaryText}\n${fullText}`, graph.lexicalIndex, parameters.keywordCountMax);
  // A question assembled from keywords finds less than the summary alone; only a language model writes a real one.
  const questions = written?.questions ?? [];
  const hypotheticalQuery = questions.join(" ");
  const query = hypotheticalQuery === "" ? summaryText : `${hypotheticalQuery} ${summaryText}`;
  const [summaryVector, hypotheticalVector, ...questionVectors] = await embedding.embed(
    [summaryText, query, ...questions],
    "commitment",
  );
  return {
    interaction,
    summaryText,
    summarySource:
      interaction.summary !== null ? "given" : written?.summary == null ? "made from turns" : "language model",
    fullText,
    keywords: written?.keywords ?? (await runInSlices(extracted)),
    questions,
    questionVectors,
    hypotheticalQuery,
    statements: await readStatements(statements, context),
    statementVectors: vectors,
    tokenBytes,
    summaryVector: summaryVector!,
    hypotheticalVector: hypotheticalVector!,
    sentences,
    asksToRemember: interaction.turns.some(({ who, text }) => who !== assistant && isWishToRemember(text)),
    forgetWishes: statements.flatMap((statement, position) => {
      const wish = isTold(statement) ? readForgetWish(statement.text) : null;
      return wish === null ? [] : [{ ...wish, position }];
    }),
  };
}

/** The running summary of a conversation, chosen from its sentences as that of a memory is. */
export async function summarizeSaid(interaction: Interaction, graph: MemoryGraph, context: Work): Promise<string> {
  const sentences = await embedSentences(interaction, graph, context);
  return runInSlices(summarizeSteps(sentences, context.parameters.summaryWordCountMax));
}

/** Whether a statement is what a person said, or a model wrote of it, and no material. */
export function isTold({ who, kind }: Pick<Statement, "who" | "kind">): boolean {
  return who !== assistant && kind !== "passage";
}

async function cutStatements(interaction: Interaction, graph: MemoryGraph, countMax: number): Promise<CutStatement[]> {
  if (countMax === 0) return [];
  const all = await runInSlices(cutStatementsSteps(interaction));
  return runInSlices(selectStatementsSteps(all, graph.lexicalIndex, countMax));
}

/** A model's statements follow what was said; of a long talk they take the place of what tells least. */
async function addWritten(
  cut: readonly CutStatement[],
  written: readonly string[],
  { lexicalIndex }: MemoryGraph,
  countMax: number,
): Promise<CutStatement[]> {
  const kept = written.slice(0, countMax);
  const own = kept.map((text) => ({
    turn: null,
    who: null,
    text,
    asked: null,
    kind: "written" as const,
    before: null,
  }));
  const said = await runInSlices(selectStatementsSteps(cut, lexicalIndex, countMax - own.length));
  return [...said, ...own];
}

/** One batch for all of them. */
async function readStatements(cut: readonly CutStatement[], { reading }: Work): Promise<Statement[]> {
  const told = reading === null ? [] : cut.filter(isTold);
  const readings = (await reading?.read(told.map(({ text, before }) => ({ text, before })))) ?? [];
  const readingOf = new Map(told.map((statement, i) => [statement, readings[i]!]));
  return cut.map((statement) => {
    const { turn, who, text, asked, kind } = statement;
    return { turn, who, text, asked, kind, reading: withWarning(text, readingOf.get(statement) ?? null) };
  });
}

/** A warning in so many words is one whatever the reader makes of it: to leave it out is dangerous. */
function withWarning(text: string, reading: Reading | null): Reading | null {
  if (reading === null || !tellsOwnWarning(text)) return reading;
  const { fact, lasting, about } = reading;
  const sure = { fact: Math.max(fact, warningMin), lasting: Math.max(lasting, warningMin), area: "alert" as const };
  return { ...reading, ...sure, about: about === "nobody" ? "self" : about };
}

const warningMin = 0.95;

function toSentences(cut: readonly CutStatement[], vectors: readonly QuantizedVector[]): EmbeddedSentence[] {
  return cut.map(({ who, text, asked }, i) => {
    const quoted = asked === null ? {} : { quoted: `${text} (asked: ${asked})` };
    return { who, text: asked === null ? text : `${asked} ${text}`, ...quoted, vector: vectors[i]! };
  });
}

async function embedSentences(
  interaction: Interaction,
  graph: MemoryGraph,
  { embedding }: Work,
): Promise<EmbeddedSentence[]> {
  const all = await runInSlices(splitSaidSteps(interaction));
  const countMax = interaction.summary === null ? summarizedCountMax : judgedCount;
  const telling = await runInSlices(tellingSteps(all));
  const selected = await runInSlices(selectStatementsSteps(telling, graph.lexicalIndex, countMax));
  const chosen = selected.length > 0 ? selected : all.slice(0, judgedCount);
  const vectors = await embedding.embed(
    chosen.map(({ text }) => text),
    "commitment",
  );
  return chosen.map((sentence, i) => ({ ...sentence, vector: vectors[i]! }));
}
