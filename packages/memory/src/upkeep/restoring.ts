/** Restoring: an interaction that the filters, a repetition or the memory limit set aside goes through the queue again. */
import { noChange, uniteIds } from "../graph/memory-node.js";
import { InputError, NotFoundError } from "../errors.js";
import type { Batch, HistoryEntry, Outcome } from "../engine/records/person-data.js";
import { readTrace } from "../commit/commit-trace.js";
import type { PersonState } from "../engine/person-state.js";

const restorable: ReadonlySet<Outcome> = new Set(["discarded", "replaced", "pruned"]);

/** Queues it, this time past the filters; whoever calls starts the queue. */
export async function restoreInteraction(state: PersonState, id: string): Promise<void> {
  await state.change(async () => {
    const entry = await state.findEntry(id);
    if (entry === undefined) throw new NotFoundError("unknown_id", `"${state.person}" has no interaction "${id}"`);
    if (!restorable.has(entry.outcome)) {
      const hint = "only a discarded, replaced or pruned interaction can be restored";
      throw new InputError("id_invalid", `"${id}" is ${entry.outcome}; ${hint}`);
    }
    const setInteractionUpdates = await findLinks(entry, state);
    const batch = { change: noChange, outcomes: [], forgetInteractions: [], requeueInteractions: [id] };
    return { batch: { ...batch, setInteractionUpdates }, result: undefined };
  });
}

/** What a pruned memory had made outdated, as far as it is still known; its trace is about to go. */
async function findLinks(
  { interaction, trace }: HistoryEntry,
  { person, context }: PersonState,
): Promise<Batch["setInteractionUpdates"] & {}> {
  const pruned = readTrace({ trace });
  const { updates = [] } = pruned?.outcome === "pruned" ? pruned : {};
  if (updates.length === 0) return [];
  const known = await context.records.history(person, { ids: updates });
  const ids = known.map((entry) => entry.interaction.id);
  return [{ id: interaction.id, updates: uniteIds(interaction.updates, ids) }];
}
