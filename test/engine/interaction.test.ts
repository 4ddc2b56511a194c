/** Interactions at the door, to the letter: where the limits lie, and what a refusal says. */
import { describe, expect, it } from "vitest";
import {
  checkLength,
  makeId,
  parseId,
  parseInteraction,
  parsePerson,
  parseQuery,
  parseTime,
  parseTurn,
} from "../../src/engine/interaction.js";
import { parseParameters } from "../../src/parameters.js";

const nowMs = Date.parse("2025-05-01T10:00:00Z");
const parameters = parseParameters({ futureToleranceMinutes: 5, interactionCharacterCountMax: 100 });
const parse = (input: object): unknown => parseInteraction(input, nowMs, parameters);

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
  it("is what was said, when it was, and when it was handed in", () => {
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
      "commit at 2025-05-01T10:05:00.001Z lies in the future (now is 2025-05-01T10:00:00.000Z); a memory is of what has happened",
    );
  });

  it("has as many characters as the parameter says, in turns and summary together, and not one more", () => {
    const turn = (length: number): object => ({ who: "user", text: "x".repeat(length) });
    expect(refusalOf(() => parse({ turns: [turn(50), turn(20)], summary: "x".repeat(30) }))).toBe("it is taken");
    expect(refusalOf(() => parse({ turns: [turn(50), turn(20)], summary: "x".repeat(31) }))).toBe(
      "commit has 101 characters; at most 100 are one interaction (parameter interactionCharacterCountMax). Split it, or hand in a summary",
    );
    expect(refusalOf(() => checkLength([{ who: "user", text: " " }], " . ", parameters))).toBe("it is taken");
    expect(refusalOf(() => checkLength([{ who: "user", text: " " }], null, parameters))).toBe(
      "commit needs turns or a summary with at least one word",
    );
  });
});

describe("a refusal says what is wrong:", () => {
  it.each<[string, () => unknown]>([
    ["commit needs an object with turns or a summary", () => parse(null as unknown as object)],
    ["commit needs an object with turns or a summary", () => parse("hello" as unknown as object)],
    ["turns must be a list of { who, text }", () => parse({ turns: "hello" })],
    ["a turn must be { who, text }, not null", () => parseTurn(null as never)],
    ['a turn must be { who, text }, not "hello"', () => parseTurn("hello" as never)],
    ["a turn must be { who, text }, not a bigint", () => parseTurn(5n as never)],
    ["a turn must be { who, text }, not undefined", () => parseTurn(undefined as never)],
    ["text of a turn must be text, not undefined", () => parseTurn({ who: "user" } as never)],
    ["text of a turn must be text, not null", () => parseTurn({ who: "user", text: null } as never)],
    ["summary must be text, not number", () => parse({ summary: 5 })],
    [
      "summary holds half of a surrogate pair; it is not valid Unicode",
      () => parse({ summary: "half \ud800 of a pair" }),
    ],
    ["summary holds a NUL character; remove it", () => parse({ summary: "a\0b" })],
    ["recall needs a question", () => parseQuery("  ")],
    ["recall needs a question", () => parseQuery(5 as never)],
    ["query holds a NUL character; remove it", () => parseQuery("a\0b")],
    [
      'who of a turn is ""; it must be 1 to 200 characters without control characters',
      () => parseTurn({ who: "", text: "Hello." }),
    ],
    ["state is 5; it must be 1 to 200 characters without control characters", () => parse({ summary: "a", state: 5 })],
    ["person is null; it must be 1 to 200 characters without control characters", () => parsePerson(null as never)],
    [String.raw`id is "a\tb"; it must be 1 to 200 characters without control characters`, () => parseId("a\tb")],
    [
      String.raw`id is "a\u007f"; it must be 1 to 200 characters without control characters`.replace(
        String.raw`\u007f`,
        "\u007f",
      ),
      () => parseId("a\u007f"),
    ],
    ['at is "soon"; it must be a date such as "2025-01-08T09:15:00Z"', () => parseTime("soon", "at")],
    ['at is an invalid Date; it must be a date such as "2025-01-08T09:15:00Z"', () => parseTime(new Date(NaN), "at")],
    ['at is null; it must be a date such as "2025-01-08T09:15:00Z"', () => parseTime(null as never, "at")],
  ])("%s", (message, work) => expect(refusalOf(work)).toBe(message));

  it("and shows 60 characters of the value at most", () => {
    expect(refusalOf(() => parseId("x".repeat(300)))).toBe(
      `id is "${"x".repeat(59)}; it must be 1 to 200 characters without control characters`,
    );
  });
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
  // When it was handed in, and whether it was restored, make no difference.
  expect(makeId({ ...interaction, acceptedMs: 0, restored: true })).toBe(ids[0]);
});
