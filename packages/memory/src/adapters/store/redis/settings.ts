/**
 * What belongs to the store as a whole: its schema, the embedder that filled it, and a value by which a wrong key is
 * noticed. Opening a store creates these if there are none. Nothing of it is needed to read a person, so that settings
 * which Redis lost are made again; a key then has to fit what is there.
 */
import { StoreError } from "../../../errors.js";
import type { EmbedderIdentity } from "../../../ports/embedder.js";
import { openCell, packCell } from "./cells.js";
import { type RedisCipher, makeCipher, plainCipher } from "./cipher.js";
import type { RedisReply } from "./client.js";
import type { RedisConnection } from "./connection.js";
import { DamagedRowError } from "./damage.js";
import { toTexts } from "./rows.js";
import { openScript } from "./small-scripts.js";

export const schemaVersion = 8;

const checkText = "mnemosyne";
const checkPlace = { person: "", kind: "settings", id: "", field: "encryption_check" };

/** The settings as Redis has them. */
type Fields = ReadonlyMap<string, string>;

export class RedisSettings {
  readonly cipher: RedisCipher;
  readonly #connection: RedisConnection;
  readonly #key: string;

  /** `fitsPersons` says whether the persons, if there are any, can be read: it is asked where the settings are missing. */
  static async open(
    connection: RedisConnection,
    key: string,
    fitsPersons: (cipher: RedisCipher) => Promise<boolean>,
  ): Promise<RedisSettings> {
    const { encryptionKey, location, prefix } = connection.target;
    const cipher = encryptionKey === undefined ? plainCipher : await makeCipher(encryptionKey, prefix);
    const settings = new RedisSettings(connection, key, cipher);
    let fields = toFields(await connection.send("HGETALL", key));
    if (fields.size === 0) {
      if (!(await fitsPersons(cipher))) {
        throw new StoreError(
          "store_not_ours",
          `the settings of ${location} are missing, and its persons cannot be read ${encryptionKey === undefined ? "without an encryption key" : "with this encryption key"}`,
        );
      }
      const made = ["schema_version", String(schemaVersion)];
      if (cipher.isEncrypting) made.push("encryption_check", packCheck(cipher));
      fields = toFields(await connection.run(openScript, [key], made));
    }
    checkFields(location, cipher, fields);
    return settings;
  }

  private constructor(connection: RedisConnection, key: string, cipher: RedisCipher) {
    this.#connection = connection;
    this.#key = key;
    this.cipher = cipher;
  }

  async embedder(): Promise<EmbedderIdentity | null> {
    const value = await this.#connection.send("HGET", this.#key, "embedder");
    return value === null ? null : toIdentity(value.toString());
  }

  async setEmbedder(identity: EmbedderIdentity): Promise<void> {
    await this.#connection.send("HSET", this.#key, "embedder", JSON.stringify(identity));
  }

  async claimEmbedder(identity: EmbedderIdentity): Promise<EmbedderIdentity> {
    await this.#connection.send("HSETNX", this.#key, "embedder", JSON.stringify(identity));
    return (await this.embedder())!;
  }
}

export async function hasSettings(connection: RedisConnection, key: string): Promise<boolean> {
  return (await connection.send("EXISTS", key)) === 1;
}

function packCheck(cipher: RedisCipher): string {
  return packCell(cipher, checkPlace, checkText).toString("base64");
}

function checkFields(location: string, cipher: RedisCipher, fields: Fields): void {
  const version = Number(fields.get("schema_version"));
  if (!Number.isInteger(version)) {
    throw new StoreError("store_not_ours", `${location}: another program uses these keys; choose another prefix`);
  }
  if (version !== schemaVersion) {
    const message = `${location} has format ${version}, but this release reads and writes format ${schemaVersion} only; export it with the release that wrote it, and import that here`;
    throw new StoreError("store_format", message);
  }
  const check = fields.get("encryption_check");
  if (check === undefined) {
    if (!cipher.isEncrypting) return;
    throw wrongKey(`${location} is not encrypted; omit the encryption key, or choose another prefix`);
  }
  if (!cipher.isEncrypting) throw wrongKey(`${location} is encrypted; it needs the encryption key`);
  try {
    openCell(cipher, checkPlace, Buffer.from(check, "base64"));
  } catch {
    throw wrongKey(`the encryption key is not the one that ${location} was written with`);
  }
}

function wrongKey(message: string): StoreError {
  return new StoreError("store_not_ours", message);
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
