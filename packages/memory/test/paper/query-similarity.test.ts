import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryGraph } from "../../src/graph/memory-graph.js";
import type { EmbeddedNode } from "../../src/graph/memory-node.js";
import { querySimilarities } from "../../src/paper/query-similarity.js";
import { contextScale } from "../../src/graph/vectors/statement-table.js";
import { parseParameters } from "../../src/parameters.js";
import { binCount, changeOf, dimensions, embed, statementOf, vectors } from "../graph/graph-fixtures.js";

const shares = fc.double({ min: 0, max: 1, noNaN: true });
const contextWeights = fc.double({ min: 0, max: 10, noNaN: true });
const directions = vectors.filter((vector) => vector.some((component) => component !== 0));

describe("S_query by hand, in two dimensions", () => {
  // The question points along x, the memory along y: cos(q, m) = 0.
  const question = Int8Array.of(100, 0);
  const memory = [0, 100];
  const parameters = parseParameters({ statementWeight: 0.75 });
  const similarity = (
    statements: Sketch["statements"],
    p = parameters,
    { said = [], questions = [] }: Partial<Sketch> = {},
  ): number => {
    const graph = new MemoryGraph(2, binCount);
    graph.apply(changeOf({ putNodes: [sketch("m", { memory, statements, said, questions })] }));
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

  it("of what was said and what a model wrote the best counts half each, however good the second of a kind", () => {
    const along = [100, 0];
    const across = [0, 100];
    expect(similarity([along, along], parameters, { said: [across] })).toBeCloseTo(0.75 * 0.4472135955, 9);
    expect(similarity([across], parameters, { said: [along, along] })).toBeCloseTo(0.75 * 0.4472135955, 9);
  });

  it("a question that the memory foresaw takes the place of the second cue where it comes closer, with its weight", () => {
    const along = [100, 0];
    // (0 + 0.5 cos(q, h)) / 2 with cos(q, h) = 1; the memory's own cue is at right angles.
    const weighted = { ...parameters, questionWeight: 0.5 };
    expect(similarity([], weighted, { said: [[0, 100]], questions: [along] })).toBeCloseTo(0.75 * 0.25, 9);
    expect(similarity([], weighted, { said: [[0, 100]], questions: [[0, 100], along] })).toBeCloseTo(0.75 * 0.25, 9);
    // 0.894427191 is more than 0.5: nothing changes, and a question that is about something else takes nothing away.
    for (const questions of [[along], [[-100, 0]]]) {
      expect(similarity([along], weighted, { said: [along], questions })).toBeCloseTo(0.75 * 0.894427191, 9);
    }
    expect(similarity([], { ...weighted, questionWeight: 0 }, { said: [[0, 100]], questions: [along] })).toBe(0);
  });

  it("in preset paper neither statements nor questions count", () => {
    expect(similarity([[100, 0]], parseParameters({}, "paper"), { questions: [[100, 0]] })).toBe(0);
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
  /** A model's. */
  readonly statements: readonly (readonly number[])[];
  readonly said: readonly (readonly number[])[];
  readonly questions: readonly (readonly number[])[];
}

const memories: fc.Arbitrary<Sketch> = fc.record({
  memory: directions,
  statements: fc.array(directions, { maxLength: 5 }),
  said: fc.array(directions, { maxLength: 5 }),
  questions: fc.array(directions, { maxLength: 3 }),
});
const steps = fc.array(fc.record({ id: fc.nat({ max: 5 }), memory: fc.option(memories, { nil: null }) }), {
  minLength: 1,
  maxLength: 25,
});

describe("S_query of a graph after any puts and removals", () => {
  it("is the formula of its comment, over plain numbers", () => {
    fc.assert(
      fc.property(steps, directions, shares, shares, (list, q, weight, questionWeight) => {
        const weights = { statementWeight: weight, questionWeight };
        const parameters = parseParameters(weights);
        const graph = new MemoryGraph(dimensions, binCount);
        const remaining = new Map<string, Sketch>();
        for (const { id, memory } of list) {
          const name = `m${id}`;
          if (memory === null) {
            graph.apply(changeOf({ removeNodes: [name] }));
            remaining.delete(name);
          } else {
            graph.apply(changeOf({ putNodes: [sketch(name, memory)] }));
            remaining.set(name, memory);
          }
        }
        const found = querySimilarities(graph, Int8Array.from(q), parameters);
        expect(found).toHaveLength(graph.slotCount);
        for (const [id, memory] of remaining) {
          const expected = naiveSimilarity(q, memory, weights);
          if (expected !== null) expect(found[graph.slotOf(id)]).toBeCloseTo(expected, 9);
        }
      }),
    );
  });
});

it("a question, a memory or a statement without direction is like nothing, and gives a number", () => {
  const zero = Array.from({ length: dimensions }, () => 0);
  const graph = new MemoryGraph(dimensions, binCount);
  const empty = { statements: [zero], said: [zero], questions: [zero] };
  const putNodes = [
    sketch("a", { memory: zero, ...empty }),
    sketch("b", { memory: [1, 2, 3, 4, 5, 6, 7, 8], ...empty }),
  ];
  graph.apply(changeOf({ putNodes }));
  for (const query of [zero, [1, 2, 3, 4, 5, 6, 7, 8]]) {
    const found = querySimilarities(graph, Int8Array.from(query), parseParameters());
    expect(found[graph.slotOf("a")]).toBe(0);
    expect(found.every(Number.isFinite)).toBe(true);
  }
});

function sketch(id: string, { memory, statements, said, questions }: Sketch): EmbeddedNode {
  const written = statements.map((_, i) => statementOf(`statement ${i}`, { turn: null, who: null, kind: "written" }));
  const texts = [...written, ...said.map((_, i) => `said ${i}`)];
  return {
    ...embed({ id, statements: texts, questions: questions.map((_, i) => `question ${i}?`) }),
    summaryVector: Int8Array.from(memory),
    hypotheticalVector: Int8Array.from(memory),
    statementVectors: [...statements, ...said].map((vector) => Int8Array.from(vector)),
    questionVectors: questions.map((vector) => Int8Array.from(vector)),
  };
}

/** Null where a mix of two directions leaves none. */
function naiveSimilarity(
  q: readonly number[],
  { memory, statements, said, questions }: Sketch,
  weights: Record<"statementWeight" | "questionWeight", number>,
): number | null {
  const { statementWeight, questionWeight } = weights;
  const mixes = [...statements, ...said].map((statement) => mix(statement, memory, 0.5));
  if (mixes.some((mixed) => length(mixed) < 1e-3)) return null;
  const whole = cosineOf(q, memory);
  if (mixes.length === 0) return whole;
  const values = mixes.map((mixed) => cosineOf(q, mixed));
  const [written, quoted] = [values.slice(0, statements.length), values.slice(statements.length)];
  const isBoth = written.length > 0 && quoted.length > 0;
  const [a, b = a] = isBoth ? [Math.max(...quoted), Math.max(...written)] : values.toSorted((x, y) => y - x);
  const foreseen = questions.map((question) => questionWeight * cosineOf(q, question));
  return (1 - statementWeight) * whole + (statementWeight * (a! + Math.max(b!, ...foreseen))) / 2;
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
