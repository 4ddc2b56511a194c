import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dayMs } from "../../../src/core/time.js";
import {
  type FocusSpan,
  type TimeFocus,
  asksForChange,
  changeGain,
  closeness,
  timeGains,
} from "../../../src/core/question-time/time-focus.js";
import { parseParameters } from "../../../src/parameters.js";

const parameters = parseParameters({ questionTimeTailDays: 1, changeRecencyWeight: 0.2, changeRecencyDays: 5 });

function span(fromDay: number, untilDay: number, share = 1): FocusSpan {
  return { fromMs: fromDay * dayMs, untilMs: untilDay * dayMs, share, eventId: null };
}

function focus(weight: number, ...spans: readonly FocusSpan[]): TimeFocus {
  return { words: "then", weight, spans };
}

const days = fc.double({ min: -4000, max: 4000, noNaN: true });
const spans = fc
  .tuple(fc.oneof(days, fc.constant(-Infinity)), fc.oneof(days, fc.constant(Infinity)))
  .map(([x, y]) => span(Math.min(x, y), Math.max(x, y)));
/** Foci of up to three spans whose shares sum to 1. */
const foci = fc
  .record({
    weight: fc.double({ min: 0, max: 10, noNaN: true }),
    spans: fc.array(fc.tuple(spans, fc.integer({ min: 1, max: 9 })), { minLength: 1, maxLength: 3 }),
  })
  .map(({ weight, spans: list }) => {
    const sum = list.reduce((total, [, part]) => total + part, 0);
    return focus(weight, ...list.map(([one, part]) => ({ ...one, share: part / sum })));
  });
const times = fc.array(fc.oneof({ weight: 5, arbitrary: days.map((day) => day * dayMs) }, fc.constant(NaN)), {
  maxLength: 12,
});

describe("closeness by hand, with a tail of one day", () => {
  it("is 1 inside, from the first moment to the last", () => {
    expect(closeness(3 * dayMs, span(3, 4), parameters)).toBe(1);
    expect(closeness(4 * dayMs - 1, span(3, 4), parameters)).toBe(1);
  });

  it("beside a day it has fallen to 1/e after 1 + 0.1 days, on both sides", () => {
    expect(closeness(5.1 * dayMs, span(3, 4), parameters)).toBeCloseTo(Math.exp(-1), 9);
    expect(closeness(1.9 * dayMs, span(3, 4), parameters)).toBeCloseTo(Math.exp(-1), 9);
  });

  it("beside a week after 1.7 days, beside a month of 30 days after 4, beside a year after no more", () => {
    expect(closeness(8.7 * dayMs, span(0, 7), parameters)).toBeCloseTo(Math.exp(-1), 9);
    expect(closeness(34 * dayMs, span(0, 30), parameters)).toBeCloseTo(Math.exp(-1), 9);
    expect(closeness(369 * dayMs, span(0, 365), parameters)).toBeCloseTo(Math.exp(-1), 9);
  });

  it("a time without beginning or without end has one side, with the tail of a month", () => {
    expect(closeness(-1e6 * dayMs, span(-Infinity, 10), parameters)).toBe(1);
    expect(closeness(14 * dayMs, span(-Infinity, 10), parameters)).toBeCloseTo(Math.exp(-1), 9);
    expect(closeness(1e6 * dayMs, span(10, Infinity), parameters)).toBe(1);
    expect(closeness(6 * dayMs, span(10, Infinity), parameters)).toBeCloseTo(Math.exp(-1), 9);
    expect(closeness(0, span(-Infinity, Infinity), parameters)).toBe(1);
  });
});

it("closeness lies between 0 and 1 and never rises with the distance", () => {
  fc.assert(
    fc.property(spans, days, fc.double({ min: 0, max: 100, noNaN: true }), (one, day, more) => {
      const near = closeness(day * dayMs, one, parameters);
      expect(near).toBeGreaterThanOrEqual(0);
      expect(near).toBeLessThanOrEqual(1);
      const isBefore = day * dayMs < one.fromMs;
      const farther = closeness((isBefore ? day - more : day + more) * dayMs, one, parameters);
      expect(farther).toBeLessThanOrEqual(near);
    }),
  );
});

describe("gains by hand", () => {
  const gains = (list: readonly TimeFocus[], ...at: readonly number[]): number[] => [
    ...gainsOf(
      list,
      at.map((day) => day * dayMs),
    ),
  ];

  it("one of four memories inside: the weight less a quarter of it", () => {
    expect(gains([focus(0.4, span(3, 4))], 3.5, 500, 600, 700)[0]).toBeCloseTo(0.3, 12);
    // The first moment lies inside, the last one does not.
    expect(gains([focus(0.4, span(3, 4))], 3, 4, 600, 700)[0]).toBeCloseTo(0.3, 12);
  });

  it("a focus that holds every memory gives nothing", () => {
    expect(gains([focus(0.4, span(0, 10))], 1, 2, 3)).toEqual([0, 0, 0]);
    expect(gains([focus(0.4, span(-Infinity, Infinity))], 1, 2, 3)).toEqual([0, 0, 0]);
  });

  it("a focus that holds none gives all of its weight, as far as it reaches", () => {
    // Both lie 1.1 days away, which is 1/e for a span of a day.
    expect(gains([focus(0.4, span(10, 11))], 8.9, 12.1)).toEqual([
      expect.closeTo(0.4 / Math.E, 9),
      expect.closeTo(0.4 / Math.E, 9),
    ]);
  });

  it("two spans of one focus share its weight", () => {
    // Inside lies 0.7 of one memory and 0.3 of another of ten: strength 0.5 * (1 - 0.1) = 0.45.
    const others = [300, 400, 500, 600, 700, 800, 900, 1000];
    const [first, second] = gains([focus(0.5, span(0, 1, 0.7), span(100, 101, 0.3))], 0.5, 100.5, ...others);
    expect(first).toBeCloseTo(0.7 * 0.45, 9);
    expect(second).toBeCloseTo(0.3 * 0.45, 9);
    // Two halves of all time: half of each memory lies inside, and each has half of what is left.
    const halves = focus(0.4, span(-Infinity, 0, 0.5), span(0, Infinity, 0.5));
    expect(gains([halves], -900, 900)).toEqual([expect.closeTo(0.1, 9), expect.closeTo(0.1, 9)]);
  });

  it("of two foci the better one counts, not the sum", () => {
    const both = [focus(0.4, span(0, 1)), focus(0.28, span(0, 2))];
    expect(gains(both, 0.5, 900, 901, 902)[0]).toBeCloseTo(0.3, 12);
  });

  it("no focus, no gain; what is no memory gains nothing and counts for nothing", () => {
    expect(gains([], 1, 2)).toEqual([0, 0]);
    expect(gains([focus(0.4, span(0, 1))], NaN, 0.5, 900, NaN)).toEqual([0, expect.closeTo(0.2, 9), 0, 0]);
    expect(gains([focus(0.4, span(0, 1))], NaN)).toEqual([0]);
    expect(gains([focus(0.4)], 1)).toEqual([0]);
  });
});

describe("gains", () => {
  it("are never negative and never more than the largest weight", () => {
    fc.assert(
      fc.property(fc.array(foci, { maxLength: 3 }), times, (list, at) => {
        const bound = Math.max(0, ...list.map(({ weight }) => weight));
        for (const gain of gainsOf(list, at)) {
          expect(gain).toBeGreaterThanOrEqual(0);
          expect(gain).toBeLessThanOrEqual(bound * (1 + 1e-9));
        }
      }),
    );
  });

  it("so a wrong focus cannot put a memory before one whose other evidence is better by more than the weight", () => {
    fc.assert(
      fc.property(foci, days, days, fc.double({ min: 0, max: 1, noNaN: true }), (one, x, y, evidence) => {
        const [worse, better] = gainsOf([one], [x * dayMs, y * dayMs]) as unknown as [number, number];
        expect(evidence + one.weight + 1e-6 + better).toBeGreaterThan(evidence + worse);
      }),
    );
  });

  it("are those of a plain sum over spans", () => {
    fc.assert(
      fc.property(fc.array(foci, { maxLength: 3 }), times, (list, at) => {
        const real = at.filter((ms) => !Number.isNaN(ms));
        const isInside = (ms: number, { fromMs, untilMs }: FocusSpan): boolean => fromMs <= ms && ms < untilMs;
        const expected = at.map((ms) => {
          const values = list.map(({ weight, spans: all }) => {
            const inside = real.flatMap((one) => all.filter((s) => isInside(one, s)).map(({ share }) => share));
            const held = inside.reduce((sum, share) => sum + share, 0) / Math.max(1, real.length);
            const near = all.reduce((sum, s) => sum + s.share * closeness(ms, s, parameters), 0);
            return weight * (1 - held) * near;
          });
          return Number.isNaN(ms) ? 0 : Math.max(0, ...values);
        });
        gainsOf(list, at).forEach((gain, i) => expect(gain).toBeCloseTo(expected[i]!, 9));
      }),
    );
  });
});

describe("the gain of a recent memory in a question about change: 0.2 falling to 37 % in 5 days", () => {
  it("by hand", () => {
    expect(changeGain(0, parameters)).toBe(0.2);
    expect(changeGain(5 * dayMs, parameters)).toBeCloseTo(0.2 / Math.E, 12);
    expect(changeGain(10 * dayMs, parameters)).toBeCloseTo(0.2 / Math.E ** 2, 12);
    expect(changeGain(-dayMs, parameters)).toBe(0.2);
    expect(changeGain(Infinity, parameters)).toBe(0);
  });
});

describe("a question about change", () => {
  it.each([
    "Is my knee better than last week?",
    "How does today compare with Monday?",
    "What has changed since the operation?",
    "Is the rash still there?",
    "Did my sleep improve?",
    "Am I no longer on the waiting list?",
    "HAS IT GOT WORSE?",
    "How much progress have I made?",
    "What was different about my breathing?",
  ])("is one: %s", (question) => expect(asksForChange(question)).toBe(true));

  it.each([
    "What did the doctor say on Monday?",
    "Where did I put the exchange receipt?",
    "Who wrote the sincere letter?",
    "When is the stillness class?",
    "Which alternative route did we take?",
    "",
    "😀",
  ])("is none: %s", (question) => expect(asksForChange(question)).toBe(false));
});

function gainsOf(list: readonly TimeFocus[], at: readonly number[]): Float64Array {
  const gains = new Float64Array(at.length).fill(7);
  timeGains(list, at, parameters, gains);
  return gains;
}
