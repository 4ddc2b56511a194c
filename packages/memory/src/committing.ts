/**
 * Submitting interactions: one, one whose outcome is awaited, or a correction. Everything is checked before it is stored, and
 * stored before anything else is done with it.
 */
import { uniteIds } from "./core/graph/memory-node.js";
import { type CommitDecision, describeDecision } from "./engine/commitment/commit-decision.js";
import { readTrace } from "./engine/commitment/commit-trace.js";
import type { CommitmentQueue } from "./engine/commitment/commitment-queue.js";
import { editInteraction } from "./engine/commitment/editing.js";
import { type CommitInput, inputHints, readInteraction } from "./engine/commit-input.js";
import { checkFlag, isList, readOptions } from "./engine/given-values.js";
import {
  type GivenInteraction,
  type InteractionInput,
  type InteractionLimits,
  makeId,
  parseId,
  parseInteraction,
} from "./engine/interaction.js";
import { type ContentField, contentFields, differingFields } from "./engine/interaction-content.js";
import { type InteractionEdit, readEdit } from "./engine/interaction-edit.js";
import type { PersonState } from "./engine/person-state.js";
import { InputError, NotFoundError, StoreError, restate } from "./errors.js";
import type { HistoryEntry, Interaction, Outcome } from "./ports/store.js";
import { checkSignal, untilAborted } from "./signals.js";

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

export interface Accepted {
  readonly id: string;
  readonly isNew: boolean;
}

/** As it was submitted, and the parts in which one that is known by the same id differs from it. */
export interface Submitted extends Accepted {
  readonly outcome: Outcome | null;
  readonly differing: readonly ContentField[];
}

/** May refuse what was parsed, or complete it, before it is stored. */
export type Check = (parsed: Omit<Interaction, "id">) => Promise<Omit<Interaction, "id">>;

const commitOptionNames = ["wait", "signal"] as const satisfies (keyof CommitOptions)[];
const correctOptionNames = ["id", "at", "state"] as const satisfies (keyof CorrectOptions)[];

export class Committing {
  readonly #state: PersonState;
  readonly #queue: CommitmentQueue;

  constructor(state: PersonState, queue: CommitmentQueue) {
    this.#state = state;
    this.#queue = queue;
  }

  async commit(input: CommitInput, options: CommitOptions): Promise<Accepted | CommitResult> {
    const { wait, signal } = readOptions(options, commitOptionNames, "commit's options", inputHints);
    checkFlag(wait, "wait");
    checkSignal(signal);
    signal?.throwIfAborted();
    const given = this.read(input);
    const { parameters } = this.#state.context;
    const accepted = await this.commitRead(given, parameters);
    return wait === true ? this.#waitFor(accepted, signal) : accepted;
  }

  /** Edits an interaction in place, and says what became of it. */
  async update(id: string, changes: InteractionEdit, options: UpdateOptions): Promise<UpdateResult> {
    const edit = readEdit(changes);
    const { ifTag } = readOptions(options, ["ifTag"], "update's options");
    const tags = ifTag === undefined ? null : readTags(ifTag);
    const isChanged = await editInteraction(this.#state, parseId(id), edit, tags);
    this.#queue.start();
    const { isNew: _, ...decision } = await this.#waitFor({ id, isNew: false }, undefined);
    return { ...decision, isChanged };
  }

  async correct(id: string, text: string, options: CorrectOptions): Promise<CommitResult> {
    const given = readOptions(options, correctOptionNames, "correct's options");
    const turns = [{ who: "user", text }];
    const input = { ...given, turns, keep: true, updates: parseId(id) } as InteractionInput;
    return this.commit(input, { wait: true }) as Promise<CommitResult>;
  }

  /** Stores what was read, unless its id is known with other content. */
  async commitRead(given: GivenInteraction, limits: InteractionLimits): Promise<Accepted> {
    const submitted = await this.accept(given, limits, (parsed) => this.checkUpdates(parsed, given));
    const { outcome, differing, ...accepted } = submitted;
    if (differing.length > 0) throw idTaken(accepted.id, outcome, differing);
    return accepted;
  }

  /**
   * Stores what was read, once it is checked, and starts the queue. `compared` are the parts in which one that is known by
   * the same id must be the same; what was not given may be anything.
   */
  async accept(
    given: GivenInteraction,
    limits: InteractionLimits,
    check: Check = async (parsed) => parsed,
    compared: readonly ContentField[] = contentFields.filter((field) => given[field] !== undefined),
  ): Promise<Submitted> {
    const parsed = this.parse(given, limits);
    const id = given.id === undefined ? undefined : parseId(given.id);
    const checked = await check(parsed);
    const accepted = id === undefined ? await this.#acceptUnnamed(checked) : await this.#accept({ id, ...checked });
    this.#queue.start();
    const known = accepted.isNew ? undefined : await this.#find(accepted.id);
    if (known === undefined) return { ...accepted, outcome: null, differing: [] };
    const differing = differingFields(checked, known.interaction, compared);
    return { ...accepted, outcome: known.outcome, differing };
  }

  async #find(id: string): Promise<HistoryEntry | undefined> {
    return (await this.#state.context.store.history(this.#state.person, { ids: [id] }))[0];
  }

  read(input: CommitInput, allowsOthers = false): GivenInteraction {
    const { parameters, timeZone, clock } = this.#state.context;
    return readInteraction(input, { limits: parameters, timeZone, nowMs: clock.nowMs(), allowsOthers });
  }

  parse(input: GivenInteraction, limits: InteractionLimits): Omit<Interaction, "id"> {
    const { parameters, timeZone, clock } = this.#state.context;
    if (input.id !== undefined) parseId(input.id);
    return parseInteraction(input, clock.nowMs(), { ...parameters, ...limits }, timeZone);
  }

  /**
   * What it makes outdated has to be known and earlier. One that a repetition has replaced stands for that repetition. An
   * interaction without a time of its own comes after what it updates, even in the same millisecond. `times`: of those that
   * are stored before it.
   */
  async checkUpdates(
    parsed: Omit<Interaction, "id">,
    { id, at }: GivenInteraction,
    times: ReadonlyMap<string, number> = new Map(),
  ): Promise<Omit<Interaction, "id">> {
    if (parsed.updates.length === 0) return parsed;
    const { person, context } = this.#state;
    const isKnown = id !== undefined && (await context.store.history(person, { ids: [id] })).length > 0;
    if (isKnown) return parsed;
    const named = await Promise.all(
      parsed.updates.map(async (each) => {
        const initMs = times.get(each);
        return initMs === undefined ? (await this.#findCurrent(each)).interaction : { id: each, initMs };
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

  /** The interaction with an id, or the one that has replaced it. */
  async #findCurrent(id: string): Promise<HistoryEntry> {
    const { person, context } = this.#state;
    const seen = new Set<string>();
    let [entry] = await context.store.history(person, { ids: [id] });
    if (entry === undefined) throw new NotFoundError("unknown_id", `"${person}" has no interaction "${id}" to update`);
    while (entry.outcome === "replaced" && !seen.has(entry.interaction.id)) {
      seen.add(entry.interaction.id);
      const trace = readTrace(entry);
      if (trace?.outcome !== "replaced") break;
      const { by } = trace;
      const [successor]: HistoryEntry[] = await context.store.history(person, { ids: [by] });
      if (successor === undefined) break;
      entry = successor;
    }
    return entry;
  }

  /** Waits until an interaction is processed, not until all those behind it are. */
  async #waitFor({ id, isNew }: Accepted, signal: AbortSignal | undefined): Promise<CommitResult> {
    const { person, context } = this.#state;
    const find = async (): Promise<HistoryEntry> => {
      const [entry] = await context.store.history(person, { ids: [id] });
      if (entry !== undefined) return entry;
      throw new NotFoundError("unknown_id", `"${id}" was forgotten before it was processed`);
    };
    let entry = await find();
    if (entry.outcome === "queued") {
      await this.#decided(id, signal).catch(async (cause: unknown) => {
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
    return { ...describeDecision(id, entry.outcome, readTrace(entry)), isNew };
  }

  /** Whoever processes it: this process tells of it, and where another one does, the queue is empty in the end. */
  async #decided(id: string, signal: AbortSignal | undefined): Promise<void> {
    const { person, context } = this.#state;
    const endings: (() => void)[] = [];
    const told = new Promise<void>((resolve) => {
      for (const name of ["committed", "paired", "discarded"] as const) {
        endings.push(context.events.on(name, (event) => (event.id === id ? resolve() : undefined), person));
      }
    });
    try {
      await untilAborted(Promise.race([told, this.#queue.settled()]), signal);
    } finally {
      for (const end of endings) end();
    }
  }

  async #accept(interaction: Interaction): Promise<Accepted> {
    const { person, context } = this.#state;
    const { id } = interaction;
    try {
      const isNew = await context.store.accept(person, interaction, "queued");
      if (isNew) context.expiries.expect(interaction.expiresMs);
      return { id, isNew };
    } catch (cause) {
      if (!(cause instanceof StoreError && cause.code === "store_busy")) throw cause;
      // It may have been stored all the same.
      const message = `${cause.message} Submitting it again with the id "${id}" stores it only once.`;
      throw new StoreError(cause.code, message, { cause });
    }
  }

  /** The same words at the same moment, submitted twice without an id, are two interactions. */
  async #acceptUnnamed(parsed: Omit<Interaction, "id">): Promise<Accepted> {
    const base = makeId(parsed);
    for (let copy = 1; ; copy++) {
      const accepted = await this.#accept({ id: copy === 1 ? base : `${base}-${copy}`, ...parsed });
      if (accepted.isNew) return accepted;
    }
  }
}

function idTaken(id: string, outcome: Outcome | null, differing: readonly ContentField[]): InputError {
  const remedy =
    outcome === "open"
      ? "it is a conversation in progress: continue it with `conversation({ id })`, or choose another id"
      : "change the stored one (`update`; PATCH over REST), or choose another id";
  return new InputError("id_taken", `"${id}" is known with other content (${differing.join(", ")}); ${remedy}`);
}

function readTags(given: unknown): readonly string[] {
  const tags = isList(given) ? given : [given];
  if (tags.every((tag) => typeof tag === "string")) return tags;
  throw new InputError("option_invalid", "ifTag must be the tag of a memory, or a list of tags");
}
