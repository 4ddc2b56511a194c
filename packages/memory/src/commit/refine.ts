/**
 * Refining: memories that were committed without a language model, because there was none or it failed, are processed
 * again with one. A memory keeps its id, its time, its pair, its links, its pin and the boosts of its edges, and may gain
 * links to what it made outdated; summary, keywords, statements, hypothetical queries and vectors are replaced, and edges
 * follow. Nothing is discarded here, whatever a model says, and a memory on which the model fails again stays as it is.
 */
import { connectNewNode } from "../paper/edges.js";
import { type Edge, type GraphChange, type MemoryNode, noChange, orderedPair, otherEnd } from "../graph/memory-node.js";
import { InputError } from "../errors.js";
import type { HistoryEntry, Outcome } from "../engine/records/person-data.js";
import { type Draft, makeDraft } from "./draft.js";
import { findLinks } from "./links.js";
import {
  type CommitTrace,
  type InteractionTrace,
  type RelatedStatement,
  commitTraceOf,
  readTrace,
} from "../engine/commit-trace.js";
import { type Move, moveMarks, movesBetween } from "../graph/passed-links.js";
import { type EndLink, uniteLinks } from "../graph/statement.js";
import { toNode } from "./commit.js";
import { weighClaims } from "../model/claimed-updates.js";
import type { ModelSilence } from "../engine/parts.js";
import { compareKeywords, scanNeighbours, scanSimilarities } from "../graph/neighbour-scan.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";

export interface RefiningReport {
  readonly refinedCount: number;
  /** The model failed on these again; they are unchanged. */
  readonly failedIds: readonly string[];
  /** Not tried, because refining stopped early. */
  readonly leftCount: number;
  /** Why refining stopped early; null if every memory was tried. */
  readonly gaveUpBecause: string | null;
}

/** A model that fails immediately may do better with the next memory, but not forever. */
const failuresMax = 3;

/** Those of interactions that are memories. */
export const memoryOutcomes: readonly Outcome[] = ["committed", "paired"];

export async function refineMemories(
  state: PersonState,
  onProgress: (doneCount: number, totalCount: number) => void,
  signal?: AbortSignal,
): Promise<RefiningReport> {
  const { modelCalls, records } = state.context;
  if (modelCalls === null) {
    throw new InputError("option_invalid", "refining needs a language model, and none is configured");
  }
  await state.refresh();
  const entries = (await records.history(state.person, { outcomes: memoryOutcomes })).filter((entry) =>
    isUnrefined(readTrace(entry)),
  );
  const failedIds: string[] = [];
  let refinedCount = 0;
  let gaveUpBecause: string | null = null;
  for (const [i, entry] of entries.entries()) {
    signal?.throwIfAborted();
    modelCalls.askAnyway();
    if (!modelCalls.isResting) {
      if (await refineMemory(entry, state, signal)) refinedCount++;
      else failedIds.push(entry.interaction.id);
      onProgress(i + 1, entries.length);
    }
    gaveUpBecause = findReasonToStop(modelCalls.silence);
    if (gaveUpBecause !== null) break;
  }
  const leftCount = entries.length - refinedCount - failedIds.length;
  return { refinedCount, failedIds, leftCount, gaveUpBecause };
}

function findReasonToStop(silence: ModelSilence | null): string | null {
  if (silence === null) return null;
  const { reason, usedUpTime, count } = silence;
  if (usedUpTime) return `the model did not answer in time: ${reason}`;
  return count < failuresMax ? null : `the model failed ${count} times in a row: ${reason}`;
}

/** Whether no model did every step of a commit, by its trace. */
export function isUnrefined(trace: InteractionTrace | null): boolean {
  const commit = commitTraceOf(trace);
  return commit !== null && (commit.languageModel?.steps.some(({ how }) => how === "without model") ?? true);
}

async function refineMemory(entry: HistoryEntry, state: PersonState, signal?: AbortSignal): Promise<boolean> {
  const { id } = entry.interaction;
  const draft = await makeDraft(entry.interaction, state, undefined, signal);
  signal?.throwIfAborted();
  if (draft.model!.steps.some(({ how }) => how === "without model")) return false;
  return state.change(async () => {
    const [current] = await state.context.records.history(state.person, { ids: [id], outcomes: memoryOutcomes });
    // Forgotten, replaced or refined by another process in the meantime.
    const earlier = current === undefined ? null : commitTraceOf(readTrace(current));
    if (current === undefined || earlier === null || !isUnrefined(earlier)) return { batch: null, result: false };
    const { graph, context } = state;
    const former = graph.node(id)!;
    const { pairId } = former;
    // Only what was said decides how it is refined; the rest may have changed since.
    const read = { ...draft.read, interaction: { ...current.interaction, updates: [] } };
    const claims = weighClaims(draft.model!.judgment!.updates, earlier.relations, [pairId], graph);
    const believed = claims.flatMap((claim) => (claim.refused === null ? claim.id! : []));
    // A model's statements may have taken the place of others.
    const move = movesBetween(former.statements, read.statements);
    const relations = earlier.relations.filter(isThere(graph)).flatMap((related) => {
      const by = move(related.by);
      return by == null ? [] : [{ ...related, by }];
    });
    const found = findLinks(read, relations, believed, null, graph, context.parameters);
    const ends = former.ends.map((link) => ({ ...link, by: move(link.by) ?? null }));
    const links = { pairId, ends: uniteLinks(ends, found.ends), marks: moveMarks(former.marks, move) };
    const refined = { ...draft, read: { ...read, interaction: current.interaction } };
    const change = { ...(await planRefinement(refined, links, state)), setEnds: moveEnds(id, move, graph) };
    const trace = { ...earlier, ...describeRefinement(draft), claims, ends: links.ends };
    const outcomes = [{ id, outcome: current.outcome, trace: JSON.stringify(trace) }];
    return { batch: { change, outcomes, forgetInteractions: [] }, result: true };
  });
}

/** What newer memories ended in this one, where that is said now. */
function moveEnds(id: string, move: Move, graph: PersonState["graph"]): GraphChange["setEnds"] {
  const moved = (link: EndLink): EndLink[] => {
    const position = link.memory === id ? move(link.position) : link.position;
    return position === undefined ? [] : [{ ...link, position }];
  };
  const newer = [...new Set(graph.linksTo(id).map(({ from }) => from))];
  return newer.map((from) => ({ id: from, ends: graph.node(from)!.ends.flatMap(moved) }));
}

/** A statement that was compared then may be gone. */
function isThere(graph: PersonState["graph"]): (related: RelatedStatement) => boolean {
  return ({ memory, position }) => graph.node(memory)?.statements[position] !== undefined;
}

function describeRefinement({ read, model }: Draft): Partial<CommitTrace> {
  const { summarySource, keywords } = read;
  return { summarySource, keywords, languageModel: { name: model!.name, steps: model!.steps } };
}

/** The memory with its new contents, and its edges as if it were new, except for the boosts they had accumulated. */
async function planRefinement(
  draft: Draft,
  links: Pick<MemoryNode, "pairId" | "ends" | "marks">,
  state: PersonState,
): Promise<GraphChange> {
  const { graph, context } = state;
  const { parameters } = context;
  const { read } = draft;
  const { id } = read.interaction;
  const oldEdges = new Map(graph.edgesOf(id).map((edge) => [otherEnd(edge, id), edge]));
  const cosines = await runInSlices(scanSimilarities(read.summaryVector, graph));
  const keywords = compareKeywords(read.keywords, graph);
  const neighbours = await runInSlices(scanNeighbours(keywords, cosines, graph, parameters));
  const oldPairEdge = links.pairId === null ? undefined : oldEdges.get(links.pairId);
  const pairEdge =
    oldPairEdge === undefined ? null : { ...oldPairEdge, weight: neighbours.weightOf(otherEnd(oldPairEdge, id)) };
  const others = neighbours.list.filter((neighbour) => neighbour.id !== id);
  const { putEdges, removeEdges } = connectNewNode(
    { id, neighbours: others, pairEdge, removedId: id },
    graph,
    parameters.degreeMax,
  );
  const kept = new Set(putEdges.map((edge) => otherEnd(edge, id)));
  const refined = toNode(draft, links);
  const goneEdges = [...oldEdges.keys()].filter((other) => !kept.has(other)).map((other) => orderedPair(id, other));
  return {
    ...noChange,
    putNodes: [refined],
    putEdges: putEdges.map((edge) => withBoost(edge, oldEdges.get(otherEnd(edge, id)))),
    removeEdges: [...removeEdges, ...goneEdges],
  };
}

function withBoost(edge: Edge, old: Edge | undefined): Edge {
  return old === undefined ? edge : { ...edge, boostMs: old.boostMs, boostedMs: old.boostedMs };
}
