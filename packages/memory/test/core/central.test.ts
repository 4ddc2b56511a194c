/** The core summary: when it is written, from what, and that nothing forgotten lives on in it. */
import { describe, expect, it } from "vitest";
import type { LanguageModelRequest, PersonMemory } from "mnemosyne-edge";
import { MemoryStore } from "mnemosyne-edge/store/memory";
import type { CoreSummaryTrace } from "../../src/core/central.js";
import { openMemories } from "../durability/opened-memories.js";
import { applyBatch } from "../engine/records/opened-records.js";
import { ScriptedModel, isAskedFor } from "../engine/scripted-model.js";

const words = ["violin", "garden", "bakery", "harbour", "chess", "pottery", "sailing", "opera", "yoga", "beehive"];

async function commitMany(parameters: Record<string, number>, count = words.length) {
  const memories = await openMemories({ path: ":memory:", parameters: { redundancyThreshold: 10, ...parameters } });
  const person = memories.person("ada");
  for (let i = 0; i < count; i++) {
    const summary = `Ada loves the ${words[i]} more than anything. She spent hour ${i} on it with her friend.`;
    await person.commit({ id: `m${i}`, summary, at: Date.parse("2025-05-01T10:00:00Z") + i * 86_400_000 });
  }
  await person.settled();
  return person;
}

it('is "N/A" before it is first due, then written every so many commits', async () => {
  const early = await commitMany({ coreSummaryIntervalCommits: 4 }, 3);
  expect(await early.coreSummary()).toEqual({
    text: "N/A",
    updatedAt: null,
    areas: [],
    changes: [],
    sourceIds: [],
    trace: null,
  });
  const later = await commitMany({ coreSummaryIntervalCommits: 4 }, 9);
  const core = await later.coreSummary();
  expect(core.text).toContain("Ada loves the");
  // Due after the 4th and the 8th commit: the 8th is the newest it knows.
  expect(core.updatedAt).toBe("2025-05-08T10:00:00.000Z");
});

it("comes from the central subset, in the order of time, within its words", async () => {
  const person = await commitMany({ coreSummaryWordCountMax: 30 });
  const { text, sourceIds, trace } = await person.coreSummary({ update: true });
  const { centralSubset } = trace as CoreSummaryTrace;
  expect(sourceIds).toEqual(centralSubset.map(({ id }) => id).toSorted());
  expect(text.split(/\s+/u).filter((word) => word !== "-").length).toBeLessThanOrEqual(30);
  const positions = text.split("\n").map((line) => words.findIndex((word) => line.includes(word)));
  const known = positions.filter((position) => position >= 0);
  expect(known).toEqual(known.toSorted((x, y) => x - y));
});

it("is in the context of every recall, first", async () => {
  const person = await commitMany({});
  const { text } = await person.coreSummary({ update: true });
  const { context } = await person.recall("violin", { at: "2025-05-20", seed: 1, tokenBudget: 4000 });
  expect(context.indexOf(text)).toBeGreaterThan(0);
  expect(context.indexOf(text)).toBeLessThan(80);
});

it("is left out of a recall of a time before it was written, and the trace says so", async () => {
  const person = await commitMany({});
  await person.coreSummary({ update: true });
  const early = await person.recall("violin", { at: "2025-05-05", seed: 1 });
  expect(early.trace.context.coreSummary).toBe("none yet");
  expect(early.context).not.toContain(words.at(-1));
  const late = await person.recall("violin", { at: "2025-05-20", seed: 1, tokenBudget: 4000 });
  expect(late.trace.context.coreSummary).toBe("included");
  const short = await person.recall("violin", { at: "2025-05-20", seed: 1, tokenBudget: 20 });
  expect(short.trace.context.coreSummary).toBe("beyond the budget");
});

it("lets the older half of a pair speak", async () => {
  const memories = await openMemories({ path: ":memory:" });
  const person = memories.person("ada");
  const say = (id: string, summary: string, day: number): Promise<unknown> =>
    person.commit({ id, summary, at: Date.parse("2025-05-01T10:00:00Z") + day * 86_400_000 });
  await say("first", "Ada plays the violin in the harbour orchestra every Friday evening.", 0);
  await say("second", "Ada plays the violin in the harbour orchestra every Friday evening now.", 1);
  await person.settled();
  expect((await person.get("second")).pairId).toBe("first");
  const core = await person.coreSummary({ update: true });
  expect(core.text).toBe("- Ada plays the violin in the harbour orchestra every Friday evening.");
  expect(core.sourceIds.toSorted()).toEqual(["first", "second"]);
});

it("is written again from nothing when a memory it came from is forgotten", async () => {
  const person = await commitMany({ centralCountMax: 12 });
  const before = await person.coreSummary({ update: true });
  const [source] = before.sourceIds;
  const word = words[Number(source!.slice(1))]!;
  const receipt = await person.forget(source!);
  expect(receipt.coreSummaryRebuilt).toBe(true);
  const after = await person.coreSummary();
  expect(after.sourceIds).not.toContain(source);
  expect(after.text).not.toContain(word);
  expect(after.text).toContain("Ada loves the");
});

/** Judges by the word "weather", and writes a core summary by saying again all that it is shown. */
function answerByEcho(request: LanguageModelRequest): string {
  const shown = request.text.replaceAll(/<<<TEXT|TEXT>>>|Current core summary:|Memories:/gu, "").trim();
  if (isAskedFor("coreSummary", request)) return JSON.stringify({ coreSummary: shown });
  const substantial = request.text.includes("weather") ? 0 : 1;
  const [keyword] = /\b[a-z]{5,}\b/u.exec(shown.slice(shown.indexOf("Interaction of")))!;
  return JSON.stringify({
    substantial,
    category: "none",
    keywords: [keyword],
    statements: [],
    hypotheticalQueries: [],
  });
}

/** Only the newest memory is central, so that earlier ones live on in the last core summary alone. */
const newestIsCentral = {
  redundancyThreshold: 10,
  clusterCount: 1,
  criticalCount: 0,
  centralCountMax: 1,
  centralConnectivityWeight: 0,
  centralBoostWeight: 0,
  centralRecencyWeight: 1,
  centralEntropyWeight: 0,
};

it("that a model carried on still comes from what fed the earlier ones, and forgetting one of those ends it", async () => {
  const model = new ScriptedModel(answerByEcho);
  const memories = await openMemories({ path: ":memory:", languageModel: model, parameters: newestIsCentral });
  const person = memories.person("ada");
  const say = async (id: string, summary: string, day: number): Promise<void> => {
    await person.commit({ id, summary, at: Date.parse("2025-05-01T10:00:00Z") + day * 86_400_000 });
    await person.settled();
  };
  await say("secret", "The spare key is under the flowerpot.", 0);
  expect((await person.coreSummary({ update: true })).sourceIds).toEqual(["secret"]);
  await say("later", "The violin was repaired.", 40);
  const carried = await person.coreSummary({ update: true });
  expect(carried.text).toContain("flowerpot");
  expect((carried.trace as CoreSummaryTrace).centralSubset.map(({ id }) => id)).toEqual(["later"]);
  expect(carried.sourceIds).toEqual(["later", "secret"]);

  const receipt = await person.forget("secret");
  expect(receipt.coreSummaryRebuilt).toBe(true);
  expect(model.requests.at(-1)!.text).not.toContain("flowerpot");
  const rebuilt = await person.coreSummary();
  expect(rebuilt.text).toBe("The violin was repaired.");
  expect(rebuilt.sourceIds).toEqual(["later"]);
});

it("written without the model has nothing of the one before, and comes from its own memories alone", async () => {
  let isSilent = false;
  const model = new ScriptedModel((request) => (isSilent ? "no idea" : answerByEcho(request)));
  const memories = await openMemories({ path: ":memory:", languageModel: model, parameters: newestIsCentral });
  const person = memories.person("ada");
  await person.commit({ id: "earlier", summary: "The garden needs water.", at: "2025-05-01" });
  await person.settled();
  await person.coreSummary({ update: true });
  await person.commit({ id: "later", summary: "The violin was repaired.", at: "2025-06-10" });
  await person.settled();
  isSilent = true;
  const { text, sourceIds } = await person.coreSummary({ update: true });
  expect(text).toBe("- The violin was repaired.");
  expect(sourceIds).toEqual(["later"]);
});

describe("while it is being written by a model", () => {
  class OpenStore extends MemoryStore {
    override async close(): Promise<void> {}
  }

  /** Somebody does something whenever the model is asked for a core summary. */
  async function openBusy(meanwhile: (store: MemoryStore) => Promise<void>, coreSummaryIntervalCommits: number) {
    const store = new OpenStore();
    let isBusy = false;
    const model = new ScriptedModel(async (request) => {
      if (isAskedFor("coreSummary", request) && isBusy) await meanwhile(store);
      return answerByEcho(request);
    });
    const parameters = { ...newestIsCentral, coreSummaryIntervalCommits };
    const person = (await openMemories({ store, languageModel: model, parameters })).person("ada");
    isBusy = true;
    const asked = (): number => model.requests.filter((request) => isAskedFor("coreSummary", request)).length;
    return { person, asked };
  }

  const secret = { id: "secret", summary: "The spare key is under the flowerpot.", at: "2025-05-01" };

  it("a memory that is forgotten does not come back in it", async () => {
    const holder: { person?: PersonMemory } = {};
    const { person } = await openBusy(async () => void (await holder.person!.forget("secret")), 1_000);
    holder.person = person;
    await person.commit({ ...secret, at: "2025-05-02" });
    await person.commit({ id: "other", summary: "The violin was repaired.", at: "2025-05-01" });
    await person.settled();
    const { text, sourceIds } = await person.coreSummary({ update: true });
    expect([text, sourceIds]).toEqual(["N/A", []]);
    // It is due at once: the next interaction brings it, from what is left.
    holder.person = { forget: async () => undefined } as unknown as PersonMemory;
    await person.commit({ id: "last", summary: "The garden needs water.", at: "2025-05-03" });
    await person.settled();
    expect((await person.coreSummary()).text).toBe("The violin was repaired.");
  });

  it("somebody who changes the memory each time makes it be written five times, and the fifth is kept", async () => {
    const { person, asked } = await openBusy(async (store) => {
      await applyBatch(store);
    }, 1);
    await person.commit(secret);
    await person.settled();
    expect(asked()).toBe(5);
    expect((await person.coreSummary()).text).toBe(secret.summary);
  });

  it("somebody who has written it meanwhile is not written over", async () => {
    const coreSummary = { text: "Theirs.", updatedMs: 1, sourceIds: ["secret"], trace: "{}", facts: "[]" };
    const { person, asked } = await openBusy(async (store) => {
      await applyBatch(store, { coreSummary, commitsSinceCoreSummary: 0 });
    }, 1);
    await person.commit(secret);
    await person.settled();
    expect(asked()).toBe(1);
    expect((await person.coreSummary()).text).toBe("Theirs.");
  });
});
