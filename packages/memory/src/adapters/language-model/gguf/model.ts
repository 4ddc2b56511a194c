/**
 * A language model in this process: a GGUF file, run by llama.cpp through `node-llama-cpp`, an optional package. The
 * first request loads the model, which answers one request at a time. A grammar derived from the request's schema makes
 * even a small model follow it.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { availableParallelism } from "node:os";
import { basename, resolve } from "node:path";
import { InputError, ModelError } from "../../../errors.js";
import type { ChatMessage, ChatModel, LanguageModelRequest } from "../../../ports/language-model.js";
import { installingLlama, llamaPackage } from "./llama-package.js";
import type { Llama, LlamaChat, LlamaChatItem, LlamaGrammar, LlamaModel, LlamaModule } from "./llama-module.js";
import { followSignals } from "../../../signals.js";
import { Turns } from "../turns.js";

export interface GgufLanguageModelOptions {
  /** The model file. */
  readonly path: string;
  /** Tokens of instruction, text and reply together; fewer if the model was trained on fewer. */
  readonly contextTokens?: number;
  /** The number of cores if omitted. More than that makes llama.cpp far slower. */
  readonly threads?: number;
  /** Tokens of a reply. A longer one is cut back to its last whole sentence or list item. */
  readonly maxTokens?: number;
  /** For chat replies, which are sampled; replies to the memory always take the likeliest words. */
  readonly seed?: number;
  /** Whether to use a GPU if llama.cpp supports the one present. */
  readonly gpu?: boolean;
  /** Imports `node-llama-cpp` when it is not installed next to this package. */
  readonly importLlama?: () => Promise<unknown>;
}

interface Loaded {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly chat: LlamaChat;
  readonly grammars: WeakMap<object, Promise<LlamaGrammar>>;
}

const defaultContextTokens = 4096;
const defaultMaxTokens = 1024;
/** Room for an instruction, and for what a chat template adds. */
const instructionTokensMax = 512;
const templateTokensMax = 64;
const textTokensMin = 64;
const chatTemperature = 0.7;
const omission = "\n[…]\n";
const magic = "GGUF";
const unreadable: Readonly<Record<string, string>> = {
  ENOENT: "no such file",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
};

export class GgufLanguageModel implements ChatModel {
  readonly name: string;
  readonly address: string;
  readonly #options: GgufLanguageModelOptions;
  readonly #turns = new Turns();
  #loaded: Promise<Loaded> | undefined;
  #contextTokens: number;
  #closing = new AbortController();
  /** The last message from llama.cpp; its exceptions say little. */
  #complaint = "";

  /** Checks the file; the first request loads the model. */
  constructor(options: GgufLanguageModelOptions) {
    checkOptions(options);
    this.address = resolve(options.path);
    checkFile(this.address);
    this.#options = options;
    this.#contextTokens = options.contextTokens ?? defaultContextTokens;
    this.name = `gguf:${basename(this.address)}`;
  }

  get textTokensMax(): number {
    return Math.max(textTokensMin, this.#contextTokens - this.#maxTokens - instructionTokensMax);
  }

  /** Loads the model now, for callers that want to know at once whether it works. */
  async load(): Promise<void> {
    await this.#load();
  }

  async complete({ instruction, text, schema, replyTokensMax, signal }: LanguageModelRequest): Promise<string> {
    return this.#run(signal, async (loaded, stop) => {
      const { model, chat } = loaded;
      const grammar = await grammarOf(schema, loaded);
      const items = toItems([
        { role: "system", text: instruction },
        { role: "user", text: this.#fitText(text, instruction, model) },
      ]);
      const { response } = await chat.generateResponse(items, {
        grammar,
        temperature: 0,
        maxTokens: Math.min(this.#maxTokens, replyTokensMax ?? Infinity),
        signal: stop,
      });
      return response;
    });
  }

  async reply(
    messages: readonly ChatMessage[],
    onText: (piece: string) => void = () => {},
    signal?: AbortSignal,
  ): Promise<string> {
    return this.#run(signal, async ({ chat }, stop) => {
      const { response } = await chat.generateResponse(toItems(messages), {
        temperature: chatTemperature,
        seed: this.#options.seed ?? 0,
        maxTokens: this.#maxTokens,
        signal: stop,
        onTextChunk: onText,
        onResponseChunk: ({ type }) => {
          if (type === "segment") onText("");
        },
      });
      if (response.trim() === "") throw new Error("its reply is empty");
      return response;
    });
  }

  /** Stops the request in progress and frees the memory; a later request would load the model again. */
  async close(): Promise<void> {
    this.#closing.abort(this.#failure("it was closed"));
    this.#closing = new AbortController();
    const loaded = this.#loaded;
    this.#loaded = undefined;
    await this.#turns.take(undefined, async () => {
      const llama = await loaded?.then(({ llama }) => llama).catch(() => undefined);
      await llama?.dispose();
    });
  }

  get #maxTokens(): number {
    return this.#options.maxTokens ?? defaultMaxTokens;
  }

  /** Runs requests one at a time. An abandoned request rejects with its signal's reason. */
  async #run(
    signal: AbortSignal | undefined,
    work: (loaded: Loaded, stop: AbortSignal) => Promise<string>,
  ): Promise<string> {
    const { controller, release } = followSignals(signal, this.#closing.signal);
    const stop = controller.signal;
    try {
      return await this.#turns.take(stop, async () => {
        this.#complaint = "";
        return work(await this.#load(), stop);
      });
    } catch (error) {
      stop.throwIfAborted();
      throw error instanceof ModelError ? error : this.#failure(this.#reasonOf(error), error);
    } finally {
      release();
    }
  }

  /** If loading failed, the next request tries again. */
  #load(): Promise<Loaded> {
    if (this.#loaded === undefined) {
      const loading = this.#start();
      this.#loaded = loading;
      loading.catch(() => {
        if (this.#loaded === loading) this.#loaded = undefined;
      });
    }
    return this.#loaded;
  }

  async #start(): Promise<Loaded> {
    const { getLlama, LlamaChat } = await this.#import();
    const threads = this.#options.threads ?? availableParallelism();
    let llama: Llama | undefined;
    try {
      llama = await getLlama({
        gpu: this.#options.gpu === false ? false : "auto",
        build: "never",
        skipDownload: true,
        progressLogs: false,
        maxThreads: threads,
        logLevel: "error",
        logger: (_, message) => void (this.#complaint = message.trim()),
      });
      const model = await llama.loadModel({ modelPath: this.address });
      const contextSize = Math.min(this.#contextTokens, model.trainContextSize);
      const context = await model.createContext({ contextSize, sequences: 1, threads });
      this.#contextTokens = context.contextSize;
      const chat = new LlamaChat({ contextSequence: context.getSequence() });
      return { llama, model, chat, grammars: new WeakMap() };
    } catch (error) {
      await llama?.dispose();
      const isWithoutBinary = (error as Error).constructor.name === "NoBinaryFoundError";
      const reason = isWithoutBinary
        ? `node-llama-cpp has no binary for this device; ${installingLlama}`
        : `it cannot be loaded: ${this.#reasonOf(error)}`;
      throw this.#failure(reason, error);
    }
  }

  async #import(): Promise<LlamaModule> {
    const { importLlama = () => import(llamaPackage) as Promise<unknown> } = this.#options;
    try {
      return (await importLlama()) as LlamaModule;
    } catch (error) {
      throw this.#failure(`it needs node-llama-cpp (${firstLine(error)}); ${installingLlama}`, error);
    }
  }

  /** The memory estimates tokens; here they are counted, and if the text does not fit, its middle is left out. */
  #fitText(text: string, instruction: string, model: LlamaModel): string {
    const taken = model.tokenize(instruction).length + templateTokensMax + this.#maxTokens;
    const left = this.#contextTokens - taken;
    if (left < textTokensMin) {
      throw new Error(
        `its context of ${this.#contextTokens} tokens leaves no room for a text; set a smaller maxTokens`,
      );
    }
    const tokenCount = model.tokenize(text).length;
    if (tokenCount <= left) return text;
    const half = Math.floor((text.length * (left - templateTokensMax / 2)) / tokenCount / 2);
    return text.slice(0, half).toWellFormed() + omission + text.slice(text.length - half).toWellFormed();
  }

  #reasonOf(error: unknown): string {
    return firstLine(error) + (this.#complaint === "" ? "" : ` (${this.#complaint})`);
  }

  #failure(reason: string, cause?: unknown): ModelError {
    const message = `language model ${this.address} failed: ${reason}`;
    return new ModelError("language_model_failed", message, cause === undefined ? {} : { cause });
  }
}

function checkOptions({ path, contextTokens, threads, maxTokens, seed }: GgufLanguageModelOptions): void {
  if (path.trim() === "") throw new InputError("option_invalid", "language model needs the path of a GGUF file");
  checkWholeNumber("contextTokens", contextTokens, 1);
  checkWholeNumber("threads", threads, 1);
  checkWholeNumber("maxTokens", maxTokens, 1);
  checkWholeNumber("seed", seed, 0);
  const context = contextTokens ?? defaultContextTokens;
  const least = (maxTokens ?? defaultMaxTokens) + instructionTokensMax + textTokensMin;
  if (context >= least) return;
  throw new InputError(
    "option_invalid",
    `language model contextTokens ${context} leaves no room for a text; use ${least} or more, or a smaller maxTokens`,
  );
}

function checkWholeNumber(name: string, value: number | undefined, least: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least)) return;
  throw new InputError("option_invalid", `language model ${name} ${value} is not an integer of at least ${least}`);
}

function checkFile(path: string): void {
  const start = Buffer.alloc(magic.length);
  try {
    const file = openSync(path, "r");
    try {
      readSync(file, start, 0, magic.length, 0);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    const reason = unreadable[code] ?? code;
    throw new InputError("option_invalid", `language model ${path} cannot be read: ${reason}; name a GGUF file`, {
      cause,
    });
  }
  if (start.toString("latin1") === magic) return;
  throw new InputError(
    "option_invalid",
    `language model ${path} is not a GGUF file: it does not begin with "${magic}"`,
  );
}

function toItems(messages: readonly ChatMessage[]): LlamaChatItem[] {
  const items = messages.map(({ role, text }): LlamaChatItem =>
    role === "assistant" ? { type: "model", response: [text] } : { type: role, text },
  );
  // The reply continues the history.
  return [...items, { type: "model", response: [] }];
}

function grammarOf(schema: LanguageModelRequest["schema"], { llama, grammars }: Loaded): Promise<LlamaGrammar> {
  let grammar = grammars.get(schema);
  if (grammar === undefined) {
    grammar = llama.createGrammarForJsonSchema(refuseEmptyTexts(schema) as object);
    grammars.set(schema, grammar);
  }
  return grammar;
}

/** Small models prefer an empty text if the schema allows one. */
function refuseEmptyTexts(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(refuseEmptyTexts);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [key, refuseEmptyTexts(value)] as const);
  const { type, enum: choices } = schema as { type?: unknown; enum?: unknown };
  const isText = type === "string" && choices === undefined;
  return { ...(isText ? { minLength: 1 } : {}), ...Object.fromEntries(entries) };
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0]!;
}
