/**
 * Submitting many interactions: a list of them, a stream, or a file. A list and a file are checked as a whole before the
 * first is stored.
 */
import { nameOf as nameOfPlace } from "./graph/statement.js";
import { checkUpdates, commitGiven, fieldsGiven, parseGiven, submit } from "./committing.js";
import { uniteIds } from "./graph/memory-node.js";
import { type CommitInput, readInteraction } from "./engine/commit-input.js";
import type { CommitmentQueue } from "./queue/commitment-queue.js";
import { checkFunction, describeValue, isList, readOptions } from "./engine/given-values.js";
import { type GivenInteraction, type InteractionLimits, noLimits } from "./engine/interaction.js";
import { contentFields } from "./engine/interaction-content.js";
import type { PersonState } from "./engine/person-state.js";
import { runInSlices } from "./engine/serial-lock.js";
import { type ParsedExport, parseExportSteps } from "./upkeep/transfer/export-parsing.js";
import {
  eachInputSteps,
  isIterable,
  parseInteractionLinesSteps,
  readLines,
  withPlace,
} from "./upkeep/transfer/import-lines.js";
import { restoreExport } from "./upkeep/transfer/transfer.js";
import { InputError } from "./errors.js";
import { isSameEmbedder } from "./ports/embedder.js";
import { type Interaction, type InteractionVersion, continuesTurns } from "./engine/records/person-data.js";
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

const nothingDifferent = { differentCount: 0, differentIds: [] };
const differentIdsMax = 100;

/** A list is checked as a whole before the first is stored; what comes one by one is checked one by one. */
export async function commitMany(
  inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
  options: CommitManyOptions,
  state: PersonState,
  queue: CommitmentQueue,
): Promise<CommitManyResult> {
  const { onProgress = () => {}, signal } = readProgress<CommitManyOptions>(options, "commitMany's options");
  const list = isList(inputs) ? await checkList(inputs as readonly CommitInput[], state, signal) : null;
  const ids: string[] = [];
  let acceptedCount = 0;
  for await (const given of list ?? readEach(inputs, state, signal)) {
    signal?.throwIfAborted();
    const accepted = await commitGiven(given, state).catch((error: unknown) => {
      throw withPlace(error, `item ${ids.length + 1}`);
    });
    queue.start();
    ids.push(accepted.id);
    if (accepted.isNew) acceptedCount++;
    onProgress(ids.length, list?.length ?? null);
  }
  return { ids, acceptedCount, knownCount: ids.length - acceptedCount };
}

/** Every input of a list, and what it makes outdated, which an earlier one of the list may be. */
async function checkList(
  inputs: readonly CommitInput[],
  state: PersonState,
  signal: AbortSignal | undefined,
): Promise<GivenInteraction[]> {
  const nameOf = (position: number): string => `item ${position + 1}`;
  const steps = eachInputSteps(Array.from(inputs), (input) => readInteraction(input, state.context), nameOf);
  const given = await untilAborted(runInSlices(steps), signal);
  const parsing = eachInputSteps(given, (each) => parseGiven(each, state), nameOf);
  const parsed = await untilAborted(runInSlices(parsing), signal);
  const times = new Map<string, number>();
  for (const [i, each] of parsed.entries()) {
    signal?.throwIfAborted();
    const { initMs } = await checkUpdates(each, given[i]!, state, times).catch((error: unknown) => {
      throw withPlace(error, nameOf(i));
    });
    const { id } = given[i]!;
    if (id !== undefined) times.set(id, initMs);
  }
  return given;
}

async function* readEach(
  inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
  state: PersonState,
  signal: AbortSignal | undefined,
): AsyncGenerator<GivenInteraction> {
  let count = 0;
  const read = (input: CommitInput): GivenInteraction => {
    count++;
    try {
      return readInteraction(input, state.context);
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

/** Imports an export, or a file of interactions, one JSON object per line. */
export async function importLines(
  lines: Iterable<string> | AsyncIterable<string>,
  options: ProgressOptions,
  state: PersonState,
  queue: CommitmentQueue,
): Promise<ImportResult> {
  const { onProgress = () => {}, signal } = readProgress<ProgressOptions>(options, "import's options");
  const { records, embedding, parameters } = state.context;
  const all = await readLines(lines, signal);
  const parsed = await untilAborted(runInSlices(parseExportSteps(all, parameters, records.codec)), signal);
  const isEmpty = (await untilAborted(records.history(state.person), signal)).length === 0;
  if (parsed !== null && isEmpty && isSameEmbedder(parsed.embedder, embedding.identity)) {
    await restoreExport(state, parsed);
    onProgress(parsed.entries.length, parsed.entries.length);
    queue.start();
    return { mode: "restored", acceptedCount: parsed.entries.length, knownCount: 0, ...nothingDifferent };
  }
  const work = { state, queue, onProgress, signal };
  if (parsed !== null) return commitExport(parsed, work);
  const nameOf = (position: number): string => `line ${all[position]!.number}`;
  const inputs = await untilAborted(runInSlices(parseInteractionLinesSteps(all, parameters)), signal);
  const reading = eachInputSteps(inputs, (input) => readInteraction(input, state.context, true), nameOf);
  return commitAll(await runInSlices(reading), parameters, nameOf, work);
}

interface ImportWork extends Required<Pick<ProgressOptions, "onProgress">> {
  readonly state: PersonState;
  readonly queue: CommitmentQueue;
  readonly signal: AbortSignal | undefined;
}

/** Interactions of an export, as if they were submitted now; a conversation in progress continues here too. */
async function commitExport({ entries, nodes, lineNumbers }: ParsedExport, work: ImportWork): Promise<ImportResult> {
  const { state, signal } = work;
  const { records, expiries } = state.context;
  const links = new Map(nodes.map(({ node }) => [node.id, node.ends.map(nameOfPlace)]));
  const ended = entries
    .filter(({ outcome }) => outcome !== "open")
    .map(({ interaction }) => toInput(interaction, links.get(interaction.id) ?? []));
  const versions = new Map(entries.map(({ interaction }) => [interaction.id, interaction.versions]));
  const nameOf = (position: number): string => `line ${lineNumbers.get(ended[position]!.id!)}`;
  const result = await commitAll(ended, noLimits, nameOf, work, versions);
  let { acceptedCount } = result;
  const different: string[] = [];
  for (const { interaction } of entries.filter(({ outcome }) => outcome === "open")) {
    signal?.throwIfAborted();
    const { id } = interaction;
    const known = await state.findEntry(id);
    if (known === undefined) acceptedCount++;
    const isTaken = await records.accept(state.person, interaction, "open");
    if (isTaken) expiries.expect(interaction.expiresMs);
    // Where it has gone on, it says all of this and more.
    const isOther = known !== undefined && !continuesTurns(interaction.turns, known.interaction.turns);
    if (!isTaken && isOther) different.push(id);
  }
  const differentIds = [...result.differentIds, ...different].slice(0, differentIdsMax);
  const differentCount = result.differentCount + different.length;
  return { ...result, acceptedCount, knownCount: entries.length - acceptedCount, differentCount, differentIds };
}

/** `versions`: of interactions of an export, all of whose content has to be the same as what is known. */
async function commitAll(
  inputs: readonly GivenInteraction[],
  limits: InteractionLimits,
  nameOf: (position: number) => string,
  { state, queue, onProgress, signal }: ImportWork,
  versions: ReadonlyMap<string, readonly InteractionVersion[]> | null = null,
): Promise<ImportResult> {
  // All or nothing: an error in line 500 is found before line 1 is stored.
  await runInSlices(eachInputSteps(inputs, (input) => parseGiven(input, state, limits), nameOf));
  let acceptedCount = 0;
  const different: string[] = [];
  for (const [i, input] of inputs.entries()) {
    signal?.throwIfAborted();
    const parsed = { ...parseGiven(input, state, limits), versions: versions?.get(input.id!) ?? [] };
    const compared = versions === null ? fieldsGiven(input) : contentFields;
    const { id, isNew, differing } = await submit(parsed, input.id, compared, state);
    queue.start();
    if (isNew) acceptedCount++;
    if (differing.length > 0) different.push(id);
    onProgress(i + 1, inputs.length);
  }
  const differentIds = different.slice(0, differentIdsMax);
  const knownCount = inputs.length - acceptedCount;
  return { mode: "committed", acceptedCount, knownCount, differentCount: different.length, differentIds };
}

/** Options of what takes long, from a caller who may have no types. */
export function readProgress<Options extends CommitManyOptions | ProgressOptions>(
  given: Options,
  what: string,
): Options {
  const { onProgress, signal } = readOptions(given, ["onProgress", "signal"], what);
  checkFunction(onProgress, "onProgress");
  checkSignal(signal);
  signal?.throwIfAborted();
  return { onProgress, signal } as Options;
}

/** `links`: what its memory had made outdated. */
function toInput(interaction: Interaction, links: readonly string[]): GivenInteraction {
  const { id, initMs, turns, summary, state, kept, updates, metadata, expiresMs } = interaction;
  const notes = { metadata, ...(expiresMs === null ? {} : { expiresAt: expiresMs }) };
  const texts = { ...(summary === null ? {} : { summary }), ...(state === null ? {} : { state }) };
  return { id, at: initMs, turns, ...texts, ...notes, keep: kept, updates: uniteIds(updates, links) };
}
