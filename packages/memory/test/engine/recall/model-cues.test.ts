/** What a language model writes is found by: its questions, its statements and its keywords; a context quotes statements only. */
import type { LanguageModelRequest, PersonMemory } from "mnemosyne-edge";
import { expect, it } from "vitest";
import { quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { exportLines } from "../../durability/export-lines.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScriptedModel, answerWell, isAskedFor, judgment } from "../scripted-model.js";

const said = "Penicillin gave me a rash when I was seven.";
const asked = { at: "2025-03-02T10:00:00Z", seed: 1 };
const foreseen = "Which antibiotic gave Ada a rash?";

async function remember(changes: Partial<typeof judgment> = {}, answer = answerWell): Promise<PersonMemory> {
  const model = new ScriptedModel((request: LanguageModelRequest) =>
    isAskedFor("keywords", request) ? JSON.stringify({ ...judgment, ...changes }) : answer(request),
  );
  const parameters = { startScoreMin: -1 };
  const person = (await openMemories({ path: ":memory:", languageModel: model, parameters })).person("ada");
  await person.commit({ id: "a", at: "2025-03-01T10:00:00Z", turns: [{ who: "Ada", text: said }] });
  await person.commit({ id: "b", at: "2025-03-01T11:00:00Z", summary: "The garden is full of plums.", keep: true });
  await person.settled();
  return person;
}

interface Coverages {
  readonly lexicalCoverage: number;
  readonly statementCoverage: number;
}

async function coverages(person: PersonMemory, question: string): Promise<Coverages> {
  const { trace } = await person.recall(question, asked);
  return trace.starts.find(({ id }) => id === "a")!;
}

it("a memory keeps each question, with its vector", async () => {
  const lines = (await exportLines(await remember())).map((line) => JSON.parse(line) as Record<string, unknown>);
  const memory = lines.find(({ type, id }) => type === "memory" && id === "a")!;
  expect(memory["questions"]).toEqual(judgment.hypotheticalQueries);
  const vectors = (await new HashingEmbedder().embed(judgment.hypotheticalQueries)).map(quantizeVector);
  expect(memory["questionVectors"]).toEqual(vectors.map((vector) => Buffer.from(vector).toString("base64")));
});

it("the words of a question count like those of a statement, and not as words of the text", async () => {
  const [bare, helped] = [await remember(), await remember({ hypotheticalQueries: [foreseen] })];
  expect(await coverages(bare, "antibiotic")).toMatchObject({ lexicalCoverage: 0, statementCoverage: 0 });
  const { lexicalCoverage, statementCoverage } = await coverages(helped, "antibiotic");
  expect(lexicalCoverage).toBe(0);
  expect(statementCoverage).toBeGreaterThan(0);
});

it("the vector of a question raises S_query where it comes closest", async () => {
  const similarity = async (person: PersonMemory): Promise<number> =>
    (await person.recall(foreseen, asked)).trace.starts.find(({ id }) => id === "a")!.querySimilarity;
  // The summary's vector has all questions in it, in either order; only the single ones differ.
  const [apart, joined] = [[foreseen, "What gave Ada a rash?"], [`${foreseen} What gave Ada a rash?`]];
  const [one, other] = [
    await remember({ hypotheticalQueries: apart }),
    await remember({ hypotheticalQueries: joined }),
  ];
  expect(await similarity(one)).toBeGreaterThan(await similarity(other));
});

it("a keyword of the model's own is a word that finds the memory", async () => {
  const [bare, helped] = [await remember({ keywords: ["penicillin"] }), await remember()];
  expect(await coverages(bare, "allergy")).toMatchObject({ lexicalCoverage: 0 });
  expect((await coverages(helped, "allergy")).lexicalCoverage).toBeGreaterThan(0);
});

it("a context quotes what was said and what the model stated, never its questions", async () => {
  const person = await remember({ hypotheticalQueries: [foreseen] });
  const { context } = await person.recall(foreseen, asked);
  expect(context).toContain(judgment.statements[0]);
  expect(context).toContain(said);
  expect(context).not.toContain(foreseen);
});
