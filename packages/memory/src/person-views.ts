/** What a caller sees about a person: memories, history, graph and counts as plain objects with dates as text. */
import type { MemoryGraph } from "./graph/memory-graph.js";
import { type Edge, type MemoryNode, compareAge, compareIds, otherEnd, uniteIds } from "./graph/memory-node.js";
import { naturalizeTime } from "./paper/naturalized-time.js";
import { dayMs } from "./text/time.js";
import { describeReason } from "./commit/commit-decision.js";
import { type CommitTrace, type InteractionTrace, commitTraceOf, readTrace } from "./commit/commit-trace.js";
import { rankFacts, valueOf } from "./core/carried-facts.js";
import { type CoreFact, type FactLeft, isSaid, readCoreFacts } from "./core/core-fact.js";
import { emptyCoreSummary } from "./core/core-summary.js";
import { type CoreSummaryTrace, readSummaryTrace } from "./core/core-summary-step.js";
import { areaOf, factRules, writeFacts } from "./core/fact-lines.js";
import { isUnrefined } from "./model/refining.js";
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
import type { ProfileArea } from "./profiles/profile.js";

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
  /** The area of the core summary to which it is pinned. */
  readonly pinnedArea: string | null;
  readonly metadata: Metadata;
  /** When it is forgotten; null for never. */
  readonly expiresAt: string | null;
  readonly edgeCount: number;
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
  /** What entered and left, version by version, the newest last. */
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
  /** In the words in which it was told. */
  readonly text: string;
  /** The memory it comes from. */
  readonly sourceId: string;
  readonly toldAt: string;
  /** The version since which it is in, by the time of that version's newest memory. */
  readonly since: string;
  /** Whether something else was true before. */
  readonly isChange: boolean;
  readonly isPinned: boolean;
  /** Whether its memory has been in the central subset. */
  readonly isCentral: boolean;
  /** That it lasts, in the judge's eyes. */
  readonly probability: number;
  readonly toldCount: number;
  /** What its place is decided by. */
  readonly value: number;
}

export interface CoreChangeView {
  readonly at: string;
  readonly entered: readonly CoreChangedFact[];
  readonly left: readonly (CoreChangedFact & Pick<FactLeft, "reason" | "byId">)[];
}

export type CoreChangedFact = Pick<CoreFact, "text" | "area" | "sourceId">;

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
  const { id, initMs, summaryText, state, keywords, statements, hypotheticalQuery, pairId, pinnedArea } = node;
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
    pinnedArea,
    metadata: node.metadata,
    expiresAt: toIsoOrNull(node.expiresMs),
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
export function viewCoreSummary({ coreSummary, context }: PersonState, atMs: number | null): CoreSummaryView {
  const rules = factRules(context);
  const facts = readCoreFacts(coreSummary);
  const said = rankFacts(
    facts.filter((fact) => isSaid(fact, atMs ?? undefined)),
    rules.areas,
  );
  const isEarlier = coreSummary !== null && atMs !== null && atMs < coreSummary.updatedMs;
  const { text = "", updatedMs, sourceIds = [] } = coreSummary ?? {};
  const shown = isEarlier ? writeFacts(said, rules) : text;
  const lastMs = isEarlier ? Math.max(...versionsOf(facts).filter((ms) => ms <= atMs)) : updatedMs;
  return {
    text: shown === "" ? emptyCoreSummary : shown,
    updatedAt: shown === "" || lastMs === undefined ? null : toIso(lastMs),
    areas: viewAreas(said, rules.areas),
    changes: versionsOf(facts)
      .filter((ms) => atMs === null || ms <= atMs)
      .map((ms) => viewChange(ms, facts)),
    sourceIds: isEarlier ? uniteIds(said.map(({ sourceId }) => sourceId)) : sourceIds,
    trace: coreSummary === null || isEarlier ? null : readSummaryTrace(coreSummary),
  };
}

function viewAreas(facts: readonly CoreFact[], areas: readonly ProfileArea[]): CoreAreaView[] {
  return areas.flatMap((area) => {
    const own = facts.filter((fact) => areaOf(fact, areas) === area);
    return own.length === 0 ? [] : [{ title: area.title, facts: own.map((fact) => viewFact(fact, area)) }];
  });
}

function viewFact(fact: CoreFact, area: ProfileArea): CoreFactView {
  const { text, sourceId, toldMs, sinceMs, isChange, isPinned, isCentral, probability, toldCount } = fact;
  const times = { toldAt: toIso(toldMs), since: toIso(sinceMs!) };
  const why = { isChange, isPinned, isCentral, probability, toldCount, value: valueOf(fact, area) };
  return { text, sourceId, ...times, ...why };
}

/** The times at which anything entered or left. */
function versionsOf(facts: readonly CoreFact[]): number[] {
  const times = facts.flatMap(({ sinceMs, left }) => [sinceMs, left?.untilMs ?? null]).filter((ms) => ms !== null);
  return [...new Set(times)].sort((x, y) => x - y);
}

function viewChange(ms: number, facts: readonly CoreFact[]): CoreChangeView {
  const entered = facts.filter(({ sinceMs }) => sinceMs === ms);
  const gone = facts.filter(({ left }) => left?.untilMs === ms);
  return {
    at: toIso(ms),
    entered: entered.map(viewChanged),
    left: gone.map((fact) => ({ ...viewChanged(fact), reason: fact.left!.reason, byId: fact.left!.byId })),
  };
}

function viewChanged({ text, area, sourceId }: CoreFact): CoreChangedFact {
  return { text, area, sourceId };
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
