/**
 * Marks: a checksum of a record together with all that a store keeps beside its bytes. A store adds the marks of a person
 * up, so that a record that can no longer be found is missed.
 */
import { crc32 } from "../files/checksum.js";
import type { StoreRecord } from "./store.js";

/** A sum of marks is taken modulo this, which is exact in a double. */
export const markLimit = 2 ** 48;

export function markOf({ kind, id, bytes, due }: StoreRecord, version: number): number {
  const beside = JSON.stringify([kind, id, version, due?.queue ?? null, due?.expiry ?? null]);
  return crc32(bytes, crc32(Buffer.from(beside)));
}

export function addMarks(sum: number, mark: number): number {
  return (sum + mark + markLimit) % markLimit;
}
