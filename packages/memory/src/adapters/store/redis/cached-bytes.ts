/** Bytes that belong to no person, followed by a checksum. What is damaged counts as not there: it can be computed again. */
import { crc32 } from "../checksum.js";
import type { RedisConnection } from "./connection.js";

const checksumByteCount = 4;

export async function readCached(connection: RedisConnection, place: string, key: string): Promise<Uint8Array | null> {
  const stored = (await connection.send("GET", place)) as Buffer | null;
  if (stored === null || stored.length < checksumByteCount) return null;
  const bytes = stored.subarray(0, -checksumByteCount);
  return cacheSum(key, bytes).equals(stored.subarray(-checksumByteCount)) ? new Uint8Array(bytes) : null;
}

export async function writeCached(
  connection: RedisConnection,
  place: string,
  key: string,
  bytes: Uint8Array,
): Promise<void> {
  await connection.send("SET", place, Buffer.concat([bytes, cacheSum(key, bytes)]));
}

function cacheSum(key: string, bytes: Uint8Array): Buffer {
  const sum = Buffer.alloc(checksumByteCount);
  sum.writeUInt32BE(crc32(bytes, crc32(Buffer.from(key))));
  return sum;
}
