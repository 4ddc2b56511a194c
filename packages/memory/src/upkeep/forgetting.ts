/**
 * Forgetting on request: an interaction is removed with everything made from it, in the store and in memory. The receipt
 * says what was removed.
 */
import { dayMs } from "../text/time.js";
import { NotFoundError, isDamage } from "../errors.js";
import type { Batch, HistoryEntry, Outcome, OutcomeChange } from "../engine/records/person-data.js";
import { type InteractionTrace, forgottenId, readTrace, writeTrace } from "../engine/commit-trace.js";
import { forgetText, usesForgotten } from "../engine/core-text.js";
import { uniteIds } from "../graph/memory-node.js";
import { type Place, isSure, nameOf, placeNamed } from "../graph/statement.js";
import { type LinkedMemories, endedBy } from "../graph/passed-links.js";
import type { ForgettingReason } from "../engine/memory-events.js";
import type { ParsedSelection } from "../engine/memory-selection.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { removeMemories } from "./pruning.js";

export interface ForgettingReceipt {
  readonly forgotten: readonly string[];
  readonly removed: {
    readonly interactions: number;
    readonly queueEntries: number;
    readonly memories: number;
    readonly edges: number;
    readonly vectors: number;
    readonly lexicalEntries: number;
  };
  /** Memories that were paired with a forgotten one: they say nearly the same and stay. */
  readonly remainingPairs: readonly string[];
  readonly coreSummaryRebuilt: boolean;
}

export function forgetInteractions(state: PersonState, ids: readonly string[]): Promise<ForgettingReceipt> {
  return forget(state, "requested", (entries) => {
    const known = new Set(entries.map(({ interaction }) => interaction.id));
    const missing = ids.find((id) => !known.has(id));
    if (missing === undefined) return ids;
    throw new NotFoundError("unknown_id", `"${state.person}" has no interaction "${missing}"`);
  });
}

/** Forgets the interactions that pass, whatever became of them; there may be none. */
export function forgetSelected(state: PersonState, { passes }: ParsedSelection): Promise<ForgettingReceipt> {
  return forget(state, "requested", (entries) =>
    entries
      .map(({ interaction }) => interaction)
      .filter(({ metadata, initMs }) => passes(metadata, initMs))
      .map(({ id }) => id),
  );
}

/** Removes interactions whose own time has come. What was given more time, or is gone, since it was looked up is left. */
export function forgetExpired(state: PersonState): Promise<ForgettingReceipt> {
  return forget(state, "expired", (entries) => {
    const nowMs = state.context.clock.nowMs();
    const expired = entries.filter(({ interaction: { expiresMs } }) => expiresMs !== null && expiresMs <= nowMs);
    return expired.map(({ interaction }) => interaction.id);
  });
}

/** Removes interactions that did not become memories once the configured retention has passed. */
export async function expireHistory(state: PersonState): Promise<void> {
  const { parameters, clock } = state.context;
  if (parameters.historyRetentionDays === 0) return;
  const oldestMs = clock.nowMs() - parameters.historyRetentionDays * dayMs;
  await forget(state, "expired", (entries) => {
    const expired = entries.filter(
      ({ interaction, outcome }) => expiring.has(outcome) && interaction.acceptedMs < oldestMs,
    );
    // Erasing rewrites the store's file, so it waits until a day's worth has accumulated.
    const isTime = expired.some(({ interaction }) => interaction.acceptedMs < oldestMs - dayMs);
    return isTime ? expired.map(({ interaction }) => interaction.id) : [];
  });
}

const expiring: ReadonlySet<Outcome> = new Set(["discarded", "forgetAsked", "replaced", "pruned"] as const);

async function forget(
  state: PersonState,
  reason: ForgettingReason,
  choose: (entries: readonly HistoryEntry[]) => readonly string[],
): Promise<ForgettingReceipt> {
  const { records, embedding, reading } = state.context;
  const receipt = await state.change(async () => {
    const entries = await records.history(state.person);
    const ids = choose(entries);
    const isForgotten = new Set(ids);
    const forgotten = entries.filter(({ interaction }) => isForgotten.has(interaction.id));
    const batch = ids.length === 0 ? null : await forgettingBatch(ids, entries, state);
    return { batch, result: describeForgetting(ids, forgotten, state), forgottenBecause: reason };
  });
  if (receipt.forgotten.length > 0) {
    embedding.clearCache();
    reading?.clearCache();
  }
  return receipt;
}

/** Removes everything about a person. */
export async function forgetPerson(state: PersonState): Promise<ForgettingReceipt> {
  const { records, embedding, reading, person } = { ...state.context, person: state.person };
  await refreshIfWhole(state);
  return state.erase(async () => {
    const entries = await records.history(person, { skipDamaged: true });
    const all = entries.map(({ interaction }) => interaction.id);
    const described = describeForgetting(all, entries, state);
    await records.erase(person);
    embedding.clearCache();
    reading?.clearCache();
    state.context.events.emit({ name: "forgotten", event: { person, ids: all, reason: "requested" } });
    return { ...described, coreSummaryRebuilt: false };
  });
}

/** A person whose data is damaged can be forgotten, too; the receipt then counts what could be read. */
async function refreshIfWhole(state: PersonState): Promise<void> {
  try {
    await state.refresh();
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

async function forgettingBatch(
  ids: readonly string[],
  entries: readonly HistoryEntry[],
  state: PersonState,
): Promise<Omit<Batch, "baseRevision">> {
  return {
    change: removeMemories(ids, state.graph),
    setInteractionUpdates: scrubUpdates(new Set(ids), entries, state),
    outcomes: await runInSlices(scrubTracesSteps(new Set(ids), entries)),
    forgetInteractions: ids,
    ...forgetText(ids, state),
  };
}

/** What other interactions were said to make outdated; one that named a forgotten one takes over its links. */
function scrubUpdates(
  ids: ReadonlySet<string>,
  entries: readonly HistoryEntry[],
  { graph }: PersonState,
): NonNullable<Batch["setInteractionUpdates"]> {
  const updatesOf = new Map(entries.map(({ interaction: { id, updates } }) => [id, updates]));
  return entries
    .map(({ interaction }) => interaction)
    .filter(({ id, updates }) => !ids.has(id) && updates.some((older) => ids.has(placeOfName(older, updatesOf).memory)))
    .map(({ id, updates }) => ({ id, updates: namesAfterRemoval(updates, ids, updatesOf, graph) }));
}

/** The interaction that a name means, or the statement of one. */
function placeOfName(name: string, known: ReadonlyMap<string, unknown>): Place {
  const place = known.has(name) ? null : placeNamed(name);
  return place ?? { memory: name, position: null };
}

/** Names with, in the place of removed memories, what these had ended; of other interactions, what they named. */
export function namesAfterRemoval(
  names: readonly string[],
  removed: ReadonlySet<string>,
  updatesOf: ReadonlyMap<string, readonly string[]>,
  graph: LinkedMemories,
): string[] {
  const reached = new Set(names);
  // A set that grows while it is walked: every name comes once, however the links run.
  for (const name of reached) {
    const place = placeOfName(name, updatesOf);
    if (!removed.has(place.memory)) continue;
    const node = graph.node(place.memory);
    const older =
      node === undefined ? updatesOf.get(place.memory) : endedBy(place, node.ends).filter(isSure).map(nameOf);
    for (const each of older ?? []) reached.add(each);
  }
  return uniteIds([...reached].filter((name) => !removed.has(placeOfName(name, updatesOf).memory)));
}

/** Traces of other interactions name the ones they were compared with; forgotten ids are removed there too. */
function* scrubTracesSteps(
  ids: ReadonlySet<string>,
  entries: readonly HistoryEntry[],
): Generator<void, OutcomeChange[]> {
  const scrubbed: OutcomeChange[] = [];
  for (const { interaction, outcome, trace } of entries) {
    if (ids.has(interaction.id)) continue;
    const cleaned = scrubTrace(trace, ids);
    if (cleaned !== trace) scrubbed.push({ id: interaction.id, outcome, trace: cleaned });
    yield;
  }
  return scrubbed;
}

/** A trace as a store keeps it, without some ids. */
export function scrubTrace(json: string | null, ids: ReadonlySet<string>): string | null {
  const trace = readTrace({ trace: json });
  return trace === null ? json : writeTrace(withoutIds(trace, ids));
}

function withoutIds(trace: InteractionTrace, ids: ReadonlySet<string>): InteractionTrace {
  const scrub = <Id extends string | null>(id: Id): Id | string => (id !== null && ids.has(id) ? forgottenId : id);
  const scrubId = <Named extends { readonly id: string | null }>(named: Named): Named => ({
    ...named,
    id: scrub(named.id),
  });
  const scrubPlace = <Named extends Place>(named: Named): Named => ({ ...named, memory: scrub(named.memory) });
  if (trace.outcome === "replaced") return { ...trace, by: scrub(trace.by) };
  if (trace.outcome === "pruned")
    return trace.ends === undefined ? trace : { ...trace, ends: trace.ends.map(scrubPlace) };
  const { redundancy, pairing, edges, relations, claims, ends, forgetAsked } = trace;
  return {
    ...trace,
    redundancy: redundancy && scrubId(redundancy),
    pairing: pairing && {
      ...pairing,
      partnerId: scrub(pairing.partnerId),
      removedId: scrub(pairing.removedId),
    },
    edges: edges && { ...edges, strongest: edges.strongest.map(scrubId) },
    relations: relations.map(scrubPlace),
    claims: claims.map(scrubId),
    ends: ends.map(scrubPlace),
    forgetAsked: forgetAsked.map(scrubPlace),
  };
}

function describeForgetting(
  ids: readonly string[],
  entries: readonly HistoryEntry[],
  state: PersonState,
): ForgettingReceipt {
  const { graph } = state;
  const isForgotten = new Set(ids);
  const nodes = ids.map((id) => graph.node(id)).filter((node) => node !== undefined);
  const edges = new Set(nodes.flatMap(({ id }) => graph.edgesOf(id)));
  const vectorCounts = nodes.map(({ statements, questions, hypotheticalQuery }) => {
    return 1 + Number(hypotheticalQuery !== "") + statements.length + questions.length;
  });
  return {
    forgotten: ids,
    removed: {
      interactions: entries.length,
      queueEntries: entries.filter(({ outcome }) => outcome === "queued" || outcome === "open").length,
      memories: nodes.length,
      edges: edges.size,
      vectors: vectorCounts.reduce((sum, count) => sum + count, 0),
      lexicalEntries: nodes.length,
    },
    remainingPairs: nodes.map(({ pairId }) => pairId).filter((id) => id !== null && !isForgotten.has(id)) as string[],
    coreSummaryRebuilt: usesForgotten(ids, state.coreSummary),
  };
}
