import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decay } from "../../src/paper/decay.js";
import { compareEdgesOf, otherEnd } from "../../src/graph/memory-node.js";
import { createRandom, type Random } from "../../src/text/random.js";
import { dayMs } from "../../src/text/time.js";
import { selectionProbability, type Traversal, traverse } from "../../src/paper/traversal.js";
import { type Parameters, parseParameters } from "../../src/parameters.js";
import { arbitraryGraph, buildGraph, daysAgo, edgeBetween, type GraphSketch, nowMs } from "../graph/graph-fixtures.js";

const noLimits = {
  recallNodeCountMax: 10_000,
  traversalNodeCountPerStartMax: 10_000,
};
const always: Random = () => 0;
const never: Random = () => 0.999_999;

describe("selection probability by hand: P = min(1, mu * weight * tau)", () => {
  it("mu 2, weight 0.6, tau 0.525 gives 0.63", () => {
    expect(selectionProbability(0.6, 0.525, 2)).toBeCloseTo(0.63, 12);
  });

  it("is cut off at 1 and at 0", () => {
    expect(selectionProbability(0.8, 0.9, 2)).toBe(1);
    expect(selectionProbability(-0.2, 0.9, 2)).toBe(0);
  });
});

describe("a walk by hand", () => {
  // a - b - c in a chain, a - d beside it; d is stronger than b.
  const graph = buildGraph({
    nodes: ["a", "b", "c", "d"].map((id) => ({ id, initMs: daysAgo(28) })),
    edges: [edgeBetween("a", "b", 0.6, 28 * dayMs), edgeBetween("b", "c", 0.6), edgeBetween("a", "d", 0.7)],
  });

  it("goes depth first, the strongest edge first", () => {
    const { recalled } = traverse(["a"], graph, nowMs, always, parseParameters(noLimits));
    expect(recalled).toEqual([
      { id: "a", startId: "a", fromId: null },
      { id: "d", startId: "a", fromId: "a" },
      { id: "b", startId: "a", fromId: "a" },
      { id: "c", startId: "a", fromId: "b" },
    ]);
  });

  it("notes every draw with what made its probability", () => {
    const { steps } = traverse(["a"], graph, nowMs, always, parseParameters(noLimits));
    // d: 28 days old, tau 0.525, 2 * 0.7 * 0.525 = 0.735
    expect(steps[0]).toMatchObject({ from: "a", to: "d", depth: 1, weight: 0.7, draw: 0, taken: true });
    expect(steps[0]!.probability).toBeCloseTo(0.735, 12);
    expect(steps[0]!.decay).toBeCloseTo(0.525, 12);
    // b: 28 days old, boosted by 28: effectively new, 2 * 0.6 * 1 = 1.2, cut off at 1
    expect(steps[1]).toMatchObject({ from: "a", to: "b", depth: 1, effectiveAgeMs: 0, decay: 1, probability: 1 });
    // c: 28 days old over an edge that was not boosted: 2 * 0.6 * 0.525 = 0.63
    expect(steps[2]).toMatchObject({ from: "b", to: "c", depth: 2, boostMs: 0, effectiveAgeMs: 28 * dayMs });
    expect(steps[2]!.probability).toBeCloseTo(0.63, 12);
    expect(steps).toHaveLength(3);
  });

  it("without luck recalls its starts only", () => {
    const old = traverse(["d", "c"], graph, nowMs, never, parseParameters(noLimits));
    expect(old.recalled.map(({ id }) => id)).toEqual(["d", "c"]);
    expect(old.steps.map(({ taken }) => taken)).toEqual([false, false]);
  });

  it("holds all its starts before any walk begins, so no walk takes another's", () => {
    const { recalled } = traverse(["a", "b"], graph, nowMs, always, parseParameters(noLimits));
    expect(recalled.map(({ id, startId }) => `${startId}: ${id}`)).toEqual(["a: a", "b: b", "a: d", "b: c"]);
  });

  it("does not go to a memory later than now", () => {
    const later = buildGraph({
      nodes: [{ id: "a" }, { id: "b", initMs: nowMs + 1 }, { id: "c" }],
      edges: [edgeBetween("a", "b", 0.9), edgeBetween("b", "c", 0.9)],
    });
    const { recalled, steps } = traverse(["a"], later, nowMs, always, parseParameters(noLimits));
    expect(recalled.map(({ id }) => id)).toEqual(["a"]);
    expect(steps).toEqual([]);
    expect(traverse(["a"], later, nowMs + 1, always, parseParameters(noLimits)).recalled).toHaveLength(3);
  });

  it("ends at each of its limits and says which", () => {
    const limited = (limits: Partial<Record<string, number>>): Traversal =>
      traverse(["a"], graph, nowMs, always, parseParameters({ ...noLimits, ...limits }));
    const perStart = limited({ traversalNodeCountPerStartMax: 1 });
    expect(perStart.recalled.map(({ id }) => id)).toEqual(["a", "d"]);
    expect(perStart.limitsReached).toEqual(["traversalNodeCountPerStartMax"]);
    const inAll = limited({ recallNodeCountMax: 3 });
    expect(inAll.recalled.map(({ id }) => id)).toEqual(["a", "d", "b"]);
    expect(inAll.limitsReached).toEqual(["recallNodeCountMax"]);
    expect(limited({}).limitsReached).toEqual([]);
  });

  it("on a long chain ends at the limit of its steps", () => {
    const ids = Array.from({ length: 2_000 }, (_, i) => `n${i}`);
    const chain = buildGraph({
      nodes: ids.map((id) => ({ id, summaryText: "" })),
      edges: ids.slice(1).map((id, i) => edgeBetween(ids[i]!, id, 0.9)),
    });
    const parameters = parseParameters({
      recallNodeCountMax: 10_000,
      traversalNodeCountPerStartMax: 10_000,
    });
    const walk = traverse(["n0"], chain, nowMs, always, parameters);
    expect([walk.recalled.length, walk.steps.length, walk.limitsReached]).toEqual([
      1001,
      1000,
      ["traversalStepCountMax"],
    ]);
  });
});

describe("a walk over any graph", () => {
  const walks = fc
    .record({
      sketch: arbitraryGraph(),
      starts: fc.subarray([...Array(10).keys()], { minLength: 1, maxLength: 4 }),
      seed: fc.integer(),
      mu: fc.double({ min: 0, max: 4, noNaN: true }),
    })
    .map(({ sketch, starts, seed, mu }) => {
      const known = sketch.nodes.filter(({ initMs }) => initMs! <= nowMs).map(({ id }) => id);
      const startIds = [...new Set(starts.flatMap((index) => known[index] ?? []))].reverse();
      return { sketch, startIds, seed, mu };
    });
  const limits = fc.record({
    recallNodeCountMax: fc.integer({ min: 1, max: 8 }),
    traversalNodeCountPerStartMax: fc.integer({ min: 0, max: 4 }),
  });

  it("without limits is the recursion of Algorithm 2", () => {
    fc.assert(
      fc.property(walks, ({ sketch, startIds, seed, mu }) => {
        const parameters = parseParameters({ ...noLimits, explorationFactor: mu });
        const found = traverse(startIds, buildGraph(sketch), nowMs, createRandom(seed), parameters);
        const naive = recallTraversal(startIds, sketch, createRandom(seed), parameters);
        expect(found.recalled.map(({ id }) => id)).toEqual(naive.recalledIds);
        expect(found.steps.map(({ draw }) => draw)).toEqual(naive.draws);
        expect(found.limitsReached).toEqual([]);
      }),
    );
  });

  it("from one start is cut short by a limit, not changed by it", () => {
    fc.assert(
      fc.property(walks, limits, ({ sketch, startIds, seed }, values) => {
        const graph = buildGraph(sketch);
        const startId = startIds.slice(0, 1);
        const whole = traverse(startId, graph, nowMs, createRandom(seed), parseParameters(noLimits));
        const cut = traverse(startId, graph, nowMs, createRandom(seed), parseParameters(values));
        expect(whole.steps.slice(0, cut.steps.length)).toEqual(cut.steps);
        expect(whole.recalled.slice(0, cut.recalled.length)).toEqual(cut.recalled);
        if (cut.steps.length < whole.steps.length) expect(cut.limitsReached).not.toEqual([]);
      }),
    );
  });

  it("recalls nothing twice, nothing later than now, and each memory over an edge from one it recalled before", () => {
    fc.assert(
      fc.property(walks, limits, ({ sketch, startIds, seed }, values) => {
        const graph = buildGraph(sketch);
        const { recalled } = traverse(startIds, graph, nowMs, createRandom(seed), parseParameters(values));
        const ids = recalled.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        recalled.forEach(({ id, fromId, startId }, i) => {
          expect(graph.node(id)!.initMs).toBeLessThanOrEqual(nowMs);
          if (fromId === null) expect(startIds).toContain(id);
          else {
            expect(graph.edge(fromId, id)).toBeDefined();
            expect(recalled.slice(0, i)).toContainEqual(expect.objectContaining({ id: fromId, startId }));
          }
        });
      }),
    );
  });

  it("notes for each step the probability of its formula and takes it just when the draw is below", () => {
    fc.assert(
      fc.property(walks, ({ sketch, startIds, seed, mu }) => {
        const graph = buildGraph(sketch);
        const parameters = parseParameters({ ...noLimits, explorationFactor: mu });
        const { recalled, steps } = traverse(startIds, graph, nowMs, createRandom(seed), parameters);
        for (const step of steps) {
          const edge = graph.edge(step.from, step.to)!;
          const age = nowMs - graph.node(step.to)!.initMs - edge.boostMs;
          expect(step.effectiveAgeMs).toBe(age);
          expect(step.probability).toBeCloseTo(Math.min(1, mu * edge.weight * decay(age, parameters)), 12);
          expect(step.taken).toBe(step.draw < step.probability);
        }
        const taken = steps.filter((step) => step.taken).map(({ to }) => to);
        expect(recalled.filter(({ fromId }) => fromId !== null).map(({ id }) => id)).toEqual(taken);
      }),
    );
  });

  it("does not depend on the order in which memories and edges were put", () => {
    fc.assert(
      fc.property(walks, ({ sketch, startIds, seed }) => {
        const turned = { nodes: sketch.nodes.toReversed(), edges: sketch.edges.toReversed() };
        const walk = (drawn: GraphSketch): Traversal =>
          traverse(startIds, buildGraph(drawn), nowMs, createRandom(seed), parseParameters());
        expect(walk(turned)).toEqual(walk(sketch));
      }),
    );
  });
});

/** Algorithm 2 as printed, over the plain lists; all starts are in V and R before the first walk. */
function recallTraversal(
  startIds: readonly string[],
  { nodes, edges }: GraphSketch,
  random: Random,
  parameters: Parameters,
): { recalledIds: string[]; draws: number[] } {
  const visited = new Set(startIds);
  const recalledIds = [...startIds];
  const draws: number[] = [];
  const initMs = new Map(nodes.map((node) => [node.id, node.initMs!]));
  const explore = (current: string): void => {
    const own = edges.filter(({ a, b }) => a === current || b === current).toSorted(compareEdgesOf(current));
    for (const edge of own) {
      const neighbour = otherEnd(edge, current);
      if (visited.has(neighbour) || initMs.get(neighbour)! > nowMs) continue;
      const tau = decay(nowMs - initMs.get(neighbour)! - edge.boostMs, parameters);
      const draw = random();
      draws.push(draw);
      if (draw < edge.weight * tau * parameters.explorationFactor) {
        visited.add(neighbour);
        recalledIds.push(neighbour);
        explore(neighbour);
      }
    }
  };
  for (const startId of startIds) explore(startId);
  return { recalledIds, draws };
}
