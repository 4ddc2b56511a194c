/** Validation of metadata: flat, small, and with names that every filter and every store can use. */
import type { Metadata, MetadataValue } from "../graph/metadata.js";
import { InputError } from "../errors.js";
import {
  checkCharacters,
  describeName,
  describeValue,
  isList,
  isPlain,
  readEntries,
  readItems,
} from "./given-values.js";

const keyCountMax = 32;
const keyLengthMax = 64;
const textLengthMax = 1_000;
const itemCountMax = 64;
/** They would mean something else in an object. */
const reservedKeys: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** `count` is told of every text, and may refuse it; what is undefined is left out. */
export function parseMetadata(metadata: unknown, count: (text: string) => void): Metadata {
  const entries = readEntries(metadata, "metadata", "interaction_invalid").filter(([, value]) => value !== undefined);
  if (entries.length > keyCountMax) {
    throw refusal(`metadata has ${entries.length} names; it may have at most ${keyCountMax}`);
  }
  const parsed: [string, MetadataValue][] = [];
  for (const [key, value] of entries) {
    checkKey(key);
    count(key);
    parsed.push([key, parseValue(value, `metadata ${JSON.stringify(key)}`, count)]);
  }
  return Object.fromEntries(parsed);
}

function checkKey(key: string): void {
  if (key.startsWith("$") || reservedKeys.has(key)) {
    throw refusal(
      `metadata has a value named ${describeName(key)}; choose another name, one that does not begin with $`,
    );
  }
  if (key.length <= keyLengthMax && key !== "" && isPlain(key)) return;
  throw refusal(
    `metadata has a name of ${key.length} characters; it must be 1 to ${keyLengthMax} characters without control characters`,
  );
}

function parseValue(value: unknown, name: string, count: (text: string) => void): MetadataValue {
  if (typeof value === "string") return parseText(value, name, count);
  if (typeof value === "boolean" || Number.isFinite(value)) {
    count(String(value));
    // A store in JSON keeps no negative zero.
    return typeof value === "number" ? value + 0 : (value as boolean);
  }
  if (!isList(value)) {
    throw refusal(
      `${name} is ${describeValue(value)}; it must be text, a finite number, true, false or a list of texts`,
    );
  }
  const items = readItems(value, name, "interaction_invalid", (itemCount) => {
    if (itemCount > itemCountMax) {
      throw refusal(`${name} has ${itemCount} items; it may have at most ${itemCountMax}`);
    }
  });
  return items.map((item, i) => parseText(item, `item ${i + 1} of ${name}`, count));
}

function parseText(text: unknown, name: string, count: (text: string) => void): string {
  if (typeof text !== "string") throw refusal(`${name} must be text, not ${describeValue(text)}`);
  if (text.length > textLengthMax) {
    throw new InputError(
      "text_too_long",
      `${name} has ${text.length} characters; it may have at most ${textLengthMax}. What was said belongs into the turns`,
    );
  }
  count(text);
  return checkCharacters(text, name);
}

function refusal(message: string): InputError {
  return new InputError("interaction_invalid", message);
}
