/** Texts on their way to the embedder. */
import { expect, it } from "vitest";
import { EmbeddingQueue } from "../../src/engine/embedding-queue.js";
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
