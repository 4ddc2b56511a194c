import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decay } from "../../src/paper/decay.js";
import { dayMs } from "../../src/text/time.js";
import { type Parameters, parseParameters } from "../../src/parameters.js";

const parameters = parseParameters();
const atDays = (days: number): number => decay(days * dayMs, parameters);

describe("decay by hand: a = 28, b = 5, c = 1, d = 0.05", () => {
  it("is 1 before age 0 and at age 0", () => {
    expect(atDays(-1)).toBe(1);
    expect(atDays(0)).toBe(1);
  });

  it("at 1 day is s(1) = 0.05 + 0.95 / (1 + e^-5.4)", () => {
    // e^-5.4 = 0.004516581; 0.95 / 1.004516581 = 0.945728540
    expect(atDays(1)).toBeCloseTo(0.99572854, 8);
  });

  it("at the midpoint of 28 days is halfway between 1 and the floor", () => {
    // 0.05 + 0.95 / 2
    expect(atDays(28)).toBeCloseTo(0.525, 12);
  });

  it("at 1000 days, and at any greater age, is the floor", () => {
    expect(atDays(1000)).toBe(0.05);
    expect(decay(Infinity, parameters)).toBe(0.05);
  });
});

describe("decay with any parameters", () => {
  const anyParameters = fc
    .record({
      decayMidpointDays: fc.double({ min: 0.01, max: 400, noNaN: true }),
      decayScaleDays: fc.double({ min: 0.001, max: 100, noNaN: true }),
      decayLinearDays: fc.double({ min: 0, max: 60, noNaN: true }),
      decayFloor: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map((values) => parseParameters(values));
  const anyAgeDays = fc.double({ min: -100, max: 2000, noNaN: true });

  it("is the formula of its comment", () => {
    fc.assert(
      fc.property(anyParameters, anyAgeDays, (p, days) => {
        expect(decay(days * dayMs, p)).toBeCloseTo(tau(days, p), 9);
      }),
    );
  });

  it("never rises with age", () => {
    fc.assert(
      fc.property(anyParameters, anyAgeDays, anyAgeDays, (p, one, other) => {
        const [younger, older] = [Math.min(one, other), Math.max(one, other)];
        expect(decay(older * dayMs, p)).toBeLessThanOrEqual(decay(younger * dayMs, p) + 1e-12);
      }),
    );
  });
});

function tau(x: number, p: Parameters): number {
  const { decayMidpointDays: a, decayScaleDays: b, decayLinearDays: c, decayFloor: d } = p;
  const s = (age: number): number => d + (1 - d) / (1 + Math.exp((age - a) / b));
  if (x < 0) return 1;
  if (x < c) return 1 - (x * (1 - s(c))) / c;
  return s(x);
}
