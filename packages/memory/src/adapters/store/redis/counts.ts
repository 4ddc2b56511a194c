/**
 * How long the lists of a person have to be. The head knows, and the scripts keep it up to date, so that a list which
 * Redis evicted, or of which something is missing, is not taken for a short one.
 */
import { DamagedRowError, LostPartError } from "./damage.js";
import type { RedisReply } from "./client.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import type { PersonKeys } from "./keys.js";
import { countScript } from "./small-scripts.js";

/** In the order of the head's field, which ends with the number of ends that all edges have together. */
export const listNames = ["history", "queue", "expiries", "memories", "removed"] as const;

export type ListName = (typeof listNames)[number];
export type PersonCounts = Readonly<Record<ListName | "edgeEnds", number>>;

/** Of the head's field. */
export function readCounts(person: string, field: Buffer | null): PersonCounts {
  const text = field?.toString() ?? "";
  if (!/^(?:\d+ ){5}\d+$/u.test(text)) throw new DamagedRowError(person, null, "the counts are damaged");
  const numbers = text.split(" ").map(Number);
  return Object.fromEntries([...listNames, "edgeEnds"].map((name, i) => [name, numbers[i]!])) as PersonCounts;
}

/** The answer to a question about a list that is as long as it has to be. */
export async function askList(
  connection: RedisConnection,
  keys: PersonKeys,
  person: string,
  list: ListName,
  command: RedisCommand,
): Promise<RedisReply> {
  const [head, length, answer] = await connection.sendInOrder([
    ["HMGET", keys.head, "revision", "counts"],
    ["ZCARD", keys[list]],
    command,
  ]);
  const [revision, field] = head as (Buffer | null)[];
  const isWhole = length === (revision === null ? 0 : readCounts(person, field ?? null)[list]);
  // Otherwise it changed while it was read, unless it is lost.
  if (!isWhole) await throwLost(connection, keys, person);
  return answer!;
}

/** What the lists lack, all read at one moment. */
export async function findLost(
  connection: RedisConnection,
  keys: PersonKeys,
  person: string,
): Promise<LostPartError[]> {
  const reply = await connection.run(countScript, [keys.head, ...listNames.map((name) => keys[name])], []);
  const [revision, field, ...lengths] = reply as RedisReply[];
  if (revision === null) return lengths.some((length) => Number(length) > 0) ? [headless(person)] : [];
  const counts = readCounts(person, field as Buffer | null);
  return listNames.flatMap((name, i) => {
    const found = Number(lengths[i]);
    if (found === counts[name]) return [];
    return [new LostPartError(person, null, `the list "${name}" has ${found} of ${counts[name]} entries`)];
  });
}

export function headless(person: string): LostPartError {
  return new LostPartError(person, null, "the head is missing");
}

/** For a reader to whom something seemed to be missing: throws if it is, and otherwise it changed in the meantime. */
export async function throwLost(connection: RedisConnection, keys: PersonKeys, person: string): Promise<void> {
  const [lost] = await findLost(connection, keys, person);
  if (lost !== undefined) throw lost;
}
