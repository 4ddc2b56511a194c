/**
 * Reads a reply while it passes through: what of it is text becomes a turn. It gets copies of the bytes, keeps a bounded part of
 * them, and never throws: whatever it cannot read is not remembered, and the chat goes on.
 */
import { type Transform } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
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
  readonly #unpacking: Unpacking | null;
  #whole = "";
  #isUnreadable: boolean;

  constructor(parts: ReplyParts, { contentType, contentEncoding }: ReplyHeaders) {
    this.#parts = parts;
    const isWhole = /\bjson\b/u.test(contentType) && !contentType.includes("ndjson");
    this.#events = isWhole ? null : new EventReader((data) => this.#readEvent(data));
    const encoding = contentEncoding.trim().toLowerCase();
    this.#unpacking = Unpacking.of(encoding, (bytes) => this.#addBytes(bytes));
    this.#isUnreadable = this.#unpacking === null && encoding !== "" && encoding !== "identity";
  }

  add(bytes: Uint8Array): void {
    if (this.#isUnreadable) return;
    if (this.#unpacking === null) this.#addBytes(bytes);
    else this.#unpacking.add(bytes);
  }

  /** What was said, as far as it arrived. */
  async end(): Promise<readonly object[]> {
    await this.#unpacking?.end();
    if (this.#isUnreadable) return [];
    try {
      this.#events?.end();
      if (this.#events === null) this.#readWhole();
      return this.#parts.messages();
    } catch {
      return [];
    }
  }

  #addBytes(bytes: Uint8Array): void {
    if (this.#isUnreadable) return;
    try {
      const text = this.#decoder.decode(bytes, { stream: true });
      if (this.#events === null) this.#addToWhole(text);
      else this.#events.add(text);
    } catch {
      this.#isUnreadable = true;
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

/** Unpacks on the side what passes through packed. What is cut off is unpacked as far as it goes. */
class Unpacking {
  readonly #stream: Transform;
  readonly #ended: Promise<void>;

  static of(encoding: string, onBytes: (bytes: Uint8Array) => void): Unpacking | null {
    if (encoding === "gzip" || encoding === "x-gzip") {
      return new Unpacking(createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), onBytes);
    }
    if (encoding === "deflate") return new Unpacking(createInflate({ finishFlush: constants.Z_SYNC_FLUSH }), onBytes);
    if (encoding !== "br") return null;
    return new Unpacking(createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }), onBytes);
  }

  private constructor(stream: Transform, onBytes: (bytes: Uint8Array) => void) {
    this.#stream = stream;
    this.#ended = new Promise((resolve) => {
      stream.once("close", resolve);
      stream.once("end", resolve);
      // Bytes that are not what they should be end the reading; what came before them counts.
      stream.once("error", () => resolve());
    });
    stream.on("data", onBytes);
  }

  add(bytes: Uint8Array): void {
    if (!this.#stream.destroyed) this.#stream.write(bytes);
  }

  end(): Promise<void> {
    if (!this.#stream.destroyed) this.#stream.end();
    return this.#ended;
  }
}
