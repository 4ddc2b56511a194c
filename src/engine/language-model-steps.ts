/**
 * The steps a language model takes part in, where one is configured (Algorithm B1; section 3.1.2 for keywords and
 * hypothetical queries; section 3.3 for the core summary). A model is never trusted: a reply that is not what was asked
 * for, or none at all, leaves the step to its version without a model, and the trace says so.
 */
import type { LanguageModel } from "../ports/language-model.js";
import type { Interaction } from "../ports/store.js";
import type { EngineContext } from "./engine-context.js";

/** What a model says of an interaction. */
export interface Judgement {
  readonly substantial: boolean;
  readonly category: string;
  readonly keywords: readonly string[];
  readonly statements: readonly string[];
  readonly hypotheticalQuery: string;
}

export interface ModelStep {
  readonly model: string;
  /** Null when the model failed and the step was done without it. */
  readonly judgement: Judgement | null;
  readonly failure: string | null;
}

const textList = { type: "array", items: { type: "string" }, maxItems: 16 };

const judgementSchema = {
  type: "object",
  properties: {
    substantial: { type: "integer", enum: [0, 1] },
    category: { type: "string" },
    keywords: textList,
    statements: textList,
    hypotheticalQuery: { type: "string" },
  },
  required: ["substantial", "category", "keywords", "statements", "hypotheticalQuery"],
};

const coreSummarySchema = {
  type: "object",
  properties: { coreSummary: { type: "string" } },
  required: ["coreSummary"],
};

/** `coreSummary`: what is known already, the baseline for what is substantial (Algorithm B1). */
export async function judgeWithModel(
  interaction: Interaction,
  coreSummary: string | null,
  model: LanguageModel,
  context: EngineContext,
): Promise<ModelStep> {
  const known = `Core summary:\n${coreSummary ?? "N/A"}\n\nInteraction:`;
  const text = [
    known,
    interaction.summary ?? "",
    ...interaction.turns.map(({ who, text: said }) => `${who}: ${said}`),
  ].join("\n");
  try {
    const instruction = context.profile.prompts.commitment;
    const reply = await model.complete({ instruction, text: fence(text), schema: judgementSchema });
    return { model: model.name, judgement: readJudgement(reply), failure: null };
  } catch (error) {
    context.log({ level: "warn", message: `${model.name} gave no usable judgement; done without it`, cause: error });
    return { model: model.name, judgement: null, failure: String((error as Error).message) };
  }
}

/** The core summary in the model's words, or null when it failed. */
export async function writeCoreSummaryWithModel(
  current: string | null,
  memories: readonly string[],
  model: LanguageModel,
  context: EngineContext,
): Promise<string | null> {
  const { coreSummaryFirst, coreSummaryUpdate } = context.profile.prompts;
  const instruction = current === null ? coreSummaryFirst : coreSummaryUpdate;
  const known = current === null ? "" : `Current core summary:\n${current}\n\n`;
  try {
    const text = fence(`${known}Memories:\n${memories.join("\n")}`);
    const reply = parseObject(await model.complete({ instruction, text, schema: coreSummarySchema }));
    return requireText(reply["coreSummary"], "coreSummary");
  } catch (error) {
    context.log({ level: "warn", message: `${model.name} gave no usable core summary; done without it`, cause: error });
    return null;
  }
}

/** Marks text as data, so that instructions inside it are not taken for ours. */
function fence(text: string): string {
  return `<<<TEXT\n${text.replaceAll("<<<", "‹‹‹").replaceAll(">>>", "›››")}\nTEXT>>>`;
}

function readJudgement(reply: string): Judgement {
  const object = parseObject(reply);
  const substantial = object["substantial"];
  if (substantial !== 0 && substantial !== 1 && typeof substantial !== "boolean") {
    throw new Error(`"substantial" is ${JSON.stringify(substantial)} instead of 0 or 1`);
  }
  return {
    substantial: Boolean(substantial),
    category: requireText(object["category"], "category"),
    keywords: requireTexts(object["keywords"], "keywords").map((keyword) => keyword.toLowerCase()),
    statements: requireTexts(object["statements"], "statements"),
    hypotheticalQuery: requireText(object["hypotheticalQuery"], "hypotheticalQuery"),
  };
}

function parseObject(reply: string): Record<string, unknown> {
  const value: unknown = JSON.parse(reply);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error("the reply is no JSON object");
  return value as Record<string, unknown>;
}

function requireTexts(value: unknown, name: string): string[] {
  if (!Array.isArray(value)) throw new Error(`"${name}" is no list`);
  return value.map((item) => requireText(item, name));
}

function requireText(value: unknown, name: string): string {
  if (typeof value !== "string" || value.trim() === "" || !value.isWellFormed()) {
    throw new Error(`"${name}" is no text`);
  }
  return value.trim();
}
