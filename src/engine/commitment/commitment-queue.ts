/**
 * The durable queue: interactions that were accepted and not yet processed, in the order they came. The store holds it;
 * this is the loop that empties it, one interaction after the other per person, and starts again after a crash or a
 * failure. It only schedules: what becomes of an interaction is for commitment to decide.
 */
import { MnemosyneError } from "../../errors.js";
import { commitInteraction } from "./commitment.js";
import { updateCoreSummary } from "../core-summary/core-summary.js";
import { expireHistory } from "../forgetting.js";
import type { PersonState } from "../person-state.js";
import { pruneToLimits } from "../pruning.js";
import type { MemoryDraft } from "./memory-draft.js";
import { QueueLease } from "./queue-lease.js";
import type { QueueTurns } from "./queue-turns.js";

const firstRetryMs = 1_000;
const lastRetryMs = 60_000;
/** How often to look whether another process is done with the queue, at first and at most. */
const firstLookMs = 20;
const lastLookMs = 2_000;
/** How long to leave somebody who changes the memory in between alone with it, at first and at most. */
const firstPauseMs = 20;
const lastPauseMs = 500;
/** With every interaction that nobody came in between. */
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
  /** Of the interaction that was under way when somebody else changed the memory. */
  #outdated: MemoryDraft | undefined;
  #changesByOthers: number | undefined;
  #pauseMs = firstPauseMs;

  /** `active`: where a queue is to be found while it is not idle, whoever else still knows it. */
  constructor(state: PersonState, active: Set<CommitmentQueue>, turns: QueueTurns) {
    this.#state = state;
    this.#active = active;
    this.#turns = turns;
    this.#lease = new QueueLease(state);
  }

  /** True when nothing is being processed and nothing will be tried again by itself. */
  get isIdle(): boolean {
    return this.#running === undefined && this.#failure === undefined;
  }

  get person(): string {
    return this.#state.person;
  }

  /** Begins to process what waits, unless that is under way; waits for another process that does it. */
  start(): void {
    this.#isPatient = true;
    this.#begin();
  }

  /** Begins to process what waits, unless another process does it; what failed is tried again in its own time. */
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
      // Something may have been accepted between the last look and now.
      if (this.#isWanted && this.#failure === undefined) this.start();
    });
  }

  /** Resolves when nothing waits any more; rejects with what stopped the processing. */
  async settled(): Promise<void> {
    this.start();
    while (this.#running !== undefined) await this.#running;
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Ends after the interaction under way; what waits stays in the store. */
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

  /** Processes what waits; false while that is for another process to do. */
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

  /** Waits a moment for another process that works on the queue. */
  async #isEmptiedByAnother(): Promise<boolean> {
    await new Promise((resolve) => setTimeout(resolve, this.#lookMs));
    this.#lookMs = Math.min(this.#lookMs * 2, lastLookMs);
    // Whatever is accepted from here on wants another look.
    this.#isWanted = false;
    const [first] = await this.#state.context.store.queued(this.#state.person, 1);
    if (first !== undefined) this.#isWanted = true;
    return first === undefined;
  }

  /**
   * Processes the interaction at the head of the queue; false when there is none. When somebody else changes the memory
   * meanwhile (another process that works on the queue, a request to forget) it begins anew, so that each interaction is
   * processed on all that its forerunners made, and on nothing else.
   */
  async #processNext(): Promise<boolean> {
    const { store } = this.#state.context;
    await this.#followUp();
    const { revision } = this.#state;
    const [interaction] = await store.queued(this.#state.person, 1);
    if (interaction === undefined) return false;
    const isSame = this.#outdated?.interaction.id === interaction.id;
    const earlier = isSame ? this.#outdated : undefined;
    this.#outdated = await commitInteraction(interaction, this.#state, { revision, earlier });
    await this.#giveWay();
    return true;
  }

  /**
   * Pauses after somebody else has changed the memory: a request to forget takes longer than an interaction where the
   * history is long, and would never get its turn.
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
   * What is to be done before the next interaction. A process that ended in between leaves it to the next, so all of it is
   * looked at again when somebody else has changed the memory meanwhile.
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
    const message = `commitments wait (${code}); next try in ${this.#retryMs / 1000} s`;
    context.log({ level: "error", message, person, cause: error });
    this.#retryTimer = setTimeout(() => this.start(), this.#retryMs).unref();
    this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
  }
}
