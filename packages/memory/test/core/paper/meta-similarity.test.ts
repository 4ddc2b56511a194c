import fc from "fast-check";
import { expect, it } from "vitest";
import { metaSimilarity } from "../../../src/core/paper/meta-similarity.js";
import { cosine } from "../../../src/core/vectors/quantized-vector.js";

const vectors = fc.int8Array({ minLength: 6, maxLength: 6 }).filter((codes) => codes.some((code) => code !== 0));

it("by hand: with phrase and topic at right angles, the sum has the length of 0.3 and 0.7, the root of 0.58", () => {
  const [phrase, topic] = [Int8Array.of(100, 0, 0), Int8Array.of(0, 3, 0)];
  expect(metaSimilarity(phrase, phrase, topic)).toBeCloseTo(0.3 / Math.sqrt(0.58), 12);
  expect(metaSimilarity(topic, phrase, topic)).toBeCloseTo(0.7 / Math.sqrt(0.58), 12);
  expect(metaSimilarity(Int8Array.of(30, 70, 0), phrase, topic)).toBeCloseTo(1, 12);
  expect(metaSimilarity(Int8Array.of(0, 0, 9), phrase, topic)).toBe(0);
});

it("is the formula of its comment", () => {
  fc.assert(
    fc.property(vectors, vectors, vectors, (query, phrase, topic) => {
      const unit = (vector: Int8Array): number[] => Array.from(vector, (code) => code / Math.hypot(...vector));
      const sum = unit(phrase).map((component, i) => 0.3 * component + 0.7 * unit(topic)[i]!);
      const product = unit(query).reduce((total, component, i) => total + component * sum[i]!, 0);
      expect(metaSimilarity(query, phrase, topic)).toBeCloseTo(product / Math.hypot(...sum), 9);
    }),
  );
});

it("with the same vector for both is its cosine", () => {
  const [query, both] = [Int8Array.of(1, 2, 3), Int8Array.of(3, 2, -1)];
  expect(metaSimilarity(query, both, both)).toBeCloseTo(cosine(query, both), 12);
});
