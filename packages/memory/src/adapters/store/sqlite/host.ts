/** Answers calls to a SqliteDatabase, one at a time, on any thread. */
import { type ErrorCode, MnemosyneError, StaleRevisionError } from "../../../errors.js";
import type { SqliteOptions } from "./connection.js";
import { SqliteDatabase } from "./database.js";
import { toStoreError } from "./error.js";
import type { LoadReceiver, LoadedPage } from "./loading.js";
import type { LoadedHead } from "./rows.js";

export interface Call {
  readonly id: number;
  readonly method: keyof SqliteDatabase;
  readonly args: readonly unknown[];
}

/** A load is answered with its head and its pages, then like every other call. */
export type Answer =
  | { readonly id: number; readonly head: LoadedHead }
  | { readonly id: number; readonly page: LoadedPage }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: AnsweredError };

/** The parts of an error that travel between threads: the object itself would lose its class. */
export interface AnsweredError {
  readonly code: ErrorCode;
  readonly message: string;
  /** The fields of a StaleRevisionError. */
  readonly stale?: ConstructorParameters<typeof StaleRevisionError>;
}

export class SqliteHost {
  readonly #options: SqliteOptions;
  readonly #answer: (message: Answer, transferred: readonly ArrayBuffer[]) => void;
  #database: SqliteDatabase | undefined;

  constructor(options: SqliteOptions, answer: (message: Answer, transferred: readonly ArrayBuffer[]) => void) {
    this.#options = options;
    this.#answer = answer;
  }

  take(call: Call): void {
    try {
      const database = (this.#database ??= new SqliteDatabase(this.#options));
      const args = call.method === "load" ? [...call.args, this.#receiverOf(call)] : [...call.args];
      const value = (database[call.method] as (...args: unknown[]) => unknown).apply(database, args);
      this.#answer({ id: call.id, value }, []);
    } catch (error) {
      this.#answer({ id: call.id, error: this.#describe(error, call) }, []);
    }
  }

  #describe(error: unknown, { method }: Call): AnsweredError {
    const known = error instanceof MnemosyneError ? error : toStoreError(method, this.#options.path, error);
    const { code, message } = known;
    if (!(known instanceof StaleRevisionError)) return { code, message };
    return { code, message, stale: [known.person, known.expected, known.actual] };
  }

  #receiverOf({ id }: Call): LoadReceiver {
    return {
      takeHead: (head) => this.#answer({ id, head }, []),
      takePage: (page) => {
        const views = "memories" in page ? Object.values(page.memories).filter(ArrayBuffer.isView) : [page.edges];
        const buffers = views.map(({ buffer }) => buffer as ArrayBuffer);
        this.#answer({ id, page }, buffers);
      },
    };
  }
}
