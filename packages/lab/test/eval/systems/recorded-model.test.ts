/** Recorded replies stand in for a language model: each reaches the interaction it was recorded for, or the run ends. */
import { writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { Dataset } from "../../../src/data/dataset.js";
import { type RecordedReplies, readRecordedReplies } from "../../../src/data/recorded-replies.js";
import { type Evaluation, evaluate } from "../../../src/evaluation.js";
import { compareWithoutModel } from "../../../src/systems/mnemosyne-systems.js";
import { RecordedModel } from "../../../src/systems/recorded-model.js";
import { selectSystems } from "../../../src/systems/systems.js";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { makeReplies, readTinyJourneys } from "../tiny-data.js";

const scratch = new ScratchFolder();
const systems = selectSystems(["naive-rag", "mnemosyne-paper", "mnemosyne"]);
let dataset: Dataset;

beforeAll(async () => {
  dataset = await readTinyJourneys(scratch.next(""));
});

async function read(content: unknown): Promise<RecordedReplies> {
  const file = scratch.next(".json");
  writeFileSync(file, JSON.stringify(content));
  return readRecordedReplies(file);
}

async function measure(content: unknown | null): Promise<Evaluation> {
  const replies = content === null ? {} : { replies: await read(content) };
  return evaluate(dataset, { systems, embedder: new HashingEmbedder(), judge: false, seed: 1, ...replies });
}

describe("with recorded replies", () => {
  /** The question's own words stand only in the hypothetical query of i6, and nothing else shares them. */
  function askedFor(): ReturnType<typeof makeReplies> {
    const content = makeReplies();
    content.replies["i6"]!.hypotheticalQueries = ["Which angle did Ada's knee bends reach, in degrees?"];
    return content;
  }

  it("a memory keeps what its own reply says, and discards what its reply calls empty", async () => {
    const { report } = await measure(makeReplies());
    expect(report.substance!.all).toMatchObject({ substantialKept: 6, mundaneDiscarded: 1, mundaneKept: 0 });
    const content = makeReplies();
    content.replies["i5"]!.substantial = 0;
    const { report: without, records } = await measure(content);
    expect(without.substance!.all).toMatchObject({ substantialKept: 5, substantialDiscarded: 1 });
    expect(records.filter(({ system }) => system !== "naive-rag").flatMap(({ ranked }) => ranked)).not.toContain("i5");
  });

  it("S_query has its hypothetical query, and naive RAG stays as it was", async () => {
    const question = { ...dataset.groups[0]!.questions[2]!, text: "Which angle did Ada reach?" };
    const asked = { ...dataset, groups: [{ ...dataset.groups[0]!, questions: [question] }] };
    const run = async (replies: object): Promise<Evaluation> =>
      evaluate(asked, {
        systems: compareWithoutModel(systems),
        embedder: new HashingEmbedder(),
        judge: false,
        seed: 1,
        ...replies,
      });
    const rankedBy = ({ records }: Evaluation, name: string): readonly string[] =>
      records.find(({ system }) => system === name)!.ranked;
    const [bare, helped] = [await run({}), await run({ replies: await read(askedFor()) })];
    expect(rankedBy(bare, "mnemosyne-paper")[0]).not.toBe("i6");
    expect(rankedBy(helped, "mnemosyne-paper")[0]).toBe("i6");
    expect(rankedBy(helped, "naive-rag")).toEqual(rankedBy(bare, "naive-rag"));
    expect(rankedBy(helped, "mnemosyne-paper-without-model")).toEqual(rankedBy(bare, "mnemosyne-paper"));
    expect(helped.records.map(({ system }) => system)).not.toContain("naive-rag-without-model");
  });

  it("a question is looked for in its recorded wordings too, where there are any", async () => {
    const question = {
      ...dataset.groups[0]!.questions[2]!,
      text: "My sister Ruth from Leeds, and my amlodipine, mg, blood?",
    };
    const asked = { ...dataset, groups: [{ ...dataset.groups[0]!, questions: [question] }] };
    const run = async (content: object): Promise<readonly string[]> => {
      const { records } = await evaluate(asked, {
        systems: selectSystems(["mnemosyne"]),
        embedder: new HashingEmbedder(),
        judge: false,
        seed: 1,
        parameters: { rewritingWeight: 1 },
        replies: await read(content),
      });
      return records[0]!.ranked;
    };
    const rewritings = { [question.id]: { questions: ["I take mg of amlodipine for blood pressure?"] } };
    expect((await run(makeReplies()))[0]).toBe("i7");
    expect((await run({ ...makeReplies(), rewritings: {} }))[0]).toBe("i7");
    expect(["i3", "i4"]).toContain((await run({ ...makeReplies(), rewritings }))[0]);
  });

  it("the report names their file; without them it names none", async () => {
    expect((await measure(makeReplies())).report.replies).toMatch(/\.json$/u);
    expect((await measure(null)).report).not.toHaveProperty("replies");
  });
});

describe("refused is", () => {
  it("a journey that has no replies", async () => {
    await expect(measure({ ...makeReplies(), journey: "eve" })).rejects.toThrow(
      /has replies for eve, none for ada; add --only eve/u,
    );
  });

  it("an interaction that has none", async () => {
    const content = makeReplies();
    delete content.replies["i3"];
    await expect(measure(content)).rejects.toThrow(/has no reply for "i3"/u);
  });

  it("a file of another kind", async () => {
    await expect(read({ journey: "ada", replies: { i1: "yes" } })).rejects.toThrow(/replies\.i1 must be an object/u);
    await expect(read({ replies: {} })).rejects.toThrow(/journey is missing/u);
  });

  it("a request about something else: the run ends, instead of going on without a model", async () => {
    const [first, second] = dataset.groups[0]!.interactions;
    const model = new RecordedModel(await read(makeReplies()));
    const text = [first!.summary, ...first!.turns.map((turn) => `${turn.who}: ${turn.text}`)].join("\n");
    const request = { instruction: "", text, schema: { required: ["hypotheticalQueries"] } };
    model.turnTo(first!);
    expect(JSON.parse(await model.complete(request))).toEqual(makeReplies().replies["i1"]);
    model.check();
    model.turnTo(second!);
    await expect(model.complete(request)).rejects.toThrow(/does not show the words of "i2"/u);
    expect(() => model.check()).toThrow(/does not show the words of "i2"/u);
  });

  it("a request for the wordings of another question", async () => {
    const model = new RecordedModel(await read({ ...makeReplies(), rewritings: { q1: { questions: ["How?"] } } }));
    const request = { instruction: "", text: "Question:\nHow far?", schema: { required: ["questions"] } };
    expect(model.turnToQuestion({ id: "q2", text: "How far?" })).toBe(false);
    expect(await model.complete(request)).toBe("");
    expect(model.turnToQuestion({ id: "q1", text: "How far?" })).toBe(true);
    expect(JSON.parse(await model.complete(request))).toEqual({ questions: ["How?"] });
    model.check();
    model.turnToQuestion({ id: "q1", text: "How high?" });
    await expect(model.complete(request)).rejects.toThrow(/does not show the words of "q1"/u);
    expect(() => model.check()).toThrow(/does not show the words of "q1"/u);
  });
});

it("what was not recorded is left empty", async () => {
  const model = new RecordedModel(await read(makeReplies()));
  for (const field of ["coreSummary", "questions"]) {
    expect(await model.complete({ instruction: "", text: "", schema: { required: [field] } })).toBe("");
  }
  model.check();
});
