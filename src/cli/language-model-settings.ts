/** Which language model answers and which one judges: options, and environment variables as their defaults. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { OpenAiLanguageModel } from "../adapters/language-model/openai.js";
import type { JudgeName } from "../eval/answer-prompts.js";
import { InputError, type LanguageModel } from "../index.js";
import { parseNames, parsePositive } from "./settings.js";

export interface JudgeSettings {
  readonly llmUrl?: string;
  readonly llmModel?: string;
  readonly llmKeyEnv?: string;
  readonly judgeUrl?: string;
  readonly judgeModel?: string;
  readonly judgeKeyEnv?: string;
  readonly judgeTemperature: number;
  readonly judges: readonly JudgeName[];
  readonly votes: number;
  readonly concurrency: number;
}

/** Long contexts take a small model minutes on a small device; beyond five, fetch itself gives up. */
const timeoutMs = 300_000;

const keyVariable = "OPENAI_API_KEY";

export function addJudgeSettings(command: Command): Command {
  return command
    .option(
      "--llm-url <url>",
      "endpoint that answers, up to its version: http://localhost:8080/v1 (or OPENAI_BASE_URL)",
    )
    .option("--llm-model <name>", "model that answers (or MNEMOSYNE_LLM_MODEL)")
    .option("--llm-key-env <variable>", `environment variable that holds its key (${keyVariable} if that is set)`)
    .option("--judge-url <url>", "endpoint that judges; the one that answers by default")
    .option("--judge-model <name>", "model that judges; the one that answers by default")
    .option("--judge-key-env <variable>", "environment variable that holds the key of --judge-url")
    .option("--judge-temperature <number>", "how freely the judge's votes vary", parseTemperature, 0.3)
    .addOption(
      new Option("--judges <names>", "strict, lenient or both")
        .argParser(parseJudges)
        .default(["strict", "lenient"], "strict,lenient"),
    )
    .option("--votes <n>", "votes per judge and answer, an odd number; the majority counts", parsePositive, 3)
    .option("--concurrency <n>", "questions under way at a time", parsePositive, 2);
}

/** Models, and how freely they speak. */
interface Models {
  readonly answerModel: LanguageModel;
  readonly voters: LanguageModel[];
  readonly temperatures: { readonly answer: number; readonly judge: number };
}

/** Nothing goes out to the network unless an endpoint was named. */
export function createModels(settings: JudgeSettings): Models {
  const baseUrl = settings.llmUrl ?? readVariable("OPENAI_BASE_URL");
  if (baseUrl === undefined) {
    throw new InputError(
      "option_invalid",
      "no language model is configured; give --llm-url, e.g. http://localhost:8080/v1 for llama.cpp, or set OPENAI_BASE_URL",
    );
  }
  const model = settings.llmModel ?? readVariable("MNEMOSYNE_LLM_MODEL");
  if (model === undefined) {
    throw new InputError("option_invalid", "no model is named; give --llm-model or set MNEMOSYNE_LLM_MODEL");
  }
  const apiKey = settings.llmKeyEnv === undefined ? readVariable(keyVariable) : requireVariable(settings.llmKeyEnv);
  const temperatures = { answer: 0, judge: settings.judgeTemperature };
  const answerModel = createModel({ baseUrl, model, apiKey, temperature: temperatures.answer, seed: 0 });
  const judge = {
    baseUrl: settings.judgeUrl ?? baseUrl,
    model: settings.judgeModel ?? model,
    apiKey: judgeKey(settings, apiKey),
    temperature: temperatures.judge,
  };
  const voters = Array.from({ length: settings.votes }, (_, vote) => createModel({ ...judge, seed: vote }));
  return { answerModel, voters, temperatures };
}

/** The key of one server is not shown to another. */
function judgeKey({ judgeUrl, judgeKeyEnv }: JudgeSettings, answerKey: string | undefined): string | undefined {
  if (judgeKeyEnv !== undefined) return requireVariable(judgeKeyEnv);
  return judgeUrl === undefined ? answerKey : undefined;
}

function createModel(options: {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly temperature: number;
  readonly seed: number;
}): LanguageModel {
  const { apiKey, ...rest } = options;
  return new OpenAiLanguageModel({ ...rest, timeoutMs, ...(apiKey === undefined ? {} : { apiKey }) });
}

function readVariable(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === "" ? undefined : value;
}

function requireVariable(name: string): string {
  const value = readVariable(name);
  if (value === undefined) throw new InputError("option_invalid", `environment variable ${name} is not set`);
  return value;
}

function parseJudges(text: string): JudgeName[] {
  const names = parseNames(text);
  const known = names.filter((name): name is JudgeName => name === "strict" || name === "lenient");
  if (known.length < names.length) throw new InvalidArgumentError("it must be strict, lenient or strict,lenient");
  return [...new Set(known)];
}

function parseTemperature(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 2)) throw new InvalidArgumentError("it must be from 0 to 2");
  return value;
}
