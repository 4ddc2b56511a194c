/**
 * A SQLite file: how it is opened, its statements and transactions, and the erasure of what was deleted. The write-ahead
 * log with full synchronization makes an acknowledged write survive a crash and a power cut.
 *
 * `secure_delete` clears the bytes that a deletion frees, but not the copies that SQLite leaves in a page's unused space
 * when it moves rows, so the file is rewritten afterwards (VACUUM) and the log truncated. Until that is done the file
 * carries a note, and the next opening, deletion or closing tries again.
 */
import { randomInt } from "node:crypto";
import type Database from "libsql";
import { type ErrorCode, StoreError, isDamage } from "../errors.js";
import { FileIdentity } from "./file-identity.js";
import { openDatabase, openToRead } from "./libsql.js";
import { fileSize, makeFile } from "./new-file.js";

export interface SqliteFileOptions {
  readonly path: string;
  /** How long to wait for another process that is writing. */
  readonly busyTimeoutMs?: number;
}

/** A file of another program or format is refused. */
export interface SqliteFormat {
  readonly applicationId: number;
  readonly version: number;
  readonly tables: string;
}

/** How many rowids are tried where the pages of a table cannot be read. */
const probeCountMax = 1_000_000;
const rowidsPerStep = 512;

type Values = readonly unknown[];
type Statement = Record<"run" | "get" | "all", (bind: Values) => unknown> & { raw(isRaw: boolean): Statement };

const meanings: readonly (readonly [pattern: RegExp, code: ErrorCode, meaning: string])[] = [
  [/SQLITE_NOTADB|not a database/u, "store_not_ours", "it is not a database of this program; choose another path"],
  [/SQLITE_FULL|disk is full|ENOSPC/u, "store_full", "the disk is full; free some space and try again"],
  [
    /SQLITE_READONLY|readonly database|SQLITE_CANTOPEN|SQLITE_PERM|: 14"|EACCES|EROFS|EPERM|ENOENT|ENOTDIR|EEXIST|EISDIR/u,
    "store_read_only",
    "it cannot be opened for writing; check the path and its permissions",
  ],
  [
    /SQLITE_BUSY|SQLITE_LOCKED|database is locked/u,
    "store_busy",
    "another process has been using it for too long; try again",
  ],
  [
    /SQLITE_CORRUPT|malformed/u,
    "store_corrupt",
    "the file is damaged; `mnemosyne doctor` says how to save what is whole",
  ],
];

export function toStoreError(operation: string, path: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const { code = "", message = String(error) } = error as { code?: string; message?: string };
  const [, known = "store_failed", meaning = message] =
    meanings.find(([pattern]) => pattern.test(`${code} ${message}`)) ?? [];
  return new StoreError(known, `${operation} ${path}: ${meaning}.`, { cause: error });
}

/**
 * The connection that closes a database last writes its log to the database, by the index of the log that it has: without
 * the right one, that destroys the database. SQLite does so only if no other connection is there, so each has a guard
 * that cannot write. It is made first, because connections that were not closed are ended in reverse order.
 */
const guards = new Set<Database.Database>();
const pauseMs = 5;

export class SqliteFile {
  readonly path: string;
  readonly #format: SqliteFormat;
  readonly #guard: Database.Database;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();
  readonly #identity: FileIdentity;
  readonly #warnings: string[] = [];
  readonly #busyTimeoutMs: number;

  constructor({ path, busyTimeoutMs = 30_000 }: SqliteFileOptions, format: SqliteFormat) {
    this.path = path;
    this.#busyTimeoutMs = busyTimeoutMs;
    this.#format = format;
    // SQLite would drop the log of a database that is not there, with everything in it.
    if (fileSize(path) === 0 && fileSize(`${path}-wal`) > 0) {
      const advice = "put the database back, or move the log away";
      throw new StoreError("store_moved", `open ${path}: it is missing, but its log ${path}-wal is there; ${advice}`);
    }
    if (!makeFile(path) && fileSize(path) === 0) {
      this.#warnings.push(`${path} was an empty file; if there were memories in it, they are lost`);
    }
    this.#guard = openToRead(path, busyTimeoutMs);
    this.#database = openDatabase(path, busyTimeoutMs);
    try {
      this.#identity = this.#prepare();
    } catch (error) {
      this.#guard.close();
      this.#database.close();
      throw error;
    }
    guards.add(this.#guard);
    this.#finishErasing();
  }

  get(sql: string, bind: Values = []): unknown[] | undefined {
    return this.#ask(sql, (statement) => statement.get(bind)) as unknown[] | undefined;
  }

  all(sql: string, bind: Values = []): unknown[][] {
    return this.#ask(sql, (statement) => statement.all(bind)) as unknown[][];
  }

  run(sql: string, bind: Values): void {
    this.#ask(sql, (statement) => statement.run(bind));
  }

  /** A number that the query computes. */
  number(sql: string, bind: Values = []): number | undefined {
    return this.get(sql, bind)?.[0] as number | undefined;
  }

  /** Undefined where damage keeps it from being read. */
  attempt<Result>(read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      if (isDamage(toStoreError("read", this.path, error))) return undefined;
      throw error;
    }
  }

  /** One view of the file for several statements. */
  read<Result>(work: () => Result): Result {
    this.#checkIdentity();
    this.#database.exec("BEGIN");
    try {
      return work();
    } finally {
      // After a page that cannot be read, this says so once more.
      this.attempt(() => this.#database.exec("ROLLBACK"));
    }
  }

  write<Result>(work: () => Result): Result {
    this.#checkIdentity();
    const result = this.#transaction(() => {
      const done = work();
      this.#identity.check();
      return done;
    });
    // Between that check and the commit, another process may have begun with a new index of the log.
    this.#checkIdentity();
    return result;
  }

  /** A write that a power cut may take back. */
  writeSoftly<Result>(work: () => Result): Result {
    this.#database.exec("PRAGMA synchronous = NORMAL");
    try {
      return this.write(work);
    } finally {
      this.#database.exec("PRAGMA synchronous = FULL");
    }
  }

  setting(name: string): number | undefined {
    return this.number("SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?", [name]);
  }

  setSetting(name: string, value: number): void {
    this.run("INSERT OR REPLACE INTO setting VALUES (?, ?)", [name, value]);
  }

  /** Notes, within the transaction that deletes, that there is something to erase. */
  noteErasing(): void {
    this.setSetting("erase", randomInt(2 ** 47));
  }

  /** The note is only removed if it is the one from before: another process may have deleted more in the meantime. */
  erase(): void {
    try {
      this.#checkIdentity();
      const note = this.setting("erase") ?? null;
      this.#database.exec("VACUUM");
      this.#truncateLog();
      this.run("DELETE FROM setting WHERE name = 'erase' AND value = ?", [note]);
      this.#truncateLog();
      this.#checkIdentity();
    } catch (error) {
      const { code, message } = toStoreError("erase", this.path, error);
      const rest = "The records are deleted, but their bytes may remain in the file until the next opening clears them";
      throw new StoreError(code, `${message} ${rest}`, { cause: error });
    }
  }

  describe(): { byteCount: number; warnings: readonly string[] } {
    return { byteCount: fileSize(this.path) + fileSize(`${this.path}-wal`), warnings: this.#warnings };
  }

  /** The database's own check of its pages and indexes; empty when it finds nothing wrong. */
  check(): string[] {
    const lines = this.all("SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check");
    return lines.map(([line]) => Buffer.from(line as Uint8Array).toString()).filter((line) => line !== "ok");
  }

  /** Builds all indexes from their tables. */
  reindex(): void {
    this.#database.exec("REINDEX");
  }

  /** All rowids of a table, growing, as far as they can be found; around pages that cannot be read, all are tried. */
  rowids(table: string): number[] {
    const [up, isWhole] = this.#walk(table, ">", "", 0);
    if (isWhole) return up;
    const [down] = this.#walk(table, "<", "DESC", Number.MAX_SAFE_INTEGER);
    const from = (up.at(-1) ?? 0) + 1;
    const last = "SELECT CAST(seq AS INTEGER) FROM sqlite_sequence WHERE name = ?";
    const to = down.at(-1) ?? (this.attempt(() => this.number(last, [table])) ?? from) + 1;
    const count = Math.min(Math.max(to - from, 0), probeCountMax);
    return [...up, ...Array.from({ length: count }, (_, i) => from + i), ...down.reverse()];
  }

  /** In one direction, and whether the end was reached. Damaged pages may lead in a circle. */
  #walk(table: string, side: string, order: string, from: number): [rowids: number[], isWhole: boolean] {
    const sql = `SELECT CAST(rowid AS INTEGER) FROM ${table} NOT INDEXED WHERE rowid ${side} ? ORDER BY rowid ${order} LIMIT ?`;
    const found: number[] = [];
    for (let [last, limit] = [from, rowidsPerStep]; ;) {
      const rows = this.attempt(() => this.all(sql, [last, limit]));
      if (rows === undefined && limit === 1) return [found, false];
      if (rows === undefined) limit = 1;
      else if (rows.length === 0) return [found, true];
      for (const [rowid] of (rows ?? []) as [number][]) {
        if (side === ">" ? rowid <= last : rowid >= last) return [found, false];
        found.push((last = rowid));
      }
    }
  }

  close(): void {
    this.#finishErasing();
    this.#statements.clear();
    if (this.#identity.hasItsLog) {
      this.#guard.close();
      guards.delete(this.#guard);
    }
    this.#database.close();
  }

  #prepare(): FileIdentity {
    this.#checkIsOurs();
    this.#useLog();
    this.#database.exec("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA temp_store = MEMORY");
    if (this.#isNew()) this.#transaction(() => this.#isNew() && this.#createTables());
    this.#guard.exec("SELECT count(*) FROM setting");
    return new FileIdentity(this.path);
  }

  #isNew(): boolean {
    return this.number("PRAGMA user_version") !== this.#format.version;
  }

  #createTables(): void {
    const { applicationId, version, tables } = this.#format;
    this.#database.exec(`
      -- "erase": bytes of deleted rows may still be in the file. Others belong to the user of the file.
      CREATE TABLE setting (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
      ${tables}
      PRAGMA application_id = ${applicationId};
      PRAGMA user_version = ${version};
    `);
  }

  #checkIsOurs(): void {
    if (this.number("SELECT count(*) FROM sqlite_schema") === 0) return;
    if (this.number("PRAGMA application_id") !== this.#format.applicationId) {
      throw new StoreError("store_not_ours", `open ${this.path}: another program's database; choose another path`);
    }
    if (!this.#isNew()) return;
    const found = `it has format ${this.number("PRAGMA user_version")}, and this release reads format ${this.#format.version} only`;
    const advice = "export it with the release that wrote it, and import that here";
    throw new StoreError("store_format", `open ${this.path}: ${found}; ${advice}`);
  }

  /** SQLite waits for other writers, but not here: of several that open a new file at once, all but one are refused. */
  #useLog(): void {
    this.#patiently(() => {
      try {
        this.#database.exec("PRAGMA journal_mode = WAL");
        return true;
      } catch (error) {
        if (toStoreError("open", this.path, error).code === "store_busy") return false;
        throw error;
      }
    });
  }

  /** If it fails, the file can be used nevertheless. */
  #finishErasing(): void {
    try {
      if (this.setting("erase") !== undefined) this.erase();
    } catch (error) {
      this.#warnings.push(toStoreError("erase", this.path, error).message);
    }
  }

  /** SQLite waits for readers, but not for others that write the log to the database. */
  #truncateLog(): void {
    this.#patiently(() => this.number("PRAGMA wal_checkpoint(TRUNCATE)") === 0);
  }

  /** Tries until it succeeds, as long as SQLite waits for others. */
  #patiently(attempt: () => boolean): void {
    for (const giveUpAt = performance.now() + this.#busyTimeoutMs; !attempt();) {
      if (performance.now() >= giveUpAt) {
        throw new StoreError("store_busy", `${this.path}: another process is using the log; try again.`);
      }
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
    }
  }

  /** The log of a file that was renamed stays behind, so what is in it is written to the file while that is known. */
  #checkIdentity(): void {
    try {
      this.#identity.check();
    } catch (error) {
      // Where that fails, it stays in the log.
      if (this.#identity.hasItsLog) this.attempt(() => this.#truncateLog());
      throw error;
    }
  }

  #transaction<Result>(work: () => Result): Result {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk may already have rolled back.
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** A statement that failed on a damaged page would fail everywhere from then on. */
  #ask<Result>(sql: string, use: (statement: Statement) => Result): Result {
    try {
      let statement = this.#statements.get(sql);
      if (statement === undefined) {
        statement = this.#database.prepare(sql) as unknown as Statement;
        if (/^(?:SELECT|PRAGMA)/u.test(sql)) statement.raw(true);
        this.#statements.set(sql, statement);
      }
      return use(statement);
    } catch (error) {
      this.#statements.delete(sql);
      throw error;
    }
  }
}
