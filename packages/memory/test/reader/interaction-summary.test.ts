/** Interaction summaries made from turns without a language model. */
import { describe, expect, it } from "vitest";
import { finish } from "../../src/text/steps.js";
import { quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import { summarizeSteps } from "../../src/reader/interaction-summary.js";
import { type EmbeddedSentence, splitSaidSteps } from "../../src/reader/sentences.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";

const embedder = new HashingEmbedder();
const summarize = (sentences: readonly EmbeddedSentence[], wordCountMax: number): string =>
  finish(summarizeSteps(sentences, wordCountMax));

async function embed(turns: { who: string; text: string }[]): Promise<EmbeddedSentence[]> {
  const sentences = finish(splitSaidSteps({ turns, summary: null }));
  const vectors = await embedder.embed(sentences.map(({ text }) => text));
  return sentences.map((sentence, i) => ({ ...sentence, vector: quantizeVector(vectors[i]!) }));
}

const turns = [
  { who: "user", text: "Good morning. Dr. Patel measured 148/84 on Tuesday. I take 5 mg of amlodipine now." },
  { who: "assistant", text: "Shall I note that? I will remind you on 12 May." },
  { who: "user", text: "Yes please." },
];

describe("a summary", () => {
  it("is made of sentences that were said, with their speakers, in their order", async () => {
    const sentences = await embed(turns);
    const summary = summarize(sentences, 25);
    expect(summary).toMatch(/^user: /u);
    const parts = summary.split(/(?:user|assistant): /u).join("");
    for (const { text } of sentences.filter(({ text: said }) => summary.includes(said))) expect(parts).toContain(text);
    expect(summary.indexOf("148/84")).toBeLessThan(summary.indexOf("amlodipine"));
  });

  it("keeps names and numbers before pleasantries", async () => {
    const summary = summarize(await embed(turns), 18);
    expect(summary).toContain("Dr. Patel measured 148/84 on Tuesday.");
    expect(summary).not.toContain("Yes please.");
  });

  it("keeps within its words, but says at least one sentence", async () => {
    const sentences = await embed(turns);
    for (const limit of [10, 20, 40]) {
      expect(summarize(sentences, limit).split(/\s+/u).length).toBeLessThanOrEqual(limit + 3);
    }
    expect(summarize(sentences, 1)).not.toBe("");
    expect(summarize([], 10)).toBe("");
  });
});

describe("the choice of sentences by hand", () => {
  const [x, y, z] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ].map((components) => quantizeVector(components)) as [Int8Array, Int8Array, Int8Array];
  const said = (who: string | null, text: string, vector: Int8Array): EmbeddedSentence => ({ who, text, vector });

  it("what stands for the others comes first, then what is least like it", () => {
    // The middle is nearest to x, which two say.
    const sentences = [
      said("user", "green apples fell", y),
      said("user", "ripe pears fell", x),
      said("user", "sweet pears fell", x),
      said("user", "dark plums fell", z),
    ];
    expect(summarize(sentences, 3)).toBe("user: ripe pears fell");
    // 0.6 of the centrality of x less half of a repetition is below that of y.
    expect(summarize(sentences, 6)).toBe("user: green apples fell ripe pears fell");
    expect(summarize(sentences, 9)).toBe("user: green apples fell ripe pears fell dark plums fell");
    expect(summarize(sentences, 12)).toContain("sweet pears fell");
  });
});
