/**
 * Commitment (section 3.1, Algorithm 1): what becomes of an interaction. Without substance it stays only in the
 * history. With substance it becomes a memory, paired with one that it repeats, linked to those it makes outdated, and
 * gets edges to similar ones. The steps read the graph and return a change to it, with the trace that explains it; the
 * change is written as one batch.
 */
import type { MemoryGraph } from "../graph/memory-graph.js";
import {
  type EmbeddedNode,
  type GraphChange,
  type MemoryNode,
  noChange,
  orderedPair,
  otherEnd,
} from "../graph/memory-node.js";
import { type NewEdges, connectNewNode } from "../paper/edges.js";
import {
  type Boost,
  type Pairing,
  boostPairEdge,
  decidePairingSteps,
  unboostReleased,
} from "../paper/pairing.js";
import { dayMs } from "../text/time.js";
import type { Parameters } from "../parameters.js";
import type { Batch, Interaction } from "../engine/records/person-data.js";
import { type WeighedFacts, coreSummaryAfter, weighFacts } from "../core/core-summary-step.js";
import { compareKeywords, scanNeighbours, scanSimilarities } from "../graph/neighbour-scan.js";
import { weighClaims } from "../model/claimed-updates.js";
import type { PersonState } from "../engine/person-state.js";
import { runInSlices } from "../engine/serial-lock.js";
import type { NamedEvent } from "../engine/memory-events.js";
import { describeDecision, describeReason } from "./commit-decision.js";
import { type CommitTrace, type PairingTrace, writeOutcome } from "./commit-trace.js";
import { type MemoryDraft, makeDraft } from "../reader/read.js";
import { type JudgedRelation, findLinks, judgeRelations } from "./relations.js";
import { findRepetition, mayReplaceSteps } from "./repetition.js";
import { type SubstanceDecision, decideSubstance } from "./substance-filter.js";

export interface CommitmentPlan {
  readonly change: GraphChange;
  readonly trace: CommitTrace;
}

const strongestShown = 5;

/**
 * Commits an interaction to the memory as it was at `revision`. If another writer has changed the memory since, it does
 * nothing and returns the draft to start over with; otherwise it returns undefined.
 */
export async function commitInteraction(
  interaction: Interaction,
  state: PersonState,
  { revision, earlier }: { readonly revision: number; readonly earlier: MemoryDraft | undefined },
): Promise<MemoryDraft | undefined> {
  // Outside the person's lock, since models take their time. What they see of the graph holds if its revision does.
  const draft = await makeDraft(interaction, state, earlier);
  if (state.revision !== revision) return draft;
  const cosines = await runInSlices(scanSimilarities(draft.summaryVector, state.graph));
  if (state.revision !== revision) return draft;
  const substance = await decideSubstance(draft, cosines, state.context);
  const isWorthwhile = (): boolean => state.revision === revision && substance.substantial;
  const relations = isWorthwhile() ? await judgeRelations(draft, cosines, state) : null;
  const weighed = isWorthwhile() ? await weighFacts(toNode(draft, unlinked).node, state) : undefined;
  const left = await state.change(async () => {
    if (state.revision !== revision) return { batch: null, result: draft };
    const plan = substance.substantial
      ? await runInSlices(planMemory({ draft, cosines, substance, relations }, state))
      : planDiscard(draft, substance);
    const events = describeEvents(interaction, plan, state);
    return { batch: toBatch(interaction, plan, state, weighed), result: undefined, events };
  });
  if (left === undefined && !substance.substantial) logDiscard(interaction, state);
  return left;
}

/** Nobody should have to look for what is missing; what was said is nobody's business. */
function logDiscard({ id }: Interaction, { person, context }: PersonState): void {
  context.log({ level: "info", message: describeReason("discarded", null), person, id });
}

/** What listeners are told. A memory that arrives late may make nothing outdated and be outdated itself. */
function describeEvents(
  { id }: Interaction,
  { trace, change }: CommitmentPlan,
  { person }: PersonState,
): readonly NamedEvent[] {
  const decision = describeDecision(id, trace.outcome, trace);
  const newer = change.setUpdates.filter(({ updates }) => updates.includes(id));
  const links = [
    ...(decision.updates.length === 0 ? [] : [{ id, updates: decision.updates }]),
    ...newer.map((memory) => ({ id: memory.id, updates: [id] })),
  ];
  return [
    { name: trace.outcome, event: { person, ...decision } },
    ...links.map((link) => ({ name: "updated" as const, event: { person, ...link } })),
  ];
}

/** Only the history changes. */
function planDiscard(draft: MemoryDraft, substance: SubstanceDecision): CommitmentPlan {
  const nothing = { redundancy: null, pairing: null, relations: [], updates: [], claimedUpdates: [], edges: null };
  const trace = { ...describeDraft(draft, "discarded", substance), ...nothing };
  return { change: noChange, trace };
}

/** What is known of an interaction before the graph changes. */
export interface Assessment {
  readonly draft: MemoryDraft;
  /** Of a memory that is edited, -Infinity with itself. */
  readonly cosines: Float64Array;
  readonly substance: SubstanceDecision;
  readonly relations: readonly JudgedRelation[] | null;
  /** The memory as it was, if it is edited and not new. */
  readonly former?: MemoryNode;
}

/** The new memory, its pair, its links and its edges. An edited one takes the place of what it was. */
export function* planMemory(
  { draft, cosines, substance, relations, former }: Assessment,
  { graph, context }: PersonState,
): Generator<void, CommitmentPlan> {
  const { parameters } = context;
  const { id } = draft.interaction;
  const keywords = compareKeywords(draft.keywords, graph);
  const repetition = yield* findRepetition(draft, keywords, relations, graph, parameters);
  const neighbours = yield* scanNeighbours(keywords, cosines, graph, parameters);
  const pairing =
    former === undefined
      ? yield* decidePairingSteps(repetition.repeated, graph, (newerHalf, partner) =>
          mayReplaceSteps(draft, newerHalf, partner, parameters),
        )
      : yield* decideEditedPairingSteps(former, repetition.repeated, graph);
  const partnerId = pairing.case === "add" ? null : pairing.partner.id;
  const removedId = pairing.case === "replace" ? pairing.removed.id : null;
  const releasedId = pairing.case === "release" ? pairing.released.id : null;
  // What repeats a pinned memory and takes its place is pinned in turn.
  const pinnedArea = pairing.case === "replace" ? pairing.removed.pinnedArea : (former?.pinnedArea ?? null);
  const claimed = draft.model?.judgment?.updates ?? [];
  const claims = weighClaims(claimed, relations ?? [], [partnerId, removedId], graph, id);
  const links = findLinks(draft, relations ?? [], claims, removedId, graph, parameters);
  const boost =
    pairing.case === "add"
      ? null
      : boostPair(pairing, draft, neighbours.weightOf(pairing.partner.id), graph, parameters);
  const edges = connectNewNode(
    // The edges that an edited memory had count for nobody.
    {
      id,
      neighbours: neighbours.list,
      pairEdge: boost?.edge ?? null,
      removedId: removedId ?? former?.id ?? null,
      releasedId,
    },
    graph,
    parameters.degreeMax,
  );
  return {
    change: {
      ...noChange,
      putNodes: [toNode(draft, { pairId: partnerId, updates: links.updates, pinnedArea })],
      removeNodes: removedId === null ? [] : [removedId],
      removeEdges: [...edges.removeEdges, ...(former === undefined ? [] : edgesLeft(former.id, edges, graph))],
      putEdges: [...edges.putEdges, ...unboostReleased(pairing, graph, edges.removeEdges)],
      setPairs: [
        ...(partnerId === null ? [] : [{ id: partnerId, pairId: id }]),
        ...(releasedId === null ? [] : [{ id: releasedId, pairId: null }]),
        ...(former?.pairId == null || former.pairId === partnerId ? [] : [{ id: former.pairId, pairId: null }]),
      ],
      setUpdates: links.setUpdates,
    },
    trace: {
      ...describeDraft(draft, pairing.case === "add" ? "committed" : "paired", substance),
      redundancy: repetition.trace,
      pairing: describePairing(pairing, boost),
      relations: relations ?? [],
      updates: links.updates,
      claimedUpdates: claims,
      edges: describeEdges(id, edges),
    },
  };
}

/** An edit removes nobody else's memory: the newer half of a pair that it joins stays, without a pair. */
function* decideEditedPairingSteps(
  former: MemoryNode,
  repeated: MemoryNode | null,
  graph: MemoryGraph,
): Generator<void, Exclude<Pairing, { case: "replace" }>> {
  if (repeated !== null && repeated.id === former.pairId) return { case: "pair", partner: repeated };
  const pairing = yield* decidePairingSteps(repeated, graph, neverGoes);
  return pairing as Exclude<Pairing, { case: "replace" }>;
}

// eslint-disable-next-line require-yield -- it has the shape of one that takes longer
function* neverGoes(): Generator<void, boolean> {
  return false;
}

/** What says the same again after an edit is no further repetition: its pair keeps the boost it has. */
function boostPair(
  pairing: Exclude<Pairing, { case: "add" }>,
  { interaction }: MemoryDraft,
  weight: number,
  graph: MemoryGraph,
  parameters: Parameters,
): Boost {
  const { id, initMs } = interaction;
  const kept = pairing.partner.pairId === id ? graph.edge(pairing.partner.id, id) : undefined;
  if (kept !== undefined) return { rewindMs: 0, edge: { ...kept, weight } };
  return boostPairEdge(pairing, { id, initMs }, weight, graph, parameters);
}

/** The edges that an edited memory had and does not get again. */
function edgesLeft(id: string, { putEdges }: NewEdges, graph: MemoryGraph): (readonly [string, string])[] {
  const kept = new Set(putEdges.map((edge) => otherEnd(edge, id)));
  const others = graph.edgesOf(id).map((edge) => otherEnd(edge, id));
  return others.filter((other) => !kept.has(other)).map((other) => orderedPair(id, other));
}

export const unlinked = { pairId: null, updates: [], pinnedArea: null };

export function toNode(draft: MemoryDraft, links: Pick<MemoryNode, "pairId" | "updates" | "pinnedArea">): EmbeddedNode {
  const { interaction, summaryText, keywords, hypotheticalQuery, questions, statements, facts } = draft;
  const { id, initMs, state, metadata, expiresMs } = interaction;
  const { pairId, updates, pinnedArea } = links;
  const said = { summaryText, state, keywords, hypotheticalQuery, questions, statements };
  return {
    node: { id, initMs, pairId, ...said, updates, facts, pinnedArea, metadata, expiresMs },
    fullText: draft.fullText,
    summaryVector: draft.summaryVector,
    hypotheticalVector: draft.hypotheticalVector,
    statementVectors: draft.statementVectors,
    questionVectors: draft.questionVectors,
    tokenBytes: draft.tokenBytes,
  };
}

/** Removing the interaction from the queue is part of the batch, so it takes effect exactly once. */
function toBatch(
  { id }: Interaction,
  { change, trace }: CommitmentPlan,
  state: PersonState,
  weighed: WeighedFacts | undefined,
): Omit<Batch, "baseRevision"> {
  const replaced = change.removeNodes.map((each) => writeOutcome(each, { outcome: "replaced", by: id }));
  const outcomes = [writeOutcome(id, trace), ...replaced];
  const commitCount = trace.outcome === "discarded" ? 0 : 1;
  const commitsSinceCoreSummary = state.commitsSinceCoreSummary + commitCount;
  const rest = { forgetInteractions: [], commitsSinceCoreSummary, ...coreSummaryAfter(change, state, weighed) };
  return { change, outcomes, ...rest };
}

function describeDraft(
  { model, summarySource, keywords }: MemoryDraft,
  outcome: CommitTrace["outcome"],
  substance: SubstanceDecision,
): Pick<CommitTrace, "outcome" | "summarySource" | "substance" | "keywords" | "languageModel"> {
  const languageModel = model === null ? null : { name: model.name, steps: model.steps };
  return { outcome, summarySource, substance, keywords, languageModel };
}

function describePairing(pairing: Pairing, boost: Boost | null): PairingTrace {
  return {
    case: pairing.case,
    partnerId: pairing.case === "add" ? null : pairing.partner.id,
    removedId: pairing.case === "replace" ? pairing.removed.id : null,
    rewindDays: (boost?.rewindMs ?? 0) / dayMs,
    boostDays: (boost?.edge.boostMs ?? 0) / dayMs,
  };
}

function describeEdges(id: string, { putEdges, removeEdges }: NewEdges): CommitTrace["edges"] {
  const strongest = putEdges
    .toSorted((x, y) => y.weight - x.weight)
    .slice(0, strongestShown)
    .map((edge) => ({ id: otherEnd(edge, id), weight: edge.weight }));
  return { count: putEdges.length, evictedCount: removeEdges.length, strongest };
}
