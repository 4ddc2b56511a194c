/** What the heads of the persons say about settings that are missing. */
import type { RedisCipher } from "./cipher.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import type { RedisKeys } from "./keys.js";
import { RedisPersons } from "./persons.js";
import { RedisRows, toTexts } from "./rows.js";
import type { LostSettings } from "./settings.js";

/** Nobody's vectors can be compared with those of another embedder, so all have to be made again. */
const severalEmbedders = JSON.stringify({ name: "several embedders", dimensions: 1 });

/** Null if there are no persons. */
export async function recoverSettings(connection: RedisConnection, keys: RedisKeys): Promise<LostSettings | null> {
  const persons = await new RedisPersons(connection, keys).all();
  if (persons.length === 0) return null;
  const heads = await connection.sendAll(
    persons.map((name): RedisCommand => ["HMGET", keys.person(name).head, "store", "embedder"]),
  );
  const distinct = (field: 0 | 1): string[] => [
    ...new Set(heads.map((head) => (head as (Buffer | null)[])[field]?.toString() ?? "")),
  ];
  const [store = "", ...otherStores] = distinct(0);
  const [embedder = "", ...otherEmbedders] = distinct(1).filter((name) => name !== "");
  return {
    store: store === "" || otherStores.length > 0 ? null : store,
    embedder: otherEmbedders.length > 0 ? severalEmbedders : embedder || null,
    opensWith: (cipher) => opensTurns(connection, keys, persons[0]!, cipher),
  };
}

async function opensTurns(
  connection: RedisConnection,
  keys: RedisKeys,
  person: string,
  cipher: RedisCipher,
): Promise<boolean> {
  const own = keys.person(person);
  const [id = ""] = toTexts(await connection.send("ZRANGE", own.history, "0", "0"));
  const turns = (await connection.send("HGET", own.interaction(id), "turns")) as Buffer | null;
  try {
    return turns !== null && new RedisRows(cipher).readTurns(person, id, turns).length >= 0;
  } catch {
    return false;
  }
}
