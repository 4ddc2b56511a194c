/**
 * A store in memory: for tests, trials and memories that may end with the process, and the model against which other
 * stores are checked. Bytes are copied on the way in and out; a record is replaced, never changed, so that a list of
 * records is a moment.
 */
import { StaleRevisionError, StoreError } from "../../errors.js";
import type * as port from "../store.js";

const recordsPerPage = 500;

interface Person {
  /** The version of the record that was put last. */
  sequence: number;
  revision: number;
  /** A difference since an earlier revision would not tell of something that is gone. */
  wholeBelow: number;
  /** By key, in the order of their places: a map keeps the position of a key that is set again. */
  readonly records: Map<string, port.StoredRecord>;
}

export class MemoryStore implements port.Store {
  readonly kind: string = "memory";
  readonly #persons = new Map<string, Person>();
  readonly #leases = new Map<string, { readonly owner: string; readonly untilMs: number }>();
  /** Above every number of a removed person, so that one who comes back is never confused with the old one. */
  #floor = 0;
  #isClosed = false;

  async describe(): Promise<port.StoreDescription> {
    this.#checkOpen();
    return { kind: this.kind, location: ":memory:", byteCount: 0 };
  }

  async read(name: string, selection: port.ReadSelection = {}): Promise<port.RecordSnapshot> {
    const { revision, sequence, wholeBelow, records } = this.#find(name);
    const { since = -1 } = selection;
    const isWhole = since < wholeBelow || since > sequence;
    const asked = [...records.values()].filter(({ version }) => isWhole || version > since);
    return { revision, isWhole, pages: pagesOf(select(asked, selection)) };
  }

  async write(name: string, baseRevision: number, change: port.RecordChange): Promise<number>;
  async write(name: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null>;
  async write(name: string, baseRevision: number | null, change: port.RecordChange): Promise<number | null> {
    const { put = [], delete: gone = [] } = change;
    const person = this.#find(name);
    const { records, revision } = person;
    const versionOf = (key: port.RecordKey): number => records.get(keyOf(key))?.version ?? 0;
    const fits = put.every(({ was, ...key }) => was === undefined || was === versionOf(key));
    if (baseRevision === null && !fits) return null;
    if (baseRevision !== null && (baseRevision !== revision || !fits)) {
      throw new StaleRevisionError(name, baseRevision, revision);
    }
    const goneCount = gone.filter((key) => records.delete(keyOf(key))).length;
    if (put.length === 0 && (baseRevision !== null || goneCount > 0)) person.sequence += 1;
    for (const { was: _was, ...record } of put) {
      const version = (person.sequence += 1);
      const { place } = records.get(keyOf(record)) ?? { place: version };
      records.set(keyOf(record), copy({ ...record, place, version }));
    }
    if (goneCount > 0) person.wholeBelow = person.sequence;
    if (baseRevision !== null || revision === 0) person.revision = person.sequence;
    this.#persons.set(name, person);
    if (records.size === 0) this.#remove(name);
    return this.#find(name).revision;
  }

  async persons({ after = "", limit = Infinity }: port.PersonSelection = {}): Promise<string[]> {
    this.#checkOpen();
    const names = [...this.#persons.keys()].filter((name) => byBytes(name, after) > 0);
    return names.sort(byBytes).slice(0, limit);
  }

  async due(list: port.DueList, { before, limit, person: only }: port.DueSelection): Promise<port.DuePerson[]> {
    const persons = only === undefined ? await this.persons() : [only];
    const found = persons.map((person) => {
      const numbers = [...this.#find(person).records.values()].flatMap(({ due }) => due?.[list] ?? []);
      const due = numbers.filter((at) => at <= before);
      return { person, at: due.reduce((x, y) => Math.min(x, y), Infinity), count: due.length };
    });
    return found
      .filter(({ count }) => count > 0)
      .sort((x, y) => x.at - y.at)
      .slice(0, limit);
  }

  async lease(person: string, owner: string, ms: number): Promise<boolean> {
    this.#checkOpen();
    const held = this.#leases.get(person);
    if (held !== undefined && held.owner !== owner && held.untilMs > Date.now()) return false;
    this.#leases.set(person, { owner, untilMs: Date.now() + ms });
    return true;
  }

  async damage(): Promise<port.StoreDamage[]> {
    this.#checkOpen();
    return [];
  }

  async erase(name: string): Promise<number> {
    const { records } = this.#find(name);
    this.#remove(name);
    return records.size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#persons.clear();
  }

  #find(name: string): Person {
    this.#checkOpen();
    const unknown = { sequence: this.#floor, revision: 0, wholeBelow: this.#floor + 1, records: new Map() };
    return this.#persons.get(name) ?? unknown;
  }

  #remove(name: string): void {
    this.#floor = Math.max(this.#floor, this.#find(name).sequence);
    this.#persons.delete(name);
    this.#leases.delete(name);
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new StoreError("store_closed", "the memory store was closed; open it again");
  }
}

function select(records: readonly port.StoredRecord[], selection: port.ReadSelection): port.StoredRecord[] {
  const { kinds, ids, due, newestFirst = false, after, limit } = selection;
  const idSet = ids && new Set(ids);
  const selected = records.filter(
    (record) =>
      (kinds?.includes(record.kind) ?? true) &&
      (idSet?.has(record.id) ?? true) &&
      (due === undefined || record.due?.[due] !== undefined) &&
      (after === undefined || (newestFirst ? record.place < after : record.place > after)),
  );
  return (newestFirst ? selected.reverse() : selected).slice(0, limit);
}

async function* pagesOf(records: readonly port.StoredRecord[]): AsyncGenerator<port.RecordPage> {
  for (let from = 0; from < records.length; from += recordsPerPage) {
    yield { records: records.slice(from, from + recordsPerPage).map(copy), damage: [] };
  }
}

/** Not by `slice`, which in a Buffer of Node does not copy. */
function copy(record: port.StoredRecord): port.StoredRecord {
  const { bytes, due } = record;
  return { ...record, bytes: new Uint8Array(bytes), ...(due && { due: { ...due } }) };
}

function byBytes(x: string, y: string): number {
  return Buffer.compare(Buffer.from(x), Buffer.from(y));
}

function keyOf({ kind, id }: port.RecordKey): string {
  return JSON.stringify([kind, id]);
}
