/**
 * The public entry point. `Mnemosyne` opens a store and returns persons; `PersonMemory` is one person's memory.
 * Everything a server, a command line or an evaluation needs goes through here.
 */
import { setFlagsFromString } from "node:v8";
import { isNearlyRedisUrl, isRedisUrl } from "./adapters/store/redis/options.js";
import { SqliteStore } from "./adapters/store/sqlite/store.js";
import { MemoryStore } from "./adapters/store/memory/store.js";
import { type EmbedderName, createEmbedder } from "./adapters/embedder/by-name.js";
import type { BundledEmbedderOptions } from "./adapters/embedder/minilm/bundled.js";
import { createJudge } from "./adapters/judge/adapter-judge.js";
import { checkClock } from "./engine/checked-clock.js";
import { CommitmentQueue } from "./engine/commitment/commitment-queue.js";
import { estimateTokens } from "./core/text/tokens.js";
import type { EngineContext, LogEvent } from "./engine/engine-context.js";
import { EmbeddingQueue } from "./engine/embedding-queue.js";
import { leaseMsOf } from "./engine/commitment/queue-lease.js";
import { QueueTurns } from "./engine/commitment/queue-turns.js";
import { checkFlag, checkFunction, readFields } from "./engine/given-values.js";
import { parsePerson } from "./engine/interaction.js";
import { Judging } from "./engine/judging.js";
import { ModelCalls, type ModelCounts } from "./engine/language-model/model-calls.js";
import { PersonState } from "./engine/person-state.js";
import {
  type MigrationOptions,
  type MigrationProgress,
  type MigrationReport,
  migrateStore,
} from "./engine/transfer/migration.js";
import { type ReembeddingProgress, describeInterruption, reembedStore } from "./engine/transfer/reembedding.js";
import { ProfileExamples } from "./engine/commitment/profile-examples.js";
import { RestNote } from "./engine/language-model/rest-note.js";
import { InputError, StoreError } from "./errors.js";
import { checkEmbedder, checkGiven, checkMethods, checkStoreOptions, checkTimeZone, findProfile } from "./options.js";
import { type Parameters, type Preset, parseParameters } from "./parameters.js";
import { PersonMemory } from "./person-memory.js";
import { type Clock, systemClock } from "./ports/clock.js";
import { type Embedder, type EmbedderIdentity, isSameEmbedder } from "./ports/embedder.js";
import type { Judge } from "./ports/judge.js";
import type { LanguageModel } from "./ports/language-model.js";
import type { Store, StoreDescription } from "./ports/store.js";
import { general } from "./profiles/general.js";
import { healthcare } from "./profiles/healthcare.js";
import type { Profile } from "./profiles/profile.js";

export interface StoreOptions {
  /** SQLite file, or a Redis such as `redis://host:6379`; `":memory:"` keeps everything in memory only. */
  readonly path?: string;
  /** Encrypts the file, or texts and vectors in Redis. */
  readonly encryptionKey?: string;
  /** A custom store instead of a path. */
  readonly store?: Store;
}

export interface MnemosyneOptions extends StoreOptions {
  /**
   * A custom embedder, or one by name: "fast" and "portable" are ways to run the bundled one (if omitted, fast where it
   * works and portable elsewhere); "gte-small" is the quality option, whose package you install.
   */
  readonly embedder?: Embedder | EmbedderName;
  /**
   * Judges what is worth remembering, what repeats or changes what, and what answers a question; the bundled one if
   * omitted. `false` leaves it to vectors, examples and words alone, as preset "paper" does.
   */
  readonly judge?: Judge | false;
  readonly languageModel?: LanguageModel;
  /** A profile by name, or a custom one. */
  readonly profile?: "general" | "healthcare" | Profile;
  readonly preset?: Preset;
  /** Override the preset's values. */
  readonly parameters?: Partial<Parameters>;
  readonly clock?: Clock;
  /**
   * IANA name, such as "Europe/London", which decides where days begin and end and what a time without a zone means.
   * The device's own if omitted.
   */
  readonly timeZone?: string;
  /** Counts tokens as your model does; about four letters per token if omitted. */
  readonly countTokens?: (text: string) => number;
  readonly log?: (event: LogEvent) => void;
  /** For small devices: everything in one process and on one thread, with a third of the memory, slower. */
  readonly lite?: boolean;
}

/** More would not be faster, because they share an embedder. */
const queuesAtOnceMax = 16;

export const defaultPath = "mnemosyne.db";
export const profiles: Readonly<Record<"general" | "healthcare", Profile>> = { general, healthcare };

interface Person {
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
      return await reembedStore(context.store, context.embedding, context.parameters, onProgress);
    } finally {
      await closeContext(context);
    }
  }

  /** Copies all persons from one store to another and changes nothing else in either. */
  static async migrate(
    from: StoreOptions,
    to: StoreOptions,
    onProgress: (progress: MigrationProgress) => void = () => {},
    options: MigrationOptions = {},
  ): Promise<MigrationReport> {
    checkFunction(onProgress, "onProgress");
    const [givenSource, givenTarget] = [readStoreOptions(from), readStoreOptions(to)];
    const source = givenSource.store ?? (await openStore(givenSource));
    try {
      const target = givenTarget.store ?? (await openStore(givenTarget));
      try {
        return await migrateStore(source, target, options, onProgress);
      } finally {
        await target.close();
      }
    } finally {
      await source.close();
    }
  }

  private constructor(context: EngineContext) {
    this.#context = context;
    this.parameters = context.parameters;
  }

  /** One person's memory. */
  person(name = "default"): PersonMemory {
    return this.#open(parsePerson(name)).memory;
  }

  /** All persons the store knows. */
  persons(): Promise<string[]> {
    return this.#context.store.persons();
  }

  /** Where and how the memory is kept. */
  async describe(): Promise<MnemosyneDescription> {
    const { store, embedding, modelCalls, profile, timeZone } = this.#context;
    return {
      store: await store.describe(),
      embedder: embedding.identity,
      embedderRuntime: embedding.runtime,
      languageModel: modelCalls === null ? null : { name: modelCalls.model.name, counts: modelCalls.counts },
      profile: profile.name,
      timeZone,
    };
  }

  /** Waits until everything accepted so far is processed, for all persons. */
  async settled(): Promise<void> {
    await Promise.all([...this.#queues()].map((queue) => queue.settled()));
  }

  /** Stops after the interactions in progress; the rest of the queue is processed after the next opening. */
  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#queues()].map((queue) => queue.stop()));
    await closeContext(this.#context);
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
    const { store, log } = this.#context;
    try {
      return await store.personsWithQueue();
    } catch (cause) {
      if (!(cause instanceof StoreError && ["store_damaged", "store_corrupt"].includes(cause.code))) throw cause;
      log({ level: "warn", message: `queues could not be resumed: ${cause.message}`, cause });
      return [];
    }
  }

  /** Where several processes share the store, the queues of one that dies go to the others. */
  #sweepQueues(): void {
    const { store, log } = this.#context;
    if (store.claimQueue === undefined) return;
    const sweep = (): void =>
      void this.#takeOverQueues().catch((cause: unknown) =>
        log({ level: "warn", message: "could not look for queues that other processes left", cause }),
      );
    this.#sweeping = setInterval(sweep, leaseMsOf(this.#context)).unref();
  }

  /** Queues that nobody works on. Their persons do not count as used: those this process serves stay in memory. */
  async #takeOverQueues(): Promise<void> {
    const waiting = await this.#context.store.personsWithQueue();
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
    return { memory: new PersonMemory(state, queue), queue };
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
  readonly store: StoreDescription;
  readonly embedder: EmbedderIdentity;
  /** What runs the embedder and why, if it reports that; the first text starts the bundled one. */
  readonly embedderRuntime: string | null;
  /** With the steps it took part in since the opening, by how they went. */
  readonly languageModel: { readonly name: string; readonly counts: ModelCounts } | null;
  readonly profile: string;
  readonly timeZone: string;
}

async function createContext(given: MnemosyneOptions): Promise<EngineContext> {
  const options = readOptions(given);
  const parameters = parseParameters(options.parameters, options.preset);
  const profile = findProfile(options.profile, profiles);
  if (options.lite === true) keepHeapSmall();
  const timeZone = checkTimeZone(options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const clock = checkClock(options.clock ?? systemClock);
  const embedder = openEmbedder(options);
  const embedding = new EmbeddingQueue(embedder);
  const store = options.store ?? (await openStore(options, options.lite));
  const { languageModel } = options;
  return {
    store,
    embedding,
    judging: openJudge(options, embedder),
    modelCalls:
      languageModel === undefined
        ? null
        : new ModelCalls(languageModel, parameters, new RestNote(store, languageModel)),
    profile,
    examples: new ProfileExamples(profile, embedding, store, parameters),
    parameters,
    clock,
    timeZone,
    countTokens: options.countTokens ?? estimateTokens,
    log: options.log ?? (() => {}),
  };
}

const storeOptionNames = ["path", "encryptionKey", "store"] as const satisfies (keyof StoreOptions)[];
const optionNames = [
  ...storeOptionNames,
  "embedder",
  "judge",
  "languageModel",
  "profile",
  "preset",
  "parameters",
  "clock",
  "timeZone",
  "countTokens",
  "log",
  "lite",
] as const satisfies (keyof MnemosyneOptions)[];

/** Options as plain data, each read once, from a caller who may have no types. */
function readOptions(given: MnemosyneOptions): MnemosyneOptions {
  const options = readFields(given, optionNames, "the options");
  checkGiven(given, optionNames, "the options");
  checkStoreOptions(options);
  checkEmbedder(options.embedder);
  if (options.judge !== false) checkMethods(options.judge, "judge", ["substance", "relation", "relevance", "close"]);
  checkMethods(options.languageModel, "languageModel", ["complete"]);
  checkMethods(options.clock, "clock", ["nowMs"]);
  checkFunction(options.countTokens, "countTokens");
  checkFunction(options.log, "log");
  checkFlag(options.lite, "lite");
  return options as MnemosyneOptions;
}

function readStoreOptions(given: StoreOptions): StoreOptions {
  const options = readFields(given, storeOptionNames, "the options of a store");
  checkGiven(given, storeOptionNames, "the options of a store");
  checkStoreOptions(options);
  return options as StoreOptions;
}

/**
 * For the whole process, from now on: garbage is collected earlier, and space for new objects does not grow. Where the
 * platform is not V8, the heap stays as it is.
 */
function keepHeapSmall(): void {
  try {
    setFlagsFromString("--optimize-for-size");
    setFlagsFromString("--semi-space-growth-factor=1");
  } catch {
    // Only the figures of docs/small-devices.md depend on it.
  }
}

async function warn({ store, log }: EngineContext): Promise<void> {
  for (const message of (await store.describe()).warnings ?? []) log({ level: "warn", message });
}

async function closeContext({ embedding, judging, store, modelCalls }: EngineContext): Promise<void> {
  await embedding.close();
  await judging?.close();
  await modelCalls?.model.close?.();
  await store.close();
}

async function openStore({ path = defaultPath, encryptionKey }: StoreOptions, isInline = false): Promise<Store> {
  if (path === ":memory:") return new MemoryStore();
  const encryption = encryptionKey === undefined ? {} : { encryptionKey };
  if (isNearlyRedisUrl(path)) {
    const message = `path "${path}" looks like an address; write redis://host:port, or ./${path} for a file of that name`;
    throw new InputError("option_invalid", message);
  }
  if (!isRedisUrl(path)) return SqliteStore.open({ path, isInline, ...encryption });
  const { RedisStore } = await import("./adapters/store/redis/store.js");
  return RedisStore.open({ url: path, ...encryption });
}

function openEmbedder({ embedder, ...options }: MnemosyneOptions): Embedder {
  return typeof embedder === "object" ? embedder : createEmbedder(embedder, bundledOptions(options));
}

/** The bundled judge shares the bundled embedder's weights where that is the embedder. */
function openJudge({ judge, preset, ...options }: MnemosyneOptions, embedder: Embedder): Judging | null {
  if (judge === false || (judge === undefined && preset === "paper")) return null;
  return new Judging(judge ?? createJudge(embedder, bundledOptions(options)));
}

function bundledOptions({ lite, log = () => {} }: MnemosyneOptions): Omit<BundledEmbedderOptions, "way"> {
  return {
    isLite: lite === true,
    onFallback: (reason) =>
      log({
        level: "info",
        message: `the bundled embedder runs the portable way because the fast way does not work: ${reason}`,
      }),
  };
}

/** A store belongs to the embedder that filled it: vectors of two embedders cannot be compared. */
async function claimStore({ store, embedding: { identity } }: EngineContext): Promise<void> {
  const owner = (await store.embedder()) ?? (await store.claimEmbedder(identity));
  if (isSameEmbedder(owner, identity)) return;
  const interruption = describeInterruption(owner);
  if (interruption !== null) {
    const remedy =
      "finish it with `mnemosyne reembed` with the same --embedder as now, or with `Mnemosyne.reembed` and any embedder you want to use from now on";
    throw new StoreError("embedder_mismatch", `${interruption}; ${remedy}`);
  }
  throw new StoreError(
    "embedder_mismatch",
    `the store was filled by embedder "${owner.name}" (${owner.dimensions} dimensions), but this is "${identity.name}" (${identity.dimensions}); open it with the first, or give every memory new vectors with \`mnemosyne reembed\` and the same --embedder as now`,
  );
}
