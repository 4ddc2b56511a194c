/**
 * Values from callers, who may have no types: plain data, or objects whose getters and proxies throw. Each field is read
 * once, and what cannot be used is refused by what it is, never by what it says: error messages end up in logs.
 */
import { type ErrorCode, InputError } from "../errors.js";
import { nearestName } from "./nearest-name.js";

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

/** `Array.isArray` throws for a revoked proxy. */
export function isList(value: unknown): value is readonly unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false;
  }
}

/** The named fields of an object, each read once. `what` is what error messages call it. */
export function readFields<Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
  code: ErrorCode = "option_invalid",
): Record<Name, unknown> {
  if (typeof value !== "object" || value === null) {
    throw new InputError(code, `${what} must be an object, not ${describeValue(value)}`);
  }
  return readOrRefuse(what, code, () => {
    const fields = names.map((name) => [name, (value as Record<string, unknown>)[name]]);
    return Object.fromEntries(fields) as Record<Name, unknown>;
  });
}

/** Names and values of a plain object, each read once. */
export function readEntries(value: unknown, what: string, code: ErrorCode): [name: string, value: unknown][] {
  if (typeof value !== "object" || value === null || isList(value)) {
    throw new InputError(code, `${what} must be an object, not ${describeValue(value)}`);
  }
  return readOrRefuse(what, code, () => {
    // One of its own kind, such as a Map or a Date, has its values elsewhere.
    const kind: unknown = Object.getPrototypeOf(value);
    if (kind !== null && Object.getPrototypeOf(kind) !== null) {
      throw new InputError(code, `${what} must be a plain object, not one of a class`);
    }
    return Object.entries(value);
  });
}

/** What to write instead of a name that other libraries use. */
export type NameHints = Readonly<Record<string, string>>;

/** Refuses names that nobody reads: what was meant by a misspelt one would silently be left out. */
export function checkNames(
  value: object,
  names: readonly string[],
  what: string,
  { hints = {}, code = "option_invalid" }: { readonly hints?: NameHints; readonly code?: ErrorCode } = {},
): void {
  const unknown = readOrRefuse(what, code, () => Object.keys(value)).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const near = nearestName(unknown, names);
  const hint = Object.hasOwn(hints, unknown) ? hints[unknown] : near === null ? undefined : `did you mean ${near}?`;
  const shown = hint === undefined ? "" : ` (${hint})`;
  throw new InputError(code, `${what} have no ${describeName(unknown)}${shown}; there are: ${names.join(", ")}`);
}

/** Options as plain data, each read once; names that nobody reads are refused. */
export function readOptions<Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
  hints: NameHints = {},
): Record<Name, unknown> {
  const options = readFields(value, names, what);
  checkNames(value as object, names, what, { hints });
  return options;
}

/** The items of a list, each read once, after their number was checked; a gap reads as undefined. */
export function readItems(
  value: unknown,
  what: string,
  code: ErrorCode,
  checkCount: (count: number) => void,
): unknown[] {
  if (!isList(value)) throw new InputError(code, `${what} must be an array, not ${describeValue(value)}`);
  const count = readOrRefuse(what, code, () => value.length);
  checkCount(count);
  return readOrRefuse(what, code, () => Array.from({ length: count }, (_, i) => value[i]));
}

function readOrRefuse<Result>(what: string, code: ErrorCode, read: () => Result): Result {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof InputError) throw cause;
    throw new InputError(code, `${what} cannot be read: a getter or a proxy throws`, { cause });
  }
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
