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

describe("lenient JSON to the letter", () => {
  it.each<[string, string]>([
    ["", "it is cut off"],
    ["{", "it is cut off"],
    ['{"a": 1', "it is cut off"],
    ['{"a', "it is cut off inside a text"],
    ['{"a": "b', "it is cut off inside a text"],
    ['{"a" 1}', "character 6 is not expected there"],
    ["[1 2]", "character 4 is not expected there"],
    ["{1: 2}", "character 2 is not expected there"],
    ["@", "character 1 is not expected there"],
    ["@abcdefghijklmnopqrstuvwxyz", "character 1 is not expected there"],
    ["[toString]", "character 10 is not expected there"],
    ["[.5]", "character 2 is not expected there"],
    ["[1,,2]", "character 4 is not expected there"],
    ["[,]", "character 2 is not expected there"],
    ["[".repeat(34), "it is nested too deeply"],
  ])("%s: %s", (text, message) => expect(() => readLenientJson(text)).toThrow(message));

  it("may be nested 32 deep", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(readLenientJson(nested(33)).value).toEqual(JSON.parse(nested(33)));
    expect(() => readLenientJson(nested(34))).toThrow("it is nested too deeply");
    const objects = (depth: number): string => '{"a":'.repeat(depth) + "1" + "}".repeat(depth);
    expect(() => readLenientJson(objects(32))).not.toThrow();
    expect(() => readLenientJson(objects(33))).toThrow("it is nested too deeply");
  });

  it.each<[string, unknown, readonly string[]]>([
    ["[]", [], []],
    ["{}", {}, []],
    ["[1,]", [1], ["trailing comma"]],
    ["[ ]", [], []],
    ["{ } ", {}, []],
    ["‘it’s’", "it’s", ["single quotes"]],
    ["'a'", "a", ["single quotes"]],
    ["'rock ' ", "rock ", ["single quotes"]],
    ["'5'6'", "5", ["single quotes"]],
    ['"it\'s"', "it's", []],
    ["[undefined, False, true, false, null]", [null, false, true, false, null], ["other literals"]],
    [String.raw`"\n\t\r\b\f\\\/"`, "\n\t\r\b\f\\/", []],
    [String.raw`"\u00e9\u00E9"`, "éé", []],
    ["// so\n/* and */ # so\n 1", 1, ["comment"]],
    ["-12.5E-1", -1.25, []],
    ["1e+2", 100, []],
    ["{$a_1-b: 1, ünï: 2}", { "$a_1-b": 1, ünï: 2 }, ["bare keys"]],
  ])("%s", (text, value, leniencies) => {
    const read = readLenientJson(text);
    expect(read.value).toEqual(value);
    expect(read.leniencies).toEqual(leniencies);
  });

  it("begins where it is told to, and says where it ended", () => {
    expect(readLenientJson("so [1] and", 3)).toEqual({ value: [1], end: 6, leniencies: [] });
    expect(readLenientJson('x {"a": "b"}.', 2).end).toBe(12);
  });
});

describe("a reply to the letter", () => {
  it("may have 200,000 characters", () => {
    const padded = `{"a": 1}`.padEnd(200_000);
    expect(readReply(padded, asIs).value).toEqual({ a: 1 });
    expect(() => readReply(`${padded} `, asIs)).toThrow("the reply is longer than 200000 characters");
  });

  it("is tried at fifty places", () => {
    const read = (object: Readonly<Record<string, unknown>>): unknown => {
      if (!("a" in object)) throw new Error('"a" is missing');
      return object["a"];
    };
    expect(readReply(`${"{} ".repeat(49)}{"a": 1}`, read).value).toBe(1);
    expect(() => readReply(`${"{} ".repeat(50)}{"a": 1}`, read)).toThrow('"a" is missing');
  });

  it("says what is wrong with the first object, not with the last", () => {
    const read = (object: Readonly<Record<string, unknown>>): never => {
      throw new Error(`not ${JSON.stringify(object)}`);
    };
    expect(() => readReply('{"a": 1} {"b": 2}', read)).toThrow('not {"a":1}');
    expect(() => readReply("so { and {", asIs)).toThrow(
      "the reply is no valid JSON: character 10 is not expected there",
    );
    expect(() => readReply("{a {b", asIs)).toThrow("the reply is no valid JSON: character 4 is not expected there");
  });

  it.each<[string, readonly string[]]>([
    ['{"a": 1} so', ["text around"]],
    ['so {"a": 1}', ["text around"]],
    ["{a: 1}", ["bare keys"]],
    ['<THINK>no</THINK> {"a": 1}', ["thoughts"]],
    ['<think>one</think><think>two</think>{"a": 1}', ["thoughts"]],
    ['```JSON5\n{"a": 1}\n``` and more', ["code fence"]],
    ["{'a': 1,} so", ["text around", "single quotes", "trailing comma"]],
    ['[1] {"a": 1}', ["text around"]],
  ])("%s", (reply, repairs) => expect(readReply(reply, asIs)).toEqual({ value: { a: 1 }, repairs }));

  it("that ends inside its thoughts holds nothing else", () => {
    expect(() => readReply('<think>so {"a": 1}', asIs)).toThrow("there is no JSON object in the reply");
    expect(() => readReply('"so {', asIs)).toThrow("cut off");
    expect(() => readReply("null", asIs)).toThrow("there is no JSON object in the reply");
    expect(() => readReply('"so"', asIs)).toThrow("there is no JSON object in the reply");
  });
});
