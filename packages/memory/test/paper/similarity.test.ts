import fc from "fast-check";
import { expect, it } from "vitest";
import { similarity } from "../../src/paper/similarity.js";
import { parseParameters } from "../../src/parameters.js";

it("by hand: cosine 0.8 and Jaccard 0.25 give 0.7 * 0.8 + 0.3 * 0.25 = 0.635", () => {
  expect(similarity(0.8, 0.25, parseParameters())).toBeCloseTo(0.635, 12);
});

it("by hand: the same vector without shared keywords gives 0.7, shared keywords alone 0.3, both 1", () => {
  const parameters = parseParameters();
  expect(similarity(1, 0, parameters)).toBeCloseTo(0.7, 12);
  expect(similarity(0, 1, parameters)).toBeCloseTo(0.3, 12);
  expect(similarity(1, 1, parameters)).toBeCloseTo(1, 12);
});

it("is the formula of its comment", () => {
  const shares = fc.double({ min: 0, max: 1, noNaN: true });
  const cosines = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(cosines, shares, shares, (cosine, jaccard, alphaKey) => {
      const expected = (1 - alphaKey) * cosine + alphaKey * jaccard;
      expect(similarity(cosine, jaccard, parseParameters({ keywordWeight: alphaKey }))).toBeCloseTo(expected, 12);
    }),
  );
});
