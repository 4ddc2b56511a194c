/** Bytes from a file that claim to be the content of a memory: what is none is refused, and nothing reads beyond them. */
import { describe, expect, it } from "vitest";
import type { EmbeddedNode } from "../../../src/graph/memory-node.js";
import { faultOfContent } from "../../../src/engine/records/content-check.js";
import { memoryContent, toEmbeddedNode } from "../../../src/engine/records/memory-content.js";
import { factOf, statementOf } from "../../graph/graph-fixtures.js";
import { seededRandom } from "../../durability/hashing-embedder.mjs";

const dimensions = 4;
const links = { id: "a", pairId: null, ends: null, marks: null, metadata: null, expiresMs: null };
const memory: EmbeddedNode = {
  node: {
    id: "a",
    initMs: 1_000,
    pairId: null,
    summaryText: "Größe 漢字.",
    state: "at home",
    keywords: ["knee"],
    hypotheticalQuery: "What hurts?",
    questions: ["Where?"],
    statements: [
      factOf("Größe 漢字.", { area: "health" }),
      { ...statementOf("Elsewhere.", { turn: null }), kind: "written" },
    ],
    ends: [],
    marks: [],
    metadata: {},
    expiresMs: null,
  },
  fullText: "user: Größe 漢字.",
  summaryVector: Int8Array.of(1, -2, 3, 127),
  hypotheticalVector: Int8Array.of(5, 6, 7, -127),
  statementVectors: [Int8Array.of(9, 10, 11, 12), Int8Array.of(1, 1, 1, 1)],
  questionVectors: [Int8Array.of(1, 2, 3, 4)],
  tokenBytes: null,
};
const bare: EmbeddedNode = {
  ...memory,
  node: { ...memory.node, hypotheticalQuery: "", questions: [], statements: [], keywords: [] },
  fullText: "",
  hypotheticalVector: memory.summaryVector,
  statementVectors: [],
  questionVectors: [],
};
const content = memoryContent(memory);
/** Places in the header, as memory-content.ts has them. */
const header = { dimensions: 4, head: 5, text: 6, statements: 8, questions: 9, terms: 10, keywords: 11 };

function withNumber(at: number, change: (number: number) => number): Buffer {
  const copy = Buffer.from(content);
  copy.writeInt32LE(change(copy.readInt32LE(at * 4)), at * 4);
  return copy;
}

const start = content.indexOf("[[");
const head = JSON.parse(content.subarray(start, start + content.readInt32LE(header.head * 4)).toString()) as unknown[];
/** With another head in the place of its own. */
function withHead(head: unknown): Buffer {
  const [headLength, textLength] = [content.readInt32LE(header.head * 4), content.readInt32LE(header.text * 4)];
  const bytes = Buffer.from(typeof head === "string" ? head : JSON.stringify(head));
  const text = content.subarray(start + headLength, start + headLength + textLength);
  const parts = Buffer.concat([content.subarray(0, start), bytes, text]);
  const whole = Buffer.concat([parts, Buffer.alloc(-parts.byteLength & 3)]);
  whole.writeInt32LE(bytes.byteLength, header.head * 4);
  return whole;
}

type Packed = readonly [text: unknown, turn: unknown, who: unknown, asked: unknown, kind: unknown, reading: unknown];
const [told, written] = head[4] as readonly [Packed, Packed];
const withTold = (...parts: Parameters<typeof told.with>): unknown[] => head.with(4, [told.with(...parts), written]);
const [reading] = told.slice(5) as [unknown[]];

const another = "the memory has another head than one of its kind";

describe("the content of a memory", () => {
  it.each([memory, bare])("is taken, wherever its bytes lie", (each) => {
    const bytes = memoryContent(each);
    expect(faultOfContent(bytes, dimensions)).toBeNull();
    const shifted = Buffer.concat([Buffer.alloc(1), bytes]).subarray(1);
    expect(faultOfContent(shifted, dimensions)).toBeNull();
    expect(faultOfContent(withHead(head), dimensions)).toBeNull();
  });

  it.each(Object.entries(header))("is refused when the count of %s is another", (name, at) => {
    // A text may end in the padding.
    const small = name === "text" ? [] : [1, -1];
    for (const change of [...small, 1_000, -1_000, 2 ** 30, -(2 ** 31)]) {
      const bytes = withNumber(at, (number) => (number + change) | 0);
      expect(faultOfContent(bytes, dimensions), `${name} ${change}`).not.toBeNull();
    }
  });

  it("is refused when it was cut, or something follows", () => {
    for (let length = 0; length < content.byteLength; length++) {
      expect(faultOfContent(content.subarray(0, length), dimensions), String(length)).not.toBeNull();
    }
    expect(faultOfContent(Buffer.concat([content, Buffer.alloc(4)]), dimensions)).not.toBeNull();
    expect(faultOfContent(content, 5)).toBe("the memory has vectors of 4 dimensions instead of 5");
  });

  it("is refused when its text is not UTF-8", () => {
    const bytes = Buffer.from(content);
    bytes[content.lastIndexOf("ß") + 1] = 0x20;
    expect(faultOfContent(bytes, dimensions)).toBe("the memory has text that is not UTF-8");
  });

  it.each([
    ["no JSON", "["],
    ["no list", "{}"],
    ["one part too few", head.slice(1)],
    ["one part too many", [...head, 1]],
    ["a summary that is none", head.with(0, 5)],
    ["a place before the text", head.with(0, [-1, 2])],
    ["a place after the text", head.with(0, [0, 1_000])],
    ["a place that ends before it begins", head.with(0, [6, 5])],
    ["a place of one end", head.with(0, [6])],
    ["a place in a character", head.with(0, [6, 9])],
    ["a place between numbers", head.with(0, [0.5, 2])],
    ["a state that is none", head.with(1, 5)],
    ["keywords that are none", head.with(2, "knee")],
    ["a keyword that is none", head.with(2, [5])],
    ["no question where there is a vector of one", head.with(3, "")],
    ["a question that is none", head.with(3, null)],
    ["one statement for two vectors", head.with(4, [told])],
    ["a statement that is none", head.with(4, [told, null])],
    ["a statement that is a text", head.with(4, [told, "Elsewhere."])],
    ["a statement of too few parts", head.with(4, [told.slice(1), written])],
    ["a statement without words", withTold(0, null)],
    ["a statement beyond the text", withTold(0, [0, 1_000])],
    ["a statement of no turn", withTold(1, -1)],
    ["a statement of a speaker that is none", withTold(2, 5)],
    ["a question beyond the text", withTold(3, [1, 1_000])],
    ["a statement of another kind", withTold(4, "sung")],
    ["questions without vectors", head.with(5, ["Where?", "When?"])],
    ["a reading that is none", withTold(5, {})],
    ["a reading of two parts", withTold(5, reading.slice(0, 2))],
    ["a reading about another", withTold(5, reading.with(1, "us"))],
    ["a reading of no area", withTold(5, reading.with(2, 5))],
    ["a reading that is more than certain", withTold(5, reading.with(3, 1.5))],
    ["nothing that lasts where something does", withTold(5, null)],
    ["nothing that lasts where something does", withTold(5, reading.with(3, 0.25))],
    ["nothing that was written where something was", head.with(4, [told, written.with(4, "said")])],
  ])("is refused when its head has %s", (_, altered) => {
    expect(faultOfContent(withHead(altered), dimensions)).toBe(another);
  });
});

it("whatever the bytes are, they are refused or can be read whole", () => {
  const random = seededRandom("contents");
  const below = (count: number): number => Math.floor(random() * count);
  const edges = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 255, 4];
  let takenCount = 0;
  for (let i = 0; i < 20_000; i++) {
    const bytes = i % 4 === 0 ? Buffer.from(memoryContent(bare)) : Buffer.from(content);
    for (let j = 0; j <= below(4); j++) {
      const at = below(bytes.byteLength);
      if (below(2) === 0) bytes[at] = below(256);
      else bytes.writeInt32LE(edges[below(edges.length)]!, below(Math.min(16, bytes.byteLength >> 2)) * 4);
    }
    const cut = below(3) === 0 ? bytes.subarray(0, below(bytes.byteLength + 1)) : bytes;
    if (faultOfContent(cut, dimensions) !== null) continue;
    takenCount++;
    const { node, statementVectors, questionVectors } = toEmbeddedNode({ ...links, content: cut });
    expect([statementVectors.length, questionVectors.length]).toEqual([node.statements.length, node.questions.length]);
    expect(memoryContent(toEmbeddedNode({ ...links, content: cut })).byteLength % 4).toBe(0);
  }
  expect(takenCount).toBeGreaterThan(100);
  for (let i = 0; i < 5_000; i++) {
    const noise = Buffer.from(Array.from({ length: below(400) }, () => below(256)));
    expect(faultOfContent(noise, dimensions)).not.toBeNull();
  }
});
