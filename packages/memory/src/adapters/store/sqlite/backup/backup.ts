/** Copies a database on a thread of its own: the memory that calls goes on answering. */
import { type BigIntStats, statSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { InputError, StoreError } from "../../../../errors.js";
import { packageFile, threadOptions } from "../../../../files/package-files.js";
import type { CopiedDatabase, CopyTask } from "./copying.js";
import type { CopyAnswer } from "./worker.js";

/** SQLite says nothing while it copies; the size of the copy does. */
const lookEveryMs = 100;

export interface BackupProgress {
  readonly doneBytes: number;
  /** About: the copy is smaller where the original has free pages. */
  readonly totalBytes: number;
}

export async function copyOnThread(
  task: CopyTask,
  onProgress: (progress: BackupProgress) => void,
): Promise<CopiedDatabase> {
  const totalBytes = sizeOf(task.path);
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
      const look = (): void => {
        try {
          onProgress({ doneBytes: Math.min(sizeOf(task.file), totalBytes), totalBytes });
        } catch (error) {
          reject(error as Error);
        }
      };
      look();
      looking = setInterval(look, lookEveryMs);
    });
    if ("copied" in answer) return answer.copied;
    throw new StoreError(answer.code, answer.message);
  } finally {
    clearInterval(looking);
    await worker.terminate();
  }
}

/** A log that belongs to another file would be read as that of the copy. */
export function checkApart(path: string, file: string): void {
  const target = statOf(file);
  const own = [path, `${path}-wal`, `${path}-shm`].map(statOf);
  if (target !== undefined && own.some((each) => each?.dev === target.dev && each.ino === target.ino)) {
    throw new InputError("option_invalid", `backup to ${file}: that is the database itself; choose another name`);
  }
  if (sizeOf(`${file}-wal`) > 0) {
    const message = `backup to ${file}: ${file}-wal is there, so the file is in use or was left by a crash; choose another name`;
    throw new InputError("option_invalid", message);
  }
}

function sizeOf(path: string): number {
  return Number(statOf(path)?.size ?? 0n);
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
