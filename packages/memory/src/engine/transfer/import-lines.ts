/** The lines of an import, before anybody knows what they hold. */
import { InputError, NotFoundError } from "../../errors.js";
import { itemsUntilAborted } from "../../signals.js";
import { describeValue } from "../given-values.js";
import { pausing } from "../serial-lock.js";

/** A line that is not blank, with its number in the file. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/**
 * All lines that are not blank. A byte order mark before the first line is not part of it. A source that fails while it
 * is read rejects with its own error.
 */
export async function readLines(
  lines: Iterable<string> | AsyncIterable<string>,
  signal?: AbortSignal,
): Promise<NumberedLine[]> {
  const all: NumberedLine[] = [];
  const pauseIfDue = pausing();
  let number = 0;
  const take = (line: unknown): void => {
    number++;
    if (typeof line !== "string") {
      throw new InputError("import_invalid", `line ${number} must be text, not ${describeValue(line)}`);
    }
    const text = number === 1 ? line.replace(/^\uFEFF/u, "") : line;
    if (text.trim() !== "") all.push({ number, text });
  };
  // A list is not awaited item by item: that would call whatever is named `then`.
  if (isIterable(lines, Symbol.asyncIterator)) {
    for await (const line of itemsUntilAborted(lines, signal)) {
      take(line);
      // Lines that are there already come one after the other, and would let nobody else run.
      const pause = pauseIfDue();
      if (pause !== null) await pause;
    }
  } else if (isIterable(lines, Symbol.iterator)) for (const line of lines) take(line);
  else {
    const message = `import needs the lines of a file as a list or a stream, not ${describeValue(lines)}`;
    throw new InputError("import_invalid", message);
  }
  return all;
}

export function isIterable(value: unknown, way: typeof Symbol.asyncIterator): value is AsyncIterable<unknown>;
export function isIterable(value: unknown, way: typeof Symbol.iterator): value is Iterable<unknown>;
export function isIterable(value: unknown, way: symbol): boolean {
  try {
    // A text is none: its letters are no items.
    return typeof value === "object" && typeof (value as Record<symbol, unknown> | null)?.[way] === "function";
  } catch {
    return false;
  }
}

/** Does something with every input before the first is stored; an error names its place, such as "line 3". */
export function* eachInputSteps<Input, Result>(
  inputs: readonly Input[],
  work: (input: Input) => Result,
  nameOf: (position: number) => string,
): Generator<void, Result[]> {
  const results: Result[] = [];
  for (const [i, input] of inputs.entries()) {
    try {
      results.push(work(input));
    } catch (error) {
      throw withPlace(error, nameOf(i));
    }
    yield;
  }
  return results;
}

/** An error about an input, with its place. */
export function withPlace(error: unknown, place: string): unknown {
  if (error instanceof InputError) return new InputError(error.code, `${place}: ${error.message}`, { cause: error });
  if (!(error instanceof NotFoundError)) return error;
  return new NotFoundError(error.code as "unknown_id", `${place}: ${error.message}`);
}
