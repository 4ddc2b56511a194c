/** Runs pieces of asynchronous work one at a time, in order of arrival. */
export class SerialLock {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Lets the caller's timers and I/O run before continuing. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const sliceMs = 5;
/** When other work could last run; consecutive computations share one budget. */
let lastPauseMs = 0;

/** To be called often in a loop that awaits: what is returned is awaited, too, or null. */
export function pausing(): () => Promise<void> | null {
  let pausedMs = performance.now();
  return () => {
    if (performance.now() - pausedMs < sliceMs) return null;
    return yieldToEventLoop().then(() => void (pausedMs = performance.now()));
  };
}

/** Runs a computation that yields, and lets other work run whenever `sliceMs` have passed. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - lastPauseMs < sliceMs) continue;
    await yieldToEventLoop();
    lastPauseMs = performance.now();
  }
}
