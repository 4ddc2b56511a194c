/**
 * A value of somebody else's, kept exactly. Metadata is flat and its texts are short, so the value lies there as JSON in
 * pieces: it is neither embedded nor shown to a model, and history and recall return it with the interaction. What JSON
 * cannot carry is refused, because it would come back as something else; bytes are the exception.
 */
import { InputError } from "../errors.js";
import type { Metadata } from "../index.js";

const name = "json";
/** Limits of metadata; some names are left to the door. */
const pieceLengthMax = 1_000;
const pieceCountMax = 64;
const nameCountMax = 24;
const depthMax = 200;
/** An object with one of these names alone stands for something else, so a real one is wrapped. */
const bytesMark = "$bytes";
const plainMark = "$plain";

/** Metadata that holds the value; `title` is what an error calls it. */
export function packValue(value: unknown, title: string): Record<string, readonly string[]> {
  const pieces = splitText(JSON.stringify(toJson(value, title, 0)));
  if (pieces.length > pieceCountMax * nameCountMax) {
    throw new InputError(
      "text_too_long",
      `${title} has more than ${pieceCountMax * nameCountMax * pieceLengthMax} characters as JSON; store it elsewhere and its address here`,
    );
  }
  const packed: Record<string, readonly string[]> = {};
  for (let i = 0; i * pieceCountMax < pieces.length; i++) {
    packed[`${name}${i}`] = pieces.slice(i * pieceCountMax, (i + 1) * pieceCountMax);
  }
  return packed;
}

/** The value, or undefined where none was packed. */
export function unpackValue(metadata: Metadata): unknown {
  let text = "";
  for (let i = 0; i < nameCountMax; i++) {
    const pieces = metadata[`${name}${i}`];
    if (Array.isArray(pieces)) text += pieces.join("");
  }
  return text === "" ? undefined : fromJson(JSON.parse(text));
}

/** Whether metadata of this name belongs to a packed value. */
export function isPackedName(key: string): boolean {
  return /^json\d+$/u.test(key);
}

/** Pieces of at most `pieceLengthMax`, none of which ends within a character. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + pieceLengthMax, text.length);
    if (!text.slice(start, end).isWellFormed()) end--;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function toJson(value: unknown, path: string, depth: number): unknown {
  if (depth > depthMax) throw refusal(path, `lies more than ${depthMax} deep, or contains itself`);
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw refusal(path, `is ${value}`);
  }
  if (Array.isArray(value)) return value.map((item, i) => toJson(item, `${path}[${i}]`, depth + 1));
  if (value instanceof Uint8Array) return { [bytesMark]: Buffer.from(value).toString("base64") };
  if (typeof value !== "object") throw refusal(path, `is of type ${typeof value}`);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw refusal(path, `is an instance of ${value.constructor.name}`);
  }
  return objectToJson(value, path, depth);
}

function objectToJson(value: object, path: string, depth: number): unknown {
  const entries = Object.entries(value)
    .filter(([, content]) => content !== undefined)
    .map(([key, content]) => [key, toJson(content, `${path}.${key}`, depth + 1)] as const);
  const json = Object.fromEntries(entries);
  return isMarked(entries.map(([key]) => key)) ? { [plainMark]: json } : json;
}

function fromJson(json: unknown): unknown {
  if (json === null || typeof json !== "object") return json;
  if (Array.isArray(json)) return json.map(fromJson);
  const entries = Object.entries(json);
  const [key, content] = entries[0] ?? [];
  if (isMarked(Object.keys(json))) {
    if (key === bytesMark) return new Uint8Array(Buffer.from(content as string, "base64"));
    return rebuild(Object.entries(content as object));
  }
  return rebuild(entries);
}

function rebuild(entries: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(entries.map(([key, content]) => [key, fromJson(content)]));
}

function isMarked(keys: readonly string[]): boolean {
  return keys.length === 1 && (keys[0] === bytesMark || keys[0] === plainMark);
}

function refusal(path: string, what: string): InputError {
  return new InputError(
    "interaction_invalid",
    `${path} ${what}, which JSON cannot keep; pass texts, finite numbers, true, false, null, lists and plain objects`,
  );
}
