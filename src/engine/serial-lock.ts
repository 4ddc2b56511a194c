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

/** Runs a computation that pauses itself, and lets others run whenever it has taken `sliceMs` without a pause. */
export async function runInSlices<Result>(steps: Generator<void, Result>): Promise<Result> {
  let sliceStartMs = performance.now();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (performance.now() - sliceStartMs < sliceMs) continue;
    await yieldToEventLoop();
    sliceStartMs = performance.now();
  }
}
