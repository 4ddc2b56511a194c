/** Hashes of terms, and how they are packed. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { splitTerms } from "../../src/text/words.js";
import {
  countMax,
  hashTerm,
  highOf,
  lowOf,
  packTerms,
  packedCount,
  packedHigh,
  termVersion,
} from "../../src/text/term-hash.js";

/** Hash and count of each packed term. */
function unpack(packed: Int32Array): [hash: number, count: number][] {
  return Array.from({ length: packed.length / 2 }, (_, i) => {
    const [low, second] = [packed[2 * i]!, packed[2 * i + 1]!];
    return [packedHigh(second) * 2 ** 32 + (low >>> 0), packedCount(second)];
  });
}

it("a hash has 48 bits and two parts that make it up", () => {
  fc.assert(
    fc.property(fc.string(), (term) => {
      const hash = hashTerm(term);
      expect(Number.isInteger(hash) && hash >= 0 && hash < 2 ** 48).toBe(true);
      expect(highOf(hash) * 2 ** 32 + (lowOf(hash) >>> 0)).toBe(hash);
    }),
  );
});

it("packed terms are those of the text, each once with its count", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("knee", "pain", "膝", "b12")), (terms) => {
      const expected = [...new Set(terms)].map((term) => [hashTerm(term), terms.filter((t) => t === term).length]);
      expect(unpack(packTerms(terms))).toEqual(expected);
    }),
  );
});

it("what occurs more often than fits is there again", () => {
  const terms = Array.from({ length: countMax + 2 }, () => "no");
  expect(unpack(packTerms(terms))).toEqual([
    [hashTerm("no"), countMax],
    [hashTerm("no"), 2],
  ]);
});

/**
 * Stores keep packed terms and compare only their version. Whoever changes how texts are split, or what a term's hash is,
 * makes them wrong in every store: raise `termVersion`, then put the new digest here.
 */
it("the terms of a text are those of this version", () => {
  const text = `Dr. Ünal's tablets (B12, 148/84) weren't walking. She'd run, ran, running, flies, boxes:
    the quickly ended bees' knees agreed, naïve café “quoted” O’Brien 36.9 12:30 3,000.5 don't e-mail_me x2y zz`;
  const digest = createHash("sha256")
    .update(Buffer.from(packTerms(splitTerms(text)).buffer))
    .digest("hex");
  expect([termVersion, digest.slice(0, 16)]).toEqual([1, "a90f3caae66631ba"]);
});
