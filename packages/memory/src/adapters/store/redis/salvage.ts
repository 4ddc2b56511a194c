/** What can still be read of a person some of whose keys were lost or altered. */
import { type Edge, orderedPair } from "../../../core/graph/memory-node.js";
import type { SalvagedPerson } from "../../../ports/store.js";
import type { RedisReply } from "./client.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { isWrongType, toDamage } from "./damage.js";
import type { RedisHistory } from "./history.js";
import type { RedisKeys } from "./keys.js";
import { readMemory } from "./loading.js";
import { RedisPersons } from "./persons.js";
import { readEdge } from "./edge-rows.js";
import { type RedisRows, coreSummaryFieldNames, memoryFieldNames, toTexts, tokenFieldNames } from "./rows.js";

/** Everybody who is listed, or has a key although no list names them. */
export async function findPersons(connection: RedisConnection, keys: RedisKeys): Promise<string[]> {
  const listed = await attempt(() => new RedisPersons(connection, keys).all());
  const found = (await connection.scan(keys.start)).map((key) => keys.personOf(key));
  return [...new Set([...(listed ?? []), ...found.filter((person) => person !== null)])].sort();
}

export async function salvagePerson(
  connection: RedisConnection,
  keys: RedisKeys,
  rows: RedisRows,
  history: RedisHistory,
  person: string,
): Promise<SalvagedPerson> {
  const own = keys.person(person);
  const found = await connection.scan(own.head);
  // Keys tell what a lost list would have named, but not in which order.
  const idsOf = async (list: string, start: string): Promise<string[]> => {
    const listed = (await attempt(async () => toTexts(await connection.send("ZRANGE", list, "0", "-1")))) ?? [];
    const named = found.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
    return [...new Set([...listed, ...named.sort()])];
  };
  const read = async (command: RedisCommand): Promise<RedisReply | undefined> =>
    attempt(() => connection.send(...command));
  const interactionIds = await idsOf(own.history, own.interaction(""));
  const memoryIds = await idsOf(own.memories, own.memory(""));
  const nodes: SalvagedPerson["nodes"][number][] = [];
  const edges = new Map<string, Edge>();
  for (const id of memoryIds) {
    const command: RedisCommand = ["HMGET", own.memory(id), ...memoryFieldNames, ...tokenFieldNames];
    const values = ((await read(command)) ?? []) as (Buffer | null)[];
    const split = memoryFieldNames.length;
    const memory = await attempt(async () => readMemory(rows, person, id, values.slice(0, split)));
    const tokenBytes = (await attempt(async () => rows.readTokens(person, id, values.slice(split)))) ?? null;
    if (memory !== undefined) nodes.push({ ...memory, tokenBytes });
    const texts = toTexts((await read(["HGETALL", own.neighbors(id)])) ?? []);
    for (let at = 0; at < texts.length; at += 2) {
      const [a, b] = orderedPair(id, texts[at]!);
      const edge = await attempt(async () => readEdge(person, a, b, texts[at + 1]!));
      if (edge !== undefined) edges.set(JSON.stringify([a, b]), edge);
    }
  }
  const summary = await read(["HMGET", own.head, ...coreSummaryFieldNames]);
  return {
    entries: await history.whole(person, interactionIds),
    nodes,
    edges: [...edges.values()],
    coreSummary:
      (await attempt(async () => rows.readCoreSummary(person, (summary ?? []) as (Buffer | null)[]))) ?? null,
  };
}

/** Undefined where something is damaged or of another type. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isWrongType(error)) toDamage(error);
    return undefined;
  }
}
