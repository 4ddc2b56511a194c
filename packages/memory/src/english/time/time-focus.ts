/**
 * Where in time a question looks (design: time in the question). A focus is a stretch of time; a memory inside gains, one
 * outside gains less the farther away it is, and none loses. A focus that covers nearly every memory says nothing and
 * gives nothing. The gain is bounded, so that a wrong focus cannot bury a memory that says what was asked.
 */
import { dayMs } from "../../text/time.js";

export interface TimeFocus {
  /** The words of the question it was read from. */
  readonly words: string;
  readonly weight: number;
  readonly fromMs: number;
  /** The first moment after it. */
  readonly untilMs: number;
}

/** Days outside a time at which the gain has fallen to 37 %, and the share of its own length that is added to them. */
const tailDays = 1;
const lengthShare = 0.1;
/** A time open on one side gets the tail of a month. */
const lengthDaysMax = 30;

/** 1 inside, falling towards 0 outside. */
export function closeness(ms: number, { fromMs, untilMs }: Pick<TimeFocus, "fromMs" | "untilMs">): number {
  if (ms >= fromMs && ms < untilMs) return 1;
  const lengthDays = Math.min(lengthDaysMax, (untilMs - fromMs) / dayMs);
  const distanceDays = (ms < fromMs ? fromMs - ms : ms - untilMs) / dayMs;
  return Math.exp(-distanceDays / (tailDays + lengthShare * lengthDays));
}

/** Writes to `gains` what each of `times` gains by the focus that suits it best; NaN means no memory. */
export function timeGains(foci: readonly TimeFocus[], times: ArrayLike<number>, gains: Float64Array): void {
  gains.fill(0);
  for (const focus of foci) {
    const strength = focus.weight * (1 - shareInside(focus, times));
    for (let i = 0; i < times.length; i++) {
      const gain = strength * closeness(times[i]!, focus);
      if (gain > gains[i]!) gains[i] = gain;
    }
  }
}

function shareInside({ fromMs, untilMs }: TimeFocus, times: ArrayLike<number>): number {
  let inside = 0;
  let count = 0;
  for (let i = 0; i < times.length; i++) {
    if (Number.isNaN(times[i])) continue;
    count++;
    if (times[i]! >= fromMs && times[i]! < untilMs) inside++;
  }
  return count === 0 ? 0 : inside / count;
}
