/**
 * The SQLite store itself, synchronous; worker.ts runs it on a separate thread so that a slow disk never blocks the
 * caller's event loop. Inside the file persons and memories have integer keys; everything outside knows them by name
 * and id.
 */
import { StaleRevisionError, StoreError } from "../../../errors.js";
import type { EmbedderIdentity } from "../../../ports/embedder.js";
import {
  type Batch,
  type ErasedCounts,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type KeptMetaVector,
  type Outcome,
  type OutcomeCounts,
  type StoreDescription,
  type StoredTrace,
  continuesTurns,
} from "../../../ports/store.js";
import { SqliteConnection, type SqliteOptions } from "./connection.js";
import { type LoadReceiver, type PersonRow, loadPerson } from "./loading.js";
import { type InteractionRow, interactionBody, packVectors, toHistoryEntry } from "./rows.js";

/** Revisions for which removals are remembered; a process that is further behind loads everything. */
const removalRevisionCount = 1_000;

export class SqliteDatabase {
  readonly #connection: SqliteConnection;

  constructor(options: SqliteOptions) {
    this.#connection = new SqliteConnection(options);
  }

  describe(): StoreDescription {
    return this.#connection.describe();
  }

  /** The database's own check of its pages and references; empty when it finds nothing wrong. */
  checkIntegrity(): string[] {
    return this.#connection.checkIntegrity();
  }

  embedder(): EmbedderIdentity | null {
    const value = this.#connection.setting("embedder");
    return value === null ? null : (JSON.parse(value) as EmbedderIdentity);
  }

  setEmbedder(identity: EmbedderIdentity): void {
    this.#connection.setSetting("embedder", JSON.stringify(identity));
  }

  claimEmbedder(identity: EmbedderIdentity): EmbedderIdentity {
    this.#connection.claimSetting("embedder", JSON.stringify(identity));
    return this.embedder()!;
  }

  cached(key: string): Uint8Array | null {
    const row = this.#connection.get("SELECT bytes FROM cache WHERE name = ?", [key]);
    return row === undefined ? null : new Uint8Array(row["bytes"] as ArrayBuffer);
  }

  cache(key: string, bytes: Uint8Array): void {
    const sql = "INSERT INTO cache VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes";
    this.#connection.run(sql, [key, bytes]);
  }

  persons(): string[] {
    return this.#connection.all("SELECT name FROM person ORDER BY name").map((row) => row["name"] as string);
  }

  personsWithQueue(): string[] {
    const sql = `SELECT name FROM person WHERE key IN (SELECT person FROM interaction WHERE outcome = 'queued') ORDER BY name`;
    return this.#connection.all(sql).map((row) => row["name"] as string);
  }

  accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    { mustContinue = false }: { mustContinue?: boolean } = {},
  ): boolean {
    return this.#connection.write(() => {
      const known = this.#connection.get(
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
    const rows = this.#connection.all(
      `SELECT i.* FROM interaction i JOIN person p ON p.key = i.person
       WHERE p.name = ? AND i.outcome = 'queued' ORDER BY i.sequence LIMIT ?`,
      [person, countMax],
    );
    return rows.map((row) => toHistoryEntry(row as unknown as InteractionRow).interaction);
  }

  queuedCount(person: string): number {
    const sql = `SELECT count(*) AS n FROM interaction i JOIN person p ON p.key = i.person
       WHERE p.name = ? AND i.outcome = 'queued'`;
    return this.#connection.get(sql, [person])!["n"] as number;
  }

  outcomeCounts(person: string): OutcomeCounts {
    const rows = this.#connection.all(
      `SELECT i.outcome AS outcome, count(*) AS n FROM interaction i JOIN person p ON p.key = i.person
       WHERE p.name = ? GROUP BY i.outcome`,
      [person],
    );
    return Object.fromEntries(rows.map((row) => [row["outcome"], row["n"]])) as OutcomeCounts;
  }

  traces(person: string, outcomes: readonly Outcome[]): StoredTrace[] {
    const rows = this.#connection.all(
      `SELECT i.id AS id, i.trace AS trace FROM interaction i JOIN person p ON p.key = i.person
       WHERE p.name = ? AND i.outcome IN (SELECT value FROM json_each(?)) ORDER BY i.sequence`,
      [person, JSON.stringify(outcomes)],
    );
    return rows.map((row) => ({ id: row["id"] as string, trace: row["trace"] as string | null }));
  }

  history(person: string, { ids, outcomes }: HistorySelection = {}): HistoryEntry[] {
    const rows = this.#connection.all(
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

  load(person: string, sinceRevision: number, receiver: LoadReceiver): void {
    this.#connection.read(() => loadPerson(this.#connection, this.#personRow(person), sinceRevision, receiver));
  }

  apply(person: string, batch: Batch): number {
    const revision = this.#connection.write(() => {
      const known = this.#personRow(person);
      if ((known?.revision ?? 0) !== batch.baseRevision) {
        throw new StaleRevisionError(person, batch.baseRevision, known?.revision ?? 0);
      }
      const row = known ?? this.#addPerson(person);
      const next = row.revision + 1;
      for (const entry of batch.acceptEntries ?? []) this.#acceptEntry(row.key, entry);
      this.#applyChange(row.key, next, batch);
      this.#applyInteractions(row.key, batch);
      this.#connection.run("UPDATE person SET revision = ? WHERE key = ?", [next, row.key]);
      this.#applyRest(row, next, batch);
      const mayBeEmpty = known === undefined || batch.forgetInteractions.length > 0;
      if (mayBeEmpty && !this.#hasInteractions(row.key)) this.#removePerson(row.key, next);
      return next;
    });
    if (batch.forgetInteractions.length > 0) this.#connection.erase();
    return revision;
  }

  keepMetaVectors(person: string, vectors: readonly KeptMetaVector[]): void {
    this.#connection.write(() => {
      const key = this.#personRow(person)?.key ?? -1;
      for (const { id, phrase, fromMs, untilMs, vector } of vectors) {
        this.#connection.run(
          `UPDATE memory SET meta_phrase = ?, meta_from_ms = ?, meta_until_ms = ?, meta_vector = ? WHERE person = ? AND id = ?`,
          [phrase, fromMs, untilMs, bytesOf(vector), key, id],
        );
      }
    });
  }

  forgetPerson(person: string): ErasedCounts {
    const counts = this.#connection.write(() => {
      const row = this.#personRow(person);
      if (row === undefined) return { interactions: 0, memories: 0, edges: 0 };
      const count = (table: string): number =>
        this.#connection.get(`SELECT count(*) AS n FROM ${table} WHERE person = ?`, [row.key])!["n"] as number;
      const erased = { interactions: count("interaction"), memories: count("memory"), edges: count("edge") };
      this.#removePerson(row.key, row.revision);
      this.#connection.setSetting("erase_pending", "1");
      return erased;
    });
    this.#connection.erase();
    return counts;
  }

  close(): void {
    this.#connection.close();
  }

  #applyChange(person: number, revision: number, { change }: Batch): void {
    for (const [a, b] of change.removeEdges) {
      this.#connection.run(`DELETE FROM edge WHERE a = ${memoryKey} AND b = ${memoryKey}`, [person, a, person, b]);
      this.#noteRemoval(person, revision, a, b);
    }
    for (const id of change.removeNodes) {
      this.#connection.run("DELETE FROM memory WHERE person = ? AND id = ?", [person, id]);
      this.#noteRemoval(person, revision, id, null);
    }
    for (const { node, fullText, ...vectors } of change.putNodes) {
      this.#connection.run(
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
      const { changes } = this.#connection.run(sql, [pairId, revision, person, id]);
      if (changes === 0) throw missingMemory(id);
    }
    for (const { a, b, weight, boostMs, boostedMs } of change.putEdges) {
      const keyA = this.#memoryKey(person, a);
      const keyB = this.#memoryKey(person, b);
      this.#connection.run(
        `INSERT INTO edge (a, b, person, revision, weight, boost_ms, boosted_ms) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (a, b) DO UPDATE SET revision = excluded.revision, weight = excluded.weight,
           boost_ms = excluded.boost_ms, boosted_ms = excluded.boosted_ms`,
        [keyA, keyB, person, revision, weight, boostMs, boostedMs],
      );
    }
  }

  #acceptEntry(person: number, entry: HistoryEntry): void {
    const { id } = entry.interaction;
    if (this.#connection.get("SELECT 1 FROM interaction WHERE person = ? AND id = ?", [person, id]) !== undefined) {
      throw new StoreError("store_corrupt", `apply accepts "${id}", which already exists; nothing was changed`);
    }
    this.#putInteraction(person, entry);
  }

  #putInteraction(person: number, { interaction, outcome, trace }: HistoryEntry): void {
    this.#connection.run(
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
      this.#connection.run(sql, [outcome, trace, person, id]);
    }
    for (const id of requeueInteractions) {
      const sql = "UPDATE interaction SET outcome = 'queued', restored = 1, trace = NULL WHERE person = ? AND id = ?";
      this.#connection.run(sql, [person, id]);
    }
    for (const id of forgetInteractions) {
      this.#connection.run("DELETE FROM interaction WHERE person = ? AND id = ?", [person, id]);
      this.#connection.run("DELETE FROM removal WHERE person = ? AND (a = ? OR b = ?)", [person, id, id]);
    }
  }

  #applyRest({ key, whole_below }: PersonRow, revision: number, batch: Batch): void {
    if (batch.coreSummary !== undefined) {
      const coreSummary = batch.coreSummary === null ? null : JSON.stringify(batch.coreSummary);
      this.#connection.run("UPDATE person SET core_summary = ? WHERE key = ?", [coreSummary, key]);
    }
    if (batch.commitsSinceCoreSummary !== undefined) {
      const bind = [batch.commitsSinceCoreSummary, key];
      this.#connection.run("UPDATE person SET commits_since_core_summary = ? WHERE key = ?", bind);
    }
    const oldest = revision - removalRevisionCount;
    const wholeBelow = batch.forgetInteractions.length > 0 ? revision : Math.max(whole_below, oldest);
    if (wholeBelow !== whole_below)
      this.#connection.run("UPDATE person SET whole_below = ? WHERE key = ?", [wholeBelow, key]);
    if (oldest > 0) this.#connection.run("DELETE FROM removal WHERE person = ? AND revision <= ?", [key, oldest]);
    if (batch.forgetInteractions.length > 0) this.#connection.setSetting("erase_pending", "1");
  }

  #noteRemoval(person: number, revision: number, a: string, b: string | null): void {
    this.#connection.run("INSERT INTO removal (person, revision, a, b) VALUES (?, ?, ?, ?)", [person, revision, a, b]);
  }

  #memoryKey(person: number, id: string): number {
    const row = this.#connection.get("SELECT key FROM memory WHERE person = ? AND id = ?", [person, id]);
    if (row === undefined) throw missingMemory(id);
    return row["key"] as number;
  }

  #personRow(person: string): PersonRow | undefined {
    return this.#connection.get("SELECT * FROM person WHERE name = ?", [person]) as PersonRow | undefined;
  }

  #addPerson(person: string): PersonRow {
    const revision = this.#revisionFloor() + 1;
    this.#connection.run("INSERT INTO person (name, revision, whole_below) VALUES (?, ?, ?)", [
      person,
      revision,
      revision,
    ]);
    return this.#personRow(person)!;
  }

  #hasInteractions(key: number): boolean {
    return this.#connection.get("SELECT 1 AS one FROM interaction WHERE person = ? LIMIT 1", [key]) !== undefined;
  }

  #removePerson(key: number, revision: number): void {
    this.#connection.setSetting("revision_floor", String(Math.max(this.#revisionFloor(), revision)));
    this.#connection.run("DELETE FROM person WHERE key = ?", [key]);
  }

  /**
   * New persons start above every revision of a forgotten one, so that a person who comes back is never confused with
   * the old one.
   */
  #revisionFloor(): number {
    return Number(this.#connection.setting("revision_floor") ?? 0);
  }
}

const memoryKey = "(SELECT key FROM memory WHERE person = ? AND id = ?)";

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
