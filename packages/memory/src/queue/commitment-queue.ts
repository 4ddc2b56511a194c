/**
 * The durable queue: interactions that were accepted and not yet processed, in order of arrival. The store holds it;
 * this is the loop that empties it, one interaction at a time per person, and resumes after a crash or a failure. It
 * only schedules: commitment decides what becomes of an interaction.
 */
import { MnemosyneError } from "../errors.js";
import type { Interaction } from "../engine/records/person-data.js";
import { commitInteraction } from "../commit/commit.js";
import { updateCoreSummary } from "../core/central.js";
import { expireHistory } from "../upkeep/forgetting.js";
import { differingFields } from "../engine/interaction-content.js";
import type { PersonState } from "../engine/person-state.js";
import { pruneToLimits } from "../upkeep/pruning.js";
import type { Draft } from "../commit/draft.js";
import { QueueLease } from "./queue-lease.js";
import type { QueueTurns } from "./queue-turns.js";

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
/** The first and the longest wait before checking whether another process has emptied the queue. */
const firstLookMs = 20;
const lastLookMs = 2_000;
/** The first and the longest pause that lets another writer finish changing the memory. */
const firstPauseMs = 20;
const lastPauseMs = 500;
/** Applied after every interaction during which nobody else changed the memory. */
const pauseShrinking = 0.99;

export class CommitmentQueue {
  readonly #state: PersonState;
  readonly #lease: QueueLease;
  readonly #active: Set<CommitmentQueue>;
  readonly #turns: QueueTurns;
  #running: Promise<void> | undefined;
  #failure: unknown;
  #retryMs = firstRetryMs;
  #lookMs = firstLookMs;
  #retryTimer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isWanted = false;
  #isPatient = false;
  /** The draft of the interaction in progress when the memory was changed by another writer. */
  #outdated: Draft | undefined;
  #changesByOthers: number | undefined;
  #pauseMs = firstPauseMs;

  /** `active` holds every queue that is not idle, so that it can still be found when nothing else refers to it. */
  constructor(state: PersonState, active: Set<CommitmentQueue>, turns: QueueTurns) {
    this.#state = state;
    this.#active = active;
    this.#turns = turns;
    this.#lease = new QueueLease(state);
  }

  /** Whether nothing is being processed and no retry is scheduled. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#failure === undefined;
  }

  get person(): string {
    return this.#state.person;
  }

  /** Starts processing unless it is already running; if another process has the queue, waits for it. */
  start(): void {
    this.#isPatient = true;
    this.#begin();
  }

  /** Starts processing unless another process does; does not hurry a scheduled retry. */
  takeOver(): void {
    if (!this.isIdle) return;
    this.#isPatient = false;
    this.#begin();
  }

  #begin(): void {
    this.#isWanted = true;
    if (this.#running !== undefined || this.#isStopped) return;
    clearTimeout(this.#retryTimer);
    this.#active.add(this);
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      if (this.isIdle) this.#active.delete(this);
      // An interaction may have been accepted since the last look.
      if (this.#isWanted && this.#failure === undefined) this.start();
    });
  }

  /** Resolves when the queue is empty; rejects with the error that stopped the processing. */
  async settled(): Promise<void> {
    this.start();
    while (this.#running !== undefined) await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Stops after the interaction in progress; the rest of the queue stays in the store. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retryTimer);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      this.#failure = undefined;
      while (!this.#isStopped && !(await this.#tryTurn())) {
        if (!this.#isPatient) this.#isWanted = false;
        if (!this.#isPatient || (await this.#isEmptiedByAnother())) break;
      }
    } catch (error) {
      if (this.#isStopped) return;
      this.#failure = error;
      this.#retryLater(error);
    }
  }

  /** Processes the queue; false while another process holds it. */
  async #tryTurn(): Promise<boolean> {
    await this.#turns.take();
    try {
      if (this.#isStopped) return true;
      if (!(await this.#lease.take())) return false;
      this.#lookMs = firstLookMs;
      await this.#processAll();
      return true;
    } finally {
      await this.#lease.release();
      this.#turns.give();
    }
  }

  async #processAll(): Promise<void> {
    this.#changesByOthers = undefined;
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      while (!this.#isStopped && (await this.#processNext())) this.#retryMs = firstRetryMs;
      if (!this.#isStopped) await expireHistory(this.#state);
    }
    if (this.#isStopped) await this.#followUp();
  }

  /** Waits a moment for the other process that works on the queue. */
  async #isEmptiedByAnother(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, this.#lookMs));
    this.#lookMs = Math.min(this.#lookMs * 2, lastLookMs);
    // Anything accepted from here on needs another look.
    this.#isWanted = false;
    const [first] = await this.#state.context.records.queued(this.#state.person, 1);
    if (first !== undefined) this.#isWanted = true;
    return first === undefined;
  }

  /**
   * Processes the interaction at the head of the queue; false when there is none. If another writer changes the memory
   * in between (another process working on the queue, a request to forget), it starts over, so that each interaction
   * sees exactly what its predecessors left.
   */
  async #processNext(): Promise<boolean> {
    const { records } = this.#state.context;
    await this.#followUp();
    const { revision } = this.#state;
    const [interaction] = await records.queued(this.#state.person, 1);
    if (interaction === undefined) return false;
    const earlier = isDraftOf(interaction, this.#outdated) ? this.#outdated : undefined;
    this.#outdated = await commitInteraction(interaction, this.#state, { revision, earlier });
    await this.#giveWay();
    return true;
  }

  /**
   * Pauses after another writer has changed the memory: with a long history, a request to forget takes longer than an
   * interaction and would never get its turn.
   */
  async #giveWay(): Promise<void> {
    const { changesByOthers } = this.#state;
    const isAlone = (this.#changesByOthers ?? changesByOthers) === changesByOthers;
    this.#changesByOthers = changesByOthers;
    if (isAlone) this.#pauseMs = Math.max(this.#pauseMs * pauseShrinking, firstPauseMs);
    else {
      await new Promise((resolve) => setTimeout(resolve, this.#pauseMs));
      this.#pauseMs = Math.min(this.#pauseMs * 2, lastPauseMs);
    }
  }

  /**
   * What has to happen before the next interaction. A process that stops halfway leaves it to the next one, so all of
   * it is checked again whenever another writer has changed the memory.
   */
  async #followUp(): Promise<void> {
    await this.#state.refresh();
    for (let revision = 0; revision !== this.#state.revision;) {
      revision = this.#state.revision;
      await pruneToLimits(this.#state);
      await updateCoreSummary(this.#state, "when due");
    }
  }

  #retryLater(error: unknown): void {
    const { context, person } = this.#state;
    const code = error instanceof MnemosyneError ? error.code : "unexpected";
    const message = `commitment is paused (${code}); next try in ${this.#retryMs / 1000} s`;
    context.log({ level: "error", message, person, cause: error });
    context.events.emit({ name: "error", event: { person, error } });
    this.#retryTimer = setTimeout(() => this.start(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
  }
}

/** An interaction may have been edited while it was processed. */
function isDraftOf(interaction: Interaction, draft: Draft | undefined): boolean {
  if (draft?.read.interaction.id !== interaction.id) return false;
  return differingFields(draft.read.interaction, interaction).length === 0;
}
