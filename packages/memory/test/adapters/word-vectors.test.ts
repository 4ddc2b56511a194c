/** Vectors of words: which words a text has, and that the fast, the lite and the portable way agree on them. */
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EmbeddedText } from "mnemosyne-edge";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { MiniLmEmbedder } from "mnemosyne-edge/embedder/minilm";
import { OpenAiEmbedder } from "mnemosyne-edge/embedder/openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  averagePieces,
  readWordProjection,
  selectWords,
  toEmbeddedText,
  wordDimensions,
} from "../../src/adapters/embedder/minilm/word-vectors.js";
import { Installation } from "./installation.js";
import { largestDifference } from "./vectors.js";

const wordsOf: readonly (readonly [text: string, words: readonly string[]])[] = [
  ["", []],
  ["Is it? We're not, and I don't!", []],
  ["The cat sleeps on the sofa, the old cat.", ["cat", "sleeps", "sofa", "old", "cat"]],
  ["Doña Inés has embeddings [SEP] at 7:30 😀", ["dona", "ines", "embeddings", "7", "30"]],
  ["Naïve café, 120/80 mmHg, 中文。", ["naive", "cafe", "120", "80", "mmhg", "中", "文"]],
  ["She fishes. ".repeat(200), Array<string>(85).fill("fishes")],
];
const texts = wordsOf.map(([text]) => text);
const ways = {
  fast: new BundledEmbedder({ way: "fast" }),
  lite: new BundledEmbedder({ way: "fast", isLite: true }),
  portable: new BundledEmbedder({ way: "portable" }),
};

describe.each(Object.entries(ways))("the %s way", (name, embedder) => {
  let embedded: EmbeddedText[];
  let portable: EmbeddedText[];
  beforeAll(async () => {
    embedded = await embedder.embedWords(texts);
    portable = await ways.portable.embedWords(texts);
  });
  afterAll(() => (name === "portable" ? undefined : embedder.close()));

  it("has the words that say something, in order, each with its vector", () => {
    for (const [i, [, words]] of wordsOf.entries()) {
      expect(embedded[i]!.words).toEqual(words);
      expect(embedded[i]!.wordVectors).toHaveLength(words.length * embedder.wordDimensions);
    }
  });

  it("has the vectors of texts that it has without words, within 1e-4", async () => {
    const vectors = embedded.map(({ vector }) => vector);
    expect(largestDifference(vectors, await embedder.embed(texts))).toBeLessThan(1e-4);
  });

  it("has the portable way's vectors of words: cosines above 0.99, lengths within a hundredth", () => {
    for (const [i, { wordVectors }] of embedded.entries()) {
      const others = splitVectors(portable[i]!.wordVectors);
      for (const [k, vector] of splitVectors(wordVectors).entries()) {
        const [length, otherLength] = [Math.hypot(...vector), Math.hypot(...others[k]!)];
        expect(product(vector, others[k]!) / length / otherLength).toBeGreaterThan(0.99);
        expect(Math.abs(length / otherLength - 1)).toBeLessThan(0.01);
      }
    }
  });

  it("has one vector for a word in a place, another in another", () => {
    const [cat, , , , again] = splitVectors(embedded[2]!.wordVectors);
    expect(cat).not.toEqual(again);
    expect(cosine(cat!, again!)).toBeGreaterThan(0.7);
  });

  it("has none for no text", async () => {
    expect(await embedder.embedWords([])).toEqual([]);
  });
});
afterAll(() => ways.portable.close());

it("a word has a vector near that of another word for the same, whichever form it has", async () => {
  const [first, second] = await ways.portable.embedWords(["The doctor came by car.", "Our physicians drove here."]);
  const [doctor, car] = splitVectors(first!.wordVectors);
  const [physicians] = splitVectors(second!.wordVectors);
  expect(cosine(doctor!, physicians!)).toBeGreaterThan(cosine(car!, physicians!) + 0.2);
});

it("a text's words are those of its pieces: without marks, stop words and what is left of contractions", () => {
  const word = (text: string): { text: string; start: number; end: number } => ({ text, start: 1, end: 2 });
  const kept = selectWords(["don", "'", "t", "the", "b12", "7", "—", "re", "really", "ivy"].map(word));
  expect(kept.map(({ text }) => text)).toEqual(["b12", "7", "ivy"]);
});

it("a word's vector is the mean of its pieces: 1, 2 and 3, 6 give 2, 4", () => {
  const words = [
    { text: "one", start: 1, end: 3 },
    { text: "two", start: 3, end: 4 },
  ];
  const means = averagePieces(words, Float32Array.of(9, 9, 1, 2, 3, 6, 5, 7, 9, 9), 2);
  expect([...means]).toEqual([2, 4, 5, 7]);
});

it("a state is mapped by the matrix: a row of it for each number", () => {
  const projection = readWordProjection();
  expect(projection).toHaveLength(wordDimensions * 384);
  const states = new Float32Array(3 * 384);
  states[384 + 5] = 2;
  const { wordVectors } = toEmbeddedText(new Float32Array(), [{ text: "ivy", start: 1, end: 2 }], states, projection);
  const column = Float32Array.from({ length: wordDimensions }, (_, i) => 2 * projection[i * 384 + 5]!);
  expect(wordVectors).toEqual(column);
});

it("the rows of the matrix have unit length and are at right angles", () => {
  const projection = readWordProjection();
  const rows = Array.from({ length: wordDimensions }, (_, i) => projection.subarray(i * 384, (i + 1) * 384));
  for (const [i, row] of rows.entries()) {
    for (const other of rows.slice(0, i)) expect(Math.abs(product(row, other))).toBeLessThan(1e-3);
    expect(product(row, row)).toBeCloseTo(1, 3);
  }
});

it("an embedder without them says so by having none", () => {
  const embedder = new OpenAiEmbedder({ baseUrl: "http://127.0.0.1:9", model: "m", dimensions: 2 });
  expect("embedWords" in embedder || "wordDimensions" in embedder).toBe(false);
});

it("closed while it works, tells who waits", async () => {
  const embedder = new MiniLmEmbedder();
  const waiting = embedder.embedWords(["anything"]);
  await Promise.all([expect(waiting).rejects.toMatchObject({ code: "embedder_failed" }), embedder.close()]);
});

it("where the judge's file is missing the portable way has them, where the matrix is missing it names the file", async () => {
  const installation = new Installation();
  try {
    rmSync(installation.judgePath);
    const script = `
      import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
      const embedder = new BundledEmbedder({ way: "portable" });
      await embedder.embedWords(["ivy"]).then(([{ words }]) => console.log(words[0]), ({ message }) => console.log(message));
      console.log((await embedder.embed(["a"]))[0].length);
      await embedder.close();`;
    expect((await installation.run(script)).out.trim().split("\n")).toEqual(["ivy", "384"]);
    rmSync(join(dirname(installation.judgePath), "words.safetensors"));
    const path = join("models", "words.safetensors");
    const { out } = await installation.run(script);
    expect(out.trim().split("\n")).toEqual([expect.stringContaining(path), "384"]);
  } finally {
    installation.remove();
  }
});

function splitVectors(numbers: Float32Array): Float32Array[] {
  const count = numbers.length / wordDimensions;
  return Array.from({ length: count }, (_, i) => numbers.subarray(i * wordDimensions, (i + 1) * wordDimensions));
}

function product(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

function cosine(a: Float32Array, b: Float32Array): number {
  return product(a, b) / Math.hypot(...a) / Math.hypot(...b);
}
