/** The lines of an import, before anybody knows what they hold. */
import { InputError } from "../../errors.js";
import { describeValue } from "../given-values.js";
import { type InteractionInput, parseId } from "../interaction.js";

/** A line that is not blank, with its number in the file. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/**
 * All lines that are not blank. A byte order mark before the first line is not part of it. A source that fails while it
 * is read rejects with its own error.
 */
export async function readLines(lines: Iterable<string> | AsyncIterable<string>): Promise<NumberedLine[]> {
  const all: NumberedLine[] = [];
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
  if (isIterable(lines, Symbol.asyncIterator)) for await (const line of lines) take(line);
  else if (typeof lines !== "string" && isIterable(lines, Symbol.iterator)) for (const line of lines) take(line);
  else {
    const message = `import needs the lines of a file as a list or a stream, not ${describeValue(lines)}`;
    throw new InputError("import_invalid", message);
  }
  return all;
}

function isIterable(value: unknown, way: typeof Symbol.asyncIterator): value is AsyncIterable<unknown>;
function isIterable(value: unknown, way: typeof Symbol.iterator): value is Iterable<unknown>;
function isIterable(value: unknown, way: symbol): boolean {
  try {
    return typeof value === "object" && typeof (value as Record<symbol, unknown> | null)?.[way] === "function";
  } catch {
    return false;
  }
}

/** Checks every input before the first is stored; an error names its line. */
export function* checkInputsSteps(
  inputs: readonly InteractionInput[],
  check: (input: InteractionInput) => void,
  lineNumberOf: (position: number) => number,
): Generator<void, void> {
  for (const [i, input] of inputs.entries()) {
    try {
      if (input.id !== undefined) parseId(input.id);
      check(input);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError(error.code, `line ${lineNumberOf(i)}: ${error.message}`, { cause: error });
    }
    yield;
  }
}
