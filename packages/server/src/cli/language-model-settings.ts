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
import { type ChatModel, InputError } from "mnemosyne-edge";
import { readVariable } from "./environment.js";

export interface LanguageModelSettings {
  readonly llmUrl?: string;
  readonly llmModel?: string;
  readonly gguf?: string;
}

export type LanguageModelChoice =
  | { readonly kind: "endpoint"; readonly baseUrl: string; readonly model: string; readonly key: string | undefined }
  | { readonly kind: "gguf"; readonly path: string };

/** A small model on a small device needs minutes for long texts; after five, fetch itself gives up. */
const endpointTimeoutMs = 300_000;

export function addLanguageModelSettings(program: Command): Command {
  return program
    .optionsGroup("Language model (none is needed):")
    .option("--llm-url <url>", "endpoint, up to its version: http://localhost:8080/v1 (or OPENAI_BASE_URL)")
    .option("--llm-model <name>", "model at that endpoint (or MNEMOSYNE_LLM_MODEL); without it nothing is sent")
    .option("--gguf <file>", "model file to run in this process instead (or MNEMOSYNE_GGUF)")
    .optionsGroup("Options:");
}

/** What is chosen; null if no model is named. An option overrides any variable. */
export function chooseLanguageModel({ llmUrl, llmModel, gguf }: LanguageModelSettings): LanguageModelChoice | null {
  const isEndpointGiven = llmUrl !== undefined || llmModel !== undefined;
  if (gguf !== undefined && isEndpointGiven) {
    throw new InputError("option_invalid", "give either --gguf, or --llm-url and --llm-model");
  }
  const path = gguf ?? (isEndpointGiven ? undefined : readVariable("MNEMOSYNE_GGUF"));
  if (path !== undefined) return { kind: "gguf", path };
  const model = llmModel ?? readVariable("MNEMOSYNE_LLM_MODEL");
  const baseUrl = llmUrl ?? readVariable("OPENAI_BASE_URL");
  if (model === undefined && llmUrl === undefined) return null;
  if (model === undefined) {
    throw new InputError("option_invalid", "no model is named; give --llm-model or set MNEMOSYNE_LLM_MODEL");
  }
  if (baseUrl === undefined) {
    const remedy = "give --llm-url, e.g. http://localhost:8080/v1 for llama.cpp, or set OPENAI_BASE_URL";
    throw new InputError("option_invalid", `language model "${model}" has no endpoint; ${remedy}`);
  }
  return { kind: "endpoint", baseUrl: checkAddress(baseUrl), model, key: readVariable("OPENAI_API_KEY") };
}

/** An address that is wrong, or has a password in it, is not repeated: the error may end up in a log. */
function checkAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.password === "") return address;
  throw new InputError(
    "option_invalid",
    "the address of the language model must be an http or https URL without a password, e.g. http://localhost:8080/v1; its key belongs in OPENAI_API_KEY",
  );
}

export function describeChoice(choice: LanguageModelChoice): string {
  if (choice.kind === "gguf") return `${choice.path}, in this process`;
  return `${choice.model} at ${new URL(choice.baseUrl).host}`;
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
  readonly retryCountMax?: number;
  /** Tokens of a request and its reply, for a model in this process; a server has its own limit. */
  readonly contextTokens?: number;
}

/** Nothing is sent or loaded before the first request. */
export function createLanguageModel(choice: LanguageModelChoice, limits: ModelLimits = {}): ChatModel {
  const { contextTokens, ...endpointLimits } = limits;
  if (choice.kind === "gguf") {
    const { path } = choice;
    // Checked at once: a model file without its package would fail at every step.
    if (!isLlamaInstalled()) {
      throw new InputError("option_invalid", `language model ${path} needs node-llama-cpp; ${installingLlama}`);
    }
    return new GgufLanguageModel(
      contextTokens === undefined ? { path } : { path, contextTokens, maxTokens: replyTokens(contextTokens) },
    );
  }
  const { baseUrl, model, key } = choice;
  const own = { baseUrl, model, timeoutMs: endpointTimeoutMs, ...endpointLimits };
  return new OpenAiLanguageModel(key === undefined ? own : { ...own, apiKey: key });
}

const replyShare = 0.25;
const replyTokensMax = 1_024;

/** The part of a model's context that is reserved for its reply. */
export function replyTokens(contextTokens: number): number {
  return Math.floor(Math.min(replyTokensMax, contextTokens * replyShare));
}
