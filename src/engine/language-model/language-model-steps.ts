/**
 * The steps in which a language model takes part, if one is configured: the interaction summary and the running summary
 * (section 3), substance, keywords, statements and hypothetical queries in one call (Algorithm B1; section 3.1.2), and
 * the core summary (section 3.3). Every reply is checked against the text the model was given: sentences with numbers
 * or names of its own are dropped, and a reply that goes in circles or has little to do with the text is rejected. A
 * step whose reply cannot be used is done without the model, and the trace says so.
 */
import { fence } from "../../core/text/fence.js";
import type { Interaction, Turn } from "../../ports/store.js";
import { withoutInstructions } from "../core-summary/instructions.js";
import type { EngineContext } from "../engine-context.js";
import { describeValue } from "../given-values.js";
import { Source, isCircular } from "./grounding.js";
import type { ModelAnswer, ModelCalls, ModelStepTrace } from "./model-calls.js";
import { runInSlices } from "../serial-lock.js";

/** What a model says about an interaction. */
export interface Judgment {
  readonly substantial: boolean;
  readonly category: string;
  readonly keywords: readonly string[];
  readonly statements: readonly string[];
  /** The hypothetical queries, as one text. */
  readonly hypotheticalQuery: string;
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

const judgmentSchema = (categories: readonly string[]): Readonly<Record<string, unknown>> => ({
  type: "object",
  properties: {
    substantial: { type: "integer", enum: [0, 1] },
    category: { type: "string", enum: [...categories, noCategory] },
    keywords: { ...textList(12), minItems: 1 },
    statements: textList(statementCountMax),
    hypotheticalQueries: textList(queryCountMax),
  },
  required: ["substantial", "category", "keywords", "statements", "hypotheticalQueries"],
});

const summarySchema = { type: "object", properties: { summary: { type: "string" } }, required: ["summary"] };

const coreSummarySchema = {
  type: "object",
  properties: { coreSummary: { type: "string" } },
  required: ["coreSummary"],
};

/** `coreSummary`: what is already known, the baseline for what is substantial (Algorithm B1). */
export async function workWithModel(
  interaction: Interaction,
  coreSummary: string | null,
  calls: ModelCalls,
  context: EngineContext,
): Promise<ModelWork> {
  const summary =
    interaction.summary === null && interaction.turns.length > 0 ? await summarize(interaction, calls, context) : null;
  const judgment = await judge(interaction, coreSummary, calls, context);
  const steps = [...(summary === null ? [] : [summary.trace]), judgment.trace];
  logFailures(steps, calls, context);
  return { name: calls.model.name, steps, summary: summary?.value ?? null, judgment: judgment.value };
}

async function summarize(
  interaction: Interaction,
  calls: ModelCalls,
  context: EngineContext,
): Promise<ModelAnswer<string>> {
  const text = `${describeMoment(interaction, context)}\n${joinTurns(interaction.turns)}`;
  const source = await runInSlices(Source.readSteps(text));
  return calls.ask({
    step: "interaction summary",
    instruction: context.profile.prompts.interactionSummary,
    text: fence(fenceName, fitText(text, calls, context)),
    schema: summarySchema,
    read: (object) => readSupported(object, "summary", source),
  });
}

async function judge(
  interaction: Interaction,
  coreSummary: string | null,
  calls: ModelCalls,
  context: EngineContext,
): Promise<ModelAnswer<Judgment>> {
  const said = [describeMoment(interaction, context), interaction.summary ?? "", joinTurns(interaction.turns)];
  const known = `Core summary:\n${coreSummary ?? "N/A"}\n\n`;
  const interactionText = said.filter((part) => part !== "").join("\n");
  const source = await runInSlices(Source.readSteps(interactionText));
  const categories = context.profile.categories.map(({ name }) => name);
  return calls.ask({
    step: "commitment",
    instruction: context.profile.prompts.commitment,
    text: fence(fenceName, known + fitText(interactionText, calls, context, known)),
    schema: judgmentSchema(categories),
    read: (object) => readJudgment(object, source, categories, context.parameters.keywordCountMax),
  });
}

/** The running summary after further turns (section 3). `current` covers the turns before them. */
export async function summarizeTurnsWithModel(
  current: string | null,
  turns: readonly Turn[],
  calls: ModelCalls,
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

/** The core summary in the model's words, and how that went. */
export async function writeCoreSummaryWithModel(
  current: string | null,
  memories: readonly string[],
  calls: ModelCalls,
  context: EngineContext,
): Promise<ModelAnswer<string>> {
  const { coreSummaryFirst, coreSummaryUpdate } = context.profile.prompts;
  const known = current === null ? "" : `Current core summary:\n${current}\n\n`;
  const texts = memories.map(withoutInstructions).join("\n");
  const source = await runInSlices(Source.readSteps(known + texts));
  const answer = await calls.ask({
    step: "core summary",
    instruction: current === null ? coreSummaryFirst : coreSummaryUpdate,
    text: fence(fenceName, `${known}Memories:\n${fitText(texts, calls, context, known)}`),
    schema: coreSummarySchema,
    read: (object) => readCoreSummary(object, source),
  });
  logFailures([answer.trace], calls, context);
  return answer;
}

/** What a memory tells the model to do may come back in its reply. */
function readCoreSummary(object: Readonly<Record<string, unknown>>, source: Source): string {
  const text = withoutInstructions(readSupported(object, "coreSummary", source, coreSharedShareMin));
  if (text === "") throw new Error('"coreSummary" holds instructions, not what is known');
  return text;
}

function logFailures(steps: readonly ModelStepTrace[], calls: ModelCalls, { log }: EngineContext): void {
  for (const { step, how, failure } of steps) {
    if (how !== "without model") continue;
    log({ level: "warn", message: `${step} was done without ${calls.model.name}: ${failure}` });
  }
}

/** Words such as "yesterday" mean something only with the day on which they were said. */
function describeMoment({ initMs }: Interaction, { timeZone }: EngineContext): string {
  const show = (options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat("en-GB", { ...options, timeZone }).format(initMs);
  const day = show({ day: "numeric", month: "long", year: "numeric" });
  return `Interaction of ${show({ weekday: "long" })}, ${day}:`;
}

function joinTurns(turns: readonly Turn[]): string {
  return turns.map(({ who, text }) => `${who}: ${text}`).join("\n");
}

const omission = "\n[…]\n";
const startShare = 0.6;

/**
 * As much of a text as fits the model along with `known`: its beginning and its end. The memory itself keeps all of it.
 */
function fitText(text: string, { model }: ModelCalls, context: EngineContext, known = ""): string {
  const { countTokens, parameters } = context;
  const tokensMax = Math.min(parameters.modelTextTokensMax, model.textTokensMax ?? Infinity);
  const tokenCount = countTokens(text);
  const left = Math.max(0, tokensMax - countTokens(known));
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
): Judgment {
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
    hypotheticalQuery: readSupportedList(object, "hypotheticalQueries", source).slice(0, queryCountMax).join(" "),
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
