/** A backup of an SQLite file: a copy from one moment, whole or not there at all, while others go on using the file. */
import { type BigIntStats, statSync } from "node:fs";
import { resolve } from "node:path";
import { isNearlyRedisUrl, isRedisUrl } from "./adapters/store/redis/options.js";
import { copyOnThread } from "./adapters/store/sqlite/backup/backup.js";
import { InputError } from "./errors.js";
import { makeWhole } from "./files/whole-file.js";
import { type StoreOptions, defaultPath, readStoreOptions } from "./opening.js";

export interface BackupOptions {
  /** Replaces the file if there is one; otherwise that is refused. */
  readonly replace?: boolean;
}

export interface BackupProgress {
  readonly doneBytes: number;
  /** About: the copy is smaller where the original has free pages. */
  readonly totalBytes: number;
}

export interface BackupReport {
  readonly file: string;
  readonly byteCount: number;
  readonly schemaVersion: number;
  /** With the same key as the original. */
  readonly encrypted: boolean;
  readonly personCount: number;
  readonly interactionCount: number;
  readonly memoryCount: number;
}

export async function backUp(
  from: StoreOptions,
  file: string,
  mayReplace: boolean,
  onProgress: (progress: BackupProgress) => void,
): Promise<BackupReport> {
  const { path, encryptionKey } = readSource(from);
  if (typeof file !== "string" || file.trim() === "" || file.includes("\0")) {
    throw new InputError("option_invalid", `backup to ${JSON.stringify(file)}: name the file to write`);
  }
  checkApart(path, file);
  const totalBytes = Number(statOf(path)?.size ?? 0n);
  const key = encryptionKey === undefined ? {} : { encryptionKey };
  const copied = await makeWhole(file, mayReplace, (unfinished) =>
    copyOnThread({ path: resolve(path), ...key, file: resolve(unfinished), shownFile: file }, (doneBytes) =>
      onProgress({ doneBytes: Math.min(doneBytes, totalBytes), totalBytes }),
    ),
  );
  return { file, encrypted: encryptionKey !== undefined, ...copied };
}

function readSource(from: StoreOptions): { path: string; encryptionKey: string | undefined } {
  const { path = defaultPath, encryptionKey, store } = readStoreOptions(from);
  if (store === undefined && path !== ":memory:" && !isRedisUrl(path) && !isNearlyRedisUrl(path)) {
    return { path, encryptionKey };
  }
  const isRedis = store === undefined ? path !== ":memory:" : store.kind === "redis";
  const remedy = isRedis
    ? "for a Redis, copy its RDB or append-only files, or stop what commits and run `mnemosyne migrate` from it to a file"
    : "open the memory with the path of a file, or use `Mnemosyne.migrate` to copy it to one";
  throw new InputError("option_invalid", `backup copies SQLite files, by their path; ${remedy}`);
}

/** A log that belongs to another file would be read as that of the copy. */
function checkApart(path: string, file: string): void {
  const target = statOf(file);
  const own = [path, `${path}-wal`, `${path}-shm`].map(statOf);
  if (target !== undefined && own.some((each) => each?.dev === target.dev && each.ino === target.ino)) {
    throw new InputError("option_invalid", `backup to ${file}: that is the database itself; choose another name`);
  }
  if ((statOf(`${file}-wal`)?.size ?? 0n) > 0n) {
    const message = `backup to ${file}: ${file}-wal is there, so the file is in use or was left by a crash; choose another name`;
    throw new InputError("option_invalid", message);
  }
}

function statOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
