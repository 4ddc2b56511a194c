/**
 * A connection to the SQLite file: schema, transactions, settings. The write-ahead log with full synchronization makes
 * an acknowledged interaction survive a crash and a power cut; foreign keys make a dangling edge impossible.
 *
 * Forgetting has to reach the bytes. `secure_delete` clears what a deletion frees, but not the copies that SQLite
 * leaves in a page's unused space when it moves rows between pages, so after forgetting the file is rewritten (VACUUM)
 * and the log truncated. Until that is done the file carries a note, and the next opening, forgetting or closing tries
 * again.
 */
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import type Database from "libsql";
import { StoreError } from "../../../errors.js";
import type { StoreDescription } from "../../../ports/store.js";
import { damaged, decodeLeniently, decodeText } from "./damage.js";
import { toStoreError } from "./error.js";
import { FileIdentity } from "./file-identity.js";
import { Marker } from "./mark.js";
import { type OpenedFile, makeMarkSalt, openFile, saltedMarkKey } from "./opening.js";
import { checkHeader, formatVersion, schema } from "./schema.js";

export interface SqliteOptions {
  readonly path: string;
  /** Encrypts the file (AES-256); opening it again takes the same key. */
  readonly encryptionKey?: string;
  /** How long to wait for another process that is writing. */
  readonly busyTimeoutMs?: number;
  /** Runs on the caller's thread: about 20 MB less, but the event loop blocks while the file is read and written. */
  readonly isInline?: boolean;
}

const defaultBusyTimeoutMs = 30_000;
const erasingNote = "erase_pending";
const markSaltName = "mark_salt";

/** The part of libsql's statement we use; values are bound as one array. */
interface Statement {
  run(bind: readonly unknown[]): { changes: number };
  get(bind: readonly unknown[]): unknown;
  all(bind: readonly unknown[]): unknown[];
  iterate(bind: readonly unknown[]): Iterable<unknown>;
  raw(isRaw: boolean): Statement;
}

export class SqliteConnection {
  readonly path: string;
  readonly #isEncrypted: boolean;
  readonly #database: Database.Database;
  readonly #writers = new Map<string, Statement>();
  readonly #readers = new Map<string, Statement>();
  readonly #identity: FileIdentity;
  readonly #wasEmpty: boolean;
  #marker = new Marker(null);
  /** Of the salt of the marks, which is needed before any other mark. */
  #saltMarker = new Marker(null);
  #erasingError: StoreError | null = null;

  constructor({ path, encryptionKey, busyTimeoutMs = defaultBusyTimeoutMs }: SqliteOptions) {
    this.path = path;
    this.#isEncrypted = encryptionKey !== undefined;
    const { database, markSecret, wasEmpty } = open(path, encryptionKey, busyTimeoutMs);
    this.#database = database;
    this.#wasEmpty = wasEmpty;
    try {
      this.#identity = this.#prepare(markSecret, busyTimeoutMs);
    } catch (error) {
      database.close();
      throw toStoreError("open", path, error);
    }
  }

  /** Of every row. */
  get marker(): Marker {
    return this.#marker;
  }

  describe(): StoreDescription {
    const warnings = [
      ...(this.#wasEmpty ? [`${this.path} was an empty file; if it had memories, they are lost`] : []),
      ...(this.#erasingError === null ? [] : [this.#erasingError.message]),
    ];
    return {
      kind: "sqlite",
      location: this.path,
      schemaVersion: this.#pragma("user_version"),
      encrypted: this.#isEncrypted,
      byteCount: fileSize(this.path) + fileSize(`${this.path}-wal`),
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  }

  /** The database's own check of its pages, indexes and references; empty when it finds nothing wrong. */
  checkPages(): string[] {
    const pages = this.allValues("SELECT CAST(integrity_check AS BLOB) FROM pragma_integrity_check", [])
      .map(([line]) => decodeLeniently(line) ?? "")
      .filter((line) => line !== "ok");
    const references = this.allValues('SELECT CAST("table" AS BLOB) FROM pragma_foreign_key_check', []).map(
      ([table]) => `dangling reference in ${decodeLeniently(table) ?? ""}`,
    );
    return [...pages, ...references];
  }

  run(sql: string, bind: readonly unknown[]): { changes: number } {
    let statement = this.#writers.get(sql);
    if (statement === undefined) this.#writers.set(sql, (statement = this.#database.prepare(sql) as Statement));
    return statement.run(bind);
  }

  /** The values of the first row, in column order. */
  values(sql: string, bind: readonly unknown[] = []): unknown[] | undefined {
    return this.#ask(sql, (statement) => statement.get(bind)) as unknown[] | undefined;
  }

  allValues(sql: string, bind: readonly unknown[]): unknown[][] {
    return this.#ask(sql, (statement) => statement.all(bind)) as unknown[][];
  }

  /** Iterates over rows. Whoever stops early leaves no statement behind that keeps the log from being cleared. */
  *iterateValues(sql: string, bind: readonly unknown[]): Generator<unknown[]> {
    const rows = this.#reader(sql).iterate(bind)[Symbol.iterator]() as Iterator<unknown[]>;
    let isDone = false;
    const next = (): IteratorResult<unknown[]> => {
      isDone = true;
      const result = this.#ask(sql, () => rows.next());
      isDone = result.done === true;
      return result;
    };
    try {
      for (let result = next(); result.done !== true; result = next()) yield result.value;
    } finally {
      while (!isDone) next();
    }
  }

  /** A number that the query computes; null if it finds nothing. */
  number(sql: string, bind: readonly unknown[] = []): number | null {
    return (this.values(sql, bind)?.[0] as number | null | undefined) ?? null;
  }

  write<Result>(work: () => Result): Result {
    return this.#savingLog(() =>
      this.#transaction("IMMEDIATE", () => {
        const result = work();
        // What is written to a file that has lost its name is lost with it.
        this.#identity.check();
        return result;
      }),
    );
  }

  /** One view of the file for several statements. */
  read<Result>(work: () => Result): Result {
    return this.#transaction("DEFERRED", work);
  }

  /** Throws if the path leads to another file than the open one. */
  checkIdentity(): void {
    this.#savingLog(() => this.#identity.check());
  }

  /** The log of a file that was renamed stays behind, so what is in it is written to the file while that is known. */
  #savingLog<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      if (error instanceof StoreError && error.code === "store_moved" && !this.#identity.isEmptied) this.#saveLog();
      throw error;
    }
  }

  #saveLog(): void {
    try {
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // It stays in the log.
    }
  }

  setting(name: string): string | null {
    const values = this.values("SELECT CAST(value AS BLOB), CAST(mark AS INTEGER) FROM setting WHERE name = ?", [name]);
    if (values === undefined) return null;
    const [bytes, mark] = values;
    const value = bytes instanceof Uint8Array ? decodeText(bytes) : undefined;
    if (value !== undefined && this.#markSetting(name, value) === mark) return value;
    throw damaged(this.path, { person: null, id: null, part: `the setting "${name}" is damaged` });
  }

  setSetting(name: string, value: string): void {
    const sql =
      "INSERT INTO setting VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value, mark = excluded.mark";
    this.run(sql, [name, Buffer.from(value), this.#markSetting(name, value)]);
  }

  /** Sets it unless it is already set. */
  claimSetting(name: string, value: string): void {
    const sql = "INSERT INTO setting VALUES (?, ?, ?) ON CONFLICT (name) DO NOTHING";
    this.run(sql, [name, Buffer.from(value), this.#markSetting(name, value)]);
  }

  /** Notes, within the transaction that forgets, that there is something to erase. */
  noteErasing(): void {
    this.setSetting(erasingNote, randomUUID());
  }

  /**
   * Rewrites the file, so that no copy of a forgotten row stays in unused space, and empties the log. The note is only
   * removed if it is still the one from before: another process may have forgotten more in the meantime.
   */
  erase(): void {
    try {
      const note = this.setting(erasingNote);
      this.#database.exec("VACUUM");
      this.#truncateLog();
      if (note !== null) this.run("DELETE FROM setting WHERE name = ? AND value = ?", [erasingNote, Buffer.from(note)]);
      this.#truncateLog();
      this.#erasingError = null;
    } catch (error) {
      const failed = toStoreError("erase", this.path, error);
      throw new StoreError(
        failed.code,
        `${failed.message} What was forgotten is gone from the memory, but its bytes may remain in the file until the next opening clears them.`,
        { cause: error },
      );
    }
  }

  /** Finishes an erasure that was interrupted. If that fails the file can be used nevertheless. */
  finishErasing(): void {
    try {
      if (this.setting(erasingNote) !== null) this.erase();
    } catch (error) {
      this.#erasingError = toStoreError("erase", this.path, error);
    }
  }

  close(): void {
    this.finishErasing();
    this.#writers.clear();
    this.#readers.clear();
    this.#database.close();
  }

  #prepare(markSecret: Buffer | null, busyTimeoutMs: number): FileIdentity {
    this.#checkIsOurs();
    this.#useLog(busyTimeoutMs);
    this.#database.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
    `);
    this.#saltMarker = new Marker(markSecret);
    this.#createTables(markSecret);
    if (markSecret !== null) this.#readMarkSalt(markSecret);
    this.finishErasing();
    return new FileIdentity(this.path);
  }

  /** SQLite waits for other writers, but not here: of several that open a new file at once, all but one are refused at once. */
  #useLog(busyTimeoutMs: number): void {
    const giveUpAt = performance.now() + busyTimeoutMs;
    for (;;) {
      try {
        this.#database.exec("PRAGMA journal_mode = WAL");
        return;
      } catch (error) {
        if (toStoreError("open", this.path, error).code !== "store_busy" || performance.now() >= giveUpAt) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      }
    }
  }

  #readMarkSalt(markSecret: Buffer): void {
    const salt = this.setting(markSaltName);
    if (salt === null)
      throw damaged(this.path, { person: null, id: null, part: `the setting "${markSaltName}" is missing` });
    this.#marker = new Marker(saltedMarkKey(markSecret, salt));
  }

  #markSetting(name: string, value: string): number {
    return (name === markSaltName ? this.#saltMarker : this.#marker).of(name, value);
  }

  #truncateLog(): void {
    const [busy] = this.values("PRAGMA wal_checkpoint(TRUNCATE)")!;
    if (busy === 1) {
      throw new StoreError("store_busy", `another process is reading ${this.path}; the log could not be cleared.`);
    }
  }

  #checkIsOurs(): void {
    if (this.number("SELECT count(*) FROM sqlite_schema") === 0) return;
    checkHeader(this.path, this.#pragma("application_id"), this.#pragma("user_version"));
  }

  /** Creates the tables of a new file. */
  #createTables(markSecret: Buffer | null): void {
    if (this.#pragma("user_version") === formatVersion) return;
    this.#transaction("IMMEDIATE", () => {
      // Checked again inside the transaction: another process may have been faster.
      if (this.#pragma("user_version") === formatVersion) return;
      this.#database.exec(schema);
      if (markSecret !== null) this.setSetting(markSaltName, makeMarkSalt());
    });
  }

  #pragma(name: string): number {
    return this.number(`PRAGMA ${name}`)!;
  }

  #transaction<Result>(mode: string, work: () => Result): Result {
    this.#database.exec(`BEGIN ${mode}`);
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
  #ask<Result>(sql: string, read: (statement: Statement) => Result): Result {
    try {
      return read(this.#reader(sql));
    } catch (error) {
      this.#readers.delete(sql);
      throw error;
    }
  }

  /** A statement that returns rows as arrays of values. */
  #reader(sql: string): Statement {
    let statement = this.#readers.get(sql);
    if (statement === undefined) {
      this.#readers.set(sql, (statement = (this.#database.prepare(sql) as Statement).raw(true)));
    }
    return statement;
  }
}

function open(...options: Parameters<typeof openFile>): OpenedFile {
  try {
    return openFile(...options);
  } catch (error) {
    throw toStoreError("open", options[0], error);
  }
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
