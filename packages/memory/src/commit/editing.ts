/**
 * Editing: an interaction gets other words, another time, state or metadata, and keeps its id. What it was becomes one of
 * its versions and nothing else of it stays: a memory is made again in place, with new cues, facts, pair, links and
 * edges; what is only in the history is processed again; what is queued is replaced before that. A memory that is edited
 * stays one, whatever it says, and keeps its pin and the links that a caller named. All of it is one batch.
 */
import { type MemoryNode, compareAge, noChange, uniteIds } from "../graph/memory-node.js";
import { InputError, NotFoundError, StoreError } from "../errors.js";
import {
  type Batch,
  type HistoryEntry,
  type Interaction,
  type InteractionVersion,
  type OutcomeChange,
  isMemory,
} from "../engine/records/person-data.js";
import { coreSummaryAfterEdit, usesForgotten, weighFacts } from "../core/core-summary-step.js";
import { rebuildCoreSummary } from "../upkeep/forgetting.js";
import { differingFields, saysTheSame, tagOf } from "../engine/interaction-content.js";
import { applyEdit, type InteractionEdit } from "../engine/interaction-edit.js";
import type { NamedEvent } from "../engine/memory-events.js";
import { scanSimilarities } from "../graph/neighbour-scan.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { commitTraceOf, readTrace, writeOutcome } from "./commit-trace.js";
import { planMemory, toNode, unlinked } from "./commit.js";
import { type MemoryDraft, makeDraft } from "../reader/read.js";
import { judgeRelations } from "./relations.js";
import { type SubstanceDecision, decideSubstance } from "./substance-filter.js";

/** How often an edit is prepared again because somebody else changed the same interaction. */
const triesMax = 50;

type Step = Omit<Batch, "baseRevision">;

/**
 * False if the interaction was so already, and nothing changed. With `tags` it is edited only if it is, at that moment,
 * what one of them was made from.
 */
export async function editInteraction(
  state: PersonState,
  id: string,
  edit: InteractionEdit,
  tags: readonly string[] | null = null,
): Promise<boolean> {
  await state.refresh();
  for (let tries = 1; tries <= triesMax; tries++) {
    const entry = await findEditable(id, state);
    if (tags !== null) checkTag(entry.interaction, tags);
    const next = editedInteraction(edit, entry.interaction, state);
    if (next === null) return false;
    const isMade = isMemory(entry) && !saysTheSame(entry.interaction, next);
    // Outside the person's lock, since models take their time.
    const draft = isMade ? await makeDraft(next, state) : null;
    if (await writeEdit(entry, next, draft, state)) return true;
  }
  throw new StoreError("store_busy", `"${id}" was changed by others ${triesMax} times while it was edited; try again`);
}

async function findEditable(id: string, state: PersonState): Promise<HistoryEntry> {
  const entry = await state.findEntry(id);
  if (entry === undefined)
    throw new NotFoundError("unknown_id", `"${state.person}" has no interaction "${id}" to update`);
  if (entry.outcome !== "open") return entry;
  throw new InputError("id_invalid", `"${id}" is a conversation in progress; end it before it is updated`);
}

function checkTag(interaction: Interaction, tags: readonly string[]): void {
  if (tags.includes(tagOf(interaction))) return;
  const message = `"${interaction.id}" is no longer what the tag was made from; read it again, then update`;
  throw new InputError("edit_conflict", message);
}

/** Null if it says and notes the same as before. */
function editedInteraction(edit: InteractionEdit, before: Interaction, { context }: PersonState): Interaction | null {
  const { clock, parameters, timeZone } = context;
  const nowMs = clock.nowMs();
  const next = applyEdit(edit, before, nowMs, parameters, timeZone);
  const fields = differingFields(before, next);
  if (fields.length === 0) return null;
  // When it is forgotten is no part of what it was.
  const isVersion = fields.some((field) => field !== "expiresAt");
  return isVersion ? { ...next, versions: [...before.versions, versionOf(before, nowMs)] } : next;
}

function versionOf({ initMs, turns, summary, state, metadata }: Interaction, replacedMs: number): InteractionVersion {
  return { replacedMs, initMs, turns, summary, state, metadata };
}

/** False if the interaction has changed since the edit was prepared. */
async function writeEdit(
  entry: HistoryEntry,
  next: Interaction,
  draft: MemoryDraft | null,
  state: PersonState,
): Promise<boolean> {
  const { person, context } = state;
  const { id } = next;
  const written = await state.change(async () => {
    const current = await state.findEntry(id);
    if (current === undefined || !isUnchanged(current, entry)) return { batch: null, result: null };
    const isRewritten = draft !== null && usesForgotten([id], state.coreSummary);
    const step = draft === null ? stepWithoutMemory(entry, next, state) : await stepWithMemory(draft, state);
    const events: NamedEvent[] = [{ name: "edited", event: { person, id } }, ...describeLinks(id, step, state)];
    return { batch: { ...step, replaceInteractions: [next] }, result: { isRewritten }, events };
  });
  if (written === null) return false;
  if (draft !== null) {
    context.embedding.clearCache();
    context.judging?.clearCache();
  }
  if (written.isRewritten) await rebuildCoreSummary(state);
  return true;
}

function isUnchanged(current: HistoryEntry, entry: HistoryEntry): boolean {
  const form = ({ interaction, outcome }: HistoryEntry): string => JSON.stringify([interaction, outcome]);
  return form(current) === form(entry);
}

/** What only the history or the queue holds, and what stays the same memory with other metadata. */
function stepWithoutMemory(entry: HistoryEntry, next: Interaction, { graph }: PersonState): Step {
  const { id, metadata, expiresMs } = next;
  const isAgain = !isMemory(entry) && entry.outcome !== "queued" && !saysTheSame(entry.interaction, next);
  const setMetadata = graph.node(id) === undefined ? [] : [{ id, metadata, expiresMs }];
  const outcomes: OutcomeChange[] = isAgain ? [{ id, outcome: "queued", trace: null }] : [];
  return { change: { ...noChange, setMetadata }, outcomes, forgetInteractions: [] };
}

/** The memory made again from what is said now, and what that means for others. */
async function stepWithMemory(draft: MemoryDraft, state: PersonState): Promise<Step> {
  const { graph } = state;
  const { id } = draft.interaction;
  const former = graph.node(id);
  if (former === undefined) throw new StoreError("store_damaged", `"${id}" should be a memory, but there is none`);
  const newer = await findNewer(former, state);
  checkOrder(draft.interaction, newer.named, state);
  const cosines = await runInSlices(scanSimilarities(draft.summaryVector, graph));
  cosines[graph.slotOf(id)] = -Infinity;
  const substance = keepSubstance(await decideSubstance(draft, cosines, state.context));
  const relations = await judgeRelations(draft, cosines, state);
  const weighed = await weighFacts(toNode(draft, unlinked).node, state);
  const plan = await runInSlices(planMemory({ draft, cosines, substance, relations, former }, state));
  const setUpdates = linksAfterEdit(former, newer, plan.trace.updates, plan.change.setUpdates);
  const change = { ...plan.change, setUpdates };
  const outcomes = [writeOutcome(id, plan.trace), ...(await releasedOutcomes(former, change.setPairs, state))];
  return { change, outcomes, forgetInteractions: [], ...coreSummaryAfterEdit(id, change, state, weighed) };
}

function keepSubstance(decision: SubstanceDecision): SubstanceDecision {
  return decision.substantial ? decision : { ...decision, substantial: true, decidedBy: "edited by request" };
}

interface NewerMemories {
  /** Those whose caller said that they make it outdated. */
  readonly named: readonly MemoryNode[];
  /** Those that the judge or a language model took to do so, in view of what it said. */
  readonly judged: readonly MemoryNode[];
}

async function findNewer({ id }: MemoryNode, { graph, person, context }: PersonState): Promise<NewerMemories> {
  const all = graph.outdatedBy(id);
  const ids = all.map((node) => node.id);
  const entries = ids.length === 0 ? [] : await context.records.history(person, { ids });
  const naming = new Set(
    entries.flatMap(({ interaction }) => (interaction.updates.includes(id) ? interaction.id : [])),
  );
  return {
    named: all.filter((node) => naming.has(node.id)),
    judged: all.filter((node) => !naming.has(node.id)),
  };
}

/** Nothing can make outdated what came after it. */
function checkOrder(next: Interaction, named: readonly MemoryNode[], { graph }: PersonState): void {
  const older = next.updates.flatMap((id) => graph.node(id) ?? []).find((node) => compareAge(node, next) >= 0);
  const newer = named.find((node) => compareAge(next, node) >= 0);
  const [other, relation] = older === undefined ? [newer, "earlier than"] : [older, "later than"];
  if (other === undefined) return;
  const what = older === undefined ? "which makes it outdated" : "which it makes outdated";
  throw new InputError(
    "time_invalid",
    `update of "${next.id}": \`at\` must be ${relation} ${new Date(other.initMs).toISOString()}, the time of "${other.id}", ${what}`,
  );
}

/**
 * The links to the memory. Judged ones go unless they were found again, named ones stay; and what it no longer makes
 * outdated stays so for whoever came after it.
 */
function linksAfterEdit(
  former: MemoryNode,
  { named, judged }: NewerMemories,
  updates: readonly string[],
  found: Step["change"]["setUpdates"],
): Step["change"]["setUpdates"] {
  const lost = former.updates.filter((id) => !updates.includes(id));
  const after = new Map(found.map((link) => [link.id, link.updates]));
  for (const node of [...named, ...judged]) {
    const isKept = named.includes(node) || (after.get(node.id)?.includes(former.id) ?? false);
    const others = (after.get(node.id) ?? node.updates).filter((id) => id !== former.id);
    after.set(node.id, uniteIds(others, lost, isKept ? [former.id] : []));
  }
  return [...after].map(([id, next]) => ({ id, updates: next }));
}

/** The history of a memory that said the same until now. */
async function releasedOutcomes(
  { id, pairId }: MemoryNode,
  setPairs: Step["change"]["setPairs"],
  state: PersonState,
): Promise<OutcomeChange[]> {
  if (pairId === null || !setPairs.some((pair) => pair.id === pairId && pair.pairId === null)) return [];
  const entry = await state.findEntry(pairId);
  const trace = entry === undefined ? null : commitTraceOf(readTrace(entry));
  if (trace?.pairing?.partnerId !== id) return [];
  const pairing = { ...trace.pairing, case: "add" as const, partnerId: null, rewindDays: 0, boostDays: 0 };
  return [writeOutcome(pairId, { ...trace, outcome: "committed", pairing })];
}

/** What listeners are told of links that were not there before. */
function describeLinks(id: string, { change }: Step, { graph, person }: PersonState): NamedEvent[] {
  const linked = [
    ...change.putNodes.map(({ node }) => ({ id: node.id, updates: node.updates })),
    ...change.setUpdates.filter((link) => link.id !== id),
  ];
  return linked.flatMap((link): NamedEvent[] => {
    const before = graph.node(link.id)?.updates ?? [];
    const updates = link.updates.filter((each) => !before.includes(each));
    return updates.length === 0 ? [] : [{ name: "updated", event: { person, id: link.id, updates } }];
  });
}
