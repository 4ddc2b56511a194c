/**
 * A conversation in progress, as the proxy knows it. Every turn is stored as it is added. What the store could not take is kept and
 * added before the next, or before the end.
 */
import { type Conversation, MnemosyneError, type PersonMemory, type Turn } from "mnemosyne-edge";

/** Turns that wait for the store; beyond it the oldest are given up. */
const unsavedCountMax = 200;

export interface ConversationStart {
  readonly id: string;
  /** The name that a client gave, or what recognises the chat. */
  readonly key: string;
  /** How the chat begins, and how many of its turns come before those stored here; null if that is not known. */
  readonly begins: string | null;
  readonly skipped: number | null;
}

export class OpenConversation {
  readonly id: string;
  readonly key: string;
  readonly begins: string | null;
  readonly skipped: number | null;
  readonly memory: PersonMemory;
  /** Exchanges that are not over; while there are any, the conversation is not quiet. */
  busyCount = 0;
  lastMs = 0;
  quiet: NodeJS.Timeout | undefined;
  #conversation: Conversation;
  #unsaved: Turn[] = [];

  private constructor(start: ConversationStart, memory: PersonMemory, conversation: Conversation) {
    this.id = start.id;
    this.key = start.key;
    this.begins = start.begins;
    this.skipped = start.skipped;
    this.memory = memory;
    this.#conversation = conversation;
  }

  /** Throws conversation_ended if one with this id has ended. */
  static async open(start: ConversationStart, memory: PersonMemory): Promise<OpenConversation> {
    const metadata = { source: proxySource, conversation: start.key };
    return new OpenConversation(start, memory, await memory.conversation({ id: start.id, metadata }));
  }

  /** With what could not be stored yet. */
  get turns(): readonly Turn[] {
    return [...this.#conversation.turns, ...this.#unsaved];
  }

  /** Whether the store has any of it. */
  get isStored(): boolean {
    return this.#conversation.turns.length > 0;
  }

  /** Throws what the store says; the turns are kept then, for the next time. */
  async add(turns: readonly Turn[]): Promise<void> {
    // Not as arguments: of those there may be too many.
    for (const turn of turns.slice(-unsavedCountMax)) this.#unsaved.push(turn);
    if (this.#unsaved.length > unsavedCountMax) this.#unsaved.splice(0, this.#unsaved.length - unsavedCountMax);
    while (this.#unsaved.length > 0) {
      await this.#conversation.add(this.#unsaved[0]!).catch((error: unknown) => {
        // One that no store will ever take must not hold up the others.
        if (!isRefusal(error)) throw error;
      });
      this.#unsaved.shift();
    }
  }

  /** What is not stored, for another conversation to take over. */
  takeUnsaved(): Turn[] {
    return this.#unsaved.splice(0);
  }

  /** How many turns somebody else has added since; less than none if it was forgotten. */
  async growth(): Promise<number> {
    const now = await this.memory.conversation({ id: this.id });
    const growth = now.turns.length - this.#conversation.turns.length;
    if (growth > 0) this.#conversation = now;
    return growth;
  }

  async end(): Promise<void> {
    await this.add([]);
    if (this.isStored) await this.#conversation.end();
  }
}

/** What says that a conversation is the proxy's. */
export const proxySource = "proxy";

export function isOver(error: unknown): boolean {
  return error instanceof MnemosyneError && error.code === "conversation_ended";
}

function isRefusal(error: unknown): boolean {
  return error instanceof MnemosyneError && error.family === "input" && !isOver(error) && !isFull(error);
}

/** It has become as long as an interaction may be. */
export function isFull(error: unknown): boolean {
  return error instanceof MnemosyneError && (error.code === "text_too_long" || error.code === "too_many_turns");
}
