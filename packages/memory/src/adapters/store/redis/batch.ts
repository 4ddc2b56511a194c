/**
 * A batch in the form the apply script takes: every key it touches, and lists of what to check and what to do. Rows that
 * change in part are read first and written whole; the revision, and the stamp of an interaction, tell the script whether
 * they are still what was read.
 */
import { StaleRevisionError, StoreError } from "../../../errors.js";
import type { AcceptedEntry, Batch } from "../../../ports/store.js";
import {
  knownInteraction,
  linkChanges,
  missingMemory,
  namedMemories,
  rewrittenEntries,
  rewrittenInteractions,
} from "../batch-steps.js";
import type { MemoryLinks } from "../content.js";
import type { RedisArgument } from "./client.js";
import type { RedisCommand, RedisConnection } from "./connection.js";
import type { PersonKeys } from "./keys.js";
import { type RedisRows, type Values, interactionFieldNames, packEdge, packRemoval, toTexts } from "./rows.js";

export interface PackedBatch {
  readonly keys: string[];
  readonly args: RedisArgument[];
}

/** What a batch is packed with. */
export interface Packing {
  readonly connection: RedisConnection;
  readonly keys: PersonKeys;
  readonly rows: RedisRows;
  readonly stamp: string;
}

/** What the store has of the rows that a batch changes in part, and of those whose edges go. */
interface KnownRows {
  readonly links: ReadonlyMap<string, MemoryLinks>;
  readonly entries: ReadonlyMap<string, AcceptedEntry & { readonly stamp: string }>;
  readonly neighborsOfRemoved: readonly string[];
}

export async function packBatch(person: string, batch: Batch, packing: Packing): Promise<PackedBatch> {
  const { keys, rows, stamp } = packing;
  const { change, acceptEntries = [], forgetInteractions, coreSummary, commitsSinceCoreSummary } = batch;
  const put = new Set(change.putNodes.map(({ node }) => node.id));
  const named = namedMemories(change).filter((id) => !put.has(id));
  const gone = named.find((id) => change.removeNodes.includes(id));
  if (gone !== undefined) throw missingMemory(gone);

  const links = linkChanges(change);
  const known = await readKnown(
    person,
    batch,
    [...links.keys()].filter((id) => !put.has(id)),
    packing,
  );
  const rewritten = rewrittenEntries(batch, (id) => known.entries.get(id));
  const accepted = new Set(acceptEntries.map(({ interaction }) => interaction.id));

  const args: RedisArgument[] = [String(batch.baseRevision), stamp];
  const list = <Item>(items: Iterable<Item>, pack: (item: Item) => readonly RedisArgument[]): void => {
    const packed = [...items].map(pack);
    args.push(String(packed.length));
    for (const each of packed) for (const argument of each) args.push(argument);
  };
  const alone = (text: string): string[] => [text];
  list(accepted, alone);
  list(
    [...put].filter((id) => !accepted.has(id)),
    alone,
  );
  list(new Set(named), alone);
  list(rewritten.keys(), (id) => [id, known.entries.get(id)!.stamp]);
  const grows = put.size + accepted.size + links.size > 0;
  args.push(forgetInteractions.length > 0 ? "1" : "0", grows ? "1" : "0");
  list(change.removeEdges, ([a, b]) => [a, b, packRemoval(a, b)]);
  list(change.removeNodes, (id) => [id, packRemoval(id)]);
  list([...acceptEntries, ...rewritten.values()], (entry) => packEntry(person, rows, entry, stamp));
  list(change.putNodes, (embedded) => {
    const { node } = embedded;
    const linked = { ...embedded, node: { ...node, ...links.get(node.id) } };
    return [node.id, ...counted(rows.memoryFields(person, linked))];
  });
  list(known.links, ([id, before]) => [id, rows.links(person, id, { ...before, ...links.get(id) })]);
  list(change.putEdges, (edge) => {
    const ends = put.has(edge.b) && !put.has(edge.a) ? [edge.b, edge.a] : [edge.a, edge.b];
    return [...ends, packEdge(person, edge)];
  });
  list(forgetInteractions, alone);
  const head: RedisArgument[] = [];
  if (coreSummary !== undefined) head.push("core_summary", rows.coreSummary(person, coreSummary));
  if (commitsSinceCoreSummary !== undefined) head.push("commits_since", String(commitsSinceCoreSummary));
  for (const argument of counted(head)) args.push(argument);

  const interactions = [...accepted, ...put, ...rewritten.keys(), ...forgetInteractions];
  const memories = [...put, ...removedMemories(batch), ...named];
  const ends = [
    ...removedMemories(batch),
    ...known.neighborsOfRemoved,
    ...change.removeEdges.flat(),
    ...change.putEdges.flatMap(({ a, b }) => [a, b]),
  ];
  const touched = [
    ...interactions.map((id) => keys.interaction(id)),
    ...memories.map((id) => keys.memory(id)),
    ...ends.map((id) => keys.neighbors(id)),
  ];
  return { keys: [...keys.fixed, ...new Set(touched)], args };
}

/** What is not there is left out: the script says whether it should be. */
async function readKnown(
  person: string,
  batch: Batch,
  linked: readonly string[],
  { connection, keys, rows }: Packing,
): Promise<KnownRows> {
  const ids = rewrittenInteractions(batch);
  const replies = await connection.sendAll([
    ...linked.map((id): RedisCommand => ["HGET", keys.memory(id), "links"]),
    ...ids.map((id): RedisCommand => ["HMGET", keys.interaction(id), "stamp", ...interactionFieldNames]),
    ...removedMemories(batch).map((id): RedisCommand => ["HKEYS", keys.neighbors(id)]),
  ]);
  const entriesFrom = linked.length + ids.length;
  const entries = new Map<string, AcceptedEntry & { readonly stamp: string }>();
  for (const [i, id] of ids.entries()) {
    const [stamp, ...values] = replies[linked.length + i] as Values as [Buffer | null, ...Values];
    if (values.every((value) => value === null)) continue;
    entries.set(id, { ...rows.readInteraction(person, id, values), stamp: String(stamp) });
  }
  return {
    links: new Map(
      linked.flatMap((id, i) => {
        const cell = replies[i] as Buffer | null;
        return cell === null ? [] : [[id, rows.readLinks(person, id, cell)] as const];
      }),
    ),
    entries,
    neighborsOfRemoved: replies.slice(entriesFrom).flatMap(toTexts),
  };
}

/** Memories that a batch removes. */
function removedMemories({ change, forgetInteractions }: Batch): string[] {
  return [...new Set([...change.removeNodes, ...forgetInteractions])];
}

function packEntry(person: string, rows: RedisRows, entry: AcceptedEntry, stamp: string): RedisArgument[] {
  const { id, expiresMs } = entry.interaction;
  const place = [id, entry.outcome === "queued" ? "1" : "0", String(expiresMs ?? "")];
  return [...place, ...counted([...rows.interactionFields(person, entry), "stamp", stamp])];
}

function counted(fields: readonly RedisArgument[]): RedisArgument[] {
  return [String(fields.length), ...fields];
}

/** Why the script did not apply a batch. */
export function refusal(person: string, { baseRevision }: Batch, answer: string, about: string): StoreError {
  if (answer === "stale") return new StaleRevisionError(person, baseRevision, Number(about));
  if (answer === "no memory") return missingMemory(about);
  if (answer === "known") return knownInteraction(about);
  const message = `apply makes a memory of "${about}", which does not exist; nothing was changed`;
  return new StoreError("store_corrupt", message);
}
