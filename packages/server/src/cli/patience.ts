/** How long a model in a chat may be silent: before its first piece, and between two pieces. */
import { followSignals, untilAborted } from "mnemosyne-edge/internal/signals.js";

/**
 * Waits for the work as long as it calls `onPiece` often enough. Work that is silent for too long is aborted, and no longer
 * awaited even if it does not stop.
 */
export async function waitWhileSpeaking<Result>(
  silenceSecondsMax: number,
  signal: AbortSignal | undefined,
  work: (onPiece: () => void, signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const { controller, release } = followSignals(signal);
  const error = new Error(
    `it sent nothing for ${silenceSecondsMax} s (change this limit with --set modelTimeBudgetSeconds=…)`,
  );
  const timer = setTimeout(() => controller.abort(error), Math.ceil(silenceSecondsMax * 1000));
  const working = work(() => timer.refresh(), controller.signal);
  try {
    return await untilAborted(working, controller.signal);
  } finally {
    clearTimeout(timer);
    release();
    // Nobody waits for abandoned work, so its failure is ignored.
    working.catch(() => {});
  }
}
