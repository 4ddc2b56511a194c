/** Every key of a person who is to be forgotten. If a list was lost, the keys themselves are looked for. */
import type { ErasedCounts } from "../../../ports/store.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { findLost } from "./counts.js";
import { isWrongType, toDamage } from "./damage.js";
import type { PersonKeys } from "./keys.js";
import { toTexts } from "./rows.js";

interface Everything {
  readonly revision: string;
  readonly sequence: string;
  /** Of interactions, memories and neighbours. */
  readonly rowKeys: readonly string[];
  readonly counts: ErasedCounts;
}

export async function listEverything(
  connection: RedisConnection,
  keys: PersonKeys,
  person: string,
): Promise<Everything> {
  const head = await connection.send("HMGET", keys.head, "revision", "sequence");
  const [revision, sequence] = (head as (Buffer | null)[]).map((value) => value?.toString() ?? "0");
  const isWhole = await hasWholeLists(connection, keys, person);
  const rows = await (isWhole ? listedRows(connection, keys) : foundRows(connection, keys));
  const degrees = await Promise.all(rows.neighbors.map((key) => degreeOf(connection, key)));
  const edgeEnds = degrees.reduce((sum, degree) => sum + degree, 0);
  return {
    revision: revision!,
    sequence: sequence!,
    rowKeys: [...rows.interactions, ...rows.memories, ...rows.neighbors],
    counts: { interactions: rows.interactions.length, memories: rows.memories.length, edges: edgeEnds / 2 },
  };
}

interface RowKeys {
  readonly interactions: readonly string[];
  readonly memories: readonly string[];
  readonly neighbors: readonly string[];
}

async function listedRows(connection: RedisConnection, keys: PersonKeys): Promise<RowKeys> {
  const [history, memories] = await connection.sendInOrder([
    ["ZRANGE", keys.history, "0", "-1"],
    ["ZRANGE", keys.memories, "0", "-1"],
  ]);
  const memoryIds = toTexts(memories!);
  return {
    interactions: toTexts(history!).map((id) => keys.interaction(id)),
    memories: memoryIds.map((id) => keys.memory(id)),
    neighbors: memoryIds.map((id) => keys.neighbors(id)),
  };
}

async function foundRows(connection: RedisConnection, keys: PersonKeys): Promise<RowKeys> {
  const found = await connection.scan(`${keys.head}:`);
  const under = (start: string): string[] => found.filter((key) => key.startsWith(start));
  return {
    interactions: under(keys.interaction("")),
    memories: under(keys.memory("")),
    neighbors: under(keys.neighbors("")),
  };
}

async function hasWholeLists(connection: RedisConnection, keys: PersonKeys, person: string): Promise<boolean> {
  try {
    return (await findLost(connection, keys, person)).length === 0;
  } catch (error) {
    // What a damaged key may be does not matter to one who removes it.
    if (!isWrongType(error)) toDamage(error);
    return false;
  }
}

async function degreeOf(connection: RedisConnection, key: string): Promise<number> {
  try {
    return Number(await connection.send(...(["HLEN", key] satisfies RedisCommand)));
  } catch (error) {
    if (isWrongType(error)) return 0;
    throw error;
  }
}
