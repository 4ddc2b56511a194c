/** The cache returns exactly what the embedder returned, and asks it only once. */
import { appendFileSync, readFileSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EmbeddedText, Embedder } from "../../../memory/src/index.js";
import { EmbeddingCache, lendEmbedder } from "../../src/embedding-cache.js";
import { describe, expect, it } from "vitest";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";

const scratch = new ScratchFolder();
const texts = ["one fish", "two fish", "red fish", "blue fish"];

/** Counts its requests. */
class CountingEmbedder extends HashingEmbedder {
  readonly asked: string[] = [];
  isClosed = false;

  override embed(some: readonly string[]): Promise<Float32Array[]> {
    this.asked.push(...some);
    return super.embed(some);
  }

  override async close(): Promise<void> {
    this.isClosed = true;
  }
}

async function embedAll(folder: string | null, embedder: Embedder, some = texts): Promise<Float32Array[]> {
  const cache = await EmbeddingCache.open(embedder, folder);
  try {
    return await cache.embed(some);
  } finally {
    await cache.close();
  }
}

function cacheFile(folder: string): string {
  const [name, ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return join(folder, name!);
}

it("a second run embeds nothing and gives the same vectors", async () => {
  const folder = scratch.next("");
  const first = await embedAll(folder, new CountingEmbedder());
  const embedder = new CountingEmbedder();
  expect(await embedAll(folder, embedder)).toEqual(first);
  expect(embedder.asked).toEqual([]);
  expect(first).toEqual(await new HashingEmbedder().embed(texts));
});

it("an embedder that takes more at a time once it has started skips no text", async () => {
  const embedder = new CountingEmbedder();
  Object.defineProperty(embedder, "textsPerCall", { get: () => (embedder.asked.length === 0 ? 1 : 8) });
  expect(await embedAll(null, embedder)).toEqual(await new HashingEmbedder().embed(texts));
  expect(embedder.asked).toEqual(texts);
});

it("without a folder a text is embedded once while the cache is open", async () => {
  const embedder = new CountingEmbedder();
  const cache = await EmbeddingCache.open(embedder);
  await Promise.all([cache.embed(["a", "b", "a"]), cache.embed(["b", "c"])]);
  expect(embedder.asked.toSorted()).toEqual(["a", "b", "c"]);
  await cache.close();
  expect(embedder.isClosed).toBe(true);
});

it("embedders with another name or size have their own files", async () => {
  const folder = scratch.next("");
  await embedAll(folder, new HashingEmbedder({ name: "one", dimensions: 8 }));
  const other = new CountingEmbedder({ name: "one", dimensions: 16 });
  expect((await embedAll(folder, other))[0]).toHaveLength(16);
  expect(other.asked).toEqual(texts);
  expect(readdirSync(folder)).toHaveLength(2);
});

describe("damage:", () => {
  it.each([1, 40, 100])("a record cut short by %i bytes is embedded again, the others are not", async (byteCount) => {
    const folder = scratch.next("");
    const whole = await embedAll(folder, new HashingEmbedder());
    const size = readFileSync(cacheFile(folder)).length;
    truncateSync(cacheFile(folder), size - byteCount);
    const embedder = new CountingEmbedder();
    expect(await embedAll(folder, embedder)).toEqual(whole);
    expect(embedder.asked).toEqual(["blue fish"]);
    const third = new CountingEmbedder();
    expect(await embedAll(folder, third)).toEqual(whole);
    expect(third.asked).toEqual([]);
    expect(readFileSync(cacheFile(folder))).toHaveLength(size);
  });

  it("a changed byte costs one record", async () => {
    const folder = scratch.next("");
    const whole = await embedAll(folder, new HashingEmbedder());
    const bytes = readFileSync(cacheFile(folder));
    bytes[50] = bytes[50]! ^ 1;
    writeFileSync(cacheFile(folder), bytes);
    const embedder = new CountingEmbedder();
    expect(await embedAll(folder, embedder)).toEqual(whole);
    expect(embedder.asked).toEqual(["one fish"]);
  });

  it("foreign bytes at the end are cut off", async () => {
    const folder = scratch.next("");
    const whole = await embedAll(folder, new HashingEmbedder());
    appendFileSync(cacheFile(folder), "noise");
    expect(await embedAll(folder, new HashingEmbedder(), [...texts, "new fish"])).toHaveLength(5);
    const embedder = new CountingEmbedder();
    expect((await embedAll(folder, embedder, [...texts, "new fish"])).slice(0, 4)).toEqual(whole);
    expect(embedder.asked).toEqual([]);
  });
});

it("a failure of the embedder is passed on and not cached", async () => {
  const embedder = new CountingEmbedder();
  const cache = await EmbeddingCache.open(embedder, scratch.next(""));
  const { embed } = embedder;
  embedder.embed = () => Promise.reject(new Error("out of order"));
  await expect(cache.embed(["a"])).rejects.toThrow("out of order");
  embedder.embed = embed;
  expect(await cache.embed(["a"])).toEqual(await new HashingEmbedder().embed(["a"]));
  await cache.close();
});

it("a folder that cannot be created is an invalid option", async () => {
  const file = scratch.next(".txt");
  writeFileSync(file, "no folder");
  await expect(EmbeddingCache.open(new HashingEmbedder(), join(file, "cache"))).rejects.toMatchObject({
    code: "option_invalid",
  });
});

it("a borrower of the embedder cannot close it", async () => {
  const embedder = new CountingEmbedder();
  await lendEmbedder(embedder).close();
  expect(embedder.isClosed).toBe(false);
});

describe("with vectors of words", () => {
  /** A word for each space between words, and one more. */
  class CountingWords extends CountingEmbedder {
    readonly wordDimensions = 2;

    async embedWords(some: readonly string[]): Promise<EmbeddedText[]> {
      const vectors = await this.embed(some);
      return some.map((text, i) => {
        const words = text === "" ? [] : text.split(" ");
        return {
          vector: vectors[i]!,
          words,
          wordVectors: Float32Array.from(words.flatMap((word) => [word.length, 1 / 3])),
        };
      });
    }
  }

  async function embedWords(
    folder: string,
    embedder: Embedder,
    some = [...texts, "", 'ein "Fisch" für 鱼'],
  ): Promise<EmbeddedText[]> {
    const cache = await EmbeddingCache.open(embedder, folder);
    try {
      await cache.embed(some.slice(0, 2));
      return await lendEmbedder(cache).embedWords!(some);
    } finally {
      await cache.close();
    }
  }

  it("a text is embedded once for both, and a second run embeds nothing and gives the same", async () => {
    const folder = scratch.next("");
    const counting = new CountingWords();
    const first = await embedWords(folder, counting);
    expect(counting.asked).toHaveLength(6);
    expect(first[3]!.words).toEqual(["blue", "fish"]);
    expect(lendEmbedder(await EmbeddingCache.open(counting)).wordDimensions).toBe(2);
    const embedder = new CountingWords();
    expect(await embedWords(folder, embedder)).toEqual(first);
    expect(embedder.asked).toEqual([]);
    expect(first).toEqual(await new CountingWords().embedWords([...texts, "", 'ein "Fisch" für 鱼']));
  });

  it("an embedder without them has its own file, and a cache without them", async () => {
    const folder = scratch.next("");
    await embedWords(folder, new CountingWords());
    const embedder = new CountingEmbedder();
    await embedAll(folder, embedder);
    expect(embedder.asked).toEqual(texts);
    expect(readdirSync(folder)).toHaveLength(2);
    expect("embedWords" in lendEmbedder(embedder)).toBe(false);
    expect((await EmbeddingCache.open(embedder)).embedWords).toBeUndefined();
  });

  it.each([
    ["its vector", 50, ["one fish"]],
    ["its length, which costs those after it too", 32, texts],
  ])("a changed byte in %s is noticed", async (_, place, again) => {
    const folder = scratch.next("");
    const whole = await embedWords(folder, new CountingWords(), texts);
    const bytes = readFileSync(cacheFile(folder));
    bytes[place] = bytes[place]! ^ 1;
    writeFileSync(cacheFile(folder), bytes);
    const embedder = new CountingWords();
    expect(await embedWords(folder, embedder, texts)).toEqual(whole);
    expect(embedder.asked).toEqual(again);
    const third = new CountingWords();
    expect(await embedWords(folder, third, texts)).toEqual(whole);
    expect(third.asked).toEqual([]);
  });
});
