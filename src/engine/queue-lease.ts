/**
 * The right to process one person's queue where many processes share a store. It is prolonged while the work goes on and
 * ends by itself when the process dies, so that another one takes over what was accepted.
 */
import type { PersonState } from "./person-state.js";

export const leaseMs = 30_000;
const prolongMs = leaseMs / 3;

export class QueueLease {
  readonly #state: PersonState;
  #timer: NodeJS.Timeout | undefined;

  constructor(state: PersonState) {
    this.#state = state;
  }

  /** True when the queue is ours to process. */
  async take(): Promise<boolean> {
    const { store } = this.#state.context;
    if (store.claimQueue === undefined) return true;
    if (!(await this.#claim())) return false;
    // A claim that is lost costs double work, nothing else.
    this.#timer ??= setInterval(() => void this.#claim().catch(() => false), prolongMs).unref();
    return true;
  }

  async release(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    const { store, owner } = this.#state.context;
    // It ends by itself where the store cannot be told.
    await store.releaseQueue?.(this.#state.person, owner).catch(() => {});
  }

  async #claim(): Promise<boolean> {
    const { store, owner } = this.#state.context;
    return (await store.claimQueue?.(this.#state.person, owner, leaseMs)) ?? true;
  }
}
