/**
 * Runs pieces of work one at a time, in order of arrival; one whose signal is aborted while it waits is not started.
 */
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
      // Work that is abandoned while waiting still holds its place until those before it are done.
      void before.then(end);
    }
  }
}
