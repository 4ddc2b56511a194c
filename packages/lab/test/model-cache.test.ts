/** The cache of vectors and readings: what it holds is what the model said, and the model is asked once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder, Reader } from "mnemosyne-edge";
import { afterEach, beforeEach, expect, it } from "vitest";
import { DiskCache, cacheEmbedder, cacheReader } from "../src/model-cache.js";

const dimensions = 3;
let folder: string;
let asked: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mnemosyne-lab-"));
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const vectorOf = (text: string): Float32Array => Float32Array.from([text.length, 1 / 3, -text.length]);
const note = <Value>(texts: readonly string[], answer: (text: string) => Value): Promise<Value[]> => {
  asked.push(...texts);
  return Promise.resolve(texts.map(answer));
};

const embedder: Embedder = {
  identity: { name: "counting", dimensions },
  textsPerCall: 2,
  wordDimensions: 2,
  embed: (texts) => note(texts, vectorOf),
  embedWords: (texts) =>
    note(texts, (text) => {
      const words = text.split(" ");
      return {
        vector: vectorOf(text),
        words,
        wordVectors: Float32Array.from(words.flatMap(({ length }) => [length, 0.1])),
      };
    }),
  close: () => Promise.resolve(),
};

const reader: Reader = {
  name: "counting",
  read: (statements) =>
    note(
      statements.map(({ text, before }) => `${before}|${text}`),
      ({ length }) => ({ fact: length / 100, about: "self", area: "home", lasting: 0, alone: 1 }),
    ),
  relate: (pairs) =>
    note(
      pairs.map(({ older, newer }) => `${older}|${newer}`),
      (text) => ({ repeats: text.length / 100, ends: 0, other: 0 }),
    ),
  answers: (question, statements) => note(statements, (text) => (question.length * text.length) / 1000),
  close: () => Promise.resolve(),
};

/** With a cache on the disk, opened again each time. */
async function withCache<Value>(work: (cache: DiskCache) => Promise<Value>): Promise<Value> {
  const cache = new DiskCache(join(folder, "cache.db"));
  return work(cache).finally(() => cache.close());
}

it("answers from the disk what the model said before, in the order of the texts", async () => {
  const texts = ["one", "three", "fifteen"];
  const ask = (some: readonly string[]) => withCache((cache) => cacheEmbedder(embedder, cache).embed(some));
  expect(await ask(texts)).toEqual(texts.map(vectorOf));
  expect(await ask(["new", ...texts.toReversed()])).toEqual(["new", ...texts.toReversed()].map(vectorOf));
  expect(asked).toEqual([...texts, "new"]);
});

it("asks once for a text that comes twice, and no more texts at once than the model takes", async () => {
  let most = 0;
  const counting: Embedder = {
    ...embedder,
    embed: (texts) => ((most = Math.max(most, texts.length)), embedder.embed(texts)),
  };
  await withCache((cache) => cacheEmbedder(counting, cache).embed(["a", "b", "a", "c", "d", "e"]));
  expect(asked).toEqual(["a", "b", "c", "d", "e"]);
  expect(most).toBe(embedder.textsPerCall);
});

it("keeps words with their vectors", async () => {
  const ask = () => withCache((cache) => cacheEmbedder(embedder, cache).embedWords!(["Zoë sold 漢字", ""]));
  expect(await ask()).toEqual(await ask());
  expect(asked).toHaveLength(2);
});

it("keeps readings apart by question, pair, kind and the words before", async () => {
  const ask = () =>
    withCache(async (cache) => {
      const cached = cacheReader(reader, cache);
      return [
        await cached.read([
          { text: "text", before: null },
          { text: "text", before: "Any?" },
        ]),
        await cached.relate([
          { older: "text", newer: "other text" },
          { older: "other text", newer: "te" },
        ]),
        await cached.answers("why?", ["text"]),
        await cached.answers("who was it?", ["text"]),
      ];
    });
  const first = await ask();
  expect(first[2]).not.toEqual(first[3]);
  expect(await ask()).toEqual(first);
  expect(asked).toHaveLength(6);
});
