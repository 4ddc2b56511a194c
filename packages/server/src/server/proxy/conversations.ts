/**
 * The conversations of chats that pass through. A chat is recognised by the name that the client gives it, by the reply that it
 * continues, or by how it begins; its new turns are added to the open conversation, or to a new one. A conversation that has been
 * quiet for long enough ends and becomes a memory. What is done for one person is done in order.
 */
import { NotFoundError, type PersonMemory, type Turn } from "mnemosyne-edge";
import { describeDecision } from "mnemosyne-edge/internal/engine/commit-decision.js";
import type { ServerContext } from "../server-context.js";
import { type ReplyPlace, type SaidInChat, makeId, readKey, recognise } from "./chat-recognition.js";
import { type ConversationStart, OpenConversation, isFull, isOver, proxySource } from "./open-conversation.js";
import { keyOfTurn, readTurns } from "./said-turns.js";

/** An exchange of which the reply is yet to come. */
export interface Recorded {
  readonly id: string;
  readonly addedCount: number;
  /** Why what is new is not stored yet; it is kept, and tried again. */
  readonly failure: unknown;
  /**
   * What the chat asked to be forgotten in parts that have become memories since, which is said once: it is held back until
   * somebody forgets or restores it.
   */
  takeForgetAsked(): readonly string[];
  /** Stores the reply, if there is one; with `ends`, the conversation is over. Must be called. */
  finish(reply: { messages: readonly object[]; replyId: string | null; ends: boolean }): Promise<void>;
}

interface PersonChats {
  readonly open: OpenConversation[];
  /** What was asked for last is done when it resolves. */
  last: Promise<unknown>;
  waitingCount: number;
}

/** Beyond it, the one that has been quiet for longest ends. */
const openCountMax = 5_000;
const replyCountMax = 20_000;
/** Chats of which an ended part has not been looked at. */
const endedCountMax = 5_000;
const timeoutMsMax = 2 ** 31 - 1;

export class Conversations {
  readonly #context: ServerContext;
  readonly #quietMs: number;
  readonly #persons = new Map<string, PersonChats>();
  /** Conversations and the number of turns in them, by the upstream's names of replies. */
  readonly #replies = new Map<string, ReplyPlace>();
  /** By chat, conversations that have ended since its last answer: what came of them is known once they are committed. */
  readonly #ended = new Map<string, readonly string[]>();
  #isAllKnown = false;
  #isClosed = false;
  #openCount = 0;
  #recovering: Promise<void> = Promise.resolve();

  constructor(context: ServerContext, quietSeconds: number) {
    this.#context = context;
    this.#quietMs = Math.min(quietSeconds * 1_000, timeoutMsMax);
  }

  /** Stores what is new in a request. */
  record(said: SaidInChat): Promise<Recorded | null> {
    return this.#inOrder(said.person, async (chats) => {
      const memory = this.#context.mnemosyne.person(said.person);
      const reply = said.previousId === null ? undefined : this.#replies.get(replyKey(said.person, said.previousId));
      const { open: known, turns, position, start } = recognise(said, chats.open, reply);
      if (known === null && turns.length === 0) return null;
      const open = known ?? (await this.#start(start, chats, memory));
      const { current, failure } = await this.#add(open, turns, chats);
      current.busyCount++;
      clearTimeout(current.quiet);
      const before = current === open ? position : current.turns.length;
      const finish: Recorded["finish"] = (reply) => this.#finish(current, before, said, reply);
      const takeForgetAsked = await this.#findForgetAsked(current);
      return { id: current.id, addedCount: turns.length, failure, takeForgetAsked, finish };
    });
  }

  /**
   * Begins to find what an earlier process left open, for everybody, one person after the other. Nobody has to wait for it: for
   * whoever chats meanwhile it is done first.
   */
  recover(): void {
    this.#recovering = this.#recoverAll().catch((error: unknown) =>
      this.#log({}, error, "open chats were not looked for"),
    );
  }

  async #recoverAll(): Promise<void> {
    let failureCount = 0;
    for await (const person of this.#context.mnemosyne.persons()) {
      if (this.#isClosed) return;
      await this.#inOrder(person, async () => {}).catch((error: unknown) => {
        failureCount++;
        this.#log({}, error, "the open chats of a person were not found");
      });
    }
    this.#isAllKnown = failureCount === 0;
  }

  /** What is open stays open, for the next process; what is being done is done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#recovering;
    const all = [...this.#persons.values()];
    for (const { open } of all) for (const { quiet } of open) clearTimeout(quiet);
    await Promise.all(all.map(({ last }) => last));
    await Promise.all(
      all.flatMap(({ open }) => open.map((each) => each.add([]).catch((error) => this.#warn(each, error)))),
    );
  }

  async #inOrder<T>(person: string, work: (chats: PersonChats) => Promise<T>): Promise<T> {
    const known = this.#persons.get(person);
    const chats = known ?? { open: [], last: Promise.resolve(), waitingCount: 0 };
    if (known === undefined) this.#persons.set(person, chats);
    const isNew = known === undefined && !this.#isAllKnown;
    chats.waitingCount++;
    const result = chats.last.then(async () => {
      if (isNew) await this.#findLeftOpen(person, chats);
      return work(chats);
    });
    chats.last = result
      .catch(() => {})
      .finally(() => {
        chats.waitingCount--;
        if (chats.waitingCount === 0 && chats.open.length === 0) this.#persons.delete(person);
      });
    return result;
  }

  async #findLeftOpen(person: string, chats: PersonChats): Promise<void> {
    const memory = this.#context.mnemosyne.person(person);
    try {
      for await (const { id, metadata } of memory.history({ outcomes: ["open"] })) {
        const key = metadata["conversation"];
        if (metadata["source"] !== proxySource || typeof key !== "string") continue;
        this.#keep(await OpenConversation.open({ id, key, ...readKey(id, key) }, memory), chats);
      }
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  async #start(start: ConversationStart, chats: PersonChats, memory: PersonMemory): Promise<OpenConversation> {
    const open = await OpenConversation.open(start, memory).catch((error: unknown) => {
      if (!isOver(error)) throw error;
      // The client goes on with a chat that had become a memory: this is its next part.
      return OpenConversation.open({ ...start, id: makeId(start.key, start.skipped) }, memory);
    });
    this.#keep(open, chats);
    return open;
  }

  /** To the conversation, or to the next one if this one has ended or is full. */
  async #add(
    open: OpenConversation,
    turns: readonly Turn[],
    chats: PersonChats,
  ): Promise<{ current: OpenConversation; failure: unknown }> {
    try {
      await open.add(turns);
      return { current: open, failure: null };
    } catch (error) {
      if (!isOver(error) && !isFull(error)) {
        this.#warn(open, error);
        return { current: open, failure: error };
      }
      const rest = open.takeUnsaved();
      if (isFull(error)) await open.end();
      this.#drop(open, chats);
      const { key, begins, memory } = open;
      const next = chats.open.findLast((each) => each.key === key);
      const current = next ?? (await this.#start({ id: makeId(key, null), key, begins, skipped: null }, chats, memory));
      await current.add(rest);
      return { current, failure: null };
    }
  }

  #finish(
    open: OpenConversation,
    position: number,
    { person }: SaidInChat,
    { messages, replyId, ends }: Parameters<Recorded["finish"]>[0],
  ): Promise<void> {
    return this.#inOrder(person, async (chats) => {
      open.busyCount--;
      const { interactionCharacterCountMax } = this.#context.mnemosyne.parameters;
      const reply = readTurns(messages, interactionCharacterCountMax);
      const isForgotten = reply.length > 0 && (await this.#isForgotten(open));
      // The same answer again is no other one.
      const known = new Set(open.turns.slice(position).map(keyOfTurn));
      const turns = isForgotten ? [] : reply.filter((turn) => !known.has(keyOfTurn(turn)));
      const { current } = await this.#add(open, turns, chats).finally(() => this.#watch(open, chats));
      const place = { key: current.key, id: current.id, position: current.turns.length };
      if (replyId !== null) this.#remember(replyKey(person, replyId), place);
      if (ends) await this.#end(current, chats);
    });
  }

  /** What was forgotten while the model answered stays so: its answer repeats it. */
  async #isForgotten({ id, memory, isStored }: OpenConversation): Promise<boolean> {
    if (!isStored) return false;
    try {
      return (await memory.history({ ids: [id] })).length === 0;
    } catch (error) {
      return error instanceof NotFoundError;
    }
  }

  #keep(open: OpenConversation, chats: PersonChats): void {
    chats.open.push(open);
    this.#openCount++;
    this.#watch(open, chats);
    if (this.#openCount > openCountMax) this.#endLongestQuiet();
  }

  /** Ends it when nothing has been said for long enough. */
  #watch(open: OpenConversation, chats: PersonChats): void {
    open.lastMs = Date.now();
    clearTimeout(open.quiet);
    if (open.busyCount > 0 || this.#isClosed || !chats.open.includes(open)) return;
    open.quiet = setTimeout(() => this.#endQuiet(open), this.#quietMs);
    open.quiet.unref();
  }

  #endQuiet(open: OpenConversation): void {
    this.#inOrder(open.memory.name, async (chats) => {
      if (this.#isClosed || open.busyCount > 0 || !chats.open.includes(open)) return;
      try {
        const growth = await open.growth();
        if (growth > 0) this.#watch(open, chats);
        else if (growth < 0) this.#drop(open, chats);
        else await this.#end(open, chats);
      } catch (error) {
        if (isOver(error)) this.#drop(open, chats);
        else this.#watch(open, chats);
        if (!isOver(error)) throw error;
      }
    }).catch((error: unknown) => this.#warn(open, error));
  }

  async #findForgetAsked({ key, memory }: OpenConversation): Promise<() => readonly string[]> {
    const chat = chatKey(memory.name, key);
    const ids = this.#ended.get(chat);
    if (ids === undefined) return () => [];
    try {
      const items = await memory.history({ ids });
      const asked = items.flatMap(({ id, outcome, trace }) => describeDecision(id, outcome, trace).forgetAsked);
      const waiting = new Set(items.filter(({ outcome }) => outcome === "queued").map(({ id }) => id));
      return () => {
        const left = (this.#ended.get(chat) ?? []).filter((id) => waiting.has(id) || !ids.includes(id));
        if (left.length === 0) this.#ended.delete(chat);
        else this.#ended.set(chat, left);
        return [...new Set(asked)];
      };
    } catch (error) {
      if (!(error instanceof NotFoundError)) this.#log({}, error, "what a chat asks to be forgotten was not looked up");
      return () => [];
    }
  }

  async #end(open: OpenConversation, chats: PersonChats): Promise<void> {
    try {
      await open.end();
    } catch (error) {
      if (!isOver(error)) throw error;
    }
    this.#drop(open, chats);
  }

  #noteEnd({ id, key, memory }: OpenConversation): void {
    const chat = chatKey(memory.name, key);
    this.#ended.set(chat, [...(this.#ended.get(chat) ?? []), id]);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > endedCountMax && oldest !== undefined) this.#ended.delete(oldest);
  }

  #drop(open: OpenConversation, { open: all }: PersonChats): void {
    clearTimeout(open.quiet);
    const place = all.indexOf(open);
    if (place === -1) return;
    all.splice(place, 1);
    this.#openCount--;
    if (open.isStored) this.#noteEnd(open);
  }

  #endLongestQuiet(): void {
    const all = [...this.#persons.values()].flatMap(({ open }) => open).filter(({ busyCount }) => busyCount === 0);
    const oldest = all.reduce<OpenConversation | null>(
      (old, each) => (old !== null && old.lastMs <= each.lastMs ? old : each),
      null,
    );
    if (oldest !== null) this.#endQuiet(oldest);
  }

  #remember(key: string, place: ReplyPlace): void {
    this.#replies.set(key, place);
    const [oldest] = this.#replies.keys();
    if (this.#replies.size > replyCountMax && oldest !== undefined) this.#replies.delete(oldest);
  }

  #warn({ id }: OpenConversation, error: unknown): void {
    this.#log({ conversation: id }, error, "a conversation could not be stored");
  }

  #log(about: object, error: unknown, message: string): void {
    this.#context.log.warn({ ...about, error }, message);
  }
}

function chatKey(person: string, key: string): string {
  return JSON.stringify([person, key]);
}

function replyKey(person: string, replyId: string): string {
  return JSON.stringify([person, replyId]);
}
