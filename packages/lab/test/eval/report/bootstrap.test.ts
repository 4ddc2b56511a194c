import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bootstrap, mean } from "../../../src/report/bootstrap.js";

const values = fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { minLength: 1, maxLength: 30 });

describe("the interval of a mean", () => {
  it("has no width if all values are the same", () => {
    expect(new Bootstrap(1).interval([3, 3, 3, 3])).toEqual([3, 3]);
  });

  it("is about 1.96 standard errors to each side: 0.5 ± 0.098 for 100 fair coins", () => {
    const coins = Array.from({ length: 100 }, (_, i) => i % 2);
    const [low, high] = new Bootstrap(7).interval(coins);
    expect(low).toBeGreaterThan(0.5 - 0.098 - 0.02);
    expect(low).toBeLessThan(0.5 - 0.098 + 0.02);
    expect(high).toBeGreaterThan(0.5 + 0.098 - 0.02);
    expect(high).toBeLessThan(0.5 + 0.098 + 0.02);
  });

  it("is the same for the same seed, and moves with the seed", () => {
    const sample = Array.from({ length: 40 }, (_, i) => (i * 37) % 11);
    expect(new Bootstrap(1).interval(sample)).toEqual(new Bootstrap(1).interval(sample));
    expect(new Bootstrap(1).interval(sample)).not.toEqual(new Bootstrap(2).interval(sample));
  });

  it("lies between the lowest and the highest value, low before high", () => {
    const bootstrap = new Bootstrap(3);
    fc.assert(
      fc.property(values, (sample) => {
        const [low, high] = bootstrap.interval(sample);
        const tolerance = 1e-9;
        expect(low).toBeGreaterThanOrEqual(Math.min(...sample) - tolerance);
        expect(high).toBeLessThanOrEqual(Math.max(...sample) + tolerance);
        expect(low).toBeLessThanOrEqual(high);
      }),
    );
  });

  it("moves with the values: a shift by 1 shifts it by 1", () => {
    const sample = [1, 5, 2, 8, 3];
    const bootstrap = new Bootstrap(3);
    const [low, high] = bootstrap.interval(sample);
    const shifted = bootstrap.interval(sample.map((value) => value + 1));
    expect(shifted[0]).toBeCloseTo(low + 1, 9);
    expect(shifted[1]).toBeCloseTo(high + 1, 9);
  });
});

describe("the intervals of figures", () => {
  const meanOf = (units: readonly number[][]): { mean: number } => ({ mean: mean(units.flat()) });

  it("are those of the mean, if the figure is the mean", () => {
    const sample = Array.from({ length: 40 }, (_, i) => (i * 37) % 11);
    const bootstrap = new Bootstrap(1);
    const units = sample.map((value) => [value]);
    expect(bootstrap.figureIntervals(units, meanOf)).toEqual({ mean: bootstrap.interval(sample) });
  });

  it("are wider over units whose values belong together than over the values", () => {
    const bootstrap = new Bootstrap(1);
    const widthOf = (units: readonly number[][]): number => {
      const [low, high] = bootstrap.figureIntervals(units, meanOf)["mean"]!;
      return high - low;
    };
    const together = Array.from({ length: 10 }, (_, i) => Array.from({ length: 4 }, () => i % 2));
    expect(widthOf(together)).toBeGreaterThan(1.5 * widthOf(together.flat().map((value) => [value])));
  });

  it("leave out resamples without a value, and are null without any", () => {
    const ofTrue = (units: readonly boolean[]): { one: number | null; none: null } => ({
      one: units.includes(true) ? 1 : null,
      none: null,
    });
    expect(new Bootstrap(1).figureIntervals([true, false], ofTrue)).toEqual({ one: [1, 1], none: null });
  });
});

it("the mean of 1, 2 and 6 is 3", () => expect(mean([1, 2, 6])).toBe(3));
