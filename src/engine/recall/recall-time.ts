/**
 * From the times that a question mentions to where in time recall looks (design: time in the question). A date or "last
 * week" is an interval of the calendar. "Six days after the fall" depends on the person's own life: the event is looked
 * up among the memories, and each memory that may describe it contributes its day.
 */
import { highestSlots } from "../../core/graph/highest-slots.js";
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import { localDay, startOfLocalDay } from "../../core/time.js";
import type { QuantizedVector } from "../../core/vectors/quantized-vector.js";
import { querySimilarities } from "../../core/paper/query-similarity.js";
import {
  type FocusSpan,
  type LifeAnchor,
  type QuestionInterval,
  type TimeFocus,
  anchoredDays,
  asksForChange,
  changeGain,
  readQuestionTimeSteps,
  timeGains,
  withoutChangeWords,
} from "../../core/question-time/question-time.js";
import type { Parameters } from "../../parameters.js";
import type { EngineContext } from "../engine-context.js";
import { runInSlices } from "../serial-lock.js";

/** A focus as the trace shows it: moments as text, null for an open end. */
export interface TimeFocusTrace {
  readonly words: string;
  readonly weight: number;
  readonly spans: readonly {
    readonly from: string | null;
    readonly until: string | null;
    readonly share: number;
    readonly eventId: string | null;
  }[];
}

/** The range of Date. */
const dateMsMax = 8.64e15;

export function traceFocus({ words, weight, spans }: TimeFocus): TimeFocusTrace {
  const show = (ms: number): string | null => (Math.abs(ms) <= dateMsMax ? new Date(ms).toISOString() : null);
  return {
    words,
    weight,
    spans: spans.map(({ fromMs, untilMs, share, eventId }) => ({
      from: show(fromMs),
      until: show(untilMs),
      share,
      eventId,
    })),
  };
}

/** What the question says about time, and what is left of it. */
export interface AskedTime {
  readonly intervals: readonly QuestionInterval[];
  /** Its events that are worth looking up. */
  readonly anchors: readonly LifeAnchor[];
  readonly asksForChange: boolean;
  /** The question without the words that say when or ask about change: what is asked about. */
  readonly content: string;
}

/** Where words have two readings ("last Thursday"), the second is less likely. */
const secondReadingShare = 0.7;
/** Each is compared with every memory, and a question with more than this does not say when. */
const focusCountMax = 16;
const anchorCountMax = 2;
const eventCountMax = 3;
/** How fast the probability that a memory describes an event falls with its distance from the best. */
const eventTemperature = 0.05;

export async function readAskedTime(
  query: string,
  atMs: number,
  { parameters, timeZone }: EngineContext,
): Promise<AskedTime> {
  if (parameters.questionTimeWeight === 0) return { intervals: [], anchors: [], asksForChange: false, content: query };
  const { intervals, anchors, rest } = await runInSlices(readQuestionTimeSteps(query, atMs, timeZone));
  const isAboutChange = asksForChange(query);
  const content = isAboutChange ? withoutChangeWords(rest) : rest;
  return {
    intervals,
    anchors: parameters.lifeAnchorWeight === 0 ? [] : anchors.filter(tellsWhen).slice(0, anchorCountMax),
    asksForChange: isAboutChange,
    content: content.trim() === "" ? query : content,
  };
}

/** "When X" only repeats what the question is about, and "before X" leaves nearly everything open. */
function tellsWhen({ fromDays, untilDays }: LifeAnchor): boolean {
  return Number.isFinite(fromDays) && !(fromDays === 0 && untilDays === 1);
}

/** `isPassing` by slot, null where all memories pass. */
export function findFoci(
  { intervals, anchors }: AskedTime,
  eventVectors: readonly QuantizedVector[],
  atMs: number,
  graph: MemoryGraph,
  isPassing: Uint8Array | null,
  { parameters, timeZone }: EngineContext,
): TimeFocus[] {
  const told = anchors.map((anchor, i) => ({
    words: anchor.words,
    weight: parameters.lifeAnchorWeight,
    spans: findEvents(eventVectors[i]!, atMs, graph, isPassing, parameters).map(({ id, initMs, share }) => ({
      ...anchoredSpan(initMs, anchor, timeZone),
      share,
      eventId: id,
    })),
  }));
  return [...calendarFoci(intervals, parameters), ...told];
}

function calendarFoci(intervals: readonly QuestionInterval[], { questionTimeWeight }: Parameters): TimeFocus[] {
  const seen = new Set<string>();
  const foci: TimeFocus[] = [];
  for (const { words, fromMs, untilMs, role } of intervals) {
    if (role === "background") continue;
    if (foci.length === focusCountMax) break;
    const weight = seen.has(words) ? secondReadingShare * questionTimeWeight : questionTimeWeight;
    seen.add(words);
    foci.push({ words, weight, spans: [{ fromMs, untilMs, share: 1, eventId: null }] });
  }
  return foci;
}

/** The memories that most likely describe an event, and how likely each is. */
function findEvents(
  event: QuantizedVector,
  atMs: number,
  graph: MemoryGraph,
  isPassing: Uint8Array | null,
  parameters: Parameters,
): { id: string; initMs: number; share: number }[] {
  const values = querySimilarities(graph, event, parameters);
  for (let slot = 0; slot < values.length; slot++) {
    if (!(graph.initMs[slot]! <= atMs) || isPassing?.[slot] === 0) values[slot] = -Infinity;
  }
  const slots = highestSlots(values, eventCountMax, graph);
  const likelihoods = slots.map((slot) => Math.exp((values[slot]! - values[slots[0]!]!) / eventTemperature));
  const sum = likelihoods.reduce((total, likelihood) => total + likelihood, 0);
  return slots.map((slot, i) => ({
    id: graph.idAt(slot),
    initMs: graph.initMs[slot]!,
    share: likelihoods[i]! / sum,
  }));
}

function anchoredSpan(eventMs: number, anchor: LifeAnchor, timeZone: string): Pick<FocusSpan, "fromMs" | "untilMs"> {
  const { from, until } = anchoredDays(localDay(eventMs, timeZone), anchor);
  return {
    fromMs: startOfLocalDay(from, timeZone),
    untilMs: Number.isFinite(until) ? startOfLocalDay(until, timeZone) : Infinity,
  };
}

/** What each slot gains by when it was. */
export function gainsBySlot(
  foci: readonly TimeFocus[],
  { asksForChange: isAboutChange }: AskedTime,
  atMs: number,
  graph: MemoryGraph,
  parameters: Parameters,
): Float64Array {
  const { slotCount } = graph;
  if (foci.length === 0 && !isAboutChange) return new Float64Array(slotCount);
  const times = new Float64Array(slotCount);
  for (let slot = 0; slot < slotCount; slot++) times[slot] = graph.initMs[slot]! <= atMs ? graph.initMs[slot]! : NaN;
  const gains = new Float64Array(slotCount);
  timeGains(foci, times, parameters, gains);
  for (let slot = 0; isAboutChange && slot < slotCount; slot++) {
    const gain = changeGain(atMs - times[slot]!, parameters);
    if (gain > gains[slot]!) gains[slot] = gain;
  }
  return gains;
}
