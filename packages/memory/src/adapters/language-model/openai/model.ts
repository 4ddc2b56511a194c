/**
 * A language model behind any endpoint that speaks OpenAI's `/chat/completions` (llama.cpp server, Ollama, vLLM,
 * OpenAI). Used only when it is configured; nothing else in the memory uses the network.
 */
import { InputError, ModelError } from "../../../errors.js";
import type { ChatMessage, ChatModel, LanguageModelRequest } from "../../../ports/language-model.js";
import { readChatStream } from "./event-stream.js";
import { isLostConnection, isWorthRetrying, retryDelayMs } from "./retry.js";
import { readServerWords } from "./server-words.js";
import { followSignals, pause } from "../../../signals.js";

export interface OpenAiLanguageModelOptions {
  /** Up to and including the version, e.g. "http://localhost:8080/v1". */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** For a whole answer, or between pieces if it is streamed. */
  readonly timeoutMs?: number;
  readonly retryCountMax?: number;
  readonly temperature?: number;
  readonly maxTokens?: number;
  readonly seed?: number;
}

/** Ways to request JSON from a server, the strictest first. */
const replyFormats = ["json_schema", "json_object", "none"] as const;
type ReplyFormat = (typeof replyFormats)[number];
type Schema = LanguageModelRequest["schema"];

type Attempt =
  | { readonly kind: "reply"; readonly text: string }
  | { readonly kind: "refused"; readonly status: number; readonly body: string; readonly retryAfter: string | null }
  | { readonly kind: "lost"; readonly error: Error };

/** Reads the reply from an accepted request; `onProgress` reports that it is still arriving. */
type ReadResponse = (response: Response, onProgress: () => void) => Promise<string>;

const defaultTimeoutMs = 120_000;
const defaultRetryCountMax = 3;

export class OpenAiLanguageModel implements ChatModel {
  readonly name: string;
  readonly address: string;
  readonly #options: OpenAiLanguageModelOptions;
  readonly #url: URL;
  /** Index of the format this server accepts, or has not yet rejected. */
  #formatIndex = 0;

  constructor(options: OpenAiLanguageModelOptions) {
    this.#url = checkUrl(options.baseUrl);
    this.#url.pathname = `${this.#url.pathname.replace(/(?<!\/)\/+$/u, "")}/chat/completions`;
    checkOptions(options);
    this.address = this.#url.href;
    this.#options = options;
    this.name = `openai:${options.model}`;
  }

  /** If a server rejects one way of requesting JSON, the next one is tried, and used from then on. */
  async complete(request: LanguageModelRequest): Promise<string> {
    for (;;) {
      const formatIndex = this.#formatIndex;
      const body = this.#body(request, replyFormats[formatIndex]!);
      const readWhole: ReadResponse = async (response) => this.#readReply(await response.text());
      const result = await this.#sendWithRetries(body, readWhole, request.signal);
      if (result.kind === "reply") return result.text;
      if (formatIndex === replyFormats.length - 1 || !isAboutFormat(result)) throw this.#refusal(result);
      this.#formatIndex = Math.max(this.#formatIndex, formatIndex + 1);
    }
  }

  /** Servers that answer all at once are fine too. Once a piece was delivered, nothing is retried. */
  async reply(
    messages: readonly ChatMessage[],
    onText: (piece: string) => void = () => {},
    signal?: AbortSignal,
  ): Promise<string> {
    const result = await this.#sendWithRetries(
      this.#chatBody(messages),
      (response, onProgress) => this.#readChat(response, onText, onProgress),
      signal,
    );
    if (result.kind === "refused") throw this.#refusal(result);
    return result.text;
  }

  #chatBody(messages: readonly ChatMessage[]): string {
    const { model, temperature, maxTokens, seed } = this.#options;
    return JSON.stringify({
      model,
      messages: messages.map(({ role, text }) => ({ role, content: text })),
      stream: true,
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      ...(seed === undefined ? {} : { seed }),
    });
  }

  async #readChat(response: Response, onText: (piece: string) => void, onProgress: () => void): Promise<string> {
    const isStream = /^text\/event-stream\b/iu.test(response.headers.get("content-type") ?? "");
    if (!isStream || response.body === null) {
      const text = this.#readReply(await response.text());
      onText(text);
      return text;
    }
    let hasBegun = false;
    const tell = (piece: string): void => {
      hasBegun ||= piece !== "";
      onText(piece);
    };
    try {
      const text = await readChatStream(watch(response.body, onProgress), tell);
      if (text.trim() === "") throw new Error("its answer contains no text");
      return text;
    } catch (error) {
      if (!hasBegun && isLostConnection(error)) throw error;
      throw isStopped(error) ? error : this.#failure(describeLoss(error as Error, hasBegun), error as Error);
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

  async #sendWithRetries(
    body: string,
    read: ReadResponse,
    signal: AbortSignal | undefined,
  ): Promise<Exclude<Attempt, { kind: "lost" }>> {
    const { retryCountMax = defaultRetryCountMax } = this.#options;
    for (let retryCount = 0; ; retryCount++) {
      const attempt = await this.#send(body, read, signal);
      if (attempt.kind === "reply") return attempt;
      if (attempt.kind === "refused" && !isWorthRetrying(attempt.status)) return attempt;
      if (attempt.kind === "lost" && !isLostConnection(attempt.error)) throw this.#unreachable(attempt.error);
      if (retryCount >= retryCountMax) {
        throw attempt.kind === "lost" ? this.#unreachable(attempt.error) : this.#refusal(attempt);
      }
      const retryAfter = attempt.kind === "refused" ? attempt.retryAfter : null;
      await pause(retryDelayMs(retryCount, retryAfter, Date.now()), signal);
    }
  }

  /** Rejects with the signal's reason once nobody waits for the answer any more. */
  async #send(body: string, read: ReadResponse, signal: AbortSignal | undefined): Promise<Attempt> {
    const { apiKey, timeoutMs = defaultTimeoutMs } = this.#options;
    const { controller, release } = followSignals(signal);
    const timer = setTimeout(() => controller.abort(new DOMException("no answer", "TimeoutError")), timeoutMs);
    try {
      const response = await fetch(this.#url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
        signal: controller.signal,
      });
      if (response.ok) return { kind: "reply", text: await read(response, () => timer.refresh()) };
      const retryAfter = response.headers.get("retry-after");
      return { kind: "refused", status: response.status, body: await response.text(), retryAfter };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ModelError) throw error;
      return { kind: "lost", error: error as Error };
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #readReply(body: string): string {
    let content: unknown;
    try {
      const reply = JSON.parse(body) as { choices?: { message?: { content?: unknown } }[] } | null;
      content = reply?.choices?.[0]?.message?.content;
    } catch {
      throw this.#failure(`its answer is not JSON but ${this.#quote(body)}`);
    }
    if (typeof content !== "string" || content.trim() === "") {
      throw this.#failure(`its answer contains no text: ${this.#quote(body)}`);
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

  #quote(body: string): string {
    return readServerWords(body, this.#options.apiKey);
  }
}

function checkUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || !/^https?:$/u.test(url.protocol)) {
    throw new InputError("option_invalid", `language model baseUrl "${baseUrl}" is not an http or https URL`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new InputError("option_invalid", `language model baseUrl at ${url.host} contains a password; use apiKey`);
  }
  return url;
}

function checkOptions({ model, apiKey, timeoutMs, retryCountMax }: OpenAiLanguageModelOptions): void {
  if (model.trim() === "") throw new InputError("option_invalid", "language model needs the name of a model");
  if (apiKey !== undefined && !/^[\u0021-\u007e]+$/u.test(apiKey)) {
    throw new InputError(
      "option_invalid",
      "language model apiKey is empty or contains characters that a header cannot carry",
    );
  }
  checkWholeNumber("timeoutMs", timeoutMs, 1);
  checkWholeNumber("retryCountMax", retryCountMax, 0);
}

function checkWholeNumber(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  throw new InputError("option_invalid", `language model ${name} ${value} is not an integer of at least ${least}`);
}

function responseFormat(format: ReplyFormat, schema: Schema): object {
  if (format === "none") return {};
  if (format === "json_object") return { response_format: { type: "json_object" } };
  const json_schema = { name: "reply", strict: true, schema: closeObjects(schema) };
  return { response_format: { type: "json_schema", json_schema } };
}

/** Strict mode requires every object to forbid additional properties. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, closeObjects(value)] as const);
  const isObject = (schema as { type?: unknown }).type === "object";
  return { ...(isObject ? { additionalProperties: false } : {}), ...Object.fromEntries(entries) };
}

async function* watch(bytes: AsyncIterable<Uint8Array>, onProgress: () => void): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    onProgress();
    yield piece;
  }
}

function isStopped(error: unknown): boolean {
  const { name } = error as Error;
  return name === "TimeoutError" || name === "AbortError";
}

function describeLoss(error: Error, hasBegun: boolean): string {
  const { code } = ((error as { cause?: { code?: string } }).cause ?? {}) as { code?: string };
  if (code === undefined) return error.message;
  return hasBegun ? `the stream was cut off (${code})` : error.message;
}

function isAboutFormat({ status, body }: { readonly status: number; readonly body: string }): boolean {
  return (
    (status === 400 || status === 422) && /response_format|schema|json_object|grammar|guided|structured/iu.test(body)
  );
}
