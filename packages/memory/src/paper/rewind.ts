/**
 * Rewind (section 3.1.1, Equation 1): the time a repetition takes off a memory's age. Little when the last boost is
 * recent, at most Delta_max when it is long ago. The equation has no unit of time, so a scale s supplies one:
 *
 *   Delta = Delta_max / (1 + exp(-(t - t_boosted - t_crit) / s))
 */
import type { Parameters } from "../parameters.js";
import { dayMs } from "../text/time.js";

/** Rewind in milliseconds for a repetition `sinceBoostMs` after the edge's last boost. */
export function rewind(sinceBoostMs: number, parameters: Parameters): number {
  const { rewindMaxDays, rewindCriticalDays, rewindScaleDays } = parameters;
  const x = (sinceBoostMs / dayMs - rewindCriticalDays) / rewindScaleDays;
  return (rewindMaxDays * dayMs) / (1 + Math.exp(-x));
}

/** When the edge between two memories was last boosted; before its first boost, the start of the older one. */
export function lastBoostMs(boostedMs: number | null, initMsA: number, initMsB: number): number {
  return boostedMs ?? Math.min(initMsA, initMsB);
}
