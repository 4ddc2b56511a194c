/** One piece of work after the other, in the order they came; one whose signal is aborted while it waits is not begun. */
import { untilAborted } from "../../signals.js";

export class Turns {
  #last: Promise<void> = Promise.resolve();

  async take<Result>(signal: AbortSignal | undefined, work: () => Promise<Result>): Promise<Result> {
    const before = this.#last;
    let end = (): void => {};
    this.#last = new Promise((resolve) => (end = resolve));
    try {
      await untilAborted(before, signal);
      return await work();
    } finally {
      // Whoever left early still leaves its place behind those before it.
      void before.then(end);
    }
  }
}
