/**
 * The store in Redis or a Redis Cluster, for many persons and several processes. docs/redis.md describes the keys,
 * scripts.ts has the atomic steps, loading.ts reads a graph. Needs the package `@redis/client`.
 */
import { randomBytes } from "node:crypto";
import { StoreError } from "../../../errors.js";
import type { EmbedderIdentity } from "../../../ports/embedder.js";
import {
  type Batch,
  type ErasedCounts,
  type ExpiredInteraction,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type Outcome,
  type OutcomeCounts,
  type PersonSelection,
  type PersonSnapshot,
  type SalvagedPerson,
  type Store,
  type StoreDamage,
  type StoreDescription,
  type StoredTrace,
  continuesTurns,
} from "../../../ports/store.js";
import { packBatch, refusal, removedMemories } from "./batch.js";
import { readCached, writeCached } from "./cached-bytes.js";
import type { RedisArgument, RedisReply } from "./client.js";
import { type RedisCommand, RedisConnection } from "./connection.js";
import { headless, throwLost } from "./counts.js";
import { reportDamage } from "./damage-report.js";
import { findPersons, salvagePerson } from "./salvage.js";
import { DamagedRowError, aboutPerson } from "./damage.js";
import { listEverything } from "./erasure.js";
import { RedisExpiries } from "./expiries.js";
import { RedisHistory } from "./history.js";
import { type RedisServer, inspectServers, refuseEviction } from "./inspection.js";
import { RedisKeys } from "./keys.js";
import { loadPerson, toCount } from "./loading.js";
import { type RedisOptions, parseRedisOptions } from "./options.js";
import { RedisPersons } from "./persons.js";
import { recoverSettings } from "./recovery.js";
import { RedisRows, toTexts } from "./rows.js";
import { acceptScript, applyScript, forgetScript } from "./scripts.js";
import { RedisSettings, hasSettings, schemaVersion } from "./settings.js";
import { claimScript, releaseScript } from "./small-scripts.js";
import { readTokens } from "./tokens.js";

export { type RedisOptions, type RedisTlsOptions, isRedisUrl } from "./options.js";
export type { RedisServer } from "./inspection.js";

const movedTriesMax = 50;
/** More arguments than this are not sent in vain. */
const argumentsUnconfirmedMax = 1_000;

export interface RedisView {
  readonly location: string;
  /** As the address specifies. */
  readonly waitReplicas: number;
  /** Whether a memory was ever opened there. */
  readonly hasMemory: boolean;
  readonly servers: readonly RedisServer[];
}

interface WriteReply {
  readonly answer: string;
  readonly rest: readonly RedisReply[];
  /** Tried before, and perhaps done then. */
  readonly isRepeated: boolean;
}

export class RedisStore implements Store {
  readonly kind = "redis";
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #persons: RedisPersons;
  readonly #expiries: RedisExpiries;
  readonly #rows: RedisRows;
  readonly #history: RedisHistory;
  readonly #settings: RedisSettings;

  static async open(options: RedisOptions): Promise<RedisStore> {
    const connection = await RedisConnection.open(parseRedisOptions(options));
    try {
      const keys = new RedisKeys(connection.target.prefix);
      await refuseEviction(connection);
      const recover = (): ReturnType<typeof recoverSettings> => recoverSettings(connection, keys);
      return new RedisStore(connection, keys, await RedisSettings.open(connection, keys.settings, recover));
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Whether a memory was ever opened at an address. Creates nothing there. */
  static hasMemory(options: RedisOptions): Promise<boolean> {
    return visit(options, hasMemoryAt);
  }

  /** What is at an address. Creates nothing there. */
  static look(options: RedisOptions): Promise<RedisView> {
    return visit(options, async (connection) => {
      const { location, waitReplicas } = connection.target;
      const hasMemory = await hasMemoryAt(connection);
      return { location, waitReplicas, hasMemory, servers: await inspectServers(connection) };
    });
  }

  private constructor(connection: RedisConnection, keys: RedisKeys, settings: RedisSettings) {
    this.#connection = connection;
    this.#keys = keys;
    this.#persons = new RedisPersons(connection, keys);
    this.#expiries = new RedisExpiries(connection, keys);
    this.#settings = settings;
    this.#rows = new RedisRows(settings.cipher);
    this.#history = new RedisHistory(connection, keys, this.#rows);
  }

  /** The bytes of everything in that Redis, including other programs' data. */
  async describe(): Promise<StoreDescription> {
    const servers = await this.inspect();
    return {
      kind: this.kind,
      location: this.#connection.target.location,
      schemaVersion,
      encrypted: this.#settings.cipher.isEncrypting,
      byteCount: servers.reduce((sum, { memoryByteCount }) => sum + memoryByteCount, 0),
    };
  }

  /** What the servers report about themselves, one per master. */
  inspect(): Promise<RedisServer[]> {
    return inspectServers(this.#connection);
  }

  embedder(): Promise<EmbedderIdentity | null> {
    return this.#settings.embedder();
  }

  setEmbedder(identity: EmbedderIdentity): Promise<void> {
    return this.#settings.setEmbedder(identity);
  }

  claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity> {
    return this.#settings.claimEmbedder(identity);
  }

  cached(key: string): Promise<Uint8Array | null> {
    return readCached(this.#connection, this.#keys.cache(key), key);
  }

  cache(key: string, bytes: Uint8Array): Promise<void> {
    return writeCached(this.#connection, this.#keys.cache(key), key, bytes);
  }

  persons(selection: PersonSelection = {}): Promise<string[]> {
    return this.#persons.some(selection);
  }

  personsWithQueue(): Promise<string[]> {
    return this.#persons.withQueue();
  }

  async accept(
    person: string,
    interaction: Interaction,
    outcome: "open" | "queued",
    { mustContinue = false }: { readonly mustContinue?: boolean } = {},
  ): Promise<boolean> {
    const stamp = makeStamp();
    const keys = this.#keys.person(person);
    const { id } = interaction;
    const fields = this.#rows.interactionFields(person, { interaction, outcome, trace: null });
    // A conversation that goes on is entered again.
    const pending = await this.#expiries.begin(person, [interaction], interaction.expiresMs === null ? [] : [id]);
    for (let replaced = ""; ;) {
      const args = [id, outcome, mustContinue ? "1" : "0", stamp, replaced, ...fields];
      const reply = await this.#writeFor(person, "accept", acceptScript, [...keys.fixed, keys.interaction(id)], args);
      if (reply.answer !== "open") {
        await this.#persons.list(person, stamp, reply.rest);
        await this.#expiries.settle(pending, reply.answer === "done");
        return reply.answer === "done";
      }
      const [openStamp, turns] = reply.rest as Buffer[];
      if (!continuesTurns(this.#rows.readTurns(person, id, turns!), interaction.turns)) {
        await this.#expiries.settle(pending, false);
        return false;
      }
      replaced = openStamp!.toString();
    }
  }

  queued(person: string, countMax: number): Promise<Interaction[]> {
    return aboutPerson(person, () => this.#history.queued(person, countMax));
  }

  queuedCount(person: string): Promise<number> {
    return aboutPerson(person, () => this.#history.queuedCount(person));
  }

  history(person: string, selection: HistorySelection = {}): Promise<HistoryEntry[]> {
    return aboutPerson(person, () => this.#history.entries(person, selection));
  }

  expired(nowMs: number, limit: number): Promise<ExpiredInteraction[]> {
    return this.#expiries.expired(nowMs, limit, async (person, id) => {
      const [entry] = await this.history(person, { ids: [id] });
      return entry?.interaction.expiresMs ?? null;
    });
  }

  nextExpiryMs(): Promise<number | null> {
    return this.#expiries.nextMs();
  }

  outcomeCounts(person: string): Promise<OutcomeCounts> {
    return aboutPerson(person, () => this.#history.outcomeCounts(person));
  }

  traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]> {
    return aboutPerson(person, () => this.#history.traces(person, outcomes));
  }

  async revision(person: string): Promise<number> {
    const keys = this.#keys.person(person);
    const value = await aboutPerson(person, () => this.#connection.send("HGET", keys.head, "revision"));
    if (value === null) await aboutPerson(person, () => throwLost(this.#connection, keys, person));
    return toCount(person, "revision", value as Buffer | null);
  }

  load(person: string, sinceRevision = 0): Promise<PersonSnapshot> {
    const keys = this.#keys.person(person);
    return aboutPerson(person, () => loadPerson(this.#connection, keys, this.#rows, person, sinceRevision));
  }

  async apply(person: string, batch: Batch): Promise<number> {
    const stamp = makeStamp();
    const keys = this.#keys.person(person);
    const removed = removedMemories(batch).map((id): RedisCommand => ["HKEYS", keys.neighbors(id)]);
    const neighbors = await aboutPerson(person, () => this.#connection.sendAll(removed));
    const marks = batch.forgetInteractions.length > 0 ? await this.#persons.marks(person) : [];
    const neighborsOfRemoved = neighbors.flatMap(toTexts);
    const pending = await this.#expiries.beginBatch(person, batch);
    const packed = packBatch(person, batch, { keys, rows: this.#rows, stamp, neighborsOfRemoved });
    const { answer, rest, isRepeated } = await this.#writeFor(person, "apply", applyScript, packed.keys, packed.args);
    // If a batch forgot a person's last interaction, nothing is left to carry its stamp.
    const hasForgotten = isRepeated && answer === "stale" && Number(rest[0]) === 0 && marks.length > 0;
    await this.#expiries.settle(pending, hasForgotten || answer === "done");
    if (hasForgotten) await this.#persons.unlist(person, marks);
    if (hasForgotten) return batch.baseRevision + 1;
    if (answer !== "done") throw refusal(person, batch, answer, String(rest[0]));
    const [revision, ...listing] = rest;
    await this.#persons.list(person, stamp, listing);
    if (marks.length > 0 && (await this.revision(person)) === 0) await this.#persons.unlist(person, marks);
    return Number(revision);
  }

  tokens(person: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = this.#keys.person(person);
    return aboutPerson(person, () => readTokens(this.#connection, keys, this.#rows, person, ids));
  }

  async claimQueue(person: string, owner: string, leaseMs: number): Promise<boolean> {
    const { claim } = this.#keys.person(person);
    return Number(await this.#connection.run(claimScript, [claim], [owner, String(leaseMs)])) === 1;
  }

  async releaseQueue(person: string, owner: string): Promise<void> {
    await this.#connection.run(releaseScript, [this.#keys.person(person).claim], [owner]);
  }

  async forgetPerson(person: string): Promise<ErasedCounts> {
    const keys = this.#keys.person(person);
    const marks = await this.#persons.marks(person);
    const expiring = await this.#expiries.allOf(person);
    let repeated: ErasedCounts | undefined;
    for (let tries = 1; tries <= movedTriesMax; tries++) {
      const { revision, sequence, rowKeys, counts } = await listEverything(this.#connection, keys, person);
      const args = [...this.#settings.marks(true), revision, sequence];
      const { answer, isRepeated } = await this.#write("forget", forgetScript, [...keys.fixed, ...rowKeys], args);
      if (answer === "done") {
        await this.#persons.unlist(person, marks);
        await this.#expiries.remove(person, expiring);
        // Nothing was left: the answer to an earlier try was lost.
        return revision === "0" ? (repeated ?? counts) : counts;
      }
      repeated = isRepeated ? counts : undefined;
    }
    throw new StoreError("store_busy", `"${person}" changes too often to be forgotten now; try again`);
  }

  damage(): Promise<StoreDamage[]> {
    return reportDamage(this.#connection, this.#keys, this.#rows, this.#history);
  }

  salvagePersons(): Promise<string[]> {
    return findPersons(this.#connection, this.#keys);
  }

  salvage(person: string): Promise<SalvagedPerson> {
    return salvagePerson(this.#connection, this.#keys, this.#rows, this.#history, person);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** A write under this store's settings, which are confirmed where the person's head does not name them. */
  async #writeFor(
    person: string,
    operation: string,
    script: Parameters<RedisConnection["write"]>[1],
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<WriteReply> {
    let isRepeated = false;
    for (let isConfirmed = args.length > argumentsUnconfirmedMax; ; isConfirmed = true) {
      if (isConfirmed) await this.#settings.confirm();
      const all = [...this.#settings.marks(isConfirmed), ...args];
      const reply = await aboutPerson(person, () => this.#write(operation, script, keys, all));
      isRepeated ||= reply.isRepeated;
      if (reply.answer === "headless") throw headless(person);
      if (reply.answer === "foreign") throw await this.#foreign(person);
      if (reply.answer !== "unconfirmed") return { ...reply, isRepeated };
    }
  }

  async #foreign(person: string): Promise<StoreError> {
    await this.#settings.confirm();
    return new DamagedRowError(person, null, "was written under other settings (encryption_salt)");
  }

  async #write(
    operation: string,
    script: Parameters<RedisConnection["write"]>[1],
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<WriteReply> {
    const { reply, isRepeated } = await this.#connection.write(operation, script, keys, args);
    const [answer, ...rest] = reply as readonly RedisReply[];
    return { answer: String(answer), rest, isRepeated };
  }
}

async function visit<Result>(
  options: RedisOptions,
  work: (connection: RedisConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await RedisConnection.open(parseRedisOptions(options));
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

function hasMemoryAt(connection: RedisConnection): Promise<boolean> {
  return hasSettings(connection, new RedisKeys(connection.target.prefix).settings);
}

/** Lets a script recognize a call it has already executed, when the answer was lost. */
function makeStamp(): string {
  return randomBytes(9).toString("base64url");
}
