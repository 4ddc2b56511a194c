/** How long a model in a chat may be silent: until its first piece, and from one piece to the next. */
import { followSignals, untilAborted } from "../signals.js";

/**
 * Waits for the work as long as `onPiece` is called often enough. The work is told to stop when it was silent for too
 * long, and not waited for if it does not.
 */
export async function waitWhileSpeaking<Result>(
  silenceSecondsMax: number,
  signal: AbortSignal | undefined,
  work: (onPiece: () => void, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, release } = followSignals(signal);
  const error = new Error(
    `nothing came from it for ${silenceSecondsMax} s (--set modelTimeBudgetSeconds=… waits longer, or less long)`,
  );
  const timer = setTimeout(() => controller.abort(error), Math.ceil(silenceSecondsMax * 1000));
  const working = work(() => timer.refresh(), controller.signal);
  try {
    return await untilAborted(working, controller.signal);
  } finally {
    clearTimeout(timer);
    release();
    // One that was given up has nobody left to tell.
    working.catch(() => {});
  }
}
