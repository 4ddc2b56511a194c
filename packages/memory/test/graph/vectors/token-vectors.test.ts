import { describe, expect, it } from "vitest";
import { createRandom } from "../../../src/text/random.js";
import { type TokenMatch, TokenMatcher, packTokens } from "../../../src/graph/vectors/token-vectors.js";

const dimensions = 128;

function randomVector(random: () => number): Float32Array {
  // A sum of uniform numbers is nearly normal.
  return Float32Array.from({ length: dimensions }, () => random() + random() + random() + random() - 2);
}

function near(vector: Float32Array, random: () => number): Float32Array {
  const noise = randomVector(random);
  return vector.map((number, i) => number + 0.3 * noise[i]!);
}

function join(...vectors: Float32Array[]): Float32Array {
  return Float32Array.from(vectors.flatMap((vector) => [...vector]));
}

function match(question: readonly Float32Array[], statements: readonly Float32Array[][]): TokenMatch {
  const tokens = question.map((vector) => ({ vector, weight: 1 / question.length }));
  const bytes = packTokens(
    statements.map((words) => join(...words)),
    dimensions,
  );
  return new TokenMatcher(tokens, dimensions).match(bytes, statements.length)!;
}

const random = createRandom("token vectors");
const [knee, pain, dog, vet] = [1, 2, 3, 4].map(() => randomVector(random)) as [
  Float32Array,
  Float32Array,
  Float32Array,
  Float32Array,
];

describe("packed token vectors", () => {
  it("take 32 bytes a word", () => {
    const [one, two] = [1, 2].map((count) =>
      packTokens([join(...Array.from({ length: count }, () => knee))], dimensions),
    );
    expect(two!.byteLength - one!.byteLength).toBe(32);
  });

  it("keep the direction of a word: a cosine with itself is near 1, with another near 0", () => {
    expect(match([knee], [[knee]]).best).toBeGreaterThan(0.9);
    expect(Math.abs(match([knee], [[dog]]).best)).toBeLessThan(0.3);
  });

  it("are refused for other dimensions, another number of statements, and bytes that end too early", () => {
    const bytes = packTokens([knee], dimensions);
    const matcher = new TokenMatcher([{ vector: knee, weight: 1 }], dimensions);
    expect(matcher.match(bytes, 2)).toBeNull();
    expect(matcher.match(bytes.subarray(0, -1), 1)).toBeNull();
    expect(matcher.match(new Uint8Array(1), 1)).toBeNull();
    expect(matcher.match(packTokens([knee.subarray(0, 64)], 64), 1)).toBeNull();
    expect(() => packTokens([], 126)).toThrow(RangeError);
  });
});

describe("matching", () => {
  it("takes the best counterpart of each word", () => {
    const both = match([knee, pain], [[near(pain, random), dog, near(knee, random)]]);
    const one = match([knee, pain], [[near(pain, random), dog, vet]]);
    expect(both.best).toBeGreaterThan(0.7);
    expect(one.best).toBeLessThan(0.6);
  });

  it("weighs words", () => {
    const bytes = packTokens([knee], dimensions);
    const weighed = (weight: number): number => {
      const question = [
        { vector: knee, weight },
        { vector: dog, weight: 1 - weight },
      ];
      return new TokenMatcher(question, dimensions).match(bytes, 1)!.best;
    };
    expect(weighed(0.9)).toBeGreaterThan(weighed(0.5) + 0.2);
  });

  it("compares with single statements and with the whole; one without words is no match", () => {
    const apart = match([knee, pain], [[knee], [], [dog], [pain]]);
    expect(apart.whole).toBeGreaterThan(0.9);
    expect(apart.best).toBeLessThan(0.65);
    expect(match([knee], [[], [knee]]).best).toBe(match([knee], [[knee]]).best);
    expect(apart.statements).toHaveLength(4);
    expect(Math.max(...apart.statements)).toBe(apart.best);
    expect(match([knee], [[]])).toMatchObject({ best: 0, whole: 0 });
    expect(match([knee], [])).toEqual({ best: 0, whole: 0, statements: [] });
  });
});
