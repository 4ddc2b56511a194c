/**
 * Reads JSON as small models write it: with single quotes, unquoted keys, trailing commas, comments, Python's literals
 * for true, false and null, and line breaks inside strings. Every tolerated deviation is recorded. Truncated JSON
 * remains an error: the rest is unknown.
 */

export type Leniency =
  "single quotes" | "bare keys" | "trailing comma" | "comment" | "other literals" | "raw line break";

export interface LenientValue {
  readonly value: unknown;
  /** Where the value ends in the text. */
  readonly end: number;
  readonly leniencies: readonly Leniency[];
}

const depthMax = 32;
const quotePairs: Readonly<Record<string, string>> = { '"': '"', "'": "'", "“": "”", "‘": "’" };
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };
const literals: Readonly<Record<string, unknown>> = { true: true, false: false, null: null };
const otherLiterals: Readonly<Record<string, unknown>> = { True: true, False: false, None: null, undefined: null };
const numberPattern = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const wordPattern = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;

/** The value that begins at `start`; throws if there is none. */
export function readLenientJson(text: string, start = 0): LenientValue {
  const reader = new LenientReader(text, start);
  const value = reader.value(0);
  return { value, end: reader.at, leniencies: [...reader.leniencies] };
}

class LenientReader {
  readonly leniencies = new Set<Leniency>();
  readonly #text: string;
  at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.at = at;
  }

  value(depth: number): unknown {
    if (depth > depthMax) throw new Error("it is nested too deeply");
    this.#skipBlanks();
    const first = this.#text[this.at];
    if (first === "{") return this.#object(depth);
    if (first === "[") return this.#list(depth);
    if (first !== undefined && first in quotePairs) return this.#string();
    const number = this.#match(numberPattern);
    if (number !== null) return Number(number);
    const word = this.#match(wordPattern);
    if (word !== null && Object.hasOwn(literals, word)) return literals[word];
    if (word !== null && Object.hasOwn(otherLiterals, word)) {
      this.leniencies.add("other literals");
      return otherLiterals[word];
    }
    throw this.#unexpected();
  }

  #object(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.#members("}", () => {
      const key = this.#key();
      this.#skipBlanks();
      if (this.#text[this.at] !== ":") throw this.#unexpected();
      this.at++;
      entries.push([key, this.value(depth + 1)]);
    });
    return Object.fromEntries(entries);
  }

  #list(depth: number): unknown[] {
    const items: unknown[] = [];
    this.#members("]", () => items.push(this.value(depth + 1)));
    return items;
  }

  /** Members separated by commas, from the opening bracket to the closing one. */
  #members(closing: string, readMember: () => void): void {
    this.at++;
    for (let count = 0; ; count++) {
      this.#skipBlanks();
      if (this.#text[this.at] === closing) {
        if (count > 0) this.leniencies.add("trailing comma");
        break;
      }
      readMember();
      this.#skipBlanks();
      const next = this.#text[this.at];
      if (next === closing) break;
      if (next !== ",") throw this.#unexpected();
      this.at++;
    }
    this.at++;
  }

  #key(): string {
    const first = this.#text[this.at];
    if (first !== undefined && first in quotePairs) return this.#string();
    const word = this.#match(wordPattern);
    if (word === null) throw this.#unexpected();
    this.leniencies.add("bare keys");
    return word;
  }

  #string(): string {
    const closing = quotePairs[this.#text[this.at]!]!;
    if (closing !== '"') this.leniencies.add("single quotes");
    let content = "";
    for (this.at++; this.at < this.#text.length; this.at++) {
      const character = this.#text[this.at]!;
      if (character === closing && !this.#isApostrophe(closing)) {
        this.at++;
        return content;
      }
      if (character === "\n") this.leniencies.add("raw line break");
      content += character === "\\" ? this.#escape() : character;
    }
    throw new Error("it is cut off inside a text");
  }

  /** In 'Ada's knee' the inner quote does not end the string: a letter follows it. */
  #isApostrophe(closing: string): boolean {
    if (closing !== "'" && closing !== "’") return false;
    return /\p{L}/u.test(this.#text[this.at - 1] ?? "") && /\p{L}/u.test(this.#text[this.at + 1] ?? "");
  }

  #escape(): string {
    this.at++;
    const character = this.#text[this.at] ?? "";
    if (character !== "u") return escapes[character] ?? character;
    const code = this.#text.slice(this.at + 1, this.at + 5);
    if (!/^[\da-f]{4}$/iu.test(code)) return "u";
    this.at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #skipBlanks(): void {
    for (;;) {
      const blank = this.#match(/\s+/uy) ?? this.#comment();
      if (blank === null) return;
    }
  }

  #comment(): string | null {
    const comment = this.#match(/\/\/[^\n]*|\/\*[\s\S]*?\*\/|#[^\n]*/uy);
    if (comment !== null) this.leniencies.add("comment");
    return comment;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    if (found !== null) this.at += found.length;
    return found;
  }

  #unexpected(): Error {
    // The reply may repeat what somebody said, so it is not quoted.
    const isAtEnd = this.at >= this.#text.length;
    return new Error(isAtEnd ? "it is cut off" : `character ${this.at + 1} is not expected there`);
  }
}
