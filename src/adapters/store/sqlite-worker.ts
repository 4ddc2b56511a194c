/** The thread on which SqliteDatabase runs: answers one call after the other. */
import { parentPort, workerData } from "node:worker_threads";
import { type ErrorCode, MnemosyneError } from "../../errors.js";
import type { SqliteOptions } from "./sqlite-connection.js";
import { SqliteDatabase } from "./sqlite-database.js";
import { toStoreError } from "./sqlite-error.js";
import type { LoadedRows } from "./sqlite-rows.js";

export interface Call {
  readonly id: number;
  readonly method: keyof SqliteDatabase;
  readonly args: readonly unknown[];
}

export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } };

const options = workerData as SqliteOptions;
let database: SqliteDatabase | undefined;

parentPort!.on("message", (call: Call) => {
  try {
    database ??= new SqliteDatabase(options);
    const value = (database[call.method] as (...args: unknown[]) => unknown).apply(database, [...call.args]);
    parentPort!.postMessage(
      { id: call.id, value } satisfies Answer,
      call.method === "load" ? buffersOf(value as LoadedRows) : [],
    );
    if (call.method === "close") parentPort!.close();
  } catch (error) {
    const { code, message } = error instanceof MnemosyneError ? error : toStoreError(call.method, options.path, error);
    parentPort!.postMessage({ id: call.id, error: { code, message } } satisfies Answer);
  }
});

/** Vectors of loaded memories change hands instead of being copied. */
function buffersOf({ memories }: LoadedRows): ArrayBuffer[] {
  return memories.map(({ vectors }) => vectors);
}
