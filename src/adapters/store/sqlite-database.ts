/**
 * The SQLite store itself, synchronous; sqlite-worker.ts runs it on a thread of its own so that a slow disk never blocks
 * the caller's event loop. The write-ahead log with full synchronisation makes an acknowledged interaction survive
 * a crash and a power cut; foreign keys make a dangling edge impossible.
 *
 * Forgetting has to reach the bytes. `secure_delete` clears what a deletion frees, but not the copies that SQLite
 * leaves in a page's unused space when it moves rows between pages, so after forgetting the file is written anew
 * (VACUUM) and the log cut to nothing. If that is interrupted, the next opening does it.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { StaleRevisionError, StoreError } from "../../errors.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import {
  type Batch,
  type ErasedCounts,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type KeptMetaVector,
  type StoreDescription,
  continuesTurns,
} from "../../ports/store.js";
import { toStoreError } from "./sqlite-error.js";
import {
  type EdgeRow,
  type InteractionRow,
  type LoadedRows,
  type MemoryRow,
  type RemovalRow,
  interactionBody,
  packVectors,
  toHistoryEntry,
} from "./sqlite-rows.js";
import { applicationId, migrations } from "./sqlite-schema.js";

export interface SqliteOptions {
  readonly path: string;
  /** Encrypts the file (AES-256); the same key opens it again. */
  readonly encryptionKey?: string;
  /** How long to wait for another process that writes. */
  readonly busyTimeoutMs?: number;
}

const defaultBusyTimeoutMs = 30_000;
/** Revisions for which removals are remembered; a process that is further behind loads everything. */
const removalRevisionCount = 1_000;

interface PersonRow {
  readonly key: number;
  readonly revision: number;
  readonly whole_below: number;
  readonly core_summary: string | null;
  readonly commits_since_core_summary: number;
}

type Row = Record<string, unknown>;

/** The part of libsql's statement we use; the values to bind go in as one array. */
interface Statement {
  run(bind: readonly unknown[]): { changes: number };
  get(bind: readonly unknown[]): unknown;
  all(bind: readonly unknown[]): unknown[];
}

export class SqliteDatabase {
  readonly #options: SqliteOptions;
  readonly #database: Database.Database;
  readonly #statements = new Map<string, Statement>();

  constructor(options: SqliteOptions) {
    this.#options = options;
    try {
      mkdirSync(dirname(options.path), { recursive: true });
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

  /** The database's own check of its pages and references; empty when all is well. */
  checkIntegrity(): string[] {
    const pages = this.#all("PRAGMA quick_check").map((row) => String(Object.values(row)[0]));
    const references = this.#all("PRAGMA foreign_key_check").map((row) => `dangling reference in ${row["table"]}`);
    return [...pages.filter((line) => line !== "ok"), ...references];
  }

  embedder(): EmbedderIdentity | null {
    const value = this.#setting("embedder");
    return value === null ? null : (JSON.parse(value) as EmbedderIdentity);
  }

  setEmbedder(identity: EmbedderIdentity): void {
    this.#setSetting("embedder", JSON.stringify(identity));
  }

  cached(key: string): Uint8Array | null {
    const row = this.#get("SELECT bytes FROM cache WHERE name = ?", [key]);
    return row === undefined ? null : new Uint8Array(row["bytes"] as ArrayBuffer);
  }

  cache(key: string, bytes: Uint8Array): void {
    const sql = "INSERT INTO cache VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes";
    this.#run(sql, [key, bytes]);
  }

  persons(): string[] {
    return this.#all("SELECT name FROM person ORDER BY name").map((row) => row["name"] as string);
  }

  personsWithQueue(): string[] {
    const sql = `SELECT name FROM person WHERE key IN (SELECT person FROM interaction WHERE outcome = 'queued') ORDER BY name`;
    return this.#all(sql).map((row) => row["name"] as string);
  }

  accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    { mustContinue = false }: { mustContinue?: boolean } = {},
  ): boolean {
    return this.#write(() => {
      const known = this.#get(
        "SELECT i.* FROM interaction i JOIN person p ON p.key = i.person WHERE p.name = ? AND i.id = ?",
        [person, interaction.id],
      ) as InteractionRow | undefined;
      if (known === undefined ? mustContinue : !isContinuation(known, interaction)) return false;
      const { key } = this.#personRow(person) ?? this.#addPerson(person);
      this.#putInteraction(key, { interaction, outcome, trace: null });
      return true;
    });
  }

  queued(person: string, countMax: number): Interaction[] {
    const rows = this.#all(
      `SELECT i.* FROM interaction i JOIN person p ON p.key = i.person
       WHERE p.name = ? AND i.outcome = 'queued' ORDER BY i.sequence LIMIT ?`,
      [person, countMax],
    );
    return rows.map((row) => toHistoryEntry(row as unknown as InteractionRow).interaction);
  }

  history(person: string, { ids, outcomes }: HistorySelection = {}): HistoryEntry[] {
    const rows = this.#all(
      `SELECT i.* FROM interaction i JOIN person p ON p.key = i.person
       WHERE p.name = ?
         AND (? IS NULL OR i.id IN (SELECT value FROM json_each(?)))
         AND (? IS NULL OR i.outcome IN (SELECT value FROM json_each(?)))
       ORDER BY i.sequence`,
      [person, ...twice(ids), ...twice(outcomes)],
    );
    return rows.map((row) => toHistoryEntry(row as unknown as InteractionRow));
  }

  revision(person: string): number {
    return this.#personRow(person)?.revision ?? 0;
  }

  load(person: string, sinceRevision: number): LoadedRows {
    return this.#read(() => {
      const row = this.#personRow(person);
      const isWhole = row === undefined || sinceRevision < row.whole_below || sinceRevision > row.revision;
      const since = isWhole ? -1 : sinceRevision;
      const bind = [row?.key ?? -1, since];
      return {
        revision: row?.revision ?? 0,
        isWhole,
        memories: this.#all(
          "SELECT * FROM memory WHERE person = ? AND revision > ? ORDER BY key",
          bind,
        ) as unknown[] as MemoryRow[],
        edges: this.#all(
          `SELECT ma.id AS a, mb.id AS b, e.weight, e.boost_ms, e.boosted_ms
           FROM edge e JOIN memory ma ON ma.key = e.a JOIN memory mb ON mb.key = e.b
           WHERE e.person = ? AND e.revision > ? ORDER BY e.a, e.b`,
          bind,
        ) as unknown[] as EdgeRow[],
        removals: isWhole
          ? []
          : (this.#all(
              "SELECT a, b FROM removal WHERE person = ? AND revision > ?",
              bind,
            ) as unknown[] as RemovalRow[]),
        coreSummary: row?.core_summary ?? null,
        commitsSinceCoreSummary: row?.commits_since_core_summary ?? 0,
      };
    });
  }

  apply(person: string, batch: Batch): number {
    const revision = this.#write(() => {
      const known = this.#personRow(person);
      if ((known?.revision ?? 0) !== batch.baseRevision) {
        throw new StaleRevisionError(person, batch.baseRevision, known?.revision ?? 0);
      }
      const row = known ?? this.#addPerson(person);
      const next = row.revision + 1;
      for (const entry of batch.acceptEntries ?? []) this.#acceptEntry(row.key, entry);
      this.#applyChange(row.key, next, batch);
      this.#applyInteractions(row.key, batch);
      this.#run("UPDATE person SET revision = ? WHERE key = ?", [next, row.key]);
      this.#applyRest(row, next, batch);
      const count = this.#get("SELECT count(*) AS n FROM interaction WHERE person = ?", [row.key])!["n"];
      if (count === 0) this.#removePerson(row.key, next);
      return next;
    });
    if (batch.forgetInteractions.length > 0) this.#erase();
    return revision;
  }

  keepMetaVectors(person: string, vectors: readonly KeptMetaVector[]): void {
    this.#write(() => {
      const key = this.#personRow(person)?.key ?? -1;
      for (const { id, phrase, fromMs, untilMs, vector } of vectors) {
        this.#run(
          `UPDATE memory SET meta_phrase = ?, meta_from_ms = ?, meta_until_ms = ?, meta_vector = ? WHERE person = ? AND id = ?`,
          [phrase, fromMs, untilMs, bytesOf(vector), key, id],
        );
      }
    });
  }

  forgetPerson(person: string): ErasedCounts {
    const counts = this.#write(() => {
      const row = this.#personRow(person);
      if (row === undefined) return { interactions: 0, memories: 0, edges: 0 };
      const count = (table: string): number =>
        this.#get(`SELECT count(*) AS n FROM ${table} WHERE person = ?`, [row.key])!["n"] as number;
      const erased = { interactions: count("interaction"), memories: count("memory"), edges: count("edge") };
      this.#removePerson(row.key, row.revision);
      this.#setSetting("erase_pending", "1");
      return erased;
    });
    this.#erase();
    return counts;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #applyChange(person: number, revision: number, { change }: Batch): void {
    for (const [a, b] of change.removeEdges) {
      this.#run(`DELETE FROM edge WHERE a = ${memoryKey} AND b = ${memoryKey}`, [person, a, person, b]);
      this.#noteRemoval(person, revision, a, b);
    }
    for (const id of change.removeNodes) {
      this.#run("DELETE FROM memory WHERE person = ? AND id = ?", [person, id]);
      this.#noteRemoval(person, revision, id, null);
    }
    for (const { node, fullText, ...vectors } of change.putNodes) {
      this.#run(
        `INSERT INTO memory (person, id, revision, init_ms, pair_id, summary_text, full_text, state, keywords,
           hypothetical_query, statements, vectors)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (person, id) DO UPDATE SET revision = excluded.revision, init_ms = excluded.init_ms,
           pair_id = excluded.pair_id, summary_text = excluded.summary_text, full_text = excluded.full_text,
           state = excluded.state, keywords = excluded.keywords, hypothetical_query = excluded.hypothetical_query,
           statements = excluded.statements, vectors = excluded.vectors,
           meta_phrase = NULL, meta_from_ms = NULL, meta_until_ms = NULL, meta_vector = NULL`,
        [
          person,
          node.id,
          revision,
          node.initMs,
          node.pairId,
          node.summaryText,
          fullText,
          node.state,
          JSON.stringify(node.keywords),
          node.hypotheticalQuery,
          JSON.stringify(node.statements),
          packVectors(node, vectors),
        ],
      );
    }
    for (const { id, pairId } of change.setPairs) {
      const sql = "UPDATE memory SET pair_id = ?, revision = ? WHERE person = ? AND id = ?";
      const { changes } = this.#run(sql, [pairId, revision, person, id]);
      if (changes === 0) throw missingMemory(id);
    }
    for (const { a, b, weight, boostMs, boostedMs } of change.putEdges) {
      const keyA = this.#memoryKey(person, a);
      const keyB = this.#memoryKey(person, b);
      this.#run(
        `INSERT INTO edge (a, b, person, revision, weight, boost_ms, boosted_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (a, b) DO UPDATE SET revision = excluded.revision, weight = excluded.weight,
           boost_ms = excluded.boost_ms, boosted_ms = excluded.boosted_ms`,
        [keyA, keyB, person, revision, weight, boostMs, boostedMs],
      );
    }
  }

  #acceptEntry(person: number, entry: HistoryEntry): void {
    const { id } = entry.interaction;
    if (this.#get("SELECT 1 FROM interaction WHERE person = ? AND id = ?", [person, id]) !== undefined) {
      throw new StoreError("store_corrupt", `apply accepts "${id}", which is known; nothing was changed`);
    }
    this.#putInteraction(person, entry);
  }

  #putInteraction(person: number, { interaction, outcome, trace }: HistoryEntry): void {
    this.#run(
      `INSERT INTO interaction (person, id, init_ms, accepted_ms, body, restored, outcome, trace)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (person, id) DO UPDATE SET init_ms = excluded.init_ms, accepted_ms = excluded.accepted_ms,
         body = excluded.body, outcome = excluded.outcome`,
      [
        person,
        interaction.id,
        interaction.initMs,
        interaction.acceptedMs,
        interactionBody(interaction),
        interaction.restored ? 1 : 0,
        outcome,
        trace,
      ],
    );
  }

  #applyInteractions(person: number, { outcomes, forgetInteractions, requeueInteractions = [] }: Batch): void {
    for (const { id, outcome, trace } of outcomes) {
      const sql = "UPDATE interaction SET outcome = ?, trace = ? WHERE person = ? AND id = ?";
      this.#run(sql, [outcome, trace, person, id]);
    }
    for (const id of requeueInteractions) {
      const sql = "UPDATE interaction SET outcome = 'queued', restored = 1, trace = NULL WHERE person = ? AND id = ?";
      this.#run(sql, [person, id]);
    }
    for (const id of forgetInteractions) {
      this.#run("DELETE FROM interaction WHERE person = ? AND id = ?", [person, id]);
      this.#run("DELETE FROM removal WHERE person = ? AND (a = ? OR b = ?)", [person, id, id]);
    }
  }

  #applyRest({ key, whole_below }: PersonRow, revision: number, batch: Batch): void {
    if (batch.coreSummary !== undefined) {
      const coreSummary = batch.coreSummary === null ? null : JSON.stringify(batch.coreSummary);
      this.#run("UPDATE person SET core_summary = ? WHERE key = ?", [coreSummary, key]);
    }
    if (batch.commitsSinceCoreSummary !== undefined) {
      const bind = [batch.commitsSinceCoreSummary, key];
      this.#run("UPDATE person SET commits_since_core_summary = ? WHERE key = ?", bind);
    }
    const oldest = revision - removalRevisionCount;
    const wholeBelow = batch.forgetInteractions.length > 0 ? revision : Math.max(whole_below, oldest);
    if (wholeBelow !== whole_below) this.#run("UPDATE person SET whole_below = ? WHERE key = ?", [wholeBelow, key]);
    if (oldest > 0) this.#run("DELETE FROM removal WHERE person = ? AND revision <= ?", [key, oldest]);
    if (batch.forgetInteractions.length > 0) this.#setSetting("erase_pending", "1");
  }

  #noteRemoval(person: number, revision: number, a: string, b: string | null): void {
    this.#run("INSERT INTO removal (person, revision, a, b) VALUES (?, ?, ?, ?)", [person, revision, a, b]);
  }

  #memoryKey(person: number, id: string): number {
    const row = this.#get("SELECT key FROM memory WHERE person = ? AND id = ?", [person, id]);
    if (row === undefined) throw missingMemory(id);
    return row["key"] as number;
  }

  #personRow(person: string): PersonRow | undefined {
    return this.#get("SELECT * FROM person WHERE name = ?", [person]) as PersonRow | undefined;
  }

  #addPerson(person: string): PersonRow {
    const revision = this.#revisionFloor() + 1;
    this.#run("INSERT INTO person (name, revision, whole_below) VALUES (?, ?, ?)", [person, revision, revision]);
    return this.#personRow(person)!;
  }

  #removePerson(key: number, revision: number): void {
    this.#setSetting("revision_floor", String(Math.max(this.#revisionFloor(), revision)));
    this.#run("DELETE FROM person WHERE key = ?", [key]);
  }

  /** New persons start above every revision of a forgotten one, so that somebody met again is never mistaken. */
  #revisionFloor(): number {
    return Number(this.#setting("revision_floor") ?? 0);
  }

  #setting(name: string): string | null {
    return (this.#get("SELECT value FROM setting WHERE name = ?", [name])?.["value"] as string | undefined) ?? null;
  }

  #setSetting(name: string, value: string): void {
    const sql = "INSERT INTO setting VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value";
    this.#run(sql, [name, value]);
  }

  /** Writes the file anew, so that no copy of a forgotten row stays in unused space, and empties the log. */
  #erase(): void {
    try {
      this.#database.exec("VACUUM");
      this.#truncateLog();
      this.#run("DELETE FROM setting WHERE name = 'erase_pending'", []);
      this.#truncateLog();
    } catch (error) {
      const failed = toStoreError("erase", this.#options.path, error);
      throw new StoreError(
        failed.code,
        `${failed.message} What was forgotten is gone from the memory, but its bytes may still be in the file until the next opening clears them.`,
        { cause: error },
      );
    }
  }

  #truncateLog(): void {
    const [row] = this.#all("PRAGMA wal_checkpoint(TRUNCATE)");
    if (row?.["busy"] === 1) {
      throw new StoreError("store_busy", `another process reads ${this.#options.path}; the log could not be cleared.`);
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
    if (this.#setting("erase_pending") !== null) this.#erase();
  }

  #checkIsOurs(): void {
    const { path } = this.#options;
    const tableCount = this.#get("SELECT count(*) AS n FROM sqlite_schema")!["n"] as number;
    if (tableCount > 0 && this.#pragma("application_id") !== applicationId) {
      throw new StoreError("store_not_ours", `${path} is a database of another program; choose another path`);
    }
    const version = this.#pragma("user_version");
    if (tableCount > 0 && version > migrations.length) {
      throw new StoreError(
        "store_newer",
        `${path} has schema version ${version}, this release knows ${migrations.length}; update mnemosyne-edge`,
      );
    }
  }

  #migrate(): void {
    if (this.#pragma("user_version") === migrations.length) return;
    this.#write(() => {
      // Asked again inside the transaction: another process may have been faster.
      for (let version = this.#pragma("user_version"); version < migrations.length; version++) {
        this.#database.exec(migrations[version]!);
        this.#database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${version + 1};`);
      }
    });
  }

  #pragma(name: string): number {
    return Object.values(this.#get(`PRAGMA ${name}`)!)[0] as number;
  }

  #write<Result>(work: () => Result): Result {
    return this.#transaction("IMMEDIATE", work);
  }

  /** One view of the file for several statements. */
  #read<Result>(work: () => Result): Result {
    return this.#transaction("DEFERRED", work);
  }

  #transaction<Result>(mode: string, work: () => Result): Result {
    this.#database.exec(`BEGIN ${mode}`);
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk may have rolled back already.
      if (this.#database.inTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) this.#statements.set(sql, (statement = this.#database.prepare(sql) as Statement));
    return statement;
  }

  #run(sql: string, bind: readonly unknown[]): { changes: number } {
    return this.#statement(sql).run(bind);
  }

  #get(sql: string, bind: readonly unknown[] = []): Row | undefined {
    return this.#statement(sql).get(bind) as Row | undefined;
  }

  #all(sql: string, bind: readonly unknown[] = []): Row[] {
    return this.#statement(sql).all(bind) as Row[];
  }
}

const memoryKey = "(SELECT key FROM memory WHERE person = ? AND id = ?)";

function openDatabase({ path, encryptionKey, busyTimeoutMs = defaultBusyTimeoutMs }: SqliteOptions): Database.Database {
  const options = { timeout: busyTimeoutMs, ...(encryptionKey === undefined ? {} : { encryptionKey }) };
  return new Database(path, options as unknown as Database.Options);
}

function isContinuation(known: InteractionRow, next: Interaction): boolean {
  const { interaction, outcome } = toHistoryEntry(known);
  return outcome === "open" && continuesTurns(interaction.turns, next.turns);
}

function missingMemory(id: string): StoreError {
  return new StoreError("store_corrupt", `apply names memory "${id}", which does not exist; nothing was changed`);
}

function twice(values: readonly string[] | undefined): [string | null, string | null] {
  const json = values === undefined ? null : JSON.stringify(values);
  return [json, json];
}

function bytesOf(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
