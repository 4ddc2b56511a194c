/** What is made of an interaction before anything is decided: its statements, how they were read, its texts and vectors. */
import { describe, expect, it } from "vitest";
import type {
  CommitTrace,
  EmbeddedNode,
  InteractionInput,
  MnemosyneOptions,
  PersonMemory,
  Reading,
} from "mnemosyne-edge";
import { quantizeVector } from "../../src/graph/vectors/quantized-vector.js";
import { exportLines, parseLines } from "../durability/export-lines.js";
import { HashingEmbedder } from "../durability/hashing-embedder.mjs";
import { openMemories } from "../durability/opened-memories.js";
import { type Answer, ScriptedModel, answerWell, isAskedFor, judgment } from "../engine/scripted-model.js";
import { ScriptedReader } from "../engine/scripted-reader.js";

async function memoryOf(person: PersonMemory): Promise<EmbeddedNode> {
  return parseLines(await exportLines(person)).nodes[0]!;
}

async function vectorOf(text: string): Promise<Int8Array> {
  const [vector] = await new HashingEmbedder().embed([text]);
  return quantizeVector(vector!);
}

async function read(input: Partial<InteractionInput>, options: MnemosyneOptions = {}): Promise<PersonMemory> {
  const person = (await openMemories({ path: ":memory:", ...options })).person("ada");
  await person.commit({ id: "a", at: "2025-03-01T10:00:00Z", ...input });
  await person.settled();
  return person;
}

const turns = [
  { who: "user", text: "Penicillin gave me a rash when I was seven." },
  { who: "Dr Ito", text: "Then we take another antibiotic." },
];

it("the hypothetical vector is that of the hypothetical queries together with the summary", async () => {
  const person = await read(
    { turns: [{ who: "Ada", text: turns[0]!.text }] },
    { languageModel: new ScriptedModel(answerWell) },
  );
  const { node, summaryVector, hypotheticalVector } = await memoryOf(person);
  const queries = judgment.hypotheticalQueries.join(" ");
  expect(node.summaryText).toBe("Penicillin gave her a rash.");
  expect(summaryVector).toEqual(await vectorOf(node.summaryText));
  expect(hypotheticalVector).toEqual(await vectorOf(`${queries} ${node.summaryText}`));
  expect(hypotheticalVector).not.toEqual(await vectorOf(queries));
});

it("a statement's vector is of what was said; of the speaker only a name counts", async () => {
  const person = await read({ turns });
  const { statementVectors, fullText, node } = await memoryOf(person);
  expect(node.statements.map(({ turn, who, text }) => [turn, who, text])).toEqual([
    [0, "user", turns[0]!.text],
    [1, "Dr Ito", turns[1]!.text],
  ]);
  expect(statementVectors).toEqual([await vectorOf(turns[0]!.text), await vectorOf(`Dr Ito: ${turns[1]!.text}`)]);
  expect(fullText).toBe(`user: ${turns[0]!.text}\nDr Ito: ${turns[1]!.text}`);
});

it("the trace says whose words the summary is in", async () => {
  const sourceOf = async (answer: Answer | null, summary?: string): Promise<string> => {
    const languageModel = answer === null ? {} : { languageModel: new ScriptedModel(answer) };
    const said = { turns: [{ who: "Ada", text: turns[0]!.text }] };
    const person = await read(summary === undefined ? said : { ...said, summary }, languageModel);
    return ((await person.get("a")).trace as CommitTrace).summarySource;
  };
  const silent: Answer = () => "no idea";
  expect(await sourceOf(null)).toBe("made from turns");
  expect(await sourceOf(silent)).toBe("made from turns");
  expect(await sourceOf(answerWell)).toBe("language model");
  expect(await sourceOf(answerWell, "A rash of penicillin.")).toBe("given");
});

describe("the reader", () => {
  const reading: Reading = { fact: 0.9, about: "other", area: "people", lasting: 0.7, alone: 0.6 };

  it("is shown what people said, each statement after the words before it, and its readings stay", async () => {
    const reader = new ScriptedReader({ read: () => reading });
    const person = await read(
      {
        turns: [
          { who: "assistant", text: "Tell me. Any brothers?" },
          { who: "user", text: "Two, both in Linz. I like Linz." },
          { who: "Marta", text: "I live in Porto." },
        ],
      },
      { reader },
    );
    expect(reader.statements).toEqual([
      [
        { text: "Two, both in Linz.", before: "Any brothers?" },
        { text: "I like Linz.", before: "Two, both in Linz." },
        { text: "I live in Porto.", before: "Tell me. Any brothers? Two, both in Linz. I like Linz." },
      ],
    ]);
    const { statements } = await person.get("a");
    expect(statements.map(({ who, asked, reading: read }) => [who, asked, read])).toEqual([
      ["assistant", null, null],
      ["user", "Any brothers?", reading],
      ["user", null, reading],
      ["Marta", null, reading],
    ]);
  });

  it("is not shown material", async () => {
    const reader = new ScriptedReader();
    const person = await read({ turns: [{ who: "user", text: "Translate this: I live in Rome." }] }, { reader });
    expect(reader.statements.flat().map(({ text }) => text)).toEqual(["Translate this:"]);
    expect((await person.get("a")).statements.map(({ kind, reading: read }) => [kind, read === null])).toEqual([
      ["said", false],
      ["passage", true],
    ]);
  });
});

describe("a language model's statements", () => {
  it("follow what was said, and are read as nobody's words", async () => {
    const reader = new ScriptedReader();
    const person = await read(
      { turns: [{ who: "Ada", text: turns[0]!.text }] },
      { reader, languageModel: new ScriptedModel(answerWell) },
    );
    const { statements } = await person.get("a");
    expect(statements.map(({ who, text, kind, turn }) => [who, text, kind, turn])).toEqual([
      ["Ada", turns[0]!.text, "said", 0],
      ...judgment.statements.map((text) => [null, text, "written", null]),
    ]);
    const texts = [turns[0]!.text, ...judgment.statements];
    expect(reader.statements).toEqual([texts.map((text) => ({ text, before: null }))]);
  });

  it("take the place of what tells least where statements are few", async () => {
    const answer: Answer = (request) =>
      isAskedFor("keywords", request)
        ? JSON.stringify({
            ...judgment,
            keywords: ["rash"],
            statements: [judgment.statements[0]],
            hypotheticalQueries: [],
          })
        : answerWell(request);
    const text = "It was so good to be there. Penicillin gave me a rash in Lisbon harbour. Ada is allergic to it.";
    const person = await read(
      { turns: [{ who: "user", text }] },
      { languageModel: new ScriptedModel(answer), parameters: { statementCountMax: 3 } },
    );
    expect((await person.get("a")).statements.map((statement) => statement.text)).toEqual([
      "Penicillin gave me a rash in Lisbon harbour.",
      "Ada is allergic to it.",
      judgment.statements[0],
    ]);
  });
});
