/**
 * Reads a reply while it passes through: what of it is text becomes a turn. It gets copies of the bytes, keeps a bounded part of
 * them, and never throws: whatever it cannot read is not remembered, and the chat goes on.
 */
import { type ReplyParts, isObject } from "./chat-shape.js";
import { EventReader } from "./server-sent-events.js";

/** Of a larger reply, such as one with images, nothing is read; it may be larger as a stream. */
const wholeCharacterCountMax = 8 * 2 ** 20;

export interface ReplyHeaders {
  readonly contentType: string;
  readonly contentEncoding: string;
}

export class ReplyReader {
  readonly #parts: ReplyParts;
  readonly #decoder = new TextDecoder();
  readonly #events: EventReader | null;
  #whole = "";
  #isUnreadable: boolean;

  constructor(parts: ReplyParts, { contentType, contentEncoding }: ReplyHeaders) {
    this.#parts = parts;
    const isWhole = /\bjson\b/u.test(contentType) && !contentType.includes("ndjson");
    this.#events = isWhole ? null : new EventReader((data) => this.#readEvent(data));
    this.#isUnreadable = !["", "identity"].includes(contentEncoding.trim().toLowerCase());
  }

  add(bytes: Uint8Array): void {
    if (this.#isUnreadable) return;
    try {
      const text = this.#decoder.decode(bytes, { stream: true });
      if (this.#events === null) this.#addToWhole(text);
      else this.#events.add(text);
    } catch {
      this.#isUnreadable = true;
    }
  }

  /** What was said, as far as it arrived. */
  end(): readonly object[] {
    if (this.#isUnreadable) return [];
    try {
      this.#events?.end();
      if (this.#events === null) this.#readWhole();
      return this.#parts.messages();
    } catch {
      return [];
    }
  }

  #addToWhole(text: string): void {
    this.#isUnreadable = this.#whole.length + text.length > wholeCharacterCountMax;
    this.#whole = this.#isUnreadable ? "" : this.#whole + text;
  }

  #readEvent(data: string): void {
    const event = parseObject(data);
    if (event !== null) this.#parts.addEvent(event);
  }

  #readWhole(): void {
    const body = parseObject(this.#whole);
    if (body !== null) this.#parts.addWhole(body);
  }
}

/** Null for what is not an object, such as [DONE]. */
function parseObject(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
