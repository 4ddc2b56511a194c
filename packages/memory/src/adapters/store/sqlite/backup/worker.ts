/** The thread that copies a database. */
import { parentPort, workerData } from "node:worker_threads";
import { type ErrorCode, MnemosyneError } from "../../../../errors.js";
import { type CopiedDatabase, type CopyTask, copyDatabase } from "./copying.js";

/** An error itself would lose its class on the way. */
export type CopyAnswer = { readonly copied: CopiedDatabase } | { readonly code: ErrorCode; readonly message: string };

function answer(): CopyAnswer {
  try {
    return { copied: copyDatabase(workerData as CopyTask) };
  } catch (error) {
    if (!(error instanceof MnemosyneError)) throw error;
    return { code: error.code, message: error.message };
  }
}

parentPort!.postMessage(answer());
