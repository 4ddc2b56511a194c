/**
 * Vectors and readings of the bundled models, kept on disk by model and text, so that a second run takes minutes. A model
 * is known by what it says of a few probes: another model, even of the same name, has another file. Several processes can
 * share the files.
 */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import type {
  EmbeddedStatement,
  EmbeddedText,
  Embedder,
  Reader,
  Reading,
  Relation,
  StatementInTalk,
  StatementPair,
  TalkWindow,
} from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { createReader } from "mnemosyne-edge/internal/adapters/encoder/reader.js";
import { cacheFolder } from "./data/files.js";

const probes = ["My sister Ana has moved from Lyon to Porto.", "Ana lives in Lyon.", "ok thanks, what is the weather"];
/** Of a probe's numbers: what differs less is rounding. */
const probeDigits = 3;
const busyTimeoutMs = 60_000;
const unsavedCountMax = 64;

/** Bytes by text. */
export class DiskCache {
  readonly #database: InstanceType<typeof Database>;
  readonly #unsaved = new Map<string, Buffer>();

  constructor(path: string) {
    this.#database = new Database(path);
    this.#database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;
      CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, bytes BLOB) WITHOUT ROWID`);
  }

  get(text: string): Buffer | null {
    const key = digest(text);
    const unsaved = this.#unsaved.get(key);
    if (unsaved !== undefined) return unsaved;
    const row = this.#database.prepare("SELECT bytes FROM kept WHERE key = ?").get(key) as
      { bytes: Buffer } | undefined;
    return row === undefined ? null : row.bytes;
  }

  set(text: string, bytes: Buffer): void {
    this.#unsaved.set(digest(text), bytes);
    if (this.#unsaved.size >= unsavedCountMax) this.#save();
  }

  close(): void {
    this.#save();
    this.#database.close();
  }

  #save(): void {
    const insert = this.#database.prepare("INSERT OR REPLACE INTO kept VALUES (?, ?)");
    this.#database.exec("BEGIN IMMEDIATE");
    for (const [key, bytes] of this.#unsaved) insert.run(key, bytes);
    this.#database.exec("COMMIT");
    this.#unsaved.clear();
  }
}

/** Answers each item from the cache, and asks the model once for those that are not there. */
async function answerAll<Item, Value>(
  items: readonly Item[],
  toKey: (item: Item) => string,
  cache: DiskCache,
  form: { readonly pack: (value: Value) => Buffer; readonly unpack: (bytes: Buffer) => Value },
  ask: (unknown: readonly Item[]) => Promise<readonly Value[]>,
): Promise<Value[]> {
  const keys = items.map(toKey);
  const values = new Map<string, Value>();
  const unknown = new Map<string, Item>();
  for (const [i, key] of keys.entries()) {
    const bytes = cache.get(key);
    if (bytes === null) unknown.set(key, items[i]!);
    else values.set(key, form.unpack(bytes));
  }
  const asked = [...unknown.keys()];
  const answers = asked.length === 0 ? [] : await ask([...unknown.values()]);
  for (const [i, key] of asked.entries()) {
    values.set(key, answers[i]!);
    cache.set(key, form.pack(answers[i]!));
  }
  return keys.map((key) => values.get(key)!);
}

const json = {
  pack: (value: unknown) => Buffer.from(JSON.stringify(value)),
  unpack: (bytes: Buffer) => JSON.parse(bytes.toString()) as never,
};
const vectorForm = { pack: bytesOf, unpack: floatsOf };

/** Bytes of the words in JSON, the words, the vector, the words' vectors. */
function wordsForm(dimensions: number): {
  readonly pack: (value: EmbeddedText) => Buffer;
  readonly unpack: (bytes: Buffer) => EmbeddedText;
} {
  return {
    pack({ vector, words, wordVectors }) {
      const texts = Buffer.from(JSON.stringify(words));
      const head = Buffer.alloc(4);
      head.writeUInt32LE(texts.length);
      return Buffer.concat([head, texts, bytesOf(vector), bytesOf(wordVectors)]);
    },
    unpack(bytes) {
      const start = 4 + bytes.readUInt32LE();
      const middle = start + dimensions * 4;
      return {
        words: JSON.parse(bytes.subarray(4, start).toString()) as string[],
        vector: floatsOf(bytes.subarray(start, middle)),
        wordVectors: floatsOf(bytes.subarray(middle)),
      };
    },
  };
}

/** Statement by statement: bytes of the reading in JSON, the reading, bytes of the words, the words. */
function talkForm(words: ReturnType<typeof wordsForm>): {
  readonly pack: (value: EmbeddedStatement[]) => Buffer;
  readonly unpack: (bytes: Buffer) => EmbeddedStatement[];
} {
  return {
    pack: (statements) =>
      Buffer.concat(
        statements.flatMap((statement) =>
          [Buffer.from(JSON.stringify(statement.reading)), words.pack(statement)].flatMap((part) => {
            const head = Buffer.alloc(4);
            head.writeUInt32LE(part.length);
            return [head, part];
          }),
        ),
      ),
    unpack(bytes) {
      const parts: Buffer[] = [];
      for (let at = 0; at < bytes.length;) {
        const end = at + 4 + bytes.readUInt32LE(at);
        parts.push(bytes.subarray(at + 4, end));
        at = end;
      }
      return Array.from({ length: parts.length / 2 }, (_, i) => ({
        ...words.unpack(parts[2 * i + 1]!),
        reading: JSON.parse(parts[2 * i]!.toString()) as Reading,
      }));
    },
  };
}

export function cacheEmbedder(embedder: Embedder, cache: DiskCache): Embedder {
  const { identity, wordDimensions } = embedder;
  const words = wordsForm(identity.dimensions);
  const embed = (texts: readonly string[]): Promise<Float32Array[]> =>
    answerAll(
      texts,
      (text) => `vector ${text}`,
      cache,
      vectorForm,
      (some) => inCalls(some, embedder, (few) => embedder.embed(few)),
    );
  const embedWords = (texts: readonly string[]): Promise<EmbeddedText[]> =>
    answerAll(
      texts,
      (text) => `words ${text}`,
      cache,
      words,
      (some) => inCalls(some, embedder, (few) => embedder.embedWords!(few)),
    );
  const { embedTalk } = embedder;
  const inTalk = (windows: readonly TalkWindow[]): Promise<EmbeddedStatement[][]> =>
    answerAll(
      windows,
      (window) => `talk ${JSON.stringify(window)}`,
      cache,
      talkForm(words),
      (some) => inCalls(some, embedder, (few) => embedder.embedTalk!(few)),
    );
  return {
    identity,
    ...(embedTalk === undefined ? {} : { embedTalk: inTalk }),
    get textsPerCall() {
      return embedder.textsPerCall;
    },
    get charactersPerCall() {
      return embedder.charactersPerCall ?? Infinity;
    },
    embed,
    ...(wordDimensions === undefined || embedder.embedWords === undefined ? {} : { wordDimensions, embedWords }),
    close: () => Promise.resolve(),
  };
}

async function inCalls<Item, Value>(
  texts: readonly Item[],
  { textsPerCall }: Embedder,
  ask: (few: readonly Item[]) => Promise<readonly Value[]>,
): Promise<Value[]> {
  const all: Value[] = [];
  for (let from = 0; from < texts.length; from += textsPerCall)
    all.push(...(await ask(texts.slice(from, from + textsPerCall))));
  return all;
}

export function cacheReader(reader: Reader, cache: DiskCache): Reader {
  return {
    name: reader.name,
    readsFor: () => true,
    read: (statements) =>
      answerAll<StatementInTalk, Reading>(
        statements,
        ({ text, before }) => `read ${JSON.stringify([before, text])}`,
        cache,
        json,
        (some) => reader.read(some),
      ),
    relate: (pairs) =>
      answerAll<StatementPair, Relation>(
        pairs,
        ({ older, newer }) => `relate ${JSON.stringify([older, newer])}`,
        cache,
        json,
        (some) => reader.relate(some),
      ),
    close: () => Promise.resolve(),
  };
}

/** The models of a run; memories that are opened with them do not close them. */
export interface Models {
  readonly embedder: Embedder;
  readonly reader: Reader;
  readonly close: () => Promise<void>;
}

/** `encoderFolder`: an encoder in place of the bundled one. */
export async function openModels({
  folder = cacheFolder,
  encoderFolder,
}: { folder?: string; encoderFolder?: string | undefined } = {}): Promise<Models> {
  const embedder = new BundledEmbedder(encoderFolder === undefined ? {} : { folder: encoderFolder });
  const reader = createReader(embedder, {});
  mkdirSync(folder, { recursive: true });
  const vectors = new DiskCache(join(folder, `vectors-${await probeEmbedder(embedder)}.db`));
  const readings = new DiskCache(join(folder, `readings-${await probeReader(reader)}.db`));
  const close = async (): Promise<void> => {
    vectors.close();
    readings.close();
    await reader.close();
    await embedder.close();
  };
  return { embedder: cacheEmbedder(embedder, vectors), reader: cacheReader(reader, readings), close };
}

async function probeEmbedder(embedder: Embedder): Promise<string> {
  const [vector] = await embedder.embed(probes.slice(0, 1));
  const { name, dimensions } = embedder.identity;
  return digest(JSON.stringify([name, dimensions, embedder.wordDimensions, Array.from(vector!, round)])).slice(0, 16);
}

async function probeReader(reader: Reader): Promise<string> {
  const read = await reader.read(probes.map((text) => ({ text, before: null })));
  const [relation] = await reader.relate([{ older: probes[1]!, newer: probes[0]! }]);
  const told = read.map(({ fact, lasting, alone, about, area }) => [about, area, ...[fact, lasting, alone].map(round)]);
  const others = [relation!.repeats, relation!.ends];
  return digest(JSON.stringify([reader.name, told, others.map(round)])).slice(0, 16);
}

function round(value: number): string {
  return value.toFixed(probeDigits);
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A copy, because a view of floats must start at a multiple of four bytes. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}
