/**
 * Editing: an interaction gets other words, another time, state or metadata, and keeps its id. What it was becomes one of
 * its versions and nothing else of it stays: a memory is made again in place, with new cues, facts, pair, links and
 * edges; what is only in the history is processed again; what is queued is replaced before that. A memory that is edited
 * stays one, whatever it says, and keeps the links that a caller named and the pins of what it still says. All of it is one
 * batch.
 */
import { outdatedBy } from "../graph/holding.js";
import { type MemoryNode, compareAge, noChange, updatesOf } from "../graph/memory-node.js";
import { findSame } from "../graph/passed-links.js";
import { type EndLink, type Mark, type Statement, nameOf, placeNamed, uniteLinks } from "../graph/statement.js";
import { InputError, NotFoundError, StoreError } from "../errors.js";
import {
  type Batch,
  type HistoryEntry,
  type Interaction,
  type InteractionVersion,
  type OutcomeChange,
  isMemory,
} from "../engine/records/person-data.js";
import { forgetText } from "../engine/core-text.js";
import { differingFields, saysTheSame, tagOf } from "../engine/interaction-content.js";
import { applyEdit, type InteractionEdit } from "../engine/interaction-edit.js";
import type { NamedEvent } from "../engine/memory-events.js";
import { scanSimilarities } from "../graph/neighbour-scan.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import { type SubstanceDecision, commitTraceOf, readTrace, writeOutcome } from "../engine/commit-trace.js";
import { planMemory } from "./commit.js";
import { namedPlaces } from "./links.js";
import { type Draft, makeDraft } from "./draft.js";
import { relateStatements } from "./relate.js";
import { decideSubstance } from "./keep.js";

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
  draft: Draft | null,
  state: PersonState,
  isErased = false,
): Promise<boolean> {
  const { person, context } = state;
  const { id } = next;
  const written = await state.change(async () => {
    const current = await state.findEntry(id);
    if (current === undefined || !isUnchanged(current, entry)) return { batch: null, result: false };
    const step = draft === null ? stepWithoutMemory(entry, next, state) : await stepWithMemory(draft, state);
    const events: NamedEvent[] = [{ name: "edited", event: { person, id } }, ...describeLinks(id, step, state)];
    return { batch: { ...step, replaceInteractions: [next], eraseFormer: isErased ? [id] : [] }, result: true, events };
  });
  if (!written) return false;
  if (draft !== null) {
    context.embedding.clearCache();
    context.reading?.clearCache();
  }
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
async function stepWithMemory(draft: Draft, state: PersonState): Promise<Step> {
  const { graph } = state;
  const { read } = draft;
  const { id } = read.interaction;
  const former = graph.node(id);
  if (former === undefined) throw new StoreError("store_damaged", `"${id}" should be a memory, but there is none`);
  const newer = await findNewer(former, state);
  checkOrder(read.interaction, newer.named, state);
  const cosines = await runInSlices(scanSimilarities(read.summaryVector, graph));
  cosines[graph.slotOf(id)] = -Infinity;
  const opinion = draft.model?.judgment ?? null;
  const substance = keepSubstance(await decideSubstance(read, opinion, cosines, state.context));
  const related = await relateStatements(read, state);
  const marked = { ...former, marks: passMarks(former, read.statements) };
  const heldBack = { places: [], own: [], isAll: false };
  const plan = await runInSlices(planMemory({ draft, cosines, substance, related, heldBack, former: marked }, state));
  const setEnds = linksAfterEdit(former, newer, plan.trace.ends, plan.change.setEnds, read.statements);
  const change = { ...plan.change, setEnds };
  const outcomes = [writeOutcome(id, plan.trace), ...(await releasedOutcomes(former, change.setPairs, state))];
  return { change, outcomes, forgetInteractions: [], ...forgetText([id], state) };
}

/** The marks of what is still said. */
function passMarks(former: MemoryNode, statements: readonly Statement[]): Mark[] {
  return former.marks.flatMap((mark) => {
    const position = mark.position === null ? null : findSame(former.statements[mark.position]!, statements);
    return position === undefined ? [] : [{ ...mark, position }];
  });
}

function keepSubstance(decision: SubstanceDecision): SubstanceDecision {
  return decision.substantial ? decision : { ...decision, substantial: true, decidedBy: "edited by request" };
}

interface NewerMemories {
  /** Those whose caller said that they make it outdated. */
  readonly named: readonly MemoryNode[];
  /** Those that were found to end something in it, in view of what it said. */
  readonly found: readonly MemoryNode[];
}

async function findNewer({ id }: MemoryNode, { graph, person, context }: PersonState): Promise<NewerMemories> {
  const all = outdatedBy(id, graph);
  const ids = all.map((node) => node.id);
  const entries = ids.length === 0 ? [] : await context.records.history(person, { ids });
  const isNamed = (name: string): boolean => name === id || placeNamed(name)?.memory === id;
  const naming = new Set(
    entries.flatMap(({ interaction }) => (interaction.updates.some(isNamed) ? interaction.id : [])),
  );
  return { named: all.filter((node) => naming.has(node.id)), found: all.filter((node) => !naming.has(node.id)) };
}

/** Nothing can end what came after it. */
function checkOrder(next: Interaction, named: readonly MemoryNode[], { graph }: PersonState): void {
  const places = namedPlaces(next.updates, graph).map(({ memory }) => graph.node(memory)!);
  const older = places.find((node) => compareAge(node, next) >= 0);
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
 * The links to the memory. Those that were found go unless they were found again; named ones stay, to what is still said or
 * to the whole; and what it no longer ends stays ended by what came after it.
 */
function linksAfterEdit(
  former: MemoryNode,
  { named, found }: NewerMemories,
  ends: readonly EndLink[],
  foundAgain: Step["change"]["setEnds"],
  statements: readonly Statement[],
): Step["change"]["setEnds"] {
  const kept = new Set(ends.map(nameOf));
  const lost = former.ends.filter((link) => !kept.has(nameOf(link))).map((link) => ({ ...link, by: null }));
  const after = new Map(foundAgain.map((link) => [link.id, link.ends]));
  for (const node of [...named, ...found]) {
    const again = (after.get(node.id) ?? []).filter(({ memory }) => memory === former.id);
    const others = (after.get(node.id) ?? node.ends).filter(({ memory }) => memory !== former.id);
    const own = node.ends.filter(({ memory }) => memory === former.id);
    const moved = own.map((link) => ({ ...link, position: movedPosition(link, former, statements) }));
    after.set(node.id, uniteLinks(others, lost, named.includes(node) ? moved : again));
  }
  return [...after].map(([id, next]) => ({ id, ends: next }));
}

function movedPosition({ position }: EndLink, former: MemoryNode, statements: readonly Statement[]): number | null {
  return position === null ? null : (findSame(former.statements[position]!, statements) ?? null);
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
    ...change.putNodes.map(({ node }) => ({ id: node.id, ends: node.ends })),
    ...change.setEnds.filter((link) => link.id !== id),
  ];
  return linked.flatMap((link): NamedEvent[] => {
    const node = graph.node(link.id);
    const before = node === undefined ? [] : updatesOf(node);
    const updates = updatesOf(link).filter((each) => !before.includes(each));
    return updates.length === 0 ? [] : [{ name: "updated", event: { person, id: link.id, updates } }];
  });
}

/**
 * Forgets statements of a memory: their words leave the interaction and all its versions, and the memory is made again from
 * the rest. The bytes that held them are erased as after any forgetting.
 */
export async function forgetStatements(state: PersonState, id: string, positions: readonly number[]): Promise<void> {
  for (let tries = 1; tries <= triesMax; tries++) {
    await state.refresh();
    const entry = await findEditable(id, state);
    const node = state.graph.node(id);
    if (node === undefined) throw new NotFoundError("unknown_id", `"${state.person}" has no memory "${id}"`);
    const words = positions.flatMap((position) => node.statements[position]?.text ?? []);
    const next = withoutWords(entry.interaction, words);
    const draft = await makeDraft(next, state);
    if (await writeEdit(entry, next, draft, state, true)) return;
  }
  throw new StoreError("store_busy", `"${id}" was changed by others ${triesMax} times while it was edited; try again`);
}

function withoutWords(interaction: Interaction, words: readonly string[]): Interaction {
  const mend = (text: string): string =>
    words.reduce((rest, said) => cutOut(rest, said), text).replace(/\s+([,.;!?])/gu, "$1").replace(/^[\s,;.]+/u, "").trim();
  const mendTurns = (turns: Interaction["turns"]): Interaction["turns"] =>
    turns.map(({ who, text }) => ({ who, text: mend(text) })).filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const mendSummary = (summary: string | null): string | null => {
    const rest = summary === null ? "" : mend(summary);
    return rest === "" ? null : rest;
  };
  const { turns, summary, versions } = interaction;
  return {
    ...interaction,
    turns: mendTurns(turns),
    summary: mendSummary(summary),
    versions: versions.map((version) => ({ ...version, turns: mendTurns(version.turns), summary: mendSummary(version.summary) })),
  };
}

/** Without some words, which may have had other white space between them. */
function cutOut(text: string, words: string): string {
  const escaped = words.split(/\s+/u).map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  return text.replace(new RegExp(escaped.join("\\s+"), "gu"), " ");
}
