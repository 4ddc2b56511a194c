/**
 * Submitting interactions: one, one whose outcome is awaited, a correction, or many from a file. Everything is checked
 * before it is stored, and stored before anything else is done with it.
 */
import { uniteIds } from "./core/graph/memory-node.js";
import { type CommitDecision, describeDecision } from "./engine/commitment/commit-decision.js";
import type { InteractionTrace, ReplacedTrace } from "./engine/commitment/commit-trace.js";
import type { CommitmentQueue } from "./engine/commitment/commitment-queue.js";
import { editInteraction } from "./engine/commitment/editing.js";
import { checkFlag, checkNames, readFields } from "./engine/given-values.js";
import {
  type InteractionInput,
  type InteractionLimits,
  makeId,
  noLimits,
  parseId,
  parseInteraction,
  readInteraction,
} from "./engine/interaction.js";
import { type ContentField, contentFields, differingFields } from "./engine/interaction-content.js";
import { type InteractionEdit, readEdit } from "./engine/interaction-edit.js";
import type { PersonState } from "./engine/person-state.js";
import { runInSlices } from "./engine/serial-lock.js";
import { type ParsedExport, parseExportSteps, parseInteractionLinesSteps } from "./engine/transfer/export-parsing.js";
import { checkInputsSteps, readLines } from "./engine/transfer/import-lines.js";
import { restoreExport } from "./engine/transfer/transfer.js";
import { InputError, NotFoundError, StoreError, restate } from "./errors.js";
import { isSameEmbedder } from "./ports/embedder.js";
import { type HistoryEntry, type Interaction, type Outcome, continuesTurns } from "./ports/store.js";

export interface CommitOptions {
  /** Resolve only when the interaction has been processed, and say what became of it. */
  readonly wait?: boolean;
}

export interface CommitResult extends CommitDecision {
  /** False if the id was known already; then nothing changed. */
  readonly isNew: boolean;
}

/** As in `InteractionInput`. */
export type CorrectOptions = Pick<InteractionInput, "id" | "at" | "state">;

export interface ImportResult {
  /** `restored`: an export, imported into an empty person. `committed`: interactions, through the queue. */
  readonly mode: "restored" | "committed";
  readonly acceptedCount: number;
  /** How many ids already existed. */
  readonly knownCount: number;
  /** How many of those have other content; they stay as they were. */
  readonly differentCount: number;
  /** The first hundred of them. */
  readonly differentIds: readonly string[];
}

export interface UpdateResult extends CommitDecision {
  /** False if the interaction was so already; then nothing changed. */
  readonly isChanged: boolean;
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

const nothingDifferent = { differentCount: 0, differentIds: [] };
const differentIdsMax = 100;

type ParsedInteraction = Omit<Interaction, "id">;

interface CommitAllOptions {
  readonly lineNumberOf?: (position: number) => number;
  /** What is compared with one that is known by the same id; what was given, if omitted. */
  readonly compared?: readonly ContentField[];
  /** Adds what an input cannot say. */
  readonly complete?: (parsed: ParsedInteraction, given: InteractionInput) => Promise<ParsedInteraction>;
}

const asParsed = async (parsed: ParsedInteraction): Promise<ParsedInteraction> => parsed;

type OnProgress = (doneCount: number, totalCount: number) => void;

const commitOptionNames = ["wait"] as const satisfies (keyof CommitOptions)[];
const correctOptionNames = ["id", "at", "state"] as const satisfies (keyof CorrectOptions)[];

export class Committing {
  readonly #state: PersonState;
  readonly #queue: CommitmentQueue;

  constructor(state: PersonState, queue: CommitmentQueue) {
    this.#state = state;
    this.#queue = queue;
  }

  async commit(input: InteractionInput, options: CommitOptions): Promise<Accepted | CommitResult> {
    const { wait } = readFields(options, commitOptionNames, "commit's options");
    checkNames(options, commitOptionNames, "commit's options");
    checkFlag(wait, "wait");
    const given = readInteraction(input);
    const { parameters } = this.#state.context;
    const { outcome, differing, ...accepted } = await this.#commit(given, parameters, (parsed) =>
      this.#checkUpdates(parsed, given),
    );
    if (differing.length > 0) throw idTaken(accepted.id, outcome, differing);
    return wait === true ? this.#waitFor(accepted) : accepted;
  }

  /** Edits an interaction in place, and says what became of it. */
  async update(id: string, changes: InteractionEdit): Promise<UpdateResult> {
    const edit = readEdit(changes);
    const isChanged = await editInteraction(this.#state, parseId(id), edit);
    this.#queue.start();
    const { isNew: _, ...decision } = await this.#waitFor({ id, isNew: false });
    return { ...decision, isChanged };
  }

  async correct(id: string, text: string, options: CorrectOptions): Promise<CommitResult> {
    const given = readFields(options, correctOptionNames, "correct's options");
    checkNames(options, correctOptionNames, "correct's options");
    const turns = [{ who: "user", text }];
    const input = { ...given, turns, keep: true, updates: parseId(id) } as InteractionInput;
    return this.commit(input, { wait: true }) as Promise<CommitResult>;
  }

  /** Imports an export, or a file of interactions, one JSON object per line. */
  async import(lines: Iterable<string> | AsyncIterable<string>, onProgress: OnProgress): Promise<ImportResult> {
    const { store, embedding, parameters } = this.#state.context;
    const all = await readLines(lines);
    const parsed = await runInSlices(parseExportSteps(all, parameters));
    const isEmpty = (await store.history(this.#state.person)).length === 0;
    if (parsed !== null && isEmpty && isSameEmbedder(parsed.embedder, embedding.identity)) {
      await restoreExport(this.#state, parsed);
      onProgress(parsed.entries.length, parsed.entries.length);
      this.#queue.start();
      return { mode: "restored", acceptedCount: parsed.entries.length, knownCount: 0, ...nothingDifferent };
    }
    if (parsed !== null) return this.#commitEntries(parsed, onProgress);
    const inputs = await runInSlices(parseInteractionLinesSteps(all, parameters));
    return this.#commitAll(inputs, parameters, onProgress, {
      lineNumberOf: (position) => all[position]!.number,
    });
  }

  /** Interactions of an export, as if they were submitted now; a conversation in progress continues here too. */
  async #commitEntries({ entries, nodes }: ParsedExport, onProgress: OnProgress): Promise<ImportResult> {
    const { person, context } = this.#state;
    const links = new Map(nodes.map(({ node }) => [node.id, node.updates]));
    const ended = entries
      .filter(({ outcome }) => outcome !== "open")
      .map(({ interaction }) => toInput(interaction, links.get(interaction.id) ?? []));
    const versions = new Map(entries.map(({ interaction }) => [interaction.id, interaction.versions]));
    const complete = async (parsed: ParsedInteraction, { id }: InteractionInput): Promise<ParsedInteraction> => ({
      ...parsed,
      versions: versions.get(id!)!,
    });
    const result = await this.#commitAll(ended, noLimits, onProgress, { complete, compared: contentFields });
    let { acceptedCount } = result;
    const different: string[] = [];
    for (const { interaction } of entries.filter(({ outcome }) => outcome === "open")) {
      const { id } = interaction;
      const [known] = await context.store.history(person, { ids: [id] });
      if (known === undefined) acceptedCount++;
      const isTaken = await context.store.accept(person, interaction, "open");
      if (isTaken) context.expiries.expect(interaction.expiresMs);
      // Where it has gone on, it says all of this and more.
      const isOther = known !== undefined && !continuesTurns(interaction.turns, known.interaction.turns);
      if (!isTaken && isOther) different.push(id);
    }
    const differentIds = [...result.differentIds, ...different].slice(0, differentIdsMax);
    const differentCount = result.differentCount + different.length;
    return { ...result, acceptedCount, knownCount: entries.length - acceptedCount, differentCount, differentIds };
  }

  async #commitAll(
    inputs: readonly InteractionInput[],
    limits: InteractionLimits,
    onProgress: OnProgress,
    { lineNumberOf = (position: number) => position + 1, complete = asParsed, compared }: CommitAllOptions = {},
  ): Promise<ImportResult> {
    const nowMs = this.#state.context.clock.nowMs();
    // All or nothing: an error in line 500 is found before line 1 is stored.
    await runInSlices(checkInputsSteps(inputs, (input) => this.#parse(input, nowMs, limits), lineNumberOf));
    let acceptedCount = 0;
    const different: string[] = [];
    for (const [i, input] of inputs.entries()) {
      const given = readInteraction(input);
      const { id, isNew, differing } = await this.#commit(given, limits, (parsed) => complete(parsed, given), compared);
      if (isNew) acceptedCount++;
      if (differing.length > 0) different.push(id);
      onProgress(i + 1, inputs.length);
    }
    const differentIds = different.slice(0, differentIdsMax);
    const knownCount = inputs.length - acceptedCount;
    return { mode: "committed", acceptedCount, knownCount, differentCount: different.length, differentIds };
  }

  /**
   * `check` may refuse what was parsed, or complete it, before it is stored. `compared` are the parts in which one that is
   * known by the same id must be the same; what was not given may be anything.
   */
  async #commit(
    given: InteractionInput,
    limits: InteractionLimits,
    check: (parsed: ParsedInteraction) => Promise<ParsedInteraction>,
    compared: readonly ContentField[] = contentFields.filter((field) => given[field] !== undefined),
  ): Promise<Submitted> {
    const parsed = this.#parse(given, this.#state.context.clock.nowMs(), limits);
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

  #parse(input: InteractionInput, nowMs: number, limits: InteractionLimits): Omit<Interaction, "id"> {
    const { parameters, timeZone } = this.#state.context;
    return parseInteraction(input, nowMs, { ...parameters, ...limits }, timeZone);
  }

  /**
   * What it makes outdated has to be known and earlier. One that a repetition has replaced stands for that repetition. An
   * interaction without a time of its own comes after what it updates, even in the same millisecond.
   */
  async #checkUpdates(parsed: Omit<Interaction, "id">, { id, at }: InteractionInput): Promise<Omit<Interaction, "id">> {
    if (parsed.updates.length === 0) return parsed;
    const { person, context } = this.#state;
    const isKnown = id !== undefined && (await context.store.history(person, { ids: [id] })).length > 0;
    if (isKnown) return parsed;
    const named = await Promise.all(parsed.updates.map((each) => this.#findCurrent(each)));
    const lastMs = Math.max(...named.map(({ interaction }) => interaction.initMs));
    if (at !== undefined && parsed.initMs <= lastMs) {
      const last = named.find(({ interaction }) => interaction.initMs === lastMs)!;
      const message = `updates names "${last.interaction.id}", which is from ${new Date(lastMs).toISOString()}; name interactions that are earlier than \`at\``;
      throw new InputError("id_invalid", message);
    }
    const updates = uniteIds(named.map(({ interaction }) => interaction.id));
    return { ...parsed, updates, initMs: Math.max(parsed.initMs, lastMs + 1) };
  }

  /** The interaction with an id, or the one that has replaced it. */
  async #findCurrent(id: string): Promise<HistoryEntry> {
    const { person, context } = this.#state;
    const seen = new Set<string>();
    let [entry] = await context.store.history(person, { ids: [id] });
    if (entry === undefined) throw new NotFoundError("unknown_id", `"${person}" has no interaction "${id}" to update`);
    while (entry.outcome === "replaced" && entry.trace !== null && !seen.has(entry.interaction.id)) {
      seen.add(entry.interaction.id);
      const { by } = JSON.parse(entry.trace) as ReplacedTrace;
      const [successor]: HistoryEntry[] = await context.store.history(person, { ids: [by] });
      if (successor === undefined) break;
      entry = successor;
    }
    return entry;
  }

  /** Waits until an interaction is processed, not until all those behind it are. */
  async #waitFor({ id, isNew }: Accepted): Promise<CommitResult> {
    const { person, context } = this.#state;
    const find = async (): Promise<HistoryEntry> => {
      const [entry] = await context.store.history(person, { ids: [id] });
      if (entry !== undefined) return entry;
      throw new NotFoundError("unknown_id", `"${id}" was forgotten before it was processed`);
    };
    let entry = await find();
    if (entry.outcome === "queued") {
      await this.#decided(id).catch(async (cause: unknown) => {
        if ((await find()).outcome !== "queued") return;
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw restate(cause, `"${id}" is stored, but processing it failed; it is tried again later: ${reason}`);
      });
      entry = await find();
    }
    if (entry.outcome === "queued") {
      throw new StoreError("store_closed", `"${id}" is stored; it is processed when the memory is opened again`);
    }
    const trace = entry.trace === null ? null : (JSON.parse(entry.trace) as InteractionTrace);
    return { ...describeDecision(id, entry.outcome, trace), isNew };
  }

  /** Whoever processes it: this process tells of it, and where another one does, the queue is empty in the end. */
  async #decided(id: string): Promise<void> {
    const { person, context } = this.#state;
    const endings: (() => void)[] = [];
    const told = new Promise<void>((resolve) => {
      for (const name of ["committed", "paired", "discarded"] as const) {
        endings.push(context.events.on(name, (event) => (event.id === id ? resolve() : undefined), person));
      }
    });
    try {
      await Promise.race([told, this.#queue.settled()]);
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
      : "change it with `update`, or choose another id";
  return new InputError("id_taken", `"${id}" is known with other content (${differing.join(", ")}); ${remedy}`);
}

/** `links`: what its memory had made outdated. */
function toInput(interaction: Interaction, links: readonly string[]): InteractionInput {
  const { id, initMs, turns, summary, state, kept, updates, metadata, expiresMs } = interaction;
  const notes = { metadata, ...(expiresMs === null ? {} : { expiresAt: expiresMs }) };
  const texts = { ...(summary === null ? {} : { summary }), ...(state === null ? {} : { state }) };
  return { id, at: initMs, turns, ...texts, ...notes, keep: kept, updates: uniteIds(updates, links) };
}
