/** What is made of an interaction before anything is decided: its texts and the vectors of them. */
import { expect, it } from "vitest";
import type { CommitTrace, EmbeddedNode, PersonMemory } from "mnemosyne-edge";
import { quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import { exportLines, parseLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { type Answer, ScriptedModel, answerWell, judgment } from "../engine/scripted-model.js";

async function memoryOf(person: PersonMemory): Promise<EmbeddedNode> {
  return parseLines(await exportLines(person)).nodes[0]!;
}

async function vectorOf(text: string): Promise<Int8Array> {
  const [vector] = await new HashingEmbedder().embed([text]);
  return quantizeVector(vector!);
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
  const { node, summaryVector, hypotheticalVector } = await memoryOf(person);
  const queries = judgment.hypotheticalQueries.join(" ");
  expect(node.summaryText).toBe("Penicillin gave her a rash.");
  expect(summaryVector).toEqual(await vectorOf(node.summaryText));
  expect(hypotheticalVector).toEqual(await vectorOf(`${queries} ${node.summaryText}`));
  expect(hypotheticalVector).not.toEqual(await vectorOf(queries));
});

it("a statement's vector is of what was said; of who said it only a name counts", async () => {
  const person = (await openMemories({ path: ":memory:" })).person("ada");
  await person.commit({ id: "a", turns });
  await person.settled();
  const { statementVectors, fullText } = await memoryOf(person);
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
