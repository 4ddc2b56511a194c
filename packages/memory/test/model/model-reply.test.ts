import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readReply } from "../../src/model/model-reply.js";

type JsonObject = Readonly<Record<string, unknown>>;
const asIs = (object: JsonObject): JsonObject => object;
const readA = (object: JsonObject): unknown => {
  if (!("a" in object)) throw new Error('"a" is missing');
  return object["a"];
};

describe("a reply", () => {
  it("that is JSON is read as JSON, and nothing is repaired", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
        fc.constantFrom(0, 2),
        (object, indent) => {
          const text = JSON.stringify(object, null, indent);
          expect(readReply(text, asIs)).toEqual({ value: JSON.parse(text) as unknown, repairs: [] });
        },
      ),
    );
  });

  it.each<[string, readonly string[]]>([
    ['{"a": 1}', []],
    ['\uFEFF  \n{"a": 1}\n', []],
    ['Here you are: {"a": 1} Anything else?', ["text around"]],
    ['[1] {"a": 1}', ["text around"]],
    ['```json\n{"a": 1}\n```', ["code fence"]],
    ['```\n{"a": 1}', ["code fence"]],
    ['<think>{"a": 2}</think>\n{"a": 1}', ["thoughts"]],
    ['<THINK>no</THINK><think>two</think>{"a": 1}', ["thoughts"]],
    ['so {"a": 2}, or not?</think>{"a": 1}', ["thoughts"]],
    ['<thinking>hm</thinking>```json\n{"a": 1,}\n```', ["thoughts", "code fence", "trailing comma"]],
    [JSON.stringify('{"a": 1}'), ["quoted JSON"]],
    ["{'a': 1,} so", ["text around", "single quotes", "trailing comma"]],
    ["{a: 1}", ["bare keys"]],
    ['{"a": 1 // one\n}', ["comment"]],
    ['{ # one\n "a": 1}', ["comment"]],
  ])("%s", (reply, repairs) => expect(readReply(reply, asIs)).toEqual({ value: { a: 1 }, repairs }));

  it.each<[string, unknown]>([
    [`{'who': 'Ada said "no"', 'n': [1, 2,]}`, { who: 'Ada said "no"', n: [1, 2] }],
    [String.raw`{'who': 'Ada\'s knee'}`, { who: "Ada's knee" }],
    ['{"a": True, "b": None, "c": [False, undefined]}', { a: true, b: null, c: [false, null] }],
    ['{"a": "one\ntwo"}', { a: "one\ntwo" }],
    ['{"a": "it\'s {b: 1}, // so"} and', { a: "it's {b: 1}, // so" }],
    ["{ünï_2-b: {c: 1}}", { "ünï_2-b": { c: 1 } }],
  ])("%s is repaired", (reply, value) => expect(readReply(reply, asIs).value).toEqual(value));

  it("counts by its first object that reads as what was asked for, of fifty places", () => {
    const reply = 'The schema is {"type": "object"}. So: {"reply": {"a": 5}} or {"a": 6}.';
    expect(readReply(reply, readA).value).toBe(5);
    expect(readReply(`${"{} ".repeat(49)}{"a": 1}`, readA).value).toBe(1);
    expect(() => readReply(`${"{} ".repeat(50)}{"a": 1}`, readA)).toThrow('"a" is missing');
  });

  it.each([
    ['{"b": 1}', '"a" is missing'],
    ["No.", "there is no JSON object in the reply"],
    ["[1, 2]", "there is no JSON object in the reply"],
    ['<think>so {"a": 1}', "there is no JSON object in the reply"],
    ['{"a": [1, 2', "no valid JSON, or is cut off"],
    ['{"a": "Ada has', "no valid JSON, or is cut off"],
    ["so { and {", "no valid JSON, or is cut off"],
    ['{"a" 1}', "no valid JSON, or is cut off"],
    ["x".repeat(200_001), "the reply is longer than 200000 characters"],
  ])("%s says why it is unusable, and nothing of what was said", (reply, message) => {
    expect(() => readReply(reply, readA)).toThrow(message);
    expect(() => readReply(reply, readA)).not.toThrow("Ada");
  });

  it("never runs on or fails otherwise, whatever the text", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."{}[]:,'\"\\ntrue/*#<1 "), maxLength: 60 });
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(readReply(text, asIs).value).toBeTypeOf("object");
        } catch (error) {
          expect((error as Error).message).toMatch(/^(?:there is no JSON object|the reply is no valid JSON)/u);
        }
      }),
    );
  });
});
