/**
 * The codec: makes the bytes of every record, for all stores, exports and backups. A frame is a header and a payload:
 *
 *   plain   version, 0, layout, padding · CRC-32                    · payload · padding
 *   sealed  version, 1, layout, padding · nonce (12) and tag (16)   · payload and padding, AES-256-GCM
 *
 * Its length is a multiple of four, so that numbers can be read where they lie. Checksum and tag cover person, kind and id,
 * so that a record that was moved is noticed like one that was altered. With a key, names and ids are also replaced: a keyed
 * hash of them, followed by the text itself, encrypted with that hash as its nonce (synthetic initialization vector). Equal
 * names give equal text, so that a store finds them, and damage can be named without reading what is damaged.
 *
 * The salt of the key is fixed: a store that lost its settings can still be read. A short key can be guessed; take a long
 * random one.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from "node:crypto";
import { StoreError } from "../errors.js";
import { crc32 } from "../files/checksum.js";
import type { RecordKey } from "./store.js";

/** Of a frame; the first byte of every record. */
export const frameVersion = 2;

/** What a frame holds. `layout` is the version of the payload's own form, which belongs to its kind. */
export interface Payload {
  readonly layout: number;
  readonly bytes: Uint8Array;
}

const plainHeaderLength = 8;
const nonceLength = 12;
const tagLength = 16;
const sealedHeaderLength = 4 + nonceLength + tagLength;
const hashLength = 16;
const alignment = 4;
const salt = "mnemosyne records 1";
/** About 40 ms and 16 MiB, once per opening. */
const scryptCost = { N: 16_384, r: 8, p: 1, maxmem: 64 * 2 ** 20 };

interface Keys {
  readonly records: Uint8Array;
  readonly names: Uint8Array;
  readonly hashes: Uint8Array;
}

export class Codec {
  readonly #keys: Keys | null;

  /** Without a key, records are plain. */
  constructor(encryptionKey?: string) {
    this.#keys = encryptionKey === undefined ? null : deriveKeys(encryptionKey);
  }

  get isEncrypting(): boolean {
    return this.#keys !== null;
  }

  encode(person: string, key: RecordKey, { layout, bytes }: Payload): Buffer {
    const padding = -bytes.byteLength & (alignment - 1);
    const start = this.#keys === null ? plainHeaderLength : sealedHeaderLength;
    const frame = Buffer.alloc(start + bytes.byteLength + padding);
    frame.set([frameVersion, Number(this.#keys !== null), layout, padding]);
    frame.set(bytes, start);
    const about = describe(person, key, layout, padding);
    if (this.#keys === null) frame.writeUInt32LE(crc32(frame.subarray(start), crc32(about)), 4);
    else {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv("aes-256-gcm", this.#keys.records, nonce).setAAD(about);
      frame.set(cipher.update(frame.subarray(start)), start);
      cipher.final();
      frame.set(nonce, 4);
      frame.set(cipher.getAuthTag(), 4 + nonceLength);
    }
    return frame;
  }

  /** Null if the record is not what was written. A plain payload is a view of the frame; `isChecked`: it is known to be whole. */
  decode(person: string, key: RecordKey, frame: Uint8Array, isChecked = false): Payload | null {
    const start = this.#keys === null ? plainHeaderLength : sealedHeaderLength;
    if (frame.byteLength < start || frame[0] !== frameVersion || frame[1] !== Number(this.#keys !== null)) return null;
    const [layout, padding] = [frame[2]!, frame[3]!];
    if (padding >= alignment || start + padding > frame.byteLength) return null;
    const bytes =
      isChecked && this.#keys === null
        ? frame.subarray(plainHeaderLength)
        : this.#open(frame, describe(person, key, layout, padding));
    if (bytes === null || padding === 0) return bytes && { layout, bytes };
    return { layout, bytes: bytes.subarray(0, bytes.byteLength - padding) };
  }

  /** A name or an id as stores know it; an id belongs to its person. The empty name stays. */
  toText(name: string, person = ""): string {
    if (this.#keys === null || name === "") return name;
    const text = Buffer.from(name);
    const hash = this.#hash(text, person);
    return Buffer.concat([hash, namesCipher(this.#keys.names, hash, text)]).toString("base64url");
  }

  /** Null if it is not one that this key made. */
  toName(text: string, person = ""): string | null {
    if (this.#keys === null || text === "") return text;
    const bytes = Buffer.from(text, "base64url");
    // Texts that decode alike are not alike to a store.
    if (bytes.byteLength <= hashLength || bytes.toString("base64url") !== text) return null;
    const hash = bytes.subarray(0, hashLength);
    const name = namesCipher(this.#keys.names, hash, bytes.subarray(hashLength));
    return this.#hash(name, person).equals(hash) ? name.toString() : null;
  }

  #hash(name: Uint8Array, person: string): Buffer {
    const hmac = createHmac("sha256", this.#keys!.hashes).update(JSON.stringify(person)).update(name);
    return hmac.digest().subarray(0, hashLength);
  }

  /** The payload with its padding. */
  #open(frame: Uint8Array, about: Buffer): Uint8Array | null {
    if (this.#keys === null) {
      const bytes = frame.subarray(plainHeaderLength);
      const sum = frame[4]! | (frame[5]! << 8) | (frame[6]! << 16) | (frame[7]! << 24);
      return crc32(bytes, crc32(about)) === sum >>> 0 ? bytes : null;
    }
    const decipher = createDecipheriv("aes-256-gcm", this.#keys.records, frame.subarray(4, 4 + nonceLength));
    decipher.setAAD(about).setAuthTag(frame.subarray(4 + nonceLength, sealedHeaderLength));
    const opened = decipher.update(frame.subarray(sealedHeaderLength));
    try {
      decipher.final();
      return opened;
    } catch {
      return null;
    }
  }
}

/** Whether a frame of this or any later version is sealed; null if it is no frame of this version. */
export function isSealed(frame: Uint8Array): boolean | null {
  return frame[0] === frameVersion && frame[1]! <= 1 ? frame[1] === 1 : null;
}

export function unreadableFormat(what: string, version: unknown): StoreError {
  return new StoreError(
    "store_format",
    `${what} has format ${String(version)}, but this release reads and writes format ${frameVersion} only; export it with the release that wrote it, and import that here`,
  );
}

/** All that checksum and tag cover beside the payload. */
function describe(person: string, { kind, id }: RecordKey, layout: number, padding: number): Buffer {
  return Buffer.from(JSON.stringify([frameVersion, person, kind, id, layout, padding]));
}

/** In either direction. */
function namesCipher(key: Uint8Array, hash: Uint8Array, text: Uint8Array): Buffer {
  return createCipheriv("aes-256-ctr", key, hash).update(text);
}

/** From every code unit of the key, so that half a surrogate pair counts too. */
function deriveKeys(encryptionKey: string): Keys {
  const derived = scryptSync(Buffer.from(encryptionKey, "utf16le"), salt, 96, scryptCost);
  return { records: derived.subarray(0, 32), names: derived.subarray(32, 64), hashes: derived.subarray(64) };
}
