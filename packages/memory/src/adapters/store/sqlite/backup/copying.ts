/**
 * Copies a database that others may be writing to. `VACUUM INTO` reads one moment of it without keeping writers out,
 * writes only rows that are there, so that nothing forgotten is in the copy, and encrypts with the same key. Then every
 * row of the copy is read and its mark compared: a backup that exists is whole.
 */
import { existsSync, rmSync, statSync } from "node:fs";
import type Database from "libsql";
import { StoreError } from "../../../../errors.js";
import { describeDamage } from "../../../../ports/store.js";
import { SqliteDatabase } from "../database.js";
import { toStoreError } from "../error.js";
import { openFile } from "../opening.js";
import { checkHeader, formatVersion } from "../schema.js";

export interface CopyTask {
  readonly path: string;
  readonly encryptionKey?: string;
  /** The copy: there, and empty. */
  readonly file: string;
  /** What errors call it. */
  readonly shownFile: string;
}

export interface CopiedDatabase {
  readonly schemaVersion: number;
  readonly byteCount: number;
  readonly personCount: number;
  readonly interactionCount: number;
  readonly memoryCount: number;
}

const busyTimeoutMs = 30_000;
/** What SQLite keeps next to a database while it is open. */
const companions = ["-wal", "-shm", "-journal"];

export function copyDatabase(task: CopyTask): CopiedDatabase {
  const { path, encryptionKey, file, shownFile } = task;
  // Opening would create it.
  if (!existsSync(path)) throw new StoreError("store_missing", `backup: there is no database at ${path}`);
  try {
    withDatabase(path, encryptionKey, (database) => {
      checkIsOurs(path, database);
      database.prepare("VACUUM INTO ?").run([file]);
    });
    const counts = withDatabase(file, encryptionKey, countRows);
    checkRows(task);
    return { schemaVersion: formatVersion, byteCount: statSync(file).size, ...counts };
  } catch (error) {
    throw toStoreError("backup", `${path} to ${shownFile}`, error);
  } finally {
    for (const ending of companions) rmSync(file + ending, { force: true });
  }
}

function withDatabase<Result>(
  path: string,
  encryptionKey: string | undefined,
  work: (database: Database.Database) => Result,
): Result {
  const { database } = openFile(path, encryptionKey, busyTimeoutMs);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function checkIsOurs(path: string, database: Database.Database): void {
  if (number(database, "SELECT count(*) FROM sqlite_schema") === 0) {
    throw new StoreError("store_missing", `backup: ${path} is an empty file; there is nothing to back up`);
  }
  checkHeader(path, number(database, "PRAGMA application_id"), number(database, "PRAGMA user_version"));
}

function countRows(database: Database.Database): Omit<CopiedDatabase, "schemaVersion" | "byteCount"> {
  const faults = number(database, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'");
  if (faults > 0) throw new Error("the copy is malformed");
  const count = (table: string): number => number(database, `SELECT count(*) FROM ${table}`);
  return { personCount: count("person"), interactionCount: count("interaction"), memoryCount: count("memory") };
}

function checkRows({ path, encryptionKey, file }: CopyTask): void {
  const copy = new SqliteDatabase({ path: file, ...(encryptionKey === undefined ? {} : { encryptionKey }) });
  try {
    const [first, ...more] = copy.damage();
    if (first === undefined) return;
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    throw new StoreError(
      "store_damaged",
      `backup: something in ${path} is damaged, so nothing was written: ${describeDamage(first)}${others}; \`mnemosyne doctor\` lists it, \`mnemosyne export --skip-damaged\` saves what is whole`,
    );
  } finally {
    copy.close();
  }
}

function number(database: Database.Database, sql: string): number {
  const statement = database.prepare(sql) as unknown as { raw(isRaw: boolean): { get(bind: []): [number] } };
  return statement.raw(true).get([])[0];
}
