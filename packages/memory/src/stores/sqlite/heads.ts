/** Persons and kinds: small tables by which records are found, with a mark in each row. */
import { crc32 } from "../../files/checksum.js";
import type { SqliteFile } from "../../files/sqlite-file.js";
import type { StoreDamage } from "../store.js";

export interface Person {
  readonly key: number;
  readonly name: string;
  readonly sequence: number;
  readonly revision: number;
  readonly wholeBelow: number;
}

/** At most one of the two; neither for somebody unknown. */
export interface FoundPerson {
  readonly person?: Person;
  /** Its row, or that of somebody: the numbers in it mean nothing. */
  readonly damagedKey?: number | null;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text as it lies in the file; undefined if the bytes are none. */
export function textOf(value: unknown): string | undefined {
  try {
    return value instanceof Uint8Array ? decoder.decode(value) : undefined;
  } catch {
    return undefined;
  }
}

export function damageOf(person: string | null, part: string): StoreDamage {
  return { person, kind: null, id: null, part };
}

export function markOf(...values: readonly (string | number)[]): number {
  return crc32(Buffer.from(JSON.stringify(values)));
}

const persons = `SELECT CAST(key AS INTEGER), CAST(name AS BLOB), CAST(sequence AS INTEGER), CAST(revision AS INTEGER),
  CAST(whole_below AS INTEGER), CAST(mark AS INTEGER) FROM person`;
const names = "SELECT CAST(name AS BLOB) AS name FROM person";
/** The indexes of records, and what their entries repeat of a row beside its person. */
const indexed = { id: "kind, id", kind: "kind", version: "version", queue: "queue", expiry: "expiry" };
export type RecordIndex = keyof typeof indexed;

/** Rows that the index does not lead to, and persons of whom there is nothing but records. */
const strays = `SELECT (SELECT count(*) FROM person NOT INDEXED) - (SELECT count(*) FROM person i INDEXED BY person_name
    CROSS JOIN person r NOT INDEXED ON r.key = i.key WHERE r.name = i.name)
  + (SELECT count(*) FROM (SELECT person FROM tally WHERE count <> 0 EXCEPT SELECT key FROM person NOT INDEXED))`;

export class Heads {
  readonly #file: SqliteFile;
  #arePersonsWhole = false;
  /** Indexes and persons whose entries were compared with the rows. */
  readonly #whole = new Set<string>();

  constructor(file: SqliteFile) {
    this.#file = file;
  }

  find(name: string): FoundPerson {
    const found = this.#file.attempt(() => this.#file.get(`${persons} WHERE name = ?`, [Buffer.from(name)]));
    if (found === undefined && this.arePersonsWhole()) return {};
    const rows = found === undefined ? this.#scan() : [found];
    const person = rows.map(toPerson).find((each) => each?.name === name);
    return person == null ? { damagedKey: (found?.[0] as number | undefined) ?? null } : { person };
  }

  names(after: string, limit: number): string[] {
    const source = this.arePersonsWhole() ? names : `SELECT name FROM (${names} NOT INDEXED UNION ${names})`;
    const rows = this.#file.all(`${source} WHERE name > ? ORDER BY name LIMIT ?`, [Buffer.from(after), limit]);
    return rows.flatMap(([name]) => textOf(name) ?? []);
  }

  /** Whether every row is what was written, and the index leads to it. */
  arePersonsWhole(): boolean {
    this.#arePersonsWhole ||=
      this.#file.attempt(() => this.#file.number(strays)) === 0 && this.#scan().every((row) => toPerson(row) !== null);
    return this.#arePersonsWhole;
  }

  /** Whether an index leads to every record of a person: where it does not, a record that it does not find may be there. */
  isIndexWhole(index: RecordIndex, person: number): boolean {
    const name = `${index} ${person}`;
    if (this.#whole.has(name)) return true;
    const isList = index === "queue" || index === "expiry";
    const all = isList
      ? `SELECT count(${index}) FROM record INDEXED BY record_kind WHERE person = ?1`
      : "SELECT coalesce(sum(count), 0) FROM tally WHERE person = ?1";
    const same = indexed[index].split(", ").map((column) => `AND r.${column} = i.${column}`);
    const sql = `SELECT count(*), count(CASE WHEN r.person = ?1 ${same.join(" ")} THEN 1 END), (${all})
      FROM record i INDEXED BY record_${index} CROSS JOIN record r NOT INDEXED ON r.place = i.place
      WHERE i.person = ?1 ${isList ? `AND i.${index} >= -9e999` : ""}`;
    const [entries, right, expected] = this.#file.attempt(() => this.#file.get(sql, [person])) ?? [0, 0, -1];
    const isWhole = entries === right && entries === expected;
    if (isWhole) this.#whole.add(name);
    return isWhole;
  }

  /** Kinds that are whole, by their keys, and whether that is all of them: none is ever removed. */
  kinds(): { readonly names: ReadonlyMap<number, string>; readonly isWhole: boolean } {
    const sql = "SELECT CAST(key AS INTEGER), CAST(name AS BLOB), CAST(mark AS INTEGER) FROM kind";
    const rows = this.#file.attempt(() => this.#file.all(sql)) ?? [];
    const found = rows.flatMap(([key, bytes, mark]): [number, string][] => {
      const name = textOf(bytes);
      return name !== undefined && markOf(key as number, name) === mark ? [[key as number, name]] : [];
    });
    const last = "SELECT CAST(coalesce(max(seq), 0) AS INTEGER) FROM sqlite_sequence WHERE name = 'kind'";
    return { names: new Map(found), isWhole: this.#file.attempt(() => this.#file.number(last)) === found.length };
  }

  #scan(): unknown[][] {
    return this.#file.attempt(() => this.#file.all(`${persons} NOT INDEXED`)) ?? [[]];
  }
}

/** Null if it is not what was written. */
function toPerson([key, bytes, sequence, revision, wholeBelow, mark]: unknown[]): Person | null {
  const person = { key, name: textOf(bytes), sequence, revision, wholeBelow } as Person;
  const isWhole = person.name !== undefined && markOf(...Object.values(person)) === mark;
  return isWhole ? person : null;
}
