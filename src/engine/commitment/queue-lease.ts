/**
 * The right to process one person's queue where many processes share a store. It is prolonged while the work goes on and
 * ends by itself when the process dies, so that another one takes over what was accepted.
 */
import { randomUUID } from "node:crypto";
import type { EngineContext } from "../engine-context.js";
import type { PersonState } from "../person-state.js";

/** A lease is prolonged this often before it would end. */
const prolongCount = 3;

export function leaseMsOf({ parameters }: Pick<EngineContext, "parameters">): number {
  return Math.round(parameters.queueLeaseSeconds * 1_000);
}

export class QueueLease {
  readonly #state: PersonState;
  /** One process may have several queues of a person, so each is an owner of its own. */
  readonly #owner = randomUUID();
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
    const prolongMs = this.#leaseMs / prolongCount;
    this.#timer ??= setInterval(() => void this.#claim().catch(() => false), prolongMs).unref();
    return true;
  }

  async release(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    const { store } = this.#state.context;
    // It ends by itself where the store cannot be told.
    await store.releaseQueue?.(this.#state.person, this.#owner).catch(() => {});
  }

  get #leaseMs(): number {
    return leaseMsOf(this.#state.context);
  }

  async #claim(): Promise<boolean> {
    const { store } = this.#state.context;
    return (await store.claimQueue?.(this.#state.person, this.#owner, this.#leaseMs)) ?? true;
  }
}
