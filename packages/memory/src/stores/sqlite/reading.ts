/**
 * Reading the records of a person. A value costs more to fetch than to read, so SQLite joins the rows of a page into two:
 * all bytes, and one JSON with the rest. Where they are not what was written, the rows are read one by one; where an index
 * does not lead to as many rows as there should be, the rows of the table are tried.
 *
 * Everything is read as bytes and numbers, whatever type a damaged row claims to have.
 */
import { crc32 } from "../../files/checksum.js";
import type { SqliteFile } from "../../files/sqlite-file.js";
import { addMarks } from "../marks.js";
import type { ReadSelection, RecordPage, StoreDamage, StoreRecord, StoredRecord } from "../store.js";
import { type Heads, type RecordIndex, damageOf, textOf } from "./heads.js";

const byteCountMax = 2_000_000;
const rowCountMax = 1_024;
/** Rows that are read one by one make smaller pages. */
const triedCountMax = 64;

/** A row: the record, or damage if it is not what was written. */
interface Row {
  readonly mark: number;
  readonly record?: StoredRecord;
  readonly damage?: StoreDamage;
}

/** As `columns` names them. */
type Values = [
  place: number,
  person: number,
  kind: number,
  id: unknown,
  version: number,
  queue: number | null,
  expiry: number | null,
  mark: number,
  bytes: unknown,
];

/** Of a row: its person and its place, too, so that it is missed if it gets elsewhere. */
export function rowMark(person: number, place: number, record: StoreRecord, version: number): number {
  const { kind, id, bytes, due } = record;
  return crc32(bytes, crc32(`${person} ${place} ${version} ${due?.queue} ${due?.expiry} ${kind} ${id}`));
}

const columns = `CAST(r.place AS INTEGER), CAST(r.person AS INTEGER), CAST(r.kind AS INTEGER), CAST(r.id AS BLOB),
  CAST(r.version AS INTEGER), CAST(r.queue AS REAL), CAST(r.expiry AS REAL), CAST(r.mark AS INTEGER),
  CAST(r.bytes AS BLOB)`;
const wanted = "FROM json_each(?) wanted CROSS JOIN record r ON r.place = wanted.value";
const lengthSql = `SELECT CAST(json_group_array(length(r.bytes)) AS BLOB) ${wanted}`;
const joinedSql = `SELECT CAST(json_group_array(json_array(r.place, r.person, r.kind, CAST(r.id AS TEXT), r.version,
  r.queue, r.expiry, r.mark, length(r.bytes))) AS BLOB), CAST(group_concat(r.bytes, '') AS BLOB) ${wanted}`;

export class RecordReader {
  readonly #file: SqliteFile;
  readonly #heads: Heads;
  readonly #person: { readonly key: number; readonly name: string };
  readonly #kinds: ReadonlyMap<number, string>;
  readonly #selection: ReadSelection;
  readonly #ids: ReadonlySet<string> | undefined;
  #left: number;
  #count = 0;
  #marks = 0;

  /** With `since` in the selection it is a difference. */
  constructor(
    file: SqliteFile,
    heads: Heads,
    person: { readonly key: number; readonly name: string },
    selection: ReadSelection,
  ) {
    this.#file = file;
    this.#heads = heads;
    this.#person = person;
    this.#kinds = heads.kinds().names;
    this.#selection = selection;
    this.#ids = selection.ids && new Set(selection.ids);
    this.#left = selection.limit ?? Infinity;
  }

  *pages(): Generator<RecordPage> {
    const { since, ids, due, after, limit } = this.#selection;
    const isAll = (since ?? ids ?? due ?? after ?? limit) === undefined;
    const [count, marks] = isAll ? this.#tally() : [];
    const places = this.#file.attempt(() => this.#places());
    const isFound = places !== undefined && this.#areFound(places, count);
    yield* this.#listed(isFound ? places : this.#triedPlaces());
    if (isFound && (!isAll || (this.#count === count && this.#marks === marks))) return;
    yield { records: [], damage: [damageOf(this.#person.name, "the list of records is incomplete")] };
  }

  /** Whether the places are all that there are. */
  #areFound(places: readonly number[], count: number | undefined): boolean {
    if (count !== undefined) return places.length === count;
    if (this.#ids !== undefined && this.#selection.limit === undefined && places.length >= this.#ids.size) return true;
    return this.#heads.isIndexWhole(this.#index(), this.#person.key);
  }

  #index(): RecordIndex {
    const { since, ids, due } = this.#selection;
    return ids !== undefined ? "id" : since !== undefined ? "version" : (due ?? "kind");
  }

  #wantedKinds(): number[] {
    const { kinds } = this.#selection;
    return [...this.#kinds].filter(([, kind]) => kinds?.includes(kind) ?? true).map(([key]) => key);
  }

  #tally(): [count: number, marks: number] {
    const condition = this.#selection.kinds === undefined ? "" : `AND kind IN (${this.#wantedKinds().join(",")})`;
    const sql = `SELECT CAST(count AS INTEGER), CAST(marks AS INTEGER) FROM tally WHERE person = ? ${condition}`;
    const rows = this.#file.attempt(() => this.#file.all(sql, [this.#person.key])) as [number, number][] | undefined;
    return rows?.reduce(([x, sum], [count, marks]) => [x + count, addMarks(sum, marks)], [0, 0]) ?? [NaN, NaN];
  }

  /** Where the records are, by an index. */
  #places(): number[] {
    const { since, kinds, ids, due, newestFirst = false, after, limit = Infinity } = this.#selection;
    const conditions: [sql: string, bind: unknown][] = [["person = ?", this.#person.key]];
    if (since !== undefined) conditions.push(["version > ?", since]);
    if ((kinds ?? ids) !== undefined) {
      conditions.push(["kind IN (SELECT value FROM json_each(?))", JSON.stringify(this.#wantedKinds())]);
    }
    if (ids !== undefined) {
      conditions.push(["id IN (SELECT CAST(value AS BLOB) FROM json_each(?))", JSON.stringify(ids)]);
    }
    if (due !== undefined) conditions.push([`${due} >= ?`, -Infinity]);
    if (after !== undefined) conditions.push([`place ${newestFirst ? "<" : ">"} ?`, after]);
    const sql = `SELECT CAST(json_group_array(place) AS BLOB) FROM (SELECT place FROM record INDEXED BY record_${this.#index()}
      WHERE ${conditions.map(([condition]) => condition).join(" AND ")}
      ORDER BY place ${newestFirst ? "DESC" : ""} LIMIT ?)`;
    const [places] = this.#file.get(sql, [...conditions.map(([, bind]) => bind), limit === Infinity ? -1 : limit])!;
    return JSON.parse(textOf(places)!) as number[];
  }

  *#listed(places: readonly number[]): Generator<RecordPage> {
    for (let from = 0; from < places.length && this.#left > 0;) {
      const page = this.#nextPage(places.slice(from, from + rowCountMax));
      yield this.#take(this.#file.attempt(() => this.#readJoined(page)) ?? page.map((place) => this.#readRow(place)));
      from += page.length;
    }
  }

  /** By trying all rows of the table: those of the person that can be read. */
  #triedPlaces(): number[] {
    const sql = "SELECT 1 FROM record WHERE place = ? AND person = ?";
    const isOwn = (place: number): boolean =>
      this.#file.attempt(() => this.#file.get(sql, [place, this.#person.key])) !== undefined;
    const places = this.#file.rowids("record").filter(isOwn);
    return this.#selection.newestFirst === true ? places.reverse() : places;
  }

  /** As many of the places as fit into a page. */
  #nextPage(places: readonly number[]): readonly number[] {
    const joined = this.#file.attempt(() => this.#file.get(lengthSql, [JSON.stringify(places)]));
    const lengths = parsed<number[]>(joined?.[0]);
    if (lengths?.length !== places.length) return places.slice(0, triedCountMax);
    let [count, byteCount] = [1, lengths[0]!];
    while (count < places.length && byteCount + lengths[count]! <= byteCountMax) byteCount += lengths[count++]!;
    return places.slice(0, count);
  }

  /** Undefined if anything is not what it should be. */
  #readJoined(places: readonly number[]): Row[] | undefined {
    const [heads, joined] = this.#file.get(joinedSql, [JSON.stringify(places)])!;
    const rows = parsed<Values[]>(heads);
    if (rows?.length !== places.length || !(joined instanceof Uint8Array)) return undefined;
    const bytes = joined.byteLength === joined.buffer.byteLength ? joined : new Uint8Array(joined);
    const read: Row[] = [];
    let end = 0;
    for (const values of rows) {
      const start = end;
      end += values[8] as number;
      if (!(end <= bytes.byteLength)) return undefined;
      const view = new Uint8Array(bytes.buffer, start, end - start);
      const row = this.#check(values, values[3], start % 4 === 0 ? view : view.slice());
      if (row.damage !== undefined) return undefined;
      read.push(row);
    }
    return read;
  }

  #readRow(place: number): Row {
    const sql = `SELECT ${columns} FROM record r WHERE r.place = ?`;
    const values = this.#file.attempt(() => this.#file.get(sql, [place])) as Values | undefined;
    if (values === undefined) return { mark: 0, damage: damageOf(this.#person.name, "a record cannot be read") };
    // Copied, because small values are views of a larger piece.
    return this.#check(values, textOf(values[3]), new Uint8Array((values[8] as Uint8Array | null) ?? []));
  }

  #check([place, person, kindKey, idBytes, version, queue, expiry, mark]: Values, id: unknown, bytes: Uint8Array): Row {
    const kind = this.#kinds.get(kindKey);
    if (kind !== undefined && typeof id === "string" && person === this.#person.key) {
      const due = { ...(queue !== null && { queue }), ...(expiry !== null && { expiry }) };
      const record = { kind, id, bytes, place, version, ...(queue !== null || expiry !== null ? { due } : {}) };
      if (rowMark(person, place, record, version) === mark) return { mark, record };
    }
    const legible = idBytes instanceof Uint8Array ? Buffer.from(idBytes).toString() : null;
    return {
      mark,
      damage: { ...damageOf(this.#person.name, "the record is damaged"), kind: kind ?? null, id: legible },
    };
  }

  #take(rows: readonly Row[]): RecordPage {
    for (const { mark } of rows) this.#marks = addMarks(this.#marks, mark);
    this.#count += rows.length;
    const wanted = rows.flatMap(({ record }) => record ?? []).filter((record) => this.#isWanted(record));
    const records = wanted.slice(0, this.#left);
    this.#left -= records.length;
    return { records, damage: rows.flatMap(({ damage }) => damage ?? []) };
  }

  #isWanted({ kind, id, place, version, due }: StoredRecord): boolean {
    const { since = -1, kinds, due: list, after, newestFirst = false } = this.#selection;
    return (
      version > since &&
      (kinds?.includes(kind) ?? true) &&
      (this.#ids?.has(id) ?? true) &&
      (list === undefined || due?.[list] !== undefined) &&
      (after === undefined || (newestFirst ? place < after : place > after))
    );
  }
}

/** Undefined if damaged values made it no JSON. */
function parsed<Value>(json: unknown): Value | undefined {
  try {
    return JSON.parse(textOf(json) ?? "") as Value;
  } catch {
    return undefined;
  }
}
