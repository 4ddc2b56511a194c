/**
 * Values from callers, who may have no types. What cannot be used is refused by what it is, never by what it says: error
 * messages end up in logs.
 */
import { type ErrorCode, InputError } from "../errors.js";

/** A value as an error message may show it. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return `a text of ${value.length} characters`;
  if (value === null || typeof value === "undefined" || typeof value === "boolean" || typeof value === "number") {
    return String(value);
  }
  if (typeof value === "object") return isList(value) ? "a list" : "an object";
  return `a ${typeof value}`;
}

/** A name as an error message may repeat it: whole if it is short. */
export function describeName(value: unknown): string {
  const shownLengthMax = 60;
  return typeof value === "string" && value.length <= shownLengthMax ? JSON.stringify(value) : describeValue(value);
}

/** `Array.isArray` makes a list of anything of what may be none. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** The named fields of an object. `what` is what error messages call it. */
export function readFields<Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
  code: ErrorCode = "option_invalid",
): Record<Name, unknown> {
  if (typeof value !== "object" || value === null) {
    throw new InputError(code, `${what} must be an object, not ${describeValue(value)}`);
  }
  return Object.fromEntries(names.map((name) => [name, (value as Record<string, unknown>)[name]])) as Record<
    Name,
    unknown
  >;
}

/** Names and values of a plain object; one of its own kind, such as a Map or a Date, has its values elsewhere. */
export function readEntries(value: unknown, what: string, code: ErrorCode): [name: string, value: unknown][] {
  if (typeof value !== "object" || value === null || isList(value)) {
    throw new InputError(code, `${what} must be an object, not ${describeValue(value)}`);
  }
  const kind: unknown = Object.getPrototypeOf(value);
  if (kind === null || Object.getPrototypeOf(kind) === null) return Object.entries(value);
  throw new InputError(code, `${what} must be a plain object, not one of a class`);
}

/** Refuses names that nobody reads: what was meant by a misspelt one would silently be left out. */
export function checkNames(
  value: object,
  names: readonly string[],
  what: string,
  code: ErrorCode = "option_invalid",
): void {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new InputError(code, `${what} have no ${describeName(unknown)}; there are: ${names.join(", ")}`);
}

/** Options as plain data; names that nobody reads are refused. */
export function readOptions<Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
): Record<Name, unknown> {
  const options = readFields(value, names, what);
  checkNames(value as object, names, what);
  return options;
}

/** The items of a list, after their number was checked; a gap reads as undefined. */
export function readItems(
  value: unknown,
  what: string,
  code: ErrorCode,
  checkCount: (count: number) => void = () => {},
): unknown[] {
  if (!isList(value)) throw new InputError(code, `${what} must be an array, not ${describeValue(value)}`);
  checkCount(value.length);
  return Array.from(value);
}

export function checkFunction(value: unknown, name: string): void {
  if (value === undefined || typeof value === "function") return;
  throw new InputError("option_invalid", `${name} must be a function, not ${describeValue(value)}`);
}

export function checkFlag(value: unknown, name: string, code: ErrorCode = "option_invalid"): void {
  if (value === undefined || typeof value === "boolean") return;
  throw new InputError(code, `${name} must be true or false, not ${describeValue(value)}`);
}

export function checkNumber(value: unknown, name: string): void {
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return;
  throw new InputError("option_invalid", `${name} is ${describeValue(value)}; it must be a number`);
}

export function checkWholeNumber(value: unknown, name: string): void {
  if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) return;
  throw new InputError("option_invalid", `${name} is ${describeValue(value)}; it must be an integer, 0 or more`);
}

// eslint-disable-next-line no-control-regex -- finding control characters is the point
const controlPattern = /[\u0000-\u001f\u007f]/u;

/** Whether a name or an id is valid Unicode without control characters. */
export function isPlain(text: string): boolean {
  return text.isWellFormed() && !controlPattern.test(text);
}

/** Refuses what no store can keep as it is. */
export function checkCharacters(text: string, name: string): string {
  if (text.isWellFormed() && !text.includes("\0")) return text;
  const message = `${name} contains half of a surrogate pair or a NUL character; remove it`;
  throw new InputError("text_not_well_formed", message);
}
