/** What a batch does to interactions that it neither accepts nor forgets. */
import type { AcceptedEntry, Batch } from "./person-data.js";

/** Interactions that a batch may change. */
export function rewrittenIds(batch: Batch): string[] {
  const { replaceInteractions = [], outcomes, requeueInteractions = [], setInteractionUpdates = [] } = batch;
  const named = [...replaceInteractions, ...outcomes, ...setInteractionUpdates].map(({ id }) => id);
  return [...new Set([...named, ...requeueInteractions])];
}

/** An entry as it is after a batch. */
export function rewriteEntry(known: AcceptedEntry, batch: Batch): AcceptedEntry {
  const { id } = known.interaction;
  const { replaceInteractions = [], outcomes, requeueInteractions = [], setInteractionUpdates = [] } = batch;
  let { interaction, outcome, trace } = known;
  for (const next of replaceInteractions) {
    if (next.id === id) interaction = { ...next, restored: interaction.restored };
  }
  for (const next of outcomes) if (next.id === id) ({ outcome, trace } = next);
  if (requeueInteractions.includes(id)) {
    interaction = { ...interaction, restored: true };
    outcome = "queued";
    trace = null;
  }
  for (const next of setInteractionUpdates) {
    if (next.id === id) interaction = { ...interaction, updates: next.updates };
  }
  return { interaction, outcome, trace };
}
