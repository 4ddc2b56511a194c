/** The cache of vectors and readings: what it holds is what the model said, and the model is asked once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddedStatement, Embedder, Reader, TalkWindow } from "mnemosyne-edge";
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
  close: () => Promise.resolve(),
};

/** A statement's reading tells which one it is, and in which window it stood. */
async function readWindow({ before, isAnswer, texts }: TalkWindow): Promise<EmbeddedStatement[]> {
  const [fact, alone] = [(before?.length ?? 0) / 100, isAnswer ? 1 : 0];
  const embedded = await embedder.embedWords!(texts);
  return embedded.map((each, i) => ({
    ...each,
    reading: { fact, about: "self", area: "home", lasting: i / 10, alone },
  }));
}

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

it("keeps windows of talk apart by the words before, by whether they are asked, and by their statements", async () => {
  const windows: TalkWindow[] = [
    { before: null, isAnswer: false, texts: ["Zoë sold it.", ""] },
    { before: "Any?", isAnswer: false, texts: ["Zoë sold it.", ""] },
    { before: "Any?", isAnswer: true, texts: ["Zoë sold it.", ""] },
    { before: null, isAnswer: false, texts: ["Zoë sold it."] },
    { before: null, isAnswer: false, texts: [] },
  ];
  const talking: Embedder = {
    ...embedder,
    embedTalk: (some) => {
      asked.push(...some.map((window) => JSON.stringify(window)));
      return Promise.all(some.map(readWindow));
    },
  };
  const ask = () => withCache((cache) => cacheEmbedder(talking, cache).embedTalk!(windows));
  const expected = await Promise.all(windows.map(readWindow));
  expect(await ask()).toEqual(expected);
  expect(await ask()).toEqual(expected);
  expect(asked.filter((text) => text.startsWith("{"))).toEqual(windows.map((window) => JSON.stringify(window)));
  await withCache(async (cache) => expect(cacheEmbedder(embedder, cache).embedTalk).toBeUndefined());
});

it("keeps readings apart by pair, kind and the words before", async () => {
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
      ];
    });
  const first = await ask();
  expect(await ask()).toEqual(first);
  expect(asked).toEqual(["null|text", "Any?|text", "text|other text", "other text|te"]);
});
