/** What the body of a chat says, if it is JSON. */
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
