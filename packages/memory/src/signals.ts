/** Waiting and working that can be cancelled. */

import { InputError } from "./errors.js";

/** A signal from a caller without types. */
export function checkSignal(signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal === undefined || signal instanceof AbortSignal) return;
  throw new InputError("option_invalid", "the signal must be an AbortSignal");
}

interface Waiting {
  readonly callBacks: Set<() => void>;
  readonly tell: () => void;
}

/** Those who wait for a signal share one listener: the platform warns of more than ten, however short they live. */
const waiting = new WeakMap<AbortSignal, Waiting>();

/** Calls back when the signal is aborted, unless what is returned was called before. */
export function onceAborted(signal: AbortSignal, callBack: () => void): () => void {
  const shared = waiting.get(signal) ?? listenTo(signal);
  // Each call is its own, even of the same function.
  const own = (): void => callBack();
  shared.callBacks.add(own);
  return () => {
    if (!shared.callBacks.delete(own) || shared.callBacks.size > 0) return;
    signal.removeEventListener("abort", shared.tell);
    waiting.delete(signal);
  };
}

function listenTo(signal: AbortSignal): Waiting {
  const callBacks = new Set<() => void>();
  const tell = (): void => {
    waiting.delete(signal);
    for (const callBack of Array.from(callBacks)) callBack();
  };
  const shared = { callBacks, tell };
  signal.addEventListener("abort", tell, { once: true });
  waiting.set(signal, shared);
  return shared;
}

/** A controller that aborts when one of the signals does, with its reason. `release` stops the listening. */
export function followSignals(...signals: readonly (AbortSignal | undefined)[]): {
  readonly controller: AbortController;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const signal of signals) {
    checkSignal(signal);
    if (signal?.aborted === true) controller.abort(signal.reason);
    else if (signal !== undefined) releases.push(onceAborted(signal, () => controller.abort(signal.reason)));
  }
  return { controller, release: () => releases.forEach((release) => release()) };
}

/** Waits for the work, or rejects with the signal's reason; the work itself continues. */
export async function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  checkSignal(signal);
  if (signal === undefined) return work;
  // Nobody waits for the work any more, however it ends.
  if (signal.aborted) work.catch(() => {});
  signal.throwIfAborted();
  let release = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    release = onceAborted(signal, () => reject(signal.reason as Error));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    release();
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
