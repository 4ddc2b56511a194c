/**
 * What belongs to the store as a whole: its schema, the embedder that filled it, and how it is encrypted. Opening a
 * store creates these if there are none, and checks that the key is the one it was created with.
 */
import { randomBytes } from "node:crypto";
import { StoreError } from "../../../errors.js";
import { type RedisCipher, makeCipher, plainCipher } from "./cipher.js";
import type { RedisReply } from "./client.js";
import type { RedisConnection } from "./connection.js";
import { toTexts } from "./rows.js";
import { openScript } from "./scripts.js";

export const schemaVersion = 1;

const saltByteCount = 16;
const checkText = "mnemosyne";
const checkPlace = "settings|encryption_check";

/** Opens the settings; the cipher is for all texts and vectors. */
export async function openSettings(connection: RedisConnection, key: string): Promise<RedisCipher> {
  const { encryptionKey, location } = connection.target;
  const known = await connection.send("HGETALL", key);
  if ((known as Buffer[]).length > 0) return checkSettings(location, encryptionKey, known);
  const fields = ["schema_version", String(schemaVersion), ...(await encryptionFields(encryptionKey))];
  return checkSettings(location, encryptionKey, await connection.run(openScript, [key], fields));
}

export async function hasSettings(connection: RedisConnection, key: string): Promise<boolean> {
  return (await connection.send("EXISTS", key)) === 1;
}

async function encryptionFields(encryptionKey: string | undefined): Promise<string[]> {
  if (encryptionKey === undefined) return [];
  const salt = randomBytes(saltByteCount);
  const cipher = await makeCipher(encryptionKey, salt);
  const check = cipher.seal(checkText, checkPlace) as Buffer;
  return ["encryption_salt", salt.toString("base64"), "encryption_check", check.toString("base64")];
}

async function checkSettings(
  location: string,
  encryptionKey: string | undefined,
  reply: RedisReply,
): Promise<RedisCipher> {
  const texts = toTexts(reply);
  const setting = (name: string): string | undefined => {
    const at = texts.findIndex((text, i) => i % 2 === 0 && text === name);
    return at === -1 ? undefined : texts[at + 1];
  };
  const version = Number(setting("schema_version"));
  if (!Number.isInteger(version)) {
    throw new StoreError("store_not_ours", `${location}: another program uses these keys; choose another prefix`);
  }
  if (version > schemaVersion) {
    const message = `${location} has schema version ${version}, but this release supports ${schemaVersion}; update mnemosyne-edge`;
    throw new StoreError("store_newer", message);
  }
  return checkKey(location, encryptionKey, setting("encryption_salt"), setting("encryption_check"));
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
