/** The body of a request: its bytes, and what they say if they are JSON. */
import type { Context } from "hono";
import { RequestError } from "../problem.js";
import type { ServerEnv } from "../server-context.js";
import { isObject } from "./chat-shape.js";

/** Refused with 413 as soon as more than `bytesMax` bytes have come. */
export async function readBody(c: Context<ServerEnv>, bytesMax: number): Promise<Uint8Array> {
  const refusal = new RequestError("body_too_large", `The body may have at most ${bytesMax} bytes.`);
  if (Number(c.req.header("content-length") ?? 0) > bytesMax) throw refusal;
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = c.req.raw.body as AsyncIterable<Uint8Array> | null;
  for await (const piece of stream ?? []) {
    length += piece.byteLength;
    if (length > bytesMax) throw refusal;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

export interface ReadBody {
  readonly json: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Null for what is not an object in JSON: the upstream says what is wrong with it. */
export function readJson(bytes: Uint8Array): ReadBody | null {
  try {
    const json = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const body: unknown = JSON.parse(json);
    return isObject(body) ? { json, body } : null;
  } catch {
    return null;
  }
}
