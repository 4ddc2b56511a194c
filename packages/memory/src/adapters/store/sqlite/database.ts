/**
 * The SQLite store itself, synchronous; worker.ts runs it on a separate thread so that a slow disk never blocks the
 * caller's event loop. Inside the file persons and memories have integer keys; everything outside knows them by name
 * and id.
 */
import { StaleRevisionError } from "../../../errors.js";
import type { EmbedderIdentity } from "../../../ports/embedder.js";
import {
  type AcceptedEntry,
  type Batch,
  type ErasedCounts,
  type ExpiredInteraction,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type Outcome,
  type OutcomeCounts,
  type PersonSelection,
  type SalvagedPerson,
  type StoreDamage,
  type StoreDescription,
  type StoredTrace,
  continuesTurns,
} from "../../../ports/store.js";
import { knownInteraction, rewrittenEntries } from "../batch-steps.js";
import { isAfter, readCursor } from "../cursor.js";
import { packInteraction } from "../interaction-bytes.js";
import { SqliteConnection, type SqliteOptions } from "./connection.js";
import { type LoadReceiver, loadPerson } from "./loading.js";
import { GraphWriter } from "./graph-writing.js";
import { findExpiring, interactionsAfter } from "./list-reading.js";
import { RowReader } from "./reading.js";
import { type InteractionRow, type PersonRow, toHistoryEntry } from "./rows.js";
import { Salvage } from "./salvage.js";
import { readTokens } from "./tokens.js";
import { RowWriter } from "./writing.js";

/** Revisions for which removals are remembered; a process that is further behind loads everything. */
const removalRevisionCount = 1_000;

export class SqliteDatabase {
  readonly #connection: SqliteConnection;
  readonly #reader: RowReader;
  readonly #writer: RowWriter;
  readonly #graph: GraphWriter;

  constructor(options: SqliteOptions) {
    this.#connection = new SqliteConnection(options);
    this.#reader = new RowReader(this.#connection);
    this.#writer = new RowWriter(this.#connection);
    this.#graph = new GraphWriter(this.#reader, this.#writer);
  }

  describe(): StoreDescription {
    return this.#connection.describe();
  }

  damage(): StoreDamage[] {
    return new Salvage(this.#reader).damage();
  }

  salvage(person: string): SalvagedPerson {
    return new Salvage(this.#reader).person(person);
  }

  embedder(): EmbedderIdentity | null {
    const value = this.#connection.setting("embedder");
    return value === null ? null : (JSON.parse(value) as EmbedderIdentity);
  }

  setEmbedder(identity: EmbedderIdentity): void {
    this.#connection.write(() => this.#connection.setSetting("embedder", JSON.stringify(identity)));
  }

  claimEmbedder(identity: EmbedderIdentity): EmbedderIdentity {
    this.#connection.write(() => this.#connection.claimSetting("embedder", JSON.stringify(identity)));
    return this.embedder()!;
  }

  /** Damaged bytes are computed again, like bytes that were never cached. */
  cached(key: string): Uint8Array | null {
    const sql = "SELECT CAST(bytes AS BLOB), CAST(mark AS INTEGER) FROM cache WHERE name = ?";
    const [bytes, mark] = this.#connection.values(sql, [key]) ?? [];
    if (!(bytes instanceof Uint8Array) || this.#connection.marker.of(key, bytes) !== mark) return null;
    return new Uint8Array(bytes);
  }

  cache(key: string, bytes: Uint8Array): void {
    const sql =
      "INSERT INTO cache VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET bytes = excluded.bytes, mark = excluded.mark";
    this.#connection.run(sql, [key, bytes, this.#connection.marker.of(key, bytes)]);
  }

  persons({ after, limit }: PersonSelection = {}): string[] {
    if (after === undefined && limit === undefined) return this.#reader.names();
    return this.#connection.read(() => this.#reader.namesAfter(after, limit ?? -1));
  }

  personsWithQueue(): string[] {
    return this.#reader.namesWithQueue();
  }

  accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    { mustContinue = false }: { mustContinue?: boolean } = {},
  ): boolean {
    return this.#connection.write(() => {
      const row = this.#reader.person(person);
      const known = row === undefined ? undefined : this.#reader.interaction(row, interaction.id);
      if (known === undefined ? mustContinue : !isContinuation(known, interaction)) return false;
      const { key } = row ?? this.#addPerson(person);
      this.#putInteraction(key, { interaction, outcome, trace: known?.trace ?? null }, known?.sequence);
      return true;
    });
  }

  queued(person: string, countMax: number): Interaction[] {
    return this.#read(person, [], (row) =>
      this.#reader.queued(row, countMax).map((each) => toHistoryEntry(each).interaction),
    );
  }

  queuedCount(person: string): number {
    return this.#reader.queuedCount(person);
  }

  outcomeCounts(person: string): OutcomeCounts {
    return this.#read(person, {}, (row) => this.#reader.outcomeCounts(row));
  }

  traces(person: string, outcomes: readonly Outcome[]): StoredTrace[] {
    return this.#read(person, [], (row) =>
      this.#reader
        .interactionHeads(row)
        .filter(({ outcome }) => outcomes.includes(outcome))
        .map(({ id, trace }) => ({ id, trace })),
    );
  }

  history(person: string, selection: HistorySelection = {}): HistoryEntry[] {
    const { ids, outcomes, skipDamaged = false, newestFirst = false, limit } = selection;
    const after = readCursor(selection.after);
    if (skipDamaged) return new Salvage(this.#reader).entries(person, selection);
    const isWanted = ({ outcome, sequence }: InteractionRow): boolean =>
      (outcomes?.includes(outcome) ?? true) && isAfter(sequence, after, newestFirst);
    return this.#read(person, [], (row) => {
      if (ids === undefined && limit !== undefined) {
        return interactionsAfter(this.#reader, row, { after, newestFirst, limit, isWanted }).map(toHistoryEntry);
      }
      const rows =
        ids === undefined
          ? this.#reader.interactions(row)
          : [...new Set(ids)]
              .flatMap((id) => this.#reader.interaction(row, id) ?? [])
              .sort((x, y) => x.sequence - y.sequence);
      const wanted = rows.filter(isWanted);
      return (newestFirst ? wanted.reverse() : wanted).slice(0, limit).map(toHistoryEntry);
    });
  }

  expired(nowMs: number, limit: number): ExpiredInteraction[] {
    return this.#connection
      .read(() => findExpiring(this.#reader, nowMs, limit))
      .map(({ person, id }) => ({ person, id }));
  }

  nextExpiryMs(): number | null {
    return this.#connection.read(() => findExpiring(this.#reader, Infinity, 1))[0]?.expiresMs ?? null;
  }

  /** Everything that answers from a graph in memory asks this first. */
  revision(person: string): number {
    this.#connection.checkIdentity();
    return this.#reader.person(person)?.revision ?? 0;
  }

  load(person: string, sinceRevision: number, receiver: LoadReceiver): void {
    this.#connection.read(() => loadPerson(this.#reader, this.#reader.person(person), sinceRevision, receiver));
  }

  apply(person: string, batch: Batch): number {
    const revision = this.#connection.write(() => {
      const known = this.#reader.person(person);
      if ((known?.revision ?? 0) !== batch.baseRevision) {
        throw new StaleRevisionError(person, batch.baseRevision, known?.revision ?? 0);
      }
      const row = known ?? this.#addPerson(person);
      const next = row.revision + 1;
      for (const entry of batch.acceptEntries ?? []) this.#acceptEntry(row, entry);
      this.#graph.apply(row, next, batch.change);
      this.#applyInteractions(row, batch);
      this.#applyRest(row, next, batch);
      const mayBeEmpty = known === undefined || batch.forgetInteractions.length > 0;
      if (mayBeEmpty && !this.#hasInteractions(row.key)) this.#removePerson(row.key, next);
      return next;
    });
    if (batch.forgetInteractions.length > 0) this.#connection.erase();
    return revision;
  }

  tokens(person: string, ids: readonly string[]): Map<string, Uint8Array> {
    return this.#read(person, new Map<string, Uint8Array>(), (row) => readTokens(this.#reader, row, ids));
  }

  /** A person is forgotten by name alone: damage must not keep anything in the file. */
  forgetPerson(person: string): ErasedCounts {
    const counts = this.#connection.write(() => {
      const key = this.#connection.number("SELECT key FROM person WHERE name = ?", [person]);
      if (key === null) return { interactions: 0, memories: 0, edges: 0 };
      const count = (table: string): number =>
        this.#connection.number(`SELECT count(*) FROM ${table} WHERE person = ?`, [key])!;
      const erased = { interactions: count("interaction"), memories: count("memory"), edges: count("edge") };
      this.#removePerson(key, this.#lastRevision(key));
      this.#connection.noteErasing();
      return erased;
    });
    this.#connection.erase();
    return counts;
  }

  close(): void {
    this.#connection.close();
  }

  /** Reads about a person from one moment of the file; `absent` if there is nobody of that name. */
  #read<Result>(person: string, absent: Result, work: (row: PersonRow) => Result): Result {
    return this.#connection.read(() => {
      const row = this.#reader.person(person);
      return row === undefined ? absent : work(row);
    });
  }

  #acceptEntry(person: PersonRow, entry: AcceptedEntry): void {
    const { id } = entry.interaction;
    if (this.#reader.interaction(person, id) !== undefined) {
      throw knownInteraction(id);
    }
    this.#putInteraction(person.key, entry);
  }

  #putInteraction(
    person: number,
    { interaction, outcome, trace }: AcceptedEntry,
    sequence = this.#nextKey("interaction", "sequence"),
  ): void {
    const body = packInteraction(interaction);
    const { id, expiresMs } = interaction;
    this.#writer.putInteraction({ sequence, person, id, outcome, body, trace, expiresMs });
  }

  #applyInteractions(person: PersonRow, batch: Batch): void {
    const known = new Map<string, number>();
    const rewritten = rewrittenEntries(batch, (id) => {
      const row = this.#reader.interaction(person, id);
      if (row === undefined) return undefined;
      known.set(id, row.sequence);
      return toHistoryEntry(row);
    });
    for (const [id, entry] of rewritten) this.#putInteraction(person.key, entry, known.get(id));
    for (const id of batch.forgetInteractions) {
      this.#connection.run("DELETE FROM interaction WHERE person = ? AND id = ?", [person.key, id]);
      this.#connection.run("DELETE FROM removal WHERE person = ? AND (a = ? OR b = ?)", [person.key, id, id]);
    }
  }

  #applyRest(person: PersonRow, revision: number, batch: Batch): void {
    const { coreSummary, forgetInteractions, commitsSinceCoreSummary = person.commitsSinceCoreSummary } = batch;
    const oldest = revision - removalRevisionCount;
    this.#writer.putPerson({
      ...person,
      revision,
      wholeBelow: forgetInteractions.length > 0 ? revision : Math.max(person.wholeBelow, oldest),
      coreSummary: coreSummary === undefined ? person.coreSummary : coreSummary && JSON.stringify(coreSummary),
      commitsSinceCoreSummary,
    });
    if (oldest > 0) {
      this.#connection.run("DELETE FROM removal WHERE person = ? AND revision <= ?", [person.key, oldest]);
    }
    if (forgetInteractions.length > 0) this.#connection.noteErasing();
  }

  /** Keys are chosen here, because the mark of a row includes its key. */
  #nextKey(table: "person" | "interaction", column: string): number {
    const used =
      table === "interaction"
        ? "SELECT seq FROM sqlite_sequence WHERE name = 'interaction'"
        : `SELECT max(${column}) FROM ${table}`;
    return (this.#connection.number(used) ?? 0) + 1;
  }

  #addPerson(name: string): PersonRow {
    const revision = this.#revisionFloor() + 1;
    const row: PersonRow = {
      key: this.#nextKey("person", "key"),
      name,
      revision,
      wholeBelow: revision,
      coreSummary: null,
      commitsSinceCoreSummary: 0,
    };
    this.#writer.putPerson(row);
    return row;
  }

  #hasInteractions(key: number): boolean {
    return this.#connection.number("SELECT 1 FROM interaction WHERE person = ? LIMIT 1", [key]) !== null;
  }

  #removePerson(key: number, revision: number): void {
    this.#connection.setSetting("revision_floor", String(Math.max(this.#revisionFloor(), revision)));
    this.#connection.run("DELETE FROM person WHERE key = ?", [key]);
  }

  /** At least as high as any revision that another process may know. */
  #lastRevision(key: number): number {
    const tables = ["person WHERE key", "memory WHERE person", "edge WHERE person"];
    const revisions = tables.map(
      (where) => this.#connection.number(`SELECT max(CAST(revision AS INTEGER)) FROM ${where} = ?`, [key]) ?? 0,
    );
    return Math.max(...revisions.filter((revision) => Number.isSafeInteger(revision)));
  }

  /**
   * New persons start above every revision of a forgotten one, so that a person who comes back is never confused with
   * the old one.
   */
  #revisionFloor(): number {
    return Number(this.#connection.setting("revision_floor") ?? 0);
  }
}

function isContinuation(known: InteractionRow, next: Interaction): boolean {
  const { interaction, outcome } = toHistoryEntry(known);
  return outcome === "open" && continuesTurns(interaction.turns, next.turns);
}
