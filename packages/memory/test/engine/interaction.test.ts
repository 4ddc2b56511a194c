/** Interactions at the door, to the letter: where the limits lie, and what a refusal says. */
import { describe, expect, it } from "vitest";
import { readInteraction } from "../../src/engine/commit-input.js";
import {
  type Time,
  checkSize,
  checkWords,
  makeId,
  noLimits,
  parseAddedTurn,
  parseId,
  parseInteraction,
  parsePerson,
  parseQuery,
  parseTime,
} from "../../src/engine/interaction.js";
import { parseParameters } from "../../src/parameters.js";
import { bareInteraction } from "./bare-interaction.js";

const nowMs = Date.parse("2025-05-01T10:00:00Z");
const parameters = parseParameters({ futureToleranceMinutes: 5, interactionCharacterCountMax: 100 });
const reading = { parameters, timeZone: "UTC", clock: { nowMs: () => nowMs } };
const parse = (input: object): unknown => parseInteraction(readInteraction(input, reading), nowMs, parameters, "UTC");
const parseTurn = (turn: never): unknown => parseAddedTurn(turn, parameters);

/** What a refusal says, without its code. */
function refusalOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return (error as Error).message;
  }
  return "it is taken";
}

describe("an interaction that is taken", () => {
  it("is what was said, when it was, when it was submitted, and what the caller asks of it", () => {
    const turns = [{ who: "user", text: "Hello." }];
    const bare = { ...bareInteraction, initMs: nowMs, acceptedMs: nowMs, summary: "A greeting." };
    expect(parse({ summary: "A greeting." })).toEqual(bare);
    expect(parse({ id: "x", at: nowMs - 5, turns, summary: "A greeting.", state: "at home" })).toEqual({
      ...bare,
      initMs: nowMs - 5,
      turns,
      state: "at home",
    });
    const asked = { summary: "A greeting.", keep: true, updates: ["c", "b", "c"] };
    expect(parse(asked)).toEqual({ ...bare, kept: true, updates: ["b", "c"] });
    expect(parse({ ...asked, updates: "b" })).toMatchObject({ updates: ["b"] });
    const ids = Array.from({ length: 16 }, (_, i) => `i${String(i).padStart(2, "0")}`);
    expect(parse({ id: "own", summary: "Hello.", updates: ids })).toMatchObject({ updates: ids });
    expect(
      parseInteraction({ summary: "Hello.", updates: [...ids, "x"] }, nowMs, { ...parameters, ...noLimits }, "UTC"),
    ).toMatchObject({ updates: [...ids, "x"] });
  });

  it.each([
    [{ keep: "yes" }, "interaction_invalid", "keep must be true or false, not a text of 3 characters"],
    [{ updates: 7 }, "id_invalid", "updates must be an array, not 7"],
    [{ updates: null }, "id_invalid", "updates must be an array, not null"],
    [
      { updates: ["b", ""] },
      "id_invalid",
      "an id in updates is a text of 0 characters; it must be 1 to 200 characters without control characters",
    ],
    [
      { updates: Array.from({ length: 17 }, (_, i) => `${i}`) },
      "id_invalid",
      "updates names 17 ids; an interaction may name at most 16",
    ],
    [{ id: "own", updates: ["a", "own"] }, "id_invalid", "updates names the interaction itself; name earlier ones"],
  ])("is not one with %j", (fields, code, message) => {
    expect(() => parse({ summary: "Hello.", ...fields })).toThrow(expect.objectContaining({ code, message }));
  });

  it("may lie ahead of the clock by the tolerance, and not a millisecond more", () => {
    const toleranceMs = 5 * 60_000;
    expect(parse({ at: nowMs + toleranceMs, summary: "Hello." })).toMatchObject({ initMs: nowMs + toleranceMs });
    expect(refusalOf(() => parse({ at: nowMs + toleranceMs + 1, summary: "Hello." }))).toBe(
      "commit at 2025-05-01T10:05:00.001Z lies in the future (now is 2025-05-01T10:00:00.000Z); a memory is about the past",
    );
  });

  it("has as many characters as the parameter says, in all that was said and by whom, and not one more", () => {
    const turn = (length: number): object => ({ who: "user", text: "x".repeat(length) });
    const turns = [turn(40), turn(18)];
    expect(refusalOf(() => parse({ turns, summary: "x".repeat(30), state: "home" }))).toBe("it is taken");
    const tooLong =
      "the interaction has more than 100 characters (parameter interactionCharacterCountMax); split it, or submit a summary";
    expect(refusalOf(() => parse({ turns, summary: "x".repeat(31), state: "home" }))).toBe(tooLong);
    expect(refusalOf(() => parse({ turns, summary: "x".repeat(30), state: "house" }))).toBe(tooLong);
    expect(refusalOf(() => parse({ turns: [{ who: "w".repeat(99), text: "xy" }] }))).toBe(tooLong);
    expect(refusalOf(() => parseAddedTurn({ who: "user", text: "x".repeat(97) }, parameters))).toBe(tooLong);
  });

  it("has as many turns as the parameter says, and not one more", () => {
    const limits = { ...parameters, interactionTurnCountMax: 3 };
    const turns = (count: number): { who: string; text: string }[] =>
      Array.from({ length: count }, () => ({ who: "user", text: "Hi." }));
    const tooMany =
      "the interaction has 4 turns; it may have at most 3 (parameter interactionTurnCountMax). Split it, or submit a summary";
    expect(refusalOf(() => parseInteraction({ turns: turns(3) }, nowMs, limits, "UTC"))).toBe("it is taken");
    expect(refusalOf(() => parseInteraction({ turns: turns(4) }, nowMs, limits, "UTC"))).toBe(tooMany);
    const grown = { ...bareInteraction, turns: turns(4) };
    expect(refusalOf(() => checkSize(grown, limits))).toBe(tooMany);
    expect(refusalOf(() => checkSize({ ...grown, turns: turns(3) }, limits))).toBe("it is taken");
  });

  it("has a word", () => {
    expect(refusalOf(() => checkWords([{ who: "user", text: " " }], " . "))).toBe("it is taken");
    expect(refusalOf(() => checkWords([{ who: "user", text: " " }], null))).toBe(
      "commit needs turns or a summary with at least one word",
    );
  });

  it("is refused before any work that grows with it", () => {
    let readCount = 0;
    const turns = new Proxy(
      Array.from({ length: 5_000 }, () => ({ who: "user", text: "Hi." })),
      {
        get(target, key, receiver) {
          readCount++;
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    expect(() => parse({ turns })).toThrow(/interactionTurnCountMax/u);
    expect(readCount).toBe(1);
  });
});

describe("a refusal says what is wrong:", () => {
  it.each<[string, () => unknown]>([
    ["turns must be an array, not a text of 5 characters", () => parse({ turns: "hello" })],
    [
      "turn 1 must be an object, not undefined; turns take who and text; role and content work too",
      // eslint-disable-next-line no-sparse-arrays -- a gap is the point
      () => parse({ turns: [, { who: "user", text: "Hello." }] }),
    ],
    ["the turn must be an object, not null", () => parseTurn(null as never)],
    ["text of the turn must be text, not null", () => parseTurn({ who: "user", text: null } as never)],
    ["summary must be text, not 5", () => parse({ summary: 5 })],
    [
      "summary contains half of a surrogate pair or a NUL character; remove it",
      () => parse({ summary: "half \ud800 of a pair" }),
    ],
    ["summary contains half of a surrogate pair or a NUL character; remove it", () => parse({ summary: "a\0b" })],
    ["recall needs a question", () => parseQuery("  ", parameters)],
    ["query contains half of a surrogate pair or a NUL character; remove it", () => parseQuery("a\0b", parameters)],
    [
      "who of the turn is a text of 0 characters; it must be 1 to 200 characters without control characters",
      () => parseTurn({ who: "", text: "Hello." } as never),
    ],
    ["person is null; it must be 1 to 200 characters without control characters", () => parsePerson(null as never)],
    ["id is a text of 3 characters; it must be 1 to 200 characters without control characters", () => parseId("a\tb")],
    [
      "the question has 101 characters; it may have at most 100 (parameter questionCharacterCountMax). Ask with the part that matters",
      () => parseQuery("x".repeat(101), { ...parameters, questionCharacterCountMax: 100 }),
    ],
    [
      'at is a text of 4 characters; it must be a date such as "2025-01-08T09:15:00Z"',
      () => parseTime("soon", "at", "UTC"),
    ],
    ['at is Infinity; it must be a date such as "2025-01-08T09:15:00Z"', () => parseTime(Infinity, "at", "UTC")],
  ])("%s", (message, work) => expect(refusalOf(work)).toBe(message));
});

it("a label has 200 characters at most, and is kept as it is", () => {
  expect(parseId(` ${"x".repeat(199)}`)).toBe(` ${"x".repeat(199)}`);
  expect(() => parseId("x".repeat(201))).toThrow();
  expect(() => parsePerson("   ")).toThrow();
  expect(() => parseId("\ud800")).toThrow();
  expect(parsePerson("Zoë {1} 🦓")).toBe("Zoë {1} 🦓");
});

describe("a time", () => {
  const read = (time: Time, timeZone = "UTC"): number => parseTime(time, "at", timeZone);

  it.each([
    ["2025-01-08", "2025-01-08T00:00:00.000Z"],
    [" 2025-01-08T09:15:00Z ", "2025-01-08T09:15:00.000Z"],
    ["2025-01-08 09:15Z", "2025-01-08T09:15:00.000Z"],
    ["2025-01-08T09:15:30.25+02:00", "2025-01-08T07:15:30.250Z"],
    ["2025-01-08T09:15-0530", "2025-01-08T14:45:00.000Z"],
    ["2025-01-08T09:15+23:59", "2025-01-07T09:16:00.000Z"],
    ["2025-01-08T09:15:30.9999Z", "2025-01-08T09:15:30.999Z"],
    ["2025-01-08T24:00Z", "2025-01-09T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["+012024-02-29", "+012024-02-29T00:00:00.000Z"],
    ["-000001-12-31T23:00Z", "-000001-12-31T23:00:00.000Z"],
  ])("%j is %s", (text, expected) => {
    expect(new Date(read(text)).toISOString()).toBe(expected);
  });

  it("that names no moment is refused, in any time zone", () => {
    const none =
      "2025-02-29 2025-04-31 2025-01-32 2025-01-00 2025-00-08 2025-13-01 2025-1-8 +012025-02-29 -000001-02-30 -000000-01-01 +2025-01-08 20250-01-08 002025-01-08 +275760-09-13 2025-01-08T9:15 2025-01-08T25:00 2025-01-08T24:01 2025-01-08T24:00:00.001 2025-01-08T09:60 2025-01-08T09:15:60 2025-01-08T09:15+24:00 2025-01-08T09:15+14:60 2025-01-08Z x2025-01-08 2025-01-08x 2025-01-08T09:15:00Zz";
    const zones = ["UTC", "America/New_York", "Pacific/Apia"];
    const taken = none
      .split(" ")
      .filter((text) => zones.some((zone) => refusalOf(() => read(text, zone)) === "it is taken"));
    expect(taken).toEqual([]);
  });

  it.each([
    ["UTC", "2025-07-01T00:00:00.000Z", "2025-07-01T18:30:00.000Z"],
    ["America/New_York", "2025-07-01T04:00:00.000Z", "2025-07-01T22:30:00.000Z"],
    ["Asia/Kathmandu", "2025-06-30T18:15:00.000Z", "2025-07-01T12:45:00.000Z"],
    ["Pacific/Apia", "2025-06-30T11:00:00.000Z", "2025-07-01T05:30:00.000Z"],
  ])("without a zone is one in %s; with a zone it is the same everywhere", (zone, day, evening) => {
    expect(new Date(read("2025-07-01", zone)).toISOString()).toBe(day);
    expect(new Date(read("2025-07-01T18:30", zone)).toISOString()).toBe(evening);
    expect(new Date(read("2025-07-01 18:30:00.0", zone)).toISOString()).toBe(evening);
    for (const same of [
      "2025-07-01T18:30Z",
      "2025-07-02T00:00+05:30",
      new Date(1_751_394_600_000),
      1_751_394_600_000,
    ]) {
      expect(new Date(read(same, zone)).toISOString()).toBe("2025-07-01T18:30:00.000Z");
    }
  });

  it.each([
    ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["America/Toronto", "1919-03-31T00:00", "1919-03-31T05:00:00.000Z"],
    ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00:00.000Z"],
    ["America/New_York", "2025-03-09T02:30", "2025-03-09T07:30:00.000Z"],
    ["America/New_York", "2025-11-02T01:30", "2025-11-02T05:30:00.000Z"],
    ["America/New_York", "2025-03-08T24:00", "2025-03-09T05:00:00.000Z"],
  ])("in %s, where clocks change, %s is %s", (zone, text, expected) => {
    expect(new Date(read(text, zone)).toISOString()).toBe(expected);
  });

  it("is a Date or a number of milliseconds as well, to the whole millisecond", () => {
    expect(read(new Date(1_234))).toBe(1_234);
    expect(read(1_234.6)).toBe(1_235);
    expect(read(-5)).toBe(-5);
  });

  it("ends a day before dates do, at both ends", () => {
    const last = 8.64e15 - 86_400_000;
    expect(read(last)).toBe(last);
    expect(read(-last)).toBe(-last);
    expect(() => read(last + 1)).toThrow(/^at is /u);
    expect(() => read(-last - 1)).toThrow(/^at is /u);
    for (const zone of ["Pacific/Kiritimati", "America/New_York"]) {
      expect(() => read("+275760-09-12T23:59", zone)).toThrow(/^at is /u);
      expect(() => read("-271821-04-20", zone)).toThrow(/^at is /u);
    }
  });
});

it("an id that is made is the moment and six signs of the content", () => {
  const initMs = Date.parse("2025-05-01T09:07:30Z");
  const interaction = { ...bareInteraction, initMs, acceptedMs: nowMs, turns: [{ who: "user", text: "Hello." }] };
  const ids = [
    interaction,
    { ...interaction, initMs: interaction.initMs + 1 },
    { ...interaction, turns: [{ who: "user", text: "Hello!" }] },
    { ...interaction, turns: [{ who: "Ada", text: "Hello." }] },
    { ...interaction, summary: "Hello." },
    { ...interaction, state: "at home" },
    { ...interaction, metadata: { a: 1 } },
  ].map(makeId);
  for (const id of ids) expect(id).toMatch(/^20250501-0907-[\da-f]{6}$/u);
  expect(new Set(ids).size).toBe(7);
  // When it was submitted, and whether it was restored, make no difference.
  expect(makeId({ ...interaction, acceptedMs: 0, restored: true })).toBe(ids[0]);
});
