import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockAt, dayMs, hourMs, localDay, momentOf, startOfLocalDay } from "../../src/text/time.js";

const at = (text: string): number => Date.parse(text);
const iso = (ms: number): string => new Date(ms).toISOString().replace(/:00\.000Z$/u, "Z");

it("an hour has 60 * 60 * 1000 milliseconds, a day 24 of them", () => {
  expect(hourMs).toBe(60 * 60 * 1000);
  expect(dayMs).toBe(Date.UTC(2025, 0, 2) - Date.UTC(2025, 0, 1));
});

describe("local days", () => {
  it("are counted from 1 January 1970", () => {
    expect(localDay(0, "UTC")).toBe(0);
    expect(localDay(dayMs - 1, "UTC")).toBe(0);
    expect(localDay(-1, "UTC")).toBe(-1);
    expect(localDay(at("2025-01-01T00:00:00Z"), "UTC")).toBe(20_089);
  });

  it("begin earlier in the east and later in the west", () => {
    expect(localDay(13 * hourMs, "Pacific/Auckland")).toBe(1);
    expect(localDay(4 * hourMs, "America/New_York")).toBe(-1);
  });

  // Offsets and their changes are those of the IANA time zone database.
  it.each([
    ["UTC", "2025-07-01", "2025-07-01T00:00Z"],
    ["America/New_York", "2025-07-01", "2025-07-01T04:00Z"],
    ["Asia/Kolkata", "2025-07-01", "2025-06-30T18:30Z"],
    ["Asia/Kathmandu", "2025-07-01", "2025-06-30T18:15Z"],
    ["Africa/Casablanca", "2025-03-10", "2025-03-10T00:00Z"],
    ["Australia/Lord_Howe", "2025-04-07", "2025-04-06T13:30Z"],
    ["Australia/Lord_Howe", "2025-04-06", "2025-04-05T13:00Z"],
    // Midnight is skipped, and the day begins at one o'clock.
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00Z"],
    ["Asia/Beirut", "2025-03-30", "2025-03-29T22:00Z"],
    // 23:30 is followed by 00:30.
    ["America/Toronto", "1919-03-31", "1919-03-31T04:30Z"],
    // A day that never was: from the 29th to the 31st.
    ["Pacific/Apia", "2011-12-29", "2011-12-29T10:00Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00Z"],
    ["Pacific/Apia", "2011-12-31", "2011-12-30T10:00Z"],
    // Midnight comes twice.
    ["America/Havana", "2025-11-02", "2025-11-02T04:00Z"],
    ["Asia/Jerusalem", "2004-09-22", "2004-09-21T21:00Z"],
  ])("in %s %s begins at %s", (zone, day, start) => {
    expect(iso(startOfLocalDay(at(day) / dayMs, zone))).toBe(start);
  });
});

describe("a time on the clock", () => {
  it.each([
    ["UTC", "2025-07-01T18:30Z", "2025-07-01T18:30Z"],
    ["Asia/Kathmandu", "2025-07-01T18:30Z", "2025-07-01T12:45Z"],
    // The last and the first minute around an hour that is skipped, and two within it.
    ["America/New_York", "2025-03-09T01:59Z", "2025-03-09T06:59Z"],
    ["America/New_York", "2025-03-09T02:00Z", "2025-03-09T07:00Z"],
    ["America/New_York", "2025-03-09T03:00Z", "2025-03-09T07:00Z"],
    // An hour that comes twice.
    ["America/New_York", "2025-11-02T00:59Z", "2025-11-02T04:59Z"],
    ["America/New_York", "2025-11-02T01:00Z", "2025-11-02T05:00Z"],
    ["America/New_York", "2025-11-02T02:00Z", "2025-11-02T07:00Z"],
    // Half an hour is skipped, and comes twice.
    ["Australia/Lord_Howe", "2025-10-05T02:15Z", "2025-10-04T15:45Z"],
    ["Australia/Lord_Howe", "2025-04-06T01:45Z", "2025-04-05T14:45Z"],
    // The month of Ramadan has its own time.
    ["Africa/Casablanca", "2025-02-23T02:30Z", "2025-02-23T01:30Z"],
    // A whole day is skipped.
    ["Pacific/Apia", "2011-12-30T12:00Z", "2011-12-30T22:00Z"],
    ["Pacific/Apia", "2011-12-31T12:00Z", "2011-12-30T22:00Z"],
    // Clocks change a minute after midnight: 00:01 is followed by 23:01 of the day before.
    ["America/St_Johns", "2010-11-07T00:00Z", "2010-11-07T02:30Z"],
    ["America/St_Johns", "2010-11-07T00:01Z", "2010-11-07T03:31Z"],
    ["America/St_Johns", "2010-11-06T23:30Z", "2010-11-07T02:00Z"],
  ])("in %s %s is %s", (zone, clock, moment) => expect(iso(momentOf(at(clock), zone))).toBe(moment));

  const zones = [
    "UTC",
    "America/New_York",
    "America/St_Johns",
    "Asia/Kolkata",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "Australia/Lord_Howe",
    "Africa/Casablanca",
    "Asia/Beirut",
    "America/Sao_Paulo",
  ];
  const moments = fc.integer({ min: at("1900-01-01"), max: at("2100-01-01") });

  it("is what the platform's own clock shows, whatever was asked before", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (zone, ms) => {
        const shown = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
        expect(new Date(clockAt(ms, zone)).toISOString().slice(0, 19).replace("T", " ")).toBe(shown.format(ms));
      }),
      { numRuns: 500 },
    );
  });

  it("is shown at its moment, and not before, unless it is skipped", () => {
    fc.assert(
      fc.property(fc.constantFrom(...zones), moments, (zone, ms) => {
        const first = momentOf(clockAt(ms, zone), zone);
        expect(first).toBeLessThanOrEqual(ms);
        expect(clockAt(first, zone)).toBe(clockAt(ms, zone));
      }),
      { numRuns: 500 },
    );
  });
});
