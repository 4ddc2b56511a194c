/** A person's memories and history, page by page. */
import { isOutdated } from "./graph/holding.js";
import { compareAge } from "./graph/memory-node.js";
import { checkFlag, readItems, readOptions } from "./engine/given-values.js";
import { isMoment, parseIds } from "./engine/interaction.js";
import {
  type MemorySelection,
  type ParsedSelection,
  parseMemorySelection,
  selectionNames,
} from "./engine/memory-selection.js";
import type { PersonState } from "./engine/person-state.js";
import { PassingMemories } from "./recall/passing-memories.js";
import { InputError } from "./errors.js";
import {
  type Listing,
  type ListingOptions,
  type ListingSource,
  type PageRequest,
  PagedListing,
  type PlacedEntry,
  cursorRefusal,
} from "./listing.js";
import type { HistoryEntry, HistorySelection, Outcome } from "./engine/records/person-data.js";
import { type HistoryItem, type Memory, viewHistoryItem, viewMemory } from "./person-views.js";

export interface ListOptions extends ListingOptions, MemorySelection {
  /** False leaves out what later memories made outdated. */
  readonly outdated?: boolean;
}

/** As in `HistorySelection`. */
export type HistoryOptions = ListingOptions & MemorySelection & HistoryPart;

const listNames = ["outdated", "limit", "cursor", ...selectionNames] as const;
const historyNames = ["ids", "outcomes", "skipDamaged", "newestFirst", "limit", "cursor", ...selectionNames] as const;

/** `prepare` brings the memory up to date, and refuses somebody who is not known. */
export function listMemories(options: ListOptions, state: PersonState, prepare: () => Promise<void>): Listing<Memory> {
  const { clock, timeZone } = state.context;
  const begin: ListingSource<Memory>["begin"] = () => {
    const { limit, cursor, outdated, ...given } = readOptions(options, listNames, "list's options");
    checkFlag(outdated, "outdated");
    const selection = parseMemorySelection(given, timeZone);
    const readPage = async (request: PageRequest): Promise<PlacedEntry<Memory>[]> => {
      await prepare();
      const passing = new PassingMemories(selection, clock, Infinity);
      return pageOfMemories(state, outdated !== false, passing, request);
    };
    return { limit, cursor, readPage };
  };
  return new PagedListing({ name: "list", person: state.person, begin });
}

/** What a place in the list of memories is made of: they stand in order of age. */
interface Age {
  readonly initMs: number;
  readonly id: string;
}

/** Only what is on the page is read. */
async function pageOfMemories(
  state: PersonState,
  withOutdated: boolean,
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
  const shown = withOutdated ? ages : ages.filter(({ id }) => !isOutdated(graph.node(id)!, graph));
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
  const begin: ListingSource<HistoryItem>["begin"] = () => {
    const { limit, cursor, ...given } = readOptions(options, historyNames, "history's options");
    const part = parseHistoryPart(given);
    const selection = parseMemorySelection(given, state.context.timeZone);
    const readPage = async (request: PageRequest): Promise<PlacedEntry<HistoryItem>[]> => {
      const { after, limit: pageLimit } = request;
      const asked = {
        ...part,
        ...(after === null ? {} : { after }),
        ...(pageLimit === null ? {} : { limit: pageLimit + 1 }),
      };
      if (await hasNoneInProgress(state, asked)) return [];
      const isWhole = await prepare();
      const entries = await readEntries(state, asked, selection);
      if (isWhole && part.ids === undefined && pageLimit === null) await state.readAll();
      const graph = isWhole ? state.graph : null;
      return entries.map((entry) => ({ entry: viewHistoryItem(entry, graph), place: entry.cursor }));
    };
    return { limit, cursor, readPage };
  };
  return new PagedListing({ name: "history", person: state.person, begin });
}

type HistoryPart = Pick<HistorySelection, "ids" | "outcomes" | "skipDamaged" | "newestFirst">;

function parseHistoryPart({
  ids,
  outcomes,
  skipDamaged,
  newestFirst,
}: {
  readonly [Name in keyof HistoryPart]?: unknown;
}): HistoryPart {
  checkFlag(newestFirst, "newestFirst");
  return {
    ...(ids === undefined ? {} : { ids: parseIds(ids) }),
    ...(outcomes === undefined ? {} : { outcomes: parseOutcomes(outcomes) }),
    ...(skipDamaged === true ? { skipDamaged } : {}),
    ...(newestFirst === true ? { newestFirst } : {}),
  };
}

function parseOutcomes(outcomes: unknown): Outcome[] {
  const names = readItems(outcomes, "outcomes", "option_invalid");
  if (names.every((name) => typeof name === "string")) return names as Outcome[];
  throw new InputError("option_invalid", 'outcomes must be names such as "discarded"');
}

/** Whether only conversations and queued interactions are asked for, and there are none: then no graph has to be loaded. */
async function hasNoneInProgress({ person, context }: PersonState, asked: HistorySelection): Promise<boolean> {
  const { outcomes = [], ids } = asked;
  if (outcomes.length === 0 || ids !== undefined || !outcomes.every((each) => inProgress.has(each))) return false;
  try {
    const [isKnown, entries] = await Promise.all([
      context.records.knows(person),
      context.records.history(person, { ...asked, limit: 1 }),
    ]);
    return isKnown && entries.length === 0;
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
  const { records } = context;
  const isPassing = ({ interaction }: HistoryEntry): boolean =>
    selection?.passes(interaction.metadata, interaction.initMs) ?? true;
  if (limit === undefined) return (await records.history(person, asked)).filter(isPassing);
  const count = selection === null ? limit : Math.max(limit, entriesPerRead);
  const found: HistoryEntry[] = [];
  let { after } = asked;
  for (;;) {
    const read = await records.history(person, { ...asked, ...(after === undefined ? {} : { after }), limit: count });
    found.push(...read.filter(isPassing));
    if (found.length >= limit || read.length < count) return found.slice(0, limit);
    after = read.at(-1)!.cursor;
  }
}
