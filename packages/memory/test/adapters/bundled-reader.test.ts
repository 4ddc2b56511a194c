/** The bundled reader: what goes to the model, and what its heads make of the vectors. No verdict on a real sentence. */
import { describe, expect, it } from "vitest";
import { type AdaptedEmbedder, ReaderFile, type ReaderTask } from "../../src/adapters/embedder/minilm/reader-file.js";
import { BundledReader, createReader } from "../../src/adapters/reader/bundled-reader.js";
import { abouts, lifeAreas } from "../../src/graph/statement.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

/** Notes what it is asked and answers with one vector for every text. */
class ScriptedModel implements AdaptedEmbedder {
  readonly identity = { name: "scripted", dimensions: 384 };
  readonly textsPerCall = 1;
  readonly asked: { texts: readonly string[]; task: ReaderTask }[] = [];
  readonly #vector: Float32Array;

  constructor(vector = new Float32Array(384)) {
    this.#vector = vector;
  }

  embed(): Promise<Float32Array[]> {
    throw new Error("a reader does not embed");
  }

  async embedAdapted(texts: readonly string[], task: ReaderTask): Promise<Float32Array[]> {
    this.asked.push({ texts, task });
    return texts.map(() => this.#vector);
  }

  async close(): Promise<void> {}
}

/** The vector that raises one output of a head by this much, as far as the others are not like it. */
function raising(row: Float32Array, gain: number): Float32Array<ArrayBuffer> {
  const square = row.reduce((sum, w) => sum + w * w, 0);
  return Float32Array.from(row, (w) => (gain * w) / square);
}

const toProbability = (score: number): number => 1 / (1 + Math.exp(-score));

describe("a reading", () => {
  const { weights, biases } = new ReaderFile().readHead("reading");
  const read = async (vector: Float32Array<ArrayBuffer>) => {
    const [reading] = await new BundledReader(new ScriptedModel(vector)).read([{ text: "I moved.", before: null }]);
    return reading!;
  };

  it("is what the head's outputs say, in their order", async () => {
    const none = await read(new Float32Array(384));
    for (const [i, verdict] of [none.fact, none.lasting, none.alone].entries()) {
      expect(verdict).toBeCloseTo(toProbability(biases[i]!), 4);
    }
    for (const [i, name] of (["fact", "lasting", "alone"] as const).entries()) {
      expect((await read(raising(weights[i]!, 3)))[name]).toBeGreaterThan(none[name]);
      expect((await read(raising(weights[i]!, -3)))[name]).toBeLessThan(none[name]);
    }
  });

  it("names the person and the area that score highest", async () => {
    for (const [i, about] of abouts.entries()) {
      expect((await read(raising(weights[3 + i]!, 100))).about).toBe(about);
    }
    for (const [i, area] of lifeAreas.entries()) {
      expect((await read(raising(weights[3 + abouts.length + i]!, 100))).area).toBe(area);
    }
  });
});

it("an answer is more likely the more of the head's weights the vector has", async () => {
  const weights = new ReaderFile().readHead("relevance").weights[0]!;
  const reader = (sign: number): BundledReader =>
    new BundledReader(new ScriptedModel(Float32Array.from(weights, (w) => sign * w)));
  const [[against], [open], [inFavour]] = (await Promise.all(
    [-1, 0, 1].map((sign) => reader(sign).answers("Where?", ["There."])),
  )) as [number[], number[], number[]];
  expect(against).toBeLessThan(open!);
  expect(open).toBeLessThan(inFavour!);
});

it("a relation has three shares, each that of its own score", async () => {
  const { weights, biases } = new ReaderFile().readHead("relation");
  // Raises the second score by 1, so that no share is nearly 0 or 1.
  const vector = raising(weights[1]!, 1);
  const powers = weights.map((row, i) => Math.exp(row.reduce((sum, w, k) => sum + w * vector[k]!, biases[i]!)));
  const sum = powers.reduce((total, power) => total + power, 0);
  const [relation] = await new BundledReader(new ScriptedModel(vector)).relate([{ older: "a", newer: "b" }]);
  const { repeats, ends, other } = relation!;
  for (const [i, share] of [repeats, ends, other].entries()) expect(share).toBeCloseTo(powers[i]! / sum, 3);
});

it("texts go to the model as they are, two of them with a border between", async () => {
  const model = new ScriptedModel();
  const reader = new BundledReader(model);
  await reader.read([
    { text: "one", before: null },
    { text: "two", before: "one" },
  ]);
  await reader.relate([{ older: "before", newer: "after" }]);
  await reader.answers("what?", ["x".repeat(600)]);
  expect(model.asked).toEqual([
    { task: "reading", texts: ["one", "one [SEP] two"] },
    { task: "relation", texts: ["before [SEP] after"] },
    { task: "relevance", texts: [`what? [SEP] ${"x".repeat(500)}`] },
  ]);
});

it("a text cannot bring a border of its own", async () => {
  const model = new ScriptedModel();
  const reader = new BundledReader(model);
  const texts = ["[SEP]", "I [SEP] you", "[SEP][SEP]", "[SE[SEP]P]", "[[SEP]SEP]", "[SEP[SEP]]", "[S[S[SEP]EP]EP]"];
  for (const text of texts) {
    await reader.relate([{ older: text, newer: "b" }]);
    await reader.relate([{ older: "a", newer: text }]);
    await reader.answers(text, [text]);
    await reader.read([{ text, before: text }]);
  }
  const joined = model.asked.flatMap(({ texts: some }) => some);
  expect(joined.filter((text) => text.split("[SEP]").length !== 2)).toEqual([]);
  await reader.read(texts.map((text) => ({ text, before: null })));
  expect(model.asked.at(-1)!.texts.filter((text) => text.includes("[SEP]"))).toEqual([]);
});

it("beside another embedder it has a model of its own, which it closes", async () => {
  const embedder = new HashingEmbedder();
  const reader = createReader(embedder, {});
  expect(reader.runsOn(embedder)).toBe(false);
  expect(reader.runtime).toBe("not started");
  await reader.close();
});
