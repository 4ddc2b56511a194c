/**
 * Marks: each row of the file carries a checksum of everything in it, so that damage is noticed and named instead of
 * being taken for what was said. In an encrypted file the checksum is keyed, because SQLite's encryption does not
 * authenticate: whoever changes the file without the key cannot make a mark that fits.
 *
 * A person's marks are also summed up (table `tally`), so that a row that can no longer be found is missed.
 */
import * as crypto from "node:crypto";
import { crc32 } from "../../../files/checksum.js";

/** A sum of marks is taken modulo this, which is exact in SQLite's integers and in ours. */
const markLimit = 2 ** 48;
const markDigitCount = 12;

/** A value of a row, as it lies in the file. */
export type Marked = string | Uint8Array | number | null;

export class Marker {
  readonly #key: Uint8Array | null;

  /** Without a key the marks are plain checksums. */
  constructor(key: Uint8Array | null) {
    this.#key = key;
  }

  /** The mark of a row, from 0 to 2^48 - 1. Text and its bytes in UTF-8 have the same mark. */
  of(...values: readonly Marked[]): number {
    let long: Uint8Array[] | undefined;
    let at = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      if (typeof value === "number") at = writeNumber(value, at);
      else if (value === null) scratch[at++] = kinds.null;
      else if (typeof value === "string" && value.length <= shortLengthMax / utf8ByteCountMax)
        at = writeText(value, at);
      else at = writeBytes(typeof value === "string" ? Buffer.from(value) : value, at, (long ??= []));
    }
    const head = scratch.subarray(0, at);
    if (this.#key === null)
      return long === undefined ? crc32(head) : long.reduce((crc, part) => crc32(part, crc), crc32(head));
    // A keyed prefix is enough: of 256 bits the mark shows 48, so nobody can continue the hash from there.
    const digest = sha256(Buffer.concat([this.#key, head, ...(long ?? [])]));
    return parseInt(digest.slice(0, markDigitCount), 16);
  }
}

export function addMarks(sum: number, mark: number): number {
  return (sum + mark) % markLimit;
}

/**
 * Kinds, lengths, numbers and short texts are collected here; only long ones are hashed by themselves. Rows have a fixed
 * number of values, so they always fit.
 */
const scratch = Buffer.alloc(16_384);
const shortLengthMax = 1_024;
/** That a unit of a text takes. */
const utf8ByteCountMax = 3;
const kinds = { number: 0, null: 1, bytes: 2 };

const scratchView = new DataView(scratch.buffer, scratch.byteOffset, scratch.byteLength);

function writeNumber(value: number, at: number): number {
  scratch[at] = kinds.number;
  // SQLite keeps no negative zero.
  scratchView.setFloat64(at + 1, value + 0, true);
  return at + 9;
}

/** Written where it belongs, without bytes of its own. */
function writeText(value: string, at: number): number {
  const byteCount = scratch.write(value, at + 5);
  return writeLength(byteCount, at) + byteCount;
}

function writeBytes(bytes: Uint8Array, at: number, long: Uint8Array[]): number {
  const start = writeLength(bytes.byteLength, at);
  if (bytes.byteLength > shortLengthMax) {
    long.push(bytes);
    return start;
  }
  scratch.set(bytes, start);
  return start + bytes.byteLength;
}

function writeLength(byteCount: number, at: number): number {
  scratch[at] = kinds.bytes;
  scratchView.setUint32(at + 1, byteCount, true);
  return at + 5;
}

/** In hexadecimal; the short way, where Node has it, takes a third of the time. */
const sha256: (bytes: Uint8Array) => string =
  crypto.hash === undefined
    ? (bytes) => crypto.createHash("sha256").update(bytes).digest("hex")
    : (bytes) => crypto.hash("sha256", bytes, "hex");
