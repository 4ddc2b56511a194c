/**
 * Long computations are generators that yield between steps, so that whoever runs them can let other work have its turn.
 */

/** Runs a computation to its end at once. */
export function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
