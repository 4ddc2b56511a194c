/** The body of a chat: how much of it one caller may have in memory, and what it says, if it is JSON. */
import type { Context } from "hono";
import { RequestError } from "../problem.js";
import { bodyStream } from "../security/request-limits.js";
import type { ServerEnv } from "../server-context.js";
import { findTooMuch } from "../security/json-size.js";
import { type JsonObject, isObject } from "./chat-shape.js";

/** Null for what is not an object in JSON, or too much of one: the upstream says what is wrong with it. */
export function readJson(bytes: Uint8Array): JsonObject | null {
  if (findTooMuch(bytes) !== null) return null;
  try {
    const json = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const body: unknown = JSON.parse(json);
    return isObject(body) ? body : null;
  } catch {
    return null;
  }
}

const largeBytesMin = 4 * 2 ** 20;
/** Each takes three times its size until it has been forwarded. */
const largeCountMax = 8;

/** Large bodies that are being worked on, by caller. */
export class LargeBodies {
  readonly #counts = new Map<string, number>();

  /** Reads the body, which may have that many bytes, and works on it; refused if the caller has too many large ones. */
  async use<Result>(
    c: Context<ServerEnv>,
    bytesMax: number,
    work: (bytes: Uint8Array) => Promise<Result>,
  ): Promise<Result> {
    const { caller } = c.var;
    const pieces: Uint8Array[] = [];
    let byteCount = 0;
    let isLarge = false;
    try {
      for await (const piece of bodyStream(c, bytesMax)) {
        byteCount += piece.byteLength;
        if (byteCount > largeBytesMin && !isLarge) isLarge = this.#add(caller);
        pieces.push(piece);
      }
      return await work(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces));
    } finally {
      if (isLarge) this.#remove(caller);
    }
  }

  #add(caller: string): true {
    const count = this.#counts.get(caller) ?? 0;
    if (count >= largeCountMax) {
      const message = `More than ${largeCountMax} chats of more than 4 MiB at once; try again in 1 s.`;
      throw new RequestError("rate_limited", message, { headers: { "retry-after": "1" } });
    }
    this.#counts.set(caller, count + 1);
    return true;
  }

  #remove(caller: string): void {
    const left = this.#counts.get(caller)! - 1;
    if (left === 0) this.#counts.delete(caller);
    else this.#counts.set(caller, left);
  }
}
