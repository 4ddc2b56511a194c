/** One person's memory, as the caller sees it. */
import { randomInt } from "node:crypto";
import {
  type CommitOptions,
  type CommitResult,
  type CorrectOptions,
  type UpdateOptions,
  type UpdateResult,
  commitGiven,
  unlinkMemories,
  waitForDecision,
} from "./committing.js";
import {
  type CommitManyOptions,
  type CommitManyResult,
  type ImportResult,
  type ProgressOptions,
  commitMany,
  importLines,
  readProgress,
} from "./committing-many.js";
import { compareIds } from "./graph/memory-node.js";
import { type CommitInput, readInteraction } from "./engine/commit-input.js";
import type { CommitmentQueue } from "./queue/commitment-queue.js";
import { Conversation } from "./conversation.js";
import { editInteraction } from "./commit/edit.js";
import { rebuildCoreSummary, updateCoreSummary } from "./core/central.js";
import { parseArea, pinStatement, placeOf, unpinStatement, withdrawStatement } from "./upkeep/marks.js";
import { forgetGiven } from "./forgetting-names.js";
import { type ForgettingReceipt, forgetPerson } from "./upkeep/forgetting.js";
import {
  type InteractionInput,
  type Time,
  makeId,
  parseCircumstances,
  parseId,
  parseQuery,
  parseSeed,
  parseTime,
} from "./engine/interaction.js";
import { type InteractionEdit, readEdit } from "./engine/interaction-edit.js";
import { checkFlag, checkWholeNumber, describeValue, isList, readOptions } from "./engine/given-values.js";
import { checkPerson } from "./upkeep/checking.js";
import { type ListenOptions, type MemoryEventName, type MemoryListener, listen } from "./engine/memory-events.js";
import { type MemorySelection, parseMemorySelection, selectionNames } from "./engine/memory-selection.js";
import type { PersonState } from "./engine/person-state.js";
import { type PruningLimits, type PruningReport, pruneToLimits } from "./upkeep/pruning.js";
import { type Recall, recallMemories } from "./recall/recall.js";
import { type RefiningReport, memoryOutcomes, refineMemories } from "./commit/refine.js";
import { restoreInteraction } from "./upkeep/restoring.js";
import { salvageMoment } from "./upkeep/transfer/salvage.js";
import { readMoment } from "./upkeep/transfer/person-moment.js";
import { exportMoment } from "./upkeep/transfer/transfer.js";
import { InputError, NotFoundError, isDamage } from "./errors.js";
import type { Listing } from "./listing.js";
import { type HistoryOptions, type ListOptions, listHistory, listMemories } from "./person-listings.js";
import {
  type ConversationOptions,
  type CoreSummaryOptions,
  type ExportOptions,
  type RecallOptions,
  readExportOptions,
  readRecallOptions,
  readSignal,
} from "./person-options.js";
import type { HistoryEntry } from "./engine/records/person-data.js";
import {
  type CoreSummaryView,
  type GraphView,
  type HistoryItem,
  type Memory,
  type MemoryDetail,
  type PersonStatistics,
  viewCoreSummary,
  viewMemoryDetail,
  viewStatistics,
} from "./person-views.js";
import { checkSignal, untilAborted } from "./signals.js";

const seedMax = 2 ** 32;

export class PersonMemory {
  readonly #state: PersonState;
  readonly #queue: CommitmentQueue;

  constructor(state: PersonState, queue: CommitmentQueue) {
    this.#state = state;
    this.#queue = queue;
  }

  get name(): string {
    return this.#state.person;
  }

  /**
   * Submits what the user says, messages, or an interaction. It is durably stored when the promise resolves, and becomes a
   * memory soon after; with `wait`, it has been processed by then, and the result says what became of it and why.
   */
  commit(input: CommitInput, options: CommitOptions & { wait: true }): Promise<CommitResult>;
  commit(input: CommitInput, options?: CommitOptions): Promise<{ id: string; isNew: boolean }>;
  async commit(input: CommitInput, options: CommitOptions = {}): Promise<{ id: string; isNew: boolean }> {
    const { wait, signal } = readOptions(options, ["wait", "signal"], "commit's options");
    checkFlag(wait, "wait");
    checkSignal(signal);
    signal?.throwIfAborted();
    const accepted = await commitGiven(readInteraction(input, this.#state.context), this.#state);
    this.#queue.start();
    if (wait !== true) return accepted;
    return { ...(await waitForDecision(accepted.id, this.#state, this.#queue, signal)), isNew: accepted.isNew };
  }

  /** Submits many. A list is checked as a whole before the first is stored; a stream is checked one by one. */
  commitMany(
    inputs: Iterable<CommitInput> | AsyncIterable<CommitInput>,
    options: CommitManyOptions = {},
  ): Promise<CommitManyResult> {
    return commitMany(inputs, options, this.#state, this.#queue);
  }

  /** Keeps what the person says now in place of an earlier interaction, or of a statement of it, which is ended. */
  async correct(id: string, text: string, options: CorrectOptions = {}): Promise<CommitResult> {
    const given = readOptions(options, ["id", "at", "state"], "correct's options");
    const turns = [{ who: "user", text }];
    return this.commit({ ...given, turns, keep: true, updates: parseId(id) } as InteractionInput, { wait: true });
  }

  /**
   * Changes an interaction in place. What is made from it is made again, and what it was becomes one of its versions.
   * Resolves when it has been processed, with what became of it.
   */
  async update(id: string, changes: InteractionEdit, options: UpdateOptions = {}): Promise<UpdateResult> {
    const edit = readEdit(changes);
    const { ifTag } = readOptions(options, ["ifTag"], "update's options");
    const isChanged = await editInteraction(
      this.#state,
      parseId(id),
      edit,
      ifTag === undefined ? null : readTags(ifTag),
    );
    if (isChanged && this.#state.coreSummary === null) await rebuildCoreSummary(this.#state);
    this.#queue.start();
    return { ...(await waitForDecision(id, this.#state, this.#queue)), isChanged };
  }

  /** Takes back that an interaction, or a statement, ended an earlier one: both hold. */
  async unlink(id: string, outdatedId: string): Promise<void> {
    await unlinkMemories(parseId(id), parseId(outdatedId), this.#state);
  }

  /** Calls `listener` whenever this process does that to this person's memory; the result ends it. */
  on<Name extends MemoryEventName>(
    event: Name,
    listener: MemoryListener<Name>,
    options: ListenOptions = {},
  ): () => void {
    return listen(this.#state.context.events, event, listener, this.name, options);
  }

  /** Waits until everything submitted so far is processed; rejects with the error that stopped the processing. */
  async settled(options: { signal?: AbortSignal } = {}): Promise<void> {
    const signal = readSignal(options, "settled's options");
    signal?.throwIfAborted();
    await untilAborted(this.#queue.settled(), signal);
  }

  /** A conversation in progress; the same id continues it, even after a crash. */
  async conversation(options: ConversationOptions = {}): Promise<Conversation> {
    const { clock, parameters, timeZone } = this.#state.context;
    const names = ["id", "at", "state", "metadata", "expiresAt"] as const;
    const { id: givenId, ...given } = readOptions(options, names, "conversation's options") as ConversationOptions;
    const circumstances = parseCircumstances(given, clock.nowMs(), parameters, timeZone);
    const interaction = { ...circumstances, turns: [], summary: null, kept: false, updates: [], versions: [] };
    const id = givenId === undefined ? `${makeId(interaction)}-${randomInt(seedMax).toString(36)}` : parseId(givenId);
    const known = await this.#state.findEntry(id);
    if (known !== undefined && known.outcome !== "open") {
      throw new InputError("conversation_ended", `conversation "${id}" has ended; start another one`);
    }
    return new Conversation(known?.interaction ?? { id, ...interaction }, this.#state, () => this.#queue.start());
  }

  /** The memories that answer a question, and a context text for a model. */
  async recall(query: string, options: RecallOptions = {}): Promise<Recall> {
    const { clock, parameters, timeZone } = this.#state.context;
    const { at, limit, minScore, signal, ...given } = readRecallOptions(options);
    const { seed = randomInt(seedMax), tokenBudget = parameters.contextTokenBudget } = given;
    const atMs = at === undefined ? clock.nowMs() : parseTime(at, "at", timeZone);
    const request = {
      query: parseQuery(query, parameters),
      atMs,
      seed: parseSeed(seed),
      tokenBudget,
      limit: limit ?? null,
      minScore: minScore ?? null,
      selection: parseMemorySelection(given, timeZone),
      signal,
    };
    signal?.throwIfAborted();
    const recall = await untilAborted(recallMemories(this.#state, request), signal);
    // Where several processes share a store, the one that should be working on the queue may have died.
    if (recall.trace.queuedCount > 0) this.#queue.takeOver();
    return recall;
  }

  /** What the assistant has learned about this person. `update` brings it up to date with all memories first. */
  async coreSummary(options: CoreSummaryOptions = {}): Promise<CoreSummaryView> {
    const { update, at } = readOptions(options, ["update", "at"], "coreSummary's options");
    checkFlag(update, "update");
    const atMs = at === undefined ? null : parseTime(at as Time, "at", this.#state.context.timeZone);
    await this.#state.refresh();
    if (update === true) {
      await this.#checkKnown();
      await updateCoreSummary(this.#state, "now");
    }
    return viewCoreSummary(this.#state, atMs);
  }

  /**
   * Fixes a fact in the core memory: it is never cut, though a correction still ends it. Takes the id of a statement or of a
   * memory, or a text, which is committed first. `area` is one of the profile's; if omitted, the one it belongs to. Returns the id.
   */
  async pin(idOrText: string, area?: string): Promise<string> {
    const { profile } = this.#state.context;
    const parsed = area === undefined ? null : parseArea(area, profile);
    if (typeof idOrText !== "string")
      throw new InputError("id_invalid", "pin needs the id of a memory, or a statement");
    await this.#state.refresh();
    const isKnown =
      placeOf(idOrText, this.#state) !== undefined || (await this.#state.findEntry(idOrText)) !== undefined;
    const isText = !isKnown && /\s/u.test(idOrText.trim());
    if (!isKnown && !isText) throw this.#unknownId(idOrText);
    const turns = [{ who: "user", text: idOrText }];
    const { id } = isText ? await this.commit({ turns, keep: true }, { wait: true }) : { id: idOrText };
    await pinStatement(this.#state, id, parsed);
    return id;
  }

  /** Lets a pinned memory be chosen or cut like any other. */
  async unpin(id: string): Promise<void> {
    parseId(id);
    await this.#checkKnown();
    await unpinStatement(this.#state, id);
  }

  /**
   * Takes a statement, or a memory, out of the core memory; with `"untrue"`, out of recall too, because it was never so.
   * `restore` takes it back.
   */
  async withdraw(id: string, reason: "removed" | "untrue" = "removed"): Promise<void> {
    parseId(id);
    if (reason !== "removed" && reason !== "untrue") {
      throw new InputError(
        "option_invalid",
        `the reason is ${describeValue(reason)}; it must be "removed" or "untrue"`,
      );
    }
    await this.#checkKnown();
    await withdrawStatement(this.#state, id, reason);
  }

  /**
   * Removes interactions and everything made from them, for good: by id, or all that pass a selection, whatever became of
   * them.
   */
  async forget(which: string | readonly string[] | MemorySelection): Promise<ForgettingReceipt> {
    return forgetGiven(which, this.#state, () => this.#checkKnown());
  }

  /** Removes everything about this person, for good. */
  async forgetAll(): Promise<ForgettingReceipt> {
    await this.#checkKnown().catch(passDamage);
    return forgetPerson(this.#state);
  }

  /**
   * Turns an interaction that was discarded, replaced or pruned into a memory again; lets a statement hold again that was
   * ended, taken out or held back; takes back a wish to forget.
   */
  async restore(id: string): Promise<void> {
    await restoreInteraction(this.#state, parseId(id));
    this.#queue.start();
  }

  /** Processes the memories that were committed without a language model again, with one. */
  async refine(options: ProgressOptions = {}): Promise<RefiningReport> {
    const { onProgress = () => {}, signal } = readProgress(options, "refine's options");
    await untilAborted(this.#checkKnown(), signal);
    const report = await untilAborted(refineMemories(this.#state, onProgress, signal), signal);
    if (report.refinedCount > 0) await updateCoreSummary(this.#state, "now");
    return report;
  }

  /** Prunes to the given limits, or to those of the parameters. */
  async prune(limits: PruningLimits = {}): Promise<PruningReport> {
    const { memoryCountMax, memoryBytesMax } = readOptions(
      limits,
      ["memoryCountMax", "memoryBytesMax"],
      "prune's limits",
    ) as PruningLimits;
    checkWholeNumber(memoryCountMax, "memoryCountMax");
    checkWholeNumber(memoryBytesMax, "memoryBytesMax");
    await this.#checkKnown();
    return pruneToLimits(this.#state, memoryCountMax, memoryBytesMax);
  }

  /**
   * The memories that pass and have not expired, oldest first; with `outdated: false`, those that no later one made
   * outdated.
   */
  list(options: ListOptions = {}): Listing<Memory> {
    return listMemories(options, this.#state, () => this.#checkKnown());
  }

  async get(id: string): Promise<MemoryDetail> {
    parseId(id);
    await this.#checkKnown();
    const node = this.#state.graph.node(id);
    const entry = await this.#state.findEntry(id);
    if (node === undefined || entry === undefined) throw this.#unknownId(id, entry);
    return viewMemoryDetail(node, entry, this.#state);
  }

  /** The memories of `list` and the edges between them, in a fixed order. */
  async graph(selection: MemorySelection = {}): Promise<GraphView> {
    const memories = await this.list(readOptions(selection, selectionNames, "graph's options") as MemorySelection);
    const ids = new Set(memories.map(({ id }) => id));
    const edges = [...this.#state.graph.edges()]
      .filter(({ a, b }) => ids.has(a) && ids.has(b))
      .sort((x, y) => compareIds(x.a, y.a) || compareIds(x.b, y.b));
    return { memories, edges };
  }

  /** The submitted interactions that pass with their outcomes, in order of arrival or the newest first. */
  history(selection: HistoryOptions = {}): Listing<HistoryItem> {
    // Where the graph is damaged, only the links are unknown.
    return listHistory(selection, this.#state, () => this.#checkKnown().then(() => true, passDamage));
  }

  async statistics(): Promise<PersonStatistics> {
    await this.#checkKnown();
    const { records } = this.#state.context;
    const [outcomes, traces] = await Promise.all([
      records.outcomeCounts(this.name),
      records.traces(this.name, memoryOutcomes),
    ]);
    await this.#state.readAll();
    return viewStatistics(outcomes, traces, this.#state);
  }

  /** What the store has lost, and the invariants the graph breaks; empty when all is sound. */
  check(): Promise<string[]> {
    return checkPerson(this.#state);
  }

  /**
   * Everything about this person as JSON Lines, or the part that passes; with `skipDamaged`, everything that is whole in a
   * damaged store. With `sealed`, only a memory with the same key can import it.
   */
  async *export(options: ExportOptions = {}): AsyncGenerator<string> {
    const { skipDamaged = false, sealed = false, ...given } = readExportOptions(options);
    const { records, timeZone } = this.#state.context;
    const selection = parseMemorySelection(given, timeZone);
    const sealing = sealed ? records.sealing() : null;
    if (!skipDamaged) await this.#checkKnown();
    const moment = await (skipDamaged ? salvageMoment(this.name, records) : readMoment(this.name, records));
    if (moment.entries.length === 0) throw this.#unknown();
    yield* exportMoment(moment, selection, sealing, this.#state);
  }

  /** Imports an export, or a file of interactions, one JSON object per line. */
  import(lines: Iterable<string> | AsyncIterable<string>, options: ProgressOptions = {}): Promise<ImportResult> {
    return importLines(lines, options, this.#state, this.#queue);
  }

  async #checkKnown(): Promise<void> {
    await this.#state.refresh();
    if (this.#state.revision === 0) throw this.#unknown();
  }

  #unknown(): NotFoundError {
    return new NotFoundError("unknown_person", `there is no person called "${this.name}"`);
  }

  #unknownId(id: string, entry?: HistoryEntry): NotFoundError {
    const reason = entry === undefined ? "has no interaction" : `has no memory (it is ${entry.outcome}):`;
    return new NotFoundError("unknown_id", `"${this.name}" ${reason} "${id}"`);
  }
}

function readTags(given: unknown): readonly string[] {
  const tags = isList(given) ? given : [given];
  if (tags.every((tag) => typeof tag === "string")) return tags;
  throw new InputError("option_invalid", "ifTag must be the tag of a memory, or a list of tags");
}

function passDamage(error: unknown): false {
  if (!isDamage(error)) throw error;
  return false;
}
