/**
 * Which language model is used, if any: from options, or from environment variables where options are missing. A model is
 * used only if it is named; an address or a key that the environment holds for other programs sends nothing anywhere.
 */
import type { Command } from "commander";
import { GgufLanguageModel } from "mnemosyne-edge/language-model/gguf";
import {
  installingLlama,
  isLlamaInstalled,
} from "mnemosyne-edge/internal/adapters/language-model/gguf/llama-package.js";
import { OpenAiLanguageModel } from "mnemosyne-edge/language-model/openai";
import { type ChatModel, InputError, type LanguageModel } from "mnemosyne-edge";
import { readVariable, requireVariable } from "./environment.js";

export interface LanguageModelSettings {
  readonly llmUrl?: string;
  readonly llmModel?: string;
  readonly llmKeyEnv?: string;
  readonly gguf?: string;
}

export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly key: { readonly variable: string; readonly value: string } | null;
}

export type LanguageModelChoice =
  { readonly kind: "endpoint"; readonly endpoint: Endpoint } | { readonly kind: "gguf"; readonly path: string };

/** A small model on a small device needs minutes for long texts; after five, fetch itself gives up. */
export const endpointTimeoutMs = 300_000;

const keyVariable = "OPENAI_API_KEY";

export function addLanguageModelSettings(program: Command): Command {
  return program
    .optionsGroup("Language model (none is needed):")
    .option("--llm-url <url>", "endpoint, up to its version: http://localhost:8080/v1 (or OPENAI_BASE_URL)")
    .option("--llm-model <name>", "model at that endpoint (or MNEMOSYNE_LLM_MODEL); without it nothing is sent")
    .option("--llm-key-env <variable>", `environment variable that holds its key (${keyVariable} if that is set)`)
    .option("--gguf <file>", "model file to run in this process instead (or MNEMOSYNE_GGUF)")
    .optionsGroup("Options:");
}

function endpointOptionOf({ llmUrl, llmModel, llmKeyEnv }: LanguageModelSettings): string | undefined {
  return llmUrl ?? llmModel ?? llmKeyEnv;
}

/** What is chosen; null if no model is named. An option overrides any variable. */
export function chooseLanguageModel(settings: LanguageModelSettings): LanguageModelChoice | null {
  const endpointOption = endpointOptionOf(settings);
  const gguf = settings.gguf ?? (endpointOption === undefined ? readVariable("MNEMOSYNE_GGUF") : undefined);
  if (gguf !== undefined) {
    const isTwice =
      settings.gguf === undefined ? readVariable("MNEMOSYNE_LLM_MODEL") !== undefined : endpointOption !== undefined;
    if (isTwice) {
      throw new InputError(
        "option_invalid",
        `two language models are configured: the file ${gguf}, and one at an endpoint; omit --gguf (MNEMOSYNE_GGUF) or --llm-url and --llm-model (MNEMOSYNE_LLM_MODEL)`,
      );
    }
    return { kind: "gguf", path: gguf };
  }
  if (endpointOption === undefined && readVariable("MNEMOSYNE_LLM_MODEL") === undefined) return null;
  return { kind: "endpoint", endpoint: requireEndpoint(settings) };
}

export function requireEndpoint(settings: LanguageModelSettings): Endpoint {
  const fromEnvironment = settings.llmUrl === undefined;
  const baseUrl = fromEnvironment ? readVariable("OPENAI_BASE_URL") : settings.llmUrl;
  const model = settings.llmModel ?? readVariable("MNEMOSYNE_LLM_MODEL");
  if (baseUrl === undefined) {
    const missing =
      model === undefined ? "no language model is configured" : `language model "${model}" has no endpoint`;
    throw new InputError(
      "option_invalid",
      `${missing}; give --llm-url, e.g. http://localhost:8080/v1 for llama.cpp, or set OPENAI_BASE_URL`,
    );
  }
  if (model === undefined) {
    throw new InputError("option_invalid", "no model is named; give --llm-model or set MNEMOSYNE_LLM_MODEL");
  }
  checkAddress(fromEnvironment ? "OPENAI_BASE_URL" : "--llm-url", baseUrl);
  return { baseUrl, model, key: findKey(settings) };
}

/** `source`: the option or variable that holds the address. */
export function checkAddress(source: string, address: string): void {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new InputError("option_invalid", `${source} "${address}" is not an http or https URL${hintAt(address)}`);
  }
  if (url.username === "" && url.password === "") return;
  throw new InputError(
    "option_invalid",
    `${source} at ${url.host} contains a password; put it in an environment variable and name that with --llm-key-env`,
  );
}

/** For an address without a scheme, what was probably meant. */
function hintAt(address: string): string {
  const whole = `http://${address.replace(/(?<!\/)\/+$/u, "")}`;
  if (address.includes("://") || !URL.canParse(whole)) return "";
  return `: http:// is missing; write e.g. ${whole}${new URL(whole).pathname === "/" ? "/v1" : ""}`;
}

function findKey({ llmKeyEnv }: LanguageModelSettings): Endpoint["key"] {
  if (llmKeyEnv !== undefined) return { variable: llmKeyEnv, value: requireVariable(llmKeyEnv) };
  const value = readVariable(keyVariable);
  return value === undefined ? null : { variable: keyVariable, value };
}

/** Where an endpoint's requests go. */
export function endpointHost({ baseUrl }: Endpoint): string {
  return new URL(baseUrl).host;
}

export function describeChoice(choice: LanguageModelChoice): string {
  if (choice.kind === "gguf") return `${choice.path}, in this process`;
  return `${choice.endpoint.model} at ${endpointHost(choice.endpoint)}`;
}

/**
 * The model to use, if there is one. A model named by options must work. One that only the environment names and that
 * cannot be used must not get in the way: every step is done without it, and `warn` is called once, when the first step
 * would have used it.
 */
export function findLanguageModel(
  settings: LanguageModelSettings,
  warn: (reason: Error) => void,
): LanguageModel | null {
  try {
    const choice = chooseLanguageModel(settings);
    return choice === null ? null : createLanguageModel(choice);
  } catch (error) {
    if (!(error instanceof InputError) || (settings.gguf ?? endpointOptionOf(settings)) !== undefined) throw error;
    let hasWarned = false;
    const complete = async (): Promise<string> => {
      if (!hasWarned) warn(error);
      hasWarned = true;
      throw error;
    };
    return { name: "unusable", complete };
  }
}

/** For commands that cannot work without a model. */
export function requireLanguageModel(settings: LanguageModelSettings): LanguageModelChoice {
  const choice = chooseLanguageModel(settings);
  if (choice !== null) return choice;
  throw new InputError(
    "option_invalid",
    "no language model is configured. Name one: --llm-url http://localhost:8080/v1 --llm-model <name> for llama.cpp's server, --llm-url http://localhost:11434/v1 --llm-model <name> for Ollama, or --gguf <file> to run a model file in this process; docs/language-models.md has more",
  );
}

export interface ModelLimits {
  readonly timeoutMs?: number;
  readonly retryCountMax?: number;
  /** Tokens of a request and its reply, for a model in this process; a server has its own limit. */
  readonly contextTokens?: number;
}

/** Nothing is sent or loaded before the first request. */
export function createLanguageModel(choice: LanguageModelChoice, limits: ModelLimits = {}): ChatModel {
  const { contextTokens, ...endpointLimits } = limits;
  if (choice.kind === "gguf") {
    const { path } = choice;
    const model = new GgufLanguageModel(
      contextTokens === undefined ? { path } : { path, contextTokens, maxTokens: replyTokens(contextTokens) },
    );
    // Checked at once: a model file without its package would fail at every step.
    if (isLlamaInstalled()) return model;
    throw new InputError("option_invalid", `language model ${path} needs node-llama-cpp; ${installingLlama}`);
  }
  const { baseUrl, model, key } = choice.endpoint;
  return new OpenAiLanguageModel({
    baseUrl,
    model,
    timeoutMs: endpointTimeoutMs,
    ...endpointLimits,
    ...(key === null ? {} : { apiKey: key.value }),
  });
}

const replyShare = 0.25;
const replyTokensMax = 1_024;

/** The part of a model's context that is reserved for its reply. */
export function replyTokens(contextTokens: number): number {
  return Math.floor(Math.min(replyTokensMax, contextTokens * replyShare));
}
