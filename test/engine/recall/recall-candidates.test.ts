/** Candidates for start nodes: what S_meta compares the question with, and when it is embedded. */
import { expect, it } from "vitest";
import { cosine, quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { NotingEmbedder } from "../noting-embedder.js";

const question = "How was the early recovery?";
const asked = { at: "2025-03-11T09:00:00Z", seed: 1 };

async function rememberKnee(state: string | undefined, parameters: Record<string, number> = {}) {
  const embedder = new NotingEmbedder();
  const memories = await openMemories({ path: ":memory:", embedder, parameters: { startScoreMin: -1, ...parameters } });
  const person = memories.person("ada");
  const summary = "The knee bends to ninety degrees after exercises.";
  await person.commit({ id: "knee", summary, at: "2025-03-10T09:00:00Z", ...(state === undefined ? {} : { state }) });
  await person.settled();
  return { person, embedder };
}

it("S_meta compares the question with naturalized time, state and keywords, in one text", async () => {
  const { person, embedder } = await rememberKnee("early recovery");
  const { keywords } = await person.get("knee");
  expect(keywords.length).toBeGreaterThan(1);
  const metaText = ["yesterday", "early recovery", ...keywords].join(", ");
  expect(await embedder.during(() => person.recall(question, asked))).toEqual([question, metaText]);

  const [asking, meta] = (await new HashingEmbedder().embed([question, metaText])).map(quantizeVector);
  const { trace } = await person.recall(question, asked);
  expect(trace.starts[0]!.metaSimilarity).toBeCloseTo(cosine(asking!, meta!), 12);
});

it("without a state, S_meta's text goes from the time to the keywords", async () => {
  const { person, embedder } = await rememberKnee(undefined);
  const { keywords } = await person.get("knee");
  const texts = await embedder.during(() => person.recall(question, asked));
  expect(texts).toEqual([question, ["yesterday", ...keywords].join(", ")]);
});

it("a preset in which S_meta has no weight embeds no times", async () => {
  const { person, embedder } = await rememberKnee("early recovery", { metaWeightBase: 0, metaWeightMax: 0 });
  expect(await embedder.during(() => person.recall(question, asked))).toEqual([question]);
  const { trace } = await person.recall(question, asked);
  expect(trace.starts[0]!.metaSimilarity).toBe(0);
});

it("the whole start score decides what is quoted of start nodes: of two that say the same, the one in the state asked for", async () => {
  const memories = await openMemories({
    path: ":memory:",
    countTokens: (text) => text.split(".").length - 1,
    parameters: { redundancyThreshold: 10, metaWeightBase: 0.9, metaWeightMax: 0.9, startScoreMin: -1 },
  });
  const person = memories.person("ada");
  await person.commit({ id: "plain", summary: "The knee was stiff.", at: "2025-03-09T09:00:00Z" });
  const summary = "The knee was stiff then.";
  await person.commit({ id: "state", summary, state: "early recovery", at: "2025-03-10T09:00:00Z" });
  await person.settled();
  const recall = await person.recall("Was the knee stiff in early recovery?", { ...asked, tokenBudget: 1 });
  expect(recall.trace.context).toMatchObject({ includedIds: ["state"], droppedIds: ["plain"] });
});

it("single statements are looked at only where they have a weight", async () => {
  const asked = { at: "2025-03-11T09:00:00Z", seed: 1 };
  const coverage = async (statementLexicalWeight: number): Promise<number> => {
    const { person } = await rememberKnee(undefined, { statementLexicalWeight });
    return (await person.recall("How far does the knee bend?", asked)).trace.starts[0]!.statementCoverage;
  };
  expect(await coverage(0)).toBe(0);
  expect(await coverage(0.5)).toBeGreaterThan(0);
});

it("the weight of S_meta rises with a memory's age at the time of the question", async () => {
  const { person } = await rememberKnee(undefined, { metaWeightBase: 0.4, metaWeightMax: 0.6, metaWeightRiseDays: 28 });
  const weightAt = async (at: string): Promise<number> =>
    (await person.recall(question, { at, seed: 1 })).trace.starts[0]!.metaWeight;
  expect(await weightAt("2025-03-10T09:00:00Z")).toBeCloseTo(0.4, 12);
  // 28 days later.
  expect(await weightAt("2025-04-07T09:00:00Z")).toBeCloseTo(0.4 + 0.2 * (1 - 1 / Math.E), 12);
});
