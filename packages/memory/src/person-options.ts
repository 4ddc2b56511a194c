/** Options of a person's methods, as plain data, from callers who may have no types. */
import { checkFlag, checkNumber, checkWholeNumber, readOptions } from "./engine/given-values.js";
import { type InteractionInput, type Time } from "./engine/interaction.js";
import { type MemorySelection, selectionNames } from "./engine/memory-selection.js";
import { checkSignal } from "./signals.js";

export interface ExportOptions extends MemorySelection {
  /** Exports everything that is whole in a damaged store, instead of refusing. */
  readonly skipDamaged?: boolean;
  /** Encrypts it with the key of the memory: only a memory with the same key can import it. */
  readonly sealed?: boolean;
}

export function readExportOptions(options: ExportOptions): ExportOptions {
  const given = readOptions(options, ["skipDamaged", "sealed", ...selectionNames], "export's options");
  checkFlag(given.skipDamaged, "skipDamaged");
  checkFlag(given.sealed, "sealed");
  return given as ExportOptions;
}

/** With `filter`, `from` and `to`, only the memories that pass exist to the recall. */
export interface RecallOptions extends MemorySelection {
  /** When the question is asked; now if omitted. Later memories are not seen. */
  readonly at?: Time;
  /** The same seed gives the same recall; if omitted, one is drawn and reported in the trace. */
  readonly seed?: number | string;
  /** Tokens of the context text. */
  readonly tokenBudget?: number;
  /** Memories at most. */
  readonly limit?: number;
  /** Start score at least; memories that only traversal reached have none and are left out. */
  readonly minScore?: number;
  /** Ends the recall early. */
  readonly signal?: AbortSignal;
}

export interface CoreSummaryOptions {
  readonly update?: boolean;
  /** The version of then instead of the present one. */
  readonly at?: Time;
}

/** As in `InteractionInput`. */
export type ConversationOptions = Pick<InteractionInput, "id" | "at" | "state" | "metadata" | "expiresAt">;

const recallOptionNames = [
  "at",
  "seed",
  "tokenBudget",
  "limit",
  "minScore",
  "signal",
  ...selectionNames,
] as const satisfies (keyof RecallOptions)[];

export function readRecallOptions(options: RecallOptions): RecallOptions {
  const given = readOptions(options, recallOptionNames, "recall's options");
  checkWholeNumber(given.tokenBudget, "tokenBudget");
  checkWholeNumber(given.limit, "limit");
  checkNumber(given.minScore, "minScore");
  checkSignal(given.signal);
  return given as RecallOptions;
}

/** Options of which there is one, true or false. */
export function readFlag<Name extends string>(options: unknown, name: Name, what: string): boolean | undefined {
  const { [name]: flag } = readOptions(options, [name], what);
  checkFlag(flag, name);
  return flag as boolean | undefined;
}

export function readSignal(options: unknown, what: string): AbortSignal | undefined {
  const { signal } = readOptions(options, ["signal"], what);
  checkSignal(signal);
  return signal;
}
