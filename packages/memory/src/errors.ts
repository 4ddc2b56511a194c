/**
 * Every error a user can meet is a MnemosyneError with a stable code. The message names the operation, the offending
 * value and what to do; the cause is kept. The family decides the exit code of the command line.
 */

export type ErrorFamily = "input" | "not-found" | "store" | "model";

export type ErrorCode =
  // input
  | "parameter_unknown"
  | "parameter_out_of_range"
  | "parameters_conflict"
  | "option_invalid"
  | "filter_invalid"
  | "person_invalid"
  | "id_invalid"
  | "id_taken"
  | "edit_conflict"
  | "interaction_empty"
  | "interaction_invalid"
  | "text_too_long"
  | "too_many_turns"
  | "text_not_well_formed"
  | "time_invalid"
  | "time_in_future"
  | "query_empty"
  | "import_invalid"
  | "dataset_invalid"
  | "conversation_ended"
  // not found
  | "unknown_person"
  | "unknown_id"
  // store
  | "store_closed"
  | "store_missing"
  | "store_stale"
  | "store_busy"
  | "store_not_ours"
  | "store_format"
  | "store_read_only"
  | "store_full"
  | "store_corrupt"
  | "store_damaged"
  | "store_moved"
  | "store_failed"
  | "embedder_mismatch"
  // models
  | "embedder_failed"
  | "reader_failed"
  | "language_model_failed";

export class MnemosyneError extends Error {
  readonly code: ErrorCode;
  readonly family: ErrorFamily;

  constructor(family: ErrorFamily, code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = new.target.name;
    this.family = family;
    this.code = code;
  }
}

/** The input cannot be used as it is; nothing was stored. */
export class InputError extends MnemosyneError {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super("input", code, message, options);
  }
}

/** The named person, memory or interaction does not exist. */
export class NotFoundError extends MnemosyneError {
  constructor(code: "unknown_person" | "unknown_id", message: string) {
    super("not-found", code, message);
  }
}

/** The store could not read or write; everything acknowledged before is intact. */
export class StoreError extends MnemosyneError {
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super("store", code, message, options);
  }
}

type ModelErrorCode = "embedder_failed" | "reader_failed" | "language_model_failed";

/** an embedder, a reader or a language model could not answer; the interaction stays in the queue. */
export class ModelError extends MnemosyneError {
  constructor(code: ModelErrorCode, message: string, options?: { cause?: unknown }) {
    super("model", code, message, options);
  }
}

/** A batch was computed on a revision that is no longer the newest: compute it again on what changed. */
export class StaleRevisionError extends StoreError {
  readonly person: string;
  /** The revision the batch was computed on. */
  readonly expected: number;
  /** The newest revision. */
  readonly actual: number;

  constructor(person: string, expected: number, actual: number) {
    super(
      "store_stale",
      `apply for "${person}" was computed on revision ${expected} but the store is at ${actual}; load what changed and compute again`,
    );
    this.person = person;
    this.expected = expected;
    this.actual = actual;
  }
}

/** Whether a store found that it has lost something, or that something in it is damaged. */
export function isDamage(error: unknown): error is StoreError {
  return error instanceof StoreError && (error.code === "store_corrupt" || error.code === "store_damaged");
}

/** The same error in other words, with the first as its cause. */
export function restate(cause: unknown, message: string): Error {
  if (cause instanceof ModelError) return new ModelError(cause.code as ModelErrorCode, message, { cause });
  if (cause instanceof StoreError) return new StoreError(cause.code, message, { cause });
  if (cause instanceof MnemosyneError) return new MnemosyneError(cause.family, cause.code, message, { cause });
  return new Error(message, { cause });
}
