/**
 * Expiry: an interaction that was given a time to be forgotten at (`expiresAt`) is forgotten soon after it, with everything
 * made from it. One timer per process looks when the next one is due. Other processes on the store do the same; whoever
 * comes second finds nothing left to do.
 */
import type { Clock } from "../ports/clock.js";
import type { Store } from "../ports/store.js";
import type { LogEvent } from "./engine-context.js";
import type { ForgettingReceipt } from "./forgetting.js";

/** A process that has ended may have left something that expires sooner, and a device may have slept; a timer knows neither. */
const lookMsMax = 10 * 60_000;
/** The first and the longest wait after a look that was early: the clock may stand still or lag behind the timer. */
const firstWaitMs = 20;
const lastWaitMs = 1_000;
/** After a failure, such as a store that cannot be reached. */
const failureWaitMs = 60_000;
/** Interactions that are looked up at a time. */
const expiredCountMax = 1_000;

export class ExpirySweeper {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: (event: LogEvent) => void;
  #forget: ((person: string) => Promise<ForgettingReceipt>) | null = null;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** When the next look is due; Infinity before the first. */
  #nextMs = Infinity;
  #waitMs = 0;

  constructor({ store, clock, log }: { store: Store; clock: Clock; log: (event: LogEvent) => void }) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  /** Looks at once, and from now on whenever something is due. `forget` removes what of a person has expired. */
  start(forget: (person: string) => Promise<ForgettingReceipt>): void {
    this.#forget = forget;
    this.#look();
  }

  /** Something that expires was stored. */
  expect(expiresMs: number | null): void {
    if (expiresMs === null || expiresMs >= this.#nextMs) return;
    this.#waitMs = 0;
    this.#lookAt(expiresMs);
  }

  /** Ends after a look in progress. */
  async stop(): Promise<void> {
    this.#forget = null;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #look(): void {
    // It is followed by another one, which sees what is stored meanwhile.
    this.#running ??= this.#sweep()
      .then((nextMs) => nextMs ?? this.#clock.nowMs() + lookMsMax)
      .catch((cause: unknown) => {
        if (this.#forget !== null) {
          this.#log({ level: "warn", message: "what has expired could not be forgotten; it is tried again", cause });
        }
        this.#waitMs = failureWaitMs;
        return -Infinity;
      })
      .then((nextMs) => {
        this.#running = undefined;
        this.#lookAt(nextMs);
      });
  }

  #lookAt(nextMs: number): void {
    if (this.#forget === null) return;
    this.#nextMs = nextMs;
    clearTimeout(this.#timer);
    const delayMs = Math.min(Math.max(nextMs - this.#clock.nowMs(), this.#waitMs), lookMsMax);
    this.#timer = setTimeout(() => this.#look(), delayMs).unref();
  }

  /** Forgets what has expired and returns when the next is due; null if none is. */
  async #sweep(): Promise<number | null> {
    let isEarly = true;
    for (;;) {
      const expired = await this.#store.expired(this.#clock.nowMs(), expiredCountMax);
      let forgottenCount = 0;
      for (const person of new Set(expired.map((each) => each.person))) {
        if (this.#forget === null) return null;
        forgottenCount += await this.#forgetOf(person, this.#forget);
      }
      if (forgottenCount > 0) isEarly = false;
      if (forgottenCount === 0 || expired.length < expiredCountMax) break;
    }
    this.#waitMs = isEarly ? Math.min(Math.max(this.#waitMs * 2, firstWaitMs), lastWaitMs) : 0;
    return this.#store.nextExpiryMs();
  }

  async #forgetOf(person: string, forget: (person: string) => Promise<ForgettingReceipt>): Promise<number> {
    const { forgotten, removed } = await forget(person);
    const { interactions, memories } = removed;
    if (forgotten.length === 0) return 0;
    const counts = `${interactions} ${interactions === 1 ? "interaction" : "interactions"}, ${memories} of them memories`;
    this.#log({ level: "info", message: `forgotten because expired: ${counts}: ${forgotten.join(", ")}`, person });
    return forgotten.length;
  }
}
