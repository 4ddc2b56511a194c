/** The bundled embedder and reader: two ways to run one model, the same answers, and the one takes over for the other. */
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { BundledEmbedder, type BundledWay } from "mnemosyne-edge/embedder/bundled";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { ReaderFile, readerTasks } from "../../src/adapters/embedder/minilm/reader-file.js";
import { wordDimensions } from "../../src/adapters/embedder/minilm/word-vectors.js";
import { BundledReader } from "../../src/adapters/reader/bundled-reader.js";
import { abouts, lifeAreas } from "../../src/graph/statement.js";
import { quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import { Installation } from "./installation.js";

const texts = [
  "",
  "a",
  "The cat sleeps on the sofa, the old cat.",
  "A kitten naps on the couch.",
  "The tax return is due in April.",
  "Naïve café, Ångström, El Niño; İstanbul'da ışık, ΟΔΥΣΣΕΥΣ, ĐẶNG",
  "日本語と漢字かな交じり。 안녕하세요 שלום مرحبا नमस्ते",
  "👩‍👩‍👧‍👦 at 5 🎉, ﬁne ½ cup, zero\u200Bwidth \uD83D apart",
  "[CLS] in the text [SEP], 120/80 mmHg, don't—won't…",
  "x".repeat(101),
];
const ways = ["fast", "portable"] as const;
const embedders: Readonly<Record<BundledWay, BundledEmbedder>> = {
  fast: new BundledEmbedder({ way: "fast" }),
  portable: new BundledEmbedder({ way: "portable" }),
};
afterAll(() => Promise.all(ways.map((way) => embedders[way].close())));

/** Whether two rows of numbers differ by more than that. */
const apart = (limit: number) => (a: ArrayLike<number>, b: ArrayLike<number>) =>
  a.length !== b.length || Array.from(a, (value, i) => Math.abs(value - b[i]!)).some((each) => !(each <= limit));

describe("the two ways", () => {
  it("have one name and give the same words and vectors, up to rounding", async () => {
    const [fast, portable] = [await embedders.fast.embedWords(texts), await embedders.portable.embedWords(texts)];
    expect(embedders.fast.identity).toEqual(embedders.portable.identity);
    expect(ways.map((way) => embedders[way].runtime)).toEqual(["onnxruntime", "JavaScript as asked for"]);
    for (const [i, { vector, words, wordVectors }] of fast.entries()) {
      expect(words).toEqual(portable[i]!.words);
      expect(wordVectors).toHaveLength(words.length * wordDimensions);
      expect(apart(1e-5)(vector, portable[i]!.vector), texts[i]).toBe(false);
      expect(apart(1)(quantizeVector(vector), quantizeVector(portable[i]!.vector)), texts[i]).toBe(false);
      expect(apart(1e-3)(wordVectors, portable[i]!.wordVectors), texts[i]).toBe(false);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
    expect(fast[2]!.words).toEqual(["cat", "sleeps", "sofa", "old", "cat"]);
    expect(fast[8]!.words).toEqual(["text", "120", "80", "mmhg"]);
    expect(fast.map(({ vector }) => vector)).toEqual(await embedders.fast.embed(texts));
  });

  it("give the same verdicts, as probabilities and shares that add up to 1", async () => {
    const reader = new BundledReader(embedders.fast);
    const other = new BundledReader(embedders.portable);
    const statements = ["I moved to Lisbon for the job.", "Hm."].map((text) => ({ text, before: "Any news?" }));
    const pairs = [{ older: "I live in Porto.", newer: "I moved to Lisbon." }];
    const ask = async (each: BundledReader): Promise<number[]> => [
      ...(await each.read(statements)).flatMap(({ fact, lasting, alone }) => [fact, lasting, alone]),
      ...(await each.relate(pairs)).flatMap(({ repeats, ends, other: both }) => [repeats, ends, both]),
      ...(await each.answers("Where do I live?", ["I moved to Lisbon.", "The cat sleeps."])),
    ];
    const verdicts = await ask(reader);
    expect(apart(2e-4)(verdicts, await ask(other))).toBe(false);
    expect(verdicts.filter((verdict) => !(verdict >= 0 && verdict <= 1))).toEqual([]);
    const [news, lasting, , nothing, passing, , repeats, ends, both, home, cat] = verdicts as [number, ...number[]];
    expect(news).toBeGreaterThan(nothing!);
    expect(lasting).toBeGreaterThan(passing!);
    expect(home).toBeGreaterThan(cat!);
    expect(ends).toBeGreaterThan(repeats!);
    expect(repeats! + ends! + both!).toBeCloseTo(1, 3);
    const names = async (each: BundledReader): Promise<unknown> =>
      (await each.read(statements)).map(({ about, area }) => [about, area]);
    expect(await names(reader)).toEqual(await names(other));
    expect(await reader.read([])).toEqual([]);
  });

  it("each give a text the same numbers alone, beside others, after a verdict and again", async () => {
    for (const embedder of Object.values(embedders)) {
      const some = texts.slice(0, 5);
      const expected = await embedder.embed(some);
      for (const order of [
        [3, 0, 2],
        [4, 4, 1],
      ]) {
        await embedder.embedAdapted([some[0]!], "reading");
        expect(await embedder.embed(order.map((i) => some[i]!))).toEqual(order.map((i) => expected[i]));
      }
      const alone = await Promise.all(some.map((text) => embedder.embed([text])));
      expect(alone.flat()).toEqual(expected);
      expect(await embedder.embed([])).toEqual([]);
    }
  });

  it("cut a text after 256 word pieces, and are near for near meanings", async () => {
    const [whole, longer, shorter] = await embedders.fast.embed([254, 255, 253].map((count) => "word ".repeat(count)));
    expect(longer).toEqual(whole);
    expect(shorter).not.toEqual(whole);
    const [, , cat, kitten, tax] = await embedders.fast.embed(texts);
    const cosine = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    expect(cosine(cat!, kitten!)).toBeGreaterThan(cosine(cat!, tax!) + 0.3);
  });
});

it("the reader's file has a head and an adapter for every task", () => {
  const file = new ReaderFile();
  expect(readerTasks.map((task) => file.readHead(task).biases.length)).toEqual([
    3 + abouts.length + lifeAreas.length,
    3,
    1,
  ]);
  expect(file.layers.size).toBe(36);
  for (const layer of file.layers) {
    for (const task of readerTasks) {
      const { scales, content } = file.findRows(task, layer, "reads");
      expect(file.readRows(task, layer, "reads")).toHaveLength(content.byteCount);
      expect(file.findRows(task, layer, "writes").scales).toHaveLength(scales.length);
    }
  }
});

describe("the model's process", () => {
  const started: ChildProcess[] = [];
  const note = (message: unknown): number => started.push((message as { process: ChildProcess }).process);
  beforeEach(() => subscribe("child_process", note));
  afterEach(() => {
    unsubscribe("child_process", note);
    started.length = 0;
  });

  it("starts with the first text, off the caller's thread, and ends with close", async () => {
    const embedder = new BundledEmbedder({ way: "fast" });
    expect([embedder.runtime, started.length]).toEqual(["not started", 0]);
    let tickCount = 0;
    const ticking = setInterval(() => tickCount++, 1);
    await embedder.embed(["anything"]);
    clearInterval(ticking);
    expect(tickCount).toBeGreaterThan(5);
    expect(started).toHaveLength(1);
    await embedder.close();
    expect(embedder.runtime).toBe("not started");
    expect(started.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL"]);
  });

  it("that ended by itself fails the text it had, and is started again by the next", async () => {
    const embedder = new BundledEmbedder({ way: "fast" });
    const [before] = await embedder.embed(["anything"]);
    const waiting = embedder.embed(["word ".repeat(254)]);
    await Promise.resolve();
    started[0]!.kill("SIGKILL");
    await expect(waiting).rejects.toMatchObject({ code: "embedder_failed", message: /ended with SIGKILL/u });
    expect(await embedder.embed(["anything"])).toEqual([before]);
    expect(started).toHaveLength(2);
    await embedder.close();
  });

  it("closed while it starts, fails the text it had and starts nothing else", async () => {
    const embedder = new BundledEmbedder();
    const waiting = embedder.embed(["anything"]);
    await Promise.all([expect(waiting).rejects.toMatchObject({ code: "embedder_failed" }), embedder.close()]);
    expect(started.map(({ signalCode }) => signalCode)).toEqual(["SIGKILL"]);
  });
});

describe("where onnxruntime is not installed", () => {
  it("the portable way takes over and says why; forced, the fast way is an error", async () => {
    const installation = new Installation();
    try {
      const { out, error } = await installation.run(`
        import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
        const told = [];
        const embedder = new BundledEmbedder({ onFallback: (reason) => told.push(reason) });
        const [{ words }] = await embedder.embedWords(["The cat sleeps on the sofa."]);
        const { runtime } = embedder;
        await embedder.close();
        const refusal = await new BundledEmbedder({ way: "fast" }).embed(["anything"]).catch(({ message }) => message);
        process.stdout.write(JSON.stringify({ runtime, told, words, refusal }));`);
      expect(error).toBe("");
      const reason = "the bundled embedder failed: onnxruntime-node is not installed";
      expect(JSON.parse(out)).toEqual({
        runtime: `JavaScript, since the fast way does not work here: ${reason}`,
        told: [reason],
        words: ["cat", "sleeps", "sofa"],
        refusal: reason,
      });
    } finally {
      installation.remove();
    }
  });

  it("a way that is unknown is refused at once", () => {
    expect(() => new BundledEmbedder({ way: "quick" as "fast" })).toThrow(/"quick" is unknown; use fast or portable/u);
  });
});
