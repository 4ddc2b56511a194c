/**
 * Reading a person's graph. First the sorted sets say what there is (or what changed since a revision); then the rows
 * are read, page by page. Every page ends with another look at the revision: as long as it is unchanged, all pages
 * belong to the same moment. Otherwise loading starts over, and after a few failed attempts a script reads all rows in
 * one step.
 */
import { type Edge, type GraphChange, compareIds, noChange, orderedPair } from "../../../core/graph/memory-node.js";
import { StoreError } from "../../../errors.js";
import type { PersonSnapshot, SnapshotPage } from "../../../ports/store.js";
import type { RedisReply } from "./client.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import { type PersonCounts, listNames, readCounts, throwLost } from "./counts.js";
import { DamagedRowError, LostPartError } from "./damage.js";
import type { PersonKeys } from "./keys.js";
import { type RedisRows, type Values, memoryFieldNames, packRemoval, readEdge, toTexts } from "./rows.js";
import { readScript } from "./scripts.js";

const memoriesPerPage = 100;
const edgesPerPage = 500;
const pagedTriesMax = 4;
const triesMax = 50;

const loadedLists = ["memories", "removed"] as const;

interface Contents {
  readonly person: string;
  readonly counts: PersonCounts | null;
  /** As Redis writes it; null for an unknown person. */
  readonly revision: string | null;
  readonly coreSummary: Buffer | null;
  readonly commitsSince: number;
  readonly isWhole: boolean;
  /** Those to be read with their edges. */
  readonly memories: readonly string[];
  readonly removals: readonly string[];
}

interface LoadedRows {
  readonly memories: readonly Values[];
  readonly neighbors: readonly (readonly Buffer[])[];
}

export async function loadPerson(
  connection: RedisConnection,
  keys: PersonKeys,
  rows: RedisRows,
  person: string,
  sinceRevision: number,
): Promise<PersonSnapshot> {
  for (let tries = 1; tries <= triesMax; tries++) {
    const contents = await readContents(connection, keys, person, sinceRevision);
    if (contents === null) continue;
    const loaded = await (tries <= pagedTriesMax ? readInPages : readAtOnce)(connection, keys, contents);
    if (loaded === null) continue;
    return {
      revision: contents.revision === null ? 0 : toCount(person, "revision", Buffer.from(contents.revision)),
      isWhole: contents.isWhole,
      coreSummary: rows.readCoreSummary(person, contents.coreSummary),
      commitsSinceCoreSummary: contents.commitsSince,
      pages: snapshotPages(rows, contents, loaded),
    };
  }
  throw new StoreError("store_busy", `"${person}" changes too often to be loaded now; try again`);
}

/** Null if it changed while it was read. */
async function readContents(
  connection: RedisConnection,
  keys: PersonKeys,
  person: string,
  since: number,
): Promise<Contents | null> {
  const [head, known, ...replies] = await connection.sendInOrder([
    ["HMGET", keys.head, "revision", "commits_since", "counts", "core_summary"],
    ["ZSCORE", keys.revisions, String(since)],
    ...listNames.map((name): RedisCommand => ["ZCARD", keys[name]]),
    ...rangesAfter(keys, since === 0 ? "-inf" : `(${since}`),
  ]);
  const [revision, commitsSince, counted, coreSummary] = head as (Buffer | null)[];
  const lengths = replies.slice(0, listNames.length).map(Number);
  const counts = revision == null ? null : readCounts(person, counted ?? null);
  if (!listNames.every((name, i) => lengths[i] === (counts?.[name] ?? 0))) {
    await throwLost(connection, keys, person);
    return null;
  }
  const isWhole = known === null;
  const needsAll = isWhole && since !== 0;
  const ranges = needsAll ? await connection.sendInOrder(rangesAfter(keys, "-inf")) : replies.slice(listNames.length);
  const [memories, removals] = ranges.map(toTexts);
  return {
    person,
    counts,
    revision: revision?.toString() ?? null,
    coreSummary: coreSummary ?? null,
    commitsSince: toCount(person, "commits_since", commitsSince ?? null),
    isWhole,
    memories: memories!,
    removals: isWhole ? [] : removals!,
  };
}

function rangesAfter(keys: PersonKeys, from: string): RedisCommand[] {
  return loadedLists.map((name) => ["ZRANGE", keys[name], from, "+inf", "BYSCORE"]);
}

/** A number in the head. */
export function toCount(person: string, name: string, value: Buffer | null): number {
  const text = value?.toString() ?? "0";
  if (/^\d+$/u.test(text)) return Number(text);
  throw new DamagedRowError(person, null, `the head is damaged (${name})`);
}

/** Null if something changed in the meantime. */
async function readInPages(
  connection: RedisConnection,
  keys: PersonKeys,
  contents: Contents,
): Promise<LoadedRows | null> {
  const commands = rowCommands(keys, contents);
  const replies: RedisReply[] = [];
  do {
    const page = commands.slice(replies.length, replies.length + 2 * memoriesPerPage);
    const answers = await connection.sendInOrder([...page, ["HGET", keys.head, "revision"]]);
    const revision = answers.pop() as Buffer | null;
    if ((revision?.toString() ?? null) !== contents.revision) return null;
    for (const answer of answers) replies.push(answer);
  } while (replies.length < commands.length);
  return splitRows(contents, replies);
}

async function readAtOnce(
  connection: RedisConnection,
  keys: PersonKeys,
  contents: Contents,
): Promise<LoadedRows | null> {
  if (contents.revision === null) return { memories: [], neighbors: [] };
  const rowKeys = rowCommands(keys, contents).map(([, key]) => key);
  const args = [contents.revision, String(contents.memories.length), ...memoryFieldNames];
  const replies = await connection.run(readScript, [keys.head, ...rowKeys], args);
  return replies === null ? null : splitRows(contents, replies as RedisReply[]);
}

function rowCommands(keys: PersonKeys, { memories }: Contents): RedisCommand[] {
  return [
    ...memories.map((id): RedisCommand => ["HMGET", keys.memory(id), ...memoryFieldNames]),
    ...memories.map((id): RedisCommand => ["HGETALL", keys.neighbors(id)]),
  ];
}

function splitRows({ memories }: Contents, replies: readonly RedisReply[]): LoadedRows {
  return {
    memories: replies.slice(0, memories.length) as Values[],
    neighbors: replies.slice(memories.length) as Buffer[][],
  };
}

/** Rows are parsed when the caller is ready for them. */
async function* snapshotPages(rows: RedisRows, contents: Contents, loaded: LoadedRows): AsyncGenerator<SnapshotPage> {
  const { person, removals } = contents;
  if (removals.length > 0) yield { change: toRemovals(person, removals) };
  for (let from = 0; from < contents.memories.length; from += memoriesPerPage) {
    const ids = contents.memories.slice(from, from + memoriesPerPage);
    const putNodes = ids.map((id, i) => readMemory(rows, person, id, loaded.memories[from + i]!));
    yield { change: { ...noChange, putNodes } };
  }
  let putEdges: Edge[] = [];
  for (const edge of readEdges(contents, loaded)) {
    putEdges.push(edge);
    if (putEdges.length < edgesPerPage) continue;
    yield { change: { ...noChange, putEdges } };
    putEdges = [];
  }
  if (putEdges.length > 0) yield { change: { ...noChange, putEdges } };
}

export function readMemory(
  rows: RedisRows,
  person: string,
  id: string,
  values: Values,
): ReturnType<RedisRows["readMemory"]> {
  if (values.some((value) => value !== null)) return rows.readMemory(person, id, values);
  throw new LostPartError(person, id, "the memory is missing");
}

/** An edge is stored under both ends; it counts under the first of those that are read. */
function* readEdges({ person, counts, memories, isWhole }: Contents, { neighbors }: LoadedRows): Generator<Edge> {
  const found = neighbors.reduce((sum, fields) => sum + fields.length / 2, 0);
  const expected = counts?.edgeEnds ?? 0;
  if (isWhole && found !== expected) throw lostEdges(person, found, expected);
  const ends = new Set(memories);
  for (const [i, end] of memories.entries()) {
    const fields = neighbors[i]!;
    for (let at = 0; at < fields.length; at += 2) {
      const other = fields[at]!.toString();
      const isHere = compareIds(end, other) < 0 || !ends.has(other);
      if (isHere) yield readEdge(person, ...orderedPair(end, other), fields[at + 1]!.toString());
    }
  }
}

export function lostEdges(person: string, found: number, expected: number): LostPartError {
  return new LostPartError(person, null, `there are ${found} of ${expected} ends of edges`);
}

function toRemovals(person: string, removals: readonly string[]): GraphChange {
  const ids = removals.map((removal) => readRemoval(person, removal));
  return {
    ...noChange,
    removeNodes: ids.flatMap(([a, b]) => (b === undefined ? [a!] : [])),
    removeEdges: ids.flatMap(([a, b]) => (b === undefined ? [] : [[a!, b] as const])),
  };
}

/** As `packRemoval` wrote it. */
export function readRemoval(person: string, removal: string): string[] {
  try {
    const ids = JSON.parse(removal) as unknown;
    const isList = Array.isArray(ids) && ids.length <= 2 && ids.every((id) => typeof id === "string");
    if (isList && packRemoval(...ids) === removal) return ids;
  } catch {
    // As below.
  }
  throw new DamagedRowError(person, null, 'the list "removed" is damaged');
}
