/** CRC-32 (IEEE 802.3), by which damage is noticed. */
import * as zlib from "node:zlib";

const reversedPolynomial = 0xedb8_8320;

/** The checksum of bytes, or of text in UTF-8; `seed` is the checksum of the bytes before them. */
export function crc32(bytes: Uint8Array | string, seed = 0): number {
  // Of no bytes, zlib's answer is 0 if they are in no memory.
  return bytes.length === 0 ? seed : crc32OfSome(bytes, seed);
}

const crc32OfSome: (bytes: Uint8Array | string, seed: number) => number = zlib.crc32 ?? crc32ByTable;

/** The same for versions of Node whose zlib has none. */
export function crc32ByTable(bytes: Uint8Array | string, seed = 0): number {
  let crc = ~seed;
  for (const byte of typeof bytes === "string" ? Buffer.from(bytes) : bytes)
    crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? reversedPolynomial ^ (crc >>> 1) : crc >>> 1;
  return crc;
});
