/**
 * A language model behind any endpoint that speaks OpenAI's `/chat/completions` (llama.cpp server, Ollama, vLLM, OpenAI).
 * Used only when it is configured; nothing else in the memory goes out to the network.
 */
import { InputError, ModelError } from "../../errors.js";
import type { LanguageModel, LanguageModelRequest } from "../../ports/language-model.js";
import { isLostConnection, isWorthRetrying, retryDelayMs } from "./retry.js";

export interface OpenAiLanguageModelOptions {
  /** Up to and including the version, e.g. "http://localhost:8080/v1". */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly timeoutMs?: number;
  readonly retryCountMax?: number;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
}

/** How a server is asked for JSON, the surest way first. */
const replyFormats = ["json_schema", "json_object", "none"] as const;
type ReplyFormat = (typeof replyFormats)[number];
type Schema = LanguageModelRequest["schema"];

type Attempt =
  | { readonly kind: "reply"; readonly body: string }
  | { readonly kind: "refused"; readonly status: number; readonly body: string; readonly retryAfter: string | null }
  | { readonly kind: "lost"; readonly error: Error };

const defaultTimeoutMs = 120_000;
const defaultRetryCountMax = 3;
const quotedLengthMax = 200;

export class OpenAiLanguageModel implements LanguageModel {
  readonly name: string;
  readonly #options: OpenAiLanguageModelOptions;
  readonly #url: URL;
  /** Index of the format this server is known to take, or not known to refuse. */
  #formatIndex = 0;

  constructor(options: OpenAiLanguageModelOptions) {
    this.#url = checkUrl(options.baseUrl);
    this.#url.pathname = `${this.#url.pathname.replace(/\/+$/u, "")}/chat/completions`;
    checkOptions(options);
    this.#options = options;
    this.name = `openai:${options.model}`;
  }

  /** A server that refuses a way of asking for JSON is asked the next way, and from then on always. */
  async complete(request: LanguageModelRequest): Promise<string> {
    for (;;) {
      const formatIndex = this.#formatIndex;
      const result = await this.#sendWithRetries(this.#body(request, replyFormats[formatIndex]!));
      if (result.kind === "reply") return this.#readReply(result.body);
      if (formatIndex === replyFormats.length - 1 || !isAboutFormat(result)) throw this.#refusal(result);
      this.#formatIndex = Math.max(this.#formatIndex, formatIndex + 1);
    }
  }

  #body({ instruction, text, schema }: LanguageModelRequest, format: ReplyFormat): string {
    const { model, temperature = 0, maxTokens, seed } = this.#options;
    const wanted = `\n\nReply with one JSON object that follows this JSON schema, and nothing else:\n${JSON.stringify(schema)}`;
    return JSON.stringify({
      model,
      messages: [
        { role: "system", content: format === "json_schema" ? instruction : instruction + wanted },
        { role: "user", content: text },
      ],
      temperature,
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(seed === undefined ? {} : { seed }),
      ...responseFormat(format, schema),
    });
  }

  async #sendWithRetries(body: string): Promise<Exclude<Attempt, { kind: "lost" }>> {
    const { retryCountMax = defaultRetryCountMax } = this.#options;
    for (let retryCount = 0; ; retryCount++) {
      const attempt = await this.#send(body);
      if (attempt.kind === "reply") return attempt;
      if (attempt.kind === "refused" && !isWorthRetrying(attempt.status)) return attempt;
      if (attempt.kind === "lost" && !isLostConnection(attempt.error)) throw this.#unreachable(attempt.error);
      if (retryCount >= retryCountMax) {
        throw attempt.kind === "lost" ? this.#unreachable(attempt.error) : this.#refusal(attempt);
      }
      const retryAfter = attempt.kind === "refused" ? attempt.retryAfter : null;
      const delayMs = retryDelayMs(retryCount, retryAfter, Date.now());
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
  }

  async #send(body: string): Promise<Attempt> {
    const { apiKey, timeoutMs = defaultTimeoutMs } = this.#options;
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      if (response.ok) return { kind: "reply", body: text };
      const retryAfter = response.headers.get("retry-after");
      return { kind: "refused", status: response.status, body: text, retryAfter };
    } catch (error) {
      return { kind: "lost", error: error as Error };
    }
  }

  #readReply(body: string): string {
    let content: unknown;
    try {
      const reply = JSON.parse(body) as { choices?: { message?: { content?: unknown } }[] } | null;
      content = reply?.choices?.[0]?.message?.content;
    } catch {
      throw this.#failure(`it did not answer with JSON but with ${this.#quote(body)}`);
    }
    if (typeof content !== "string" || content.trim() === "") {
      throw this.#failure(`there is no text in its answer ${this.#quote(body)}`);
    }
    return content;
  }

  #unreachable(error: Error): ModelError {
    const { timeoutMs = defaultTimeoutMs } = this.#options;
    if (error.name === "TimeoutError") return this.#failure(`no answer within ${timeoutMs} ms`, error);
    const { cause } = error as { cause?: { code?: string; message?: string } };
    const reason = cause?.code ?? cause?.message ?? error.message;
    return this.#failure(`it cannot be reached (${reason}); is the server running?`, error);
  }

  #refusal({ status, body }: { readonly status: number; readonly body: string }): ModelError {
    return this.#failure(`it answered ${status}: ${this.#quote(body)}`);
  }

  #failure(reason: string, cause?: Error): ModelError {
    const where = `${this.#url.origin}${this.#url.pathname}`;
    const message = `language model "${this.#options.model}" at ${where} failed: ${reason}`;
    return new ModelError("language_model_failed", message, cause === undefined ? {} : { cause });
  }

  /** What a server said, in short. Servers quote what they were sent, so the key is struck out first. */
  #quote(text: string): string {
    const { apiKey } = this.#options;
    const safe = apiKey === undefined ? text : text.replaceAll(apiKey, "[key]");
    const flat = safe.replaceAll(/\s+/gu, " ").trim();
    return JSON.stringify(flat.length > quotedLengthMax ? `${flat.slice(0, quotedLengthMax)}…` : flat);
  }
}

function checkUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new InputError("option_invalid", `language model baseUrl "${baseUrl}" is not an http or https URL`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InputError("option_invalid", `language model baseUrl at ${url.host} holds a password; use apiKey`);
  }
  return url;
}

function checkOptions({ model, apiKey, timeoutMs, retryCountMax }: OpenAiLanguageModelOptions): void {
  if (model.trim() === "") throw new InputError("option_invalid", "language model needs the name of a model");
  if (apiKey !== undefined && !/^[\u0021-\u007e]+$/u.test(apiKey)) {
    throw new InputError(
      "option_invalid",
      "language model apiKey is empty or holds characters that no header can carry",
    );
  }
  checkWholeNumber("timeoutMs", timeoutMs, 1);
  checkWholeNumber("retryCountMax", retryCountMax, 0);
}

function checkWholeNumber(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  throw new InputError("option_invalid", `language model ${name} ${value} is not a whole number from ${least}`);
}

function responseFormat(format: ReplyFormat, schema: Schema): object {
  if (format === "none") return {};
  if (format === "json_object") return { response_format: { type: "json_object" } };
  const json_schema = { name: "reply", strict: true, schema: closeObjects(schema) };
  return { response_format: { type: "json_schema", json_schema } };
}

/** Strict mode wants every object to say that nothing else may be in it. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closeObjects(value)] as const);
  const isObject = (schema as { type?: unknown }).type === "object";
  return { ...(isObject ? { additionalProperties: false } : {}), ...Object.fromEntries(entries) };
}

function isAboutFormat({ status, body }: { readonly status: number; readonly body: string }): boolean {
  return (
    (status === 400 || status === 422) && /response_format|schema|json_object|grammar|guided|structured/iu.test(body)
  );
}
