/**
 * The records of a store as the engine knows them: queue, history, graph, core summary, and what is everybody's. Nothing else
 * speaks to a store. Everything is opened by the codec, so that a damaged part is named before anything uses what is left.
 */
import type { IndexedTerms } from "../../graph/indexed-terms.js";
import type { MemoryGraph } from "../../graph/memory-graph.js";
import { InputError } from "../../errors.js";
import type { EmbedderIdentity } from "../../ports/embedder.js";
import type { Codec, Payload } from "../../stores/codec.js";
import { type Store, dueLists } from "../../stores/store.js";
import type { LogEvent } from "../engine-context.js";
import { ChangedGraph } from "./changed-graph.js";
import { checkFormat } from "./format.js";
import { packEntry, unpackEntry, unpackOutcome } from "./interaction-record.js";
import { graphKinds, kinds, layout } from "./kinds.js";
import {
  type DamagedPart,
  type EngineRecord,
  OpenedStore,
  type Put,
  type RecordsSnapshot,
  jsonPayload,
  nobody,
} from "./opened-store.js";
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

const entriesPerRead = 200;
const everMs = Number.MAX_SAFE_INTEGER;
const personsMax = 1_000_000_000;

export class Records extends OpenedStore {
  readonly #log: (event: LogEvent) => void;

  private constructor(store: Store, codec: Codec, log: (event: LogEvent) => void) {
    super(store, codec);
    this.#log = log;
  }

  /** Refuses a store of another format or another key. */
  static async open(store: Store, codec: Codec, log: (event: LogEvent) => void = () => {}): Promise<Records> {
    await checkFormat(store, codec);
    return new Records(store, codec, log);
  }

  // Everybody's.

  /** Whose vectors the store holds; null before the first. */
  async embedder(): Promise<EmbedderIdentity | null> {
    const found: DamagedPart[] = [];
    const [record] = await this.records(nobody, { kinds: [kinds.embedder] }, (damage) => void found.push(damage));
    if (record !== undefined) return readJson(record) as EmbedderIdentity;
    // A damaged list matters only if the record may have been on it.
    found.forEach(this.refuse);
    return null;
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    await this.write(nobody, null, [{ kind: kinds.embedder, id: "", payload: jsonPayload(identity) }]);
  }

  /** Sets it if it is unset; returns the resulting embedder. */
  async claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity> {
    await this.write(nobody, null, [{ kind: kinds.embedder, id: "", payload: jsonPayload(identity), was: 0 }]);
    return (await this.embedder())!;
  }

  /** Bytes that are costly to compute. Damaged ones are computed again, like those that were never cached. */
  async cached(key: string): Promise<Uint8Array | null> {
    const selection = { kinds: [kinds.cache], ids: [key] };
    const [record] = await this.records(nobody, selection, () => {});
    return record?.bytes ?? null;
  }

  async cache(key: string, bytes: Uint8Array): Promise<void> {
    await this.write(nobody, null, [{ kind: kinds.cache, id: key, payload: { layout, bytes } }]);
  }

  /** Persons with a queued interaction, and how many they have. */
  async queues(): Promise<{ readonly person: string; readonly count: number }[]> {
    return (await this.due("queue", everMs, personsMax)).map(({ person, count }) => ({ person, count }));
  }

  /** Persons of whom something has expired by a time, the first at the start. */
  async personsWithExpired(nowMs: number, limit: number): Promise<string[]> {
    return (await this.due("expiry", nowMs, limit)).map(({ person }) => person);
  }

  /** When the next interaction expires; null if none does. */
  async nextExpiryMs(): Promise<number | null> {
    return (await this.due("expiry", everMs, 1))[0]?.at ?? null;
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
      if (was !== null && (await this.write(person, null, [{ ...put, was }])) !== null) return true;
      const [known] = await this.records(person, { kinds: [kinds.interaction], ids: [interaction.id] });
      if (known === undefined ? mustContinue : !isContinuation(unpackEntry(known.id, known), interaction)) return false;
      was = known?.version ?? 0;
    }
  }

  /** Queued interactions in order of acceptance. */
  async queued(person: string, countMax: number): Promise<Interaction[]> {
    const records = await this.records(person, { kinds: [kinds.interaction], due: "queue", limit: countMax });
    return records.map((record) => unpackEntry(record.id, record).interaction);
  }

  async queuedCount(person: string): Promise<number> {
    return (await this.due("queue", everMs, 1, person))[0]?.count ?? 0;
  }

  /** Interactions in order of acceptance, or the other way round. Throws InputError for a cursor that no entry has had. */
  async history(person: string, selection: HistorySelection = {}): Promise<HistoryEntry[]> {
    const { ids, outcomes, newestFirst = false, limit = Infinity, skipDamaged = false } = selection;
    let after = readCursor(selection.after);
    // Damage has no place after which a reading could go on.
    const isInOne = limit === Infinity || ids !== undefined || skipDamaged;
    const perRead = isInOne ? undefined : outcomes === undefined ? limit : entriesPerRead;
    const found: HistoryEntry[] = [];
    for (;;) {
      const read = await this.records(
        person,
        {
          kinds: [kinds.interaction],
          newestFirst,
          ...(ids === undefined ? {} : { ids }),
          ...(after === undefined ? {} : { after }),
          ...(perRead === undefined ? {} : { limit: perRead }),
        },
        skipDamaged ? () => {} : this.refuse,
      );
      for (const record of read) {
        const isWanted = outcomes === undefined || outcomes.includes(unpackOutcome(record.id, record).outcome);
        if (isWanted) found.push({ ...unpackEntry(record.id, record), cursor: String(record.place) });
        if (found.length === limit) return found;
      }
      if (perRead === undefined || read.length < Math.max(perRead, 1)) return found;
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
    const found = await this.records(person, { kinds: [kinds.tokens], ids }, (damage) => this.#warn(damage));
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
    const former = (batch.eraseFormer ?? []).map((id) => ({ kind: kinds.memory, id }));
    const removed = [...ids.flatMap((id) => kindsOfMemory.map((kind) => ({ kind, id }))), ...former];
    if (ids.length === 0 || (await this.#hasOthers(person, isForgotten))) {
      return this.write(person, baseRevision, put, removed);
    }
    // Nothing is left to be about.
    const rest = [kinds.core, kinds.commits].map((kind) => ({ kind, id: "" }));
    return this.write(person, baseRevision, [], [...removed, ...rest]);
  }

  async #outcomes(person: string) {
    const records = await this.records(person, { kinds: [kinds.interaction] });
    return records.map((record) => unpackOutcome(record.id, record));
  }

  /** The interactions that a batch changes, as they are after it. */
  async #rewritten(person: string, batch: Batch): Promise<Put[]> {
    const ids = rewrittenIds(batch);
    if (ids.length === 0) return [];
    const known = await this.records(person, { kinds: [kinds.interaction], ids });
    return known.map((record) => ({
      ...toPut(rewriteEntry(unpackEntry(record.id, record), batch)),
      was: record.version,
    }));
  }

  async #hasOthers(person: string, ids: ReadonlySet<string>): Promise<boolean> {
    const selection = { kinds: [kinds.interaction], limit: ids.size + 1 };
    let isDamaged = false;
    const first = await this.records(person, selection, () => (isDamaged = true));
    return isDamaged || first.some(({ id }) => !ids.has(id));
  }

  #warn({ person, id, part }: DamagedPart): void {
    const named = { ...(person === null ? {} : { person }), ...(id === null ? {} : { id }) };
    this.#log({ level: "warn", message: `${part}; the answer does without`, ...named });
  }
}

/** Kinds of which an interaction has at most one each. */
const kindsOfMemory = [kinds.interaction, kinds.links, kinds.memory, kinds.tokens] as const;

function isContinuation({ interaction, outcome }: AcceptedEntry, next: Interaction): boolean {
  return outcome === "open" && continuesTurns(interaction.turns, next.turns);
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

function readJson({ bytes }: Payload): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}

/** Undefined, before every interaction, if there is no cursor. */
function readCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined || /^\d{1,16}$/u.test(cursor)) return cursor === undefined ? undefined : Number(cursor);
  throw new InputError("option_invalid", "the cursor is none; use one that came with an earlier part of the list");
}
