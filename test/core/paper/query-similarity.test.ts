import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryGraph } from "../../../src/core/graph/memory-graph.js";
import type { EmbeddedNode } from "../../../src/core/graph/memory-node.js";
import { querySimilarities } from "../../../src/core/paper/query-similarity.js";
import { contextScale } from "../../../src/core/vectors/statement-table.js";
import { parseParameters } from "../../../src/parameters.js";
import { binCount, changeOf, dimensions, embed, vectors } from "../graph/graph-fixtures.js";

const shares = fc.double({ min: 0, max: 1, noNaN: true });
const contextWeights = fc.double({ min: 0, max: 10, noNaN: true });
const directions = vectors.filter((vector) => vector.some((component) => component !== 0));

describe("S_query by hand, in two dimensions", () => {
  // The question points along x, the memory along y: cos(q, m) = 0.
  const question = Int8Array.of(100, 0);
  const memory = [0, 100];
  const parameters = parseParameters({ statementWeight: 0.75, statementContextWeight: 0.5 });
  const similarity = (statements: readonly (readonly number[])[], p = parameters): number => {
    const graph = new MemoryGraph(2, binCount);
    graph.apply(changeOf({ putNodes: [sketch("m", memory, statements)] }));
    return querySimilarities(graph, question, p)[0]!;
  };

  it("without statements it is cos(q, m)", () => {
    expect(similarity([])).toBe(0);
  });

  it("one statement along the question: 0.75 / sqrt(1 + 0.25)", () => {
    // s + m / 2 = (1, 0.5), its cosine with x is 1 / sqrt(1.25) = 0.894427191
    expect(similarity([[100, 0]])).toBeCloseTo(0.75 * 0.894427191, 9);
  });

  it("of three statements the two best count half each", () => {
    // Along the question 0.894427191; along the memory 0; against the question -0.894427191.
    expect(
      similarity([
        [-100, 0],
        [0, 100],
        [100, 0],
      ]),
    ).toBeCloseTo(0.75 * 0.4472135955, 9);
  });

  it("a statement that says the opposite of its memory, mixed one to one, says nothing", () => {
    expect(similarity([[0, -100]], { ...parameters, statementContextWeight: 1 })).toBe(0);
  });

  it("in preset paper statements do not count", () => {
    expect(similarity([[100, 0]], parseParameters({}, "paper"))).toBe(0);
  });
});

it("a cosine in context is the one of the mixed vectors", () => {
  fc.assert(
    fc.property(directions, directions, directions, contextWeights, (q, s, m, weight) => {
      const mixed = mix(s, m, weight);
      // Where the two nearly cancel each other there is no direction left to compare.
      fc.pre(length(mixed) > 1e-3);
      const found = (cosineOf(q, s) + weight * cosineOf(q, m)) * contextScale(cosineOf(s, m), weight);
      expect(found).toBeCloseTo(cosineOf(q, mixed), 9);
    }),
  );
});

interface Sketch {
  readonly memory: readonly number[];
  readonly statements: readonly (readonly number[])[];
}

const memories: fc.Arbitrary<Sketch> = fc.record({
  memory: directions,
  statements: fc.array(directions, { maxLength: 5 }),
});
const steps = fc.array(fc.record({ id: fc.nat({ max: 5 }), memory: fc.option(memories, { nil: null }) }), {
  minLength: 1,
  maxLength: 25,
});

describe("S_query of a graph after any puts and removals", () => {
  it("is the formula of its comment, over plain numbers", () => {
    fc.assert(
      fc.property(steps, directions, shares, contextWeights, (list, q, statementWeight, statementContextWeight) => {
        const parameters = parseParameters({ statementWeight, statementContextWeight });
        const graph = new MemoryGraph(dimensions, binCount);
        const remaining = new Map<string, Sketch>();
        for (const { id, memory } of list) {
          const name = `m${id}`;
          if (memory === null) {
            graph.apply(changeOf({ removeNodes: [name] }));
            remaining.delete(name);
          } else {
            graph.apply(changeOf({ putNodes: [sketch(name, memory.memory, memory.statements)] }));
            remaining.set(name, memory);
          }
        }
        const found = querySimilarities(graph, Int8Array.from(q), parameters);
        expect(found).toHaveLength(graph.slotCount);
        for (const [id, memory] of remaining) {
          const expected = naiveSimilarity(q, memory, statementWeight, statementContextWeight);
          if (expected !== null) expect(found[graph.slotOf(id)]).toBeCloseTo(expected, 9);
        }
      }),
    );
  });

  it("lies between -1 and 1", () => {
    fc.assert(
      fc.property(fc.array(memories, { minLength: 1, maxLength: 5 }), directions, shares, (list, q, weight) => {
        const graph = new MemoryGraph(dimensions, binCount);
        graph.apply(
          changeOf({ putNodes: list.map(({ memory, statements }, i) => sketch(`m${i}`, memory, statements)) }),
        );
        for (const value of querySimilarities(graph, Int8Array.from(q), parseParameters({ statementWeight: weight }))) {
          expect(Math.abs(value)).toBeLessThanOrEqual(1 + 1e-9);
        }
      }),
    );
  });
});

it("an empty graph has nothing to compare with", () => {
  expect(
    querySimilarities(new MemoryGraph(dimensions, binCount), new Int8Array(dimensions), parseParameters()),
  ).toEqual(new Float64Array(0));
});

it("a question, a memory or a statement without direction is like nothing, and gives a number", () => {
  const zero = Array.from({ length: dimensions }, () => 0);
  const graph = new MemoryGraph(dimensions, binCount);
  graph.apply(changeOf({ putNodes: [sketch("a", zero, [zero]), sketch("b", [1, 2, 3, 4, 5, 6, 7, 8], [zero, zero])] }));
  for (const query of [zero, [1, 2, 3, 4, 5, 6, 7, 8]]) {
    const found = querySimilarities(graph, Int8Array.from(query), parseParameters());
    expect(found[graph.slotOf("a")]).toBe(0);
    expect(found.every(Number.isFinite)).toBe(true);
  }
});

function sketch(id: string, memory: readonly number[], statements: readonly (readonly number[])[]): EmbeddedNode {
  return {
    ...embed({ id, statements: statements.map((_, i) => `statement ${i}`) }),
    summaryVector: Int8Array.from(memory),
    hypotheticalVector: Int8Array.from(memory),
    statementVectors: statements.map((vector) => Int8Array.from(vector)),
  };
}

/** Null where a mix of two directions leaves none. */
function naiveSimilarity(
  q: readonly number[],
  { memory, statements }: Sketch,
  weight: number,
  contextWeight: number,
): number | null {
  const mixes = statements.map((statement) => mix(statement, memory, contextWeight));
  if (mixes.some((mixed) => length(mixed) < 1e-3)) return null;
  const best = mixes
    .map((mixed) => cosineOf(q, mixed))
    .sort((x, y) => y - x)
    .slice(0, 2);
  const whole = cosineOf(q, memory);
  if (best.length === 0) return whole;
  return (1 - weight) * whole + weight * (best.reduce((sum, value) => sum + value, 0) / best.length);
}

function mix(s: readonly number[], m: readonly number[], weight: number): number[] {
  return s.map((component, i) => component / length(s) + (weight * m[i]!) / length(m));
}

function cosineOf(x: readonly number[], y: readonly number[]): number {
  return x.reduce((sum, component, i) => sum + component * y[i]!, 0) / (length(x) * length(y));
}

function length(vector: readonly number[]): number {
  return Math.hypot(...vector);
}
