/**
 * The store in Redis or a Redis Cluster, for many persons and several processes. docs/redis.md describes the keys,
 * scripts.ts has the atomic steps, loading.ts reads a graph. Needs the package `@redis/client`.
 */
import { randomBytes } from "node:crypto";
import { StaleRevisionError, StoreError } from "../../../errors.js";
import type { EmbedderIdentity } from "../../../ports/embedder.js";
import {
  type Batch,
  type ErasedCounts,
  type HistoryEntry,
  type HistorySelection,
  type Interaction,
  type KeptMetaVector,
  type Outcome,
  type OutcomeCounts,
  type PersonSnapshot,
  type Store,
  type StoreDescription,
  type StoredTrace,
  continuesTurns,
} from "../../../ports/store.js";
import { missingMemory, packBatch, removedMemories } from "./batch.js";
import type { RedisCipher } from "./cipher.js";
import type { RedisArgument, RedisReply } from "./client.js";
import { type RedisCommand, RedisConnection } from "./connection.js";
import { RedisHistory } from "./history.js";
import { type RedisServer, inspectServers } from "./inspection.js";
import { RedisKeys } from "./keys.js";
import { loadPerson } from "./loading.js";
import { type RedisOptions, parseRedisOptions } from "./options.js";
import { RedisPersons } from "./persons.js";
import { RedisRows, toTexts } from "./rows.js";
import { acceptScript, applyScript, claimScript, forgetScript, keepMetaScript, releaseScript } from "./scripts.js";
import { hasSettings, openSettings, schemaVersion } from "./settings.js";

export { type RedisOptions, type RedisTlsOptions, isRedisUrl } from "./options.js";
export type { RedisServer } from "./inspection.js";

const metaVectorsPerPage = 500;
const movedTriesMax = 50;

export interface RedisView {
  readonly location: string;
  /** As the address specifies. */
  readonly waitReplicas: number;
  /** Whether a memory was ever opened there. */
  readonly hasMemory: boolean;
  readonly servers: readonly RedisServer[];
}

export class RedisStore implements Store {
  readonly kind = "redis";
  readonly #connection: RedisConnection;
  readonly #keys: RedisKeys;
  readonly #persons: RedisPersons;
  readonly #rows: RedisRows;
  readonly #history: RedisHistory;
  readonly #isEncrypted: boolean;

  static async open(options: RedisOptions): Promise<RedisStore> {
    const connection = await RedisConnection.open(parseRedisOptions(options));
    try {
      const keys = new RedisKeys(connection.target.prefix);
      return new RedisStore(connection, keys, await openSettings(connection, keys.settings));
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

  private constructor(connection: RedisConnection, keys: RedisKeys, cipher: RedisCipher) {
    this.#connection = connection;
    this.#keys = keys;
    this.#persons = new RedisPersons(connection, keys);
    this.#rows = new RedisRows(cipher);
    this.#history = new RedisHistory(connection, keys, this.#rows);
    this.#isEncrypted = cipher.isEncrypting;
  }

  /** The bytes of everything in that Redis, including other programs' data. */
  async describe(): Promise<StoreDescription> {
    const servers = await this.inspect();
    return {
      kind: this.kind,
      location: this.#connection.target.location,
      schemaVersion,
      encrypted: this.#isEncrypted,
      byteCount: servers.reduce((sum, { memoryByteCount }) => sum + memoryByteCount, 0),
    };
  }

  /** What the servers report about themselves, one per master. */
  inspect(): Promise<RedisServer[]> {
    return inspectServers(this.#connection);
  }

  async embedder(): Promise<EmbedderIdentity | null> {
    const value = await this.#connection.send("HGET", this.#keys.settings, "embedder");
    return value === null ? null : (JSON.parse(value.toString()) as EmbedderIdentity);
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    await this.#connection.send("HSET", this.#keys.settings, "embedder", JSON.stringify(identity));
  }

  async claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity> {
    await this.#connection.send("HSETNX", this.#keys.settings, "embedder", JSON.stringify(identity));
    return (await this.embedder())!;
  }

  async cached(key: string): Promise<Uint8Array | null> {
    const bytes = await this.#connection.send("GET", this.#keys.cache(key));
    return bytes === null ? null : new Uint8Array(bytes as Buffer);
  }

  async cache(key: string, bytes: Uint8Array): Promise<void> {
    await this.#connection.send("SET", this.#keys.cache(key), Buffer.from(bytes));
  }

  persons(): Promise<string[]> {
    return this.#persons.all();
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
    for (let replaced = ""; ;) {
      const args = [id, outcome, mustContinue ? "1" : "0", stamp, replaced, ...fields];
      const reply = await this.#write("accept", acceptScript, [...keys.fixed, keys.interaction(id)], args);
      if (reply.answer !== "open") {
        await this.#persons.list(person, stamp, reply.rest);
        return reply.answer === "done";
      }
      const [openStamp, turns] = reply.rest as Buffer[];
      if (!continuesTurns(this.#rows.readTurns(person, id, turns!), interaction.turns)) return false;
      replaced = openStamp!.toString();
    }
  }

  queued(person: string, countMax: number): Promise<Interaction[]> {
    return this.#history.queued(person, countMax);
  }

  queuedCount(person: string): Promise<number> {
    return this.#history.queuedCount(person);
  }

  history(person: string, selection: HistorySelection = {}): Promise<HistoryEntry[]> {
    return this.#history.entries(person, selection);
  }

  outcomeCounts(person: string): Promise<OutcomeCounts> {
    return this.#history.outcomeCounts(person);
  }

  traces(person: string, outcomes: readonly Outcome[]): Promise<StoredTrace[]> {
    return this.#history.traces(person, outcomes);
  }

  async revision(person: string): Promise<number> {
    return Number((await this.#connection.send("HGET", this.#keys.person(person).head, "revision")) ?? 0);
  }

  load(person: string, sinceRevision = 0): Promise<PersonSnapshot> {
    return loadPerson(this.#connection, this.#keys.person(person), this.#rows, person, sinceRevision);
  }

  async apply(person: string, batch: Batch): Promise<number> {
    const stamp = makeStamp();
    const keys = this.#keys.person(person);
    const neighbors = await this.#connection.sendAll(
      removedMemories(batch).map((id): RedisCommand => ["HKEYS", keys.neighbors(id)]),
    );
    const marks = batch.forgetInteractions.length > 0 ? await this.#persons.marks(person) : [];
    const neighborsOfRemoved = neighbors.flatMap(toTexts);
    const packed = packBatch(person, batch, { keys, rows: this.#rows, stamp, neighborsOfRemoved });
    const { answer, rest, isRepeated } = await this.#write("apply", applyScript, packed.keys, packed.args);
    // If a batch forgot a person's last interaction, nothing is left to carry its stamp.
    const hasForgotten = isRepeated && answer === "stale" && Number(rest[0]) === 0 && marks.length > 0;
    if (hasForgotten) await this.#persons.unlist(person, marks);
    if (hasForgotten) return batch.baseRevision + 1;
    if (answer !== "done") throw refusal(person, batch, answer, String(rest[0]));
    const [revision, ...listing] = rest;
    await this.#persons.list(person, stamp, listing);
    if (marks.length > 0 && (await this.revision(person)) === 0) await this.#persons.unlist(person, marks);
    return Number(revision);
  }

  async keepMetaVectors(person: string, vectors: readonly KeptMetaVector[]): Promise<void> {
    const keys = this.#keys.person(person);
    for (let from = 0; from < vectors.length; from += metaVectorsPerPage) {
      const page = vectors.slice(from, from + metaVectorsPerPage);
      const rows = page.map((kept) => this.#rows.metaFields(person, kept));
      const args = rows.flatMap((fields) => [String(fields.length), ...fields]);
      const memoryKeys = page.map(({ id }) => keys.memory(id));
      await this.#connection.run(keepMetaScript, memoryKeys, args);
    }
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
    let repeated: ErasedCounts | undefined;
    for (let tries = 1; tries <= movedTriesMax; tries++) {
      const { revision, sequence, interactionIds, memoryIds, counts } = await this.#everythingOf(person);
      const touched = [
        ...keys.fixed,
        ...interactionIds.map((id) => keys.interaction(id)),
        ...memoryIds.map((id) => keys.memory(id)),
        ...memoryIds.map((id) => keys.neighbors(id)),
      ];
      const { answer, isRepeated } = await this.#write("forget", forgetScript, touched, [revision, sequence]);
      if (answer === "done") {
        await this.#persons.unlist(person, marks);
        // Nothing was left: the answer to an earlier try was lost.
        return revision === "0" ? (repeated ?? counts) : counts;
      }
      repeated = isRepeated ? counts : undefined;
    }
    throw new StoreError("store_busy", `"${person}" changes too often to be forgotten now; try again`);
  }

  async #everythingOf(person: string): Promise<{
    revision: string;
    sequence: string;
    interactionIds: string[];
    memoryIds: string[];
    counts: ErasedCounts;
  }> {
    const keys = this.#keys.person(person);
    const [head, history, memories] = await this.#connection.sendInOrder([
      ["HMGET", keys.head, "revision", "sequence"],
      ["ZRANGE", keys.history, "0", "-1"],
      ["ZRANGE", keys.memories, "0", "-1"],
    ]);
    const [revision, sequence] = (head as (Buffer | null)[]).map((value) => value?.toString() ?? "0");
    const [interactionIds, memoryIds] = [toTexts(history!), toTexts(memories!)];
    const degrees = await this.#connection.sendAll(memoryIds.map((id): RedisCommand => ["HLEN", keys.neighbors(id)]));
    const edgeEnds = degrees.reduce<number>((sum, degree) => sum + Number(degree), 0);
    const counts = { interactions: interactionIds.length, memories: memoryIds.length, edges: edgeEnds / 2 };
    return { revision: revision!, sequence: sequence!, interactionIds, memoryIds, counts };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #write(
    operation: string,
    script: Parameters<RedisConnection["write"]>[1],
    keys: readonly string[],
    args: readonly RedisArgument[],
  ): Promise<{ answer: string; rest: readonly RedisReply[]; isRepeated: boolean }> {
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

function refusal(person: string, { baseRevision }: Batch, answer: string, about: string): StoreError {
  if (answer === "stale") return new StaleRevisionError(person, baseRevision, Number(about));
  if (answer === "no memory") return missingMemory(about);
  const trouble =
    answer === "known"
      ? `accepts "${about}", which already exists`
      : `makes a memory of "${about}", which does not exist`;
  return new StoreError("store_corrupt", `apply ${trouble}; nothing was changed`);
}
