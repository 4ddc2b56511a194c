/** Small graphs for the tests of core: made by hand from sketches, or at random for property tests. */
import fc from "fast-check";
import { connectNewNode } from "../../src/paper/edges.js";
import { MemoryGraph } from "../../src/graph/memory-graph.js";
import { type Edge, type EmbeddedNode, type GraphChange, noChange, orderedPair } from "../../src/graph/memory-node.js";
import { type EndLink, type Mark, type Reading, type Statement, uniteLinks } from "../../src/graph/statement.js";
import { boostPairEdge, decidePairingSteps, unboostReleased } from "../../src/paper/pairing.js";
import { finish } from "../../src/text/steps.js";
import { dayMs, hourMs } from "../../src/text/time.js";
import type { Parameters } from "../../src/parameters.js";

export const nowMs = Date.UTC(2025, 5, 1, 12);
export const dimensions = 8;
export const binCount = 4;

export interface NodeSketch {
  readonly id: string;
  readonly initMs?: number;
  readonly pairId?: string | null;
  readonly keywords?: readonly string[];
  readonly vector?: readonly number[];
  readonly summaryText?: string;
  readonly fullText?: string;
  /** A text: what the person said, which nobody read. */
  readonly statements?: readonly (string | Statement)[];
  readonly questions?: readonly string[];
  /** An id: all of that memory, by all of this one. */
  readonly ends?: readonly (string | EndLink)[];
  readonly marks?: readonly Mark[];
}

export interface GraphSketch {
  readonly nodes: readonly NodeSketch[];
  readonly edges: readonly Edge[];
}

export function daysAgo(days: number): number {
  return nowMs - days * dayMs;
}

/** What the person said in the first turn. */
export function statementOf(text: string, parts: Partial<Statement> = {}): Statement {
  return { turn: 0, who: "user", text, asked: null, kind: "said", reading: null, ...parts };
}

/** The same, read as a fact that lasts and can stand alone. */
export function factOf(text: string, reading: Partial<Reading> = {}): Statement {
  const sure: Reading = { fact: 1, about: "self", area: "self", lasting: 1, alone: 1 };
  return statementOf(text, { reading: { ...sure, ...reading } });
}

/** Statement `position` of a memory, by statement `by`; null for all of either. */
export function endOf(memory: string, position: number | null = null, by: number | null = null): EndLink {
  return { memory, position, by };
}

export function markOf(kind: Mark["kind"], position: number | null = null, area: string | null = null): Mark {
  return { position, kind, area };
}

export function embed(sketch: NodeSketch): EmbeddedNode {
  const { id, initMs = nowMs, pairId = null, keywords = [], questions = [] } = sketch;
  const statements = (sketch.statements ?? []).map((each) => (typeof each === "string" ? statementOf(each) : each));
  const ends = uniteLinks((sketch.ends ?? []).map((each) => (typeof each === "string" ? endOf(each) : each)));
  const vector = Int8Array.from(sketch.vector ?? [1, 2, 3, 4, 5, 6, 7, 8]);
  const summaryText = sketch.summaryText ?? `summary of ${id}`;
  return {
    node: {
      id,
      initMs,
      pairId,
      summaryText,
      state: null,
      keywords,
      hypotheticalQuery: `what of ${id}?`,
      questions,
      statements,
      ends,
      marks: sketch.marks ?? [],
      metadata: {},
      expiresMs: null,
    },
    fullText: sketch.fullText ?? "",
    summaryVector: vector,
    hypotheticalVector: vector.map((component) => -component),
    statementVectors: statements.map((_, i) => vector.map((component) => Math.trunc(component / (i + 2)))),
    questionVectors: questions.map((_, i) => vector.map((component) => component - i - 1)),
    tokenBytes: null,
  };
}

export function edgeBetween(x: string, y: string, weight: number, boostMs = 0): Edge {
  const [a, b] = orderedPair(x, y);
  return { a, b, weight, boostMs, boostedMs: boostMs > 0 ? nowMs : null };
}

export function changeOf(parts: Partial<GraphChange>): GraphChange {
  return { ...noChange, ...parts };
}

export function buildGraph({ nodes, edges }: GraphSketch): MemoryGraph {
  const graph = new MemoryGraph(dimensions, binCount);
  graph.apply(changeOf({ putNodes: nodes.map(embed), putEdges: edges }));
  return graph;
}

export const keywordPool = ["pain", "knee", "tablet", "garden", "daughter", "walk", "sleep"] as const;

export const keywordSets = fc.subarray([...keywordPool]);
const components = fc.integer({ min: -127, max: 127 });
export const vectors = fc.array(components, { minLength: dimensions, maxLength: dimensions });
const weights = fc.double({ min: 0, max: 1, noNaN: true });

/** Up to `nodeCountMax` memories of the last 90 days (some later than now), any edges among them, some of them paired. */
export function arbitraryGraph(nodeCountMax = 10): fc.Arbitrary<GraphSketch> {
  return fc.integer({ min: 1, max: nodeCountMax }).chain((count) =>
    fc
      .record({
        nodes: fc.array(
          fc.record({ ageHours: fc.integer({ min: -240, max: 2160 }), keywords: keywordSets, vector: vectors }),
          { minLength: count, maxLength: count },
        ),
        links: fc.array(
          fc.record({
            isEdge: fc.boolean(),
            weight: weights,
            boostMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 60 * dayMs })),
          }),
          { minLength: (count * (count - 1)) / 2, maxLength: (count * (count - 1)) / 2 },
        ),
        pairCount: fc.nat({ max: Math.floor(count / 2) }),
      })
      .map(({ nodes, links, pairCount }): GraphSketch => {
        const edges: Edge[] = [];
        let link = 0;
        for (let i = 0; i < count; i++) {
          for (let j = i + 1; j < count; j++) {
            const { isEdge, weight, boostMs } = links[link++]!;
            if (isEdge || pairOf(i, pairCount) === j) edges.push(edgeBetween(idOf(i), idOf(j), weight, boostMs));
          }
        }
        return {
          nodes: nodes.map(({ ageHours, keywords, vector }, i) => {
            const pair = pairOf(i, pairCount);
            return {
              id: idOf(i),
              initMs: nowMs - ageHours * hourMs,
              pairId: pair === null ? null : idOf(pair),
              keywords,
              vector,
            };
          }),
          edges,
        };
      }),
  );
}

export function idOf(index: number): string {
  return `m${String(index).padStart(3, "0")}`;
}

/** The first `pairCount` couples of neighbouring indices are pairs. */
function pairOf(index: number, pairCount: number): number | null {
  return index < pairCount * 2 ? index ^ 1 : null;
}

/** One new memory, with the outcome of the scans that come before Algorithm 1 decided by chance. */
export interface CommitSketch {
  readonly initMs: number;
  readonly keywords: readonly string[];
  readonly vector: readonly number[];
  readonly statements: readonly string[];
  /** Which of the memories so far it repeats, counted around; null for none. */
  readonly redundantWith: number | null;
  /** Whether the newer half of the pair that it repeats can go. */
  readonly mayGo: boolean;
  /** Similarity to the first, second, ... memory so far, counted around. */
  readonly similarities: readonly number[];
}

export const arbitraryCommit: fc.Arbitrary<CommitSketch> = fc.record({
  initMs: fc.integer({ min: 0, max: 90 * 24 }).map((hours) => nowMs - hours * hourMs),
  keywords: keywordSets,
  vector: vectors,
  statements: fc.subarray(["the knee hurts", "she walked to the garden", "12 tablets"]),
  redundantWith: fc.option(fc.nat({ max: 1000 }), { nil: null }),
  mayGo: fc.boolean(),
  // Few different weights, so that ties are common.
  similarities: fc.array(
    fc.integer({ min: 0, max: 20 }).map((twentieths) => twentieths / 20),
    {
      minLength: 1,
      maxLength: 23,
    },
  ),
});

/** Algorithm 1 from the point where the most redundant memory is known: the change that commits a new memory. */
export function commitChange(
  graph: MemoryGraph,
  id: string,
  { redundantWith, mayGo, similarities, ...sketch }: CommitSketch,
  parameters: Parameters,
): GraphChange {
  const existing = [...graph.nodes()];
  const similarityTo = new Map(existing.map((node, i) => [node.id, similarities[i % similarities.length]!]));
  const isRepetition = redundantWith !== null && existing.length > 0;
  const pairing = finish(
    decidePairingSteps(isRepetition ? existing[redundantWith % existing.length]! : null, graph, function* () {
      yield;
      return mayGo;
    }),
  );
  const neighbours = existing
    .map((node) => ({ id: node.id, weight: similarityTo.get(node.id)! }))
    .filter(({ weight }) => weight >= parameters.edgeThreshold);
  const { degreeMax } = parameters;
  if (pairing.case === "add") {
    const { putEdges, removeEdges } = connectNewNode(
      { id, neighbours, pairEdge: null, removedId: null },
      graph,
      degreeMax,
    );
    return changeOf({ putNodes: [embed({ id, ...sketch })], putEdges, removeEdges });
  }
  const { partner } = pairing;
  const added = embed({ id, pairId: partner.id, ...sketch });
  const { edge } = boostPairEdge(pairing, added.node, similarityTo.get(partner.id)!, graph, parameters);
  const removedId = pairing.case === "replace" ? pairing.removed.id : null;
  const releasedId = pairing.case === "release" ? pairing.released.id : null;
  const { putEdges, removeEdges } = connectNewNode(
    { id, neighbours, pairEdge: edge, removedId, releasedId },
    graph,
    degreeMax,
  );
  return {
    putNodes: [added],
    removeNodes: removedId === null ? [] : [removedId],
    putEdges: [...putEdges, ...unboostReleased(pairing, graph, removeEdges)],
    removeEdges,
    setPairs: [{ id: partner.id, pairId: id }, ...(releasedId === null ? [] : [{ id: releasedId, pairId: null }])],
    setEnds: [],
    setMarks: [],
    setMetadata: [],
  };
}

/** The change that takes a memory out; its pair is single again. */
export function removalChange(graph: MemoryGraph, id: string): GraphChange {
  const { pairId } = graph.node(id)!;
  return changeOf({ removeNodes: [id], setPairs: pairId === null ? [] : [{ id: pairId, pairId: null }] });
}
