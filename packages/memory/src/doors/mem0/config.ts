/** The configuration: ours, with a clear word for each part of mem0's that has no meaning here. */
import { InputError } from "../../errors.js";
import type { MnemosyneOptions } from "../../index.js";

const advice: Readonly<Record<string, string>> = {
  vectorStore: "memories and vectors are in one file: pass path, or a Redis address as path",
  llm: "no language model is needed: pass languageModel, such as new OpenAiLanguageModel(…), if you want one",
  reranker: "the bundled judge reads the best candidates: pass judge for one of your own",
  historyStore: "the history is in the same file: pass path",
  historyDbPath: "the history is in the same file: pass path",
  disableHistory: "the history is part of the memory: set parameters.historyRetentionDays to shorten it",
  customInstructions: "nothing is extracted by instruction: pass a profile",
  graphStore: "the memory is a graph: leave this out",
  enableGraph: "the memory is a graph: leave this out",
};

/** What `Mnemosyne.open` takes; parts of mem0's configuration that would be ignored are refused. */
export function readConfig(config: Readonly<Record<string, unknown>>): MnemosyneOptions {
  const { version: _version, ...options } = config;
  for (const [name, value] of Object.entries(options)) {
    const isMem0Embedder = name === "embedder" && typeof value === "object" && value !== null && "provider" in value;
    const reason = isMem0Embedder
      ? "the bundled embedder needs no provider: leave this out, or pass an Embedder, such as new OpenAiEmbedder(…)"
      : Object.hasOwn(advice, name)
        ? advice[name]
        : undefined;
    if (reason !== undefined && value !== undefined) {
      throw new InputError("option_invalid", `Memory: ${name} of mem0 has no meaning here; ${reason}`);
    }
  }
  return options as MnemosyneOptions;
}
