/**
 * Reading token vectors: fields of a memory that a load leaves out. What is damaged counts as missing: it can be made
 * again.
 */
import type { RedisCommand, RedisConnection } from "./connection.js";
import { toDamage } from "./damage.js";
import type { PersonKeys } from "./keys.js";
import { type RedisRows, tokenFieldNames } from "./rows.js";

export async function readTokens(
  connection: RedisConnection,
  keys: PersonKeys,
  rows: RedisRows,
  person: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const replies = await connection.sendAll(
    ids.map((id): RedisCommand => ["HMGET", keys.memory(id), ...tokenFieldNames]),
  );
  const found = new Map<string, Uint8Array>();
  for (const [i, id] of ids.entries()) {
    try {
      const bytes = rows.readTokens(person, id, replies[i] as (Buffer | null)[]);
      if (bytes !== null) found.set(id, bytes);
    } catch (error) {
      toDamage(error);
    }
  }
  return found;
}
