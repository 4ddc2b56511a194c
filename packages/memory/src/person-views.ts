/** What a caller sees about a person: memories, history, graph and counts as plain objects with dates as text. */
import type { MemoryGraph } from "./graph/memory-graph.js";
import { endersOf, outdatedBy } from "./graph/holding.js";
import { type Edge, type MemoryNode, compareAge, compareIds, otherEnd, updatesOf } from "./graph/memory-node.js";
import { naturalizeTime } from "./paper/naturalized-time.js";
import { dayMs } from "./text/time.js";
import { describeReason } from "./engine/commit-decision.js";
import { type CommitTrace, type InteractionTrace, commitTraceOf, readTrace } from "./engine/commit-trace.js";
import { type CoreSummaryTrace, emptyCoreSummary, readSummaryTrace } from "./core/central.js";
import { type CoreChange, coreChanges } from "./core/changes.js";
import type { CoreFact } from "./engine/core-memory.js";
import { isUnrefined } from "./commit/refine.js";
import { tagOf } from "./engine/interaction-content.js";
import type { PersonState } from "./engine/person-state.js";
import type {
  HistoryEntry,
  InteractionVersion,
  Metadata,
  Outcome,
  OutcomeCounts,
  StoredTrace,
  Turn,
} from "./engine/records/person-data.js";
import type { MarkKind, Statement } from "./graph/statement.js";
import { nameOf } from "./graph/statement.js";
import { areasOf } from "./profiles/general.js";

export interface Memory {
  readonly id: string;
  readonly at: string;
  readonly naturalizedTime: string;
  readonly summary: string;
  readonly state: string | null;
  readonly keywords: readonly string[];
  /** What was said in it, cut once, each with how it was read. */
  readonly statements: readonly StatementView[];
  readonly hypotheticalQuery: string;
  /** The memory that says nearly the same. */
  readonly pairId: string | null;
  /** The older memories of which it ended something. */
  readonly updates: readonly string[];
  /** The newer memories that ended something in it; its statements say what. */
  readonly outdatedBy: readonly string[];
  /** The area of the core memory to which something of it is pinned. */
  readonly pinnedArea: string | null;
  readonly metadata: Metadata;
  /** When it is forgotten; null for never. */
  readonly expiresAt: string | null;
  readonly edgeCount: number;
}

/** One thing that somebody said. */
export interface StatementView extends Statement {
  /** For `correct`, `commit({ updates })`, `pin`, `withdraw`, `restore` and `forget`. */
  readonly id: string;
  /** Since when it no longer holds; null while it does. */
  readonly endedAt: string | null;
  /** The statements, or memories, that ended it. */
  readonly endedBy: readonly string[];
  readonly marks: readonly MarkKind[];
}

export interface MemoryDetail extends Memory {
  readonly turns: readonly Turn[];
  readonly outcome: Outcome;
  /** Why it is a memory, in words for people. */
  readonly reason: string;
  /** Why it is a memory: scores, pairing, edges; null if it was saved from a damaged store. */
  readonly trace: CommitTrace | null;
  readonly edges: readonly { readonly id: string; readonly weight: number; readonly boostDays: number }[];
  /** What it was before it was edited, oldest first. */
  readonly versions: readonly VersionView[];
  /** Another one whenever what was submitted changes; for `update` with `ifTag`. */
  readonly tag: string;
}

/** An interaction as it was until it was edited. */
export interface VersionView {
  readonly replacedAt: string;
  readonly at: string;
  readonly turns: readonly Turn[];
  readonly summary: string | null;
  readonly state: string | null;
  readonly metadata: Metadata;
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
  readonly metadata: Metadata;
  /** When it is forgotten; null for never. */
  readonly expiresAt: string | null;
  /** What it was before it was edited, oldest first. */
  readonly versions: readonly VersionView[];
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
  /** What it says as data, in the order of the profile's areas; empty where it was written without facts. */
  readonly areas: readonly CoreAreaView[];
  /** What entered and left, moment by moment, the newest last. */
  readonly changes: readonly CoreChangeView[];
  readonly sourceIds: readonly string[];
  /** How it was written; null before the first. */
  readonly trace: CoreSummaryTrace | null;
}

export interface CoreAreaView {
  readonly title: string;
  /** The most vital first. */
  readonly facts: readonly CoreFactView[];
}

export interface CoreFactView {
  /** The statement. */
  readonly id: string;
  /** In the words in which it was told. */
  readonly text: string;
  /** The memory it comes from. */
  readonly sourceId: string;
  readonly toldAt: string;
  /** Whether something else was true before. */
  readonly isChange: boolean;
  readonly isPinned: boolean;
  /** Whether its memory is in the central subset. */
  readonly isCentral: boolean;
  /** That it lasts, in the reader's eyes. */
  readonly probability: number;
  readonly toldCount: number;
  /** What its place is decided by. */
  readonly value: number;
}

export interface CoreChangeView {
  readonly at: string;
  readonly entered: readonly CoreChangedFact[];
  readonly left: readonly (CoreChangedFact & { readonly byId: string })[];
}

export interface CoreChangedFact {
  readonly id: string;
  readonly text: string;
  readonly area: string;
  readonly sourceId: string;
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
  const { id, initMs, summaryText, state, keywords, hypotheticalQuery, pairId } = node;
  return {
    id,
    at: toIso(initMs),
    naturalizedTime: naturalizeTime(initMs, context.clock.nowMs(), context.timeZone).phrase,
    summary: summaryText,
    state,
    keywords,
    statements: node.statements.map((_, position) => viewStatement(node, position, graph)),
    hypotheticalQuery,
    pairId,
    ...viewLinks(id, graph),
    pinnedArea: pinnedAreaOf(node),
    metadata: node.metadata,
    expiresAt: toIsoOrNull(node.expiresMs),
    edgeCount: graph.degree(id),
  };
}

function viewLinks(id: string, graph: MemoryGraph): Pick<Memory, "updates" | "outdatedBy"> {
  const node = graph.node(id);
  return {
    updates: node === undefined ? [] : updatesOf(node),
    outdatedBy: outdatedBy(id, graph).map((newer) => newer.id),
  };
}

function viewStatement(node: MemoryNode, position: number, graph: MemoryGraph): StatementView {
  const enders = endersOf(node, position, graph);
  const own = node.marks.filter((mark) => mark.position === position || mark.position === null);
  return {
    ...node.statements[position]!,
    id: nameOf({ memory: node.id, position }),
    endedAt: enders[0] === undefined ? null : toIso(enders[0].memory.initMs),
    endedBy: enders.map(({ memory, by }) => nameOf({ memory: memory.id, position: by })),
    marks: own.map(({ kind }) => kind),
  };
}

function pinnedAreaOf({ marks, statements }: MemoryNode): string | null {
  const pin = marks.find(({ kind }) => kind === "pinned");
  if (pin === undefined) return null;
  // What nobody read is about the person, as in the core memory.
  return pin.area ?? statements[pin.position ?? -1]?.reading?.area ?? "self";
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
  const trace = readTrace(entry);
  return {
    ...viewMemory(node, state),
    turns: entry.interaction.turns,
    outcome: entry.outcome,
    reason: describeReason(entry.outcome, trace),
    trace: commitTraceOf(trace),
    edges: state.graph
      .edgesOf(id)
      .map((edge) => ({ id: otherEnd(edge, id), weight: edge.weight, boostDays: edge.boostMs / dayMs })),
    versions: entry.interaction.versions.map(viewVersion),
    tag: tagOf(entry.interaction),
  };
}

/** As it is, or as it was at a time, which is known of facts only. */
export function viewCoreSummary(state: PersonState, atMs: number | null): CoreSummaryView {
  const { coreSummary, context, graph } = state;
  const { facts, text } = context.core.of(state, atMs ?? undefined);
  const newestMs = facts.reduce((newest, { toldMs }) => Math.max(newest, toldMs), -Infinity);
  const updatedMs = facts.length > 0 ? newestMs : (coreSummary?.updatedMs ?? 0);
  return {
    text: text ?? emptyCoreSummary,
    updatedAt: text === null ? null : toIso(updatedMs),
    areas: areasOf(context.profile).flatMap(({ title }) => {
      const own = facts.filter(({ area }) => area === title);
      return own.length === 0 ? [] : [{ title, facts: own.map(viewFact) }];
    }),
    changes: coreChanges(graph, context, atMs ?? Infinity).map(viewChange),
    sourceIds:
      facts.length > 0
        ? [...new Set(facts.map(({ memory }) => memory))].sort(compareIds)
        : (coreSummary?.sourceIds ?? []),
    trace: coreSummary === null ? null : readSummaryTrace(coreSummary),
  };
}

function viewFact(fact: CoreFact): CoreFactView {
  const { memory, position, line, toldMs, isChange, isPinned, isCentral, probability, toldCount, value } = fact;
  const why = { isChange, isPinned, isCentral, probability, toldCount, value };
  return { id: nameOf({ memory, position }), text: line, sourceId: memory, toldAt: toIso(toldMs), ...why };
}

function viewChange({ atMs, entered, left }: CoreChange): CoreChangeView {
  return {
    at: toIso(atMs),
    entered: entered.map(viewChanged),
    left: left.map(({ fact, byId }) => ({ ...viewChanged(fact), byId })),
  };
}

function viewChanged({
  memory,
  position,
  line,
  area,
}: Pick<CoreFact, "memory" | "position" | "line" | "area">): CoreChangedFact {
  return { id: nameOf({ memory, position }), text: line, area, sourceId: memory };
}

export function viewHistoryItem(entry: HistoryEntry, graph: MemoryGraph | null): HistoryItem {
  const { id, initMs, acceptedMs, summary, turns, state, restored, metadata } = entry.interaction;
  const trace = readTrace(entry);
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
    metadata,
    expiresAt: toIsoOrNull(entry.interaction.expiresMs),
    versions: entry.interaction.versions.map(viewVersion),
    ...(graph === null ? { updates: null, outdatedBy: null } : viewLinks(id, graph)),
    trace,
  };
}

function viewVersion({ replacedMs, initMs, turns, summary, state, metadata }: InteractionVersion): VersionView {
  return { replacedAt: toIso(replacedMs), at: toIso(initMs), turns, summary, state, metadata };
}

function toIsoOrNull(ms: number | null): string | null {
  return ms === null ? null : toIso(ms);
}

function toIso(ms: number): string {
  return new Date(ms).toISOString();
}
