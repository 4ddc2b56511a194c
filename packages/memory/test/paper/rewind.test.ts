import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lastBoostMs, rewind } from "../../src/paper/rewind.js";
import { dayMs } from "../../src/text/time.js";
import { parseParameters } from "../../src/parameters.js";

const parameters = parseParameters();

describe("rewind by hand: Delta_max = 21 days, t_crit = 3 days, s = 1 day", () => {
  it("is half of the largest at t_crit", () => {
    expect(rewind(3 * dayMs, parameters)).toBeCloseTo(10.5 * dayMs, 3);
  });

  it("right after a boost is 21 / (1 + e^3) days", () => {
    // e^3 = 20.085536923; 21 / 21.085536923 = 0.995943337
    expect(rewind(0, parameters) / dayMs).toBeCloseTo(0.995943337, 9);
  });
});

describe("rewind with any parameters", () => {
  const anyParameters = fc
    .record({
      rewindMaxDays: fc.double({ min: 0, max: 365, noNaN: true }),
      rewindCriticalDays: fc.double({ min: 0, max: 60, noNaN: true }),
      rewindScaleDays: fc.double({ min: 0.001, max: 60, noNaN: true }),
    })
    .map((values) => parseParameters(values));
  const anyDays = fc.double({ min: -100, max: 2000, noNaN: true });

  it("is the formula of its comment", () => {
    fc.assert(
      fc.property(anyParameters, anyDays, (p, sinceBoost) => {
        const { rewindMaxDays: largest, rewindCriticalDays: tCrit, rewindScaleDays: s } = p;
        const delta = largest / (1 + Math.exp(-(sinceBoost - tCrit) / s));
        expect(rewind(sinceBoost * dayMs, p) / dayMs).toBeCloseTo(delta, 6);
      }),
    );
  });

  it("never falls with the time since the last boost", () => {
    fc.assert(
      fc.property(anyParameters, anyDays, anyDays, (p, one, other) => {
        const [sooner, later] = [Math.min(one, other), Math.max(one, other)];
        expect(rewind(later * dayMs, p)).toBeGreaterThanOrEqual(rewind(sooner * dayMs, p));
      }),
    );
  });
});

describe("the last boost of an edge", () => {
  it("is what the edge says once it was boosted", () => {
    expect(lastBoostMs(500, 100, 300)).toBe(500);
    expect(lastBoostMs(0, 100, 300)).toBe(0);
  });

  it("before the first boost is when the older memory began, whichever is named first", () => {
    expect(lastBoostMs(null, 100, 300)).toBe(100);
    expect(lastBoostMs(null, 300, 100)).toBe(100);
  });
});
