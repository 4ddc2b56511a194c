import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLenientJson } from "../../../src/engine/language-model/lenient-json.js";
import { readReply } from "../../../src/engine/language-model/model-reply.js";

const asIs = (object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => object;

describe("lenient JSON", () => {
  it("reads whatever is JSON as JSON does, and overlooks nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const read = readLenientJson(text);
        expect(read.value).toEqual(JSON.parse(text));
        expect(read.end).toBe(text.length);
        expect(read.leniencies).toEqual([]);
      }),
    );
  });

  it.each([
    ["{'a': 'b'}", { a: "b" }, ["single quotes"]],
    ["{'who': 'Ada's knee', 'n': 1}", { who: "Ada's knee", n: 1 }, ["single quotes"]],
    ["{“a”: “b”}", { a: "b" }, ["single quotes"]],
    ["{a: 1, b_2: [1, 2,],}", { a: 1, b_2: [1, 2] }, ["bare keys", "trailing comma"]],
    ['{"a": True, "b": None} // done', { a: true, b: null }, ["other literals"]],
    ['{"a": /* one */ 1, # two\n "b": 2}', { a: 1, b: 2 }, ["comment"]],
    ['{"a": "one\ntwo"}', { a: "one\ntwo" }, ["raw line break"]],
    [String.raw`{"a": "\u0041\"\q\u00zz"}`, { a: 'A"qu00zz' }, []],
    ["[-1.5e3, 0]", [-1500, 0], []],
  ])("%s", (text, value, leniencies) => {
    const read = readLenientJson(text);
    expect(read.value).toEqual(value);
    expect(read.leniencies).toEqual(leniencies);
  });

  it.each(['{"a": 1', '{"a', '{"a": [1, 2', "{", "", "nonsense", '{"a" 1}', "[1 2]", `${"[".repeat(100)}`])(
    "%s is an error, not a guess",
    (text) => expect(() => readLenientJson(text)).toThrow(),
  );

  it("never runs on or fails otherwise, whatever the text", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."{}[]:,'\"\\ntrue/*#“”<1 "), maxLength: 60 });
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(readLenientJson(text).end).toBeLessThanOrEqual(text.length);
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });
});

describe("a reply", () => {
  it.each([
    ['{"a": 1}', []],
    ['  \n{"a": 1}\n', []],
    ['Here you are: {"a": 1} Anything else?', ["text around"]],
    ['```json\n{"a": 1}\n```', ["code fence"]],
    ['```\n{"a": 1}', ["code fence"]],
    ['<think>{"a": 2}</think>\n{"a": 1}', ["thoughts"]],
    ['so {"a": 2}, or not?</think>{"a": 1}', ["thoughts"]],
    ['<thinking>hm</thinking>```json\n{"a": 1,}\n```', ["thoughts", "code fence", "trailing comma"]],
    [JSON.stringify('{"a": 1}'), ["quoted JSON"]],
    ['\uFEFF{"a": 1}', []],
  ])("%s", (reply, repairs) => {
    expect(readReply(reply, asIs)).toEqual({ value: { a: 1 }, repairs });
  });

  it("counts by its first object that reads as what was asked for", () => {
    const read = (object: Readonly<Record<string, unknown>>): unknown => {
      if (!("a" in object)) throw new Error('"a" is missing');
      return object["a"];
    };
    const reply = 'The schema is {"type": "object"}. So: {"reply": {"a": 5}} or {"a": 6}.';
    expect(readReply(reply, read).value).toBe(5);
    expect(() => readReply('{"b": 1}', read)).toThrow('"a" is missing');
  });

  it("without an object says so; one that is cut off says that", () => {
    expect(() => readReply("No.", asIs)).toThrow("no JSON object");
    expect(() => readReply("[1, 2]", asIs)).toThrow("no JSON object");
    expect(() => readReply('{"a": [1, 2', asIs)).toThrow("cut off");
    expect(() => readReply("x".repeat(300_000), asIs)).toThrow("longer than");
  });
});
