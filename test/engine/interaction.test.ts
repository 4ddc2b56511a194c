/** Interactions at the door, to the letter: where the limits lie, and what a refusal says. */
import { describe, expect, it } from "vitest";
import {
  checkSize,
  checkWords,
  makeId,
  parseAddedTurn,
  parseId,
  parseInteraction,
  parsePerson,
  parseQuery,
  parseTime,
  readInteraction,
} from "../../src/engine/interaction.js";
import { parseParameters } from "../../src/parameters.js";

const nowMs = Date.parse("2025-05-01T10:00:00Z");
const parameters = parseParameters({ futureToleranceMinutes: 5, interactionCharacterCountMax: 100 });
const parse = (input: object): unknown => parseInteraction(readInteraction(input), nowMs, parameters);
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
  it("is what was said, when it was, and when it was submitted", () => {
    const turns = [{ who: "user", text: "Hello." }];
    expect(parse({ id: "x", at: nowMs - 5, turns, summary: "A greeting.", state: "at home" })).toEqual({
      initMs: nowMs - 5,
      acceptedMs: nowMs,
      turns,
      summary: "A greeting.",
      state: "at home",
      restored: false,
    });
    expect(parse({ summary: "A greeting." })).toEqual({
      initMs: nowMs,
      acceptedMs: nowMs,
      turns: [],
      summary: "A greeting.",
      state: null,
      restored: false,
    });
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
    expect(refusalOf(() => parseInteraction({ turns: turns(3) }, nowMs, limits))).toBe("it is taken");
    expect(refusalOf(() => parseInteraction({ turns: turns(4) }, nowMs, limits))).toBe(tooMany);
    const grown = { initMs: 0, acceptedMs: 0, turns: turns(4), summary: null, state: null, restored: false };
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
    ["the interaction must be an object, not null", () => parse(null as unknown as object)],
    ["the interaction must be an object, not a text of 5 characters", () => parse("hello" as unknown as object)],
    ["turns must be an array, not a text of 5 characters", () => parse({ turns: "hello" })],
    // eslint-disable-next-line no-sparse-arrays -- a gap is the point
    ["turn 1 must be an object, not undefined", () => parse({ turns: [, { who: "user", text: "Hello." }] })],
    ["the turn must be an object, not null", () => parseTurn(null as never)],
    ["the turn must be an object, not a text of 5 characters", () => parseTurn("hello" as never)],
    ["the turn must be an object, not a bigint", () => parseTurn(5n as never)],
    ["the turn must be an object, not undefined", () => parseTurn(undefined as never)],
    ["text of the turn must be text, not undefined", () => parseTurn({ who: "user" } as never)],
    ["text of the turn must be text, not null", () => parseTurn({ who: "user", text: null } as never)],
    ["summary must be text, not 5", () => parse({ summary: 5 })],
    [
      "summary contains half of a surrogate pair; it is not valid Unicode",
      () => parse({ summary: "half \ud800 of a pair" }),
    ],
    ["summary contains a NUL character; remove it", () => parse({ summary: "a\0b" })],
    ["recall needs a question", () => parseQuery("  ", parameters)],
    ["recall needs a question", () => parseQuery(5 as never, parameters)],
    ["query contains a NUL character; remove it", () => parseQuery("a\0b", parameters)],
    [
      "who of the turn is a text of 0 characters; it must be 1 to 200 characters without control characters",
      () => parseTurn({ who: "", text: "Hello." } as never),
    ],
    ["state is 5; it must be 1 to 200 characters without control characters", () => parse({ summary: "a", state: 5 })],
    ["person is null; it must be 1 to 200 characters without control characters", () => parsePerson(null as never)],
    ["id is a text of 3 characters; it must be 1 to 200 characters without control characters", () => parseId("a\tb")],
    [
      "id is a text of 2 characters; it must be 1 to 200 characters without control characters",
      () => parseId("a\u007f"),
    ],
    [
      "the question has 101 characters; it may have at most 100 (parameter questionCharacterCountMax). Ask with the part that matters",
      () => parseQuery("x".repeat(101), { ...parameters, questionCharacterCountMax: 100 }),
    ],
    ['at is a text of 4 characters; it must be a date such as "2025-01-08T09:15:00Z"', () => parseTime("soon", "at")],
    ['at is an invalid Date; it must be a date such as "2025-01-08T09:15:00Z"', () => parseTime(new Date(NaN), "at")],
    ['at is null; it must be a date such as "2025-01-08T09:15:00Z"', () => parseTime(null as never, "at")],
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
  it.each([
    ["2025-01-08", "2025-01-08T00:00:00.000Z"],
    [" 2025-01-08T09:15:00Z ", "2025-01-08T09:15:00.000Z"],
    ["2025-01-08 09:15Z", "2025-01-08T09:15:00.000Z"],
    ["2025-01-08T09:15:30.25+02:00", "2025-01-08T07:15:30.250Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2025-12-31", "2025-12-31T00:00:00.000Z"],
    ["2025-04-30", "2025-04-30T00:00:00.000Z"],
  ])("%j is %s", (text, expected) => {
    expect(new Date(parseTime(text, "at")).toISOString()).toBe(expected);
  });

  it.each([
    "2025-02-29",
    "2025-04-31",
    "2025-1-8",
    "2025-01-08T9:15",
    "x2025-01-08",
    "2025-01-08x",
    "2025-01-08T09:15:00Zz",
  ])("%s is none", (text) => expect(() => parseTime(text, "at")).toThrow(/^at is /u));

  it("is a Date or a number of milliseconds as well, to the whole millisecond", () => {
    expect(parseTime(new Date(1_234), "at")).toBe(1_234);
    expect(parseTime(1_234.6, "at")).toBe(1_235);
    expect(parseTime(-5, "at")).toBe(-5);
  });

  it("ends a day before dates do, at both ends", () => {
    const last = 8.64e15 - 86_400_000;
    expect(parseTime(last, "at")).toBe(last);
    expect(parseTime(-last, "at")).toBe(-last);
    expect(() => parseTime(last + 1, "at")).toThrow(/^at is /u);
    expect(() => parseTime(-last - 1, "at")).toThrow(/^at is /u);
  });
});

it("an id that is made is the moment and six signs of the content", () => {
  const interaction = {
    initMs: Date.parse("2025-05-01T09:07:30Z"),
    acceptedMs: nowMs,
    turns: [{ who: "user", text: "Hello." }],
    summary: null,
    state: null,
    restored: false,
  };
  expect(makeId(interaction)).toMatch(/^20250501-0907-[\da-f]{6}$/u);
  const ids = [
    interaction,
    { ...interaction, initMs: interaction.initMs + 1 },
    { ...interaction, turns: [{ who: "user", text: "Hello!" }] },
    { ...interaction, turns: [{ who: "Ada", text: "Hello." }] },
    { ...interaction, summary: "Hello." },
    { ...interaction, state: "at home" },
  ].map(makeId);
  expect(new Set(ids).size).toBe(6);
  // When it was submitted, and whether it was restored, make no difference.
  expect(makeId({ ...interaction, acceptedMs: 0, restored: true })).toBe(ids[0]);
});
