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
import { type EmbeddedStatements, embedStatements, embedTopic, packWords } from "./statement-tokens.js";
import { cutWindows } from "./windows.js";

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
  const said = await embedStatements(cut, { embedding, parameters });
  const sentences = cut.length > 0 ? toSentences(cut, said.vectors) : await embedSentences(interaction, graph, context);
  const summarize = async (text: string | null): Promise<string> =>
    interaction.summary ?? text ?? (await runInSlices(summarizeSteps(sentences, parameters.summaryWordCountMax)));
  const written = await write(summarize);
  const summaryText = await summarize(written?.summary ?? null);
  const told = await addWritten({ cut, ...said }, written?.statements ?? [], graph, context);
  const { cut: statements, vectors, words } = told;
  const tokenBytes = await packWords({ statements, summaryText }, words, { embedding, parameters });
  const fullText = interaction.turns.map(({ who, text }) => `${who}: ${text}`).join("\n");
  const extracted = extractKeywordsSteps(`${summaryText}\n${fullText}`, graph.lexicalIndex, parameters.keywordCountMax);
  // A question assembled from keywords finds less than the summary alone; only a language model writes a real one.
  const questions = written?.questions ?? [];
  const hypotheticalQuery = questions.join(" ");
  const questionVectors = await embedding.embed(questions, "commitment");
  const topic = { statements, summaryText, hypotheticalQuery };
  const [summaryVector, hypotheticalVector] = await embedTopic(topic, vectors, { embedding, parameters });
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
    statements: await readStatements(told, context),
    statementVectors: vectors,
    tokenBytes,
    summaryVector,
    hypotheticalVector,
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

interface Told extends EmbeddedStatements {
  readonly cut: readonly CutStatement[];
}

/** A model's statements follow what was said; of a long talk they take the place of what tells least. */
async function addWritten(
  told: Told,
  written: readonly string[],
  { lexicalIndex }: MemoryGraph,
  work: Work,
): Promise<Told> {
  if (written.length === 0) return told;
  const countMax = work.parameters.statementCountMax;
  const own = written
    .slice(0, countMax)
    .map((text) => ({ turn: null, who: null, text, asked: null, kind: "written" as const }));
  const kept = new Set(await runInSlices(selectStatementsSteps(told.cut, lexicalIndex, countMax - own.length)));
  const isKept = (_: unknown, i: number): boolean => kept.has(told.cut[i]!);
  const added = await embedStatements(own, work);
  return {
    cut: [...told.cut.filter(isKept), ...own],
    vectors: [...told.vectors.filter(isKept), ...added.vectors],
    readings: [...told.readings.filter(isKept), ...added.readings],
    words: [...told.words.filter(isKept), ...added.words],
  };
}

/** Readings that came with the vectors, or one batch for all statements. */
async function readStatements({ cut, readings }: Told, { reading }: Work): Promise<Statement[]> {
  const read = async (): Promise<(Reading | null)[]> => {
    if (reading === null) return cut.map(() => null);
    if (reading.readsAlong) return cut.map((statement, i) => (isTold(statement) ? readings[i]! : null));
    const told = cut.filter(isTold);
    const inTalk = cutWindows(cut).flatMap(({ before, texts }) =>
      texts.map((_, i) => (i === 0 ? before : texts.slice(0, i).join(" "))),
    );
    const found = await reading.read(told.map((each) => ({ text: each.text, before: inTalk[cut.indexOf(each)]! })));
    return cut.map((statement) => (isTold(statement) ? found[told.indexOf(statement)]! : null));
  };
  const found = await read();
  return cut.map((statement, i) => ({ ...statement, reading: withWarning(statement.text, found[i]!) }));
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
