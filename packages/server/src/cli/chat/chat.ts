/**
 * A chat of one person with a model that remembers. Each turn is stored as it arrives, and memories are recalled before each
 * reply. If the model fails, only its reply is lost.
 */
import { randomInt } from "node:crypto";
import {
  type ChatMessage,
  type ChatModel,
  type Conversation,
  MnemosyneError,
  NotFoundError,
  type PersonMemory,
  type Recall,
  type Turn,
} from "mnemosyne-edge";
import { type ChatBudget, type FittingTurns, fitTurns, writeSystemMessage } from "./chat-messages.js";
import { estimateTokens } from "mnemosyne-edge/internal/core/text/tokens.js";
import { waitWhileSpeaking } from "../patience.js";
import { withoutThoughts } from "./reply-text.js";

export interface ChatOptions {
  /** Called before each reply: a model in this process knows its context only after it is loaded. */
  readonly planBudget: () => ChatBudget;
  /** How long the model may be silent, before its first piece and between two pieces. */
  readonly silenceSecondsMax: number;
  readonly timeZone: string;
  readonly state?: string;
}

export type ChatAnswer = { readonly recall: Recall } & (
  { readonly reply: string } | { readonly reply: null; readonly failure: string }
);

export interface ChatListener {
  /** Called before the model is asked. */
  readonly onRecall?: (recall: Recall) => void;
  /** Called with each piece of the reply as it arrives. */
  readonly onText?: (piece: string) => void;
  readonly signal?: AbortSignal;
}

const idPrefix = "chat-";
const idSuffixMax = 36 ** 6;

export class Chat {
  lastRecall: Recall | null = null;
  readonly #memory: PersonMemory;
  readonly #model: ChatModel;
  readonly #options: ChatOptions;
  readonly #turns: Turn[] = [];
  #conversation: Conversation;
  #summary: { readonly text: string; readonly turnCount: number } | null = null;

  static async begin(memory: PersonMemory, model: ChatModel, options: ChatOptions): Promise<Chat> {
    return new Chat(memory, model, options, await beginConversation(memory, options));
  }

  private constructor(memory: PersonMemory, model: ChatModel, options: ChatOptions, conversation: Conversation) {
    this.#memory = memory;
    this.#model = model;
    this.#options = options;
    this.#conversation = conversation;
  }

  get timeZone(): string {
    return this.#options.timeZone;
  }

  async answer(said: string, { onRecall, onText, signal }: ChatListener = {}): Promise<ChatAnswer> {
    await this.#add({ who: "user", text: said });
    const budget = this.#options.planBudget();
    const recall = await this.#memory.recall(said, { tokenBudget: budget.memoryTokens });
    this.lastRecall = recall;
    onRecall?.(recall);
    let reply: string;
    try {
      reply = withoutThoughts(await this.#ask(await this.#messages(recall, budget), onText, signal));
      if (reply === "") throw new Error("its reply is empty");
    } catch (error) {
      return { recall, reply: null, failure: (error as Error).message };
    }
    await this.#add({ who: "assistant", text: reply });
    return { recall, reply };
  }

  #ask(messages: readonly ChatMessage[], onText: ChatListener["onText"], signal?: AbortSignal): Promise<string> {
    return waitWhileSpeaking(this.#options.silenceSecondsMax, signal, (onPiece, stop) => {
      const hear = (piece: string): void => {
        onPiece();
        if (!stop.aborted) onText?.(piece);
      };
      return this.#model.reply(messages, hear, stop);
    });
  }

  /** Submits the conversation and returns its id; null if nothing was said. */
  async end(): Promise<string | null> {
    if (this.#conversation.turns.length === 0) return null;
    await this.#conversation.end();
    return this.#conversation.id;
  }

  /** If the conversation was ended elsewhere or has reached its maximum length, the chat continues in a new one. */
  async #add(turn: Turn): Promise<void> {
    try {
      await this.#conversation.add(turn);
    } catch (error) {
      const code = error instanceof MnemosyneError ? error.code : null;
      const isFull = code === "text_too_long" && this.#conversation.turns.length > 0;
      if (!isFull && code !== "conversation_ended") throw error;
      if (isFull) await this.#conversation.end();
      this.#conversation = await beginConversation(this.#memory, this.#options);
      await this.#conversation.add(turn);
    }
    this.#turns.push(turn);
  }

  /** Turns that no longer fit are covered by a summary, which is rewritten only when some of them are missing from it. */
  async #messages({ context }: Recall, { textTokens }: ChatBudget): Promise<ChatMessage[]> {
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: this.timeZone }).format(Date.now());
    const fit = (summary: string | null): { system: string; fitting: FittingTurns } => {
      const system = writeSystemMessage(context, summary, day);
      return { system, fitting: fitTurns(this.#turns, textTokens - estimateTokens(system)) };
    };
    let plan = fit(this.#summary?.text ?? null);
    if (plan.fitting.droppedCount > (this.#summary?.turnCount ?? 0)) {
      this.#summary = { text: await this.#conversation.summary(), turnCount: this.#turns.length };
      plan = fit(this.#summary.text);
    }
    return [{ role: "system", text: plan.system }, ...plan.fitting.messages];
  }
}

/** The id's prefix distinguishes chats from conversations of other programs. */
function beginConversation(memory: PersonMemory, { state }: ChatOptions): Promise<Conversation> {
  const moment = new Date().toISOString().slice(0, 16).replaceAll(/[-:]/gu, "").replace("T", "-");
  const id = `${idPrefix}${moment}-${randomInt(idSuffixMax).toString(36)}`;
  return memory.conversation({ id, ...(state === undefined ? {} : { state }) });
}

/** Submits chats that a crash interrupted; returns the number of their turns. */
export async function endBrokenChats(memory: PersonMemory): Promise<number> {
  const open = await memory.history({ outcomes: ["open"] }).catch((error: unknown) => {
    if (error instanceof NotFoundError) return [];
    throw error;
  });
  let turnCount = 0;
  for (const { id, turns } of open.filter((item) => item.id.startsWith(idPrefix))) {
    await (await memory.conversation({ id })).end();
    turnCount += turns.length;
  }
  return turnCount;
}
