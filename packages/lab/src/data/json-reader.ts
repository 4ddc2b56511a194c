/** Reads a JSON value field by field; an error names the file and the field that is missing or of the wrong type. */
import { InputError } from "mnemosyne-edge";
import { readWhole } from "mnemosyne-edge/internal/files/whole-file.js";

export class JsonReader {
  readonly #file: string;
  readonly #path: string;
  readonly #value: unknown;

  constructor(file: string, value: unknown, path = "") {
    this.#file = file;
    this.#value = value;
    this.#path = path;
  }

  /** Reads a file that contains one JSON value. */
  static async open(file: string): Promise<JsonReader> {
    return JsonReader.parse(file, await readWhole(file));
  }

  static parse(file: string, text: string): JsonReader {
    try {
      return new JsonReader(file, JSON.parse(text));
    } catch (cause) {
      throw new InputError("dataset_invalid", `${file} is not JSON: ${(cause as Error).message}`, { cause });
    }
  }

  field(name: string): JsonReader {
    const path = this.#path === "" ? name : `${this.#path}.${name}`;
    return new JsonReader(this.#file, this.#object()[name], path);
  }

  /** Names of the fields. */
  names(): string[] {
    return Object.keys(this.#object());
  }

  items(): JsonReader[] {
    if (!Array.isArray(this.#value)) throw this.wrong("a list");
    return this.#value.map((item, i) => new JsonReader(this.#file, item, `${this.#path}[${i}]`));
  }

  /** An object, whatever is in it. */
  objectAsJson(): string {
    return JSON.stringify(this.#object());
  }

  isMissing(): boolean {
    return this.#value === undefined || this.#value === null;
  }

  text(): string {
    if (typeof this.#value !== "string" || this.#value.trim() === "") throw this.wrong("non-empty text");
    return this.#value;
  }

  /** Text that may be empty. */
  anyText(): string {
    if (typeof this.#value !== "string") throw this.wrong("text");
    return this.#value;
  }

  /** A list of texts. */
  texts(): string[] {
    return this.items().map((item) => item.text());
  }

  oneOf<Name extends string>(names: readonly Name[]): Name {
    const name = names.find((known) => known === this.#value);
    if (name === undefined) throw this.wrong(names.length === 1 ? `"${names[0]}"` : `one of ${names.join(", ")}`);
    return name;
  }

  textOrNull(): string | null {
    return this.isMissing() ? null : this.text();
  }

  number(): number {
    if (typeof this.#value !== "number" || !Number.isFinite(this.#value)) throw this.wrong("a number");
    return this.#value;
  }

  /** A number from 0 to 1. */
  share(): number {
    const value = this.number();
    if (value < 0 || value > 1) throw this.wrong("a number from 0 to 1");
    return value;
  }

  /** Text or a number, as text. */
  scalar(): string {
    return typeof this.#value === "number" ? String(this.number()) : this.text();
  }

  boolean(): boolean {
    if (typeof this.#value !== "boolean") throw this.wrong("true or false");
    return this.#value;
  }

  /** A moment in ISO 8601, in milliseconds. */
  moment(): number {
    const text = this.text();
    const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/u.test(text);
    const ms = isMoment && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
    if (Number.isNaN(ms)) throw this.wrong('a moment such as "2025-01-08T09:15:00Z"');
    return ms;
  }

  /** A calendar day such as "2025-01-08". */
  day(): string {
    const text = this.text();
    if (!/^\d{4}-\d{2}-\d{2}$/u.test(text) || !isDay(text)) throw this.wrong('a day such as "2025-01-08"');
    return text;
  }

  /** The error to throw if the value is not what is expected. */
  wrong(expected: string): InputError {
    if (this.#value === undefined) return this.error(`is missing; it must be ${expected}`);
    return this.error(`must be ${expected}, but is ${show(this.#value)}`);
  }

  error(problem: string): InputError {
    const where = this.#path === "" ? "the value" : this.#path;
    return new InputError("dataset_invalid", `${this.#file}: ${where} ${problem}`);
  }

  #object(): Record<string, unknown> {
    if (typeof this.#value !== "object" || this.#value === null || Array.isArray(this.#value)) {
      throw this.wrong("an object");
    }
    return this.#value as Record<string, unknown>;
  }
}

const shownLengthMax = 60;

function show(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return JSON.stringify(value).slice(0, shownLengthMax);
}

/** Whether a date exists: Date carries 30 February over into March. */
function isDay(date: string): boolean {
  return new Date(date).getUTCDate() === Number(date.slice(-2));
}
