import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binnedEntropy, entropyOfCounts, quantileBins } from "../../src/paper/entropy.js";

const components = fc.integer({ min: -127, max: 127 });

describe("quantile bins", () => {
  it("by hand: the two smallest go to bin 0, the two largest to bin 2", () => {
    // sorted: -9 (position 3), -4 (1), 0 (4), 2 (0), 5 (2), 7 (5)
    expect([...quantileBins(Int8Array.of(2, -4, 5, -9, 0, 7), 3)]).toEqual([1, 0, 2, 0, 1, 2]);
  });

  it("are the bins of a plain sort by component, then position", () => {
    fc.assert(
      fc.property(
        fc.array(components, { minLength: 1, maxLength: 60 }),
        fc.integer({ min: 2, max: 16 }),
        (vector, binCount) => {
          const positions = vector.map((_, position) => position).sort((i, j) => vector[i]! - vector[j]! || i - j);
          const expected = vector.map((_, position) =>
            Math.floor((positions.indexOf(position) * binCount) / vector.length),
          );
          expect([...quantileBins(Int8Array.from(vector), binCount)]).toEqual(expected);
        },
      ),
    );
  });
});

describe("binned entropy", () => {
  it("by hand: counts 2, 0, 1, 1 of four components give 1.5 ln 2", () => {
    // Bins of width 2 from 0 to 8: {0, 1}, {}, {4}, {8}; H = 1/2 ln 2 + 2 (1/4 ln 4) = 1.5 ln 2 = 1.039720771
    expect(binnedEntropy(Int8Array.of(0, 1, 4, 8), 4)).toBeCloseTo(1.039720771, 9);
  });

  it("of a vector with one value only is 0", () => {
    expect(binnedEntropy(Int8Array.of(7, 7, 7), 16)).toBe(0);
    expect(binnedEntropy(new Int8Array(384), 16)).toBe(0);
    expect(binnedEntropy(new Int8Array(0), 16)).toBe(0);
  });

  it("is - sum p ln p over bins of equal width between the smallest and the largest component", () => {
    fc.assert(
      fc.property(
        fc.array(components, { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 2, max: 32 }),
        (vector, binCount) => {
          const smallest = Math.min(...vector);
          const width = Math.max(...vector) - smallest;
          const bins = vector.map((component) =>
            width === 0 ? 0 : Math.min(binCount - 1, Math.floor(((component - smallest) / width) * binCount)),
          );
          expect(binnedEntropy(Int8Array.from(vector), binCount)).toBeCloseTo(plainEntropy(bins), 10);
        },
      ),
    );
  });
});

describe("entropy of counts", () => {
  it("by hand: 2, 1 and 1 of 4 is 1.5 ln 2; all of 4 in one is 0; an empty bin adds nothing", () => {
    expect(entropyOfCounts([2, 1, 1], 4)).toBeCloseTo(1.5 * Math.LN2, 12);
    expect(entropyOfCounts([4], 4)).toBeCloseTo(0, 12);
    expect(entropyOfCounts([2, 0, 2, 0], 4)).toBeCloseTo(Math.LN2, 12);
  });
});

function plainEntropy(bins: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const bin of bins) counts.set(bin, (counts.get(bin) ?? 0) + 1);
  let entropy = 0;
  for (const count of counts.values()) entropy -= (count / bins.length) * Math.log(count / bins.length);
  return entropy;
}
