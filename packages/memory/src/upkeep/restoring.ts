/**
 * Restoring: an interaction that the filters, a repetition or the memory limit set aside goes through the queue again; a
 * statement that was held back, taken out or ended holds again, and so does all that a wish to forget held back.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import { type GraphChange, noChange, uniteIds } from "../graph/memory-node.js";
import { type EndLink, type Mark, type Place, isSure, nameOf, placeNamed } from "../graph/statement.js";
import { InputError, NotFoundError } from "../errors.js";
import { type Batch, type HistoryEntry, type Outcome, isMemory } from "../engine/records/person-data.js";
import { commitTraceOf, readTrace } from "../engine/commit-trace.js";
import type { PersonState } from "../engine/person-state.js";

const restorable: ReadonlySet<Outcome> = new Set(["discarded", "forgetAsked", "replaced", "pruned"]);

/** Queues it, this time past the filters; the caller starts the queue. */
export async function restoreInteraction(state: PersonState, name: string): Promise<void> {
  await state.change(async () => {
    const { graph } = state;
    const entry = await state.findEntry(name);
    const place = entry === undefined ? placeNamed(name) : null;
    const node = place === null ? undefined : graph.node(place.memory);
    if (place !== null && node?.statements[place.position!] !== undefined)
      return toResult(restoreStatement(place, graph));
    if (entry === undefined) throw new NotFoundError("unknown_id", `"${state.person}" has no interaction "${name}"`);
    if (isMemory(entry)) return toResult(restoreMemory(entry, graph));
    if (!restorable.has(entry.outcome)) throw notRestorable(name, entry.outcome);
    const asked = commitTraceOf(readTrace(entry))?.forgetAsked ?? [];
    // What a wish of its own means comes back; the wish itself is no memory.
    const released = asked.filter(({ memory }) => memory !== name);
    if (entry.outcome === "forgetAsked" && released.length > 0) return toResult(release(released, graph));
    const setInteractionUpdates = await findLinks(entry, state);
    const batch = { change: noChange, outcomes: [], forgetInteractions: [], requeueInteractions: [name] };
    return { batch: { ...batch, setInteractionUpdates }, result: undefined };
  });
}

function toResult(change: GraphChange): { readonly batch: Omit<Batch, "baseRevision">; readonly result: undefined } {
  return { batch: { change, outcomes: [], forgetInteractions: [] }, result: undefined };
}

/** A statement without the marks that keep it from being said, and without what ended it. */
function restoreStatement(place: Place, graph: MemoryGraph): GraphChange {
  const node = graph.node(place.memory)!;
  const isSilencing = ({ position, kind }: Mark): boolean => position === place.position && kind !== "pinned";
  const marks = node.marks.filter((mark) => !isSilencing(mark));
  const enders = [...graph.linksTo(node.id), ...graph.doubtsAbout(node.id)].filter(
    ({ position }) => position === place.position,
  );
  if (marks.length === node.marks.length && enders.length === 0) {
    throw new InputError(
      "id_invalid",
      `"${nameOf(place)}" holds; only a statement that was taken out or ended can be restored`,
    );
  }
  const isLink = (link: EndLink): boolean => link.memory === node.id && link.position === place.position;
  const setEnds = [...new Set(enders.map(({ from }) => from))].map((id) => ({
    id,
    ends: graph.node(id)!.ends.filter((link) => !isLink(link)),
  }));
  return { ...noChange, setMarks: [{ id: node.id, marks }], setEnds };
}

/** All that was held back, taken out or called untrue in a memory, and what its wish to forget held back elsewhere. */
function restoreMemory({ interaction: { id }, outcome, trace }: HistoryEntry, graph: MemoryGraph): GraphChange {
  const asked = commitTraceOf(readTrace({ trace }))?.forgetAsked ?? [];
  const change = release(asked, graph);
  const own = graph.node(id)!.marks;
  const marks = own.filter(({ kind }) => kind === "pinned");
  if (marks.length === own.length && change.setMarks.length === 0) throw notRestorable(id, outcome);
  return { ...change, setMarks: [...change.setMarks.filter((each) => each.id !== id), { id, marks }] };
}

function release(places: readonly Place[], graph: MemoryGraph): GraphChange {
  const ids = [...new Set(places.map(({ memory }) => memory))].filter((id) => graph.node(id) !== undefined);
  const isAsked = (id: string, { position, kind }: Mark): boolean =>
    kind === "held" && places.some((place) => place.memory === id && place.position === position);
  const setMarks = ids.map((id) => ({ id, marks: graph.node(id)!.marks.filter((mark) => !isAsked(id, mark)) }));
  return { ...noChange, setMarks: setMarks.filter(({ id, marks }) => marks.length < graph.node(id)!.marks.length) };
}

function notRestorable(id: string, outcome: Outcome): InputError {
  const hint = "only what was discarded, held back, replaced or pruned can be restored";
  return new InputError("id_invalid", `"${id}" is ${outcome}; ${hint}`);
}

/** What a pruned memory had ended, as far as it is still known; its trace is about to go. */
async function findLinks(
  { interaction, trace }: HistoryEntry,
  { person, context }: PersonState,
): Promise<Batch["setInteractionUpdates"] & {}> {
  const pruned = readTrace({ trace });
  const { ends = [] } = pruned?.outcome === "pruned" ? pruned : {};
  if (ends.length === 0) return [];
  const known = await context.records.history(person, { ids: ends.map(({ memory }) => memory) });
  const ids = new Set(known.map((entry) => entry.interaction.id));
  const names = ends.filter((link) => isSure(link) && ids.has(link.memory)).map(nameOf);
  return [{ id: interaction.id, updates: uniteIds(interaction.updates, names) }];
}
