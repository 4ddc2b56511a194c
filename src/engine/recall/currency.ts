/**
 * What holds and what held. A memory holds from when it was told until a newer one made it outdated. A question about now
 * wants what holds, a question about the past what held then; whichever memory of a chain of updates matches the question
 * best, the one that held at the time in question answers for all of them.
 */
import type { MemoryGraph } from "../../core/graph/memory-graph.js";
import { type MemoryNode, compareAge } from "../../core/graph/memory-node.js";
import type { StartScore } from "../../core/paper/start-node.js";
import type { Outdated } from "./context-text.js";
import type { Passes } from "./passing-memories.js";
import type { TimeFocus } from "../../core/question-time/question-time.js";

/** The time a question is about: stretches of the past, the past without a date, or now. */
export type AskedMoment =
  | { readonly kind: "now"; readonly atMs: number }
  | { readonly kind: "then"; readonly atMs: number; readonly spans: readonly Span[] }
  | { readonly kind: "before"; readonly atMs: number };

interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Far enough below the one that answers that no rounding brings it back. */
const step = 1e-3;

const pastTense = /\b(?:did|was|were|had|used? to)\b/iu;
const earlierWords =
  /\b(?:used? to|before|previous(?:ly)?|former(?:ly)?|original(?:ly)?|initial(?:ly)?|at first|earlier|first|old|back then|in the past|until|prior)\b/iu;

export function findAskedMoment(query: string, foci: readonly TimeFocus[], atMs: number): AskedMoment {
  const spans = foci.flatMap((focus) => focus.spans).filter(({ untilMs }) => untilMs <= atMs);
  if (spans.length > 0) return { kind: "then", atMs, spans };
  const isPast = pastTense.test(query) && earlierWords.test(query);
  return { kind: isPast ? "before" : "now", atMs };
}

const everyMemory: Passes = () => true;

/** When a memory became outdated, as far as was known at `atMs`; null if it held. */
function outdatedMs(node: MemoryNode, atMs: number, graph: MemoryGraph, passes: Passes): number | null {
  const newer = linked(node, ({ id }) => graph.outdatedBy(id), passes)
    .sort(compareAge)
    .find(({ initMs }) => initMs <= atMs);
  return newer === undefined ? null : newer.initMs;
}

/**
 * All memories that are connected to one by updates, as far as they were known at `atMs`, oldest first. One that does not
 * pass is left out, and those on its two sides are connected, as they would be if it were forgotten.
 */
export function chainOf(
  node: MemoryNode,
  atMs: number,
  graph: MemoryGraph,
  passes: Passes = everyMemory,
): MemoryNode[] {
  const chain = new Map([[node.id, node]]);
  const older = ({ updates }: MemoryNode): MemoryNode[] => updates.flatMap((id) => graph.node(id) ?? []);
  const newer = ({ id }: MemoryNode): readonly MemoryNode[] => graph.outdatedBy(id);
  // A map that grows while it is walked.
  for (const member of chain.values()) {
    for (const other of [...linked(member, older, passes), ...linked(member, newer, passes)]) {
      if (other.initMs <= atMs) chain.set(other.id, other);
    }
  }
  return [...chain.values()].sort(compareAge);
}

/** The memories that one is linked with in one direction; in place of one that does not pass, those that it is linked with. */
function linked(node: MemoryNode, next: (node: MemoryNode) => readonly MemoryNode[], passes: Passes): MemoryNode[] {
  const reached = new Set(next(node));
  // A set that grows while it is walked.
  for (const each of reached) if (!passes(each)) for (const further of next(each)) reached.add(further);
  return [...reached].filter((each) => each !== node && passes(each));
}

/** The members of a chain that answer a question about a moment. */
function findAnswering(
  chain: readonly MemoryNode[],
  moment: AskedMoment,
  graph: MemoryGraph,
  passes: Passes,
): MemoryNode[] {
  const endOf = (node: MemoryNode): number => outdatedMs(node, moment.atMs, graph, passes) ?? Infinity;
  if (moment.kind === "now") return chain.filter((node) => endOf(node) === Infinity);
  if (moment.kind === "before") {
    const ended = chain.filter((node) => endOf(node) < Infinity);
    return ended.slice(-1);
  }
  const held = chain.filter((node) =>
    moment.spans.some(({ fromMs, untilMs }) => node.initMs < untilMs && endOf(node) > fromMs),
  );
  return held.length > 0 ? held : chain.slice(0, 1);
}

/**
 * Scores in which every chain of updates is led by what answers the question: it takes the best score of the chain, and
 * the others come right below.
 */
export function preferHolding(
  scores: readonly StartScore[],
  moment: AskedMoment,
  graph: MemoryGraph,
  passes: Passes = everyMemory,
): StartScore[] {
  const best = new Map<string, number>();
  const lowered = new Set<string>();
  const scoreOf = new Map(scores.map(({ id, score }) => [id, score]));
  for (const { id } of scores) {
    if (best.has(id)) continue;
    const chain = chainOf(graph.node(id)!, moment.atMs, graph, passes);
    if (chain.length === 1) continue;
    const answering = new Set(findAnswering(chain, moment, graph, passes).map((node) => node.id));
    const top = Math.max(...chain.map((node) => scoreOf.get(node.id) ?? -Infinity));
    for (const node of chain) {
      best.set(node.id, top);
      if (!answering.has(node.id)) lowered.add(node.id);
    }
  }
  return scores.map((each) => {
    const top = best.get(each.id);
    if (top === undefined) return each;
    const score = lowered.has(each.id) ? Math.min(each.score, top - step) : top;
    return { ...each, currencyGain: each.currencyGain + score - each.score, score };
  });
}

/** Those of some memories that no longer held at a moment, with what held instead. */
export function findOutdated(
  nodes: readonly MemoryNode[],
  atMs: number,
  graph: MemoryGraph,
  passes: Passes,
): Map<string, Outdated> {
  const outdated = new Map<string, Outdated>();
  for (const node of nodes) {
    const untilMs = outdatedMs(node, atMs, graph, passes);
    if (untilMs === null) continue;
    const newer = chainOf(node, atMs, graph, passes).filter((other) => outdatedMs(other, atMs, graph, passes) === null);
    outdated.set(node.id, { untilMs, newer });
  }
  return outdated;
}
