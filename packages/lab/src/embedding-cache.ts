/**
 * An embedder with a cache: stores the vectors of another embedder, with those of words where it has them, by the
 * SHA-256 of their text, exact to the bit. With a folder they are stored in one append-only file per embedder. A
 * truncated or damaged record is detected by its checksum, and its text is embedded again.
 */
import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { type EmbeddedText, type Embedder, type EmbedderIdentity, InputError } from "mnemosyne-edge";
import { describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";

const keyBytes = 32;
const checksumBytes = 4;
const floatBytes = 4;
const countBytes = 4;
/** Key, number of words, bytes of their texts. */
const headBytes = keyBytes + 2 * countBytes;

export class EmbeddingCache implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly wordDimensions?: number;
  readonly embedWords?: (texts: readonly string[]) => Promise<EmbeddedText[]>;
  readonly #embedder: Embedder;
  readonly #file: FileHandle | null;
  readonly #embedded: Map<string, Promise<EmbeddedText>>;
  /** Writes run one at a time. */
  #written: Promise<void> = Promise.resolve();

  /** Without a folder, vectors are kept while the cache is open. */
  static async open(embedder: Embedder, folder: string | null = null): Promise<EmbeddingCache> {
    if (folder === null) return new EmbeddingCache(embedder, null, new Map());
    try {
      await mkdir(folder, { recursive: true });
      const file = await open(join(folder, fileName(embedder)), "a+", 0o600);
      return new EmbeddingCache(embedder, file, await readRecords(file, embedder));
    } catch (cause) {
      const message = `the embedding cache ${describeUnwritable(folder, cause)}`;
      throw new InputError("option_invalid", message, { cause });
    }
  }

  private constructor(embedder: Embedder, file: FileHandle | null, embedded: ReadonlyMap<string, EmbeddedText>) {
    this.identity = embedder.identity;
    this.#embedder = embedder;
    this.#file = file;
    this.#embedded = new Map([...embedded].map(([key, text]) => [key, Promise.resolve(text)]));
    if (embedder.wordDimensions === undefined || embedder.embedWords === undefined) return;
    this.wordDimensions = embedder.wordDimensions;
    this.embedWords = (texts) => this.#embedAll(texts);
  }

  get textsPerCall(): number {
    return this.#embedder.textsPerCall;
  }

  get charactersPerCall(): number {
    return this.#embedder.charactersPerCall ?? Infinity;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return (await this.#embedAll(texts)).map(({ vector }) => vector);
  }

  async #embedAll(texts: readonly string[]): Promise<EmbeddedText[]> {
    const unknown = [...new Set(texts)].filter((text) => !this.#embedded.has(toKey(text)));
    // Read once: the first call starts a model, which may take more at a time.
    const { textsPerCall } = this;
    for (let from = 0; from < unknown.length; from += textsPerCall) {
      this.#embedUnknown(unknown.slice(from, from + textsPerCall));
    }
    return Promise.all(texts.map((text) => this.#embedded.get(toKey(text))!));
  }

  async close(): Promise<void> {
    await this.#embedder.close();
    await this.#written.catch(() => {});
    await this.#file?.close();
  }

  /** Stores the promises at once, so that the same text is never embedded twice in parallel; a failure is not stored. */
  #embedUnknown(texts: readonly string[]): void {
    const call = this.#ask(texts).then(async (embedded) => {
      await this.#keep(texts, embedded);
      return embedded;
    });
    texts.forEach((text, i) => {
      const key = toKey(text);
      const embedded = call.then((all) => all[i]!);
      this.#embedded.set(key, embedded);
      embedded.catch(() => this.#embedded.delete(key));
    });
  }

  async #ask(texts: readonly string[]): Promise<EmbeddedText[]> {
    if (this.embedWords !== undefined) return this.#embedder.embedWords!(texts);
    const vectors = await this.#embedder.embed(texts);
    return vectors.map((vector) => ({ vector, words: [], wordVectors: new Float32Array() }));
  }

  #keep(texts: readonly string[], embedded: readonly EmbeddedText[]): Promise<void> {
    const records = texts.map((text, i) => toRecord(toKey(text), embedded[i]!));
    this.#written = this.#written.then(() => this.#file?.appendFile(Buffer.concat(records)));
    return this.#written;
  }
}

function fileName({ identity: { name, dimensions }, wordDimensions = 0 }: Embedder): string {
  const hash = createHash("sha256").update(`${name}\n${dimensions}\n${wordDimensions}`).digest("hex");
  return `${hash.slice(0, 16)}.bin`;
}

function toKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The head, the vector, the vectors of words, the words in JSON, and a checksum of all. */
function toRecord(key: string, { vector, words, wordVectors }: EmbeddedText): Buffer {
  const texts = Buffer.from(JSON.stringify(words));
  const counts = Buffer.alloc(2 * countBytes);
  counts.writeUInt32LE(words.length);
  counts.writeUInt32LE(texts.length, countBytes);
  const bytes = Buffer.concat([Buffer.from(key, "hex"), counts, bytesOf(vector), bytesOf(wordVectors), texts]);
  return Buffer.concat([bytes, checksum(bytes)]);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** A copy, because a view of floats must start at a multiple of four bytes. */
function floatsOf(bytes: Uint8Array): Float32Array {
  return new Float32Array(Uint8Array.from(bytes).buffer);
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest().subarray(0, checksumBytes);
}

/**
 * All complete records. Truncates the file after the last one, so that the next record starts there. A record whose
 * counts are damaged takes those after it with it.
 */
async function readRecords(file: FileHandle, embedder: Embedder): Promise<Map<string, EmbeddedText>> {
  const bytes = await file.readFile();
  const wordsStart = headBytes + embedder.identity.dimensions * floatBytes;
  const wordBytes = (embedder.wordDimensions ?? 0) * floatBytes;
  const records = new Map<string, EmbeddedText>();
  let start = 0;
  while (start + headBytes <= bytes.length) {
    const textsStart = wordsStart + bytes.readUInt32LE(start + keyBytes) * wordBytes;
    const length = textsStart + bytes.readUInt32LE(start + keyBytes + countBytes);
    const end = start + length + checksumBytes;
    if (end > bytes.length) break;
    const record = bytes.subarray(start, start + length);
    const isWhole = checksum(record).equals(bytes.subarray(start + length, end));
    start = end;
    if (!isWhole) continue;
    records.set(record.subarray(0, keyBytes).toString("hex"), {
      vector: floatsOf(record.subarray(headBytes, wordsStart)),
      words: JSON.parse(record.subarray(textsStart).toString()) as string[],
      wordVectors: floatsOf(record.subarray(wordsStart, textsStart)),
    });
  }
  if (start < bytes.length) await file.truncate(start);
  return records;
}

/** The same embedder for a caller that closes what it gets. */
export function lendEmbedder(embedder: Embedder): Embedder {
  const { wordDimensions, embedWords } = embedder;
  return {
    identity: embedder.identity,
    get textsPerCall() {
      return embedder.textsPerCall;
    },
    get charactersPerCall() {
      return embedder.charactersPerCall ?? Infinity;
    },
    ...(wordDimensions === undefined || embedWords === undefined
      ? {}
      : { wordDimensions, embedWords: (texts) => embedWords.call(embedder, texts) }),
    embed: (texts) => embedder.embed(texts),
    close: () => Promise.resolve(),
  };
}
