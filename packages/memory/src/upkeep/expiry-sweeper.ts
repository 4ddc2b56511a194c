/**
 * Expiry: an interaction that was given a time to be forgotten at (`expiresAt`) is forgotten soon after it, with everything
 * made from it. One timer per process looks when the next one is due. Other processes on the store do the same; whoever
 * comes second finds nothing left to do.
 */
import type { Clock } from "../ports/clock.js";
import type { Records } from "../engine/records/records.js";
import type { LogEvent } from "../engine/engine-context.js";
import type { Expiries, ForgottenCounts } from "../engine/parts.js";

/** A process that has ended may have left something that expires sooner, and a device may have slept; a timer knows neither. */
const lookMsMax = 10 * 60_000;
/** A timer may be early, and a clock may stand still. */
const lookMsMin = 50;
/** The first wait after a look that did not help, such as at a store that cannot be written; it doubles every time. */
const firstWaitMs = 1_000;
/** Persons that are looked up at a time. */
const personsPerLook = 1_000;

type Forget = (person: string) => Promise<ForgottenCounts>;

export class ExpirySweeper implements Expiries {
  readonly #records: Records;
  readonly #clock: Clock;
  readonly #log: (event: LogEvent) => void;
  #forget: Forget | null = null;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  /** When the next look is due. */
  #nextMs = Infinity;
  #waitMs = 0;

  constructor({ records, clock, log }: { records: Records; clock: Clock; log: (event: LogEvent) => void }) {
    this.#records = records;
    this.#clock = clock;
    this.#log = log;
  }

  /** Looks at once, and from now on whenever something is due. `forget` removes what of a person has expired. */
  start(forget: Forget): void {
    this.#forget = forget;
    this.#look();
  }

  /** Something that expires was stored. */
  expect(expiresMs: number | null): void {
    if (expiresMs === null || expiresMs >= this.#nextMs) return;
    this.#nextMs = expiresMs;
    this.#setTimer();
  }

  /** Ends after a look in progress. */
  async stop(): Promise<void> {
    this.#forget = null;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #look(): void {
    this.#running ??= this.#sweep().finally(() => {
      this.#running = undefined;
      this.#setTimer();
    });
  }

  #setTimer(): void {
    if (this.#forget === null || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    const leftMs = Math.max(this.#nextMs - this.#clock.nowMs(), this.#waitMs, lookMsMin);
    this.#timer = setTimeout(() => this.#look(), Math.min(leftMs, lookMsMax)).unref();
  }

  /** Forgets what has expired, and finds out when the next is due. */
  async #sweep(): Promise<void> {
    // What is stored from here on may be too late for this look.
    this.#nextMs = Infinity;
    try {
      const isAllGone = await this.#forgetAll();
      const nextMs = (await this.#records.nextExpiryMs()) ?? Infinity;
      this.#nextMs = Math.min(this.#nextMs, nextMs);
      if (isAllGone && nextMs > this.#clock.nowMs()) this.#waitMs = 0;
      else this.#waitLonger();
    } catch (cause) {
      this.#waitLonger();
      this.#nextMs = -Infinity;
      if (this.#forget !== null) this.#warn("what has expired could not be looked up; it is tried again", cause);
    }
  }

  #waitLonger(): void {
    this.#waitMs = Math.min(Math.max(this.#waitMs * 2, firstWaitMs), lookMsMax);
  }

  /** False if something stays that should not. */
  async #forgetAll(): Promise<boolean> {
    let isAllGone = true;
    for (;;) {
      const persons = await this.#records.personsWithExpired(this.#clock.nowMs(), personsPerLook);
      let forgottenCount = 0;
      for (const person of persons) {
        if (this.#forget === null) return true;
        const count = await this.#forgetOf(person, this.#forget);
        if (count === 0) isAllGone = false;
        forgottenCount += count;
      }
      if (forgottenCount === 0 || persons.length < personsPerLook) return isAllGone;
    }
  }

  /** Returns how many are gone. One person's trouble is not everybody's. */
  async #forgetOf(person: string, forget: Forget): Promise<number> {
    try {
      const { forgotten, removed } = await forget(person);
      const counts = `${removed.interactions} of the history, ${removed.memories} memories`;
      const message = `forgotten because they expired (${counts}): ${forgotten.join(", ")}`;
      if (forgotten.length > 0) this.#log({ level: "info", message, person });
      return forgotten.length;
    } catch (cause) {
      this.#warn("what has expired could not be forgotten; it is tried again", cause, person);
      return 0;
    }
  }

  #warn(message: string, cause: unknown, person?: string): void {
    this.#log({ level: "warn", message, cause, ...(person === undefined ? {} : { person }) });
  }
}
