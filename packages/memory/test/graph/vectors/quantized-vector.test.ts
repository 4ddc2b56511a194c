import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cosine, dot, meanVector, quantizeVector } from "../../../src/graph/vectors/quantized-vector.js";
import { createRandom, type Random } from "../../../src/text/random.js";

const codes = fc.integer({ min: -127, max: 127 });
const vectorPairs = fc
  .nat({ max: 40 })
  .chain((length) =>
    fc.tuple(
      fc.array(codes, { minLength: length, maxLength: length }),
      fc.array(codes, { minLength: length, maxLength: length }),
    ),
  );

describe("quantization", () => {
  it("by hand: the largest component becomes 127, the others in proportion", () => {
    // 0.25 / 0.5 * 127 = 63.5, rounded up; -0.1 / 0.5 * 127 = -25.4
    expect([...quantizeVector([0.5, 0.25, -0.1, 0])]).toEqual([127, 64, -25, 0]);
    expect([...quantizeVector([0.1, -0.4])]).toEqual([32, -127]);
  });

  it("ignores length", () => {
    fc.assert(
      fc.property(
        fc.array(codes, { minLength: 1, maxLength: 40 }),
        fc.integer({ min: -20, max: 20 }),
        (vector, power) => {
          const scaled = vector.map((component) => component * 2 ** power);
          expect(quantizeVector(scaled)).toEqual(quantizeVector(vector));
        },
      ),
    );
  });

  it("of a vector without a direction is all zeros", () => {
    for (const vector of [[0, 0, 0], [NaN, 1, 2], [Infinity, 1, 2], []]) {
      expect([...quantizeVector(vector)]).toEqual(vector.map(() => 0));
    }
  });

  it("changes a cosine of 384 components by less than the bound its rounding allows, and by less than 0.005", () => {
    const random = createRandom("quantization");
    for (let trial = 0; trial < 300; trial++) {
      const a = gaussianVector(random, 384);
      const noise = gaussianVector(random, 384);
      const mix = random();
      const b = a.map((component, i) => mix * component + (1 - mix) * noise[i]!);
      const error = Math.abs(cosine(quantizeVector(a), quantizeVector(b)) - plainCosine(a, b));
      // Each component moves by at most half a step, so the vector turns by at most asin(moved / length).
      expect(error).toBeLessThanOrEqual(angleBound(a) + angleBound(b));
      expect(error).toBeLessThan(0.005);
    }
  });
});

describe("cosine", () => {
  it.each([
    [[3, 4], [4, 3], 0.96],
    [[5, 0], [0, 7], 0],
    [[1, 2], [-2, -4], -1],
    [[0, 0], [3, 4], 0],
    [[], [], 0],
  ])("of %j and %j is %d", (a, b, expected) => {
    expect(cosine(Int8Array.from(a), Int8Array.from(b))).toBeCloseTo(expected, 12);
  });

  it("is the plain one, symmetric", () => {
    fc.assert(
      fc.property(vectorPairs, ([a, b]) => {
        const found = cosine(Int8Array.from(a), Int8Array.from(b));
        expect(found).toBeCloseTo(plainCosine(a, b), 12);
        expect(cosine(Int8Array.from(b), Int8Array.from(a))).toBe(found);
      }),
    );
  });
});

describe("dot product", () => {
  it("is the plain sum of products at every length and from every offset", () => {
    fc.assert(
      fc.property(vectorPairs, fc.nat({ max: 5 }), fc.nat({ max: 5 }), ([a, b], aStart, bStart) => {
        const expected = a.reduce((sum, component, i) => sum + component * b[i]!, 0);
        const padded = (vector: number[], start: number): Int8Array =>
          Int8Array.from([...Array.from({ length: start }, () => 99), ...vector, 77]);
        expect(dot(padded(a, aStart), aStart, padded(b, bStart), bStart, a.length)).toBe(expected);
      }),
    );
  });

  it("of 4096 components at their largest is exact", () => {
    const largest = new Int8Array(4096).fill(-128);
    expect(dot(largest, 0, largest, 0, 4096)).toBe(4096 * 128 * 128);
  });
});

it("the mean of vectors is the mean of their directions", () => {
  expect([...meanVector([Int8Array.of(100, 0), Int8Array.of(0, 7)], 2)]).toEqual([127, 127]);
  expect([...meanVector([], 3)]).toEqual([0, 0, 0]);
  expect([...meanVector([Int8Array.of(3, 4), Int8Array.of(-3, -4)], 2)]).toEqual([0, 0]);
});

function plainCosine(a: readonly number[], b: readonly number[]): number {
  const product = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, c, i) => sum + c * y[i]!, 0);
  const lengths = Math.sqrt(product(a, a)) * Math.sqrt(product(b, b));
  return lengths === 0 ? 0 : product(a, b) / lengths;
}

function angleBound(vector: readonly number[]): number {
  const step = Math.max(...vector.map(Math.abs)) / 127;
  const moved = (step / 2) * Math.sqrt(vector.length);
  return Math.asin(moved / Math.hypot(...vector));
}

function gaussianVector(random: Random, length: number): number[] {
  return Array.from({ length }, () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()));
}
