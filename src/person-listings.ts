/** A person's memories and history, page by page. */
import { compareAge } from "./core/graph/memory-node.js";
import { checkFlag, readFields } from "./engine/given-values.js";
import { isMoment } from "./engine/interaction.js";
import type { PersonState } from "./engine/person-state.js";
import { parseSelection } from "./history-selection.js";
import { Listing, type ListingOptions, type PageRequest, type PlacedEntry, cursorRefusal } from "./listing.js";
import type { HistorySelection, Outcome } from "./ports/store.js";
import { type HistoryItem, type Memory, viewHistoryItem, viewMemory } from "./person-views.js";

export interface ListOptions extends ListingOptions {
  /** False leaves out what later memories made outdated. */
  readonly outdated?: boolean;
}

export interface HistoryOptions extends ListingOptions {
  readonly ids?: readonly string[];
  readonly outcomes?: readonly Outcome[];
  /** Leaves out what is damaged instead of refusing. */
  readonly skipDamaged?: boolean;
}

/** `prepare` brings the memory up to date, and refuses somebody who is not known. */
export function listMemories(options: ListOptions, state: PersonState, prepare: () => Promise<void>): Listing<Memory> {
  const read = (): ListOptions => readListOptions(options);
  return new Listing({
    name: "list",
    person: state.person,
    options: read,
    readPage: async (request) => {
      await prepare();
      return pageOfMemories(state, read(), request);
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
  { after, limit }: PageRequest,
): Promise<PlacedEntry<Memory>[]> {
  const last = after === null ? null : parsePlace(after);
  if (limit === null) await state.readAll();
  const { graph } = state;
  const ages: Age[] = [];
  for (let slot = 0; slot < graph.slotCount; slot++) {
    const initMs = graph.initMs[slot]!;
    if (Number.isNaN(initMs) || (last !== null && initMs < last.initMs)) continue;
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
  return new Listing({
    name: "history",
    person: state.person,
    options: () => readFields(options, ["limit", "cursor"], "the selection"),
    readPage: async (request) => {
      const given = parseSelection(options);
      const isWhole = await prepare();
      const selection = { ...given, ...toSelection(request) };
      const entries = await state.context.store.history(state.person, selection);
      if (isWhole && given.ids === undefined && request.limit === null) await state.readAll();
      const graph = isWhole ? state.graph : null;
      return entries.map((entry) => ({ entry: viewHistoryItem(entry, graph), place: entry.cursor }));
    },
  });
}

function readListOptions(options: ListOptions): ListOptions {
  const given = readFields(options, ["outdated", "limit", "cursor"], "list's options");
  checkFlag(given.outdated, "outdated");
  return given as ListOptions;
}

function toSelection({ after, limit }: PageRequest): HistorySelection {
  return { ...(after === null ? {} : { after }), ...(limit === null ? {} : { limit: limit + 1 }) };
}
