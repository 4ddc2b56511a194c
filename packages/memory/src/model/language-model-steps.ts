/**
 * The steps in which a language model takes part, if one is configured: the interaction summary and the running summary
 * (section 3), substance, keywords, statements and hypothetical queries in one call (Algorithm B1; section 3.1.2), and
 * the core summary (section 3.3). Every reply is checked against the text the model was given: sentences with numbers
 * or names of its own are dropped, and a reply that goes in circles or has little to do with the text is rejected. A
 * step whose reply cannot be used is done without the model, and the trace says so.
 */
import { fence } from "../text/fence.js";
import type { Interaction, Turn } from "../engine/records/person-data.js";
import { withoutInstructions } from "../english/instructions.js";
import { withoutOutdated } from "./outdated-sources.js";
import type { EngineContext } from "../engine/engine-context.js";
import type { ModelClaim } from "../engine/commit-trace.js";
import { describeValue } from "../engine/given-values.js";
import { type ShownMemory, readClaims, shownText } from "./claimed-updates.js";
import { Source, isCircular } from "./grounding.js";
import type { AskedModel, ModelAnswer, ModelStepTrace } from "../engine/parts.js";
import { quote } from "../text/quotation.js";
import { runInSlices } from "../engine/serial-lock.js";

/** What a model says about an interaction. */
export interface Judgment {
  readonly substantial: boolean;
  readonly category: string;
  readonly keywords: readonly string[];
  readonly statements: readonly string[];
  /** The hypothetical queries, each once. */
  readonly questions: readonly string[];
  /** The memories that the model takes to be outdated by the interaction. */
  readonly updates: readonly ModelClaim[];
}

/** What a model made of an interaction, step by step. */
export interface ModelWork {
  readonly name: string;
  readonly steps: readonly ModelStepTrace[];
  /** Null if the step was done without the model; the summary is also null if one was submitted. */
  readonly summary: string | null;
  readonly judgment: Judgment | null;
}

const statementCountMax = 16;
const queryCountMax = 3;
const keywordLengthMax = 80;
/** A summary or statement far longer than requested means that the model did not understand. */
const textLengthMax = 4_000;
const statementLengthMax = 500;
/** Terms that a summary, and a statement or query, must share with the text; a core summary rephrases more. */
const sharedShareMin = 1 / 3;
const coreSharedShareMin = 1 / 5;

/** The prompts name it. */
const fenceName = "TEXT";

const textList = (maxItems: number): object => ({ type: "array", items: { type: "string" }, maxItems });

const noCategory = "none";

/** Handles may be all named: a model that does so is not believed, which it has to have the chance to show. */
const handleList = (handles: readonly string[]): object => ({
  type: "array",
  items: { type: "string", enum: handles },
  maxItems: handles.length,
});

const judgmentSchema = (
  categories: readonly string[],
  handles: readonly string[],
): Readonly<Record<string, unknown>> => {
  const properties = {
    substantial: { type: "integer", enum: [0, 1] },
    category: { type: "string", enum: [...categories, noCategory] },
    ...(handles.length === 0 ? {} : { updates: handleList(handles) }),
    keywords: { ...textList(12), minItems: 1 },
    statements: textList(statementCountMax),
    hypotheticalQueries: textList(queryCountMax),
  };
  return { type: "object", properties, required: Object.keys(properties) };
};

const summarySchema = { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] };

const coreSummarySchema = {
  type: "object",
  properties: { coreSummary: { type: "string" } },
  required: ["coreSummary"],
};

/** The nearest memories to an interaction, once the model has summarized it or was not asked to. */
export type FindMemories = (summary: string | null) => Promise<readonly ShownMemory[]>;

/** `coreSummary`: what is already known, the baseline for what is substantial (Algorithm B1). */
export async function workWithModel(
  interaction: Interaction,
  coreSummary: string | null,
  calls: AskedModel,
  context: EngineContext,
  findMemories: FindMemories = async () => [],
  signal?: AbortSignal,
): Promise<ModelWork> {
  const summary =
    interaction.summary === null && interaction.turns.length > 0
      ? await summarize(interaction, calls, context, signal)
      : null;
  const isAsked = context.profile.prompts.updates !== undefined;
  const memories = isAsked ? await findMemories(summary?.value ?? null) : [];
  const judgment = await judge(interaction, { coreSummary, memories }, calls, context, signal);
  const steps = [...(summary === null ? [] : [summary.trace]), judgment.trace];
  logFailures(steps, calls, context);
  return { name: calls.model.name, steps, summary: summary?.value ?? null, judgment: judgment.value };
}

async function summarize(
  interaction: Interaction,
  calls: AskedModel,
  context: EngineContext,
  signal: AbortSignal | undefined,
): Promise<ModelAnswer<string>> {
  const text = `${describeMoment(interaction, context)}\n${joinTurns(interaction.turns)}`;
  const source = await runInSlices(Source.readSteps(text));
  return calls.ask({
    step: "interaction summary",
    instruction: context.profile.prompts.interactionSummary,
    text: fence(fenceName, fitText(text, calls, context)),
    schema: summarySchema,
    read: (object) => readSupported(object, "summary", source),
    signal,
  });
}

async function judge(
  interaction: Interaction,
  { coreSummary, memories }: { readonly coreSummary: string | null; readonly memories: readonly ShownMemory[] },
  calls: AskedModel,
  context: EngineContext,
  signal: AbortSignal | undefined,
): Promise<ModelAnswer<Judgment>> {
  const { prompts } = context.profile;
  const lines = fitLines(memories.map(describeMemory(context)), calls, context);
  const shown = memories.slice(0, lines.length);
  const listed = lines.length === 0 ? "" : `Earlier memories:\n${lines.join("\n")}\n\n`;
  const said = [describeMoment(interaction, context), interaction.summary ?? "", joinTurns(interaction.turns)];
  const known = `Core summary:\n${coreSummary ?? "N/A"}\n\n${listed}`;
  const interactionText = said.filter((part) => part !== "").join("\n");
  const source = await runInSlices(Source.readSteps(interactionText));
  const categories = context.profile.categories.map(({ name }) => name);
  return calls.ask({
    step: "commitment",
    instruction: shown.length === 0 ? prompts.commitment : `${prompts.commitment}\n${prompts.updates}`,
    text: fence(fenceName, known + fitText(interactionText, calls, context, known)),
    schema: judgmentSchema(
      categories,
      shown.map(({ handle }) => handle),
    ),
    read: (object) => ({
      ...readJudgment(object, source, categories, context.parameters.keywordCountMax),
      updates: readClaims(shown.length === 0 ? [] : object["updates"], shown, source),
    }),
    signal,
  });
}

/** The running summary after further turns (section 3). `current` covers the turns before them. */
export async function summarizeTurnsWithModel(
  current: string | null,
  turns: readonly Turn[],
  calls: AskedModel,
  context: EngineContext,
): Promise<string | null> {
  const known = current === null ? "" : `Summary so far:\n${current}\n\n`;
  const said = joinTurns(turns);
  const source = await runInSlices(Source.readSteps(known + said));
  const answer = await calls.ask({
    step: "running summary",
    instruction: context.profile.prompts.runningSummary,
    text: fence(fenceName, `${known}New turns:\n${fitText(said, calls, context, known)}`),
    schema: summarySchema,
    read: (object) => readSupported(object, "summary", source),
  });
  logFailures([answer.trace], calls, context);
  return answer.value;
}

/** What a core summary is written from. */
export interface CoreSummaryBasis {
  /** The last one. */
  readonly current: string | null;
  readonly memories: readonly string[];
  /** Memories behind the last one that no longer hold. */
  readonly outdated: readonly string[];
}

/** The core summary in the model's words, and how that went. */
export async function writeCoreSummaryWithModel(
  { current, memories, outdated }: CoreSummaryBasis,
  calls: AskedModel,
  context: EngineContext,
): Promise<ModelAnswer<string>> {
  const { coreSummaryFirst, coreSummaryUpdate } = context.profile.prompts;
  const known = current === null ? "" : `Current core summary:\n${current}\n\n`;
  const texts = memories.map(withoutInstructions).join("\n");
  // What no longer holds is not among what a reply may say.
  const source = await runInSlices(Source.readSteps(known + texts));
  const lines = fitLines(
    outdated.map((text) => `- ${quote(withoutInstructions(text))}`),
    calls,
    context,
  );
  const ended = lines.length === 0 ? "" : `No longer holds:\n${lines.join("\n")}\n\n`;
  const answer = await calls.ask({
    step: "core summary",
    instruction: current === null ? coreSummaryFirst : coreSummaryUpdate,
    text: fence(fenceName, `${known}${ended}Memories:\n${fitText(texts, calls, context, known + ended)}`),
    schema: coreSummarySchema,
    read: (object) => readCoreSummary(object, source, { memories, outdated }),
  });
  logFailures([answer.trace], calls, context);
  return answer;
}

/** What a memory tells the model to do may come back in its reply. */
function readCoreSummary(
  object: Readonly<Record<string, unknown>>,
  source: Source,
  { memories, outdated }: Pick<CoreSummaryBasis, "memories" | "outdated">,
): string {
  const text = withoutInstructions(readSupported(object, "coreSummary", source, coreSharedShareMin));
  if (text === "") throw new Error('"coreSummary" holds instructions, not what is known');
  const holding = withoutOutdated(text, outdated, memories);
  if (holding === "") throw new Error('"coreSummary" says only what no longer holds');
  return holding;
}

function logFailures(steps: readonly ModelStepTrace[], calls: AskedModel, { log }: EngineContext): void {
  for (const { step, how, failure } of steps) {
    if (how !== "without model") continue;
    log({ level: "warn", message: `${step} was done without ${calls.model.name}: ${failure}` });
  }
}

/** Words such as "yesterday" mean something only with the day on which they were said. */
function describeMoment({ initMs }: Interaction, context: EngineContext): string {
  const weekday = showTime(initMs, { weekday: "long" }, context);
  return `Interaction of ${weekday}, ${showTime(initMs, dayOptions, context)}:`;
}

const dayOptions = { day: "numeric", month: "long", year: "numeric" } as const;

function showTime(ms: number, options: Intl.DateTimeFormatOptions, { timeZone }: EngineContext): string {
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(ms);
}

function describeMemory(context: EngineContext): (memory: ShownMemory) => string {
  return ({ handle, node }) => `${handle} (${showTime(node.initMs, dayOptions, context)}): ${shownText(node)}`;
}

function joinTurns(turns: readonly Turn[]): string {
  return turns.map(({ who, text }) => `${who}: ${text}`).join("\n");
}

/** Of the text that fits a model, what lists of memories may take, so that the interaction keeps its place. */
const listShare = 1 / 4;

/** The first lines of a list, as many as fit. */
function fitLines(lines: readonly string[], { model }: AskedModel, context: EngineContext): string[] {
  const { countTokens } = context;
  let left = listShare * textTokensMax(model, context);
  const tooFar = lines.findIndex((line) => (left -= countTokens(line)) < 0);
  return tooFar < 0 ? [...lines] : lines.slice(0, tooFar);
}

function textTokensMax(model: AskedModel["model"], { parameters }: EngineContext): number {
  return Math.min(parameters.modelTextTokensMax, model.textTokensMax ?? Infinity);
}

const omission = "\n[…]\n";
const startShare = 0.6;

/**
 * As much of a text as fits the model along with `known`: its beginning and its end. The memory itself keeps all of it.
 */
function fitText(text: string, { model }: AskedModel, context: EngineContext, known = ""): string {
  const { countTokens } = context;
  const tokenCount = countTokens(text);
  const left = Math.max(0, textTokensMax(model, context) - countTokens(known));
  if (tokenCount <= left) return text;
  const length = Math.floor((text.length * left) / tokenCount);
  const start = text.slice(0, Math.floor(length * startShare)).toWellFormed();
  const end = text.slice(text.length - Math.floor(length * (1 - startShare))).toWellFormed();
  return start + omission + end;
}

function readJudgment(
  object: Readonly<Record<string, unknown>>,
  source: Source,
  categories: readonly string[],
  keywordCountMax: number,
): Omit<Judgment, "updates"> {
  const substantial = object["substantial"];
  if (substantial !== 0 && substantial !== 1 && typeof substantial !== "boolean") {
    throw new Error(`"substantial" is ${describeValue(substantial)} instead of 0 or 1`);
  }
  const keywords = requireTexts(object, "keywords").filter((keyword) => keyword.length <= keywordLengthMax);
  // A keyword of the model's own may be a good one ("allergy"), but most are about something else.
  const known = keywords.filter((keyword) => source.sharedTermShare(keyword) > 0);
  if (keywords.length === 0 || known.length < sharedShareMin * keywords.length) {
    throw new Error('"keywords" has little to do with the text');
  }
  const statements = readSupportedList(object, "statements", source);
  if (statements.length === 0 && (object["statements"] as unknown[]).length > 0) {
    throw new Error('"statements" has little to do with the text');
  }
  return {
    substantial: Boolean(substantial),
    category: readCategory(object["category"], categories),
    keywords: [...new Set(keywords.map((keyword) => keyword.toLowerCase()))].slice(0, keywordCountMax),
    statements: statements.slice(0, statementCountMax),
    questions: [...new Set(readSupportedList(object, "hypotheticalQueries", source))].slice(0, queryCountMax),
  };
}

function readCategory(value: unknown, categories: readonly string[]): string {
  const text = requireText(value, "category").toLowerCase();
  const category = [...categories, noCategory].find((name) => name.toLowerCase() === text);
  if (category === undefined) throw new Error('"category" is none of those given');
  return category;
}

/** The texts of a list that the source supports. */
function readSupportedList(object: Readonly<Record<string, unknown>>, name: string, source: Source): string[] {
  return requireTexts(object, name).filter(
    (text) =>
      text.length <= statementLengthMax &&
      !isCircular(text) &&
      source.inventionsIn(text).length === 0 &&
      source.sharedTermShare(text) >= sharedShareMin,
  );
}

/** A text from the reply without the sentences that the source does not support. */
function readSupported(
  object: Readonly<Record<string, unknown>>,
  name: string,
  source: Source,
  shareMin = sharedShareMin,
): string {
  const text = requireText(object[name], name);
  if (text.length > textLengthMax) throw new Error(`"${name}" is longer than ${textLengthMax} characters`);
  if (isCircular(text)) throw new Error(`"${name}" goes in circles`);
  const supported = source.supportedSentences(text);
  if (supported === "") {
    throw new Error(`"${name}" tells of ${source.inventionsIn(text).slice(0, 5).join(", ")}, which the text does not`);
  }
  if (source.sharedTermShare(supported) < shareMin) throw new Error(`"${name}" has little to do with the text`);
  return supported;
}

function requireTexts(object: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = object[name];
  if (!Array.isArray(value)) throw new Error(`"${name}" is no list`);
  return value.map((item) => requireText(item, name));
}

function requireText(value: unknown, name: string): string {
  if (typeof value !== "string" || value.trim() === "" || !value.isWellFormed()) {
    throw new Error(`"${name}" is no text`);
  }
  return value.trim();
}
