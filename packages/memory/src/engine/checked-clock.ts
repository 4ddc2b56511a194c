/** A caller's clock, checked whenever it is read: a time that is none would otherwise fail far from its cause. */
import { InputError } from "../errors.js";
import type { Clock } from "../ports/clock.js";
import { isMoment } from "./interaction.js";
import { describeName, describeValue } from "./given-values.js";

export function checkClock(clock: Clock): Clock {
  return { nowMs: () => readClock(clock) };
}

function readClock(clock: Clock): number {
  let nowMs: unknown;
  try {
    nowMs = clock.nowMs();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : describeValue(cause);
    throw new InputError("option_invalid", `the clock failed: ${reason}`, { cause });
  }
  if (isMoment(nowMs)) return nowMs;
  throw new InputError(
    "option_invalid",
    `the clock says ${describeName(nowMs)}; nowMs() must return milliseconds since 1970`,
  );
}
