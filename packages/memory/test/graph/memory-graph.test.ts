import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quantileBins } from "../../src/paper/entropy.js";
import { findViolations } from "../../src/graph/graph-violations.js";
import { MemoryGraph } from "../../src/graph/memory-graph.js";
import { type Edge, type EmbeddedNode, compareEdgesOf, otherEnd } from "../../src/graph/memory-node.js";
import { parseParameters } from "../../src/parameters.js";
import {
  arbitraryCommit,
  binCount,
  buildGraph,
  changeOf,
  commitChange,
  dimensions,
  edgeBetween,
  embed,
  idOf,
  keywordPool,
  type NodeSketch,
  removalChange,
} from "./graph-fixtures.js";
import { splitTerms } from "../../src/text/words.js";

const parameters = parseParameters({ degreeMax: 4 });

/** Commits, replacements of a memory by itself, and removals. */
const histories = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ commit: arbitraryCommit }) },
    { weight: 1, arbitrary: fc.record({ remove: fc.nat({ max: 1000 }) }) },
    { weight: 1, arbitrary: fc.record({ putAgain: fc.nat({ max: 1000 }), as: arbitraryCommit }) },
  ),
  { maxLength: 30 },
);
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

describe("after any history of commits and removals", () => {
  it("no promise is broken", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const graph = new MemoryGraph(dimensions, binCount);
        replay(graph, history, () => expect(findViolations(graph, parameters.degreeMax)).toEqual([]));
      }),
    );
  });

  it("nodes and edges are those of a plain list of both", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const graph = new MemoryGraph(dimensions, binCount);
        const model = replay(graph, history);
        expect(graph.nodeCount).toBe(model.nodes.size);
        expect(graph.edgeCount).toBe(model.edges.length);
        expect([...graph.nodes()].map(({ id }) => id).sort()).toEqual([...model.nodes.keys()].sort());
        expect([...graph.edges()].sort(byEnds)).toEqual([...model.edges].sort(byEnds));
        for (const [id, { node }] of model.nodes) {
          const own = model.edges.filter(({ a, b }) => a === id || b === id).sort(compareEdgesOf(id));
          expect(graph.node(id)).toEqual(node);
          expect(graph.edgesOf(id)).toEqual(own);
          expect(graph.degree(id)).toBe(own.length);
          for (const edge of own) expect(graph.edge(id, otherEnd(edge, id))).toEqual(edge);
        }
      }),
    );
  });

  it("what lies beside the nodes by slot is theirs, and empty slots say so", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const graph = new MemoryGraph(dimensions, binCount);
        const model = replay(graph, history);
        const used = new Set<number>();
        for (const [id, { node, summaryVector, hypotheticalVector }] of model.nodes) {
          const slot = graph.slotOf(id);
          used.add(slot);
          expect(slot).toBeLessThan(graph.slotCount);
          expect(graph.nodeAt(slot)).toEqual(node);
          expect(graph.initMs[slot]).toBe(node.initMs);
          expect(graph.keywordCounts[slot]).toBe(node.keywords.length);
          expect(graph.summaryVectors.get(slot)).toEqual(summaryVector);
          expect(graph.hypotheticalVectors.get(slot)).toEqual(hypotheticalVector);
          expect(binsAt(graph, slot)).toEqual([...quantileBins(summaryVector, binCount)]);
        }
        expect(used.size).toBe(graph.nodeCount);
        for (let slot = 0; slot < graph.slotCount; slot++) {
          if (used.has(slot)) continue;
          expect(graph.initMs[slot]).toBeNaN();
          expect([...graph.summaryVectors.get(slot)]).toEqual(Array.from({ length: dimensions }, () => 0));
        }
      }),
    );
  });

  it("each statement has a row that names its memory, and no other row names one", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const graph = new MemoryGraph(dimensions, binCount);
        const model = replay(graph, history);
        const expected = [...model.nodes]
          .flatMap(([id, { statementVectors }]) => statementVectors.map((vector) => `${id}: ${vector.join()}`))
          .sort();
        const found: string[] = [];
        for (let row = 0; row < graph.statements.vectors.rowCount; row++) {
          const slot = graph.statements.slots[row]!;
          if (slot >= 0) found.push(`${graph.nodeAt(slot).id}: ${graph.statements.vectors.get(row).join()}`);
        }
        expect(found.sort()).toEqual(expected);
      }),
    );
  });

  it("keywords, texts and bytes are those of a graph built fresh from what remains", () => {
    fc.assert(
      fc.property(histories, fc.subarray([...keywordPool]), (history, keywords) => {
        const graph = new MemoryGraph(dimensions, binCount);
        const model = replay(graph, history);
        const fresh = new MemoryGraph(dimensions, binCount);
        fresh.apply(changeOf({ putNodes: [...model.nodes.values()], putEdges: model.edges }));
        expect(graph.byteCount).toBe(fresh.byteCount);
        expect(byId(graph, graph.sharedKeywords(keywords))).toEqual(byId(fresh, fresh.sharedKeywords(keywords)));
        expect(graph.lexicalIndex.documentCount).toBe(model.nodes.size);
        expect(graph.lexicalIndex.termCount).toBe(fresh.lexicalIndex.termCount);
        const query = `summary m003 m007 ${keywords.join(" ")}`;
        expect(byId(graph, coveragesOf(graph, query))).toEqual(byId(fresh, coveragesOf(fresh, query)));
      }),
    );
  });

  it("a graph emptied again weighs nothing", () => {
    fc.assert(
      fc.property(histories, (history) => {
        const graph = new MemoryGraph(dimensions, binCount);
        replay(graph, history);
        graph.apply(changeOf({ removeNodes: [...graph.nodes()].map(({ id }) => id) }));
        expect([graph.nodeCount, graph.edgeCount, graph.byteCount]).toEqual([0, 0, 0]);
        expect(graph.lexicalIndex.termCount).toBe(0);
        expect(graph.sharedKeywords(keywordPool).size).toBe(0);
      }),
    );
  });
});

describe("a graph by hand", () => {
  it("counts a byte for each dimension of each vector and for each character, and something for each edge", () => {
    const bytes = (sketch: Partial<NodeSketch>): number =>
      buildGraph({ nodes: [{ id: "a", summaryText: "", ...sketch }], edges: [] }).byteCount;
    expect(bytes({ summaryText: "hello" }) - bytes({})).toBe(5);
    expect(bytes({ statements: ["one", "three"] }) - bytes({})).toBe(2 * dimensions + 8);
    expect(bytes({ questions: ["where?"] }) - bytes({})).toBe(dimensions + 6);
    // At least the summary's vector, its bins and the hypothetical query's vector.
    expect(bytes({})).toBeGreaterThanOrEqual(3 * dimensions);
    const graph = buildGraph({ nodes: [{ id: "a" }, { id: "b" }], edges: [] });
    expect(graph.byteCount).toBe(graph.bytesOf(graph.node("a")!) + graph.bytesOf(graph.node("b")!));
    const before = graph.byteCount;
    graph.apply(changeOf({ putEdges: [edgeBetween("a", "b", 0.5)] }));
    expect(graph.byteCount).toBeGreaterThan(before);
    graph.apply(changeOf({ removeEdges: [["a", "b"]] }));
    expect(graph.byteCount).toBe(before);
  });

  it("finds a memory by its summary and by the words of the interaction", () => {
    const graph = buildGraph({
      nodes: [{ id: "a", summaryText: "The knee improved.", fullText: "Grandma phoned about bandages." }],
      edges: [],
    });
    for (const query of ["knee", "bandage"]) {
      expect([...coveragesOf(graph, query).keys()]).toEqual([graph.slotOf("a")]);
    }
  });

  it("finds a memory by what a model's keywords add, once each, and not by numbers of the model's own", () => {
    const texts = { summaryText: "Penicillin gave her a rash.", fullText: "user: Penicillin gave me a rash." };
    const keywords = ["allergy", "drug allergies", "penicillin", "rash in 2019"];
    const graphOf = (each: readonly string[]): MemoryGraph =>
      buildGraph({ nodes: [{ id: "a", ...texts, keywords: each }], edges: [] });
    const coverage = (query: string, each = keywords): number => coveragesOf(graphOf(each), query).get(0) ?? 0;
    expect(coverage("allergy")).toBeGreaterThan(0);
    expect(coverage("allergy")).toBe(coverage("drug"));
    expect(coverage("allergy")).toBeLessThan(coverage("penicillin"));

    expect([coverage("2019"), coverage("allergy", [])]).toEqual([0, 0]);
  });
});

describe("violations", () => {
  it("name a memory with too many edges", () => {
    const graph = buildGraph({
      nodes: [{ id: "a" }, { id: "b" }, { id: "c" }],
      edges: [edgeBetween("a", "b", 0.7), edgeBetween("a", "c", 0.5)],
    });
    expect(findViolations(graph, 1)).toEqual(["a has 2 edges"]);
  });

  it("name an edge to nowhere", () => {
    const graph = buildGraph({ nodes: [{ id: "a" }], edges: [edgeBetween("a", "gone", 0.7)] });
    expect(findViolations(graph, 4)).toEqual(["edge a - gone dangles"]);
  });

  it("name an edge of a memory to itself", () => {
    const graph = buildGraph({ nodes: [{ id: "a" }], edges: [edgeBetween("a", "a", 0.7)] });
    expect(findViolations(graph, 4)).toContain("a has an edge to itself");
  });

  it("name a one-sided pair and a pair without its edge", () => {
    const oneSided = buildGraph({
      nodes: [{ id: "a", pairId: "b" }, { id: "b" }],
      edges: [edgeBetween("a", "b", 0.7)],
    });
    expect(findViolations(oneSided, 4)).toEqual(["a is paired on one side only"]);
    const gone = buildGraph({ nodes: [{ id: "a", pairId: "gone" }], edges: [] });
    expect(findViolations(gone, 4)).toEqual(["a is paired on one side only", "pair of a has no edge"]);
    const edgeless = buildGraph({
      nodes: [
        { id: "a", pairId: "b" },
        { id: "b", pairId: "a" },
      ],
      edges: [],
    });
    expect(findViolations(edgeless, 4)).toEqual(["pair of a has no edge", "pair of b has no edge"]);
  });
});

interface Model {
  readonly nodes: Map<string, EmbeddedNode>;
  edges: Edge[];
}

/** Applies the history to the graph and, in the plainest way, to a list of nodes and edges. */
function replay(graph: MemoryGraph, history: History, afterEach: () => void = () => undefined): Model {
  const model: Model = { nodes: new Map(), edges: [] };
  history.forEach((event, i) => {
    const change = changeFor(graph, event, i);
    graph.apply(change);
    const isGone = ({ a, b }: Edge): boolean =>
      change.removeNodes.includes(a) ||
      change.removeNodes.includes(b) ||
      change.removeEdges.some(([x, y]) => x === a && y === b);
    model.edges = model.edges.filter((edge) => !isGone(edge));
    for (const id of change.removeNodes) model.nodes.delete(id);
    for (const embedded of change.putNodes) model.nodes.set(embedded.node.id, embedded);
    for (const { id, pairId } of change.setPairs) {
      const embedded = model.nodes.get(id)!;
      model.nodes.set(id, { ...embedded, node: { ...embedded.node, pairId } });
    }
    const isPutAgain = (edge: Edge): boolean => change.putEdges.some(({ a, b }) => a === edge.a && b === edge.b);
    model.edges = [...model.edges.filter((edge) => !isPutAgain(edge)), ...change.putEdges];
    afterEach();
  });
  return model;
}

function changeFor(graph: MemoryGraph, event: History[number], i: number): ReturnType<typeof changeOf> {
  if ("commit" in event) return commitChange(graph, idOf(i), event.commit, parameters);
  const existing = [...graph.nodes()];
  if (existing.length === 0) return changeOf({});
  if ("remove" in event) return removalChange(graph, existing[event.remove % existing.length]!.id);
  const { id, pairId } = existing[event.putAgain % existing.length]!;
  const { keywords, vector, statements, initMs } = event.as;
  return changeOf({ putNodes: [embed({ id, pairId, keywords, vector, statements, initMs })] });
}

function byEnds(x: Edge, y: Edge): number {
  return `${x.a} ${x.b}` < `${y.a} ${y.b}` ? -1 : 1;
}

function byId(graph: MemoryGraph, bySlot: ReadonlyMap<number, number>): [string, number][] {
  return [...bySlot]
    .map(([slot, value]): [string, number] => [graph.nodeAt(slot).id, value])
    .sort(([x], [y]) => (x < y ? -1 : 1));
}

function binsAt({ bins }: MemoryGraph, slot: number): number[] {
  return [...bins.at(slot)];
}

function coveragesOf(graph: MemoryGraph, question: string): Map<number, number> {
  const out = new Float64Array(graph.slotCount);
  graph.lexicalIndex.coverages(splitTerms(question), out);
  return new Map([...out.entries()].filter(([, coverage]) => coverage > 0));
}
