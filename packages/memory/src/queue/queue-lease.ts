/**
 * The right to process one person's queue where several processes share a store. It is renewed while the work goes on
 * and expires when the process dies, so that another process can take over.
 */
import { randomUUID } from "node:crypto";
import type { EngineContext } from "../engine/engine-context.js";
import type { PersonState } from "../engine/person-state.js";

/** How many times a lease is renewed within its duration. */
const prolongCount = 3;

export function leaseMsOf({ parameters }: Pick<EngineContext, "parameters">): number {
  return Math.round(parameters.queueLeaseSeconds * 1_000);
}

export class QueueLease {
  readonly #state: PersonState;
  /** A process may have several queues for a person, so each is a separate owner. */
  readonly #owner = randomUUID();
  #timer: NodeJS.Timeout | undefined;

  constructor(state: PersonState) {
    this.#state = state;
  }

  /** Whether this queue holds the lease. */
  async take(): Promise<boolean> {
    if (!(await this.#claim())) return false;
    // Losing a lease costs duplicate work, nothing else.
    const prolongMs = this.#leaseMs / prolongCount;
    this.#timer ??= setInterval(() => void this.#claim().catch(() => false), prolongMs).unref();
    return true;
  }

  async release(): Promise<void> {
    if (this.#timer === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    // If the store cannot be reached, the lease expires.
    await this.#lease(0).catch(() => {});
  }

  get #leaseMs(): number {
    return leaseMsOf(this.#state.context);
  }

  #claim(): Promise<boolean> {
    return this.#lease(this.#leaseMs);
  }

  #lease(ms: number): Promise<boolean> {
    return this.#state.context.records.lease(this.#state.person, this.#owner, ms);
  }
}
