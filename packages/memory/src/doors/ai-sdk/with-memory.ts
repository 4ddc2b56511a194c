/**
 * `mnemosyne-edge/ai-sdk`: a language model of the AI SDK that remembers. Before each call it recalls for the user's last
 * message and adds core summary and memories to the system prompt, fenced as data; the reply passes untouched; once it
 * is complete the exchange is committed, never what was added. If the memory fails, the chat goes on and `onError` says so.
 */
import { InputError } from "../../errors.js";
import type { MemoryFilter, Metadata, PersonMemory } from "../../index.js";
import type { CallOptions, GenerateResult, Model, PromptMessage, StreamPart, StreamResult } from "./model-types.js";
import { exchangeOf, messagesOf, textsOf, withContext, wordsOf } from "./prompt.js";

export type { Model } from "./model-types.js";

export interface MemoryOptions {
  /** Whose memory it is. */
  readonly person: PersonMemory;
  /** Tokens of what is added. Default: that of `recall`. */
  readonly tokenBudget?: number;
  /** Only memories with this metadata are recalled. */
  readonly filter?: MemoryFilter;
  /** Noted with what is committed. */
  readonly metadata?: Metadata;
  /** False only recalls. Default: true. */
  readonly commit?: boolean;
  /** Called when the memory fails; the chat goes on. */
  readonly onError?: (error: unknown, step: MemoryStep) => void;
}

export type MemoryStep = "recall" | "commit";

/** The mark of a context that says something. */
const contextStart = "<<<MEMORY";
const questionLengthMax = 20_000;
/** Reasons for which a reply is not the end of an exchange; the last is that there was none. */
const unfinished: ReadonlySet<string> = new Set(["tool-calls", "error", "interrupted", ""]);
/** The steps of one answer recall the same. */
const seed = "ai-sdk";

/** The model with a memory, to be used wherever the model was. */
export function withMemory<M extends Model>(model: M, options: MemoryOptions): Pick<M, keyof Model> {
  if (typeof model !== "object" || model === null || typeof model.doGenerate !== "function") {
    throw new InputError(
      "option_invalid",
      `withMemory needs a model with doGenerate and doStream, not ${JSON.stringify(model)}; pass what your provider's function returns`,
    );
  }
  const wrapped: Model = {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls;
    },
    doGenerate: async (params: CallOptions) => {
      const memory = new CallMemory(options, params);
      const result = (await model.doGenerate((await memory.recall()) as never)) as GenerateResult;
      await memory.commit(textsOf(result.content).join(""), result.finishReason);
      return result;
    },
    doStream: async (params: CallOptions) => {
      const memory = new CallMemory(options, params);
      const result = (await model.doStream((await memory.recall()) as never)) as StreamResult;
      return { ...result, stream: result.stream.pipeThrough(memory.listen()) };
    },
  };
  return wrapped as Pick<M, keyof Model>;
}

/** One call of a model, from recall to commit. */
class CallMemory {
  readonly #options: MemoryOptions;
  readonly #params: CallOptions;
  readonly #exchange: readonly PromptMessage[];

  constructor(options: MemoryOptions, params: CallOptions) {
    this.#options = options;
    this.#params = params;
    this.#exchange = exchangeOf(params);
  }

  /** The parameters with what is remembered, or as they are. */
  async recall(): Promise<CallOptions> {
    const question = wordsOf(this.#exchange[0]).slice(0, questionLengthMax).toWellFormed();
    if (question === "") return this.#params;
    const { person, tokenBudget, filter } = this.#options;
    const context = await this.#attempt("recall", async () => {
      const given = { tokenBudget, filter, signal: this.#params.abortSignal };
      const limits = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      return (await person.recall(question, { seed, ...limits })).context;
    });
    return context?.startsWith(contextStart) === true ? withContext(this.#params, context) : this.#params;
  }

  /** Stores the exchange, if the reply is its end: after calls of tools the model is called again. */
  async commit(reply: string, finishReason: unknown): Promise<void> {
    const { person, metadata, commit = true } = this.#options;
    const isOver = !unfinished.has(reasonOf(finishReason));
    if (!commit || !isOver || wordsOf(this.#exchange[0]) === "") return;
    await this.#attempt("commit", () =>
      person.commit({ messages: messagesOf(this.#exchange, reply), ...(metadata === undefined ? {} : { metadata }) }),
    );
  }

  /** Passes every part on as it is, and commits what they said when the last has passed. */
  listen(): TransformStream<StreamPart, StreamPart> {
    let reply = "";
    let finishReason: unknown;
    return new TransformStream({
      transform: (part, controller) => {
        if (part.type === "text-delta" && typeof part.delta === "string") reply += part.delta;
        if (part.type === "finish") finishReason = part.finishReason;
        controller.enqueue(part);
      },
      flush: () => this.commit(reply, finishReason),
    });
  }

  async #attempt<T>(step: MemoryStep, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      try {
        this.#options.onError?.(error, step);
      } catch {
        // A listener that throws must not end the chat either.
      }
      return undefined;
    }
  }
}

/** Since version 3 a reason is an object with a name that all providers share. */
function reasonOf(finishReason: unknown): string {
  if (typeof finishReason === "string") return finishReason;
  const { unified } = (finishReason ?? {}) as { unified?: unknown };
  return typeof unified === "string" ? unified : "";
}
