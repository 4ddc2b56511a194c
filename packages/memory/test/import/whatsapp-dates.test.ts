/** Dates of WhatsApp chats in every order and clock come back as the moments they were. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clockAt, momentOf } from "../../src/text/time.js";
import { chunksOf, readAll } from "./chunks.js";

interface Style {
  readonly order: "dmy" | "mdy";
  readonly separator: "/" | "-" | ".";
  readonly isPadded: boolean;
  readonly hasShortYear: boolean;
  readonly clock: "24" | "AM" | "am" | "a.m.";
  readonly phone: "android" | "ios";
}

const two = (value: number): string => String(value).padStart(2, "0");

function formatStamp(clockMs: number, style: Style): string {
  const date = new Date(clockMs);
  const pad = style.isPadded ? two : String;
  const [day, month] = [pad(date.getUTCDate()), pad(date.getUTCMonth() + 1)];
  const year = style.hasShortYear ? two(date.getUTCFullYear() % 100) : String(date.getUTCFullYear());
  const first = style.order === "dmy" || style.separator === "." ? [day, month] : [month, day];
  const hour = date.getUTCHours();
  const half =
    style.clock === "24" ? "" : `\u202F${style.clock.replace(/a/iu, (a) => (hour < 12 ? a : a === "A" ? "P" : "p"))}`;
  const shownHour = style.clock === "24" ? two(hour) : String(hour % 12 === 0 ? 12 : hour % 12);
  const seconds = style.phone === "ios" ? `:${two(date.getUTCSeconds())}` : "";
  const stamp = `${[...first, year].join(style.separator)}, ${shownHour}:${two(date.getUTCMinutes())}${seconds}${half}`;
  return style.phone === "ios" ? `\u200E[${stamp}] ` : `${stamp} - `;
}

const style: fc.Arbitrary<Style> = fc.record({
  order: fc.constantFrom("dmy", "mdy"),
  separator: fc.constantFrom("/", "-", "."),
  isPadded: fc.boolean(),
  hasShortYear: fc.boolean(),
  clock: fc.constantFrom("24", "AM", "am", "a.m."),
  phone: fc.constantFrom("android", "ios"),
});

const startMs = Date.UTC(2016, 0, 1);
const minuteMs = 60_000;
const moments = fc
  .array(fc.nat(3_000_000), { minLength: 1, maxLength: 30 })
  .map((minutes) => minutes.toSorted((x, y) => x - y).map((each) => startMs + each * minuteMs));
const zone = fc.constantFrom("UTC", "Europe/Lisbon", "America/Los_Angeles", "Asia/Kathmandu");

function chatOf(list: readonly number[], how: Style, timeZone: string): string {
  const lines = list.map((ms, i) => `${formatStamp(clockAt(ms, timeZone), how)}Ana ${i % 2}: message ${i}\nmore ${i}`);
  return `${lines.join("\r\n")}\r\n`;
}

async function timesOf(text: string, timeZone: string, dateOrder?: "dmy" | "mdy"): Promise<number[]> {
  // One message in each interaction, so that the time of each is seen.
  const options = { timeZone, turnCountMax: 1, ...(dateOrder === undefined ? {} : { dateOrder }) };
  const { interactions, error } = await readAll("whatsapp", chunksOf(text, 50), options);
  if (error !== null) throw error;
  expect(interactions.map(({ turns }) => turns![0]!.text)).toEqual(
    interactions.map((_, i) => `message ${i}\nmore ${i}`),
  );
  return interactions.map(({ at }) => at!);
}

/** A clock that shows a time twice means the first. */
const firstOf = (ms: number, timeZone: string): number => momentOf(clockAt(ms, timeZone), timeZone);

describe("dates", () => {
  it("come back where the order is given, or one of them shows it by a day after the twelfth", async () => {
    await fc.assert(
      fc.asyncProperty(moments, style, zone, fc.boolean(), async (list, how, timeZone, isGiven) => {
        const isShown = (ms: number): boolean => new Date(clockAt(ms, timeZone)).getUTCDate() > 12;
        fc.pre(isGiven || how.separator === "." || list.some(isShown));
        const times = await timesOf(chatOf(list, how, timeZone), timeZone, isGiven ? how.order : undefined);
        expect(times).toEqual(list.map((ms) => firstOf(ms, timeZone)));
      }),
      { seed: 22, numRuns: 200 },
    );
  });

  const chat = (...dates: readonly string[]): string => dates.map((date, i) => `${date}, 10:00 - Ana: ${i}\n`).join("");
  const days = async (text: string): Promise<string[]> => {
    const { interactions, counts } = await readAll("whatsapp", text);
    const uncertain = Object.keys(counts.skipped).filter((reason) => reason.startsWith("dates that fit both"));
    return [...interactions.map(({ at }) => new Date(at!).toISOString().slice(0, 10)), ...uncertain];
  };

  it("that fit both orders are read day first, and the counts say so", async () => {
    expect(await days(chat("05/03/2024"))).toEqual([
      "2024-03-05",
      "dates that fit both orders, read as day before month",
    ]);
  });

  it("with the year first, and words before the time, are read", async () => {
    expect(await days("[2024/03/05, 10:00:00] Ana: hi\n")).toEqual(["2024-03-05"]);
    expect(await days("[5.3.2024 klo 10.00.00] Ana: hi\n")).toEqual(["2024-03-05"]);
  });

  it("that do not exist in the order of the file are left out, and the counts say so", async () => {
    const { interactions, counts } = await readAll("whatsapp", chat("25/03/2024", "03/26/2024"));
    expect(interactions.map(({ turns }) => turns)).toEqual([[{ who: "Ana", text: "0" }]]);
    expect(counts.skipped).toEqual({ "messages with dates in another order": 1 });
  });

  it("wait in bounded number for one that shows the order", async () => {
    const lines = Array.from(
      { length: 20_100 },
      (_, i) => `01/0${1 + Math.floor(i / 10_000)}/2024, 10:00 - Ana: ${i}\n`,
    );
    const { counts } = await readAll("whatsapp", chunksOf(lines.join(""), 10_000));
    expect(counts.messageCount).toBe(20_100);
  });
});
