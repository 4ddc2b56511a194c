/** The bundled reader: what goes to the encoder, and what is made of its scores. No verdict on a real sentence. */
import { describe, expect, it } from "vitest";
import { BundledEmbedder } from "../../src/adapters/encoder/bundled.js";
import type { TextPair } from "../../src/adapters/encoder/encoder.js";
import { BundledReader, createReader } from "../../src/adapters/encoder/reader.js";
import { toReading, toRelation } from "../../src/adapters/encoder/reading.js";
import { abouts, lifeAreas } from "../../src/graph/statement.js";
import type { EmbeddedStatement, TalkWindow } from "../../src/ports/embedder.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

const reading = { fact: 1, about: "self", area: "home", lasting: 0.5, alone: 0 } as const;

/** Notes what it is asked, and starts no process. */
class ScriptedEncoder extends BundledEmbedder {
  readonly windows: TalkWindow[] = [];
  readonly pairs: TextPair[] = [];
  isClosed = false;

  override async embedTalk(windows: readonly TalkWindow[]): Promise<EmbeddedStatement[][]> {
    this.windows.push(...windows);
    const rest = { vector: new Float32Array(), words: [], wordVectors: new Float32Array() };
    return windows.map(({ texts }) => texts.map((text) => ({ ...rest, reading: { ...reading, fact: Number(text) } })));
  }

  override async relatePairs(pairs: readonly TextPair[]): Promise<Float32Array[]> {
    this.pairs.push(...pairs);
    return pairs.map(() => Float32Array.of(0, Math.log(2), 0));
  }

  override async close(): Promise<void> {
    this.isClosed = true;
  }
}

const none = new Float32Array(3 + abouts.length + lifeAreas.length);

describe("a reading", () => {
  it("has three probabilities in the order of the scores: logistic(ln 3) = 0.75, logistic(0) = 0.5, logistic(-ln 4) = 0.2", () => {
    const scores = none.with(0, Math.log(3)).with(2, -Math.log(4));
    expect(toReading(scores)).toMatchObject({ fact: 0.75, lasting: 0.5, alone: 0.2 });
  });

  it("names the person and the area that score highest", () => {
    for (const [i, about] of abouts.entries()) expect(toReading(none.with(3 + i, 1)).about).toBe(about);
    for (const [i, area] of lifeAreas.entries()) {
      expect(toReading(none.with(3 + abouts.length + i, 1)).area).toBe(area);
    }
    expect(toReading(none.map((_, i) => -i))).toMatchObject({ about: abouts[0], area: lifeAreas[0] });
  });
});

it("a relation has three shares that add up to 1: of ln 1, ln 2 and ln 5 an eighth, two and five eighths", () => {
  const relation = { repeats: 0.125, ends: 0.25, other: 0.625 };
  expect(toRelation(Float32Array.of(0, Math.log(2), Math.log(5)))).toEqual(relation);
  // Only differences count, however large the scores are.
  expect(toRelation(Float32Array.of(1_000, 1_000, -1_000))).toEqual({ repeats: 0.5, ends: 0.5, other: 0 });
});

it("statements go to the encoder as they are, each in a window of its own, and pairs with the older one first", async () => {
  const encoder = new ScriptedEncoder();
  const reader = new BundledReader(encoder);
  const read = await reader.read([
    { text: "0.25", before: null },
    { text: "0.5", before: "one" },
  ]);
  expect(read).toEqual([
    { ...reading, fact: 0.25 },
    { ...reading, fact: 0.5 },
  ]);
  expect(encoder.windows).toEqual([
    { before: null, isAnswer: false, texts: ["0.25"] },
    { before: "one", isAnswer: false, texts: ["0.5"] },
  ]);
  expect(await reader.relate([{ older: "before", newer: "after" }])).toEqual([
    { repeats: 0.25, ends: 0.5, other: 0.25 },
  ]);
  expect(encoder.pairs).toEqual([["before", "after"]]);
  expect(await reader.read([])).toEqual([]);
  expect(await reader.relate([])).toEqual([]);
});

describe("a reader", () => {
  it("beside the bundled embedder shares its process, reads for it alone, and leaves it open", async () => {
    const encoder = new ScriptedEncoder();
    const reader = createReader(encoder, {});
    expect(reader).toMatchObject({ name: "bundled", runtime: "not started" });
    expect([encoder, new ScriptedEncoder()].map((each) => reader.readsFor(each))).toEqual([true, false]);
    await reader.read([{ text: "0", before: null }]);
    expect(encoder.windows).toHaveLength(1);
    await reader.close();
    expect(encoder.isClosed).toBe(false);
  });

  it("beside another embedder has an encoder of its own", async () => {
    const embedder = new HashingEmbedder();
    const reader = createReader(embedder, {});
    expect(reader.readsFor(embedder)).toBe(false);
    expect(reader.runtime).toBe("not started");
    await reader.close();
  });

  it("closes the encoder that is its own", async () => {
    const encoder = new ScriptedEncoder();
    await new BundledReader(encoder, () => encoder.close()).close();
    expect(encoder.isClosed).toBe(true);
  });

  it("with an encoder of somebody's own has the name of its folder", () => {
    expect(new BundledReader(new ScriptedEncoder({ folder: "/models/mine" })).name).toBe("mine");
  });
});
