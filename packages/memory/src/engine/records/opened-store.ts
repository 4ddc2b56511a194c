/**
 * A store, opened: its records by the names of persons and interactions, with the payloads that the codec found in them.
 * Damage is told in the words of the engine.
 */
import { InputError, StaleRevisionError, StoreError } from "../../errors.js";
import { type Codec, type Payload, frameVersion } from "../../stores/codec.js";
import type {
  DueList,
  DuePerson,
  ReadSelection,
  RecordKey,
  RecordPut,
  Store,
  StoreDamage,
  StoreDescription,
  StoredRecord,
} from "../../stores/store.js";
import { formatVersion } from "./format.js";
import { type OpenedRecord, damagedPart } from "./graph-loading.js";
import { layout, nameOfKind } from "./kinds.js";

export interface RecordsDescription extends StoreDescription {
  readonly encrypted: boolean;
  readonly formatVersion: number;
}

/** A record of the store, opened. */
export interface EngineRecord extends OpenedRecord, Pick<StoredRecord, "place" | "version" | "due"> {}

export interface RecordsPage {
  readonly records: readonly EngineRecord[];
  readonly damage: readonly DamagedPart[];
}

export interface RecordsSnapshot {
  readonly revision: number;
  readonly isWhole: boolean;
  readonly pages: AsyncIterable<RecordsPage>;
}

/** Something that is not what was written. */
export interface DamagedPart {
  /** Null if it is nobody's, or nobody knows whose. */
  readonly person: string | null;
  /** The interaction, if it is about one. */
  readonly id: string | null;
  /** What is wrong, such as "the memory is damaged". */
  readonly part: string;
}

export function describeDamage({ person, id, part }: DamagedPart): string {
  const names = [person, id].filter((name) => name !== null).map((name) => JSON.stringify(name));
  return names.length === 0 ? part : `${names.join(", ")}: ${part}`;
}

/** Whose records are everybody's. */
export const nobody = "";

export interface Put extends RecordKey, Pick<RecordPut, "due" | "was"> {
  readonly payload: Payload;
}

export class OpenedStore {
  readonly #store: Store;
  /** By which a sealed export is opened. */
  readonly codec: Codec;

  protected constructor(store: Store, codec: Codec) {
    this.#store = store;
    this.codec = codec;
  }

  async describe(): Promise<RecordsDescription> {
    const description = await this.#store.describe();
    return { ...description, encrypted: this.codec.isEncrypting, formatVersion };
  }

  /** By which an export is sealed. */
  sealing(): Codec {
    if (this.codec.isEncrypting) return this.codec;
    const message = "export sealed: this memory has no key; open it with an encryption key";
    throw new InputError("option_invalid", message);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  /** All persons, by name, or some of them. */
  async persons({ after, limit }: { readonly after?: string; readonly limit?: number } = {}): Promise<string[]> {
    if (!this.codec.isEncrypting) {
      return this.#store.persons({
        ...(after === undefined ? {} : { after }),
        ...(limit === undefined ? {} : { limit }),
      });
    }
    const names = (await this.#store.persons()).map((person) => this.#nameOf(person));
    const sorted = names.map((name) => ({ name, bytes: Buffer.from(name) })).sort((x, y) => x.bytes.compare(y.bytes));
    const start = after === undefined ? null : Buffer.from(after);
    return sorted
      .filter(({ bytes }) => start === null || bytes.compare(start) > 0)
      .slice(0, limit)
      .map(({ name }) => name);
  }

  /** Records of a person, opened. */
  async read(person: string, selection: ReadSelection = {}): Promise<RecordsSnapshot> {
    const { ids } = selection;
    const texts = ids === undefined ? {} : { ids: ids.map((id) => this.codec.toText(id, person)) };
    const snapshot = await this.#naming(person, () =>
      this.#store.read(this.codec.toText(person), { ...selection, ...texts }),
    );
    const open = (record: StoredRecord): EngineRecord | DamagedPart => this.#open(person, record);
    const toDamagedPart = (damage: StoreDamage): DamagedPart => this.#toDamagedPart(damage, person);
    return {
      get revision() {
        return snapshot.revision;
      },
      isWhole: snapshot.isWhole,
      pages: (async function* pages() {
        const damage: DamagedPart[] = [];
        for await (const page of snapshot.pages) {
          const records: EngineRecord[] = [];
          damage.push(...page.damage.map(toDamagedPart));
          for (const record of page.records) {
            const opened = open(record);
            if ("part" in opened) damage.push(opened);
            else records.push(opened);
          }
          yield { records, damage: [] };
        }
        // Only now: what seems to be missing may have been forgotten meanwhile, and then the reading has failed.
        if (damage.length > 0) yield { records: [], damage };
      })(),
    };
  }

  /** Takes or renews, for a time, the right to process a person's queue; 0 ms gives it back. False while another owner has it. */
  lease(person: string, owner: string, ms: number): Promise<boolean> {
    return this.#store.lease(this.codec.toText(person), owner, ms);
  }

  /** Everything in the store that is not what was written. */
  async damage(): Promise<DamagedPart[]> {
    const found = (await this.#store.damage()).map((damage) => this.#toDamagedPart(damage));
    for (const person of [nobody, ...(await this.persons())]) {
      const { pages } = await this.read(person);
      for await (const { damage } of pages) found.push(...damage);
    }
    return [...new Map(found.map((each) => [describeDamage(each), each])).values()];
  }

  /** Removes everything about a person; nothing of it can be read from the store afterwards. */
  async erase(person: string): Promise<void> {
    await this.#store.erase(this.codec.toText(person));
  }

  /** Persons with something on a list, by name. */
  protected async due(list: DueList, before: number, limit: number, person?: string): Promise<DuePerson[]> {
    const only = person === undefined ? {} : { person: this.codec.toText(person) };
    const found = await this.#store.due(list, { before, limit, ...only });
    return found.map((each) => ({ ...each, person: this.#nameOf(each.person) }));
  }

  /** All records of a selection; `onDamage` refuses by default. */
  protected async records(
    person: string,
    selection: ReadSelection,
    onDamage: (damage: DamagedPart) => void = this.refuse,
  ): Promise<EngineRecord[]> {
    const { pages } = await this.read(person, selection);
    const found: EngineRecord[] = [];
    for await (const page of pages) {
      for (const damage of page.damage) onDamage(damage);
      found.push(...page.records);
    }
    return found;
  }

  protected readonly refuse = ({ person, id, part }: DamagedPart): never => {
    throw damagedPart(person ?? nobody, id, part);
  };

  #open(person: string, { kind, id: text, bytes, place, version, due }: StoredRecord): EngineRecord | DamagedPart {
    const id = this.codec.toName(text, person);
    if (bytes[0]! > frameVersion) throw newerRecord(person, { kind, id: id ?? text }, `format ${bytes[0]}`);
    const payload = id === null ? null : this.codec.decode(person, { kind, id }, bytes, this.#store.isChecking);
    if (id !== null && payload !== null && payload.layout > layout) {
      throw newerRecord(person, { kind, id }, `layout ${payload.layout}`);
    }
    if (id === null || payload === null)
      return { person, id: id === "" ? null : id, part: `${nameOfKind(kind)} is damaged` };
    const record = { kind, id, layout: payload.layout, bytes: payload.bytes, place, version };
    return due === undefined ? record : { ...record, due };
  }

  protected write(person: string, base: number, put: readonly Put[], removed?: readonly RecordKey[]): Promise<number>;
  protected write(person: string, base: null, put: readonly Put[]): Promise<number | null>;
  protected write(person: string, base: number | null, put: readonly Put[], removed: readonly RecordKey[] = []) {
    const codec = this.codec;
    const records = put.map(({ kind, id, payload, ...rest }): RecordPut => {
      return { ...rest, kind, id: codec.toText(id, person), bytes: codec.encode(person, { kind, id }, payload) };
    });
    const deleted = removed.map(({ kind, id }) => ({ kind, id: codec.toText(id, person) }));
    return this.#naming(person, () => this.#store.write(codec.toText(person), base, { put: records, delete: deleted }));
  }

  /** Errors name the person, not the text that a store knows them by. */
  async #naming<Result>(person: string, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StaleRevisionError)) throw error;
      throw new StaleRevisionError(person, error.expected, error.actual);
    }
  }

  /** In the words of the engine; `known`: the person of a reading. */
  #toDamagedPart({ person: text, kind, id, part }: StoreDamage, known?: string): DamagedPart {
    const person = known ?? (text === null ? null : (this.codec.toName(text) ?? text));
    const name = id === null || person === null ? id : (this.codec.toName(id, person) ?? id);
    return {
      person: person === nobody ? null : person,
      id: name === "" ? null : name,
      part: kind === null ? part : part.replace("the record", nameOfKind(kind)),
    };
  }

  #nameOf(person: string): string {
    const name = this.codec.toName(person);
    if (name !== null) return name;
    throw new StoreError("store_damaged", "the name of a person is damaged; restore the store from a backup");
  }
}

/** What a newer release wrote is not guessed at. */
function newerRecord(person: string, { kind, id }: RecordKey, form: string): StoreError {
  const what = describeDamage({ person: person || null, id: id || null, part: nameOfKind(kind) });
  const remedy = "a newer release wrote it; open the store with that one or a later one";
  return new StoreError("store_format", `${what} has ${form}, but this release reads 1 only: ${remedy}`);
}

export function jsonPayload(value: unknown): Payload {
  return { layout, bytes: Buffer.from(JSON.stringify(value)) };
}
