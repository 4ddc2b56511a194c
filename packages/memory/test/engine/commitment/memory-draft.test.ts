/** What is made of an interaction before anything is decided: its texts and the vectors of them. */
import { expect, it } from "vitest";
import type { CommitTrace, PersonMemory } from "mnemosyne-edge";
import { quantizeVector } from "../../../src/core/vectors/quantized-vector.js";
import { exportLines } from "../../durability/export-lines.js";
import { HashingEmbedder } from "../../durability/hashing-embedder.mjs";
import { openMemories } from "../../durability/opened-memories.js";
import { type Answer, ScriptedModel, answerWell, judgment } from "../scripted-model.js";

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
  const queries = judgment.hypotheticalQueries.join(" ");
  expect(line.summaryText).toBe("Penicillin gave her a rash.");
  expect(line.summaryVector).toBe(await vectorOf(line.summaryText));
  expect(line.hypotheticalVector).toBe(await vectorOf(`${queries} ${line.summaryText}`));
  expect(line.hypotheticalVector).not.toBe(await vectorOf(queries));
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

it("the trace says whose words the summary is in", async () => {
  const sourceOf = async (answer: Answer | null, summary?: string): Promise<string> => {
    const languageModel = answer === null ? {} : { languageModel: new ScriptedModel(answer) };
    const person = (await openMemories({ path: ":memory:", ...languageModel })).person("ada");
    const input = { id: "a", turns: [{ who: "Ada", text: turns[0]!.text }] };
    await person.commit(summary === undefined ? input : { ...input, summary });
    await person.settled();
    return ((await person.get("a")).trace as CommitTrace).summarySource;
  };
  const silent: Answer = () => "no idea";
  expect(await sourceOf(null)).toBe("made from turns");
  expect(await sourceOf(silent)).toBe("made from turns");
  expect(await sourceOf(answerWell)).toBe("language model");
  expect(await sourceOf(answerWell, "A rash of penicillin.")).toBe("given");
});
