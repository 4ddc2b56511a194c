/**
 * Encryption of texts and vectors before they leave the process: AES-256-GCM with a key derived by scrypt from the
 * caller's key and the prefix of the store's keys; a salt that Redis kept could be lost with everything that needs it.
 * Every value is bound to its place (person, row, field), so values cannot be swapped. Without a key, values are stored
 * as they are.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

export interface RedisCipher {
  readonly isEncrypting: boolean;
  seal(value: string | Uint8Array, place: string): Buffer;
  /** Throws if the value was not sealed with this key in this place. */
  open(value: Buffer, place: string): Buffer;
}

const nonceByteCount = 12;
const tagByteCount = 16;
const keyByteCount = 32;
const options = { authTagLength: tagByteCount };
/** About 50 ms and 32 MiB, once per opening. */
const scryptCost = { N: 32_768, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };

const deriveKey = promisify<string, Buffer, number, typeof scryptCost, Buffer>(scrypt);

export const plainCipher: RedisCipher = {
  isEncrypting: false,
  seal: (value) => Buffer.from(value),
  open: (value) => value,
};

export async function makeCipher(encryptionKey: string, prefix: string): Promise<RedisCipher> {
  const salt = Buffer.from(`mnemosyne-edge redis ${prefix}`);
  const key = await deriveKey(encryptionKey.normalize("NFKC"), salt, keyByteCount, scryptCost);
  return {
    isEncrypting: true,
    seal(value, place) {
      const nonce = randomBytes(nonceByteCount);
      const cipher = createCipheriv("aes-256-gcm", key, nonce, options);
      cipher.setAAD(Buffer.from(place));
      const sealed = typeof value === "string" ? cipher.update(value, "utf8") : cipher.update(value);
      return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]);
    },
    open(value, place) {
      const cipher = createDecipheriv("aes-256-gcm", key, value.subarray(0, nonceByteCount), options);
      cipher.setAAD(Buffer.from(place));
      cipher.setAuthTag(value.subarray(-tagByteCount));
      return Buffer.concat([cipher.update(value.subarray(nonceByteCount, -tagByteCount)), cipher.final()]);
    },
  };
}
