/** A person's memories and history, page by page. */
import { compareAge } from "./core/graph/memory-node.js";
import { checkFlag, readFields } from "./engine/given-values.js";
import { isMoment } from "./engine/interaction.js";
import {
  type MemorySelection,
  type ParsedSelection,
  readSelection,
  selectionNames,
} from "./engine/memory-selection.js";
import type { PersonState } from "./engine/person-state.js";
import { PassingMemories } from "./engine/recall/passing-memories.js";
import { parseSelection } from "./engine/history-selection.js";
import {
  type Listing,
  type ListingOptions,
  type PageRequest,
  PagedListing,
  type PlacedEntry,
  cursorRefusal,
} from "./listing.js";
import type { HistoryEntry, HistorySelection, Outcome } from "./ports/store.js";
import { type HistoryItem, type Memory, viewHistoryItem, viewMemory } from "./person-views.js";

export interface ListOptions extends ListingOptions, MemorySelection {
  /** False leaves out what later memories made outdated. */
  readonly outdated?: boolean;
}

/** As in `HistorySelection`. */
export type HistoryOptions = ListingOptions &
  MemorySelection &
  Pick<HistorySelection, "ids" | "outcomes" | "skipDamaged" | "newestFirst">;

const listNames = ["outdated", "limit", "cursor", ...selectionNames] as const;
const historyNames = ["ids", "outcomes", "skipDamaged", "newestFirst", "limit", "cursor", ...selectionNames] as const;

/** `prepare` brings the memory up to date, and refuses somebody who is not known. */
export function listMemories(options: ListOptions, state: PersonState, prepare: () => Promise<void>): Listing<Memory> {
  const { clock, timeZone } = state.context;
  const read = (): ListOptions => readListOptions(options);
  return new PagedListing({
    name: "list",
    person: state.person,
    options: read,
    readPage: async (request) => {
      const selection = readSelection(options, listNames, "list's options", timeZone);
      await prepare();
      const passing = new PassingMemories(selection, clock, Infinity);
      return pageOfMemories(state, read(), passing, request);
    },
  });
}

/** What a place in the list of memories is made of: they stand in order of age. */
interface Age {
  readonly initMs: number;
  readonly id: string;
}

/** Only what is on the page is read. */
async function pageOfMemories(
  state: PersonState,
  { outdated }: ListOptions,
  passing: PassingMemories,
  { after, limit }: PageRequest,
): Promise<PlacedEntry<Memory>[]> {
  const last = after === null ? null : parsePlace(after);
  if (limit === null) await state.readAll();
  const { graph } = state;
  const ages: Age[] = [];
  for (let slot = 0; slot < graph.slotCount; slot++) {
    const initMs = graph.initMs[slot]!;
    if (Number.isNaN(initMs) || (last !== null && initMs < last.initMs)) continue;
    if (!passing.passesAt(slot, graph)) continue;
    const age = { initMs, id: graph.idAt(slot) };
    if (last === null || compareAge(last, age) < 0) ages.push(age);
  }
  const shown = outdated === false ? ages.filter(({ id }) => graph.outdatedBy(id).length === 0) : ages;
  return shown
    .sort(compareAge)
    .slice(0, limit === null ? undefined : limit + 1)
    .map(({ id, initMs }) => ({ entry: viewMemory(graph.node(id)!, state), place: JSON.stringify([initMs, id]) }));
}

function parsePlace(place: string): Age {
  const [initMs, id] = /^\[(-?\d+(?:\.\d+)?),(".*")\]$/su.exec(place)?.slice(1) ?? [];
  if (id === undefined || !isMoment(Number(initMs))) throw cursorRefusal();
  try {
    return { initMs: Number(initMs), id: JSON.parse(id) as string };
  } catch {
    throw cursorRefusal();
  }
}

/** `prepare` says whether the graph is whole; only the page is read from the store. */
export function listHistory(
  options: HistoryOptions,
  state: PersonState,
  prepare: () => Promise<boolean>,
): Listing<HistoryItem> {
  return new PagedListing({
    name: "history",
    person: state.person,
    options: () => readFields(options, ["limit", "cursor"], "history's options"),
    readPage: async (request) => {
      const given = parseSelection(options);
      const selection = readSelection(options, historyNames, "history's options", state.context.timeZone);
      const asked = { ...given, ...toSelection(request) };
      if (await hasNoneInProgress(state, asked)) return [];
      const isWhole = await prepare();
      const entries = await readEntries(state, asked, selection);
      if (isWhole && given.ids === undefined && request.limit === null) await state.readAll();
      const graph = isWhole ? state.graph : null;
      return entries.map((entry) => ({ entry: viewHistoryItem(entry, graph), place: entry.cursor }));
    },
  });
}

/** Whether only conversations and queued interactions are asked for, and there are none: then no graph has to be loaded. */
async function hasNoneInProgress({ person, context }: PersonState, asked: HistorySelection): Promise<boolean> {
  const { outcomes = [], ids } = asked;
  if (outcomes.length === 0 || ids !== undefined || !outcomes.every((each) => inProgress.has(each))) return false;
  try {
    const [revision, entries] = await Promise.all([
      context.store.revision(person),
      context.store.history(person, { ...asked, limit: 1 }),
    ]);
    return revision > 0 && entries.length === 0;
  } catch {
    // It is said below what is damaged, or wrong.
    return false;
  }
}

const inProgress: ReadonlySet<Outcome> = new Set(["open", "queued"]);

/** Entries that are read at a time to find those that pass. */
const entriesPerRead = 200;

/** As many of those that pass as were asked for, if there are so many. */
async function readEntries(
  { person, context }: PersonState,
  { limit, ...asked }: HistorySelection,
  selection: ParsedSelection | null,
): Promise<HistoryEntry[]> {
  const { store } = context;
  const isPassing = ({ interaction }: HistoryEntry): boolean =>
    selection?.passes(interaction.metadata, interaction.initMs) ?? true;
  if (limit === undefined) return (await store.history(person, asked)).filter(isPassing);
  const count = selection === null ? limit : Math.max(limit, entriesPerRead);
  const found: HistoryEntry[] = [];
  let { after } = asked;
  for (;;) {
    const read = await store.history(person, { ...asked, ...(after === undefined ? {} : { after }), limit: count });
    found.push(...read.filter(isPassing));
    if (found.length >= limit || read.length < count) return found.slice(0, limit);
    after = read.at(-1)!.cursor;
  }
}

function readListOptions(options: ListOptions): ListOptions {
  const given = readFields(options, ["outdated", "limit", "cursor"], "list's options");
  checkFlag(given.outdated, "outdated");
  return given as ListOptions;
}

function toSelection({ after, limit }: PageRequest): HistorySelection {
  return { ...(after === null ? {} : { after }), ...(limit === null ? {} : { limit: limit + 1 }) };
}
