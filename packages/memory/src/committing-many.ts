/**
 * Submitting many interactions: a list of them, a stream, or a file. A list and a file are checked as a whole before the
 * first is stored.
 */
import { type Check, Committing } from "./committing.js";
import { uniteIds } from "./core/graph/memory-node.js";
import type { CommitmentQueue } from "./engine/commitment/commitment-queue.js";
import type { CommitInput } from "./engine/commit-input.js";
import { checkFunction, describeValue, isList, readItems, readOptions } from "./engine/given-values.js";
import { type GivenInteraction, type InteractionLimits, noLimits } from "./engine/interaction.js";
import { type ContentField, contentFields } from "./engine/interaction-content.js";
import type { PersonState } from "./engine/person-state.js";
import { runInSlices } from "./engine/serial-lock.js";
import { type ParsedExport, parseExportSteps, parseInteractionLinesSteps } from "./engine/transfer/export-parsing.js";
import { eachInputSteps, isIterable, readLines, withPlace } from "./engine/transfer/import-lines.js";
import { restoreExport } from "./engine/transfer/transfer.js";
import { InputError } from "./errors.js";
import { isSameEmbedder } from "./ports/embedder.js";
import { type Interaction, continuesTurns } from "./ports/store.js";
import { checkSignal, itemsUntilAborted, untilAborted } from "./signals.js";

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

export interface ProgressOptions {
  readonly onProgress?: (doneCount: number, totalCount: number) => void;
  /** Ends it early; what was done by then stays. */
  readonly signal?: AbortSignal;
}

export interface CommitManyOptions {
  /** The total is null while the source is still being read. */
  readonly onProgress?: (doneCount: number, totalCount: number | null) => void;
  /** Ends it early; what was accepted by then stays. */
  readonly signal?: AbortSignal;
}

export interface CommitManyResult {
  /** Of all interactions, in order. */
  readonly ids: readonly string[];
  readonly acceptedCount: number;
  /** How many ids already existed. */
  readonly knownCount: number;
}

interface CommitAllOptions {
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal | undefined;
  /** How an error names an input. */
  readonly nameOf?: (position: number) => string;
  /** Adds what an input cannot say. */
  readonly complete?: (given: GivenInteraction) => Check;
  /** What is compared with one that is known by the same id; what was given, if omitted. */
  readonly compared?: readonly ContentField[];
}

const nothingDifferent = { differentCount: 0, differentIds: [] };
const differentIdsMax = 100;

type OnProgress = NonNullable<ProgressOptions["onProgress"]>;

const progressOptionNames = ["onProgress", "signal"] as const satisfies (keyof ProgressOptions)[];

export class CommittingMany {
  readonly #state: PersonState;
  readonly #queue: CommitmentQueue;
  readonly #committing: Committing;

  constructor(state: PersonState, queue: CommitmentQueue, committing: Committing) {
    this.#state = state;
    this.#queue = queue;
    this.#committing = committing;
  }

  /** A list is checked as a whole before the first is stored; what comes one by one is checked one by one. */
  async commitMany(
    inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
    options: CommitManyOptions,
  ): Promise<CommitManyResult> {
    const { onProgress = () => {}, signal } = readProgress(options, "commitMany's options") as CommitManyOptions;
    const list = isList(inputs) ? await this.#checkList(inputs as readonly CommitInput[], signal) : null;
    const source = list ?? this.#readEach(inputs, signal);
    const ids: string[] = [];
    let acceptedCount = 0;
    for await (const given of source) {
      signal?.throwIfAborted();
      const { parameters } = this.#state.context;
      const accepted = await this.#committing.commitRead(given, parameters).catch((error: unknown) => {
        throw withPlace(error, `item ${ids.length + 1}`);
      });
      ids.push(accepted.id);
      if (accepted.isNew) acceptedCount++;
      onProgress(ids.length, list?.length ?? null);
    }
    return { ids, acceptedCount, knownCount: ids.length - acceptedCount };
  }

  /** Imports an export, or a file of interactions, one JSON object per line. */
  async import(
    lines: Iterable<string> | AsyncIterable<string>,
    { onProgress = () => {}, signal }: ProgressOptions,
  ): Promise<ImportResult> {
    const { store, embedding, parameters, clock } = this.#state.context;
    const all = await readLines(lines, signal);
    // A clock that does not work is no fault of the first line.
    clock.nowMs();
    const parsed = await untilAborted(runInSlices(parseExportSteps(all, parameters)), signal);
    const isEmpty = (await untilAborted(store.history(this.#state.person), signal)).length === 0;
    if (parsed !== null && isEmpty && isSameEmbedder(parsed.embedder, embedding.identity)) {
      await restoreExport(this.#state, parsed);
      onProgress(parsed.entries.length, parsed.entries.length);
      this.#queue.start();
      return { mode: "restored", acceptedCount: parsed.entries.length, knownCount: 0, ...nothingDifferent };
    }
    if (parsed !== null) return this.#commitEntries(parsed, onProgress, signal);
    const nameOf = (position: number): string => `line ${all[position]!.number}`;
    const inputs = await untilAborted(runInSlices(parseInteractionLinesSteps(all, parameters)), signal);
    const given = await runInSlices(eachInputSteps(inputs, (input) => this.#committing.read(input, true), nameOf));
    return this.#commitAll(given, parameters, { onProgress, signal, nameOf });
  }

  /** Interactions of an export, as if they were submitted now; a conversation in progress continues here too. */
  async #commitEntries(
    { entries, nodes }: ParsedExport,
    onProgress: OnProgress,
    signal: AbortSignal | undefined,
  ): Promise<ImportResult> {
    const { person, context } = this.#state;
    const links = new Map(nodes.map(({ node }) => [node.id, node.updates]));
    const ended = entries
      .filter(({ outcome }) => outcome !== "open")
      .map(({ interaction }) => toInput(interaction, links.get(interaction.id) ?? []));
    const versions = new Map(entries.map(({ interaction }) => [interaction.id, interaction.versions]));
    const complete = ({ id }: GivenInteraction): Check => {
      return async (parsed) => ({ ...parsed, versions: versions.get(id!)! });
    };
    const options = { onProgress, signal, complete, compared: contentFields };
    const result = await this.#commitAll(ended, noLimits, options);
    let { acceptedCount } = result;
    const different: string[] = [];
    for (const { interaction } of entries.filter(({ outcome }) => outcome === "open")) {
      signal?.throwIfAborted();
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
    inputs: readonly GivenInteraction[],
    limits: InteractionLimits,
    { onProgress, signal, nameOf = (position) => `line ${position + 1}`, complete, compared }: CommitAllOptions,
  ): Promise<ImportResult> {
    // All or nothing: an error in line 500 is found before line 1 is stored.
    await runInSlices(eachInputSteps(inputs, (input) => this.#committing.parse(input, limits), nameOf));
    let acceptedCount = 0;
    const different: string[] = [];
    for (const [i, input] of inputs.entries()) {
      signal?.throwIfAborted();
      const { id, isNew, differing } = await this.#committing.accept(input, limits, complete?.(input), compared);
      if (isNew) acceptedCount++;
      if (differing.length > 0) different.push(id);
      onProgress(i + 1, inputs.length);
    }
    const differentIds = different.slice(0, differentIdsMax);
    const knownCount = inputs.length - acceptedCount;
    return { mode: "committed", acceptedCount, knownCount, differentCount: different.length, differentIds };
  }

  /** Every input of a list, and what it makes outdated, which an earlier one of the list may be. */
  async #checkList(inputs: readonly CommitInput[], signal: AbortSignal | undefined): Promise<GivenInteraction[]> {
    const nameOf = (position: number): string => `item ${position + 1}`;
    const items = readItems(inputs, "the list of interactions", "interaction_invalid", () => {});
    const steps = eachInputSteps(items as CommitInput[], (input) => this.#committing.read(input), nameOf);
    const given = await untilAborted(runInSlices(steps), signal);
    const { parameters } = this.#state.context;
    const parsing = eachInputSteps(given, (each) => this.#committing.parse(each, parameters), nameOf);
    const parsed = await untilAborted(runInSlices(parsing), signal);
    const times = new Map<string, number>();
    for (const [i, each] of parsed.entries()) {
      signal?.throwIfAborted();
      const check = this.#committing.checkUpdates(each, given[i]!, times).catch((error: unknown) => {
        throw withPlace(error, nameOf(i));
      });
      const { initMs } = await check;
      const { id } = given[i]!;
      if (id !== undefined) times.set(id, initMs);
    }
    return given;
  }

  async *#readEach(
    inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<GivenInteraction> {
    let count = 0;
    const read = (input: CommitInput): GivenInteraction => {
      count++;
      try {
        return this.#committing.read(input);
      } catch (error) {
        throw withPlace(error, `item ${count}`);
      }
    };
    if (isIterable(inputs, Symbol.asyncIterator)) {
      for await (const input of itemsUntilAborted(inputs, signal)) yield read(input as CommitInput);
    } else if (isIterable(inputs, Symbol.iterator)) {
      for (const input of inputs) yield read(input as CommitInput);
    } else {
      const message = `commitMany needs a list or a stream of interactions, not ${describeValue(inputs)}`;
      throw new InputError("interaction_invalid", message);
    }
  }
}

/** Options, or only the function that is told of the progress. */
export function readProgressOrOptions(given: ProgressOptions | OnProgress, what: string): ProgressOptions {
  return readProgress(typeof given === "function" ? { onProgress: given } : given, what);
}

/** From a caller who may have no types. */
function readProgress(options: ProgressOptions | CommitManyOptions, what: string): ProgressOptions {
  const { onProgress, signal } = readOptions(options, progressOptionNames, what);
  checkFunction(onProgress, "onProgress");
  checkSignal(signal);
  signal?.throwIfAborted();
  return {
    ...(onProgress === undefined ? {} : { onProgress: onProgress as OnProgress }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** `links`: what its memory had made outdated. */
function toInput(interaction: Interaction, links: readonly string[]): GivenInteraction {
  const { id, initMs, turns, summary, state, kept, updates, metadata, expiresMs } = interaction;
  const notes = { metadata, ...(expiresMs === null ? {} : { expiresAt: expiresMs }) };
  const texts = { ...(summary === null ? {} : { summary }), ...(state === null ? {} : { state }) };
  return { id, at: initMs, turns, ...texts, ...notes, keep: kept, updates: uniteIds(updates, links) };
}
