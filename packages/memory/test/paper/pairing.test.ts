import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { MemoryGraph } from "../../src/graph/memory-graph.js";
import type { MemoryNode } from "../../src/graph/memory-node.js";
import { type Pairing, boostPairEdge, decidePairingSteps } from "../../src/paper/pairing.js";
import { finish } from "../../src/text/steps.js";
import { dayMs } from "../../src/text/time.js";
import { parseParameters } from "../../src/parameters.js";
import { arbitraryGraph, buildGraph, daysAgo, edgeBetween, nowMs } from "../graph/graph-fixtures.js";

const parameters = parseParameters();

/** `mayGo`: whether the newer half of a pair says nothing of its own. */
function decidePairing(found: MemoryNode | null, graph: MemoryGraph, mayGo = true): Pairing {
  return finish(
    decidePairingSteps(found, graph, function* () {
      yield;
      return mayGo;
    }),
  );
}

const pairOfTwo = {
  nodes: [
    { id: "second", initMs: daysAgo(20), pairId: "first" },
    { id: "first", initMs: daysAgo(30), pairId: "second" },
    { id: "single", initMs: daysAgo(3) },
  ],
  edges: [{ ...edgeBetween("first", "second", 0.8, 10 * dayMs), boostedMs: daysAgo(20) }],
};

describe("the three cases of Algorithm 1", () => {
  const graph = buildGraph(pairOfTwo);

  it("1: nothing says the same, so the memory is added", () => {
    expect(decidePairing(null, graph)).toEqual({ case: "add" });
  });

  it("2: an unpaired memory says the same, so the two become a pair", () => {
    expect(decidePairing(graph.node("single")!, graph)).toEqual({ case: "pair", partner: graph.node("single") });
  });

  it("3: a paired one does, so the newer half goes, whichever half was found", () => {
    const expected = { case: "replace", partner: graph.node("first"), removed: graph.node("second") };
    expect(decidePairing(graph.node("first")!, graph)).toEqual(expected);
    expect(decidePairing(graph.node("second")!, graph)).toEqual(expected);
  });

  it("3: the newer half stays, without a pair, where it says something of its own", () => {
    const expected = { case: "release", partner: graph.node("first"), released: graph.node("second") };
    expect(decidePairing(graph.node("first")!, graph, false)).toEqual(expected);
    expect(decidePairing(graph.node("second")!, graph, false)).toEqual(expected);
  });

  it("3: of two halves of the same moment the one with the later id goes", () => {
    const twins = buildGraph({
      nodes: [
        { id: "b", pairId: "a" },
        { id: "a", pairId: "b" },
      ],
      edges: [edgeBetween("a", "b", 0.9)],
    });
    expect(decidePairing(twins.node("b")!, twins)).toMatchObject({ partner: { id: "a" }, removed: { id: "b" } });
  });
});

describe("the boost of a pair's edge by hand", () => {
  const graph = buildGraph(pairOfTwo);

  it("2: the first boost measures from when the older memory began", () => {
    // Three days since the partner: t_crit, so half of 21 days.
    const pairing = decidePairing(graph.node("single")!, graph);
    if (pairing.case === "add") throw new Error("a pair was expected");
    const { rewindMs, edge } = boostPairEdge(pairing, { id: "new", initMs: nowMs }, 0.7, graph, parameters);
    expect(rewindMs).toBeCloseTo(10.5 * dayMs, 3);
    expect(edge).toEqual({ a: "new", b: "single", weight: 0.7, boostMs: rewindMs, boostedMs: nowMs });
  });

  it("3: the new edge takes over what the removed pair's edge had gathered, and measures from its last boost", () => {
    // Inherited 10 days; 23 days since the last boost would give nearly all, 3 days give half: 10 + 10.5.
    const pairing = decidePairing(graph.node("second")!, graph);
    if (pairing.case === "add") throw new Error("a replacement was expected");
    const { rewindMs, edge } = boostPairEdge(pairing, { id: "third", initMs: daysAgo(17) }, 0.6, graph, parameters);
    expect(rewindMs).toBeCloseTo(10.5 * dayMs, 3);
    expect(edge).toMatchObject({ a: "first", b: "third", weight: 0.6, boostedMs: daysAgo(17) });
    expect(edge.boostMs).toBeCloseTo(20.5 * dayMs, 3);
  });

  it("3: a pair whose newer half stays passes its boost on as one that is replaced does", () => {
    const added = { id: "third", initMs: daysAgo(17) };
    const [replaced, released] = [true, false].map((mayGo) => {
      const pairing = decidePairing(graph.node("second")!, graph, mayGo);
      if (pairing.case === "add") throw new Error("a partner was expected");
      return boostPairEdge(pairing, added, 0.6, graph, parameters);
    });
    expect(released).toEqual(replaced);
    expect(released!.edge.boostMs).toBeCloseTo(20.5 * dayMs, 3);
  });

  it("3: a memory submitted late does not set the last boost back", () => {
    const pairing = decidePairing(graph.node("second")!, graph);
    if (pairing.case === "add") throw new Error("a replacement was expected");
    const { rewindMs, edge } = boostPairEdge(pairing, { id: "late", initMs: daysAgo(25) }, 0.6, graph, parameters);
    expect(edge.boostedMs).toBe(daysAgo(20));
    // Five days before the last boost: 21 / (1 + e^8) days.
    expect(rewindMs / dayMs).toBeCloseTo(21 / (1 + Math.exp(8)), 9);
  });
});

it("in any graph a boost adds at most Delta_max and never takes away", () => {
  fc.assert(
    fc.property(
      arbitraryGraph(),
      fc.nat(),
      fc.integer({ min: nowMs - 90 * dayMs, max: nowMs }),
      (sketch, index, initMs) => {
        const graph = buildGraph(sketch);
        const found = graph.node(sketch.nodes[index % sketch.nodes.length]!.id)!;
        const pairing = decidePairing(found, graph);
        if (pairing.case === "add") throw new Error("a partner was expected");
        const { rewindMs, edge } = boostPairEdge(pairing, { id: "new", initMs }, 0.5, graph, parameters);
        const inherited = pairing.case === "replace" ? graph.edge(pairing.partner.id, pairing.removed.id)! : null;
        expect(rewindMs).toBeGreaterThanOrEqual(0);
        expect(rewindMs).toBeLessThanOrEqual(21 * dayMs);
        expect(edge.boostMs).toBe((inherited?.boostMs ?? 0) + rewindMs);
        expect(edge.boostedMs).toBeGreaterThanOrEqual(inherited?.boostedMs ?? 0);
        if (pairing.case === "replace") {
          expect(pairing.partner.initMs).toBeLessThanOrEqual(pairing.removed.initMs);
          expect(pairing.partner.pairId).toBe(pairing.removed.id);
        }
      },
    ),
  );
});
