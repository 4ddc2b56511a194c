/** Metadata and expiry at the door: what is taken as it is, and what a refusal says. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readInteraction } from "../../src/engine/commit-input.js";
import { noLimits, parseInteraction } from "../../src/engine/interaction.js";
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
});

describe("metadata that is refused", () => {
  const refused: readonly (readonly [unknown, RegExp])[] = [
    [null, /^metadata must be an object, not null/u],
    [["agent"], /^metadata must be an object, not a list/u],
    [new Map([["a", 1]]), /^metadata must be a plain object/u],
    [{ "": 1 }, /a name of 0 characters; it must be 1 to 64/u],
    [{ "a\nb": 1 }, /without control characters/u],
    [{ "a\u007f": 1 }, /without control characters/u],
    [{ "\ud800": 1 }, /a name of 1 characters/u],
    [{ $gte: 1 }, /named "\$gte"; choose another name/u],
    [{ constructor: 1 }, /named "constructor"/u],
    [JSON.parse('{"__proto__":1}'), /named "__proto__"/u],
    [{ a: null }, /^metadata "a" is null; it must be text, a finite number, true, false or a list of texts/u],
    [{ a: NaN }, /^metadata "a" is NaN/u],
    [{ a: ["x", 1] }, /^item 2 of metadata "a" must be text, not 1/u],
    [{ a: Array(65).fill("x") }, /^metadata "a" has 65 items; it may have at most 64/u],
    [{ a: "x".repeat(1_001) }, /^metadata "a" has 1001 characters; it may have at most 1000/u],
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
