/**
 * An embedder with a cache: stores the vectors of another embedder by the SHA-256 of their text, exact to the bit. With a
 * folder they are stored in one append-only file per embedder. A truncated or damaged record is detected by its checksum,
 * and its text is embedded again.
 */
import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { type Embedder, type EmbedderIdentity, InputError } from "../index.js";
import { describeUnwritable } from "../files/file-error.js";

const keyBytes = 32;
const checksumBytes = 4;
const floatBytes = 4;

export class EmbeddingCache implements Embedder {
  readonly identity: EmbedderIdentity;
  readonly textsPerCall: number;
  readonly #embedder: Embedder;
  readonly #file: FileHandle | null;
  readonly #vectors: Map<string, Promise<Float32Array>>;
  /** Writes run one at a time. */
  #written: Promise<void> = Promise.resolve();

  /** Without a folder, vectors are kept while the cache is open. */
  static async open(embedder: Embedder, folder: string | null = null): Promise<EmbeddingCache> {
    if (folder === null) return new EmbeddingCache(embedder, null, new Map());
    try {
      await mkdir(folder, { recursive: true });
      const file = await open(join(folder, fileName(embedder.identity)), "a+", 0o600);
      return new EmbeddingCache(embedder, file, await readRecords(file, embedder.identity.dimensions));
    } catch (cause) {
      const message = `the embedding cache ${describeUnwritable(folder, cause)}`;
      throw new InputError("option_invalid", message, { cause });
    }
  }

  private constructor(embedder: Embedder, file: FileHandle | null, vectors: ReadonlyMap<string, Float32Array>) {
    this.identity = embedder.identity;
    this.textsPerCall = embedder.textsPerCall;
    this.#embedder = embedder;
    this.#file = file;
    this.#vectors = new Map([...vectors].map(([key, vector]) => [key, Promise.resolve(vector)]));
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const unknown = [...new Set(texts)].filter((text) => !this.#vectors.has(toKey(text)));
    for (let from = 0; from < unknown.length; from += this.textsPerCall) {
      this.#embedUnknown(unknown.slice(from, from + this.textsPerCall));
    }
    return Promise.all(texts.map((text) => this.#vectors.get(toKey(text))!));
  }

  async close(): Promise<void> {
    await this.#embedder.close();
    await this.#written.catch(() => {});
    await this.#file?.close();
  }

  /** Stores the promises at once, so that the same text is never embedded twice in parallel; a failure is not stored. */
  #embedUnknown(texts: readonly string[]): void {
    const call = this.#embedder.embed(texts).then(async (vectors) => {
      await this.#keep(texts, vectors);
      return vectors;
    });
    texts.forEach((text, i) => {
      const key = toKey(text);
      const vector = call.then((vectors) => vectors[i]!);
      this.#vectors.set(key, vector);
      vector.catch(() => this.#vectors.delete(key));
    });
  }

  #keep(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void> {
    const records = texts.map((text, i) => toRecord(toKey(text), vectors[i]!));
    this.#written = this.#written.then(() => this.#file?.appendFile(Buffer.concat(records)));
    return this.#written;
  }
}

function fileName({ name, dimensions }: EmbedderIdentity): string {
  const hash = createHash("sha256").update(`${name}\n${dimensions}`).digest("hex");
  return `${hash.slice(0, 16)}.bin`;
}

function toKey(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Key, vector, and a checksum of both. */
function toRecord(key: string, vector: Float32Array): Buffer {
  const bytes = Buffer.concat([
    Buffer.from(key, "hex"),
    Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength),
  ]);
  return Buffer.concat([bytes, checksum(bytes)]);
}

function checksum(bytes: Uint8Array): Buffer {
  return createHash("sha256").update(bytes).digest().subarray(0, checksumBytes);
}

/** The vectors of all complete records. Truncates the file after the last one, so that the next record starts there. */
async function readRecords(file: FileHandle, dimensions: number): Promise<Map<string, Float32Array>> {
  const bytes = await file.readFile();
  const recordBytes = keyBytes + dimensions * floatBytes + checksumBytes;
  const count = Math.floor(bytes.length / recordBytes);
  if (bytes.length > count * recordBytes) await file.truncate(count * recordBytes);
  const vectors = new Map<string, Float32Array>();
  for (let i = 0; i < count; i++) {
    const record = bytes.subarray(i * recordBytes, (i + 1) * recordBytes);
    const content = record.subarray(0, recordBytes - checksumBytes);
    if (!checksum(content).equals(record.subarray(recordBytes - checksumBytes))) continue;
    // A copy, because a view of floats must start at a multiple of four bytes.
    const vector = new Float32Array(Uint8Array.from(content.subarray(keyBytes)).buffer);
    vectors.set(content.subarray(0, keyBytes).toString("hex"), vector);
  }
  return vectors;
}

/** The same embedder for a caller that closes what it gets. */
export function lendEmbedder(embedder: Embedder): Embedder {
  return {
    identity: embedder.identity,
    textsPerCall: embedder.textsPerCall,
    embed: (texts) => embedder.embed(texts),
    close: () => Promise.resolve(),
  };
}
