/** Translates SQLite's result codes into our errors: what happened, to which file, and what to do. */
import { type ErrorCode, StoreError } from "../../../errors.js";

const meanings: readonly { readonly pattern: RegExp; readonly code: ErrorCode; readonly meaning: string }[] = [
  {
    pattern: /SQLITE_NOTADB|not a database/u,
    code: "store_not_ours",
    meaning: "it is not a Mnemosyne database, or the encryption key is not the one it was written with",
  },
  {
    pattern: /SQLITE_FULL|disk is full|ENOSPC/u,
    code: "store_full",
    meaning: "the disk is full; free some space and try again",
  },
  {
    pattern:
      /SQLITE_READONLY|readonly database|SQLITE_CANTOPEN|SQLITE_PERM|: 14"|EACCES|EROFS|EPERM|ENOENT|ENOTDIR|EEXIST|EISDIR/u,
    code: "store_read_only",
    meaning: "it cannot be opened for writing; check the path and its permissions",
  },
  {
    pattern: /SQLITE_BUSY|SQLITE_LOCKED|database is locked/u,
    code: "store_busy",
    meaning: "another process has been writing for too long; try again",
  },
  {
    pattern: /SQLITE_CORRUPT|malformed/u,
    code: "store_corrupt",
    meaning: "the file is damaged; `mnemosyne doctor` says how to save what is whole",
  },
];

export function toStoreError(operation: string, path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  const text = `${code} ${message}`;
  const known = meanings.find(({ pattern }) => pattern.test(text));
  const isLost = known?.code === "store_corrupt" && operation === "open";
  const meaning = isLost
    ? "it is damaged where everything begins; restore an export or a copy"
    : (known?.meaning ?? message);
  return new StoreError(known?.code ?? "store_failed", `${operation} ${path}: ${meaning}.`, { cause: error });
}
