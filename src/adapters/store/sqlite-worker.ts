/** The thread on which SqliteDatabase runs: answers one call after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { type ErrorCode, MnemosyneError } from "../../errors.js";
import type { SqliteOptions } from "./sqlite-connection.js";
import { SqliteDatabase } from "./sqlite-database.js";
import { toStoreError } from "./sqlite-error.js";
import type { LoadReceiver } from "./sqlite-loading.js";
import type { LoadedHead, PackedPage } from "./sqlite-rows.js";

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

const options = workerData as SqliteOptions;
let database: SqliteDatabase | undefined;

parentPort!.on("message", (call: Call) => {
  try {
    database ??= new SqliteDatabase(options);
    const args = call.method === "load" ? [...call.args, receiverOf(call)] : [...call.args];
    const value = (database[call.method] as (...args: unknown[]) => unknown).apply(database, args);
    answer({ id: call.id, value });
    if (call.method === "close") parentPort!.close();
  } catch (error) {
    const { code, message } = error instanceof MnemosyneError ? error : toStoreError(call.method, options.path, error);
    answer({ id: call.id, error: { code, message } });
  }
});

function receiverOf({ id }: Call): LoadReceiver {
  return {
    takeHead: (head) => answer({ id, head }),
    takePage: (page) => answer({ id, page }, [page.rows.buffer as ArrayBuffer, page.vectors.buffer as ArrayBuffer]),
  };
}

function answer(message: Answer, transferred: readonly ArrayBuffer[] = []): void {
  parentPort!.postMessage(message, transferred);
}
