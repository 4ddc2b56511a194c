/**
 * Opening and closing: options from a caller become the store, the models and the settings that the engine works with.
 */
import { BundledEmbedder, type BundledEmbedderOptions } from "./adapters/encoder/bundled.js";
import type { EncoderWay } from "./adapters/encoder/encoder-process.js";
import { createReader } from "./adapters/encoder/reader.js";
import { estimateTokens } from "./text/tokens.js";
import type { EngineContext, LogEvent } from "./engine/engine-context.js";
import { EmbeddingQueue } from "./engine/embedding-queue.js";
import { checkFunction, readFields } from "./engine/given-values.js";
import { ReadingQueue } from "./reader/reading-queue.js";
import { ModelTurns } from "./engine/model-turns.js";
import { ExpirySweeper } from "./upkeep/expiry-sweeper.js";
import { CoreMemoryWriter } from "./core/core.js";
import { MemoryEmitter } from "./engine/memory-events.js";
import { ModelCalls } from "./model/model-calls.js";
import { describeInterruption } from "./upkeep/transfer/reembedding.js";
import { Records } from "./engine/records/records.js";
import { ProfileExamples } from "./reader/profile-examples.js";
import { InputError, StoreError } from "./errors.js";
import {
  checkClock,
  checkEmbedder,
  checkGiven,
  checkReader,
  checkMethods,
  checkStoreOptions,
  checkTimeZone,
  findProfile,
} from "./options.js";
import { type Parameters, type Preset, parseParameters } from "./parameters.js";
import { type Clock, systemClock } from "./ports/clock.js";
import { type Embedder, isSameEmbedder } from "./ports/embedder.js";
import type { Reader } from "./ports/reader.js";
import type { LanguageModel } from "./ports/language-model.js";
import { general } from "./profiles/general.js";
import { healthcare } from "./profiles/healthcare.js";
import type { Profile } from "./profiles/profile.js";
import { Codec } from "./stores/codec.js";
import { MemoryStore } from "./stores/memory/store.js";
import { isPostgresUrl } from "./stores/postgres/options.js";
import { isNearlyRedisUrl, isRedisUrl } from "./stores/redis/options.js";
import { SqliteStore } from "./stores/sqlite/store.js";
import type { Store } from "./stores/store.js";

export interface StoreOptions {
  /** SQLite file, or an address such as `redis://host:6379` or `postgres://host/name`; `":memory:"` keeps all in memory. */
  readonly path?: string;
  /** Encrypts every record, and names and ids. */
  readonly encryptionKey?: string;
  /** A custom store instead of a path. */
  readonly store?: Store;
}

export interface MnemosyneOptions extends StoreOptions {
  /**
   * A custom embedder, or a way to run the bundled one: "fast" or "portable"; if omitted, fast where it works and
   * portable elsewhere.
   */
  readonly embedder?: Embedder | EncoderWay;
  /**
   * Reads what each statement tells, and which statements repeat or end others; the bundled one if omitted. `false` leaves
   * it to vectors, examples and words alone, as preset "paper" does.
   */
  readonly reader?: Reader | false;
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
}

export const defaultPath = "mnemosyne.db";
export const profiles: Readonly<Record<"general" | "healthcare", Profile>> = { general, healthcare };

export async function createContext(given: MnemosyneOptions): Promise<EngineContext> {
  const options = readOptions(given);
  const parameters = parseParameters(options.parameters, options.preset);
  const profile = findProfile(options.profile, profiles);
  const timeZone = checkTimeZone(options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  const clock = checkClock(options.clock ?? systemClock);
  const embedder = openEmbedder(options);
  const turns = new ModelTurns();
  const embedding = new EmbeddingQueue(embedder, turns);
  const { languageModel, log = () => {} } = options;
  const records = await openRecords(options, log);
  const reading = openReader(options, embedder, turns);
  return {
    records,
    embedding,
    reading,
    core: new CoreMemoryWriter({ profile, parameters, timeZone, reading }),
    modelCalls: languageModel === undefined ? null : new ModelCalls(languageModel, parameters),
    profile,
    examples: new ProfileExamples(profile, { embedding, records, log }),
    parameters,
    clock,
    timeZone,
    countTokens: options.countTokens ?? estimateTokens,
    log,
    events: new MemoryEmitter(log),
    expiries: new ExpirySweeper({ records, clock, log }),
  };
}

const storeOptionNames = ["path", "encryptionKey", "store"] as const satisfies (keyof StoreOptions)[];
const optionNames = [
  ...storeOptionNames,
  "embedder",
  "reader",
  "languageModel",
  "profile",
  "preset",
  "parameters",
  "clock",
  "timeZone",
  "countTokens",
  "log",
] as const satisfies (keyof MnemosyneOptions)[];

/** Options as plain data, each read once, from a caller who may have no types. */
function readOptions(given: MnemosyneOptions): MnemosyneOptions {
  const options = readFields(given, optionNames, "the options");
  checkGiven(given, optionNames, "the options");
  checkStoreOptions(options);
  checkEmbedder(options.embedder);
  checkReader(options.reader);
  checkMethods(options.languageModel, "languageModel", ["complete"]);
  checkMethods(options.clock, "clock", ["nowMs"]);
  checkFunction(options.countTokens, "countTokens");
  checkFunction(options.log, "log");
  return options as MnemosyneOptions;
}

export function readStoreOptions(given: StoreOptions): StoreOptions {
  const options = readFields(given, storeOptionNames, "the options of a store");
  checkGiven(given, storeOptionNames, "the options of a store");
  checkStoreOptions(options);
  return options as StoreOptions;
}

export async function warn({ records, log }: EngineContext): Promise<void> {
  for (const message of (await records.describe()).warnings ?? []) log({ level: "warn", message });
}

export async function closeContext({
  embedding,
  reading,
  records,
  modelCalls,
  expiries,
}: EngineContext): Promise<void> {
  await expiries.stop();
  await embedding.close();
  await reading?.close();
  await modelCalls?.model.close?.();
  await records.close();
}

/** The store of the options and what the engine keeps in it; closed again if it has another format or key. */
export async function openRecords(options: StoreOptions, log?: (event: LogEvent) => void): Promise<Records> {
  const codec = toCodec(options);
  const store = options.store ?? (await openStore(options.path ?? defaultPath));
  try {
    return await Records.open(store, codec, log);
  } catch (error) {
    await store.close();
    throw error;
  }
}

export function toCodec({ encryptionKey }: StoreOptions): Codec {
  if (encryptionKey === undefined || (typeof encryptionKey === "string" && encryptionKey !== "")) {
    return new Codec(encryptionKey);
  }
  throw new InputError("option_invalid", "the encryption key is empty; omit it for a store without encryption");
}

/** Not an address, and not `:memory:`. */
export function isFilePath(path: string): boolean {
  return path !== ":memory:" && !isRedisUrl(path) && !isPostgresUrl(path);
}

export async function openStore(path: string): Promise<Store> {
  if (path === ":memory:") return new MemoryStore();
  if (isNearlyRedisUrl(path)) {
    const message = `path "${path}" looks like an address; write redis://host:port, or ./${path} for a file of that name`;
    throw new InputError("option_invalid", message);
  }
  if (isRedisUrl(path)) return (await import("./stores/redis/store.js")).RedisStore.open({ url: path });
  if (isPostgresUrl(path)) return (await import("./stores/postgres/store.js")).PostgresStore.open({ url: path });
  return SqliteStore.open({ path });
}

function openEmbedder({ embedder, log }: MnemosyneOptions): Embedder {
  if (typeof embedder === "object") return embedder;
  return new BundledEmbedder({ ...bundledOptions(log), ...(embedder === undefined ? {} : { way: embedder }) });
}

/** The bundled reader shares the bundled embedder's weights, and takes turns with it, where that is the embedder. */
function openReader(
  { reader, preset, log }: MnemosyneOptions,
  embedder: Embedder,
  turns: ModelTurns,
): ReadingQueue | null {
  if (reader === false || (reader === undefined && preset === "paper")) return null;
  const reads = reader ?? createReader(embedder, bundledOptions(log));
  const readsAlong = reads.readsFor?.(embedder) ?? false;
  const ownTurns = reader === undefined ? new ModelTurns() : new ModelTurns(Infinity);
  return new ReadingQueue(reads, { turns: readsAlong ? turns : ownTurns, readsAlong });
}

function bundledOptions(log: MnemosyneOptions["log"]): BundledEmbedderOptions {
  const message = "the bundled encoder runs as WebAssembly because native code does not work";
  return { onFallback: (reason) => log?.({ level: "info", message: `${message}: ${reason}` }) };
}

/** A store belongs to the embedder that filled it: vectors of two embedders cannot be compared. */
export async function claimStore({ records, embedding: { identity } }: EngineContext): Promise<void> {
  const owner = (await records.embedder()) ?? (await records.claimEmbedder(identity));
  if (isSameEmbedder(owner, identity)) return;
  const interruption = describeInterruption(owner);
  if (interruption !== null) {
    const remedy =
      "finish it with `mnemosyne reembed`, or with `Mnemosyne.reembed` and any embedder you want to use from now on";
    throw new StoreError("embedder_mismatch", `${interruption}; ${remedy}`);
  }
  throw new StoreError(
    "embedder_mismatch",
    `the store was filled by embedder "${owner.name}" (${owner.dimensions} dimensions), but this is "${identity.name}" (${identity.dimensions}); open it with the first, or give every memory new vectors with \`mnemosyne reembed\` or \`Mnemosyne.reembed\``,
  );
}
