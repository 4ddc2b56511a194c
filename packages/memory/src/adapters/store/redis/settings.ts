/**
 * What belongs to the store as a whole: its schema, the embedder that filled it, and how it is encrypted. Opening a
 * store creates these if there are none, and checks that the key is the one it was created with.
 *
 * Redis can lose them while a store is open, or another process can replace them. Every person's head therefore names
 * the settings it was written under, and a script that finds others there, or no head, has the caller make sure first:
 * `confirm` restores what was lost, and refuses what is another's. So no write is acknowledged that the next process
 * cannot read, at the price of one question when a person is written for the first time.
 */
import { randomBytes } from "node:crypto";
import { StoreError } from "../../../errors.js";
import { type EmbedderIdentity, isSameEmbedder } from "../../../ports/embedder.js";
import { type RedisCipher, makeCipher, plainCipher } from "./cipher.js";
import type { RedisReply } from "./client.js";
import type { RedisConnection } from "./connection.js";
import { DamagedRowError } from "./damage.js";
import { toTexts } from "./rows.js";
import { openScript } from "./small-scripts.js";

export const schemaVersion = 7;

const saltByteCount = 16;
const checkText = "mnemosyne";
const checkPlace = "settings|encryption_check";
/** What heads of a store without encryption have in place of a salt. */
const plainId = "plain";

/** The settings as Redis has them. */
type Fields = ReadonlyMap<string, string>;

export class RedisSettings {
  readonly cipher: RedisCipher;
  readonly #connection: RedisConnection;
  readonly #key: string;
  readonly #fields: Fields;
  /** Whose vectors this process writes, as JSON; empty as long as nobody said. */
  #embedder: string;

  /** `recover` says what the persons know about settings that are missing; null if there are no persons. */
  static async open(
    connection: RedisConnection,
    key: string,
    recover: () => Promise<LostSettings | null>,
  ): Promise<RedisSettings> {
    const { encryptionKey, location } = connection.target;
    const known = toFields(await connection.send("HGETALL", key));
    if (known.size > 0) {
      return new RedisSettings(connection, key, known, await checkFields(location, encryptionKey, known));
    }
    const lost = await recover();
    const fields = await (lost === null ? newFields(encryptionKey) : recoveredFields(location, encryptionKey, lost));
    const args = [...fields].flat();
    const created = toFields(await connection.run(openScript, [key], args));
    return new RedisSettings(connection, key, created, await checkFields(location, encryptionKey, created));
  }

  private constructor(connection: RedisConnection, key: string, fields: Fields, cipher: RedisCipher) {
    this.#connection = connection;
    this.#key = key;
    this.#fields = fields;
    this.#embedder = fields.get("embedder") ?? "";
    this.cipher = cipher;
  }

  /** What a script compares with a person's head. */
  marks(isConfirmed: boolean): [store: string, embedder: string, isConfirmed: string] {
    return [idOf(this.#fields), this.#embedder, isConfirmed ? "1" : "0"];
  }

  /** Restores the settings if they are gone; throws if they are another's. */
  async confirm(): Promise<void> {
    const fields = new Map(this.#fields).set("schema_version", String(schemaVersion));
    if (this.#embedder !== "") fields.set("embedder", this.#embedder);
    const current = toFields(await this.#connection.run(openScript, [this.#key], [...fields].flat()));
    if (idOf(current) !== idOf(this.#fields)) throw this.replaced();
    const owner = current.get("embedder");
    if (owner === undefined || this.#embedder === "") {
      if (this.#embedder !== "") await this.#connection.send("HSETNX", this.#key, "embedder", this.#embedder);
      this.#embedder ||= owner ?? "";
    } else if (!isSameEmbedder(toIdentity(owner), toIdentity(this.#embedder))) {
      const message = `another process gave the store to embedder "${toIdentity(owner).name}"; nothing was stored. Open the store again with that embedder`;
      throw new StoreError("embedder_mismatch", message);
    }
  }

  replaced(): StoreError {
    const { location } = this.#connection.target;
    const message = `the settings of ${location} were replaced since it was opened: Redis lost its data, and another process began again. Nothing was stored; close the store and open it again`;
    return new StoreError("store_not_ours", message);
  }

  async embedder(): Promise<EmbedderIdentity | null> {
    const value = await this.#connection.send("HGET", this.#key, "embedder");
    if (value === null) return null;
    this.#embedder ||= value.toString();
    return toIdentity(value.toString());
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    await this.#connection.send("HSET", this.#key, "embedder", JSON.stringify(identity));
    this.#embedder = JSON.stringify(identity);
  }

  async claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity> {
    await this.#connection.send("HSETNX", this.#key, "embedder", JSON.stringify(identity));
    this.#embedder = "";
    return (await this.embedder())!;
  }
}

/** What the persons' heads say about settings that are missing. */
export interface LostSettings {
  /** Null if they say nothing, or not the same. */
  readonly store: string | null;
  /** As JSON; null if nobody had said. */
  readonly embedder: string | null;
  /** Whether a value of theirs can be opened. */
  opensWith(cipher: RedisCipher): Promise<boolean>;
}

export async function hasSettings(connection: RedisConnection, key: string): Promise<boolean> {
  return (await connection.send("EXISTS", key)) === 1;
}

function idOf(fields: Fields): string {
  return fields.get("encryption_salt") ?? plainId;
}

async function newFields(encryptionKey: string | undefined): Promise<Fields> {
  const fields = new Map([["schema_version", String(schemaVersion)]]);
  if (encryptionKey === undefined) return fields;
  const salt = randomBytes(saltByteCount);
  return withEncryption(fields, salt.toString("base64"), await makeCipher(encryptionKey, salt));
}

function withEncryption(fields: Map<string, string>, salt: string, cipher: RedisCipher): Fields {
  const check = cipher.seal(checkText, checkPlace) as Buffer;
  return fields.set("encryption_salt", salt).set("encryption_check", check.toString("base64"));
}

async function recoveredFields(
  location: string,
  encryptionKey: string | undefined,
  { store, embedder, opensWith }: LostSettings,
): Promise<Fields> {
  if (store === null) {
    const message = `${location}: the key of the settings (mnemosyne:settings unless it has another prefix) is missing, but there are persons. Restore it from a backup of Redis; if the store was not encrypted, set its field schema_version to ${schemaVersion}`;
    throw new StoreError("store_corrupt", message);
  }
  const fields = new Map([["schema_version", String(schemaVersion)]]);
  if (embedder !== null) fields.set("embedder", embedder);
  if (store === plainId) return fields;
  if (encryptionKey === undefined) throw wrongKey(`${location} is encrypted; it needs the encryption key`);
  const cipher = await makeCipher(encryptionKey, Buffer.from(store, "base64"));
  if (!(await opensWith(cipher))) throw wrongKey(`the encryption key is not the one that ${location} was written with`);
  return withEncryption(fields, store, cipher);
}

async function checkFields(location: string, encryptionKey: string | undefined, fields: Fields): Promise<RedisCipher> {
  const version = Number(fields.get("schema_version"));
  if (!Number.isInteger(version)) {
    throw new StoreError("store_not_ours", `${location}: another program uses these keys; choose another prefix`);
  }
  if (version !== schemaVersion) {
    const message = `${location} has format ${version}, but this release reads and writes format ${schemaVersion} only; export it with the release that wrote it, and import that here`;
    throw new StoreError("store_format", message);
  }
  return checkKey(location, encryptionKey, fields.get("encryption_salt"), fields.get("encryption_check"));
}

async function checkKey(
  location: string,
  encryptionKey: string | undefined,
  salt: string | undefined,
  check: string | undefined,
): Promise<RedisCipher> {
  if (salt === undefined || check === undefined) {
    if (encryptionKey === undefined) return plainCipher;
    throw wrongKey(`${location} is not encrypted; omit the encryption key, or choose another prefix`);
  }
  if (encryptionKey === undefined) throw wrongKey(`${location} is encrypted; it needs the encryption key`);
  const cipher = await makeCipher(encryptionKey, Buffer.from(salt, "base64"));
  try {
    cipher.open(Buffer.from(check, "base64"), checkPlace);
    return cipher;
  } catch (cause) {
    throw wrongKey(`the encryption key is not the one that ${location} was written with`, cause);
  }
}

function wrongKey(message: string, cause?: unknown): StoreError {
  return new StoreError("store_not_ours", message, cause === undefined ? {} : { cause });
}

function toFields(reply: RedisReply): Fields {
  const texts = toTexts(reply);
  return new Map(texts.flatMap((name, i) => (i % 2 === 0 ? [[name, texts[i + 1]!] as const] : [])));
}

function toIdentity(text: string): EmbedderIdentity {
  try {
    const identity = JSON.parse(text) as Partial<EmbedderIdentity> | null;
    if (typeof identity?.name === "string" && Number.isInteger(identity.dimensions))
      return identity as EmbedderIdentity;
  } catch {
    // As below.
  }
  throw new DamagedRowError(null, null, "the embedder in the settings is damaged");
}
