/**
 * Marks: each row of the file carries a checksum of everything in it, so that damage is noticed and named instead of
 * being taken for what was said. In an encrypted file the checksum is keyed, because SQLite's encryption does not
 * authenticate: whoever changes the file without the key cannot make a mark that fits.
 *
 * A person's marks are also summed up (table `tally`), so that a row that can no longer be found is missed.
 */
import * as crypto from "node:crypto";
import { crc32 } from "../checksum.js";

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

  /** The mark of a row, from 0 to 2^48 - 1. */
  of(...values: readonly Marked[]): number {
    const parts = toParts(values);
    if (this.#key === null) return parts.reduce((crc, part) => crc32(part, crc), 0);
    // A keyed prefix is enough: of 256 bits the mark shows 48, so nobody can continue the hash from there.
    const digest = sha256(Buffer.concat([this.#key, ...parts]));
    return parseInt(digest.slice(0, markDigitCount), 16);
  }
}

export function addMarks(sum: number, mark: number): number {
  return (sum + mark) % markLimit;
}

/** Numbers, and the kind and length of each text, come first: no two rows have the same parts. */
function toParts(values: readonly Marked[]): Uint8Array[] {
  const head = new Float64Array(2 * values.length);
  const parts: Uint8Array[] = [new Uint8Array(head.buffer)];
  values.forEach((value, i) => {
    if (typeof value === "number") {
      // SQLite keeps no negative zero.
      head[2 * i + 1] = value + 0;
      return;
    }
    const bytes = typeof value === "string" ? Buffer.from(value) : value;
    head[2 * i] = bytes === null ? 1 : 2;
    head[2 * i + 1] = bytes?.byteLength ?? 0;
    if (bytes !== null) parts.push(bytes);
  });
  return parts;
}

/** In hexadecimal; the short way, where Node has it, takes a third of the time. */
const sha256: (bytes: Uint8Array) => string =
  crypto.hash === undefined
    ? (bytes) => crypto.createHash("sha256").update(bytes).digest("hex")
    : (bytes) => crypto.hash("sha256", bytes, "hex");
