/** Every row of a person: as the lists name them or, where one was lost, as their keys are found. */
import type { ErasedCounts } from "../../../ports/store.js";
import type { RedisConnection } from "./connection.js";
import { findLost } from "./counts.js";
import { isWrongType, toDamage } from "./damage.js";
import type { PersonKeys } from "./keys.js";
import { toTexts } from "./rows.js";

/** Ids in their order. */
export interface PersonRows {
  readonly interactions: readonly string[];
  readonly memories: readonly string[];
  /** Of memories, whose neighbours are there; more than `memories` only where a list was lost. */
  readonly neighbors: readonly string[];
}

export async function listRows(connection: RedisConnection, keys: PersonKeys, person: string): Promise<PersonRows> {
  const isWhole = await attempt(async () => (await findLost(connection, keys, person)).length === 0);
  const [history = [], memories = []] = await Promise.all(
    [keys.history, keys.memories].map((list) =>
      attempt(async () => toTexts(await connection.send("ZRANGE", list, "0", "-1"))),
    ),
  );
  if (isWhole === true) return { interactions: history, memories, neighbors: memories };
  const found = (await connection.scan(`${keys.head}:`)).sort();
  // Keys tell what a lost list would have named, but not in which order.
  const withFound = (listed: readonly string[], start: string): string[] => [
    ...new Set([...listed, ...found.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length))]),
  ];
  return {
    interactions: withFound(history, keys.interaction("")),
    memories: withFound(memories, keys.memory("")),
    neighbors: withFound(memories, keys.neighbors("")),
  };
}

interface Everything {
  readonly revision: string;
  readonly sequence: string;
  /** Of interactions, memories and neighbours. */
  readonly rowKeys: readonly string[];
  readonly counts: ErasedCounts;
}

/** What is to be removed with a person. */
export async function listEverything(
  connection: RedisConnection,
  keys: PersonKeys,
  person: string,
): Promise<Everything> {
  const head = await connection.send("HMGET", keys.head, "revision", "sequence");
  const [revision, sequence] = (head as (Buffer | null)[]).map((value) => value?.toString() ?? "0");
  const { interactions, memories, neighbors } = await listRows(connection, keys, person);
  const degrees = await Promise.all(
    neighbors.map(async (id) => (await attempt(() => connection.send("HLEN", keys.neighbors(id)))) ?? 0),
  );
  const edgeEnds = degrees.reduce<number>((sum, degree) => sum + Number(degree), 0);
  return {
    revision: revision!,
    sequence: sequence!,
    rowKeys: [
      ...interactions.map((id) => keys.interaction(id)),
      ...memories.map((id) => keys.memory(id)),
      ...neighbors.map((id) => keys.neighbors(id)),
    ],
    counts: { interactions: interactions.length, memories: memories.length, edges: edgeEnds / 2 },
  };
}

/** Undefined where something is damaged or of another type. */
export async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isWrongType(error)) toDamage(error);
    return undefined;
  }
}
