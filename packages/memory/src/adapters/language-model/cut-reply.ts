/**
 * A reply that reached its limit under a grammar is the beginning of a valid object. It is cut back to what is
 * complete: list items, and the sentences of a text; lists that had not begun are empty. The rest still follows the
 * schema.
 */
import type { LanguageModelRequest } from "../../ports/language-model.js";

type Schema = LanguageModelRequest["schema"];

/** A value, and whether the text ended before it did. */
interface CutValue {
  readonly value: unknown;
  readonly isCut: boolean;
}

/** The object as JSON; the reply unchanged if something is missing that cannot be left empty. */
export function closeCutReply(reply: string, schema: Schema): string {
  const { value } = new CutReader(reply).readValue();
  if (typeof value !== "object" || value === null || Array.isArray(value)) return reply;
  const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  const lists = Object.entries(properties).filter(([, property]) => property["type"] === "array");
  const empty = Object.fromEntries(lists.filter(([, list]) => !list["minItems"]).map(([name]) => [name, []]));
  const object: Record<string, unknown> = { ...empty, ...value };
  const isWhole = Object.keys(properties).every((name) => isEnough(object[name], properties[name]!));
  return isWhole ? JSON.stringify(object) : reply;
}

function isEnough(value: unknown, schema: Schema): boolean {
  return Array.isArray(value) ? value.length >= Number(schema["minItems"] ?? 0) : value !== undefined;
}

/** Reads JSON that may end anywhere; the grammar rules out any other error. */
class CutReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(): CutValue {
    this.#skipSpace();
    const first = this.#text[this.#at];
    if (first === "{") return this.#readObject();
    if (first === "[") return this.#readList();
    if (first === '"') return this.#readText();
    return this.#readWord();
  }

  #readObject(): CutValue {
    const value: Record<string, unknown> = {};
    this.#at++;
    while (!this.#skipTo("}")) {
      const key = this.#readText();
      this.#skipSpace();
      if (key.isCut || this.#text[this.#at] !== ":") return { value, isCut: true };
      this.#at++;
      const entry = this.readValue();
      const kept = entry.isCut && typeof entry.value === "string" ? wholeSentences(entry.value) : entry.value;
      if (kept !== undefined) value[key.value as string] = kept;
      if (entry.isCut) return { value, isCut: true };
    }
    return { value, isCut: this.#at > this.#text.length };
  }

  #readList(): CutValue {
    const value: unknown[] = [];
    this.#at++;
    while (!this.#skipTo("]")) {
      const item = this.readValue();
      if (item.isCut) return { value, isCut: true };
      value.push(item.value);
    }
    return { value, isCut: this.#at > this.#text.length };
  }

  #readText(): CutValue {
    const [whole] = /^"(?:[^"\\]|\\.)*"/su.exec(this.#text.slice(this.#at)) ?? [];
    if (whole !== undefined) {
      this.#at += whole.length;
      return { value: JSON.parse(whole), isCut: false };
    }
    const rest = this.#text.slice(this.#at).replace(/\\(?:u[\da-f]{0,3})?$/iu, "");
    this.#at = this.#text.length;
    return { value: rest === "" ? undefined : JSON.parse(`${rest}"`), isCut: true };
  }

  /** A number, true, false or null; at the very end it may be incomplete. */
  #readWord(): CutValue {
    const [word] = /^[^\s,\]}]*/u.exec(this.#text.slice(this.#at))!;
    this.#at += word.length;
    if (this.#at >= this.#text.length) return { value: undefined, isCut: true };
    return { value: JSON.parse(word), isCut: false };
  }

  /** Skips spaces and commas; true at the closing bracket, which it consumes, and at the end of the text. */
  #skipTo(closing: string): boolean {
    while (/[\s,]/u.test(this.#text[this.#at] ?? "")) this.#at++;
    if (this.#at < this.#text.length && this.#text[this.#at] !== closing) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    while (/\s/u.test(this.#text[this.#at] ?? "")) this.#at++;
  }
}

/** Up to the last sentence that is followed by another, or to the last whole word if there is none. */
function wholeSentences(text: string): string | undefined {
  const [sentences] = /^.*(?:[.!?](?=\s)|[。！？])/su.exec(text) ?? [];
  const kept = sentences ?? (/^.*\s/su.exec(text)?.[0] ?? "").trimEnd();
  return kept.trim() === "" ? undefined : kept;
}
