/** Which language model is used: only one that is named. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type LanguageModelSettings, chooseLanguageModel } from "../../src/cli/language-model-settings.js";
import { InputError } from "../../../memory/src/errors.js";

const variables = ["OPENAI_BASE_URL", "OPENAI_API_KEY", "MNEMOSYNE_LLM_MODEL", "MNEMOSYNE_GGUF", "OWN_KEY"];
const url = "http://127.0.0.1:8080/v1";
const other = "http://127.0.0.1:11434/v1";

beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

function choose(settings: LanguageModelSettings, env: Readonly<Record<string, string>>): unknown {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const choice = chooseLanguageModel(settings);
  if (choice === null) return null;
  if (choice.kind === "gguf") return choice.path;
  const { baseUrl, model, key } = choice.endpoint;
  return [baseUrl, model, key?.value ?? null];
}

describe("nothing is configured", () => {
  it.each([
    ["by nothing", {}],
    ["by an address and a key that other programs use", { OPENAI_BASE_URL: url, OPENAI_API_KEY: "secret" }],
    ["by only a key", { OPENAI_API_KEY: "secret" }],
    ["by empty variables", { OPENAI_BASE_URL: url, MNEMOSYNE_LLM_MODEL: " ", MNEMOSYNE_GGUF: "" }],
  ])("%s", (_, env) => expect(choose({}, env)).toBeNull());
});

describe("a model is configured", () => {
  it.each<[string, LanguageModelSettings, Record<string, string>, unknown]>([
    ["by options", { llmUrl: url, llmModel: "small" }, {}, [url, "small", null]],
    ["by variables", {}, { OPENAI_BASE_URL: url, MNEMOSYNE_LLM_MODEL: "small" }, [url, "small", null]],
    [
      "by name only, at the address in the environment",
      { llmModel: "small" },
      { OPENAI_BASE_URL: url },
      [url, "small", null],
    ],
    [
      "with the key in the environment",
      { llmUrl: url, llmModel: "small" },
      { OPENAI_API_KEY: "a" },
      [url, "small", "a"],
    ],
    [
      "with the key in another variable",
      { llmUrl: url, llmModel: "small", llmKeyEnv: "OWN_KEY" },
      { OPENAI_API_KEY: "a", OWN_KEY: "b" },
      [url, "small", "b"],
    ],
    [
      "by options, which override variables",
      { llmUrl: url, llmModel: "small" },
      { OPENAI_BASE_URL: other, MNEMOSYNE_LLM_MODEL: "large", MNEMOSYNE_GGUF: "x.gguf" },
      [url, "small", null],
    ],
    ["by a file", { gguf: "x.gguf" }, {}, "x.gguf"],
    [
      "by a file in a variable, regardless of variables for other programs",
      {},
      { MNEMOSYNE_GGUF: "x.gguf", OPENAI_BASE_URL: url },
      "x.gguf",
    ],
    [
      "by a file, which overrides variables",
      { gguf: "x.gguf" },
      { OPENAI_BASE_URL: url, MNEMOSYNE_LLM_MODEL: "small" },
      "x.gguf",
    ],
  ])("%s", (_, settings, env, choice) => expect(choose(settings, env)).toEqual(choice));
});

describe("half a configuration is refused", () => {
  it.each<[string, LanguageModelSettings, Record<string, string>, RegExp]>([
    ["an address without a model", { llmUrl: url }, {}, /--llm-model/u],
    ["a key without a model", { llmKeyEnv: "OWN_KEY" }, { OPENAI_BASE_URL: url, OWN_KEY: "b" }, /--llm-model/u],
    ["a model without an address", { llmModel: "small" }, {}, /"small" has no endpoint; give --llm-url/u],
    ["a model from the environment without an address", {}, { MNEMOSYNE_LLM_MODEL: "small" }, /OPENAI_BASE_URL/u],
    ["a variable without a key", { llmUrl: url, llmModel: "small", llmKeyEnv: "OWN_KEY" }, {}, /OWN_KEY is not set/u],
    ["a file and an address", { gguf: "x.gguf", llmUrl: url }, {}, /two language models/u],
    ["a file and a model", { gguf: "x.gguf", llmModel: "small" }, {}, /two language models/u],
    ["both in the environment", {}, { MNEMOSYNE_GGUF: "x.gguf", MNEMOSYNE_LLM_MODEL: "small" }, /two language models/u],
  ])("%s", (_, settings, env, message) => {
    expect(() => choose(settings, env)).toThrow(InputError);
    expect(() => choose(settings, env)).toThrow(message);
  });
});
