import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDate, naturalizeTime } from "../../src/paper/naturalized-time.js";
import { dayMs } from "../../src/text/time.js";

const at = (text: string): number => Date.parse(text);

describe("the phrase by hand", () => {
  const initMs = at("2025-03-05T09:00:00Z");

  it.each([
    ["2025-03-05T09:00:00Z", "today"],
    ["2025-03-05T23:59:59.999Z", "today"],
    ["2025-03-06T00:00:00Z", "yesterday"],
    ["2025-03-07T12:00:00Z", "two days ago"],
    ["2025-03-08T12:00:00Z", "three days ago"],
    ["2025-03-09T12:00:00Z", "four days ago"],
    ["2025-03-10T12:00:00Z", "five days ago"],
    ["2025-03-11T12:00:00Z", "six days ago"],
    ["2025-03-12T00:00:00Z", "last week"],
    ["2025-03-18T23:00:00Z", "last week"],
    ["2025-03-19T00:00:00Z", "two weeks ago"],
    ["2025-03-26T00:00:00Z", "three weeks ago"],
    ["2025-04-01T23:00:00Z", "three weeks ago"],
    ["2025-04-02T00:00:00Z", "in early March"],
    ["2025-12-29T12:00:00Z", "in early March"],
    ["2025-12-30T00:00:00Z", "in March 2025"],
    ["2040-01-01T00:00:00Z", "in March 2025"],
  ])("at %s is %s", (now, phrase) => {
    expect(naturalizeTime(initMs, at(now), "UTC").phrase).toBe(phrase);
  });

  it.each([
    ["2025-03-10", "in early March"],
    ["2025-03-11", "in mid March"],
    ["2025-03-20", "in mid March"],
    ["2025-03-21", "in late March"],
    ["2025-01-31", "in late January"],
    ["2025-02-01", "in early February"],
  ])("two months after %s is %s", (day, phrase) => {
    expect(naturalizeTime(at(day), at(day) + 60 * dayMs, "UTC").phrase).toBe(phrase);
  });

  it("of a later day is later, until that day begins; of a later hour of today it is today", () => {
    expect(naturalizeTime(initMs, at("2025-03-04T23:00:00Z"), "UTC")).toEqual({
      phrase: "later",
      fromMs: -Infinity,
      untilMs: at("2025-03-05T00:00:00Z"),
    });
    expect(naturalizeTime(initMs, at("2025-03-05T01:00:00Z"), "UTC").phrase).toBe("today");
  });

  it("holds between midnights known in advance", () => {
    expect(naturalizeTime(initMs, at("2025-03-14T12:00:00Z"), "UTC")).toEqual({
      phrase: "last week",
      fromMs: at("2025-03-12T00:00:00Z"),
      untilMs: at("2025-03-19T00:00:00Z"),
    });
    expect(naturalizeTime(initMs, at("2040-01-01T00:00:00Z"), "UTC").untilMs).toBe(Infinity);
  });
});

describe("days that are not 24 hours long", () => {
  it("London, 30 March 2025: the day after a memory of the 29th has 23 hours", () => {
    const initMs = at("2025-03-29T18:00:00Z");
    expect(naturalizeTime(initMs, at("2025-03-29T23:00:00Z"), "Europe/London").untilMs).toBe(
      at("2025-03-30T00:00:00Z"),
    );
    expect(naturalizeTime(initMs, at("2025-03-30T12:00:00Z"), "Europe/London")).toEqual({
      phrase: "yesterday",
      fromMs: at("2025-03-30T00:00:00Z"),
      untilMs: at("2025-03-30T23:00:00Z"),
    });
  });

  // Where clocks go forward at midnight there is no midnight: the day begins at one o'clock.
  it.each([
    ["Atlantic/Azores", "2025-03-29T12:00:00Z", "2025-03-30T01:00:00Z"],
    ["America/Santiago", "2025-09-06T16:00:00Z", "2025-09-07T04:00:00Z"],
    ["America/Havana", "2025-03-08T16:00:00Z", "2025-03-09T05:00:00Z"],
    ["Asia/Beirut", "2025-03-29T12:00:00Z", "2025-03-29T22:00:00Z"],
    ["Africa/Cairo", "2025-04-24T12:00:00Z", "2025-04-24T22:00:00Z"],
  ])("%s: a day whose midnight was skipped begins at one", (zone, noonBefore, start) => {
    const initMs = at(noonBefore);
    expect(naturalizeTime(initMs, at(start) - 1, zone)).toMatchObject({ phrase: "today", untilMs: at(start) });
    expect(naturalizeTime(initMs, at(start), zone)).toMatchObject({ phrase: "yesterday", fromMs: at(start) });
  });
});

describe("in any zone, for any memory and moment", () => {
  const zones = [
    "UTC",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "Pacific/Auckland",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Asia/Kathmandu",
    "Australia/Lord_Howe",
    "America/St_Johns",
  ];
  const moments = fc.integer({ min: at("2012-01-01"), max: at("2037-12-01") });
  const cases = fc
    .record({
      zone: fc.constantFrom(...zones),
      initMs: moments,
      agoMs: fc.oneof(fc.integer({ min: -3 * dayMs, max: 35 * dayMs }), fc.integer({ min: 0, max: 400 * dayMs })),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ agoMs, ...rest }) => ({ ...rest, now: rest.initMs + agoMs }));

  it("the phrase holds from fromMs, included, to untilMs, excluded, and changes there", () => {
    fc.assert(
      fc.property(cases, ({ zone, initMs, now, share }) => {
        const found = naturalizeTime(initMs, now, zone);
        expect(found.fromMs).toBeLessThanOrEqual(now);
        expect(now).toBeLessThan(found.untilMs);
        const inside = [found.fromMs, found.untilMs - 1].filter(Number.isFinite);
        if (inside.length === 2) inside.push(found.fromMs + Math.floor(share * (found.untilMs - 1 - found.fromMs)));
        for (const moment of inside) expect(naturalizeTime(initMs, moment, zone)).toEqual(found);
        for (const moment of [found.fromMs - 1, found.untilMs].filter(Number.isFinite)) {
          expect(naturalizeTime(initMs, moment, zone).phrase).not.toBe(found.phrase);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("the phrase changes at local midnight", () => {
    fc.assert(
      fc.property(cases, ({ zone, initMs, now }) => {
        const { fromMs, untilMs } = naturalizeTime(initMs, now, zone);
        for (const moment of [fromMs, untilMs].filter(Number.isFinite)) {
          expect(clockOf(moment, zone)).toBe("00:00:00");
        }
      }),
    );
  });
});

describe("dates", () => {
  it("are written as a person would", () => {
    expect(formatDate(at("2025-01-08T12:00:00Z"), "UTC")).toBe("Wed 8 Jan 2025");
    expect(formatDate(at("2024-02-29T12:00:00Z"), "UTC")).toBe("Thu 29 Feb 2024");
  });

  it("are the platform's own, in every zone", () => {
    const zones = fc.constantFrom("UTC", "Europe/London", "America/New_York", "Pacific/Auckland", "Asia/Kathmandu");
    fc.assert(
      fc.property(fc.integer({ min: at("1971-01-01"), max: at("2099-12-31") }), zones, (moment, timeZone) => {
        const parts = new Intl.DateTimeFormat("en-US", {
          timeZone,
          weekday: "short",
          day: "numeric",
          month: "short",
          year: "numeric",
        }).formatToParts(moment);
        const part = (type: string): string => parts.find((candidate) => candidate.type === type)!.value;
        expect(formatDate(moment, timeZone)).toBe(`${part("weekday")} ${part("day")} ${part("month")} ${part("year")}`);
      }),
    );
  });
});

function clockOf(moment: number, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, timeStyle: "medium", hourCycle: "h23" }).format(moment);
}
