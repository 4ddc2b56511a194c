/** Memories committed without a model are gone over with one later: in place, and nothing else changes. */
import { describe, expect, it } from "vitest";
import { InputError, type Mnemosyne, type MnemosyneOptions } from "mnemosyne-edge";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { type Answer, ScriptedModel, answerWell, judgement } from "./scripted-model.js";

const scratch = new ScratchFolder();
const parameters = { substanceThreshold: -10, statementCountMax: 4, redundancyThreshold: 10 };
/** Visits are much alike: where redundancy counts, most become pairs and boosts. */
const pairing = { ...parameters, redundancyThreshold: 0.17 };

function open(path: string, answer: Answer, options: MnemosyneOptions = {}): Promise<Mnemosyne> {
  return openMemories({ path, languageModel: new ScriptedModel(answer), parameters, ...options });
}

const isDown: Answer = () => {
  throw new Error("connection refused");
};

async function commitVisits(memories: Mnemosyne, count: number): Promise<void> {
  const person = memories.person("ada");
  for (let i = 0; i < count; i++) {
    const at = new Date(Date.UTC(2025, 0, 1 + i)).toISOString();
    const text = `Penicillin gave me a rash when I was seven, visit number ${i}, about ${i % 7} other things.`;
    await person.commit({ id: `visit-${i}`, at, turns: [{ who: "Ada", text }] });
  }
  await person.settled();
}

describe("a model that was unreachable during a hundred commits", () => {
  it("delays none of them: all are memories at once", async () => {
    const memories = await open(":memory:", isDown);
    await commitVisits(memories, 100);
    expect(await memories.person("ada").list()).toHaveLength(100);
  });

  it.each([
    ["apart", parameters],
    ["in pairs", pairing],
  ])("refining upgrades them in place, %s", async (_kind, used) => {
    const path = scratch.next();
    const without = await open(path, isDown, { parameters: used });
    await commitVisits(without, 100);
    const person = without.person("ada");
    const before = await person.list();
    const traces = (await person.history()).map(({ outcome }) => outcome);
    expect(traces.filter((outcome) => outcome === "queued")).toEqual([]);
    expect((await person.statistics()).refinedCount).toBe(0);
    const kept = new Map((await person.graph()).edges.map((edge) => [`${edge.a} ${edge.b}`, edge]));
    await without.close();

    const withModel = await open(path, answerWell, { parameters: used });
    const refined = withModel.person("ada");
    const seen: number[] = [];
    const report = await refined.refine((doneCount) => seen.push(doneCount));
    expect(report).toEqual({ refinedCount: before.length, failedIds: [], leftCount: 0 });
    expect(seen.at(-1)).toBe(before.length);
    const after = await refined.list();
    const place = ({ id, at, pairId, state }: (typeof after)[number]): object => ({ id, at, pairId, state });
    expect(after.map(place)).toEqual(before.map(place));
    for (const { keywords, summary, statements } of after) {
      expect(keywords).toEqual(["penicillin", "allergy"]);
      expect(summary).toBe("Penicillin gave her a rash.");
      expect(statements).toContain(judgement.statements[0]);
    }
    for (const { a, b, boostMs, boostedMs } of (await refined.graph()).edges) {
      const old = kept.get(`${a} ${b}`);
      if (old !== undefined) expect([boostMs, boostedMs]).toEqual([old.boostMs, old.boostedMs]);
    }
    expect(await refined.check()).toEqual([]);
    expect((await refined.statistics()).refinedCount).toBe(before.length);
    expect(await refined.refine()).toEqual({ refinedCount: 0, failedIds: [], leftCount: 0 });
    await withModel.close();

    const again = (await open(path, isDown)).person("ada");
    expect(await again.list()).toEqual(after);
    expect(await again.check()).toEqual([]);
  });
});

describe("refining", () => {
  it("leaves a memory that the model fails on again as it was, and goes on", async () => {
    const memories = await openMemories({ path: ":memory:", parameters });
    await commitVisits(memories, 3);
    const lines: string[] = [];
    for await (const line of memories.person("ada").export()) lines.push(line);
    const isBad: Answer = (request) => (request.text.includes("number 1,") ? "nonsense" : answerWell(request));
    const other = (await open(":memory:", isBad)).person("ada");
    await other.import(lines);
    const before = await other.get("visit-1");
    expect(await other.refine()).toMatchObject({ failedIds: ["visit-1"], leftCount: 0 });
    expect({ ...(await other.get("visit-1")), edges: [], edgeCount: 0 }).toEqual({
      ...before,
      edges: [],
      edgeCount: 0,
    });
  });

  it("stops where the model does not answer", async () => {
    const path = scratch.next();
    const without = await open(path, isDown);
    await commitVisits(without, 5);
    const count = (await without.person("ada").list()).length;
    await without.close();
    const person = (await open(path, isDown)).person("ada");
    expect(await person.refine()).toEqual({ refinedCount: 0, failedIds: [expect.any(String)], leftCount: count - 1 });
  });

  it("keeps what the model would discard", async () => {
    const path = scratch.next();
    const without = await open(path, isDown);
    await commitVisits(without, 2);
    const count = (await without.person("ada").list()).length;
    await without.close();
    const person = (
      await open(path, (request) => answerWell(request).replace('"substantial":1', '"substantial":0'))
    ).person("ada");
    expect((await person.refine()).refinedCount).toBe(count);
    expect(await person.list()).toHaveLength(count);
  });

  it("takes a model", async () => {
    const memories = await openMemories({ path: ":memory:", parameters });
    await commitVisits(memories, 1);
    await expect(memories.person("ada").refine()).rejects.toThrow(InputError);
  });
});
