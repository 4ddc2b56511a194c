/** A question sees the memory as it was when it was asked, in every system. */
import { replayGroup, type Replay } from "../../src/replay.js";
import type { DatasetGroup, DatasetQuestion } from "../../src/data/dataset.js";
import type { SystemDefinition } from "../../src/systems/system.js";
import { selectSystems } from "../../src/systems/systems.js";
import { beforeAll, describe, expect, it } from "vitest";
import { HashingEmbedder } from "../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../memory/test/durability/scratch-folder.js";
import { makeDiary, readTinyJourneys, readTinyLocomo } from "./tiny-data.js";

const scratch = new ScratchFolder();
const embedder = new HashingEmbedder();
/** Hash vectors carry no substance; with many core summaries, one from the future would show. */
const parameters = { substanceThreshold: -10, coreSummaryIntervalCommits: 2 };
const systems = selectSystems(["all"]);
let journey: DatasetGroup;

beforeAll(async () => {
  journey = (await readTinyJourneys(scratch.next(""))).groups[0]!;
});

function replay(group: DatasetGroup, system: SystemDefinition, evidenceBudgets: number[] = []): Promise<Replay> {
  return replayGroup(group, system, {
    embedder,
    judge: false,
    seed: 1,
    parameters,
    evidenceBudgets,
    replies: null,
    onStep: () => {},
  });
}

/** A journey that ends with a question. */
function endingWith(question: DatasetQuestion): DatasetGroup {
  const interactions = journey.interactions.filter(({ atMs }) => atMs < question.atMs);
  return { ...journey, interactions, questions: [question] };
}

describe("the order", () => {
  it("follows time, not the file; at the same moment the question comes first", async () => {
    const { definition, diary } = makeDiary();
    const [first, second, ...rest] = journey.interactions;
    const questions = journey.questions.map((question) =>
      question.id === "q2" ? { ...question, atMs: journey.interactions[4]!.atMs } : question,
    );
    await replay({ ...journey, interactions: [second!, ...rest, first!], questions }, definition);
    expect(diary).toEqual([
      ...["i1", "i2", "i3", "i4"].map((id) => `commit ${id}`),
      "ask q1 within 1000",
      "ask q2 within 1000",
      ...["i5", "i6", "i7"].map((id) => `commit ${id}`),
      "ask q3 within 1000",
      "close",
    ]);
  });

  it("holds for LoCoMo too, with each budget requested, the default once", async () => {
    const { definition, diary } = makeDiary();
    const { groups, evidenceBudgets } = await readTinyLocomo(scratch.next(".json"));
    await replay(groups[0]!, definition, [...evidenceBudgets]);
    expect(diary.slice(0, 5)).toEqual([
      "commit D1",
      "commit D2",
      "ask conv-1-q1 within 1000",
      "ask conv-1-q1 within 500",
      "ask conv-1-q1 within 2000",
    ]);
  });

  it("a system is closed even when it fails", async () => {
    const { definition, diary } = makeDiary();
    const failing: SystemDefinition = {
      name: "failing",
      open: async (setting) => ({
        ...(await definition.open(setting)),
        ask: () => Promise.reject(new Error("no idea")),
      }),
    };
    await expect(replay(journey, failing)).rejects.toThrow("no idea");
    expect(diary.at(-1)).toBe("close");
  });
});

describe.each(systems.map((system) => [system.name, system] as const))("%s", (_, system) => {
  it("answers each question as if nothing had happened after it", async () => {
    const { results } = await replay(journey, system);
    expect(results).toHaveLength(journey.questions.length);
    for (const [i, question] of journey.questions.entries()) {
      const alone = await replay(endingWith(question), system);
      expect(alone.results).toEqual([results[i]]);
      const existing = endingWith(question).interactions.map(({ id }) => id);
      expect(existing).toEqual(expect.arrayContaining([...results[i]!.record.ranked]));
    }
  });
});

it("the measures are those of the ranking and the record says all that is needed to check them", async () => {
  const { definition } = makeDiary();
  const { results } = await replay(journey, definition);
  expect(results[0]!.measures).toEqual({
    hit3: 1,
    ndcg3: 1,
    recall3: 1,
    recall10: 1,
    contextTokens: 4,
  });
  expect(results[0]!.record).toEqual({
    system: "diary",
    group: "ada",
    questionId: "q1",
    question: "Which tablets do I take for blood pressure?",
    kind: "single",
    at: "2025-01-20T10:00:00.000Z",
    gold: ["i3", "i4"],
    goldAnswer: "10 mg of amlodipine",
    ranked: ["i4", "i3", "i2", "i1"],
    context: "i4 i3 i2 i1",
    contextTokens: 4,
  });
});
