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
import { plainCipher } from "./cipher.js";
import { packBatch, refusal } from "./batch.js";
import { type CellPlace, openCell, packCell } from "./cells.js";
import type { RedisArgument, RedisReply } from "./client.js";
import { type RedisCommand, RedisConnection, type RedisScript } from "./connection.js";
import { askList, headless, throwLost } from "./counts.js";
import { DamagedRowError, aboutPerson, toDamage } from "./damage.js";
import { RedisExamination } from "./examination.js";
import { RedisHistory } from "./history.js";
import { type RedisServer, inspectServers, refuseEviction } from "./inspection.js";
import { RedisKeys } from "./keys.js";
import { loadPerson, toCount } from "./loading.js";
import { type RedisOptions, parseRedisOptions } from "./options.js";
import { listEverything } from "./person-rows.js";
import { RedisPersons } from "./persons.js";
import { RedisRows, toScores } from "./rows.js";
import { acceptScript, applyScript, forgetScript } from "./scripts.js";
import { RedisSettings, hasSettings, schemaVersion } from "./settings.js";
import { claimScript, releaseScript } from "./small-scripts.js";

export { type RedisOptions, type RedisTlsOptions, isRedisUrl } from "./options.js";
export type { RedisServer } from "./inspection.js";

const personsPerPage = 1_000;
const triesMax = 50;

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
  readonly #rows: RedisRows;
  readonly #history: RedisHistory;
  readonly #settings: RedisSettings;

  static async open(options: RedisOptions): Promise<RedisStore> {
    const connection = await RedisConnection.open(parseRedisOptions(options));
    try {
      const keys = new RedisKeys(connection.target.prefix);
      await refuseEviction(connection);
      const settings = await RedisSettings.open(connection, keys.settings, async (cipher) => {
        const [person] = await new RedisPersons(connection, keys).some({ limit: 1 });
        const history = new RedisHistory(connection, keys, new RedisRows(cipher));
        return person === undefined || history.entries(person, { limit: 1 }).then(() => true, isReadable);
      });
      return new RedisStore(connection, keys, settings);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Whether a memory was ever opened at an address. Creates nothing there. */
  static hasMemory(options: RedisOptions): Promise<boolean> {
    return visit(options, hasMemoryAt);
  }

  /** The servers at an address, one per master. Creates nothing there. */
  static servers(options: RedisOptions): Promise<RedisServer[]> {
    return visit(options, inspectServers);
  }

  private constructor(connection: RedisConnection, keys: RedisKeys, settings: RedisSettings) {
    this.#connection = connection;
    this.#keys = keys;
    this.#persons = new RedisPersons(connection, keys);
    this.#settings = settings;
    this.#rows = new RedisRows(settings.cipher);
    this.#history = new RedisHistory(connection, keys, this.#rows);
  }

  /** The bytes of everything in that Redis, including other programs' data. */
  async describe(): Promise<StoreDescription> {
    const servers = await inspectServers(this.#connection);
    return {
      kind: this.kind,
      location: this.#connection.target.location,
      schemaVersion,
      encrypted: this.#settings.cipher.isEncrypting,
      byteCount: servers.reduce((sum, { memoryByteCount }) => sum + memoryByteCount, 0),
    };
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

  /** What is damaged counts as not there: it can be computed again. */
  async cached(key: string): Promise<Uint8Array | null> {
    const cell = (await this.#connection.send("GET", this.#keys.cache(key))) as Buffer | null;
    try {
      return cell === null ? null : new Uint8Array(openCell(plainCipher, cachePlace(key), cell));
    } catch (error) {
      toDamage(error);
      return null;
    }
  }

  async cache(key: string, bytes: Uint8Array): Promise<void> {
    await this.#connection.send("SET", this.#keys.cache(key), packCell(plainCipher, cachePlace(key), bytes));
  }

  persons(selection: PersonSelection = {}): Promise<string[]> {
    return this.#persons.some(selection);
  }

  personsWithQueue(): Promise<string[]> {
    return this.#persons.having("queue");
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
    const expires = String(interaction.expiresMs ?? "");
    for (let replaced = ""; ;) {
      const args = [id, outcome, mustContinue ? "1" : "0", stamp, replaced, expires, ...fields];
      const reply = await this.#writeFor(person, "accept", acceptScript, [...keys.fixed, keys.interaction(id)], args);
      if (reply.answer !== "open") {
        await this.#persons.list(person, stamp, reply.rest);
        return reply.answer === "done";
      }
      const [openStamp, body] = reply.rest as Buffer[];
      if (!continuesTurns(this.#rows.readTurns(person, id, body!), interaction.turns)) return false;
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

  async expired(nowMs: number, limit: number): Promise<ExpiredInteraction[]> {
    const expiring = await this.#expiring(["-inf", String(nowMs), "BYSCORE", "LIMIT", "0", String(limit)]);
    return expiring.slice(0, limit).map(({ person, id }) => ({ person, id }));
  }

  async nextExpiryMs(): Promise<number | null> {
    return (await this.#expiring(["0", "0"]))[0]?.expiresMs ?? null;
  }

  /** A part of each person's list of what expires, the next first. */
  async #expiring(range: readonly string[]): Promise<(ExpiredInteraction & { readonly expiresMs: number })[]> {
    const found: (ExpiredInteraction & { readonly expiresMs: number })[] = [];
    const persons = await this.#persons.having("expiries");
    const ask = async (person: string): Promise<void> => {
      const keys = this.#keys.person(person);
      const command: RedisCommand = ["ZRANGE", keys.expiries, ...range, "WITHSCORES"];
      const reply = await aboutPerson(person, () => askList(this.#connection, keys, person, "expiries", command));
      for (const [id, expiresMs] of toScores(reply)) found.push({ person, id, expiresMs });
    };
    for (let from = 0; from < persons.length; from += personsPerPage) {
      await Promise.all(persons.slice(from, from + personsPerPage).map(ask));
    }
    return found.sort((x, y) => x.expiresMs - y.expiresMs);
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
    const listed = batch.forgetInteractions.length > 0 ? await this.#persons.entriesOf(person) : [];
    for (let tries = 1; tries <= triesMax; tries++) {
      const packing = { connection: this.#connection, keys, rows: this.#rows, stamp };
      const packed = await aboutPerson(person, () => packBatch(person, batch, packing));
      const reply = await this.#writeFor(person, "apply", applyScript, packed.keys, packed.args);
      const { answer, rest, isRepeated } = reply;
      if (answer === "moved") continue;
      // If a batch forgot a person's last interaction, nothing is left to carry its stamp.
      const hasForgotten = isRepeated && answer === "stale" && Number(rest[0]) === 0 && listed.length > 0;
      if (hasForgotten) await this.#persons.unlist(listed);
      if (hasForgotten) return batch.baseRevision + 1;
      if (answer !== "done") throw refusal(person, batch, answer, String(rest[0]));
      const [revision, ...listing] = rest;
      await this.#persons.list(person, stamp, listing);
      if (listed.length > 0 && (await this.revision(person)) === 0) await this.#persons.unlist(listed);
      return Number(revision);
    }
    throw tooBusy(person, "written");
  }

  /** What is damaged counts as missing: it can be made again. */
  async tokens(person: string, ids: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const keys = this.#keys.person(person);
    const commands = ids.map((id): RedisCommand => ["HGET", keys.memory(id), "tokens"]);
    const cells = await aboutPerson(person, () => this.#connection.sendAll(commands));
    const found = new Map<string, Uint8Array>();
    for (const [i, id] of ids.entries()) {
      try {
        const bytes = this.#rows.readTokens(person, id, cells[i] as Buffer | null);
        if (bytes !== null) found.set(id, bytes);
      } catch (error) {
        toDamage(error);
      }
    }
    return found;
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
    const listed = await this.#persons.entriesOf(person);
    let repeated: ErasedCounts | undefined;
    for (let tries = 1; tries <= triesMax; tries++) {
      const { revision, sequence, rowKeys, counts } = await listEverything(this.#connection, keys, person);
      const args = [revision, sequence];
      const { answer, isRepeated } = await this.#write("forget", forgetScript, [...keys.fixed, ...rowKeys], args);
      if (answer === "done") {
        await this.#persons.unlist(listed);
        // Nothing was left: the answer to an earlier try was lost.
        return revision === "0" ? (repeated ?? counts) : counts;
      }
      repeated = isRepeated ? counts : undefined;
    }
    throw tooBusy(person, "forgotten");
  }

  damage(): Promise<StoreDamage[]> {
    return this.#examination().damage();
  }

  salvage(person: string): Promise<SalvagedPerson> {
    return this.#examination().salvage(person);
  }

  #examination(): RedisExamination {
    return new RedisExamination(this.#connection, this.#keys, this.#rows, this.#history);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #writeFor(
    person: string,
    operation: string,
    script: RedisScript,
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<WriteReply> {
    const reply = await aboutPerson(person, () => this.#write(operation, script, keys, args));
    if (reply.answer === "headless") throw headless(person);
    return reply;
  }

  async #write(
    operation: string,
    script: RedisScript,
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

/** Damage other than a value that cannot be opened says nothing about the key. */
function isReadable(error: unknown): boolean {
  return !(error instanceof DamagedRowError);
}

function cachePlace(field: string): CellPlace {
  return { person: "", kind: "cache", id: "", field };
}

function tooBusy(person: string, done: string): StoreError {
  return new StoreError("store_busy", `"${person}" changes too often to be ${done} now; try again`);
}

/** Lets a script recognize a call it has already executed, when the answer was lost. */
function makeStamp(): string {
  return randomBytes(9).toString("base64url");
}
