/**
 * Effective age (section 3.1.2): the age of a memory minus what repetitions took off it. Only memories carry a time of
 * origin, so for the step n -> m it is the age of m minus the boost of the edge between them (design decision 3).
 */

export function effectiveAge(nowMs: number, initMs: number, boostMs: number): number {
  return nowMs - initMs - boostMs;
}
