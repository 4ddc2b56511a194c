/** A batch in the form the apply script takes: every key it touches, and lists of what to check and what to do. */
import type { Edge, GraphChange } from "../../../core/graph/memory-node.js";
import { StaleRevisionError, StoreError } from "../../../errors.js";
import type { AcceptedEntry, Batch } from "../../../ports/store.js";
import type { RedisArgument } from "./client.js";
import type { PersonKeys } from "./keys.js";
import { packEdge } from "./edge-rows.js";
import { type RedisRows, coreSummaryFieldNames, packRemoval } from "./rows.js";

export interface PackedBatch {
  readonly keys: string[];
  readonly args: RedisArgument[];
}

/** Memories that a batch removes; the caller supplies their neighbours. */
export function removedMemories({ change, forgetInteractions }: Batch): string[] {
  return [...new Set([...change.removeNodes, ...forgetInteractions])];
}

/** What a batch is packed with. */
export interface Packing {
  readonly keys: PersonKeys;
  readonly rows: RedisRows;
  readonly stamp: string;
  readonly neighborsOfRemoved: readonly string[];
}

export function packBatch(
  person: string,
  batch: Batch,
  { keys, rows, stamp, neighborsOfRemoved }: Packing,
): PackedBatch {
  const { change, outcomes, forgetInteractions } = batch;
  const { acceptEntries = [], requeueInteractions = [], setInteractionUpdates = [], replaceInteractions = [] } = batch;
  const expected = expectations(batch);
  const args: RedisArgument[] = [String(batch.baseRevision), stamp];
  const list = <Item>(items: readonly Item[], pack: (item: Item) => readonly RedisArgument[]): void => {
    args.push(String(items.length));
    for (const item of items) for (const argument of pack(item)) args.push(argument);
  };
  const alone = (text: string): string[] => [text];

  list(expected.newInteractions, alone);
  list(expected.interactions, alone);
  list(expected.memories, alone);
  const grows = change.putNodes.length + change.setMetadata.length + replaceInteractions.length > 0;
  args.push(forgetInteractions.length > 0 ? "1" : "0", grows ? "1" : "0");
  list(acceptEntries, (entry) => packEntry(person, rows, entry, stamp));
  list(change.removeEdges, ([a, b]) => [a, b, packRemoval(a, b)]);
  list(change.removeNodes, (id) => [id, packRemoval(id)]);
  list(change.putNodes, (embedded) => [embedded.node.id, ...counted(rows.memoryFields(person, embedded))]);
  list(change.setPairs, ({ id, pairId }) => [id, pairId ?? "", rows.pairSum(person, id, pairId)]);
  list(change.setUpdates, (next) => [next.id, ...counted(rows.updatesFields(person, "memory", next))]);
  list(change.setPinned, ({ id, area }) => [id, ...counted(rows.pinFields(person, id, area))]);
  list(change.setMetadata, (next) => [next.id, ...counted(rows.notesFields(person, next))]);
  list([...edgesByEnd(change.putEdges)], ([id, edges]) => [
    id,
    String(edges.length),
    ...edges.flatMap((edge) => [edge.a === id ? edge.b : edge.a, packEdge(person, edge)]),
  ]);
  list(replaceInteractions, (next) => {
    const [sum, fields] = rows.editedFields(person, next);
    return [next.id, sum, ...counted([...fields, "stamp", stamp])];
  });
  list(outcomes, (next) => {
    const { sealed, sums } = rows.sealOutcome(person, next);
    return [next.id, next.outcome, sealed === null ? "0" : "1", sealed ?? "", ...sums];
  });
  list(requeueInteractions, (id) => {
    const { sums } = rows.sealOutcome(person, { id, outcome: "queued", trace: null });
    return [id, sums[1]];
  });
  list(setInteractionUpdates, (next) => [next.id, ...counted(rows.updatesFields(person, "interaction", next))]);
  list(forgetInteractions, alone);
  list(batch.coreSummary === null ? coreSummaryFieldNames : [], alone);
  for (const argument of counted(headFields(person, rows, batch))) args.push(argument);
  return { keys: touchedKeys(keys, batch, neighborsOfRemoved), args };
}

function packEntry(person: string, rows: RedisRows, entry: AcceptedEntry, stamp: string): RedisArgument[] {
  const fields = rows.interactionFields(person, entry);
  return [entry.interaction.id, entry.outcome === "queued" ? "1" : "0", ...counted([...fields, "stamp", stamp])];
}

function headFields(person: string, rows: RedisRows, { coreSummary, commitsSinceCoreSummary }: Batch): RedisArgument[] {
  const fields: RedisArgument[] = [];
  if (coreSummary != null) fields.push(...rows.coreSummaryFields(person, coreSummary));
  if (commitsSinceCoreSummary !== undefined) fields.push("commits_since", String(commitsSinceCoreSummary));
  return fields;
}

function counted(fields: readonly RedisArgument[]): RedisArgument[] {
  return [String(fields.length), ...fields];
}

/** What has to exist, and what must not, besides what the batch itself adds. */
function expectations({ change, acceptEntries = [] }: Batch): {
  newInteractions: string[];
  interactions: string[];
  memories: string[];
} {
  const newInteractions = acceptEntries.map(({ interaction }) => interaction.id);
  const accepted = new Set(newInteractions);
  const put = new Set(change.putNodes.map(({ node }) => node.id));
  const removed = new Set(change.removeNodes);
  const named = new Set(namedMemories(change).filter((id) => !put.has(id)));
  const missing = [...named].find((id) => removed.has(id));
  if (missing !== undefined) throw missingMemory(missing);
  return { newInteractions, interactions: [...put].filter((id) => !accepted.has(id)), memories: [...named] };
}

function namedMemories({ putEdges, setPairs, setUpdates, setPinned, setMetadata }: GraphChange): string[] {
  return [
    ...putEdges.flatMap(({ a, b }) => [a, b]),
    ...setPairs.flatMap(({ id, pairId }) => (pairId === null ? [id] : [id, pairId])),
    ...[...setUpdates, ...setPinned, ...setMetadata].map(({ id }) => id),
  ];
}

function missingMemory(id: string): StoreError {
  return new StoreError("store_corrupt", `apply names memory "${id}", which does not exist; nothing was changed`);
}

/** Why the script did not apply a batch. */
export function refusal(person: string, { baseRevision }: Batch, answer: string, about: string): StoreError {
  if (answer === "stale") return new StaleRevisionError(person, baseRevision, Number(about));
  if (answer === "no memory") return missingMemory(about);
  const trouble =
    answer === "known"
      ? `accepts "${about}", which already exists`
      : `makes a memory of "${about}", which does not exist`;
  return new StoreError("store_corrupt", `apply ${trouble}; nothing was changed`);
}

/**
 * Groups edges under the end that more of them share: a new memory. The revision records once that this memory has new
 * edges, and a reader who asks what changed reads all edges of that memory.
 */
function edgesByEnd(edges: readonly Edge[]): Map<string, Edge[]> {
  const counts = new Map<string, number>();
  for (const id of edges.flatMap(({ a, b }) => [a, b])) counts.set(id, (counts.get(id) ?? 0) + 1);
  const byEnd = new Map<string, Edge[]>();
  for (const edge of edges) {
    const end = counts.get(edge.b)! > counts.get(edge.a)! ? edge.b : edge.a;
    const known = byEnd.get(end);
    if (known === undefined) byEnd.set(end, [edge]);
    else known.push(edge);
  }
  return byEnd;
}

function touchedKeys(keys: PersonKeys, batch: Batch, neighborsOfRemoved: readonly string[]): string[] {
  const { change, outcomes, forgetInteractions } = batch;
  const { acceptEntries = [], requeueInteractions = [], setInteractionUpdates = [], replaceInteractions = [] } = batch;
  const put = change.putNodes.map(({ node }) => node.id);
  const removed = removedMemories(batch);
  const interactions = [
    ...acceptEntries.map(({ interaction }) => interaction.id),
    ...put,
    ...outcomes.map(({ id }) => id),
    ...requeueInteractions,
    ...replaceInteractions.map(({ id }) => id),
    ...setInteractionUpdates.map(({ id }) => id),
    ...forgetInteractions,
  ];
  const memories = [...put, ...removed, ...namedMemories(change)];
  const ends = [
    ...removed,
    ...neighborsOfRemoved,
    ...change.removeEdges.flat(),
    ...change.putEdges.flatMap(({ a, b }) => [a, b]),
  ];
  return [
    ...keys.fixed,
    ...[...new Set(interactions)].map((id) => keys.interaction(id)),
    ...[...new Set(memories)].map((id) => keys.memory(id)),
    ...[...new Set(ends)].map((id) => keys.neighbors(id)),
  ];
}
