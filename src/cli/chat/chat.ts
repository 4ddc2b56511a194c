/**
 * A chat of one person with a model that remembers. Each turn is stored as it comes; before each reply the memory is
 * asked. A model that fails loses a reply, and nothing that was said.
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
} from "../../index.js";
import { type ChatBudget, type FittingTurns, fitTurns, writeSystemMessage } from "./chat-messages.js";
import { estimateTokens } from "../../core/text/tokens.js";
import { waitWhileSpeaking } from "../patience.js";
import { withoutThoughts } from "./reply-text.js";

export interface ChatOptions {
  /** Asked before each reply: a model in this process knows its context only once it is loaded. */
  readonly planBudget: () => ChatBudget;
  /** How long the model may say nothing, before its first piece and between two. */
  readonly silenceSecondsMax: number;
  readonly timeZone: string;
  readonly state?: string;
}

export type ChatAnswer = { readonly recall: Recall } & (
  { readonly reply: string } | { readonly reply: null; readonly failure: string }
);

export interface ChatListener {
  /** Told before the model is asked. */
  readonly onRecall?: (recall: Recall) => void;
  /** Told each piece of the reply as it comes. */
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

  async answer(said: string, { onRecall, onText, signal }: ChatListener = {}): Promise<ChatAnswer> {
    await this.#add({ who: "user", text: said });
    const budget = this.#options.planBudget();
    const recall = await this.#memory.recall(said, { tokenBudget: budget.memoryTokens });
    this.lastRecall = recall;
    onRecall?.(recall);
    let reply: string;
    try {
      reply = withoutThoughts(await this.#ask(await this.#messages(recall, budget), onText, signal));
      if (reply === "") throw new Error("there is no text in its reply");
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

  /** Hands the conversation in, and gives its id; null where nothing was said. */
  async end(): Promise<string | null> {
    if (this.#conversation.turns.length === 0) return null;
    await this.#conversation.end();
    return this.#conversation.id;
  }

  /** A conversation that was ended elsewhere, or is as long as one may be, goes on as another one. */
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

  /** Turns that no longer fit are covered by a summary, which is written anew only when it lacks some of them. */
  async #messages({ context }: Recall, { textTokens }: ChatBudget): Promise<ChatMessage[]> {
    const { timeZone } = this.#options;
    const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone }).format(Date.now());
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

/** Ids tell chats from conversations of other programs. */
function beginConversation(memory: PersonMemory, { state }: ChatOptions): Promise<Conversation> {
  const moment = new Date().toISOString().slice(0, 16).replaceAll(/[-:]/gu, "").replace("T", "-");
  const id = `${idPrefix}${moment}-${randomInt(idSuffixMax).toString(36)}`;
  return memory.conversation({ id, ...(state === undefined ? {} : { state }) });
}

/** Hands in chats that a crash broke off; gives the number of their turns. */
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
