import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type TimeFocus, closeness, timeGains } from "../../../src/english/time/time-focus.js";
import { dayMs } from "../../../src/text/time.js";

function focus(weight: number, fromDay: number, untilDay: number): TimeFocus {
  return { words: "then", weight, fromMs: fromDay * dayMs, untilMs: untilDay * dayMs };
}

function gainsOf(list: readonly TimeFocus[], days: readonly number[]): number[] {
  const gains = new Float64Array(days.length).fill(7);
  timeGains(
    list,
    days.map((day) => day * dayMs),
    gains,
  );
  return [...gains];
}

const day = fc.double({ min: -4000, max: 4000, noNaN: true });
const foci = fc
  .tuple(
    fc.double({ min: 0, max: 10, noNaN: true }),
    fc.oneof(day, fc.constant(-Infinity)),
    fc.oneof(day, fc.constant(Infinity)),
  )
  .map(([weight, x, y]) => focus(weight, Math.min(x, y), Math.max(x, y)));

describe("closeness by hand, with a tail of one day", () => {
  it("is 1 inside, from the first moment to the last, and on the side that is open", () => {
    expect(closeness(3 * dayMs, focus(1, 3, 4))).toBe(1);
    expect(closeness(4 * dayMs - 1, focus(1, 3, 4))).toBe(1);
    expect(closeness(-1e6 * dayMs, focus(1, -Infinity, 10))).toBe(1);
  });

  it("has fallen to 1/e beside a day after 1.1 days, beside a week after 1.7, beside more than a month after 4", () => {
    for (const [at, from, until] of [
      [5.1, 3, 4],
      [1.9, 3, 4],
      [8.7, 0, 7],
      [34, 0, 30],
      [369, 0, 365],
      [14, -Infinity, 10],
    ] as const) {
      expect(closeness(at * dayMs, focus(1, from, until))).toBeCloseTo(Math.exp(-1), 9);
    }
  });

  it("never rises with the distance", () => {
    fc.assert(
      fc.property(foci, day, fc.double({ min: 0, max: 100, noNaN: true }), (one, at, more) => {
        const near = closeness(at * dayMs, one);
        const farther = closeness((at * dayMs < one.fromMs ? at - more : at + more) * dayMs, one);
        expect(farther).toBeLessThanOrEqual(near);
        expect(near).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe("gains", () => {
  it("by hand: one of four memories inside has the weight less a quarter of it", () => {
    expect(gainsOf([focus(0.4, 3, 4)], [3.5, 500, 600, 700])[0]).toBeCloseTo(0.3, 12);
    expect(gainsOf([focus(0.4, 3, 4)], [3, 4, 600, 700])[0]).toBeCloseTo(0.3, 12);
  });

  it("are none by a focus that holds every memory, and of two foci the better one counts", () => {
    expect(gainsOf([focus(0.4, 0, 10)], [1, 2, 3])).toEqual([0, 0, 0]);
    expect(gainsOf([focus(0.4, 0, 1), focus(0.28, 0, 2)], [0.5, 900, 901, 902])[0]).toBeCloseTo(0.3, 12);
  });

  it("are none of what is no memory, which counts for nothing", () => {
    expect(gainsOf([], [1, 2])).toEqual([0, 0]);
    expect(gainsOf([focus(0.4, 0, 1)], [NaN, 0.5, 900, NaN])).toEqual([0, expect.closeTo(0.2, 9), 0, 0]);
  });

  it("are never negative and never more than the largest weight, so that a wrong focus cannot bury a memory", () => {
    fc.assert(
      fc.property(fc.array(foci, { maxLength: 3 }), fc.array(day, { maxLength: 12 }), (list, days) => {
        const bound = Math.max(0, ...list.map(({ weight }) => weight));
        for (const gain of gainsOf(list, days)) {
          expect(gain).toBeGreaterThanOrEqual(0);
          expect(gain).toBeLessThanOrEqual(bound * (1 + 1e-9));
        }
      }),
    );
  });
});
