/** Replies that reached their limit are cut back to what is whole, wherever they were cut. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { closeCutReply } from "../../src/adapters/language-model/cut-reply.js";

const list = { type: "array", items: { type: "string" } };
const schema = { type: "object", properties: { yes: { type: "integer" }, about: list, more: list } };
const summarySchema = { type: "object", properties: { summary: { type: "string" } } };

it.each([
  ['{"yes": 1, "about": ["a b", "c', { yes: 1, about: ["a b"], more: [] }],
  ['{"yes": 1, "about": ["a b"], "mo', { yes: 1, about: ["a b"], more: [] }],
  ['{"yes": 1, "about"', { yes: 1, about: [], more: [] }],
  ['{\n  "yes": 1,\n  "about": ["a\\"b\\\\", "c\\u00', { yes: 1, about: ['a"b\\'], more: [] }],
  ['{"yes": 1, "about": [], "more": ["x"]}', { yes: 1, about: [], more: ["x"] }],
])("%s", (reply, expected) => expect(JSON.parse(closeCutReply(reply, schema))).toEqual(expected));

it.each([
  ['{"summary": "She took 2.5 mg. Then she slept. Her pul', "She took 2.5 mg. Then she slept."],
  ['{"summary": "She took 2.5 mg of it and then 3.', "She took 2.5 mg of it and then"],
  ['{"summary": "薬を飲みました。それから寝', "薬を飲みました。"],
  ['{"summary": "Whole.\\n"', "Whole.\n"],
])("keeps whole sentences, or else whole words, of a text: %s", (reply, summary) => {
  expect(JSON.parse(closeCutReply(reply, summarySchema))).toEqual({ summary });
});

it.each(["", "{", '{"yes', '{"yes": 1', '{"yes": tr', "[1, 2", "nothing"])(
  "leaves alone what lacks something that cannot be empty: %s",
  (reply) => expect(closeCutReply(reply, schema)).toBe(reply),
);

it("does not take an empty list for one that must have items", () => {
  const strict = { type: "object", properties: { about: { ...list, minItems: 1 } } };
  expect(closeCutReply('{"about": ["a', strict)).toBe('{"about": ["a');
  expect(closeCutReply('{"about": ["a", "b', strict)).toBe('{"about":["a"]}');
});

it("wherever a reply is cut after its first field: what is left was said, item by item", () => {
  const texts = fc.array(fc.string({ unit: "grapheme" }), { maxLength: 4 });
  const cases = fc.record({ about: texts, more: texts, share: fc.double({ min: 0, max: 1, noNaN: true }) });
  fc.assert(
    fc.property(cases, fc.constantFrom(0, 2), ({ about, more, share }, indent) => {
      const whole = JSON.stringify({ yes: 0, about, more }, null, indent);
      const start = whole.indexOf(",") + 1;
      const cut = whole.slice(0, start + Math.round((whole.length - start) * share));
      const closed = JSON.parse(closeCutReply(cut, schema)) as { yes: number; about: string[]; more: string[] };
      expect(Object.keys(closed).sort()).toEqual(["about", "more", "yes"]);
      expect(closed.about).toEqual(about.slice(0, closed.about.length));
      expect(closed.more).toEqual(more.slice(0, closed.more.length));
      if (cut === whole) expect(closed).toEqual({ yes: 0, about, more });
    }),
  );
});
