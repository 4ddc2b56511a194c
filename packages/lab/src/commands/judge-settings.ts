/** Options of the evaluation: which language model judges the answers of another, and how. */
import { InvalidArgumentError, Option, type Command } from "commander";
import { OpenAiLanguageModel } from "mnemosyne-edge/language-model/openai";
import type { JudgeName } from "../judging/answer-prompts.js";
import type { LanguageModel } from "mnemosyne-edge";
import { requireVariable } from "mnemosyne-edge-server/internal/cli/environment.js";
import {
  type LanguageModelSettings,
  checkAddress,
  endpointTimeoutMs,
  requireEndpoint,
} from "mnemosyne-edge-server/internal/cli/language-model-settings.js";
import { parseNames, parsePositive } from "mnemosyne-edge-server/internal/cli/settings.js";

export interface JudgeSettings extends LanguageModelSettings {
  readonly judgeUrl?: string;
  readonly judgeModel?: string;
  readonly judgeKeyEnv?: string;
  readonly judgeTemperature: number;
  readonly judges: readonly JudgeName[];
  readonly votes: number;
  readonly concurrency: number;
}

export const answererHelp =
  "\n--llm-url, --llm-model and --llm-key-env name the model that answers; see\n`mnemosyne --help`.\n";

export function addJudgeSettings(command: Command): Command {
  return command
    .option("--judge-url <url>", "endpoint that judges; by default the one that answers")
    .option("--judge-model <name>", "model that judges; by default the one that answers")
    .option("--judge-key-env <variable>", "environment variable that holds the key of --judge-url")
    .option("--judge-temperature <number>", "how freely the judge's votes vary", parseTemperature, 0.3)
    .addOption(
      new Option("--judges <names>", "strict, lenient or both")
        .argParser(parseJudges)
        .default(["strict", "lenient"], "strict,lenient"),
    )
    .option("--votes <n>", "votes per judge and answer, an odd number; the majority decides", parsePositive, 3)
    .option("--concurrency <n>", "questions processed at a time", parsePositive, 2);
}

/** Models, and their temperatures. */
interface Models {
  readonly answerModel: LanguageModel;
  readonly voters: LanguageModel[];
  readonly temperatures: { readonly answer: number; readonly judge: number };
}

/** Nothing is sent unless an endpoint is named. */
export function createModels(settings: JudgeSettings): Models {
  const { baseUrl, model, key } = requireEndpoint(settings);
  if (settings.judgeUrl !== undefined) checkAddress("--judge-url", settings.judgeUrl);
  const apiKey = key?.value;
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

/** The key of one server is never sent to another. */
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
  return new OpenAiLanguageModel({
    ...rest,
    timeoutMs: endpointTimeoutMs,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
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
