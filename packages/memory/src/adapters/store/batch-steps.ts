/** What a batch does to single memories and interactions: the part that is the same in every store. */
import type { GraphChange } from "../../core/graph/memory-node.js";
import { StoreError } from "../../errors.js";
import type { AcceptedEntry, Batch } from "../../ports/store.js";
import type { MemoryLinks } from "./content.js";

/** By memory, what changes apart from its content. */
export function linkChanges(change: GraphChange): Map<string, Partial<MemoryLinks>> {
  const changes = new Map<string, Partial<MemoryLinks>>();
  const set = (id: string, parts: Partial<MemoryLinks>): void => void changes.set(id, { ...changes.get(id), ...parts });
  for (const { id, pairId } of change.setPairs) set(id, { pairId });
  for (const { id, updates } of change.setUpdates) set(id, { updates });
  for (const { id, area } of change.setPinned) set(id, { pinnedArea: area });
  for (const { id, metadata, expiresMs } of change.setMetadata) set(id, { metadata, expiresMs });
  return changes;
}

/** Memories that have to exist once those of the batch are put and removed. */
export function namedMemories({ putEdges, setPairs, setUpdates, setPinned, setMetadata }: GraphChange): string[] {
  return [
    ...putEdges.flatMap(({ a, b }) => [a, b]),
    ...setPairs.flatMap(({ id, pairId }) => (pairId === null ? [id] : [id, pairId])),
    ...[...setUpdates, ...setPinned, ...setMetadata].map(({ id }) => id),
  ];
}

/** Interactions that a batch may change and neither accepts nor forgets. */
export function rewrittenInteractions(batch: Batch): string[] {
  const { replaceInteractions = [], outcomes, requeueInteractions = [], setInteractionUpdates = [] } = batch;
  const named = [...replaceInteractions, ...outcomes, ...setInteractionUpdates].map(({ id }) => id);
  return [...new Set([...named, ...requeueInteractions])];
}

/** Those that the store has, as they are after the batch. */
export function rewrittenEntries(
  batch: Batch,
  read: (id: string) => AcceptedEntry | undefined,
): Map<string, AcceptedEntry> {
  const entries = new Map<string, AcceptedEntry>();
  const rewrite = (id: string, change: (entry: AcceptedEntry) => Partial<AcceptedEntry>): void => {
    const entry = entries.get(id) ?? read(id);
    if (entry === undefined) return;
    const { interaction, outcome, trace } = entry;
    entries.set(id, { interaction, outcome, trace, ...change(entry) });
  };
  for (const next of batch.replaceInteractions ?? []) {
    rewrite(next.id, ({ interaction: { restored } }) => ({ interaction: { ...next, restored } }));
  }
  for (const { id, outcome, trace } of batch.outcomes) rewrite(id, () => ({ outcome, trace }));
  for (const id of batch.requeueInteractions ?? []) {
    rewrite(id, ({ interaction }) => ({
      interaction: { ...interaction, restored: true },
      outcome: "queued",
      trace: null,
    }));
  }
  for (const { id, updates } of batch.setInteractionUpdates ?? []) {
    rewrite(id, ({ interaction }) => ({ interaction: { ...interaction, updates } }));
  }
  return entries;
}

export function missingMemory(id: string): StoreError {
  return new StoreError("store_corrupt", `apply names memory "${id}", which does not exist; nothing was changed`);
}

export function knownInteraction(id: string): StoreError {
  return new StoreError("store_corrupt", `apply accepts "${id}", which already exists; nothing was changed`);
}
