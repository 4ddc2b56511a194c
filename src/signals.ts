/** Waiting and working that can be cancelled. */

import { InputError } from "./errors.js";

/** A signal from a caller without types. */
export function checkSignal(signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new InputError("option_invalid", "the signal must be an AbortSignal");
}

/** A controller that aborts when one of the signals does, with its reason. `release` stops the listening. */
export function followSignals(...signals: readonly (AbortSignal | undefined)[]): {
  readonly controller: AbortController;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const released = new AbortController();
  for (const signal of signals) {
    checkSignal(signal);
    if (signal?.aborted === true) controller.abort(signal.reason);
    signal?.addEventListener("abort", () => controller.abort(signal.reason), { signal: released.signal });
  }
  return { controller, release: () => released.abort() };
}

/** Waits for the work, or rejects with the signal's reason; the work itself continues. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  checkSignal(signal);
  if (signal === undefined) return work;
  // Nobody waits for the work any more, however it ends.
  if (signal.aborted) work.catch(() => {});
  signal.throwIfAborted();
  const released = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { signal: released.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    released.abort();
  }
}

/** The items of a source, until the signal; the source is then told to stop, and not waited for. */
export async function* itemsUntilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Item, void, undefined> {
  const items = source[Symbol.asyncIterator]();
  let isOver = false;
  const next = async (): Promise<IteratorResult<Item, unknown>> => items.next();
  try {
    for (;;) {
      const step = await untilAborted(next(), signal).catch((error: unknown) => {
        // A source that failed has ended; one that nobody waits for any more has not.
        isOver = signal?.aborted !== true;
        throw error;
      });
      isOver = step.done === true;
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    if (!isOver) void stop(items);
  }
}

async function stop(items: AsyncIterator<unknown>): Promise<void> {
  try {
    await items.return?.();
  } catch {
    // It was told that nobody reads on.
  }
}

export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await untilAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, delayMs))), signal);
  } finally {
    clearTimeout(timer);
  }
}
