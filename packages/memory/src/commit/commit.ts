/**
 * Commit (section 3.1, Algorithm 1), on one page: an interaction is read, kept or dropped, related to what was told before,
 * planned and written. Without substance it stays only in the history; a wish to forget holds back what it means; the rest
 * becomes a memory, paired with one that it repeats, whose statements end others, with edges to similar memories. The steps
 * read the graph and return a change to it, with the trace that explains it; the change is written as one batch.
 */
import type { CommitTrace, PairingTrace, RelatedStatement, SubstanceDecision } from "../engine/commit-trace.js";
import { writeOutcome } from "../engine/commit-trace.js";
import type { NamedEvent } from "../engine/memory-events.js";
import type { PersonState } from "../engine/person-state.js";
import type { Batch, Interaction } from "../engine/records/person-data.js";
import { runInSlices } from "../engine/serial-lock.js";
import {
  type EmbeddedNode,
  type GraphChange,
  type MemoryNode,
  noChange,
  otherEnd,
  updatesOf,
} from "../graph/memory-node.js";
import { compareKeywords, scanNeighbours, scanSimilarities } from "../graph/neighbour-scan.js";
import { moveMarks, movesBetween } from "../graph/passed-links.js";
import { weighClaims } from "../model/claimed-updates.js";
import { type NewEdges, connectNewNode } from "../paper/edges.js";
import { type Boost, type Pairing, boostPairEdge, decidePairingSteps, unboostReleased } from "../paper/pairing.js";
import { dayMs } from "../text/time.js";
import { describeDecision, describeReason } from "../engine/commit-decision.js";
import { type Draft, makeDraft } from "./draft.js";
import { type HeldBack, findMeant, holdMarks } from "./forget-wish.js";
import { decideSubstance } from "./keep.js";
import { findLinks, namedPlaces } from "./links.js";
import { relateStatements } from "./relate.js";
import { findRepetition, mayReplaceSteps } from "./repetition.js";

export interface CommitPlan {
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
  { revision, earlier }: { readonly revision: number; readonly earlier: Draft | undefined },
): Promise<Draft | undefined> {
  // Outside the person's lock, since models take their time. What they see of the graph holds if its revision does.
  const draft = await makeDraft(interaction, state, earlier);
  if (state.revision !== revision) return draft;
  const cosines = await runInSlices(scanSimilarities(draft.read.summaryVector, state.graph));
  if (state.revision !== revision) return draft;
  const substance = await decideSubstance(draft.read, draft.model?.judgment ?? null, cosines, state.context);
  const heldBack = await findMeant(draft.read, state);
  const isMemory = substance.substantial && !heldBack.isAll;
  const related = isMemory && state.revision === revision ? await relateStatements(draft.read, state) : [];
  return state.change(async () => {
    if (state.revision !== revision) return { batch: null, result: draft };
    const known = { draft, cosines, substance, related, heldBack };
    const plan = isMemory ? await runInSlices(planMemory(known, state)) : planNone(known, state);
    if (plan.trace.outcome === "discarded") logDiscard(interaction, state);
    const events = describeEvents(interaction, plan, state);
    return { batch: toBatch(interaction, plan, state), result: undefined, events };
  });
}

/** What is known of an interaction before the graph changes. */
export interface Assessment {
  readonly draft: Draft;
  /** Of a memory that is edited, -Infinity with itself. */
  readonly cosines: Float64Array;
  readonly substance: SubstanceDecision;
  readonly related: readonly RelatedStatement[];
  readonly heldBack: HeldBack;
  /** The memory as it was, if it is edited and not new. */
  readonly former?: MemoryNode;
}

/** Only the history changes, and what a wish to forget means. */
function planNone({ draft, substance, heldBack }: Assessment, { graph }: PersonState): CommitPlan {
  // Small talk around a wish changes nothing about what the wish did.
  const outcome = heldBack.isAll || heldBack.places.length > 0 ? "forgetAsked" : "discarded";
  const nothing = { redundancy: null, pairing: null, relations: [], ends: [], claims: [], edges: null };
  const trace = { ...describeDraft(draft, outcome, substance, heldBack), ...nothing };
  return { change: { ...noChange, setMarks: holdMarks(heldBack, graph) }, trace };
}

/** The new memory, its pair, its links and its edges. An edited one takes the place of what it was. */
export function* planMemory(
  { draft, cosines, substance, related, heldBack, former }: Assessment,
  { graph, context }: PersonState,
): Generator<void, CommitPlan> {
  const { parameters } = context;
  const { read, model } = draft;
  const { id, updates: named } = read.interaction;
  const keywords = compareKeywords(read.keywords, graph);
  const repetition = yield* findRepetition(read, keywords, related, namedPlaces(named, graph), graph, parameters);
  const neighbours = yield* scanNeighbours(keywords, cosines, graph, parameters);
  const isStillPair = former !== undefined && repetition.repeated !== null && repetition.repeated.id === former.pairId;
  const pairing: Pairing = isStillPair
    ? { case: "pair", partner: repetition.repeated! }
    : yield* decidePairingSteps(repetition.repeated, graph, (newerHalf, partner) =>
        former === undefined ? mayReplaceSteps(read, newerHalf, partner, parameters) : neverGoes(),
      );
  const partnerId = pairing.case === "add" ? null : pairing.partner.id;
  const removedId = pairing.case === "replace" ? pairing.removed.id : null;
  const releasedId = pairing.case === "release" ? pairing.released.id : null;
  const claims = weighClaims(model?.judgment?.updates ?? [], related, [partnerId, removedId], graph, id);
  const believed = claims.flatMap((claim) => (claim.refused === null ? claim.id! : []));
  const links = findLinks(read, related, believed, removedId, graph, parameters);
  const boost =
    pairing.case === "add" ? null : boostPair(pairing, read.interaction, neighbours.weightOf, graph, parameters);
  const edges = connectNewNode(
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
  // What was pinned, or taken out by hand, stays so in what takes its place; what was held back or untrue is told again.
  const byHand =
    pairing.case === "replace"
      ? pairing.removed.marks.filter(({ kind }) => kind === "pinned" || kind === "removed")
      : [];
  const passed =
    pairing.case === "replace" ? moveMarks(byHand, movesBetween(pairing.removed.statements, read.statements)) : [];
  const marks = [...(former?.marks ?? passed), ...heldBack.own];
  const formerPairId = former === undefined || former.pairId === partnerId ? null : former.pairId;
  return {
    change: {
      ...noChange,
      putNodes: [toNode(draft, { pairId: partnerId, ends: links.ends, marks })],
      removeNodes: removedId === null ? [] : [removedId],
      removeEdges: [...edges.removeEdges, ...(former === undefined ? [] : edgesLeft(former.id, edges, graph))],
      putEdges: [...edges.putEdges, ...unboostReleased(pairing, graph, edges.removeEdges)],
      setPairs: [
        ...(partnerId === null ? [] : [{ id: partnerId, pairId: id }]),
        ...[releasedId, formerPairId].flatMap((each) => (each === null ? [] : [{ id: each, pairId: null }])),
      ],
      setEnds: links.setEnds,
      setMarks: holdMarks(heldBack, graph),
    },
    trace: {
      ...describeDraft(draft, pairing.case === "add" ? "committed" : "paired", substance, heldBack),
      redundancy: repetition.trace,
      pairing: describePairing(pairing, boost),
      relations: related,
      ends: links.ends,
      claims,
      edges: describeEdges(id, edges),
    },
  };
}

/** An edit removes nobody else's memory: the newer half of a pair that it joins stays, without a pair. */
// eslint-disable-next-line require-yield -- it has the shape of one that takes longer
function* neverGoes(): Generator<void, boolean> {
  return false;
}

/** What says the same again after an edit is no further repetition: its pair keeps the boost it has. */
function boostPair(
  pairing: Exclude<Pairing, { case: "add" }>,
  { id, initMs }: Interaction,
  weightOf: (id: string) => number,
  graph: PersonState["graph"],
  parameters: PersonState["context"]["parameters"],
): Boost {
  const weight = weightOf(pairing.partner.id);
  const kept = pairing.partner.pairId === id ? graph.edge(pairing.partner.id, id) : undefined;
  if (kept !== undefined) return { rewindMs: 0, edge: { ...kept, weight } };
  return boostPairEdge(pairing, { id, initMs }, weight, graph, parameters);
}

/** The edges that an edited memory had and does not get again. */
function edgesLeft(id: string, { putEdges }: NewEdges, graph: PersonState["graph"]): (readonly [string, string])[] {
  const kept = new Set(putEdges.map((edge) => otherEnd(edge, id)));
  return graph.edgesOf(id).flatMap((edge) => (kept.has(otherEnd(edge, id)) ? [] : [[edge.a, edge.b] as const]));
}

export function toNode({ read }: Draft, links: Pick<MemoryNode, "pairId" | "ends" | "marks">): EmbeddedNode {
  const { interaction, summaryText, keywords, hypotheticalQuery, questions, statements } = read;
  const { id, initMs, state, metadata, expiresMs } = interaction;
  const said = { summaryText, state, keywords, hypotheticalQuery, questions, statements };
  const { fullText, summaryVector, hypotheticalVector, statementVectors, questionVectors, tokenBytes } = read;
  const vectors = { summaryVector, hypotheticalVector, statementVectors, questionVectors, tokenBytes };
  return { node: { id, initMs, ...said, ...links, metadata, expiresMs }, fullText, ...vectors };
}

/** Removing the interaction from the queue is part of the batch, so it takes effect exactly once. */
function toBatch({ id }: Interaction, { change, trace }: CommitPlan, state: PersonState): Omit<Batch, "baseRevision"> {
  const replaced = change.removeNodes.map((each) => writeOutcome(each, { outcome: "replaced", by: id }));
  const commitsSinceCoreSummary = state.commitsSinceCoreSummary + change.putNodes.length;
  return { change, outcomes: [writeOutcome(id, trace), ...replaced], forgetInteractions: [], commitsSinceCoreSummary };
}

/** Nobody should have to look for what is missing; what was said is nobody's business. */
function logDiscard({ id }: Interaction, { person, context }: PersonState): void {
  context.log({ level: "info", message: describeReason("discarded", null), person, id });
}

/** What listeners are told. A memory that arrives late may end nothing and be outdated itself. */
function describeEvents(
  { id }: Interaction,
  { trace, change }: CommitPlan,
  { person }: PersonState,
): readonly NamedEvent[] {
  const decision = describeDecision(id, trace.outcome, trace);
  const newer = change.setEnds.filter((link) => updatesOf(link).includes(id));
  const links = [
    ...(decision.updates.length === 0 ? [] : [{ id, updates: decision.updates }]),
    ...newer.map((memory) => ({ id: memory.id, updates: [id] })),
  ];
  const events: NamedEvent[] = links.map((link) => ({ name: "updated", event: { person, ...link } }));
  if (trace.outcome !== "forgetAsked") events.unshift({ name: trace.outcome, event: { person, ...decision } });
  if (trace.forgetAsked.length === 0 && trace.outcome !== "forgetAsked") return events;
  return [...events, { name: "forgetAsked", event: { person, ...decision } }];
}

function describeDraft(
  { read, model }: Draft,
  outcome: CommitTrace["outcome"],
  substance: SubstanceDecision,
  { places }: HeldBack,
): Pick<CommitTrace, "outcome" | "summarySource" | "substance" | "keywords" | "languageModel" | "forgetAsked"> {
  const { summarySource, keywords } = read;
  const languageModel = model === null ? null : { name: model.name, steps: model.steps };
  return { outcome, summarySource, substance, keywords, languageModel, forgetAsked: places };
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
