/** The bundled judge: what goes to the model, and what its head makes of the vectors. No verdict on a real sentence. */
import { basename } from "node:path";
import { BundledEmbedder } from "mnemosyne-edge/embedder/bundled";
import { describe, expect, it } from "vitest";
import type { AdaptedEmbedder } from "../../src/adapters/embedder/minilm/adapted-embedder.js";
import { JudgeFile, type JudgeTask } from "../../src/adapters/embedder/minilm/judge-file.js";
import { AdapterJudge } from "../../src/adapters/judge/adapter-judge.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { makeJudge, writeJudge } from "./judge-fixture.js";

const scratch = new ScratchFolder();

/** Notes what it is asked and answers with one vector for every text. */
class ScriptedModel implements AdaptedEmbedder {
  readonly identity = { name: "scripted", dimensions: 384 };
  readonly textsPerCall = 1;
  readonly runtime = "by script";
  readonly asked: { texts: readonly string[]; task: JudgeTask }[] = [];
  readonly #vector: Float32Array;

  constructor(vector = new Float32Array(384)) {
    this.#vector = vector;
  }

  embed(): Promise<Float32Array[]> {
    throw new Error("a judge does not embed");
  }

  async embedAdapted(texts: readonly string[], task: JudgeTask): Promise<Float32Array[]> {
    this.asked.push({ texts, task });
    return texts.map(() => this.#vector);
  }

  async close(): Promise<void> {}
}

describe("a verdict", () => {
  it("on substance is the head's score as a probability: with a vector of zeros that of its bias", async () => {
    const bias = new JudgeFile().readHead("substance").biases[0]!;
    const [verdict] = await new AdapterJudge(new ScriptedModel()).substance(["I moved to Lisbon."]);
    expect(verdict).toBeCloseTo(1 / (1 + Math.exp(-bias)), 4);
  });

  it("on relevance grows with the head's weights in the vector", async () => {
    const weights = new JudgeFile().readHead("relevance").weights[0]!;
    const judge = (sign: number): AdapterJudge => new AdapterJudge(new ScriptedModel(weights.map((w) => sign * w)));
    const [against] = await judge(-1).relevance("Where?", ["There."]);
    const [open] = await judge(0).relevance("Where?", ["There."]);
    const [inFavour] = await judge(1).relevance("Where?", ["There."]);
    expect(against).toBeLessThan(open!);
    expect(open).toBeLessThan(inFavour!);
  });

  it("on a relation has three shares, each that of its own score", async () => {
    const { weights, biases } = new JudgeFile().readHead("relation");
    // Raises the second score by 1, so that no share is nearly 0 or 1.
    const square = weights[1]!.reduce((sum, w) => sum + w * w, 0);
    const vector = weights[1]!.map((w) => w / square);
    const scores = weights.map((row, i) => row.reduce((sum, w, k) => sum + w * vector[k]!, biases[i]!));
    const powers = scores.map((score) => Math.exp(score));
    const sum = powers.reduce((total, power) => total + power, 0);
    const [relation] = await new AdapterJudge(new ScriptedModel(vector)).relation([{ older: "a", newer: "b" }]);
    expect(relation!.repetition).toBeCloseTo(powers[0]! / sum, 4);
    expect(relation!.update).toBeCloseTo(powers[1]! / sum, 4);
    expect(relation!.different).toBeCloseTo(powers[2]! / sum, 4);
  });

  it("comes from the head of the model's own file, which names the judge", async () => {
    const path = scratch.next(".safetensors");
    writeJudge(path, makeJudge());
    const judge = new AdapterJudge(Object.assign(new ScriptedModel(), { judgePath: path }));
    const bias = new JudgeFile(path).readHead("substance").biases[0]!;
    expect((await judge.substance(["a"]))[0]).toBeCloseTo(1 / (1 + Math.exp(-bias)), 4);
    expect(judge.name).toBe(basename(path));
    expect(new AdapterJudge(new ScriptedModel()).name).toBe("bundled");
  });

  it("has four digits: what is beyond differs between machines", async () => {
    const [verdict] = await new AdapterJudge(new ScriptedModel()).substance(["a"]);
    expect(Number(verdict!.toFixed(4))).toBe(verdict);
  });
});

describe("what is judged", () => {
  it("has room for both of two texts, however long the first", async () => {
    const model = new ScriptedModel();
    await new AdapterJudge(model).relevance("why? ".repeat(4_000), ["because"]);
    const [text] = model.asked[0]!.texts;
    expect(text!.length).toBeLessThan(1_000);
    expect(text).toMatch(/ \[SEP\] because$/u);
  });

  it("goes to the model under its task: texts as they are, two of them with a border between", async () => {
    const model = new ScriptedModel();
    const judge = new AdapterJudge(model);
    await judge.substance(["one", "two"]);
    await judge.relation([{ older: "before", newer: "after" }]);
    await judge.relevance("what?", ["this", "that"]);
    expect(model.asked).toEqual([
      { task: "substance", texts: ["one", "two"] },
      { task: "relation", texts: ["before [SEP] after"] },
      { task: "relevance", texts: ["what? [SEP] this", "what? [SEP] that"] },
    ]);
    expect([judge.name, judge.runtime]).toEqual(["bundled", "by script"]);
  });

  it.each(["[SEP]", "I [SEP] you", "[SEP][SEP]", "[SE[SEP]P]", "[[SEP]SEP]", "[SEP[SEP]]", "[S[S[SEP]EP]EP]"])(
    "%j has no border of its own: there is one between two texts, not more",
    async (text) => {
      const model = new ScriptedModel();
      const judge = new AdapterJudge(model);
      await judge.relation([
        { older: text, newer: "b" },
        { older: "a", newer: text },
      ]);
      await judge.relevance(text, [text]);
      const joined = model.asked.flatMap(({ texts }) => texts);
      expect(joined.map((each) => each.split("[SEP]").length)).toEqual([2, 2, 2]);
    },
  );
});

describe("the real model", () => {
  it("gives probabilities, and shares of a relation that add up to 1 but for their last digit", async () => {
    const model = new BundledEmbedder();
    const judge = new AdapterJudge(model);
    try {
      const texts = ["", "I moved to Lisbon for the job.", "Hm.", "他昨天去了医院。", "again and again ".repeat(100)];
      const pairs = texts.map((newer, i) => ({ older: texts[(i + 1) % texts.length]!, newer }));
      const relations = await judge.relation(pairs);
      const shares = relations.map(({ repetition, update, different }) => [repetition, update, different]);
      for (const each of shares) {
        expect(each.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 3);
      }
      const verdicts = [
        ...shares.flat(),
        ...(await judge.substance(texts)),
        ...(await judge.relevance("Where?", texts)),
      ];
      expect(verdicts).toHaveLength(25);
      expect(verdicts.filter((verdict) => !(verdict >= 0 && verdict <= 1))).toEqual([]);
      expect(await judge.substance([])).toEqual([]);
    } finally {
      await model.close();
    }
  });
});
