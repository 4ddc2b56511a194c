/** Everything that is damaged in a store: reads all of it, and looks for persons whom no list names. */
import type { AcceptedEntry, StoreDamage } from "../../../ports/store.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { PersonCounts, findLost } from "./counts.js";
import { DamagedRowError, aboutPerson, isWrongType, toDamage } from "./damage.js";
import { RedisExpiries, entryName } from "./expiries.js";
import type { RedisHistory } from "./history.js";
import type { PersonKeys, RedisKeys } from "./keys.js";
import { lostEdges, readMemory, readRemoval, toCount } from "./loading.js";
import { RedisPersons } from "./persons.js";
import { findPersons } from "./salvage.js";
import { readEdge } from "./edge-rows.js";
import { type RedisRows, coreSummaryFieldNames, memoryFieldNames, toTexts, tokenFieldNames } from "./rows.js";
import { orderedPair } from "../../../core/graph/memory-node.js";

/** A person who changes while being looked at is looked at again. */
const triesMax = 5;
const memoriesPerPage = 200;

export async function reportDamage(
  connection: RedisConnection,
  keys: RedisKeys,
  rows: RedisRows,
  history: RedisHistory,
): Promise<StoreDamage[]> {
  const lists = await listPersons(connection, keys);
  const { listed, queued } = lists ?? { listed: new Set<string>(), queued: new Set<string>() };
  const persons = await findPersons(connection, keys);
  const damage: StoreDamage[] =
    lists === null ? [{ person: null, id: null, part: "a list of persons is damaged" }] : [];
  const expiries = await listExpiries(connection, keys);
  if (expiries === null) damage.push({ person: null, id: null, part: "a list of what expires is damaged" });
  for (const person of persons) {
    if (lists !== null && !listed.has(person)) damage.push({ person, id: null, part: "not in the list of persons" });
    if (lists !== null && !queued.has(person) && (await connection.send("EXISTS", keys.person(person).queue)) === 1) {
      damage.push({ person, id: null, part: "not in the list of persons with a queue" });
    }
    const inspect = (): Promise<StoreDamage[]> =>
      inspectPerson(connection, keys.person(person), rows, { history, expiries }, person);
    damage.push(...(await noting(person, inspect)));
  }
  return damage;
}

/** Null if a list has another type, or names nobody. */
async function listPersons(
  connection: RedisConnection,
  keys: RedisKeys,
): Promise<{ listed: Set<string>; queued: Set<string> } | null> {
  const persons = new RedisPersons(connection, keys);
  try {
    return { listed: new Set(await persons.all()), queued: new Set(await persons.withQueue()) };
  } catch (error) {
    if (isWrongType(error) || error instanceof DamagedRowError) return null;
    throw error;
  }
}

/** Null if a list has another type, or is not what was written. */
async function listExpiries(connection: RedisConnection, keys: RedisKeys): Promise<ReadonlySet<string> | null> {
  try {
    return await new RedisExpiries(connection, keys).names();
  } catch (error) {
    if (isWrongType(error) || error instanceof DamagedRowError) return null;
    throw error;
  }
}

interface Inspected {
  readonly history: RedisHistory;
  /** What is entered as expiring; null if nobody knows. */
  readonly expiries: ReadonlySet<string> | null;
}

async function inspectPerson(
  connection: RedisConnection,
  keys: PersonKeys,
  rows: RedisRows,
  inspected: Inspected,
  person: string,
): Promise<StoreDamage[]> {
  for (let tries = 1; ; tries++) {
    const before = await connection.send("HMGET", keys.head, "revision", "sequence");
    const damage = [
      ...(await noting(person, () => inspectHead(connection, keys, rows, person))),
      ...(await noting(person, () => inspectInteractions(connection, keys, inspected, person))),
      ...(await noting(person, () => inspectMemories(connection, keys, rows, person))),
    ];
    const after = await connection.send("HMGET", keys.head, "revision", "sequence");
    if (damage.length === 0 || String(before) === String(after) || tries === triesMax) return damage;
  }
}

/** What is found, and what stops the search. */
async function noting(person: string, search: () => Promise<StoreDamage[]>): Promise<StoreDamage[]> {
  try {
    return await aboutPerson(person, search);
  } catch (error) {
    return [toDamage(error)];
  }
}

async function inspectHead(
  connection: RedisConnection,
  keys: PersonKeys,
  rows: RedisRows,
  person: string,
): Promise<StoreDamage[]> {
  const fields = ["revision", "sequence", "commits_since", ...coreSummaryFieldNames];
  const head = (await connection.send("HMGET", keys.head, ...fields)) as (Buffer | null)[];
  for (const [i, name] of fields.slice(0, 3).entries()) toCount(person, name, head[i]!);
  rows.readCoreSummary(person, head.slice(3));
  for (const removal of toTexts(await connection.send("ZRANGE", keys.removed, "0", "-1"))) readRemoval(person, removal);
  return (await findLost(connection, keys, person)).map(toDamage);
}

async function inspectInteractions(
  connection: RedisConnection,
  keys: PersonKeys,
  { history, expiries }: Inspected,
  person: string,
): Promise<StoreDamage[]> {
  const found = await history.inspect(person);
  const queue = new Set(toTexts(await connection.send("ZRANGE", keys.queue, "0", "-1")));
  const entries = found.filter((entry): entry is AcceptedEntry => !(entry instanceof Error));
  const known = new Map(entries.map(({ interaction, outcome }) => [interaction.id, outcome]));
  const unqueued = [...known].filter(([id, outcome]) => (outcome === "queued") !== queue.has(id)).map(([id]) => id);
  return [
    ...found.filter((entry) => entry instanceof Error).map(toDamage),
    ...unqueued.map((id) => ({ person, id, part: "the interaction and the queue do not agree" })),
    ...entries
      .map(({ interaction: { id, expiresMs } }) => ({ id, expiresMs }))
      .filter(
        ({ id, expiresMs }) =>
          expiresMs !== null && expiries !== null && !expiries.has(entryName(person, id, expiresMs)),
      )
      .map(({ id }) => ({ person, id, part: "not in the list of what expires" })),
  ];
}

async function inspectMemories(
  connection: RedisConnection,
  keys: PersonKeys,
  rows: RedisRows,
  person: string,
): Promise<StoreDamage[]> {
  const ids = toTexts(await connection.send("ZRANGE", keys.memories, "0", "-1"));
  const damage: StoreDamage[] = [];
  let endCount = 0;
  const check = (id: string, read: () => unknown): void => {
    try {
      read();
    } catch (error) {
      damage.push({ ...toDamage(error), id });
    }
  };
  for (let from = 0; from < ids.length; from += memoriesPerPage) {
    const page = ids.slice(from, from + memoriesPerPage);
    const memories = await connection.sendAll(
      page.map((id): RedisCommand => ["HMGET", keys.memory(id), ...memoryFieldNames, ...tokenFieldNames]),
    );
    const neighbors = await connection.sendAll(page.map((id): RedisCommand => ["HGETALL", keys.neighbors(id)]));
    for (const [i, id] of page.entries()) {
      const values = memories[i] as (Buffer | null)[];
      check(id, () => readMemory(rows, person, id, values.slice(0, memoryFieldNames.length)));
      check(id, () => rows.readTokens(person, id, values.slice(memoryFieldNames.length)));
      const texts = toTexts(neighbors[i]!);
      endCount += texts.length / 2;
      for (let at = 0; at < texts.length; at += 2) {
        check(id, () => readEdge(person, ...orderedPair(id, texts[at]!), texts[at + 1]!));
      }
    }
  }
  const known = new Set(ids);
  for (const id of toTexts(await connection.send("ZRANGE", keys.edges, "0", "-1"))) {
    if (!known.has(id)) damage.push({ person, id, part: 'the list "edges" names a memory that does not exist' });
  }
  const field = (await connection.send("HGET", keys.head, "counts")) as Buffer | null;
  const expected = field === null ? endCount : PersonCounts.parse(person, field).edgeEnds;
  return expected === endCount ? damage : [...damage, toDamage(lostEdges(person, endCount, expected))];
}
