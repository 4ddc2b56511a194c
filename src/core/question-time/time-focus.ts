/**
 * Where in time a question looks (design: time in the question). A focus is a stretch of time, or several alternatives;
 * a memory inside gains, one outside gains less the farther away it is, and none loses. A focus that covers nearly
 * every memory says nothing and gives nothing. The gain is bounded, so that a wrong focus cannot bury a memory that
 * says what was asked.
 */
import type { Parameters } from "../../parameters.js";
import { dayMs } from "../time.js";

export interface TimeFocus {
  /** The words of the question it was read from. */
  readonly words: string;
  readonly weight: number;
  readonly spans: readonly FocusSpan[];
}

export interface FocusSpan {
  readonly fromMs: number;
  /** The first moment after it. */
  readonly untilMs: number;
  /** How likely this span is meant, among all spans of the focus. */
  readonly share: number;
  /** For a time described by an event, the memory that says when the event was. */
  readonly eventId: string | null;
}

const lengthShare = 0.1;
/** A time open on one side gets the tail of a month. */
const lengthDaysMax = 30;

/** 1 inside, falling towards 0 outside. */
export function closeness(ms: number, { fromMs, untilMs }: FocusSpan, { questionTimeTailDays }: Parameters): number {
  if (ms >= fromMs && ms < untilMs) return 1;
  const lengthDays = Math.min(lengthDaysMax, (untilMs - fromMs) / dayMs);
  const distanceDays = (ms < fromMs ? fromMs - ms : ms - untilMs) / dayMs;
  return Math.exp(-distanceDays / (questionTimeTailDays + lengthShare * lengthDays));
}

/** Writes to `gains` what each of `times` gains by the focus that suits it best; NaN means no memory. */
export function timeGains(
  foci: readonly TimeFocus[],
  times: ArrayLike<number>,
  parameters: Parameters,
  gains: Float64Array,
): void {
  gains.fill(0);
  for (const { weight, spans } of foci) {
    const strength = weight * (1 - shareInside(spans, times));
    for (let i = 0; i < times.length; i++) {
      let gain = 0;
      for (const span of spans) gain += strength * span.share * closeness(times[i]!, span, parameters);
      if (gain > gains[i]!) gains[i] = gain;
    }
  }
}

function shareInside(spans: readonly FocusSpan[], times: ArrayLike<number>): number {
  let inside = 0;
  let count = 0;
  for (let i = 0; i < times.length; i++) {
    if (Number.isNaN(times[i])) continue;
    count++;
    for (const { fromMs, untilMs, share } of spans) if (times[i]! >= fromMs && times[i]! < untilMs) inside += share;
  }
  return count === 0 ? 0 : inside / count;
}

/** A question about change compares then with now: what a memory gains by being recent. */
export function changeGain(ageMs: number, { changeRecencyWeight, changeRecencyDays }: Parameters): number {
  return changeRecencyWeight * Math.exp(-Math.max(0, ageMs) / (changeRecencyDays * dayMs));
}

const change =
  /\b(?:compar(?:e|ed|es|ing|ison)|(?:un)?chang\w*|differ\w*|alter(?:ed|ing)|shift(?:ed|ing)|evolv\w*)\b/giu;
const otherSigns =
  /(?<!\b(?:rather|other) )\bthan\b|\b(?:since|better|worse|improv\w*|worsen\w*|progress\w*|still|no longer|any longer)\b/iu;

export function asksForChange(question: string): boolean {
  return question.search(change) >= 0 || otherSigns.test(question);
}

/** The question without "changed", "different" and the like, which say nothing about what has changed. */
export function withoutChangeWords(question: string): string {
  return question.replace(change, " ");
}
