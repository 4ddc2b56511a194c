/**
 * The core summary after a step of the memory, written in the same batch: what is told enters, what no longer holds or is
 * forgotten goes at once.
 */
import type { CentralScore } from "../paper/central-subset.js";
import { type GraphChange, type MemoryNode, uniteIds } from "../graph/memory-node.js";
import { isOutdated } from "../graph/outdated.js";
import type { Batch, CoreSummary } from "../engine/records/person-data.js";
import type { EngineContext } from "../engine/engine-context.js";
import type { ModelWork } from "../model/language-model-steps.js";
import type { PersonState } from "../engine/person-state.js";
import { carryFacts } from "./carried-facts.js";
import { type ChangedFact, findChanged, markChanges } from "./changed-facts.js";
import { type CoreFact, factsOf, factsWithout, isHolding, isSaid, readCoreFacts, sourcesOf } from "./core-fact.js";
import { factRules, writeFacts } from "./fact-lines.js";
import { findEnded, sourceNodes, withoutOutdated } from "./outdated-sources.js";

export interface CoreSummaryTrace {
  /** Of the central subset; null before the first. */
  readonly seed: string | null;
  readonly centralSubset: readonly CentralScore[];
  /** Null if the text is the facts themselves. */
  readonly languageModel: Pick<ModelWork, "name" | "steps"> | null;
}

const noTrace: CoreSummaryTrace = { seed: null, centralSubset: [], languageModel: null };

/** Facts in areas need a judge that tells these apart. */
export function usesFacts({ judging, parameters }: EngineContext): boolean {
  return judging?.tellsAreas === true && parameters.coreSummaryIntervalCommits > 0;
}

/** By their keys, the facts that a new memory's facts exclude: judged before the memory is locked for the change. */
export type WeighedFacts = ReadonlyMap<string, ChangedFact>;

/** What a memory that is about to be added tells. */
export async function weighFacts(node: MemoryNode, { coreSummary, context }: PersonState): Promise<WeighedFacts> {
  const { judging } = context;
  if (judging === null || !usesFacts(context)) return new Map();
  const added = factsOf(node, false);
  const held = readCoreFacts(coreSummary).filter(isHolding);
  return findChanged(added, held, judging);
}

type SummaryChange = Pick<Batch, "coreSummary" | "commitsSinceCoreSummary">;

/** The core summary once `change` is applied; nothing if it says the same as before. */
export function coreSummaryAfter(
  change: GraphChange,
  { graph, coreSummary, context }: Pick<PersonState, "graph" | "coreSummary" | "context">,
  weighed: WeighedFacts = new Map(),
): SummaryChange {
  const before = readCoreFacts(coreSummary).map((fact) => withoutPassedPin(fact, change));
  const ended = findEnded(change, graph);
  const sources = sourceNodes(coreSummary?.sourceIds ?? [], graph).filter((node) => !isOutdated(node, graph));
  const outdated = sources.filter(({ id }) => ended.has(id));
  const renewed = usesFacts(context) ? renewedNodes(change, graph) : [];
  const added = markChanges(
    renewed.flatMap((node) => factsOf(node, false)),
    weighed,
  );
  const known = new Set(before.filter(isHolding).map(({ sourceId }) => sourceId));
  const isEnding = weighed.size > 0;
  if (outdated.length === 0 && added.length === 0 && !isEnding && !renewed.some(({ id }) => known.has(id))) return {};
  if (coreSummary === null && !usesFacts(context)) return {};
  const countedMs = coreSummary?.updatedMs ?? -Infinity;
  const told = [...change.putNodes.map(({ node }) => node), ...renewed];
  const atMs = Math.max(countedMs, ...told.map(({ initMs }) => initMs));
  const step = {
    atMs,
    countedMs,
    added,
    renewed: new Set(renewed.map(({ id }) => id)),
    ended,
    changed: weighed,
  };
  const facts = carryFacts(before, step, factRules(context));
  const isOfFacts = usesFacts(context) && facts.length > 0;
  const holding = sources.filter(({ id }) => !ended.has(id));
  const text = isOfFacts
    ? writeSaid(facts, context)
    : withoutOutdated(coreSummary?.text ?? "", outdated.map(textOf), holding.map(textOf));
  // Facts are up to date with this; a text from before there were facts is written again.
  const isDue = isOfFacts ? coreSummary !== null && before.length === 0 : outdated.length > 0;
  return {
    coreSummary: text === "" && facts.length === 0 ? null : withFacts(coreSummary, { text, updatedMs: atMs }, facts),
    ...(isDue ? { commitsSinceCoreSummary: context.parameters.coreSummaryIntervalCommits } : {}),
  };
}

/** What takes a pinned memory's place is pinned in turn. */
function withoutPassedPin(fact: CoreFact, { removeNodes }: GraphChange): CoreFact {
  return fact.isPinned && removeNodes.includes(fact.sourceId) ? { ...fact, isPinned: false } : fact;
}

function writeSaid(facts: readonly CoreFact[], context: EngineContext): string {
  return writeFacts(
    facts.filter((fact) => isSaid(fact)),
    factRules(context),
  );
}

/** The memories whose facts a change gives again. */
function renewedNodes({ putNodes, setPinned }: GraphChange, graph: PersonState["graph"]): MemoryNode[] {
  const pinned = setPinned.map(({ id, area }) => ({ ...graph.node(id)!, pinnedArea: area }));
  return [...putNodes.map(({ node }) => node), ...pinned];
}

function withFacts(
  before: CoreSummary | null,
  written: Pick<CoreSummary, "text" | "updatedMs">,
  facts: readonly CoreFact[],
): CoreSummary {
  const { sourceIds = [], trace = JSON.stringify(noTrace) } = before ?? {};
  return { ...written, sourceIds: uniteIds(sourceIds, sourcesOf(facts)), trace, facts: JSON.stringify(facts) };
}

/** The core summary once somebody took back that `node` made `older` outdated: both are said to hold. */
export function coreSummaryHolding(
  node: MemoryNode,
  older: readonly MemoryNode[],
  { coreSummary, context }: PersonState,
): SummaryChange {
  if (coreSummary === null || !usesFacts(context)) return {};
  const facts = readCoreFacts(coreSummary).map((fact) =>
    fact.sourceId === node.id && isHolding(fact) ? { ...fact, isChange: false } : fact,
  );
  const added = older.flatMap((each) => factsOf(each, false));
  const { updatedMs } = coreSummary;
  const nothing = { renewed: new Set<string>(), ended: new Map(), changed: new Map() };
  const step = { atMs: updatedMs, countedMs: updatedMs, added, ...nothing };
  const next = carryFacts(facts, step, factRules(context));
  const text = writeSaid(next, context);
  return { coreSummary: withFacts(coreSummary, { text, updatedMs }, next) };
}

/** The core summary without forgotten memories: its other facts, due again. Nothing if it was written without them. */
export function coreSummaryWithout(ids: readonly string[], { coreSummary, context }: PersonState): SummaryChange {
  if (coreSummary === null || !usesForgotten(ids, coreSummary)) return {};
  const facts = factsWithout(new Set(ids), readCoreFacts(coreSummary));
  const text = writeSaid(facts, context);
  const { updatedMs } = coreSummary;
  return {
    coreSummary: facts.length === 0 ? null : withFacts(null, { text, updatedMs }, facts),
    // Due at once: if the process ends before it is rewritten, the next one does it.
    commitsSinceCoreSummary: context.parameters.coreSummaryIntervalCommits,
  };
}

/** The core summary once a memory says something else: nothing of what it said stays, and what it says now enters. */
export function coreSummaryAfterEdit(
  id: string,
  change: GraphChange,
  state: PersonState,
  weighed: WeighedFacts,
): SummaryChange {
  const { graph, context } = state;
  const without = coreSummaryWithout([id], state);
  const coreSummary = without.coreSummary === undefined ? state.coreSummary : without.coreSummary;
  return { ...without, ...coreSummaryAfter(change, { graph, coreSummary, context }, weighed) };
}

export function usesForgotten(ids: readonly string[], coreSummary: CoreSummary | null): boolean {
  const isForgotten = new Set(ids);
  return coreSummary?.sourceIds.some((id) => isForgotten.has(id)) ?? false;
}

/** The trace that a store keeps as JSON, read here and nowhere else. */
export function readSummaryTrace({ trace }: CoreSummary): CoreSummaryTrace {
  return JSON.parse(trace) as CoreSummaryTrace;
}

function textOf({ summaryText }: MemoryNode): string {
  return summaryText;
}
