/** What a caller sees of a person: memories, history, graph and counts as plain objects with dates as text. */
import { type Edge, type MemoryNode, compareAge } from "./core/graph/memory-node.js";
import { naturalizeTime } from "./core/paper/naturalized-time.js";
import type { PersonState } from "./engine/person-state.js";
import { isUnrefined } from "./engine/language-model/refining.js";
import type { HistoryEntry, Outcome, Turn } from "./ports/store.js";

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
  readonly edgeCount: number;
}

export interface MemoryDetail extends Memory {
  readonly turns: readonly Turn[];
  readonly outcome: Outcome;
  /** How the memory came to be: scores, pairing, edges. */
  readonly trace: unknown;
  readonly edges: readonly { readonly id: string; readonly weight: number; readonly boostDays: number }[];
}

export interface HistoryItem {
  readonly id: string;
  readonly at: string;
  readonly acceptedAt: string;
  readonly outcome: Outcome;
  readonly summary: string | null;
  readonly turns: readonly Turn[];
  readonly state: string | null;
  readonly restored: boolean;
  readonly trace: unknown;
}

export interface CoreSummaryView {
  /** "N/A" before the first. */
  readonly text: string;
  readonly updatedAt: string | null;
  readonly sourceIds: readonly string[];
  readonly trace: unknown;
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
  readonly outcomes: Readonly<Partial<Record<Outcome, number>>>;
  /** Memories that a language model took all its steps in; the rest can be refined. */
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
    edgeCount: graph.degree(id),
  };
}

export function viewStatistics(
  history: readonly HistoryItem[],
  { person, graph, revision }: PersonState,
): PersonStatistics {
  const nodes = [...graph.nodes()].sort(compareAge);
  const outcomes: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of history) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const refined = history.filter(({ id, trace }) => graph.node(id) !== undefined && !isUnrefined(trace));
  return {
    person,
    revision,
    memoryCount: graph.nodeCount,
    edgeCount: graph.edgeCount,
    pairCount: nodes.filter(({ pairId }) => pairId !== null).length / 2,
    boostedEdgeCount: [...graph.edges()].filter(({ boostMs }) => boostMs > 0).length,
    statementCount: nodes.reduce((sum, { statements }) => sum + statements.length, 0),
    bytesInMemory: graph.byteCount,
    outcomes,
    refinedCount: refined.length,
    firstAt: nodes[0] === undefined ? null : toIso(nodes[0].initMs),
    lastAt: nodes.length === 0 ? null : toIso(nodes.at(-1)!.initMs),
  };
}

export function viewHistoryItem(entry: HistoryEntry): HistoryItem {
  const { id, initMs, acceptedMs, summary, turns, state, restored } = entry.interaction;
  return {
    id,
    at: toIso(initMs),
    acceptedAt: toIso(acceptedMs),
    outcome: entry.outcome,
    summary,
    turns,
    state,
    restored,
    trace: parseTrace(entry),
  };
}

export function parseTrace({ trace }: HistoryEntry): unknown {
  return trace === null ? null : JSON.parse(trace);
}

export function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
