/**
 * An embedder behind any endpoint that speaks OpenAI's `/embeddings` (llama.cpp server, Ollama, vLLM, OpenAI). Used
 * only when it is configured; nothing else in the memory uses the network.
 */
import { InputError, ModelError } from "../../../errors.js";
import type { Embedder, EmbedderIdentity } from "../../../ports/embedder.js";

export interface OpenAiEmbedderOptions {
  /** Up to and including the version, e.g. "http://localhost:11434/v1". */
  readonly baseUrl: string;
  readonly model: string;
  readonly dimensions: number;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  readonly textsPerCall?: number;
}

const defaultTimeoutMs = 30_000;
const triesMax = 3;
const firstDelayMs = 500;

export class OpenAiEmbedder implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly textsPerCall: number;
  readonly #options: OpenAiEmbedderOptions;

  constructor(options: OpenAiEmbedderOptions) {
    if (!URL.canParse(options.baseUrl)) {
      throw new InputError("option_invalid", `embedder baseUrl "${options.baseUrl}" is not a URL`);
    }
    if (!Number.isInteger(options.dimensions) || options.dimensions < 1) {
      throw new InputError("option_invalid", `embedder dimensions ${options.dimensions} is not a positive integer`);
    }
    this.#options = options;
    this.textsPerCall = options.textsPerCall ?? 64;
    this.identity = { name: `openai:${options.model}`, dimensions: options.dimensions };
  }

  /** Retries with growing pauses while the server is busy or failing; other rejections are final. */
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    let delayMs = firstDelayMs;
    for (let tries = 1; ; tries++) {
      const result = await this.#fetch(texts);
      if (!("again" in result)) return this.#readVectors(result.body, texts.length);
      if (!result.again || tries === triesMax) throw this.#failure(result.reason, result.cause);
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      delayMs *= 2;
    }
  }

  async close(): Promise<void> {}

  async #fetch(
    texts: readonly string[],
  ): Promise<{ body: unknown } | { again: boolean; reason: string; cause?: unknown }> {
    const { baseUrl, model, apiKey, timeoutMs = defaultTimeoutMs } = this.#options;
    try {
      const response = await fetch(`${baseUrl.replace(/(?<!\/)\/+$/u, "")}/embeddings`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (response.ok) return { body: await response.json() };
      const again = response.status === 429 || response.status >= 500;
      return { again, reason: `it answered ${response.status} ${response.statusText}` };
    } catch (cause) {
      return { again: true, reason: String((cause as Error).message), cause };
    }
  }

  #readVectors(body: unknown, count: number): Float32Array[] {
    const { data } = (body ?? {}) as { data?: { index?: number; embedding?: number[] }[] };
    if (!Array.isArray(data) || data.length !== count) throw this.#failure(`it did not return ${count} vectors`);
    const { dimensions } = this.identity;
    return data
      .toSorted((x, y) => (x.index ?? 0) - (y.index ?? 0))
      .map(({ embedding }) => {
        if (!Array.isArray(embedding) || embedding.length !== dimensions) {
          throw this.#failure(`it returned ${embedding?.length ?? 0} dimensions instead of ${dimensions}`);
        }
        return Float32Array.from(embedding);
      });
  }

  #failure(reason: string, cause?: unknown): ModelError {
    const { baseUrl, model } = this.#options;
    return new ModelError("embedder_failed", `embedder "${model}" at ${baseUrl} failed: ${reason}`, { cause });
  }
}
