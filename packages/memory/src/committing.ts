/**
 * Submitting interactions. Everything is checked before it is stored, and stored before anything else is done with it; the
 * queue makes memories of it.
 */
import { noChange, uniteIds } from "./graph/memory-node.js";
import { type CommitDecision, describeDecision } from "./engine/commit-decision.js";
import { readTrace } from "./engine/commit-trace.js";
import type { CommitmentQueue } from "./queue/commitment-queue.js";
import { type Place, placeNamed } from "./graph/statement.js";
import { placeOf } from "./upkeep/marks.js";
import {
  type GivenInteraction,
  type InteractionInput,
  type InteractionLimits,
  makeId,
  parseId,
  parseInteraction,
} from "./engine/interaction.js";
import { type ContentField, contentFields, differingFields } from "./engine/interaction-content.js";
import type { PersonState } from "./engine/person-state.js";
import { linksWithout } from "./graph/passed-links.js";
import { InputError, NotFoundError, StoreError, restate } from "./errors.js";
import type { HistoryEntry, Interaction, Outcome } from "./engine/records/person-data.js";
import { untilAborted } from "./signals.js";

export interface CommitOptions {
  /** Resolve only when the interaction has been processed, and say what became of it. */
  readonly wait?: boolean;
  /** Ends the waiting; what was accepted stays, and is processed. */
  readonly signal?: AbortSignal;
}

export interface CommitResult extends CommitDecision {
  /** False if the id was known already; then nothing changed. */
  readonly isNew: boolean;
}

/** As in `InteractionInput`. */
export type CorrectOptions = Pick<InteractionInput, "id" | "at" | "state">;

export interface UpdateResult extends CommitDecision {
  /** False if the interaction was so already; then nothing changed. */
  readonly isChanged: boolean;
}

export interface UpdateOptions {
  /** Refuses with `edit_conflict` if the memory's `tag` is no longer this one, or none of these. */
  readonly ifTag?: string | readonly string[];
}

interface Accepted {
  readonly id: string;
  readonly isNew: boolean;
}

/** As it was submitted, and the parts in which one that is known by the same id differs from it. */
interface Submitted extends Accepted {
  readonly outcome: Outcome | null;
  readonly differing: readonly ContentField[];
}

type Parsed = Omit<Interaction, "id">;

/** Checks and stores what was read, unless its id is known with other content. */
export async function commitGiven(given: GivenInteraction, state: PersonState): Promise<Accepted> {
  const parsed = await checkUpdates(parseGiven(given, state), given, state);
  const compared = fieldsGiven(given);
  const { outcome, differing, ...accepted } = await submit(parsed, given.id, compared, state);
  if (differing.length === 0) return accepted;
  const remedy =
    outcome === "open"
      ? "it is a conversation in progress: continue it with `conversation({ id })`, or choose another id"
      : "change the stored one (`update`; PATCH over REST), or choose another id";
  throw new InputError("id_taken", `"${accepted.id}" is known with other content (${differing.join(", ")}); ${remedy}`);
}

export function parseGiven(
  given: GivenInteraction,
  { context }: PersonState,
  limits: InteractionLimits = context.parameters,
): Parsed {
  const { parameters, timeZone, clock } = context;
  if (given.id !== undefined) parseId(given.id);
  return parseInteraction(given, clock.nowMs(), { ...parameters, ...limits }, timeZone);
}

/** What was not given may be anything in one that is known by the same id. */
export function fieldsGiven(given: GivenInteraction): readonly ContentField[] {
  return contentFields.filter((field) => given[field] !== undefined);
}

/** Stores what was parsed. `compared`: the parts in which one that is known by the same id must be the same. */
export async function submit(
  parsed: Parsed,
  id: string | undefined,
  compared: readonly ContentField[],
  state: PersonState,
): Promise<Submitted> {
  const accepted = id === undefined ? await acceptUnnamed(parsed, state) : await accept({ id, ...parsed }, state);
  const known = accepted.isNew ? undefined : await state.findEntry(accepted.id);
  if (known === undefined) return { ...accepted, outcome: null, differing: [] };
  return { ...accepted, outcome: known.outcome, differing: differingFields(parsed, known.interaction, compared) };
}

/** The same words at the same moment, submitted twice without an id, are two interactions. */
async function acceptUnnamed(parsed: Parsed, state: PersonState): Promise<Accepted> {
  const base = makeId(parsed);
  for (let copy = 1; ; copy++) {
    const accepted = await accept({ id: copy === 1 ? base : `${base}-${copy}`, ...parsed }, state);
    if (accepted.isNew) return accepted;
  }
}

async function accept(interaction: Interaction, { person, context }: PersonState): Promise<Accepted> {
  const { id } = interaction;
  try {
    const isNew = await context.records.accept(person, interaction, "queued");
    if (isNew) context.expiries.expect(interaction.expiresMs);
    return { id, isNew };
  } catch (cause) {
    if (!(cause instanceof StoreError && cause.code === "store_busy")) throw cause;
    // It may have been stored all the same.
    const message = `${cause.message} Submitting it again with the id "${id}" stores it only once.`;
    throw new StoreError(cause.code, message, { cause });
  }
}

/**
 * What it makes outdated has to be known and earlier. One that a repetition has replaced stands for that repetition. An
 * interaction without a time of its own comes after what it updates, even in the same millisecond. `times`: of those that
 * are stored before it.
 */
export async function checkUpdates(
  parsed: Parsed,
  { id, at }: GivenInteraction,
  state: PersonState,
  times: ReadonlyMap<string, number> = new Map(),
): Promise<Parsed> {
  if (parsed.updates.length === 0) return parsed;
  if (id !== undefined && (await state.findEntry(id)) !== undefined) return parsed;
  const named = await Promise.all(
    parsed.updates.map(async (each) => {
      const initMs = times.get(each);
      return initMs === undefined ? findCurrent(each, state) : { id: each, initMs };
    }),
  );
  const lastMs = Math.max(...named.map(({ initMs }) => initMs));
  if (at !== undefined && parsed.initMs <= lastMs) {
    const last = named.find(({ initMs }) => initMs === lastMs)!;
    const message = `updates names "${last.id}", which is from ${new Date(lastMs).toISOString()}; name interactions that are earlier than \`at\``;
    throw new InputError("id_invalid", message);
  }
  const updates = uniteIds(named.map((each) => each.id));
  return { ...parsed, updates, initMs: Math.max(parsed.initMs, lastMs + 1) };
}

/** The interaction or the statement of a name, or the interaction that has replaced it. */
async function findCurrent(
  name: string,
  state: PersonState,
): Promise<{ readonly id: string; readonly initMs: number }> {
  const named = await state.findEntry(name);
  const place = named === undefined ? placeNamed(name) : null;
  let entry = place === null ? named : await state.findEntry(place.memory);
  if (entry === undefined) {
    throw new NotFoundError("unknown_id", `"${state.person}" has no interaction "${name}" to update`);
  }
  if (place !== null && entry.outcome !== "replaced") return { id: name, initMs: entry.interaction.initMs };
  const seen = new Set<string>();
  while (entry.outcome === "replaced" && !seen.has(entry.interaction.id)) {
    seen.add(entry.interaction.id);
    const trace = readTrace(entry);
    const successor: HistoryEntry | undefined =
      trace?.outcome === "replaced" ? await state.findEntry(trace.by) : undefined;
    if (successor === undefined) break;
    entry = successor;
  }
  return entry.interaction;
}

/** Waits until an interaction is processed, not until all those behind it are. */
export async function waitForDecision(
  id: string,
  state: PersonState,
  queue: CommitmentQueue,
  signal?: AbortSignal,
): Promise<CommitDecision> {
  const find = async (): Promise<HistoryEntry> => {
    const entry = await state.findEntry(id);
    if (entry !== undefined) return entry;
    throw new NotFoundError("unknown_id", `"${id}" was forgotten before it was processed`);
  };
  let entry = await find();
  if (entry.outcome === "queued") {
    await processed(id, state, queue, signal).catch(async (cause: unknown) => {
      signal?.throwIfAborted();
      if ((await find()).outcome !== "queued") return;
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw restate(cause, `"${id}" is stored, but processing it failed; it is tried again later: ${reason}`);
    });
    entry = await find();
  }
  if (entry.outcome === "queued") {
    throw new StoreError("store_closed", `"${id}" is stored; it is processed when the memory is opened again`);
  }
  return describeDecision(id, entry.outcome, readTrace(entry));
}

/** Whoever processes it: this process tells of it, and where another one does, the queue is empty in the end. */
async function processed(
  id: string,
  { person, context }: PersonState,
  queue: CommitmentQueue,
  signal: AbortSignal | undefined,
): Promise<void> {
  const endings: (() => void)[] = [];
  const told = new Promise<void>((resolve) => {
    for (const name of ["committed", "paired", "discarded", "forgetAsked"] as const) {
      endings.push(context.events.on(name, (event) => (event.id === id ? resolve() : undefined), person));
    }
  });
  try {
    await untilAborted(Promise.race([told, queue.settled()]), signal);
  } finally {
    for (const end of endings) end();
  }
}

/** Takes back that an interaction, or a statement of it, ended an earlier one. */
export async function unlinkMemories(name: string, outdatedName: string, state: PersonState): Promise<void> {
  await state.change(async () => {
    const { graph, person } = state;
    const [newer, older] = [placeOf(name, state), placeOf(outdatedName, state)];
    if (newer === undefined) throw new NotFoundError("unknown_id", `"${person}" has no interaction "${name}"`);
    const setEnds = older === undefined ? [] : linksWithout(newer, older, graph);
    if (setEnds.length === 0) throw new InputError("id_invalid", `"${name}" did not make "${outdatedName}" outdated`);
    const named = (await state.findEntry(newer.memory))?.interaction.updates ?? [];
    // Of a single statement, the wishes about others stay.
    const isMeant = ({ memory, position }: Place): boolean =>
      memory === older!.memory && (older!.position === null || position === older!.position);
    const updates = named.filter((each) => {
      const place = placeOf(each, state);
      return each !== outdatedName && (place === undefined || !isMeant(place));
    });
    const batch = { change: { ...noChange, setEnds }, outcomes: [], forgetInteractions: [] };
    return { batch: { ...batch, setInteractionUpdates: [{ id: newer.memory, updates }] }, result: undefined };
  });
}
