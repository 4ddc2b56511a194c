/** Waiting and working that can be cancelled. */

import { InputError } from "./errors.js";

/** A signal from a caller without types. */
function checkSignal(signal: unknown): void {
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

export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  try {
    await untilAborted(new Promise<void>((resolve) => (timer = setTimeout(resolve, delayMs))), signal);
  } finally {
    clearTimeout(timer);
  }
}
