/**
 * S_meta and S_query by hand (section 3.2), in preset `paper`. The embedder knows the few texts that the formulas name and
 * gives every other text a vector at right angles to the question: whatever else were compared would score 0.
 */
import type { Embedder, LanguageModelRequest } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { openMemories } from "../../durability/opened-memories.js";
import { ScriptedModel, isAskedFor } from "../scripted-model.js";

const dayMs = 86_400_000;
const saidMs = Date.parse("2025-03-03T09:00:00Z");
const summary = "The brace supports the knee.";
const hypotheticalQuery = "What supports the knee?";
const question = "How is my leg held?";
/** Components of one size survive rounding to bytes, so that cosines are exact. */
const questionVector = [1, 0, 0, 0, 0, 0, 0, 0];
const cosineOfRootHalf = [1, 1, 0, 0, 0, 0, 0, 0];
const cosineOfHalf = [1, 1, 1, 1, 0, 0, 0, 0];
const rightAngle = [0, 0, 0, 0, 0, 0, 0, 1];

class KnownTexts implements Embedder {
  readonly identity = { name: "known texts", dimensions: questionVector.length };
  readonly textsPerCall = 16;
  readonly #vectors: Readonly<Record<string, readonly number[]>>;

  constructor(vectors: Readonly<Record<string, readonly number[]>>) {
    this.#vectors = { [question]: questionVector, ...vectors };
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map((text) => Float32Array.from(this.#vectors[text] ?? rightAngle));
  }

  async close(): Promise<void> {}
}

function judge(request: LanguageModelRequest): string {
  if (!isAskedFor("substantial", request)) return "";
  return JSON.stringify({
    substantial: 1,
    category: "health",
    keywords: ["Brace", "knee"],
    statements: [summary],
    hypotheticalQueries: [hypotheticalQuery],
  });
}

interface Similarities {
  readonly metaSimilarity: number;
  readonly querySimilarity: number;
  readonly score: number;
}

async function recall(
  vectors: Readonly<Record<string, readonly number[]>>,
  { state, days, model = true }: { state?: string; days: number; model?: boolean },
): Promise<Similarities> {
  const memories = await openMemories({
    path: ":memory:",
    preset: "paper",
    clock: { nowMs: () => saidMs + 60 * dayMs },
    embedder: new KnownTexts(vectors),
    parameters: { startScoreMin: -1 },
    ...(model ? { languageModel: new ScriptedModel(judge) } : {}),
  });
  const person = memories.person("ada");
  await person.commit({ id: "brace", at: saidMs, summary, ...(state === undefined ? {} : { state }) });
  await person.settled();
  const { trace } = await person.recall(question, { at: saidMs + days * dayMs, seed: 1 });
  expect(trace.starts).toHaveLength(1);
  return trace.starts[0]!;
}

it("S_meta is the cosine of the question with naturalized time, state and keywords, in this order", async () => {
  const known = { "last week, early recovery, brace, knee": cosineOfRootHalf };
  const { metaSimilarity, querySimilarity } = await recall(known, { state: "early recovery", days: 9 });
  expect(metaSimilarity).toBeCloseTo(Math.SQRT1_2, 6);
  expect(querySimilarity).toBe(0);
});

it("S_meta follows the wording of time, and has no state where none is known", async () => {
  const known = { "yesterday, brace, knee": cosineOfRootHalf, "last week, brace, knee": cosineOfHalf };
  expect((await recall(known, { days: 1 })).metaSimilarity).toBeCloseTo(Math.SQRT1_2, 6);
  expect((await recall(known, { days: 9 })).metaSimilarity).toBeCloseTo(0.5, 6);
  expect((await recall(known, { days: 40 })).metaSimilarity).toBe(0);
});

it("S_query is the cosine of the question with the hypothetical query and the summary in one text", async () => {
  const known = { [`${hypotheticalQuery} ${summary}`]: cosineOfHalf };
  const { metaSimilarity, querySimilarity } = await recall(known, { days: 9 });
  expect(querySimilarity).toBeCloseTo(0.5, 6);
  expect(metaSimilarity).toBe(0);
});

it("S_query is the cosine with the summary alone where there is no hypothetical query", async () => {
  const { querySimilarity } = await recall({ [summary]: cosineOfRootHalf }, { days: 9, model: false });
  expect(querySimilarity).toBeCloseTo(Math.SQRT1_2, 6);
});

it("both together: 0.4 * 0.7071 + 0.6 * 0.5 on the day itself", async () => {
  const known = { "today, brace, knee": cosineOfRootHalf, [`${hypotheticalQuery} ${summary}`]: cosineOfHalf };
  expect((await recall(known, { days: 0 })).score).toBeCloseTo(0.4 * Math.SQRT1_2 + 0.6 * 0.5, 6);
});
