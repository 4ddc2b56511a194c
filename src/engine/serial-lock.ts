/** Runs pieces of asynchronous work one after the other, in the order they came. */
export class SerialLock {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work, work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

/** Lets timers and I/O of the caller run before going on. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const sliceMs = 5;
/** When others last could run; computations that follow each other without a pause share one budget. */
let lastPauseMs = 0;

/** Runs a computation that pauses itself, and lets others run whenever `sliceMs` have passed without a pause. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - lastPauseMs < sliceMs) continue;
    await yieldToEventLoop();
    lastPauseMs = performance.now();
  }
}
