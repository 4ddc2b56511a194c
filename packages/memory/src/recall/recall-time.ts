/**
 * From the times that a question mentions to where in time recall looks (design: time in the question). A date or "last
 * week" is an interval of the calendar; a memory inside it gains, one outside gains less the farther away it is.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import {
  type QuestionInterval,
  type TimeFocus,
  readQuestionTimeSteps,
  timeGains,
} from "../english/time/question-time.js";
import type { Parameters } from "../parameters.js";
import type { EngineContext } from "../engine/engine-context.js";
import { runInSlices } from "../engine/serial-lock.js";

/** A focus as the trace shows it: moments as text, null for an open end. */
export interface TimeFocusTrace {
  readonly words: string;
  readonly weight: number;
  readonly from: string | null;
  readonly until: string | null;
}

/** The range of Date. */
const dateMsMax = 8.64e15;

export function traceFocus({ words, weight, fromMs, untilMs }: TimeFocus): TimeFocusTrace {
  const show = (ms: number): string | null => (Math.abs(ms) <= dateMsMax ? new Date(ms).toISOString() : null);
  return { words, weight, from: show(fromMs), until: show(untilMs) };
}

/** What the question says about time, and what is left of it. */
export interface AskedTime {
  readonly intervals: readonly QuestionInterval[];
  /** The question without the words that say when: what is asked about. */
  readonly content: string;
}

/** Where words have two readings ("last Thursday"), the second is less likely. */
const secondReadingShare = 0.7;
/** Each is compared with every memory, and a question with more than this does not say when. */
const focusCountMax = 16;

export async function readAskedTime(
  query: string,
  atMs: number,
  { parameters, timeZone }: EngineContext,
): Promise<AskedTime> {
  if (parameters.questionTimeWeight === 0) return { intervals: [], content: query };
  const { intervals, rest } = await runInSlices(readQuestionTimeSteps(query, atMs, timeZone));
  return { intervals, content: rest.trim() === "" ? query : rest };
}

export function findFoci({ intervals }: AskedTime, { questionTimeWeight }: Parameters): TimeFocus[] {
  const seen = new Set<string>();
  const foci: TimeFocus[] = [];
  for (const { words, fromMs, untilMs } of intervals) {
    if (foci.length === focusCountMax) break;
    const weight = seen.has(words) ? secondReadingShare * questionTimeWeight : questionTimeWeight;
    seen.add(words);
    foci.push({ words, weight, fromMs, untilMs });
  }
  return foci;
}

/** What each slot gains by when it was. */
export function gainsBySlot(foci: readonly TimeFocus[], atMs: number, graph: MemoryGraph): Float64Array {
  const gains = new Float64Array(graph.slotCount);
  if (foci.length === 0) return gains;
  const times = Float64Array.from({ length: graph.slotCount }, (_, slot) => {
    const initMs = graph.initMs[slot]!;
    return initMs <= atMs ? initMs : NaN;
  });
  timeGains(foci, times, gains);
  return gains;
}
