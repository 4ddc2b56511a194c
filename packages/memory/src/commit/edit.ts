/**
 * Editing: an interaction gets other words, another time, state or metadata, and keeps its id. What it was becomes one of
 * its versions and nothing else of it stays: a memory is made again in place, with new cues, facts, pair, links and
 * edges; what is only in the history is processed again; what is queued is replaced before that. A memory that is edited
 * stays one, whatever it says, and keeps the links that a caller named and the pins of what it still says. All of it is one
 * batch.
 */
import { outdatedBy } from "../graph/holding.js";
import { type MemoryNode, compareAge, noChange, uniteIds, updatesOf } from "../graph/memory-node.js";
import { type Move, endedBy, movesBetween } from "../graph/passed-links.js";
import { type EndLink, nameOf, placeNamed, uniteLinks } from "../graph/statement.js";
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

/** False if the interaction has changed since the edit was prepared. `forgotten`: positions of what is to be erased. */
async function writeEdit(
  entry: HistoryEntry,
  next: Interaction,
  draft: Draft | null,
  state: PersonState,
  forgotten: ReadonlySet<number> | null = null,
): Promise<boolean> {
  const { person, context } = state;
  const { id } = next;
  const written = await state.change(async () => {
    const current = await state.findEntry(id);
    if (current === undefined || !isUnchanged(current, entry)) return { batch: null, result: false };
    const step = draft === null ? stepWithoutMemory(entry, next, state) : await stepWithMemory(draft, state, forgotten);
    const events: NamedEvent[] = [{ name: "edited", event: { person, id } }, ...describeLinks(id, step, state)];
    const eraseFormer = forgotten === null ? [] : [id];
    return { batch: { ...step, replaceInteractions: [next], eraseFormer }, result: true, events };
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

/**
 * The memory made again from what is said now, and what that means for others. Where only something was forgotten, the rest
 * keeps its links as they are.
 */
async function stepWithMemory(draft: Draft, state: PersonState, forgotten: ReadonlySet<number> | null): Promise<Step> {
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
  const move = movesBetween(former.statements, read.statements, forgotten ?? undefined);
  const marked = { ...former, marks: former.marks.flatMap((mark) => movePlace(mark, move)) };
  const heldBack = { places: [], own: [], isAll: false };
  const plan = await runInSlices(planMemory({ draft, cosines, substance, related, heldBack, former: marked }, state));
  const ends = forgotten === null ? plan.trace.ends : moveEnds(former.ends, move);
  const setEnds =
    forgotten === null
      ? linksAfterEdit(former, newer, ends, plan.change.setEnds, move)
      : linksAfterEdit(former, { named: [...newer.named, ...newer.found], found: [] }, ends, [], move);
  const putNodes = plan.change.putNodes.map((embedded) => ({ ...embedded, node: { ...embedded.node, ends } }));
  const change = { ...plan.change, putNodes, setEnds };
  const outcomes = [
    writeOutcome(id, { ...plan.trace, ends }),
    ...(await releasedOutcomes(former, change.setPairs, state)),
    ...(await movedWishes(former, move, state)),
  ];
  const setInteractionUpdates = moveNames(former, newer.entries, move);
  return { change, outcomes, setInteractionUpdates, forgetInteractions: [], ...forgetText([id], state) };
}

/** A place in the memory, where it is from now on; nothing if that is no longer said. */
function movePlace<Place extends { readonly position: number | null }>(place: Place, move: Move): Place[] {
  const position = move(place.position);
  return position === undefined ? [] : [{ ...place, position }];
}

/** The links of what is still said. */
function moveEnds(ends: readonly EndLink[], move: Move): EndLink[] {
  return uniteLinks(
    ends.flatMap((link) => {
      const by = move(link.by);
      return by === undefined ? [] : [{ ...link, by }];
    }),
  );
}

/** What others were said to make outdated, by the names that the statements have now. */
function moveNames(
  former: MemoryNode,
  entries: readonly HistoryEntry[],
  move: Move,
): NonNullable<Batch["setInteractionUpdates"]> {
  const moveName = (name: string): string[] => {
    const place = placeNamed(name);
    if (place?.memory !== former.id) return [name];
    return moveNamed(place, former, move).map(nameOf);
  };
  return entries
    .map(({ interaction: { id, updates } }) => ({ id, updates: uniteIds(updates.flatMap(moveName)), before: updates }))
    .filter(({ updates, before }) => updates.join("\n") !== before.join("\n"))
    .map(({ id, updates }) => ({ id, updates }));
}

/** A place that a caller named. A memory that says a single thing, now in other words, is still meant as a whole. */
function moveNamed<Named extends { readonly position: number | null }>(
  named: Named,
  { statements }: MemoryNode,
  move: Move,
): Named[] {
  if (named.position !== null && statements[named.position] === undefined) return [];
  const moved = movePlace(named, move);
  return moved.length === 0 && statements.length === 1 ? [{ ...named, position: null }] : moved;
}

/** The wishes to forget that hold back something of the memory, which can be taken back by them. */
async function movedWishes(former: MemoryNode, move: Move, state: PersonState): Promise<OutcomeChange[]> {
  if (!former.marks.some(({ kind, position }) => kind === "held" && position !== null)) return [];
  const entries = await state.context.records.history(state.person);
  return entries.flatMap((entry) => {
    const { id } = entry.interaction;
    const trace = commitTraceOf(readTrace(entry));
    if (trace === null || id === former.id || trace.forgetAsked.every(({ memory }) => memory !== former.id)) return [];
    const forgetAsked = trace.forgetAsked.flatMap((place) =>
      place.memory === former.id ? movePlace(place, move) : [place],
    );
    return [writeOutcome(id, { ...trace, forgetAsked })];
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

async function findNewer(
  { id }: MemoryNode,
  { graph, person, context }: PersonState,
): Promise<NewerMemories & { readonly entries: readonly HistoryEntry[] }> {
  const all = outdatedBy(id, graph);
  const ids = all.map((node) => node.id);
  const entries = ids.length === 0 ? [] : await context.records.history(person, { ids });
  const isNamed = (name: string): boolean => name === id || placeNamed(name)?.memory === id;
  const naming = new Set(
    entries.flatMap(({ interaction }) => (interaction.updates.some(isNamed) ? interaction.id : [])),
  );
  return {
    named: all.filter((node) => naming.has(node.id)),
    found: all.filter((node) => !naming.has(node.id)),
    entries,
  };
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
 * The links to the memory. Those that were found go unless they were found again; named ones stay, to what is still said; and
 * what it no longer ends stays ended by what came after that.
 */
function linksAfterEdit(
  former: MemoryNode,
  { named, found }: NewerMemories,
  ends: readonly EndLink[],
  foundAgain: Step["change"]["setEnds"],
  move: Move,
): Step["change"]["setEnds"] {
  const kept = new Set(ends.map(nameOf));
  const lost = former.ends.filter((link) => !kept.has(nameOf(link)));
  const after = new Map(foundAgain.map((link) => [link.id, link.ends]));
  for (const node of [...named, ...found]) {
    const again = (after.get(node.id) ?? []).filter(({ memory }) => memory === former.id);
    const others = (after.get(node.id) ?? node.ends).filter(({ memory }) => memory !== former.id);
    const own = node.ends.filter(({ memory }) => memory === former.id);
    const passed = own.flatMap((link) => endedBy(link, lost).map((older) => ({ ...older, by: link.by })));
    const moved = own.flatMap((link) => moveNamed(link, former, move));
    after.set(node.id, uniteLinks(others, passed, named.includes(node) ? moved : again));
  }
  return [...after].map(([id, next]) => ({ id, ends: next }));
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
  const words = positions.map((position) => state.graph.node(id)!.statements[position]!.text);
  for (let tries = 1; tries <= triesMax; tries++) {
    await state.refresh();
    const entry = await findEditable(id, state);
    const node = state.graph.node(id);
    if (node === undefined) throw new NotFoundError("unknown_id", `"${state.person}" has no memory "${id}"`);
    // They may stand elsewhere by now.
    const meant = node.statements.flatMap(({ text }, position) => (words.includes(text) ? [position] : []));
    const next = withoutWords(entry.interaction, words);
    const draft = await makeDraft(next, state);
    if (await writeEdit(entry, next, draft, state, new Set(meant))) return;
  }
  throw new StoreError("store_busy", `"${id}" was changed by others ${triesMax} times while it was edited; try again`);
}

function withoutWords(interaction: Interaction, words: readonly string[]): Interaction {
  const mend = (text: string): string =>
    words
      .reduce((rest, said) => cutOut(rest, said), text)
      .replace(/(?<!\s)\s+([,.;!?])/gu, "$1")
      .replace(/^[\s,;.]+/u, "")
      .trim();
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
    versions: versions.map((version) => ({
      ...version,
      turns: mendTurns(version.turns),
      summary: mendSummary(version.summary),
    })),
  };
}

/** Without some words, which may have had other white space between them, or none; what stood around them moves together. */
function cutOut(text: string, words: string): string {
  const escaped = words.split(/\s+/u).map((word) => word.replace(/[.*+?^${}()|[\]\\]/gu, "\\$&"));
  return text.split(new RegExp(escaped.join("\\s*"), "u")).reduce((before, after) => {
    const [left, right] = [before.trimEnd(), after.trimStart()];
    const space = before.slice(left.length) + after.slice(0, after.length - right.length);
    return `${left}${space.includes("\n") ? "\n" : " "}${right}`;
  });
}
