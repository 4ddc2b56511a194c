/** Memories committed without a model are gone over with one later: in place, and nothing else changes. */
import { describe, expect, it } from "vitest";
import { type CommitTrace, type Mnemosyne, type MnemosyneOptions, type PersonMemory } from "mnemosyne-edge";
import { exportLines, linesOfKinds } from "../durability/export-lines.js";
import { openMemories } from "../durability/opened-memories.js";
import { ScratchFolder } from "../durability/scratch-folder.js";
import { type Answer, ScriptedModel, answerWell, isAskedFor, judgment } from "../engine/scripted-model.js";

const scratch = new ScratchFolder();
/** Earlier memories in a prompt would make the answers to one visit depend on what others say. */
const parameters = {
  substanceThreshold: -10,
  statementCountMax: 4,
  redundancyThreshold: 10,
  shownMemoryCountMax: 0,
};
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

/** Where visits were committed while the model was down. */
async function commitWithout(count: number): Promise<string> {
  const path = scratch.next();
  const without = await open(path, isDown);
  await commitVisits(without, count);
  await without.close();
  return path;
}

describe("a model that was unreachable during thirty commits", () => {
  it.each([
    ["apart", parameters],
    ["in pairs", pairing],
  ])("refining upgrades them in place, %s", async (_kind, used) => {
    const path = scratch.next();
    const without = await open(path, isDown, { parameters: used });
    await commitVisits(without, 30);
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
    const report = await refined.refine({ onProgress: (doneCount) => void seen.push(doneCount) });
    expect(report).toEqual({ refinedCount: before.length, failedIds: [], leftCount: 0, gaveUpBecause: null });
    expect(seen.at(-1)).toBe(before.length);
    const after = await refined.list();
    const place = ({ id, at, pairId, state }: (typeof after)[number]): object => ({ id, at, pairId, state });
    expect(after.map(place)).toEqual(before.map(place));
    for (const { keywords, summary, statements } of after) {
      expect(keywords).toEqual(["penicillin", "allergy"]);
      expect(summary).toBe("Penicillin gave her a rash.");
      expect(statements).toContainEqual(expect.objectContaining({ text: judgment.statements[0], kind: "written" }));
    }
    for (const { a, b, boostMs, boostedMs } of (await refined.graph()).edges) {
      const old = kept.get(`${a} ${b}`);
      if (old !== undefined) expect([boostMs, boostedMs]).toEqual([old.boostMs, old.boostedMs]);
    }
    expect(await refined.check()).toEqual([]);
    expect((await refined.statistics()).refinedCount).toBe(before.length);
    expect(await refined.refine()).toEqual({
      refinedCount: 0,
      failedIds: [],
      leftCount: 0,
      gaveUpBecause: null,
    });
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

  it("gives up after three failures in a row, and says so", async () => {
    const path = await commitWithout(5);
    const person = (await open(path, isDown)).person("ada");
    expect(await person.refine()).toEqual({
      refinedCount: 0,
      failedIds: ["visit-0", "visit-1", "visit-2"],
      leftCount: 2,
      gaveUpBecause: "the model failed 3 times in a row: connection refused",
    });
  });

  it("gives up at once on a model that uses up its time", async () => {
    const path = await commitWithout(3);
    const hanging = { ...parameters, modelTimeBudgetSeconds: 0.05 };
    const person = (await open(path, () => new Promise(() => {}), { parameters: hanging })).person("ada");
    const gaveUpBecause = "the model did not answer in time: no reply within 0.05 s";
    expect(await person.refine()).toEqual({ refinedCount: 0, failedIds: ["visit-0"], leftCount: 2, gaveUpBecause });
    expect(await person.refine()).toEqual({ refinedCount: 0, failedIds: [], leftCount: 3, gaveUpBecause });
  });
});

describe("what refining makes of a memory", () => {
  const animals = ["zebra quagga okapi", "zebra quagga tapir", "ibis emu kiwi", "ibis emu lynx"];

  /** Says the first two words, and names the first. */
  const shorten: Answer = (request) => {
    const said = /Ada: (\w+) (\w+)/u.exec(request.text);
    if (isAskedFor("coreSummary", request)) return JSON.stringify({ coreSummary: "Zebra." });
    if (isAskedFor("summary", request)) return JSON.stringify({ summary: `${said![1]} ${said![2]}.` });
    return JSON.stringify({ ...judgment, keywords: [said![1]], statements: [], hypotheticalQueries: [] });
  };

  async function commitAnimals(memories: Mnemosyne): Promise<void> {
    for (const [i, text] of animals.entries()) {
      const at = Date.UTC(2025, 0, 1 + i);
      await memories.person("ada").commit({ id: `a${i}`, at, turns: [{ who: "Ada", text: `${text} and so on.` }] });
    }
    await memories.settled();
  }

  it("is what the model would have made of it at once: texts, vectors and edges", async () => {
    const used = { parameters: { ...parameters, edgeThreshold: 0.4 } };
    const path = scratch.next();
    const without = await open(path, isDown, used);
    await commitAnimals(without);
    const before = (await without.person("ada").graph()).edges;
    await without.close();
    const refined = (await open(path, shorten, used)).person("ada");
    expect(await refined.refine()).toMatchObject({ refinedCount: 4 });
    const atOnce = await open(":memory:", shorten, used);
    await commitAnimals(atOnce);
    const graphOf = async (person: PersonMemory): Promise<string[]> =>
      linesOfKinds(await exportLines(person), "links", "memory");
    expect(await graphOf(refined)).toEqual(await graphOf(atOnce.person("ada")));
    expect((await refined.graph()).edges).not.toEqual(before);
  });

  it("has the rest of its trace as it was, and brings the core summary", async () => {
    const path = scratch.next();
    const without = await open(path, isDown);
    await commitAnimals(without);
    const [before] = await without.person("ada").history();
    await without.close();
    const person = (await open(path, shorten)).person("ada");
    expect((await person.coreSummary()).text).toBe("N/A");
    await person.refine();
    const [after] = await person.history();
    const { languageModel, keywords, summarySource, ...rest } = after!.trace as CommitTrace;
    expect(before!.trace).toMatchObject(rest);
    expect([keywords, summarySource]).toEqual([["zebra"], "language model"]);
    expect(languageModel).toMatchObject({ name: "scripted", steps: [{ how: "as asked" }, { how: "as asked" }] });
    expect((await person.coreSummary()).text).toBe("Zebra.");
  });

  it("is nothing where it was forgotten meanwhile: it does not come back", async () => {
    const path = scratch.next();
    const without = await open(path, isDown);
    await commitAnimals(without);
    await without.close();
    const holder: { person?: PersonMemory } = {};
    const forgetting: Answer = async (request, count) => {
      if (request.text.includes("Ada: zebra quagga okapi") && isAskedFor("summary", request)) {
        await holder.person!.forget("a0");
      }
      return shorten(request, count);
    };
    const person = (await open(path, forgetting)).person("ada");
    holder.person = person;
    expect(await person.refine()).toMatchObject({ refinedCount: 3, failedIds: ["a0"] });
    expect((await person.list()).map(({ id }) => id)).toEqual(["a1", "a2", "a3"]);
    expect((await person.history()).map(({ id }) => id)).toEqual(["a1", "a2", "a3"]);
    expect(await person.check()).toEqual([]);
  });
});

describe("what was decided about a statement stays with it", () => {
  it("where a model's statements take the place of others: marks, and what ended it", async () => {
    const path = scratch.next();
    const few = { parameters: { ...parameters, statementCountMax: 3 } };
    const texts = [
      "It was so good to be there.",
      "Penicillin gave me a rash in Lisbon harbour.",
      "Zebras graze near Evora.",
    ];
    const without = await open(path, isDown, few);
    const before = without.person("ada");
    await before.commit({ id: "a", at: Date.UTC(2025, 0, 1), turns: [{ who: "Ada", text: texts.join(" ") }] });
    await before.settled();
    await before.pin("a#1", "Health");
    await before.commit({ id: "b", at: Date.UTC(2025, 0, 2), summary: "Zebras moved on.", updates: ["a#2"] });
    await before.settled();
    await without.close();
    const answer: Answer = (request) => {
      if (isAskedFor("summary", request)) return answerWell(request);
      if (!request.text.includes("rash in Lisbon")) return "nonsense";
      return JSON.stringify({
        ...judgment,
        keywords: ["rash"],
        statements: ["A rash in Lisbon."],
        hypotheticalQueries: [],
      });
    };
    const person = (await open(path, answer, few)).person("ada");
    expect(await person.refine()).toMatchObject({ refinedCount: 1, failedIds: ["b"] });
    const { statements } = await person.get("a");
    expect(statements.map(({ text, marks, endedBy }) => [text, marks, endedBy])).toEqual([
      [texts[1], ["pinned"], []],
      [texts[2], [], ["b"]],
      ["A rash in Lisbon.", [], []],
    ]);
    expect(await person.check()).toEqual([]);
  });
});
