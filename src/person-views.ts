/** What a caller sees about a person: memories, history, graph and counts as plain objects with dates as text. */
import type { MemoryGraph } from "./core/graph/memory-graph.js";
import { type Edge, type MemoryNode, compareAge, compareIds, otherEnd } from "./core/graph/memory-node.js";
import { naturalizeTime } from "./core/paper/naturalized-time.js";
import { dayMs } from "./core/time.js";
import { describeReason } from "./engine/commitment/commit-decision.js";
import type { CommitTrace, InteractionTrace } from "./engine/commitment/commit-trace.js";
import { type CoreSummaryTrace, emptyCoreSummary } from "./engine/core-summary/core-summary.js";
import { isUnrefined, readTrace } from "./engine/language-model/refining.js";
import type { PersonState } from "./engine/person-state.js";
import type { CoreSummary, HistoryEntry, Outcome, OutcomeCounts, StoredTrace, Turn } from "./ports/store.js";

export interface Memory {
  readonly id: string;
  readonly at: string;
  readonly naturalizedTime: string;
  readonly summary: string;
  readonly state: string | null;
  readonly keywords: readonly string[];
  readonly statements: readonly string[];
  readonly hypotheticalQuery: string;
  /** The memory that says nearly the same. */
  readonly pairId: string | null;
  /** The older memories that it made outdated. */
  readonly updates: readonly string[];
  /** The newer memories that made it outdated; empty while it holds. */
  readonly outdatedBy: readonly string[];
  readonly edgeCount: number;
}

export interface MemoryDetail extends Memory {
  readonly turns: readonly Turn[];
  readonly outcome: Outcome;
  /** Why it is a memory, in words for people. */
  readonly reason: string;
  /** Why it is a memory: scores, pairing, edges. */
  readonly trace: CommitTrace;
  readonly edges: readonly { readonly id: string; readonly weight: number; readonly boostDays: number }[];
}

export interface HistoryItem {
  readonly id: string;
  readonly at: string;
  readonly acceptedAt: string;
  readonly outcome: Outcome;
  /** What became of it and why, in words for people. */
  readonly reason: string;
  readonly summary: string | null;
  readonly turns: readonly Turn[];
  readonly state: string | null;
  readonly restored: boolean;
  /** The memories that it made outdated; empty if it is not a memory, null if the graph is damaged. */
  readonly updates: readonly string[] | null;
  /** The memories that made it outdated; null if the graph is damaged. */
  readonly outdatedBy: readonly string[] | null;
  /** Why it had this outcome; null before processing. */
  readonly trace: InteractionTrace | null;
}

export interface CoreSummaryView {
  /** "N/A" before the first. */
  readonly text: string;
  readonly updatedAt: string | null;
  readonly sourceIds: readonly string[];
  /** How it was written; null before the first. */
  readonly trace: CoreSummaryTrace | null;
}

export interface GraphView {
  readonly memories: readonly Memory[];
  readonly edges: readonly Edge[];
}

export interface PersonStatistics {
  readonly person: string;
  readonly revision: number;
  readonly memoryCount: number;
  readonly edgeCount: number;
  readonly pairCount: number;
  readonly boostedEdgeCount: number;
  readonly statementCount: number;
  readonly bytesInMemory: number;
  readonly outcomes: OutcomeCounts;
  /** Memories for which a language model did every step; the rest can be refined. */
  readonly refinedCount: number;
  readonly firstAt: string | null;
  readonly lastAt: string | null;
}

export function viewMemory(node: MemoryNode, { context, graph }: PersonState): Memory {
  const { id, initMs, summaryText, state, keywords, statements, hypotheticalQuery, pairId } = node;
  return {
    id,
    at: toIso(initMs),
    naturalizedTime: naturalizeTime(initMs, context.clock.nowMs(), context.timeZone).phrase,
    summary: summaryText,
    state,
    keywords,
    statements,
    hypotheticalQuery,
    pairId,
    ...viewLinks(id, graph),
    edgeCount: graph.degree(id),
  };
}

function viewLinks(id: string, graph: MemoryGraph): Pick<Memory, "updates" | "outdatedBy"> {
  return { updates: graph.node(id)?.updates ?? [], outdatedBy: graph.outdatedBy(id).map((newer) => newer.id) };
}

/** `traces`: of the memories. */
export function viewStatistics(
  outcomes: OutcomeCounts,
  traces: readonly StoredTrace[],
  { person, graph, revision }: PersonState,
): PersonStatistics {
  const nodes = [...graph.nodes()].sort(compareAge);
  const refined = traces.filter((stored) => !isUnrefined(readTrace(stored)));
  return {
    person,
    revision,
    memoryCount: graph.nodeCount,
    edgeCount: graph.edgeCount,
    pairCount: nodes.filter(({ pairId }) => pairId !== null).length / 2,
    boostedEdgeCount: [...graph.edges()].filter(({ boostMs }) => boostMs > 0).length,
    statementCount: nodes.reduce((sum, { statements }) => sum + statements.length, 0),
    bytesInMemory: graph.byteCount,
    outcomes: Object.fromEntries(Object.entries(outcomes).sort(([x], [y]) => compareIds(x, y))),
    refinedCount: refined.length,
    firstAt: nodes[0] === undefined ? null : toIso(nodes[0].initMs),
    lastAt: nodes.length === 0 ? null : toIso(nodes.at(-1)!.initMs),
  };
}

/** A memory with what was said, its trace and its edges. */
export function viewMemoryDetail(node: MemoryNode, entry: HistoryEntry, state: PersonState): MemoryDetail {
  const { id } = node;
  // A memory's last trace is that of its commit.
  const trace = parseTrace(entry) as CommitTrace;
  return {
    ...viewMemory(node, state),
    turns: entry.interaction.turns,
    outcome: entry.outcome,
    reason: describeReason(entry.outcome, trace),
    trace,
    edges: state.graph
      .edgesOf(id)
      .map((edge) => ({ id: otherEnd(edge, id), weight: edge.weight, boostDays: edge.boostMs / dayMs })),
  };
}

export function viewCoreSummary(coreSummary: CoreSummary | null): CoreSummaryView {
  if (coreSummary === null) return { text: emptyCoreSummary, updatedAt: null, sourceIds: [], trace: null };
  const { text, updatedMs, sourceIds, trace } = coreSummary;
  return { text, updatedAt: toIso(updatedMs), sourceIds, trace: JSON.parse(trace) as CoreSummaryTrace };
}

export function viewHistoryItem(entry: HistoryEntry, graph: MemoryGraph | null): HistoryItem {
  const { id, initMs, acceptedMs, summary, turns, state, restored } = entry.interaction;
  const trace = parseTrace(entry);
  return {
    id,
    at: toIso(initMs),
    acceptedAt: toIso(acceptedMs),
    outcome: entry.outcome,
    reason: describeReason(entry.outcome, trace),
    summary,
    turns,
    state,
    restored,
    ...(graph === null ? { updates: null, outdatedBy: null } : viewLinks(id, graph)),
    trace,
  };
}

function parseTrace({ trace }: HistoryEntry): InteractionTrace | null {
  return trace === null ? null : (JSON.parse(trace) as InteractionTrace);
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
