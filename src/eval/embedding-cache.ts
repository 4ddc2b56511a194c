/**
 * An embedder with a cache: stores the vectors of another embedder, with those of words where it has them, by the
 * SHA-256 of their text, exact to the bit. With a folder they are stored in one append-only file per embedder. A
 * truncated or damaged record is detected by its checksums, and its text is embedded again.
 */
import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { type EmbeddedText, type Embedder, type EmbedderIdentity, InputError } from "../index.js";
import { describeUnwritable } from "../files/file-error.js";

const keyBytes = 32;
const checksumBytes = 4;
const floatBytes = 4;
const countBytes = 4;
/** Key, number of words, bytes of their texts, and a checksum of these three. */
const headBytes = keyBytes + 2 * countBytes + checksumBytes;

export class EmbeddingCache implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly textsPerCall: number;
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
    this.textsPerCall = embedder.textsPerCall;
    this.#embedder = embedder;
    this.#file = file;
    this.#embedded = new Map([...embedded].map(([key, text]) => [key, Promise.resolve(text)]));
    if (embedder.wordDimensions === undefined || embedder.embedWords === undefined) return;
    this.wordDimensions = embedder.wordDimensions;
    this.embedWords = (texts) => this.#embedAll(texts);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return (await this.#embedAll(texts)).map(({ vector }) => vector);
  }

  async #embedAll(texts: readonly string[]): Promise<EmbeddedText[]> {
    const unknown = [...new Set(texts)].filter((text) => !this.#embedded.has(toKey(text)));
    for (let from = 0; from < unknown.length; from += this.textsPerCall) {
      this.#embedUnknown(unknown.slice(from, from + this.textsPerCall));
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

/** The head; then the vector, the vectors of words, the words in JSON, and a checksum of these three. */
function toRecord(key: string, { vector, words, wordVectors }: EmbeddedText): Buffer {
  const texts = Buffer.from(JSON.stringify(words));
  const head = Buffer.concat([Buffer.from(key, "hex"), Buffer.alloc(2 * countBytes)]);
  head.writeUInt32LE(words.length, keyBytes);
  head.writeUInt32LE(texts.length, keyBytes + countBytes);
  const content = Buffer.concat([bytesOf(vector), bytesOf(wordVectors), texts]);
  return Buffer.concat([head, checksum(head), content, checksum(content)]);
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

/** The bytes before the checksum that ends them, if it is theirs. */
function checked(bytes: Buffer): Buffer | null {
  const content = bytes.subarray(0, -checksumBytes);
  return checksum(content).equals(bytes.subarray(-checksumBytes)) ? content : null;
}

/**
 * All complete records. Truncates the file after the last one, so that the next record starts there. Where a head is
 * damaged, nobody knows where the next record starts, and the rest is cut off.
 */
async function readRecords(file: FileHandle, embedder: Embedder): Promise<Map<string, EmbeddedText>> {
  const bytes = await file.readFile();
  const vectorBytes = embedder.identity.dimensions * floatBytes;
  const wordBytes = (embedder.wordDimensions ?? 0) * floatBytes;
  const records = new Map<string, EmbeddedText>();
  let start = 0;
  while (start + headBytes <= bytes.length) {
    const head = checked(bytes.subarray(start, start + headBytes));
    if (head === null) break;
    const wordsStart = vectorBytes + head.readUInt32LE(keyBytes) * wordBytes;
    const length = wordsStart + head.readUInt32LE(keyBytes + countBytes) + checksumBytes;
    const end = start + headBytes + length;
    if (end > bytes.length) break;
    const content = checked(bytes.subarray(end - length, end));
    start = end;
    if (content === null) continue;
    records.set(head.subarray(0, keyBytes).toString("hex"), {
      vector: floatsOf(content.subarray(0, vectorBytes)),
      words: JSON.parse(content.subarray(wordsStart).toString()) as string[],
      wordVectors: floatsOf(content.subarray(vectorBytes, wordsStart)),
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
    textsPerCall: embedder.textsPerCall,
    ...(wordDimensions === undefined || embedWords === undefined
      ? {}
      : { wordDimensions, embedWords: (texts) => embedWords.call(embedder, texts) }),
    embed: (texts) => embedder.embed(texts),
    close: () => Promise.resolve(),
  };
}
