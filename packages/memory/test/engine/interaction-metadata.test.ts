/** Metadata and expiry at the door: what is taken as it is, and what a refusal says. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInteraction } from "../../src/engine/commit-input.js";
import { makeId, noLimits, parseInteraction } from "../../src/engine/interaction.js";
import { parseParameters } from "../../src/parameters.js";

const nowMs = Date.parse("2025-05-01T10:00:00Z");
const parameters = parseParameters();
const timeZone = "Europe/Berlin";
const parse = (input: object, limits: object = {}) =>
  parseInteraction(
    readInteraction(input, { parameters: { ...parameters, ...limits }, timeZone, clock: { nowMs: () => nowMs } }),
    nowMs,
    { ...parameters, ...limits },
    timeZone,
  );
const parseMetadata = (metadata: unknown, limits?: object): unknown =>
  parse({ summary: "s", metadata }, limits).metadata;

describe("metadata that is taken", () => {
  const key = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
    .filter((name) => /^[^$\p{Cc}]/u.test(name) && !/\p{Cc}/u.test(name) && !(name in {}) && name !== "prototype");
  const text = fc.string({ unit: "grapheme", maxLength: 50 }).filter((value) => !value.includes("\0"));
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  const value = fc.oneof(text, number, fc.boolean(), fc.array(text, { maxLength: 64 }));

  it("comes out as it went in, and is a copy", () => {
    fc.assert(
      fc.property(fc.dictionary(key, value, { maxKeys: 8, noNullPrototype: true }), (metadata) => {
        const parsed = parseMetadata(metadata) as Record<string, unknown>;
        expect(parsed).toEqual(metadata);
        expect(parsed).not.toBe(metadata);
        expect(JSON.parse(JSON.stringify(parsed))).toEqual(metadata);
      }),
    );
  });

  it("may be none, leaves out what is undefined, and may be as large as the limits", () => {
    expect(parse({ summary: "s" }).metadata).toEqual({});
    expect(parseMetadata({ agent: undefined, isDone: false })).toEqual({ isDone: false });
    expect(parseMetadata(Object.assign(Object.create(null), { a: 1 }))).toEqual({ a: 1 });
    const names = Array.from({ length: 32 }, (_, i) => `${"k".repeat(62)}${String(i).padStart(2, "0")}`);
    const largest = Object.fromEntries(names.map((name) => [name, "t".repeat(1_000)]));
    expect(parseMetadata(largest)).toEqual(largest);
    expect(parseMetadata({ tags: Array.from({ length: 64 }, () => "x") })).toEqual({ tags: Array(64).fill("x") });
  });

  it("counts towards the characters of an interaction", () => {
    const limits = { interactionCharacterCountMax: 60 };
    expect(parseMetadata({ a: "x".repeat(50) }, limits)).toEqual({ a: "x".repeat(50) });
    for (const metadata of [{ a: "x".repeat(60) }, { a: ["x".repeat(30), "x".repeat(30)] }]) {
      expect(() => parseMetadata(metadata, limits)).toThrow(/more than 60 characters/u);
    }
  });

  it("makes another id of the same words, and none makes the id that they had", () => {
    const said = parse({ at: nowMs, summary: "s" });
    expect(makeId(said)).toBe("20250501-1000-c5c1ec");
    expect(makeId(parse({ at: nowMs, summary: "s", metadata: { a: 1 } }))).not.toBe(makeId(said));
  });
});

describe("metadata that is refused", () => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [null, /^metadata must be an object, not null/u],
    ["agent", /^metadata must be an object, not a text of 5 characters/u],
    [["agent"], /^metadata must be an object, not a list/u],
    [new Map([["a", 1]]), /^metadata must be a plain object/u],
    [new Date(0), /^metadata must be a plain object/u],
    [{ "": 1 }, /a name of 0 characters; it must be 1 to 64/u],
    [{ ["k".repeat(65)]: 1 }, /a name of 65 characters/u],
    [{ "a\nb": 1 }, /without control characters/u],
    [{ "a\u007f": 1 }, /without control characters/u],
    [{ "\ud800": 1 }, /a name of 1 characters/u],
    [{ $gte: 1 }, /named "\$gte"; choose another name/u],
    [{ constructor: 1 }, /named "constructor"/u],
    [{ prototype: 1 }, /named "prototype"/u],
    [JSON.parse('{"__proto__":1}'), /named "__proto__"/u],
    [{ a: null }, /^metadata "a" is null; it must be text, a finite number, true, false or a list of texts/u],
    [{ a: {} }, /^metadata "a" is an object/u],
    [{ a: NaN }, /^metadata "a" is NaN/u],
    [{ a: Infinity }, /^metadata "a" is Infinity/u],
    [{ a: 1n }, /^metadata "a" is a bigint/u],
    [{ a: ["x", 1] }, /^item 2 of metadata "a" must be text, not 1/u],
    [{ a: [["x"]] }, /^item 1 of metadata "a" must be text, not a list/u],
    [{ a: Array(65).fill("x") }, /^metadata "a" has 65 items; it may have at most 64/u],
    [{ a: "x".repeat(1_001) }, /^metadata "a" has 1001 characters; it may have at most 1000/u],
    [{ a: ["x".repeat(1_001)] }, /^item 1 of metadata "a" has 1001 characters/u],
    [{ a: "\ud800" }, /surrogate pair or a NUL/u],
    [{ a: "\0" }, /surrogate pair or a NUL/u],
    [Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, i])), /has 33 names; it may have at most 32/u],
  ];

  it.each(refused.map(([metadata, message]) => [message.source, metadata, message] as const))(
    "%s",
    (_, metadata, message) => expect(() => parseMetadata(metadata)).toThrow(message),
  );
});

describe("expiresAt", () => {
  const read = (expiresAt: unknown, limits?: object): number | null =>
    parse({ summary: "s", expiresAt }, limits).expiresMs;

  it("is a time to come, in the memory's zone where it names none", () => {
    expect(read(undefined)).toBeNull();
    expect(read(nowMs + 1)).toBe(nowMs + 1);
    expect(read("2025-06-01")).toBe(Date.parse("2025-05-31T22:00:00Z"));
    expect(read(new Date(nowMs + 7))).toBe(nowMs + 7);
  });

  it("that has passed, or is none, is refused, except in what was accepted before", () => {
    expect(() => read(nowMs)).toThrow(/^expiresAt 2025-05-01T10:00:00.000Z has passed .* name a time to come/u);
    expect(() => read("soon")).toThrow(/^expiresAt is /u);
    expect(() => read(null)).toThrow(/^expiresAt is null/u);
    expect(read(nowMs - 5, noLimits)).toBe(nowMs - 5);
  });
});
