/**
 * A connection to the SQLite file: opening, schema, transactions, settings. The write-ahead log with full
 * synchronization makes an acknowledged interaction survive a crash and a power cut; foreign keys make a dangling edge
 * impossible.
 *
 * Forgetting has to reach the bytes. `secure_delete` clears what a deletion frees, but not the copies that SQLite
 * leaves in a page's unused space when it moves rows between pages, so after forgetting the file is rewritten (VACUUM)
 * and the log truncated. If that is interrupted, the next opening does it.
 */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { StoreError } from "../../../errors.js";
import type { StoreDescription } from "../../../ports/store.js";
import { toStoreError } from "./error.js";
import { applicationId, migrations } from "./schema.js";

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

export type Row = Record<string, unknown>;

/** The part of libsql's statement we use; values are bound as one array. */
interface Statement {
  run(bind: readonly unknown[]): { changes: number };
  get(bind: readonly unknown[]): unknown;
  all(bind: readonly unknown[]): unknown[];
  iterate(bind: readonly unknown[]): Iterable<unknown>;
  raw(isRaw: boolean): Statement;
}

export class SqliteConnection {
  readonly #options: SqliteOptions;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();

  constructor(options: SqliteOptions) {
    this.#options = options;
    try {
      makeFolder(dirname(options.path));
      this.#database = openDatabase(options);
    } catch (error) {
      throw toStoreError("open", options.path, error);
    }
    try {
      this.#prepareDatabase();
    } catch (error) {
      this.#database.close();
      throw error instanceof StoreError ? error : toStoreError("open", options.path, error);
    }
  }

  describe(): StoreDescription {
    const { path, encryptionKey } = this.#options;
    return {
      kind: "sqlite",
      location: path,
      schemaVersion: this.#pragma("user_version"),
      encrypted: encryptionKey !== undefined,
      byteCount: fileSize(path) + fileSize(`${path}-wal`),
    };
  }

  /** The database's own check of its pages and references; empty when it finds nothing wrong. */
  checkIntegrity(): string[] {
    const pages = this.all("PRAGMA quick_check").map((row) => String(Object.values(row)[0]));
    const references = this.all("PRAGMA foreign_key_check").map((row) => `dangling reference in ${row["table"]}`);
    return [...pages.filter((line) => line !== "ok"), ...references];
  }

  run(sql: string, bind: readonly unknown[]): { changes: number } {
    return this.#statement(sql).run(bind);
  }

  get(sql: string, bind: readonly unknown[] = []): Row | undefined {
    return this.#statement(sql).get(bind) as Row | undefined;
  }

  all(sql: string, bind: readonly unknown[] = []): Row[] {
    return this.#statement(sql).all(bind) as Row[];
  }

  /** Iterates over rows, each as its values in column order. Has to be read to the end. */
  iterateValues(sql: string, bind: readonly unknown[]): Iterable<unknown[]> {
    return this.#statement(sql).raw(true).iterate(bind) as Iterable<unknown[]>;
  }

  write<Result>(work: () => Result): Result {
    return this.#transaction("IMMEDIATE", work);
  }

  /** One view of the file for several statements. */
  read<Result>(work: () => Result): Result {
    return this.#transaction("DEFERRED", work);
  }

  setting(name: string): string | null {
    return (this.get("SELECT value FROM setting WHERE name = ?", [name])?.["value"] as string | undefined) ?? null;
  }

  setSetting(name: string, value: string): void {
    const sql = "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    this.run(sql, [name, value]);
  }

  /** Sets it unless it is already set. */
  claimSetting(name: string, value: string): void {
    this.run("INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO NOTHING", [name, value]);
  }

  /** Rewrites the file, so that no copy of a forgotten row stays in unused space, and empties the log. */
  erase(): void {
    try {
      this.#database.exec("VACUUM");
      this.#truncateLog();
      this.run("DELETE FROM setting WHERE name = 'erase_pending'", []);
      this.#truncateLog();
    } catch (error) {
      const failed = toStoreError("erase", this.#options.path, error);
      throw new StoreError(
        failed.code,
        `${failed.message} What was forgotten is gone from the memory, but its bytes may remain in the file until the next opening clears them.`,
        { cause: error },
      );
    }
  }

  #truncateLog(): void {
    const [row] = this.all("PRAGMA wal_checkpoint(TRUNCATE)");
    if (row?.["busy"] === 1) {
      throw new StoreError(
        "store_busy",
        `another process is reading ${this.#options.path}; the log could not be cleared.`,
      );
    }
  }

  #prepareDatabase(): void {
    const database = this.#database;
    this.#checkIsOurs();
    database.exec(`
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = FULL;
      PRAGMA foreign_keys = ON;
      PRAGMA secure_delete = ON;
      PRAGMA temp_store = MEMORY;
    `);
    this.#migrate();
    if (this.setting("erase_pending") !== null) this.erase();
  }

  #checkIsOurs(): void {
    const { path } = this.#options;
    const tableCount = this.get("SELECT count(*) AS n FROM sqlite_schema")!["n"] as number;
    if (tableCount > 0 && this.#pragma("application_id") !== applicationId) {
      throw new StoreError("store_not_ours", `${path} is another program's database; choose another path`);
    }
    const version = this.#pragma("user_version");
    if (tableCount > 0 && version > migrations.length) {
      throw new StoreError(
        "store_newer",
        `${path} has schema version ${version}, but this release supports ${migrations.length}; update mnemosyne-edge`,
      );
    }
  }

  #migrate(): void {
    if (this.#pragma("user_version") === migrations.length) return;
    this.write(() => {
      // Checked again inside the transaction: another process may have been faster.
      for (let version = this.#pragma("user_version"); version < migrations.length; version++) {
        this.#database.exec(migrations[version]!);
        this.#database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1};`);
      }
    });
  }

  #pragma(name: string): number {
    return Object.values(this.get(`PRAGMA ${name}`)!)[0] as number;
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

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql) as Statement));
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }
}

/** Node's own recursive `mkdir` tries forever below a folder that reports its new entries as missing, as /proc does. */
function makeFolder(folder: string): void {
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

function openDatabase({ path, encryptionKey, busyTimeoutMs = defaultBusyTimeoutMs }: SqliteOptions): Database.Database {
  const options = { timeout: busyTimeoutMs, ...(encryptionKey === undefined ? {} : { encryptionKey }) };
  return new Database(path, options as unknown as Database.Options);
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
