/** What differs between the chat APIs: where the messages, the person and the instructions are, and how a reply looks. */

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ChatShape {
  /** What logs and the audit call it. */
  readonly operation: string;
  /** Below the base address of the upstream. */
  readonly path: string;
  readonly isAnthropic: boolean;
  readRequest(body: JsonObject): ChatRequest;
  /** The request with the memory's text among the instructions; null if it has no place for it. */
  addInstructions(body: JsonObject, text: string): JsonObject | null;
  createReply(): ReplyParts;
}

export interface ChatRequest {
  /** All that were sent, oldest first, as they are. */
  readonly messages: readonly object[];
  /** Whom the request names; null if nobody. */
  readonly user: string | null;
  /** The reply that it continues, where the upstream keeps the messages before. */
  readonly previousId: string | null;
  /** The conversation in which the upstream keeps them. */
  readonly upstreamConversation: string | null;
}

/** A reply as it arrives. What cannot be read is left out; nothing here throws. */
export interface ReplyParts {
  addEvent(event: JsonObject): void;
  addWhole(body: JsonObject): void;
  /** The upstream's name of the reply; null if it has none. */
  id(): string | null;
  /** As the client will send them back; none if nothing was said. */
  messages(): readonly object[];
}

/** Characters of a reply that are kept; what comes after passes through, and is not remembered. */
const replyCharacterCountMax = 200_000;

/** Text that grows to a limit. */
export class GrowingText {
  #text = "";

  add(piece: unknown): void {
    if (typeof piece !== "string" || this.#text.length >= replyCharacterCountMax) return;
    this.#text += piece.slice(0, replyCharacterCountMax - this.#text.length);
  }

  get text(): string {
    return this.#text;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The content of a message with more text at its end; null for what is neither a text nor a list of parts. */
export function withText(content: unknown, text: string): unknown {
  if (typeof content === "string") return `${content}\n\n${text}`;
  return Array.isArray(content) ? [...(content as unknown[]), { type: "text", text }] : null;
}

export function asText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Parts that a reply has at most; an index beyond it is ignored. */
const partCountMax = 1_000;

export function isPartIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < partCountMax;
}
