/**
 * What the memory does for one chat request: it recalls before the request is forwarded, stores what is new in it at the same
 * time, and stores the reply afterwards. What the user says is stored before the upstream is called, so that it is kept even if
 * no answer comes. Neither may hold up the chat for long, or break it.
 */
import { setTimeout as wait } from "node:timers/promises";
import { RequestError } from "../problem.js";
import { type Access, allows } from "../security/access.js";
import type { AuditEntry, ServerContext } from "../server-context.js";
import type { ChatRequest } from "./chat-shape.js";
import type { SaidInChat } from "./chat-recognition.js";
import type { Conversations, Recorded } from "./conversations.js";
import { type RecalledText, nothingRecalled, recallText } from "./memory-of-request.js";
import { lastQuestion, readSaidTurns } from "./said-turns.js";

/** What the client wants of the memory. */
export interface ChatWishes {
  readonly person: string;
  readonly recalls: boolean;
  readonly commits: boolean;
  /** Its name for the conversation. */
  readonly conversation: string | null;
  readonly endsConversation: boolean;
}

type CommitState = "stored" | "none" | "failed" | "timeout" | "off";

export interface ChatMemoryParts {
  readonly context: ServerContext;
  readonly conversations: Conversations;
  readonly operation: string;
  readonly access: Access;
  readonly tokenBudget: number;
  readonly msMax: number;
}

/** A header may not be long; the interaction has all of them. */
const namesLengthMax = 4_000;

/** Percent-encoded, because a name may hold anything, a comma too. */
function writeNames(names: readonly string[]): string {
  const written: string[] = [];
  let length = 0;
  for (const name of names) {
    const each = encodeURIComponent(name.toWellFormed()).replaceAll("%23", "#");
    length += each.length + 2;
    if (length > namesLengthMax) break;
    written.push(each);
  }
  return written.join(", ");
}

export class ChatMemory {
  readonly #parts: ChatMemoryParts;
  readonly #wishes: ChatWishes;
  readonly #said: SaidInChat;
  #recording: Promise<Recorded | null> | null = null;
  #recalled: RecalledText = nothingRecalled;
  #commitState: CommitState = "off";
  #conversationId: string | null = null;
  #takeForgetAsked: Recorded["takeForgetAsked"] = () => [];

  /** Throws if the caller may not see this person, before anything is looked up. */
  constructor(request: ChatRequest, wishes: ChatWishes, parts: ChatMemoryParts) {
    const { context, access, operation } = parts;
    const { person } = wishes;
    if (!allows(access, "read", person)) {
      context.audit.record({ action: "refuse", operation, keyId: access.keyId, person, outcome: 403 });
      throw new RequestError("not_allowed", "This key may not use the memory of this person.");
    }
    // A name that cannot be one is refused here.
    context.mnemosyne.person(person);
    this.#parts = parts;
    this.#wishes = { ...wishes, commits: wishes.commits && allows(access, "write", person) };
    const { interactionCharacterCountMax } = context.mnemosyne.parameters;
    const turns = readSaidTurns(request.messages, interactionCharacterCountMax);
    const { previousId, upstreamConversation } = request;
    this.#said = { person, turns, name: wishes.conversation, previousId, upstreamConversation };
  }

  /** What to add to the instructions; null for nothing. */
  async prepare(messages: readonly object[]): Promise<string | null> {
    const [recalled] = await Promise.all([this.#recall(messages), this.#record()]);
    this.#recalled = recalled;
    return recalled.text;
  }

  /** A request with no place for the text stays as it is. */
  leaveOut(): void {
    if (this.#recalled.state === "used") this.#recalled = nothingRecalled;
  }

  /** What the client is told. */
  headers(): Record<string, string> {
    const { state, ids } = this.#recalled;
    const conversation = this.#conversationId === null ? {} : { "mnemosyne-conversation": this.#conversationId };
    const names = writeNames(this.#takeForgetAsked());
    return {
      "mnemosyne-memory": state,
      "mnemosyne-recalled": String(ids.length),
      "mnemosyne-commit": this.#commitState,
      ...conversation,
      ...(names === "" ? {} : { "mnemosyne-forget-asked": names }),
    };
  }

  /** `messages` is what of the reply has arrived; none if there was no reply. Never throws. */
  async finish(messages: readonly object[], replyId: string | null): Promise<void> {
    if (this.#recording === null) return;
    const ends = this.#wishes.endsConversation;
    try {
      // What could not be stored before may be possible by now.
      const recorded = await this.#recording.catch(() => this.#parts.conversations.record(this.#said));
      if (recorded === null) return;
      await recorded.finish({ messages, replyId, ends });
      this.#audit("commit", [recorded.id], "ok");
    } catch (error) {
      this.#audit("commit", [], "failed");
      this.#warn(error, "what was said could not be stored");
    }
  }

  async #recall(messages: readonly object[]): Promise<RecalledText> {
    const { context, tokenBudget, msMax } = this.#parts;
    if (!this.#wishes.recalls) return { ...nothingRecalled, state: "off" };
    const question = lastQuestion(messages);
    if (question === null) return nothingRecalled;
    const { questionCharacterCountMax } = context.mnemosyne.parameters;
    const memory = context.mnemosyne.person(this.#wishes.person);
    const recalled = await recallText(memory, question, { tokenBudget, msMax, questionCharacterCountMax });
    if (recalled.failure !== undefined) this.#warn(recalled.failure, "the chat goes on without its memory");
    this.#audit("read", recalled.ids, recalled.failure === undefined ? "ok" : "failed");
    return recalled;
  }

  async #record(): Promise<void> {
    if (!this.#wishes.commits) return;
    const recording = this.#parts.conversations.record(this.#said);
    this.#recording = recording;
    const timeout = new AbortController();
    try {
      const late = wait(this.#parts.msMax, "late" as const, { signal: timeout.signal });
      const recorded = await Promise.race([recording, late]);
      if (recorded === "late") {
        this.#commitState = "timeout";
        return;
      }
      this.#conversationId = recorded?.id ?? null;
      if (recorded !== null) this.#takeForgetAsked = recorded.takeForgetAsked;
      this.#commitState = recorded === null ? "none" : recorded.failure === null ? "stored" : "failed";
    } catch (error) {
      this.#commitState = "failed";
      this.#warn(error, "the chat goes on; what was said is not stored yet");
    } finally {
      timeout.abort();
    }
  }

  #audit(action: AuditEntry["action"], ids: readonly string[], outcome: string): void {
    const { context, operation, access } = this.#parts;
    context.audit.record({ action, operation, keyId: access.keyId, person: this.#wishes.person, ids, outcome });
  }

  #warn(error: unknown, message: string): void {
    const { context, operation } = this.#parts;
    context.log.warn({ operation, error }, message);
  }
}
