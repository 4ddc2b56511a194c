/** What is made of an interaction before anything is decided: its texts and the vectors of them. */
import { expect, it } from "vitest";
import type { PersonMemory } from "mnemosyne-edge";
import { quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { exportLines } from "../../durability/export-lines.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { ScriptedModel, answerWell, judgement } from "../scripted-model.js";

interface MemoryLine {
  readonly type: string;
  readonly summaryText: string;
  readonly fullText: string;
  readonly summaryVector: string;
  readonly hypotheticalVector: string;
  readonly statementVectors: readonly string[];
}

async function memoryLine(person: PersonMemory): Promise<MemoryLine> {
  const lines = (await exportLines(person)).map((line) => JSON.parse(line) as MemoryLine);
  return lines.find(({ type }) => type === "memory")!;
}

/** The vector of a text as an export shows it. */
async function vectorOf(text: string): Promise<string> {
  const [vector] = await new HashingEmbedder().embed([text]);
  return Buffer.from(quantizeVector(vector!).buffer).toString("base64");
}

const turns = [
  { who: "user", text: "Penicillin gave me a rash when I was seven." },
  { who: "Dr Ito", text: "Then we take another antibiotic." },
];

it("the hypothetical vector is that of the hypothetical queries together with the summary", async () => {
  const memories = await openMemories({ path: ":memory:", languageModel: new ScriptedModel(answerWell) });
  const person = memories.person("ada");
  await person.commit({ id: "a", turns: [{ who: "Ada", text: turns[0]!.text }] });
  await person.settled();
  const line = await memoryLine(person);
  const queries = judgement.hypotheticalQueries.join(" ");
  expect(line.summaryText).toBe("Penicillin gave her a rash.");
  expect(line.summaryVector).toBe(await vectorOf(line.summaryText));
  expect(line.hypotheticalVector).toBe(await vectorOf(`${queries} ${line.summaryText}`));
  expect(line.hypotheticalVector).not.toBe(await vectorOf(queries));
});

it("without a language model the hypothetical vector is the summary's", async () => {
  const person = (await openMemories({ path: ":memory:" })).person("ada");
  await person.commit({ id: "a", turns });
  await person.settled();
  const line = await memoryLine(person);
  expect(line.hypotheticalVector).toBe(line.summaryVector);
  expect(line.summaryVector).toBe(await vectorOf(line.summaryText));
});

it("a statement's vector is of what was said; of who said it only a name counts", async () => {
  const person = (await openMemories({ path: ":memory:" })).person("ada");
  await person.commit({ id: "a", turns });
  await person.settled();
  const { statementVectors, fullText } = await memoryLine(person);
  expect((await person.get("a")).statements).toEqual([`user: ${turns[0]!.text}`, `Dr Ito: ${turns[1]!.text}`]);
  expect(statementVectors).toEqual([await vectorOf(turns[0]!.text), await vectorOf(`Dr Ito: ${turns[1]!.text}`)]);
  expect(fullText).toBe(`user: ${turns[0]!.text}\nDr Ito: ${turns[1]!.text}`);
});
