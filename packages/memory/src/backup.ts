/** A backup of an SQLite file: a copy from one moment, whole or not there at all, while others go on using the file. */
import { isNearlyRedisUrl, isRedisUrl } from "./adapters/store/redis/options.js";
import { type BackupProgress, checkApart, copyOnThread } from "./adapters/store/sqlite/backup/backup.js";
import { InputError } from "./errors.js";
import { makeWhole } from "./files/whole-file.js";
import { type StoreOptions, defaultPath, readStoreOptions } from "./opening.js";

export type { BackupProgress } from "./adapters/store/sqlite/backup/backup.js";

export interface BackupOptions {
  /** Replaces the file if there is one; otherwise that is refused. */
  readonly replace?: boolean;
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
  const key = encryptionKey === undefined ? {} : { encryptionKey };
  const copied = await makeWhole(file, mayReplace, (unfinished) =>
    copyOnThread({ path, ...key, file: unfinished, shownFile: file }, onProgress),
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
    ? "for a Redis, copy its RDB or append-only files, or export every person"
    : "open the memory with the path of a file, or export every person";
  throw new InputError("option_invalid", `backup copies SQLite files, by their path; ${remedy}`);
}
