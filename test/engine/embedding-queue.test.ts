/** Texts on their way to the embedder. */
import { expect, it } from "vitest";
import { EmbeddingQueue } from "../../src/engine/embedding-queue.js";
import { ModelError } from "../../src/errors.js";
import type { Embedder } from "../../src/ports/embedder.js";

/** Notes the texts of each call; answers when told to. */
class NotingEmbedder implements Embedder {
  readonly identity = { name: "noting", dimensions: 2 };
  readonly textsPerCall: number;
  readonly calls: string[][] = [];
  answer: (texts: readonly string[]) => Promise<Float32Array[]> = async (texts) =>
    texts.map((text) => Float32Array.of(text.length, 1));

  constructor(textsPerCall: number) {
    this.textsPerCall = textsPerCall;
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.calls.push([...texts]);
    return this.answer(texts);
  }

  async close(): Promise<void> {}
}

it("batches by what the embedder likes, and embeds the same text once", async () => {
  const embedder = new NotingEmbedder(3);
  const queue = new EmbeddingQueue(embedder);
  const vectors = await queue.embed(["a", "bb", "a", "ccc", "dddd", "eeeee"], "commitment");
  expect(embedder.calls).toEqual([
    ["a", "bb", "ccc"],
    ["dddd", "eeeee"],
  ]);
  expect(vectors[0]).toEqual(vectors[2]);
  await queue.embed(["bb"], "commitment");
  expect(embedder.calls).toHaveLength(2);
  expect(embedder.calls.flat()).toHaveLength(5);
});

it("a question goes before commitments that wait", async () => {
  const embedder = new NotingEmbedder(1);
  const queue = new EmbeddingQueue(embedder);
  const commitments = queue.embed(["c1", "c2", "c3"], "commitment");
  const question = queue.embed(["question"], "question");
  await Promise.all([commitments, question]);
  expect(embedder.calls.flat()[0]).toBe("question");
});

it("a failure reaches who asked, is not kept, and the next try works", async () => {
  const embedder = new NotingEmbedder(2);
  const queue = new EmbeddingQueue(embedder);
  const works = embedder.answer;
  embedder.answer = async () => {
    throw new Error("down");
  };
  await expect(queue.embed(["a"], "question")).rejects.toMatchObject({ code: "embedder_failed" });
  embedder.answer = works;
  expect(await queue.embed(["a"], "question")).toHaveLength(1);
});

it.each([
  ["too few numbers", [Float32Array.of(1)]],
  ["no vector", []],
  ["not a number", [Float32Array.of(NaN, 1)]],
])("%s is refused", async (_, vectors) => {
  const embedder = new NotingEmbedder(1);
  embedder.answer = async () => vectors;
  await expect(new EmbeddingQueue(embedder).embed(["a"], "question")).rejects.toMatchObject({
    code: "embedder_failed",
  });
});

it("clearing the cache makes a text be embedded again", async () => {
  const embedder = new NotingEmbedder(1);
  const queue = new EmbeddingQueue(embedder);
  await queue.embed(["a"], "question");
  queue.clearCache();
  await queue.embed(["a"], "question");
  expect(embedder.calls).toEqual([["a"], ["a"]]);
});

it("keeps the vectors of the 4096 texts used last", async () => {
  const embedder = new NotingEmbedder(5_000);
  const queue = new EmbeddingQueue(embedder);
  const texts = Array.from({ length: 4_096 }, (_, i) => `text ${i}`);
  await queue.embed(texts, "commitment");
  await queue.embed(["text 0"], "commitment");
  expect(embedder.calls).toHaveLength(1);
  // One more: the one used longest ago makes room, which is not the first any more.
  await queue.embed(["one more"], "commitment");
  await queue.embed(["text 0", "text 2", "one more"], "commitment");
  expect(embedder.calls.slice(1)).toEqual([["one more"]]);
  await queue.embed(["text 1"], "commitment");
  expect(embedder.calls.slice(2)).toEqual([["text 1"]]);
});

it("one call is under way at a time, and a question that comes meanwhile is next", async () => {
  const embedder = new NotingEmbedder(1);
  const works = embedder.answer;
  const waiting: (() => void)[] = [];
  embedder.answer = async (texts) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return works(texts);
  };
  const queue = new EmbeddingQueue(embedder);
  const commitments = queue.embed(["c1", "c2"], "commitment");
  await new Promise((resolve) => setImmediate(resolve));
  const question = queue.embed(["q"], "question");
  await new Promise((resolve) => setImmediate(resolve));
  expect(embedder.calls).toEqual([["c1"]]);
  for (let count = 0; count < 3; count++) {
    waiting.shift()!();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all([commitments, question]);
  expect(embedder.calls).toEqual([["c1"], ["q"], ["c2"]]);
});

it("says which embedder failed, and keeps the cause; an error of its own is passed on as it is", async () => {
  const embedder = new NotingEmbedder(1);
  const queue = new EmbeddingQueue(embedder);
  const cause = new Error("down");
  embedder.answer = () => Promise.reject(cause);
  await expect(queue.embed(["a"], "question")).rejects.toMatchObject({
    message: 'embedder "noting" failed: Error: down',
    cause,
  });
  const own = new ModelError("embedder_failed", "the model file is gone");
  embedder.answer = () => Promise.reject(own);
  await expect(queue.embed(["a"], "question")).rejects.toBe(own);
  embedder.answer = async () => [Float32Array.of(1, 2, 3)];
  await expect(queue.embed(["a"], "question")).rejects.toThrow('embedder "noting" did not give 2 finite numbers');
});

it("tells what runs the embedder where it says so", () => {
  const embedder = new NotingEmbedder(1);
  expect(new EmbeddingQueue(embedder).runtime).toBeNull();
  expect(new EmbeddingQueue(Object.assign(embedder, { runtime: "a pocket calculator" })).runtime).toBe(
    "a pocket calculator",
  );
});
