/** The SQLite store itself, synchronous; on a thread of its own, so that a slow disk does not block the caller's. */
import { StaleRevisionError, StoreError } from "../../errors.js";
import { SqliteFile, type SqliteFileOptions, toStoreError } from "../../files/sqlite-file.js";
import { type Answer, CallAnswerer } from "../../files/thread-calls.js";
import type * as port from "../store.js";
import { type FoundPerson, Heads, type Person, damageOf, markOf, textOf } from "./heads.js";
import { RecordReader, rowMark } from "./reading.js";
import { tables } from "./schema.js";
import { type SentPage, packPage } from "./sent-page.js";

export interface SqliteOptions extends SqliteFileOptions {
  /** Runs on the caller's thread: about 20 MB less, but the event loop blocks while the file is read and written. */
  readonly isInline?: boolean;
}

/** "MNEM" */
const format = { applicationId: 0x4d4e454d, version: 9, tables };

export type ReadHead = Pick<port.RecordSnapshot, "revision" | "isWhole">;
export type SendPart = (part: ReadHead | SentPage, transferred: readonly ArrayBuffer[]) => void;

export function answererOf(
  options: SqliteOptions,
  answer: (answer: Answer, transferred: readonly ArrayBuffer[]) => void,
): CallAnswerer {
  const toError = (method: string, error: unknown): StoreError => toStoreError(method, options.path, error);
  return new CallAnswerer(() => new SqliteDatabase(options), toError, answer);
}

export class SqliteDatabase {
  readonly #file: SqliteFile;
  readonly #heads: Heads;

  constructor(options: SqliteOptions) {
    this.#file = new SqliteFile(options, format);
    this.#heads = new Heads(this.#file);
  }

  describe(): port.StoreDescription {
    const { byteCount, warnings } = this.#file.describe();
    const more = warnings.length === 0 ? {} : { warnings };
    return { kind: "sqlite", location: this.#file.path, byteCount, ...more };
  }

  read(name: string, selection: port.ReadSelection, send: SendPart): void {
    this.#file.read(() => {
      const found = this.#heads.find(name);
      const { person } = found;
      const { since = -1, ...rest } = selection;
      const isWhole = person === undefined || since < person.wholeBelow || since > person.sequence;
      send({ revision: person?.revision ?? 0, isWhole }, []);
      // Nothing was put since; the question is asked before every answer.
      if (!isWhole && since === person.sequence) return;
      for (const page of this.#pages(name, found, isWhole ? rest : selection)) {
        const sent = packPage(page);
        send(sent, [sent.bytes, sent.numbers.buffer]);
      }
    });
  }

  write(name: string, baseRevision: number | null, { put = [], delete: gone = [] }: port.RecordChange): number | null {
    let goneCount = 0;
    const revision = this.#file.write(() => {
      const known = this.#personToWrite(name);
      const kinds = this.#kindsToWrite();
      const { key, revision: found } = known ?? { key: -1, revision: 0 };
      const stale = put.find(
        (each) => each.was !== undefined && each.was !== (this.#locate(key, kinds, each)?.[1] ?? 0),
      );
      if (baseRevision === null && stale !== undefined) return null;
      if (baseRevision !== null && (baseRevision !== found || stale !== undefined)) {
        throw new StaleRevisionError(name, baseRevision, found);
      }
      const person = known ?? this.#newPerson(name);
      for (const each of gone) {
        const [place] = this.#locate(key, kinds, each) ?? [];
        if (place === undefined) continue;
        this.#file.run("DELETE FROM record WHERE place = ?", [place]);
        goneCount++;
      }
      let { sequence } = person;
      if (put.length === 0 && (baseRevision !== null || goneCount > 0)) sequence++;
      for (const each of put) this.#put(person.key, kinds, each, ++sequence);
      if (goneCount > 0) this.#file.noteErasing();
      if (this.#file.number("SELECT 1 FROM record WHERE person = ? LIMIT 1", [person.key]) === undefined) {
        // A process that died may have left it, with the name in it.
        this.#file.run("DELETE FROM lease WHERE person = ?", [Buffer.from(name)]);
        this.#removePerson(person.key, sequence);
        return 0;
      }
      const next = baseRevision !== null || known === undefined ? sequence : person.revision;
      this.#putPerson({
        ...person,
        sequence,
        revision: next,
        wholeBelow: goneCount > 0 ? sequence : person.wholeBelow,
      });
      return next;
    });
    if (goneCount > 0) this.#file.erase();
    return revision;
  }

  persons({ after = "", limit }: port.PersonSelection = {}): string[] {
    return this.#file.read(() => this.#heads.names(after, toLimit(limit)));
  }

  due(list: port.DueList, { before, limit, person }: port.DueSelection): port.DuePerson[] {
    const sql = `SELECT CAST(p.name AS BLOB), CAST(min(r.${list}) AS REAL), count(*)
      FROM record r INDEXED BY record_${list} CROSS JOIN person p ON p.key = r.person
      WHERE r.${list} <= ? AND p.name ${person === undefined ? "<>" : "="} ? GROUP BY r.person ORDER BY 2 LIMIT ?`;
    return this.#file
      .all(sql, [before, Buffer.from(person ?? ""), toLimit(limit)])
      .map(([name, at, count]) => ({ person: textOf(name) ?? "", at: at as number, count: count as number }));
  }

  lease(name: string, owner: string, ms: number): boolean {
    const person = Buffer.from(name);
    return this.#file.writeSoftly(() => {
      const sql = `SELECT CAST(owner AS BLOB), CAST(until_ms AS INTEGER), CAST(process AS INTEGER) FROM lease
        WHERE person = ?`;
      const [holder, untilMs, pid] = this.#file.get(sql, [person]) ?? [];
      const isFree = holder === undefined || textOf(holder) === owner || (untilMs as number) <= Date.now();
      // A process that died on this machine does not make the next one wait.
      if (!isFree && isRunning(pid as number)) return false;
      const row = [person, Buffer.from(owner), Date.now() + ms, process.pid];
      if (ms === 0) this.#file.run("DELETE FROM lease WHERE person = ?", [person]);
      else this.#file.run("INSERT OR REPLACE INTO lease VALUES (?, ?, ?, ?)", row);
      return true;
    });
  }

  damage(): port.StoreDamage[] {
    return this.#file.read(() => {
      const lines = this.#file.attempt(() => this.#file.check()) ?? ["the database cannot be read"];
      if (!this.#heads.arePersonsWhole()) lines.push("the list of persons is damaged");
      const names = this.#file.attempt(() => this.#heads.names("", -1)) ?? [];
      const found = ["", ...names].flatMap((name) => [...this.#pages(name, this.#heads.find(name), {})]);
      return [...lines.map((part) => damageOf(null, part)), ...found.flatMap(({ damage }) => damage)];
    });
  }

  erase(name: string): number {
    const remove = (): number =>
      this.#file.write(() => {
        this.#file.run("DELETE FROM lease WHERE person = ?", [Buffer.from(name)]);
        this.#file.noteErasing();
        const { person, damagedKey } = this.#heads.find(name);
        const key = person?.key ?? damagedKey;
        if (key === undefined || key === null) return 0;
        const count = this.#file.number("SELECT count(*) FROM record NOT INDEXED WHERE person = ?", [key])!;
        this.#file.run("DELETE FROM record NOT INDEXED WHERE person = ?", [key]);
        this.#removePerson(key, person?.sequence ?? 0);
        return count;
      });
    let count = this.#file.attempt(remove);
    if (count === undefined) {
      this.#file.reindex();
      count = remove();
    }
    this.#file.erase();
    return count;
  }

  close(): void {
    this.#file.close();
  }

  *#pages(
    name: string,
    { person, damagedKey = person?.key }: FoundPerson,
    selection: port.ReadSelection,
  ): Generator<port.RecordPage> {
    if (damagedKey === undefined) return;
    const damage = [
      ...(this.#heads.kinds().isWhole ? [] : [damageOf(null, "the list of kinds is damaged")]),
      ...(person !== undefined
        ? []
        : [damageOf(damagedKey === null ? null : name, "the record of a person is damaged")]),
    ];
    if (damage.length > 0) yield { records: [], damage };
    if (damagedKey !== null)
      yield* new RecordReader(this.#file, this.#heads, { key: damagedKey, name }, selection).pages();
  }

  #personToWrite(name: string): Person | undefined {
    const { person, damagedKey } = this.#heads.find(name);
    if (damagedKey === undefined) return person;
    throw this.#corrupt(`the record of a person is damaged`);
  }

  #newPerson(name: string): Person {
    const key = this.#file.number("SELECT coalesce(max(key), 0) + 1 FROM person")!;
    const sequence = Math.max(Date.now() * 1_000, this.#file.setting("floor") ?? 0);
    return { key, name, sequence, revision: 0, wholeBelow: sequence + 1 };
  }

  #putPerson(person: Person): void {
    const { key, name, sequence, revision, wholeBelow } = person;
    const mark = markOf(key, name, sequence, revision, wholeBelow);
    const sql = `INSERT INTO person VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
      sequence = excluded.sequence, revision = excluded.revision, whole_below = excluded.whole_below, mark = excluded.mark`;
    this.#file.run(sql, [key, Buffer.from(name), sequence, revision, wholeBelow, mark]);
  }

  /** Somebody of that name who comes back begins above every revision that somebody may know. */
  #removePerson(key: number, sequence: number): void {
    this.#file.setSetting("floor", Math.max(this.#file.setting("floor") ?? 0, sequence));
    this.#file.run("DELETE FROM tally WHERE person = ?", [key]);
    this.#file.run("DELETE FROM person WHERE key = ?", [key]);
  }

  /** Keys of the kinds; one that is not among them is added when it is put. */
  #kindsToWrite(): Map<string, number> {
    const { names, isWhole } = this.#heads.kinds();
    if (!isWhole) throw this.#corrupt("the list of kinds is damaged");
    return new Map([...names].map(([key, name]) => [name, key]));
  }

  #locate(person: number, kinds: ReadonlyMap<string, number>, { kind, id }: port.RecordKey): number[] | undefined {
    const sql = `SELECT CAST(place AS INTEGER), CAST(version AS INTEGER) FROM record
      WHERE person = ? AND kind = ? AND id = ?`;
    const found = this.#file.get(sql, [person, kinds.get(kind) ?? -1, Buffer.from(id)]) as number[] | undefined;
    if (found === undefined && !this.#heads.isIndexWhole("id", person))
      throw this.#corrupt("the list of records is damaged");
    return found;
  }

  #put(person: number, kinds: Map<string, number>, record: port.RecordPut, version: number): void {
    const { kind, id, bytes, due } = record;
    if (!kinds.has(kind)) {
      kinds.set(kind, kinds.size + 1);
      this.#file.run("INSERT INTO kind VALUES (?, ?, ?)", [kinds.size, Buffer.from(kind), markOf(kinds.size, kind)]);
    }
    const known = this.#locate(person, kinds, record)?.[0];
    // Chosen here, because the mark of a row includes its place.
    const place = known ?? (this.#file.number("SELECT seq FROM sqlite_sequence WHERE name = 'record'") ?? 0) + 1;
    const values = [version, due?.queue ?? null, due?.expiry ?? null, rowMark(person, place, record, version), bytes];
    if (known === undefined) {
      const sql = "INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
      this.#file.run(sql, [place, person, kinds.get(kind), Buffer.from(id), ...values]);
    } else {
      const sql = "UPDATE record SET version = ?, queue = ?, expiry = ?, mark = ?, bytes = ? WHERE place = ?";
      this.#file.run(sql, [...values, place]);
    }
  }

  #corrupt(part: string): StoreError {
    return new StoreError(
      "store_corrupt",
      `write ${this.#file.path}: ${part}; \`mnemosyne doctor\` says how to save what is whole`,
    );
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/** As SQLite takes it. */
function toLimit(limit: number | undefined): number {
  return limit === undefined || limit === Infinity ? -1 : limit;
}
