/** The lines of an import, and those of a plain file: one interaction each. */
import { InputError, NotFoundError } from "../../errors.js";
import { itemsUntilAborted } from "../../signals.js";
import { describeValue } from "../../engine/given-values.js";
import type { InteractionInput, InteractionLimits } from "../../engine/interaction.js";
import { pausing } from "../../engine/serial-lock.js";

export type Line = Record<string, unknown>;

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

/** JSON may write a character as six ("\\u00e9"), and a turn has names and punctuation around it. */
const escapeLengthMax = 6;
const turnOverhead = 100;
/** Time, id, and fields of the caller's own. */
const lineOverhead = 100_000;

/** The interactions of a plain file; an error names its line. */
export function* parseInteractionLinesSteps(
  lines: readonly NumberedLine[],
  { interactionCharacterCountMax, interactionTurnCountMax }: InteractionLimits,
): Generator<void, InteractionInput[]> {
  const lengthMax =
    escapeLengthMax * interactionCharacterCountMax + turnOverhead * interactionTurnCountMax + lineOverhead;
  const inputs: InteractionInput[] = [];
  for (const line of lines) {
    if (line.text.length > lengthMax) {
      const message = `line ${line.number}: ${line.text.length} characters are more than an interaction may have (parameters interactionCharacterCountMax and interactionTurnCountMax); split it`;
      throw new InputError("text_too_long", message);
    }
    inputs.push(parseInteractionLine(line));
    yield;
  }
  return inputs;
}

function parseInteractionLine(line: NumberedLine): InteractionInput {
  const object = parseLine(line);
  if (["turns", "messages", "summary"].every((name) => object[name] === undefined)) {
    throw new InputError(
      "import_invalid",
      `line ${line.number}: neither "turns" nor "messages" nor "summary"; each line is one interaction`,
    );
  }
  return object as InteractionInput;
}

export function parseLine({ text, number: lineNumber }: NumberedLine): Line {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    // The platform's error quotes the line, so it is not passed on.
    throw new InputError("import_invalid", `line ${lineNumber}: not JSON${positionIn(error as Error)}`);
  }
  throw new InputError("import_invalid", `line ${lineNumber}: not a JSON object`);
}

function positionIn({ message }: Error): string {
  const position = /at position (\d+)/u.exec(message)?.[1];
  return position === undefined ? "" : ` (at character ${Number(position) + 1})`;
}

export function isObject(value: unknown): value is Line {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
