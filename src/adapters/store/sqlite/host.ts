/** Answers calls to a SqliteDatabase, one after the other, on whichever thread it is. */
import { type ErrorCode, MnemosyneError } from "../../../errors.js";
import type { SqliteOptions } from "./connection.js";
import { SqliteDatabase } from "./database.js";
import { toStoreError } from "./error.js";
import type { LoadReceiver } from "./loading.js";
import type { LoadedHead, PackedPage } from "./rows.js";

export interface Call {
  readonly id: number;
  readonly method: keyof SqliteDatabase;
  readonly args: readonly unknown[];
}

/** A load is answered by its head and its pages, then as every call is. */
export type Answer =
  | { readonly id: number; readonly head: LoadedHead }
  | { readonly id: number; readonly page: PackedPage }
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } };

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
      const { path } = this.#options;
      const { code, message } = error instanceof MnemosyneError ? error : toStoreError(call.method, path, error);
      this.#answer({ id: call.id, error: { code, message } }, []);
    }
  }

  #receiverOf({ id }: Call): LoadReceiver {
    return {
      takeHead: (head) => this.#answer({ id, head }, []),
      takePage: (page) =>
        this.#answer({ id, page }, [page.rows.buffer as ArrayBuffer, page.vectors.buffer as ArrayBuffer]),
    };
  }
}
