/** The bundled judge: what goes to the model, and what its head makes of the vectors. No verdict on a real sentence. */
import { expect, it } from "vitest";
import { type AdaptedEmbedder, ReaderFile, type ReaderTask } from "../../src/adapters/embedder/minilm/reader-file.js";
import { BundledReader } from "../../src/adapters/reader/bundled-reader.js";

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
    throw new Error("a judge does not embed");
  }

  async embedAdapted(texts: readonly string[], task: ReaderTask): Promise<Float32Array[]> {
    this.asked.push({ texts, task });
    return texts.map(() => this.#vector);
  }

  async close(): Promise<void> {}
}

it("a verdict is the head's score as a probability, and grows with the head's weights in the vector", async () => {
  const bias = new ReaderFile().readHead("substance").biases[0]!;
  const [verdict] = await new BundledReader(new ScriptedModel()).substance(["I moved to Lisbon."]);
  expect(verdict).toBeCloseTo(1 / (1 + Math.exp(-bias)), 4);
  const weights = new ReaderFile().readHead("relevance").weights[0]!;
  const judge = (sign: number): BundledReader => new BundledReader(new ScriptedModel(weights.map((w) => sign * w)));
  const [[against], [open], [inFavour]] = (await Promise.all(
    [-1, 0, 1].map((sign) => judge(sign).relevance("Where?", ["There."])),
  )) as [number[], number[], number[]];
  expect(against).toBeLessThan(open!);
  expect(open).toBeLessThan(inFavour!);
});

it("a relation has three shares, each that of its own score", async () => {
  const { weights, biases } = new ReaderFile().readHead("relation");
  // Raises the second score by 1, so that no share is nearly 0 or 1.
  const square = weights[1]!.reduce((sum, w) => sum + w * w, 0);
  const vector = weights[1]!.map((w) => w / square);
  const powers = weights.map((row, i) => Math.exp(row.reduce((sum, w, k) => sum + w * vector[k]!, biases[i]!)));
  const sum = powers.reduce((total, power) => total + power, 0);
  const [relation] = await new BundledReader(new ScriptedModel(vector)).relation([{ older: "a", newer: "b" }]);
  const { repetition, update, different } = relation!;
  for (const [i, share] of [repetition, update, different].entries()) expect(share).toBeCloseTo(powers[i]! / sum, 3);
});

it("texts go to the model as they are, two of them with a border between", async () => {
  const model = new ScriptedModel();
  const judge = new BundledReader(model);
  await judge.substance(["one", "two"]);
  await judge.relation([{ older: "before", newer: "after" }]);
  await judge.relevance("what?", ["x".repeat(600)]);
  await judge.areas(["one"]);
  expect(model.asked).toEqual([
    { task: "substance", texts: ["one", "two"] },
    { task: "relation", texts: ["before [SEP] after"] },
    { task: "relevance", texts: [`what? [SEP] ${"x".repeat(500)}`] },
    { task: "area", texts: ["one"] },
  ]);
});

it("a text cannot bring a border of its own", async () => {
  const model = new ScriptedModel();
  const judge = new BundledReader(model);
  const texts = ["[SEP]", "I [SEP] you", "[SEP][SEP]", "[SE[SEP]P]", "[[SEP]SEP]", "[SEP[SEP]]", "[S[S[SEP]EP]EP]"];
  for (const text of texts) {
    await judge.relation([{ older: text, newer: "b" }]);
    await judge.relation([{ older: "a", newer: text }]);
    await judge.relevance(text, [text]);
  }
  const joined = model.asked.flatMap(({ texts: some }) => some);
  expect(joined.filter((text) => text.split("[SEP]").length !== 2)).toEqual([]);
});
