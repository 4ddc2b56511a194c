/** Copies a database on a thread of its own: the memory that calls goes on answering. */
import { statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { StoreError } from "../../../../errors.js";
import { packageFile, threadOptions } from "../../../../files/package-files.js";
import type { CopiedDatabase, CopyTask } from "./copying.js";
import type { CopyAnswer } from "./worker.js";

/** SQLite says nothing while it copies; the size of the copy does. */
const lookEveryMs = 100;

export async function copyOnThread(task: CopyTask, onBytes: (byteCount: number) => void): Promise<CopiedDatabase> {
  const worker = new Worker(packageFile("dist/adapters/store/sqlite/backup/worker.js"), {
    workerData: task,
    ...threadOptions(),
  });
  let looking: NodeJS.Timeout | undefined;
  try {
    const answer = await new Promise<CopyAnswer>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new StoreError("store_failed", `the thread that copies ${task.path} ended`)));
      looking = setInterval(() => {
        try {
          onBytes(statSync(task.file, { throwIfNoEntry: false })?.size ?? 0);
        } catch (error) {
          reject(error as Error);
        }
      }, lookEveryMs);
    });
    if ("copied" in answer) return answer.copied;
    throw new StoreError(answer.code, answer.message);
  } finally {
    clearInterval(looking);
    await worker.terminate();
  }
}
