/** What differs between the chat APIs: where the messages, the person and the instructions are, and how a reply looks. */

export interface ChatShape {
  /** What logs and the audit call it. */
  readonly operation: string;
  /** Below the base address of the upstream. */
  readonly path: string;
  readonly isAnthropic: boolean;
  readRequest(body: Readonly<Record<string, unknown>>): ChatRequest;
  /** The request's JSON with the memory's text among the instructions; null if it has no place for it. */
  addInstructions(json: string, text: string): string | null;
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
  addEvent(event: Readonly<Record<string, unknown>>): void;
  addWhole(body: Readonly<Record<string, unknown>>): void;
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

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function asText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function objectsIn(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Parts that a reply has at most; an index beyond it is ignored. */
const partCountMax = 1_000;

export function isPartIndex(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < partCountMax;
}
