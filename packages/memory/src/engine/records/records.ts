/**
 * The records of a store as the engine knows them: queue, history, graph, core summary, and what is everybody's. Nothing else
 * speaks to a store. Everything is opened by the codec, so that a damaged part is named before anything uses what is left.
 */
import type { IndexedTerms } from "../../core/graph/indexed-terms.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import { InputError, StaleRevisionError, StoreError } from "../../errors.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import { type Codec, type Payload, frameVersion } from "../../stores/codec.js";
import {
  type ReadSelection,
  type RecordKey,
  type RecordPut,
  type Store,
  type StoreDescription,
  type StoreDamage,
  type StoredRecord,
  dueLists,
} from "../../stores/store.js";
import type { LogEvent } from "../engine-context.js";
import { ChangedGraph } from "./changed-graph.js";
import { checkFormat, formatVersion } from "./format.js";
import { type OpenedRecord, damagedPart } from "./graph-loading.js";
import { packEntry, unpackEntry, unpackOutcome } from "./interaction-record.js";
import { graphKinds, kinds, layout, nameOfKind } from "./kinds.js";
import {
  type AcceptedEntry,
  type Batch,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type Outcome,
  type OutcomeCounts,
  type StoredTrace,
  continuesTurns,
} from "./person-data.js";
import { rewriteEntry, rewrittenIds } from "./rewritten-entries.js";

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
const nobody = "";
const entriesPerRead = 200;
const everMs = Number.MAX_SAFE_INTEGER;
const personsMax = 1_000_000_000;

export class Records {
  readonly #store: Store;
  readonly #codec: Codec;
  readonly #log: (event: LogEvent) => void;

  private constructor(store: Store, codec: Codec, log: (event: LogEvent) => void) {
    this.#store = store;
    this.#codec = codec;
    this.#log = log;
  }

  /** Refuses a store of another format or another key. */
  static async open(store: Store, codec: Codec, log: (event: LogEvent) => void = () => {}): Promise<Records> {
    await checkFormat(store, codec);
    return new Records(store, codec, log);
  }

  async describe(): Promise<RecordsDescription> {
    const description = await this.#store.describe();
    return { ...description, encrypted: this.#codec.isEncrypting, formatVersion };
  }

  /** By which a sealed export is opened. */
  get codec(): Codec {
    return this.#codec;
  }

  /** By which an export is sealed. */
  sealing(): Codec {
    if (this.#codec.isEncrypting) return this.#codec;
    const message = "export sealed: this memory has no key; open it with an encryption key";
    throw new InputError("option_invalid", message);
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  // Everybody's.

  /** Whose vectors the store holds; null before the first. */
  async embedder(): Promise<EmbedderIdentity | null> {
    const found: DamagedPart[] = [];
    const [record] = await this.#records(nobody, { kinds: [kinds.embedder] }, (damage) => void found.push(damage));
    if (record !== undefined) return readJson(record) as EmbedderIdentity;
    // A damaged list matters only if the record may have been on it.
    found.forEach(this.#refuse);
    return null;
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    await this.#write(nobody, null, [{ kind: kinds.embedder, id: "", payload: jsonPayload(identity) }]);
  }

  /** Sets it if it is unset; returns the resulting embedder. */
  async claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity> {
    await this.#write(nobody, null, [{ kind: kinds.embedder, id: "", payload: jsonPayload(identity), was: 0 }]);
    return (await this.embedder())!;
  }

  /** Bytes that are costly to compute. Damaged ones are computed again, like those that were never cached. */
  async cached(key: string): Promise<Uint8Array | null> {
    const selection = { kinds: [kinds.cache], ids: [key] };
    const [record] = await this.#records(nobody, selection, () => {});
    return record?.bytes ?? null;
  }

  async cache(key: string, bytes: Uint8Array): Promise<void> {
    await this.#write(nobody, null, [{ kind: kinds.cache, id: key, payload: { layout, bytes } }]);
  }

  /** All persons, by name, or some of them. */
  async persons({ after, limit }: { readonly after?: string; readonly limit?: number } = {}): Promise<string[]> {
    if (!this.#codec.isEncrypting) {
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

  /** Persons with a queued interaction, and how many they have. */
  async queues(): Promise<{ readonly person: string; readonly count: number }[]> {
    const due = await this.#store.due("queue", { before: everMs, limit: personsMax });
    return due.map(({ person, count }) => ({ person: this.#nameOf(person), count }));
  }

  /** Persons of whom something has expired by a time, the first at the start. */
  async personsWithExpired(nowMs: number, limit: number): Promise<string[]> {
    return (await this.#store.due("expiry", { before: nowMs, limit })).map(({ person }) => this.#nameOf(person));
  }

  /** When the next interaction expires; null if none does. */
  async nextExpiryMs(): Promise<number | null> {
    return (await this.#store.due("expiry", { before: everMs, limit: 1 }))[0]?.at ?? null;
  }

  // A person's queue and history.

  /**
   * Stores an interaction; it is durable when the promise resolves. False if its id is already known (then nothing changes),
   * except that an open interaction is replaced by its continuation: one that begins with the same turns. With
   * `mustContinue`, also false if there is nothing to continue: it may have been forgotten.
   */
  async accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    { mustContinue = false }: { readonly mustContinue?: boolean } = {},
  ): Promise<boolean> {
    const put = toPut({ interaction, outcome, trace: null });
    for (let was = mustContinue ? null : 0; ;) {
      if (was !== null && (await this.#write(person, null, [{ ...put, was }])) !== null) return true;
      const [known] = await this.#records(person, { kinds: [kinds.interaction], ids: [interaction.id] });
      if (known === undefined ? mustContinue : !isContinuation(unpackEntry(known.id, known), interaction)) return false;
      was = known?.version ?? 0;
    }
  }

  /** Queued interactions in order of acceptance. */
  async queued(person: string, countMax: number): Promise<Interaction[]> {
    const records = await this.#records(person, { kinds: [kinds.interaction], due: "queue", limit: countMax });
    return records.map((record) => unpackEntry(record.id, record).interaction);
  }

  async queuedCount(person: string): Promise<number> {
    const selection = { before: everMs, limit: 1, person: this.#codec.toText(person) };
    return (await this.#store.due("queue", selection))[0]?.count ?? 0;
  }

  /** Interactions in order of acceptance, or the other way round. Throws InputError for a cursor that no entry has had. */
  async history(person: string, selection: HistorySelection = {}): Promise<HistoryEntry[]> {
    const { ids, outcomes, newestFirst = false, limit = Infinity, skipDamaged = false } = selection;
    let after = readCursor(selection.after);
    let damagedCount = 0;
    const onDamage = skipDamaged ? () => void damagedCount++ : this.#refuse;
    const perRead =
      limit === Infinity || ids !== undefined ? undefined : outcomes === undefined ? limit : entriesPerRead;
    const found: HistoryEntry[] = [];
    for (;;) {
      damagedCount = 0;
      const read = await this.#records(
        person,
        {
          kinds: [kinds.interaction],
          newestFirst,
          ...(ids === undefined ? {} : { ids }),
          ...(after === undefined ? {} : { after }),
          ...(perRead === undefined ? {} : { limit: perRead }),
        },
        onDamage,
      );
      for (const record of read) {
        const isWanted = outcomes === undefined || outcomes.includes(unpackOutcome(record.id, record).outcome);
        if (isWanted) found.push({ ...unpackEntry(record.id, record), cursor: String(record.place) });
        if (found.length === limit) return found;
      }
      if (perRead === undefined || read.length === 0 || read.length + damagedCount < perRead) return found;
      after = read.at(-1)!.place;
    }
  }

  /** Whether there is anything of a person. */
  async knows(person: string): Promise<boolean> {
    return (await this.read(person, { limit: 0 })).revision > 0;
  }

  /** How many interactions have each outcome; outcomes without any are left out. */
  async outcomeCounts(person: string): Promise<OutcomeCounts> {
    const counts: Partial<Record<Outcome, number>> = {};
    for (const { outcome } of await this.#outcomes(person)) counts[outcome] = (counts[outcome] ?? 0) + 1;
    return counts;
  }

  /** The traces of interactions with one of these outcomes, in order of acceptance. */
  async traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]> {
    return (await this.#outcomes(person)).filter(({ outcome }) => outcomes.includes(outcome));
  }

  // A person's memory.

  /** What of the graph and the core summary changed after a revision, or all of it. */
  readGraph(person: string, since: number): Promise<RecordsSnapshot> {
    return this.read(person, { kinds: graphKinds, since });
  }

  /** The packed token vectors of memories, by id; of those that have none, and unknown ids, nothing. */
  async tokens(person: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = await this.#records(person, { kinds: [kinds.tokens], ids }, (damage) => this.#warn(damage));
    return new Map(found.filter(({ bytes }) => bytes.byteLength > 0).map(({ id, bytes }) => [id, bytes]));
  }

  /** Writes all of a batch or nothing, and returns the new revision. `graph`: as it is before. Throws StaleRevisionError. */
  async apply(person: string, batch: Batch, graph: MemoryGraph, terms: IndexedTerms): Promise<number> {
    const { baseRevision, change, forgetInteractions: ids, acceptEntries = [] } = batch;
    const entries = await this.#rewritten(person, batch);
    const isForgotten = new Set(ids);
    const put: Put[] = [
      ...acceptEntries.map((entry) => ({ ...toPut(entry), was: 0 })),
      ...entries.filter(({ id }) => !isForgotten.has(id)),
      ...new ChangedGraph(change, ids, graph).records(terms),
    ];
    const { coreSummary, commitsSinceCoreSummary: commits } = batch;
    if (coreSummary !== undefined) put.push({ kind: kinds.core, id: "", payload: jsonPayload(coreSummary) });
    if (commits !== undefined) put.push({ kind: kinds.commits, id: "", payload: jsonPayload(commits) });
    const removed = ids.flatMap((id) => kindsOfMemory.map((kind) => ({ kind, id })));
    if (ids.length === 0 || (await this.#hasOthers(person, isForgotten))) {
      return this.#write(person, baseRevision, put, removed);
    }
    // Nothing is left to be about.
    const rest = [kinds.core, kinds.commits].map((kind) => ({ kind, id: "" }));
    return this.#write(person, baseRevision, [], [...removed, ...rest]);
  }

  /** Records of a person, opened. */
  async read(person: string, selection: ReadSelection = {}): Promise<RecordsSnapshot> {
    const { ids } = selection;
    const texts = ids === undefined ? {} : { ids: ids.map((id) => this.#codec.toText(id, person)) };
    const snapshot = await this.#naming(person, () =>
      this.#store.read(this.#codec.toText(person), { ...selection, ...texts }),
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
          const opened = page.records.map(open);
          damage.push(...page.damage.map(toDamagedPart));
          damage.push(...opened.filter((record) => "part" in record));
          yield { records: opened.filter((record) => "bytes" in record), damage: [] };
        }
        // Only now: what seems to be missing may have been forgotten meanwhile, and then the reading has failed.
        if (damage.length > 0) yield { records: [], damage };
      })(),
    };
  }

  /** Takes or renews, for a time, the right to process a person's queue; 0 ms gives it back. False while another owner has it. */
  lease(person: string, owner: string, ms: number): Promise<boolean> {
    return this.#store.lease(this.#codec.toText(person), owner, ms);
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
    await this.#store.erase(this.#codec.toText(person));
  }

  async #outcomes(person: string) {
    const records = await this.#records(person, { kinds: [kinds.interaction] });
    return records.map((record) => unpackOutcome(record.id, record));
  }

  /** The interactions that a batch changes, as they are after it. */
  async #rewritten(person: string, batch: Batch): Promise<Put[]> {
    const ids = rewrittenIds(batch);
    if (ids.length === 0) return [];
    const known = await this.#records(person, { kinds: [kinds.interaction], ids });
    return known.map((record) => ({
      ...toPut(rewriteEntry(unpackEntry(record.id, record), batch)),
      was: record.version,
    }));
  }

  async #hasOthers(person: string, ids: ReadonlySet<string>): Promise<boolean> {
    const selection = { kinds: [kinds.interaction], limit: ids.size + 1 };
    let isDamaged = false;
    const first = await this.#records(person, selection, () => (isDamaged = true));
    return isDamaged || first.some(({ id }) => !ids.has(id));
  }

  /** All records of a selection; `onDamage` refuses by default. */
  async #records(
    person: string,
    selection: ReadSelection,
    onDamage: (damage: DamagedPart) => void = this.#refuse,
  ): Promise<EngineRecord[]> {
    const { pages } = await this.read(person, selection);
    const found: EngineRecord[] = [];
    for await (const page of pages) {
      for (const damage of page.damage) onDamage(damage);
      found.push(...page.records);
    }
    return found;
  }

  readonly #refuse = ({ person, id, part }: DamagedPart): never => {
    throw damagedPart(person ?? nobody, id, part);
  };

  #warn({ person, id, part }: DamagedPart): void {
    const named = { ...(person === null ? {} : { person }), ...(id === null ? {} : { id }) };
    this.#log({ level: "warn", message: `${part}; the answer does without`, ...named });
  }

  #open(person: string, { kind, id: text, bytes, place, version, due }: StoredRecord): EngineRecord | DamagedPart {
    const id = this.#codec.toName(text, person);
    if (bytes[0]! > frameVersion) throw newerRecord(person, { kind, id: id ?? text }, `format ${bytes[0]}`);
    const payload = id === null ? null : this.#codec.decode(person, { kind, id }, bytes, this.#store.isChecking);
    if (id !== null && payload !== null && payload.layout > layout) {
      throw newerRecord(person, { kind, id }, `layout ${payload.layout}`);
    }
    if (id === null || payload === null)
      return { person, id: id === "" ? null : id, part: `${nameOfKind(kind)} is damaged` };
    const record = { kind, id, layout: payload.layout, bytes: payload.bytes, place, version };
    return due === undefined ? record : { ...record, due };
  }

  #write(person: string, base: number, put: readonly Put[], removed?: readonly RecordKey[]): Promise<number>;
  #write(person: string, base: null, put: readonly Put[]): Promise<number | null>;
  #write(person: string, base: number | null, put: readonly Put[], removed: readonly RecordKey[] = []) {
    const codec = this.#codec;
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
    const person = known ?? (text === null ? null : (this.#codec.toName(text) ?? text));
    const name = id === null || person === null ? id : (this.#codec.toName(id, person) ?? id);
    return {
      person: person === nobody ? null : person,
      id: name === "" ? null : name,
      part: kind === null ? part : part.replace("the record", nameOfKind(kind)),
    };
  }

  #nameOf(person: string): string {
    const name = this.#codec.toName(person);
    if (name !== null) return name;
    throw new StoreError("store_damaged", "the name of a person is damaged; restore the store from a backup");
  }
}

/** Kinds of which an interaction has at most one each. */
const kindsOfMemory = [kinds.interaction, kinds.links, kinds.memory, kinds.tokens] as const;

function isContinuation({ interaction, outcome }: AcceptedEntry, next: Interaction): boolean {
  return outcome === "open" && continuesTurns(interaction.turns, next.turns);
}

export interface Put extends RecordKey, Pick<RecordPut, "due" | "was"> {
  readonly payload: Payload;
}

/** What a newer release wrote is not guessed at. */
function newerRecord(person: string, { kind, id }: RecordKey, form: string): StoreError {
  const what = describeDamage({ person: person || null, id: id || null, part: nameOfKind(kind) });
  const remedy = "a newer release wrote it; open the store with that one or a later one";
  return new StoreError("store_format", `${what} has ${form}, but this release reads 1 only: ${remedy}`);
}

/** The record of an interaction, on the lists that it belongs to. */
function toPut(entry: AcceptedEntry): Put {
  return { kind: kinds.interaction, id: entry.interaction.id, payload: packEntry(entry), due: listsOf(entry) };
}

/** Whether work on an interaction, and its forgetting, will be found. */
export function isOnItsLists(entry: AcceptedEntry, { due = {} }: Pick<EngineRecord, "due">): boolean {
  const lists = listsOf(entry);
  return dueLists.every((list) => lists[list] === due[list]);
}

function listsOf({ interaction: { expiresMs }, outcome }: AcceptedEntry): NonNullable<EngineRecord["due"]> {
  return { ...(outcome === "queued" ? { queue: 0 } : {}), ...(expiresMs === null ? {} : { expiry: expiresMs }) };
}

export function jsonPayload(value: unknown): Payload {
  return { layout, bytes: Buffer.from(JSON.stringify(value)) };
}

function readJson({ bytes }: Payload): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}

/** Undefined, before every interaction, if there is no cursor. */
function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined || /^\d{1,16}$/u.test(cursor)) return cursor === undefined ? undefined : Number(cursor);
  throw new InputError("option_invalid", "the cursor is none; use one that came with an earlier part of the list");
}
