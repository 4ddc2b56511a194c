/// <reference lib="esnext.disposable" preserve="true" />
/**
 * The public entry point. `Mnemosyne` opens a store and returns persons; `PersonMemory` is one person's memory.
 * Everything a server, a command line or an evaluation needs goes through here.
 */
import { type BackupOptions, type BackupProgress, type BackupReport, backUp } from "./backup.js";
import { CommitmentQueue } from "./queue/commitment-queue.js";
import { rebuildCoreSummary } from "./core/central.js";
import type { EngineContext } from "./engine/engine-context.js";
import { leaseMsOf } from "./queue/queue-lease.js";
import { QueueTurns } from "./queue/queue-turns.js";
import { forgetExpired } from "./upkeep/forgetting.js";
import { checkFunction, readOptions } from "./engine/given-values.js";
import { parsePerson } from "./engine/interaction.js";
import { type ListenOptions, type MemoryEventName, type MemoryListener, listen } from "./engine/memory-events.js";
import type { ModelCounts } from "./engine/parts.js";
import { PersonState } from "./engine/person-state.js";
import { type ReembeddingProgress, reembedStore } from "./upkeep/transfer/reembedding.js";
import { StoreError } from "./errors.js";
import { type Listing, type ListingOptions, PagedListing } from "./listing.js";
import { type MnemosyneOptions, type StoreOptions, claimStore, closeContext, createContext, warn } from "./opening.js";
import type { Parameters } from "./parameters.js";
import { PersonMemory } from "./person-memory.js";
import { readFlag, readSignal } from "./person-options.js";
import type { EmbedderIdentity } from "./ports/embedder.js";
import type { RecordsDescription } from "./engine/records/opened-store.js";
import { untilAborted } from "./signals.js";

/** More would not be faster, because they share an embedder. */
const queuesAtOnceMax = 16;

interface Person {
  readonly state: PersonState;
  readonly memory: PersonMemory;
  readonly queue: CommitmentQueue;
}

export class Mnemosyne {
  readonly parameters: Parameters;
  readonly #context: EngineContext;
  /** Most recently used last. */
  readonly #persons = new Map<string, Person>();
  readonly #activeQueues = new Set<CommitmentQueue>();
  readonly #queueTurns = new QueueTurns(queuesAtOnceMax);
  #sweeping: NodeJS.Timeout | undefined;

  /** Opens the memory and resumes what an earlier process left in the queue. */
  static async open(options: MnemosyneOptions = {}): Promise<Mnemosyne> {
    const context = await createContext(options);
    try {
      await claimStore(context);
      await warn(context);
      const mnemosyne = new Mnemosyne(context);
      await mnemosyne.#startQueues();
      mnemosyne.#sweepQueues();
      context.expiries.start(async (person) => {
        const state = mnemosyne.#stateOf(person);
        const receipt = await forgetExpired(state);
        if (receipt.coreSummaryRebuilt) await rebuildCoreSummary(state);
        return receipt;
      });
      return mnemosyne;
    } catch (error) {
      await closeContext(context);
      throw error;
    }
  }

  /** Gives every memory in a store new vectors from another embedder. */
  static async reembed(
    options: MnemosyneOptions = {},
    onProgress: (progress: ReembeddingProgress) => void = () => {},
  ): Promise<{ personCount: number; memoryCount: number }> {
    checkFunction(onProgress, "onProgress");
    const context = await createContext(options);
    try {
      return await reembedStore(context.records, context.embedding, context.parameters, onProgress);
    } finally {
      await closeContext(context);
    }
  }

  /** Copies an SQLite file, from one moment and checked, while this or any other process goes on using it. */
  static async backup(
    from: StoreOptions,
    file: string,
    onProgress: (progress: BackupProgress) => void = () => {},
    options: BackupOptions = {},
  ): Promise<BackupReport> {
    checkFunction(onProgress, "onProgress");
    return backUp(from, file, readFlag(options, "replace", "backup's options") === true, onProgress);
  }

  private constructor(context: EngineContext) {
    this.#context = context;
    this.parameters = context.parameters;
  }

  /** One person's memory. Without a name, that of the only one; a name that is undefined is refused. */
  person(name?: string): PersonMemory;
  person(...names: readonly (string | undefined)[]): PersonMemory {
    return this.#open(parsePerson(names.length === 0 ? "default" : names[0]!)).memory;
  }

  /** All persons the store knows, sorted by name. */
  persons(options: ListingOptions = {}): Listing<string> {
    const { records } = this.#context;
    return new PagedListing({
      name: "persons",
      person: null,
      begin: () => ({
        ...readOptions(options, ["limit", "cursor"], "persons' options"),
        readPage: async ({ after, limit }) => {
          const selection = { ...(after === null ? {} : { after }), ...(limit === null ? {} : { limit: limit + 1 }) };
          return (await records.persons(selection)).map((name) => ({ entry: name, place: name }));
        },
      }),
    });
  }

  /** Where and how the memory is kept. */
  async describe(): Promise<MnemosyneDescription> {
    const { records, embedding, reading, modelCalls, profile, timeZone } = this.#context;
    return {
      store: await records.describe(),
      embedder: embedding.identity,
      embedderRuntime: embedding.runtime,
      reader: reading === null ? null : { name: reading.name, runtime: reading.runtime },
      languageModel: modelCalls === null ? null : { name: modelCalls.model.name, counts: modelCalls.counts },
      profile: profile.name,
      timeZone,
    };
  }

  /** Calls `listener` whenever this process does that to anybody's memory; the result ends it. */
  on<Name extends MemoryEventName>(
    event: Name,
    listener: MemoryListener<Name>,
    options: ListenOptions = {},
  ): () => void {
    return listen(this.#context.events, event, listener, null, options);
  }

  /** How many interactions wait to be processed, of everybody; other processes that share the store may work on them, too. */
  async queuedCount(): Promise<number> {
    const { records } = this.#context;
    return (await records.queues()).reduce((sum, { count }) => sum + count, 0);
  }

  /** Waits until everything accepted so far is processed, for all persons. */
  async settled(options: { signal?: AbortSignal } = {}): Promise<void> {
    const signal = readSignal(options, "settled's options");
    signal?.throwIfAborted();
    await untilAborted(Promise.all([...this.#queues()].map((queue) => queue.settled())), signal);
  }

  /** Stops after the interactions in progress; the rest of the queue is processed after the next opening. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#context.expiries.stop();
    await Promise.all([...this.#queues()].map((queue) => queue.stop()));
    await closeContext(this.#context);
  }

  /** For `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Queues of the persons in memory, and of evicted persons whose queues are still working. */
  #queues(): Set<CommitmentQueue> {
    return new Set([...[...this.#persons.values()].map(({ queue }) => queue), ...this.#activeQueues]);
  }

  /** However many queues there are, no more persons stay in memory than the limit allows. */
  async #startQueues(): Promise<void> {
    for (const name of await this.#personsWithQueue()) {
      const hasRoom = this.#persons.size < this.parameters.personsInMemoryMax;
      const { queue } = hasRoom ? this.#open(name) : this.#create(name);
      queue.start();
    }
  }

  /** A damaged list of queues is no reason not to open: what is whole can be read. */
  async #personsWithQueue(): Promise<string[]> {
    const { records, log } = this.#context;
    try {
      return (await records.queues()).map(({ person }) => person);
    } catch (cause) {
      if (!(cause instanceof StoreError && ["store_damaged", "store_corrupt"].includes(cause.code))) throw cause;
      log({ level: "warn", message: `queues could not be resumed: ${cause.message}`, cause });
      return [];
    }
  }

  /** Where several processes share the store, the queues of one that dies go to the others. */
  #sweepQueues(): void {
    const { log } = this.#context;
    const sweep = (): void =>
      void this.#takeOverQueues().catch((cause: unknown) =>
        log({ level: "warn", message: "could not look for queues that other processes left", cause }),
      );
    this.#sweeping = setInterval(sweep, leaseMsOf(this.#context)).unref();
  }

  /** Queues that nobody works on. Their persons do not count as used: those this process serves stay in memory. */
  async #takeOverQueues(): Promise<void> {
    const waiting = (await this.#context.records.queues()).map(({ person }) => person);
    const active = new Set([...this.#activeQueues].map(({ person }) => person));
    for (const name of waiting.filter((person) => !active.has(person))) {
      const { queue } = this.#persons.get(name) ?? this.#create(name);
      queue.takeOver();
    }
  }

  #open(name: string): Person {
    const person = this.#persons.get(name) ?? this.#create(name);
    this.#persons.delete(name);
    this.#persons.set(name, person);
    this.#letGo(person);
    return person;
  }

  #create(name: string): Person {
    const state = new PersonState(name, this.#context);
    const queue = new CommitmentQueue(state, this.#activeQueues, this.#queueTurns);
    return { state, memory: new PersonMemory(state, queue), queue };
  }

  /** That does not count as using the memory of somebody who is not in memory. */
  #stateOf(name: string): PersonState {
    return (this.#persons.get(name) ?? this.#create(name)).state;
  }

  /**
   * Evicts the least recently used persons; callers that still hold one can go on using it, and the store keeps all
   * copies in step.
   */
  #letGo(inUse: Person): void {
    let surplus = this.#persons.size - this.parameters.personsInMemoryMax;
    for (const [name, person] of this.#persons) {
      if (surplus <= 0) return;
      if (person === inUse || !person.queue.isIdle) continue;
      this.#persons.delete(name);
      surplus--;
    }
  }
}

export interface MnemosyneDescription {
  readonly store: RecordsDescription;
  readonly embedder: EmbedderIdentity;
  /** What runs the embedder and why, if it reports that; the first text starts the bundled one. */
  readonly embedderRuntime: string | null;
  /** Null where nobody reads. What runs it is null if it does not report that. */
  readonly reader: { readonly name: string; readonly runtime: string | null } | null;
  /** With the steps it took part in since the opening, by how they went. */
  readonly languageModel: { readonly name: string; readonly counts: ModelCounts } | null;
  readonly profile: string;
  readonly timeZone: string;
}
