/** Texts on their way to the embedder. */
import { describe, expect, it } from "vitest";
import { EmbeddingQueue } from "../../src/engine/embedding-queue.js";
import { ModelError } from "../../src/errors.js";
import type { Reading } from "../../src/graph/statement.js";
import type { EmbeddedStatement, EmbeddedText, Embedder, TalkWindow } from "../../src/ports/embedder.js";

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

it("a commitment gets its turn however many questions wait", async () => {
  const embedder = new NotingEmbedder(1);
  const queue = new EmbeddingQueue(embedder);
  const questions = Array.from({ length: 20 }, (_, i) => `question ${i}`);
  await Promise.all([queue.embed(["c1", "c2"], "commitment"), queue.embed(questions, "question")]);
  const order = embedder.calls.flat();
  expect([order.indexOf("c1"), order.indexOf("c2")]).toEqual([7, 15]);
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
  await expect(queue.embed(["a"], "question")).rejects.toThrow('embedder "noting" did not return 2 finite numbers');
});

/** Each character is a word, whose vector is its code, 0 and 1. */
class WordsEmbedder extends NotingEmbedder {
  readonly wordDimensions = 3;
  answerWords: (texts: readonly string[]) => Promise<EmbeddedText[]> = async (texts) =>
    texts.map((text) => ({
      vector: Float32Array.of(text.length, 1),
      words: [...text],
      wordVectors: Float32Array.from([...text].flatMap((character) => [character.charCodeAt(0), 0, 1])),
    }));

  embedWords(texts: readonly string[]): Promise<EmbeddedText[]> {
    this.calls.push([...texts]);
    return this.answerWords(texts);
  }
}

it("a text embedded for its vector and for its words is embedded once", async () => {
  const embedder = new WordsEmbedder(2);
  const queue = new EmbeddingQueue(embedder);
  const [vector] = await queue.embed(["ab"], "commitment");
  const embedded = await queue.embedWords(["ab", "", "ab"], "question");
  expect(embedder.calls).toEqual([["ab"], [""]]);
  expect(queue.wordDimensions).toBe(3);
  expect(embedded[0]).toEqual({ vector, words: ["a", "b"], wordVectors: Float32Array.of(97, 0, 1, 98, 0, 1) });
  expect(embedded[1]).toMatchObject({ words: [], wordVectors: new Float32Array() });
  expect(embedded[2]).toBe(embedded[0]);
});

it.each<[string, EmbeddedText[], RegExp]>([
  ["no answer", [], /2 finite numbers/u],
  [
    "too few numbers of the text",
    [{ vector: Float32Array.of(1), words: [], wordVectors: Float32Array.of() }],
    /2 finite/u,
  ],
  [
    "too few numbers of words",
    [{ vector: Float32Array.of(1, 2), words: ["a"], wordVectors: Float32Array.of(1, 2) }],
    /3 finite/u,
  ],
  [
    "numbers without a word",
    [{ vector: Float32Array.of(1, 2), words: [], wordVectors: Float32Array.of(1) }],
    /0 finite/u,
  ],
  [
    "not a number",
    [{ vector: Float32Array.of(1, 2), words: ["a"], wordVectors: Float32Array.of(1, NaN, 2) }],
    /3 finite/u,
  ],
])("with words, %s is refused", async (_, answer, message) => {
  const embedder = new WordsEmbedder(1);
  embedder.answerWords = async () => answer;
  await expect(new EmbeddingQueue(embedder).embedWords(["a"], "question")).rejects.toMatchObject({
    code: "embedder_failed",
    message: expect.stringMatching(message) as string,
  });
});

it("keeps 2^21 numbers of words, those of the texts used last", async () => {
  const embedder = new WordsEmbedder(1);
  const queue = new EmbeddingQueue(embedder);
  const [first, second, third] = ["a", "b", "c"].map((letter) => letter.repeat(300_000));
  await queue.embed([first!, second!], "commitment");
  await queue.embed([first!], "commitment");
  await queue.embed([third!], "commitment");
  expect(embedder.calls).toHaveLength(3);
  await queue.embed([first!, third!], "commitment");
  expect(embedder.calls).toHaveLength(3);
  await queue.embed([second!], "commitment");
  expect(embedder.calls).toHaveLength(4);
  // A cleared cache has room again.
  queue.clearCache();
  await queue.embed([first!, second!], "commitment");
  await queue.embed([first!, second!], "commitment");
  expect(embedder.calls).toHaveLength(6);
});

describe("windows of talk", () => {
  const reading = { fact: 1, about: "self", area: "home", lasting: 1, alone: 1 } as const;
  const statementOf = (text: string): EmbeddedStatement => ({
    vector: Float32Array.of(text.length, 1),
    words: [text],
    wordVectors: Float32Array.of(text.length, 0, 1),
    reading,
  });
  const windowOf = (...texts: string[]): TalkWindow => ({ before: "before", isAnswer: false, texts });

  class TalkEmbedder extends WordsEmbedder {
    readonly windows: (readonly TalkWindow[])[] = [];
    answerTalk: (windows: readonly TalkWindow[]) => Promise<EmbeddedStatement[][]> = async (windows) =>
      windows.map(({ texts }) => texts.map(statementOf));

    embedTalk(windows: readonly TalkWindow[]): Promise<EmbeddedStatement[][]> {
      this.windows.push(windows);
      return this.answerTalk(windows);
    }
  }

  it("go four at a time, give their statements in order, and are kept nowhere", async () => {
    const embedder = new TalkEmbedder(1);
    const queue = new EmbeddingQueue(embedder);
    const windows = [windowOf("a", "bb"), windowOf(), ...["ccc", "dddd", "eeeee"].map((text) => windowOf(text))];
    const found = await queue.embedTalk(windows);
    expect(embedder.windows).toEqual([windows.slice(0, 4), windows.slice(4)]);
    expect(found.map(({ words }) => words)).toEqual([["a"], ["bb"], ["ccc"], ["dddd"], ["eeeee"]]);
    const [plain] = await queue.embedWords(["a"], "commitment");
    expect(embedder.calls).toEqual([["a"]]);
    expect(found[0]!.vector).not.toBe(plain!.vector);
    expect(found[0]).toMatchObject({ reading, wordVectors: Float32Array.of(1, 0, 1) });
    await queue.embedTalk(windows.slice(0, 1));
    expect(embedder.windows).toHaveLength(3);
    expect(await queue.embedTalk([])).toEqual([]);
  });

  it("let a question go between their calls", async () => {
    const embedder = new TalkEmbedder(1);
    const queue = new EmbeddingQueue(embedder);
    const order: string[] = [];
    embedder.answerTalk = async (windows) => {
      order.push("talk");
      await new Promise((resolve) => setImmediate(resolve));
      return windows.map(({ texts }) => texts.map(statementOf));
    };
    const talk = queue.embedTalk(Array.from({ length: 12 }, () => windowOf("a")));
    await new Promise((resolve) => queueMicrotask(() => resolve(null)));
    await Promise.all([talk, queue.embed(["question"], "question").then(() => order.push("question"))]);
    expect(order.indexOf("question")).toBeLessThan(order.lastIndexOf("talk"));
  });

  it("are embedded where the embedder can", () => {
    expect(new EmbeddingQueue(new TalkEmbedder(1)).embedsTalk).toBe(true);
    expect(new EmbeddingQueue(new WordsEmbedder(1)).embedsTalk).toBe(false);
  });

  const good = statementOf("a");
  it.each<[string, EmbeddedStatement[][], RegExp]>([
    ["no window", [], /did not return one result for each text/u],
    ["a window too many", [[good, good], []], /did not return one result for each text/u],
    ["a statement too few", [[good]], /did not return one result for each text/u],
    ["a statement too many", [[good, good, good]], /did not return one result for each text/u],
    ["too few numbers", [[good, { ...good, vector: Float32Array.of(1) }]], /2 finite numbers/u],
    ["not a number", [[good, { ...good, vector: Float32Array.of(1, NaN) }]], /2 finite numbers/u],
    ["an endless number", [[good, { ...good, vector: Float32Array.of(Infinity, 1) }]], /2 finite numbers/u],
    ["words without numbers", [[good, { ...good, wordVectors: Float32Array.of() }]], /3 finite numbers/u],
    ["not a number of words", [[good, { ...good, wordVectors: Float32Array.of(1, NaN, 1) }]], /3 finite numbers/u],
    [
      "no list of statements",
      [undefined as unknown as EmbeddedStatement[]],
      /did not return one result for each text/u,
    ],
    ["no reading", [[good, { ...good, reading: undefined as unknown as Reading }]], /readings from 0 to 1/u],
    ...[{ fact: 1.001 }, { lasting: -0.001 }, { alone: NaN }].map((wrong): [string, EmbeddedStatement[][], RegExp] => [
      `a reading of ${Object.entries(wrong).join(" ")}`,
      [[good, { ...good, reading: { ...reading, ...wrong } }]],
      /readings from 0 to 1/u,
    ]),
  ])("of which the embedder makes %s are refused", async (_, answer, message) => {
    const embedder = new TalkEmbedder(1);
    embedder.answerTalk = async () => answer;
    await expect(new EmbeddingQueue(embedder).embedTalk([windowOf("a", "b")])).rejects.toMatchObject({
      code: "embedder_failed",
      message: expect.stringMatching(message) as string,
    });
  });

  it("are not quoted by an error that the embedder throws, nor are the words before", async () => {
    const embedder = new TalkEmbedder(1);
    embedder.answerTalk = async ([window]) => {
      throw new Error(`cannot embed ${window!.texts[0]} after ${window!.before}`);
    };
    const window = { ...windowOf("My sister Ana is ill."), before: "How is your brother Tom in jail?" };
    const failure = await new EmbeddingQueue(embedder).embedTalk([window]).catch(String);
    expect(failure).toContain('embedder "noting" failed');
    expect(failure).not.toMatch(/Ana|Tom/u);
  });
});
