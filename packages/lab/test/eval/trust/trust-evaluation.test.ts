/** Figures of planted verdicts, worked out by hand; and the two systems that are measured. */
import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { type HistoryItem, type InteractionInput, Mnemosyne, PersonMemory, type Recall } from "../../../../memory/src/index.js";
import { mnemosyneDoor, paperDoor } from "../../../src/trust/door.js";
import { plainStore } from "../../../src/trust/plain-store.js";
import {
  type TrustEvaluation,
  type TrustOptions,
  evaluateTrust,
  readParts,
  saveTrust,
} from "../../../src/trust/trust-evaluation.js";
import type { TrustRecord } from "../../../src/trust/trust-part.js";
import { type PartName, userTurn } from "../../../src/trust/trust-system.js";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { type Plan, faultless, makePlanned, makeTrust, writeClinc, writeTrust } from "./tiny-trust.js";

const scratch = new ScratchFolder();
const folder = writeTrust(scratch.next(""));
const clinc = writeClinc(scratch.next(".json"));
const parts = await readParts(folder, [], clinc);

function evaluate(options: Partial<TrustOptions> = {}): Promise<TrustEvaluation> {
  const setting = {
    embedder: new HashingEmbedder(),
    judge: false,
    profile: "general",
    parameters: {},
    seed: 1,
  } as const;
  return evaluateTrust(parts, { ...setting, ...options });
}

function evaluatePlan(plan: Partial<Plan>): Promise<TrustEvaluation> {
  const whole: Plan = {
    fates: { ...faultless.fates, ...plan.fates },
    answers: { ...faultless.answers, ...plan.answers },
    coreSummaries: { ...faultless.coreSummaries, ...plan.coreSummaries },
  };
  return evaluate({ systems: [makePlanned(whole)] });
}

function valuesOf({ report }: TrustEvaluation, part: PartName, system = "planned"): Record<string, number | null> {
  const { figures } = report.systems[system]![part]!;
  return Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value]));
}

function problemsOf({ records }: TrustEvaluation, id: string): readonly string[] {
  return records.find((record) => record.id === id)!.problems;
}

const correct = {
  substance: { factsKept: 1, smallTalkDropped: 1, smallTalkF1: 1 },
  pairs: { repetitionF1: 1, updateF1: 1, repetitionsFound: 1, differentMerged: 0, updatesMerged: 0, lost: 0 },
  unanswerable: { auc: 1, hit3: 1, abstained: 1, abstainedWrongly: 0 },
  // Of 12 and of 2 words.
  core: { mustKnow: 1, outdatedSaid: 0, words: 7 },
};

describe("figures", () => {
  it("of a system that is always right", async () => {
    const found = await evaluatePlan({});
    for (const part of ["substance", "pairs", "unanswerable", "core"] as const) {
      expect(valuesOf(found, part)).toEqual(correct[part]);
    }
    expect(new Set(Object.values(valuesOf(found, "corrections")))).toEqual(new Set([1]));
    const small = found.records.filter(({ part }) => part !== "small-talk");
    expect(small.filter(({ verdict }) => verdict === "wrong")).toEqual([]);
    expect(small).toHaveLength(4 + 4 + 2 + 4 + 2);
  });

  it("a dropped fact: 1 of 2 kept, precision of small talk 2/3, F1 4/5", async () => {
    const found = await evaluatePlan({
      fates: { "I am allergic to penicillin.": { outcome: "discarded", isLost: true } },
    });
    expect(valuesOf(found, "substance")).toEqual({ factsKept: 0.5, smallTalkDropped: 1, smallTalkF1: 0.8 });
    expect(problemsOf(found, "f2")).toEqual(["a fact was dropped"]);
  });

  it("small talk that is kept: 1 of 2 dropped, F1 2/3", async () => {
    const found = await evaluatePlan({ fates: { "Tell me a joke.": {} } });
    expect(valuesOf(found, "substance")).toEqual({ factsKept: 1, smallTalkDropped: 0.5, smallTalkF1: 2 / 3 });
    expect(problemsOf(found, "t1")).toEqual(["small talk was kept"]);
  });

  it("a repetition missed and a different one merged: F1 1/2", async () => {
    const found = await evaluatePlan({
      fates: { "Ruth's boat, you know.": {}, "My sister's room is 12.": { outcome: "paired", isMerged: true } },
    });
    const changed = { repetitionF1: 0.5, repetitionsFound: 0.5, differentMerged: 1 };
    expect(valuesOf(found, "pairs")).toEqual({ ...correct.pairs, ...changed });
    expect(problemsOf(found, "r1")).toEqual(["the repetition was not recognized"]);
    expect(problemsOf(found, "d1")).toEqual(["different facts were merged"]);
  });

  it("an update merged instead, another seen where none is, and one of a pair lost", async () => {
    const found = await evaluatePlan({
      fates: {
        "My room is 14 now.": { outcome: "paired", isMerged: true },
        "My sister's room is 12.": { updates: ["first"] },
        "I take amlodipine.": { outcome: "discarded", isLost: true },
      },
    });
    // Repetitions: 2 found, 1 wrongly; updates: none found, 1 wrongly.
    const changed = { repetitionF1: 0.8, updateF1: 0, updatesMerged: 1, lost: 1 };
    expect(valuesOf(found, "pairs")).toEqual({ ...correct.pairs, ...changed });
    expect(problemsOf(found, "u1")).toEqual(["the update was not recognized", "the update was merged"]);
    expect(problemsOf(found, "d1")).toEqual(["different facts were taken for an update"]);
    expect(problemsOf(found, "r2")).toEqual(["one of the two was lost"]);
  });

  it("an outdated statement first, and one about the past not found", async () => {
    const found = await evaluatePlan({
      answers: { "Where do I live?": { ranked: ["s0", "s1", "s2"] }, "Where did I live in January?": { ranked: [] } },
    });
    expect(valuesOf(found, "corrections")).toEqual({
      currentAboveOutdated: 0,
      currentFirst: 0,
      currentFound: 0.5,
      currentAboveOutdatedPresent: 0,
      currentFirstPresent: 0,
      currentFoundPresent: 1,
      currentAboveOutdatedPast: 0,
      currentFirstPast: 0,
      currentFoundPast: 0,
    });
    expect(problemsOf(found, "c1-q1")).toEqual(["an outdated statement is above the current one"]);
    expect(problemsOf(found, "c1-q2")).toEqual(["the current statement was not found"]);
  });

  it("a statement below something unrelated is above the outdated one, but not first", async () => {
    const found = await evaluatePlan({ answers: { "Where do I live?": { ranked: ["s1", "s2", "s0"] } } });
    expect(valuesOf(found, "corrections")).toMatchObject({ currentAboveOutdatedPresent: 1, currentFirstPresent: 0 });
  });

  it("what was dropped when it was told is named as the reason", async () => {
    const found = await evaluatePlan({
      fates: { "I moved to Porto.": { outcome: "discarded", isLost: true } },
      answers: { "Where do I live?": { ranked: ["s0"] }, "Where do I live now?": { ranked: ["s0"], confidence: 0.8 } },
    });
    expect(problemsOf(found, "c1-q1")).toEqual(["the current statement was dropped"]);
    expect(problemsOf(found, "n1-q2")).toEqual(["what answers it was dropped"]);
    expect(found.records.find(({ id }) => id === "c1-q1")).toMatchObject({
      outcomes: { s2: "discarded", s0: "committed" },
      currentRank: null,
      outdatedRank: 1,
    });
  });

  it("of confidences 0.9 and 0.3 over 0.3 and 0.2: three of four pairs and a tie, AUC 7/8", async () => {
    const found = await evaluatePlan({
      answers: {
        "Where do I live now?": { ranked: ["s0", "s1", "x", "s2"], confidence: 0.3, isAbstained: true },
        "What is the parrot called?": { ranked: ["s1"], confidence: 0.3 },
      },
    });
    expect(valuesOf(found, "unanswerable")).toEqual({ auc: 7 / 8, hit3: 0.5, abstained: 0.5, abstainedWrongly: 0.5 });
    expect(problemsOf(found, "n1-q2")).toEqual([
      "what answers it is not among the first 3",
      "it was told, but the memory abstained",
    ]);
    expect(problemsOf(found, "n1-q3")).toEqual(["it was never told, but the memory did not abstain"]);
  });

  it("a core summary without the parrot and with the old town: 2 of 3 known, the one outdated fact said", async () => {
    const found = await evaluatePlan({
      coreSummaries: { "core k1": "Home\n- I live in Evora.\n- Evora was fine until I moved to Porto." },
    });
    expect(valuesOf(found, "core")).toEqual({ mustKnow: 2 / 3, outdatedSaid: 1, words: (15 + 2) / 2 });
    expect(problemsOf(found, "k1")).toEqual([
      "it does not say: has a parrot",
      "it says what no longer holds: lives in Evora",
    ]);
    expect(problemsOf(found, "k2")).toEqual([]);
    expect(found.records.find(({ id }) => id === "k1")).toMatchObject({
      mustKnow: [{ isSaid: true }, { isSaid: false }],
      mustNotSay: [{ fact: "lives in Evora", line: "- I live in Evora." }],
    });
  });

  it.each(["I no longer live in Evora.", "Left Evora.", "It was Evora.", "I used to live in Evora."])(
    "what a line says to be over is not stated: %s",
    async (line) => {
      const found = await evaluatePlan({ coreSummaries: { "core k1": line } });
      expect(valuesOf(found, "core")).toMatchObject({ outdatedSaid: 0 });
    },
  );

  it("of CLINC150, over all and by intent", async () => {
    const found = await evaluatePlan({ fates: { "heads or tails": { outcome: "discarded", isLost: true } } });
    expect(valuesOf(found, "small-talk")).toEqual({ dropped: 1 / 3, flip_coin: 0.5, how_old_are_you: 0 });
  });
});

describe("intervals", () => {
  it("are over whole stories: with one story there is nothing to resample", async () => {
    const found = await evaluatePlan({ answers: { "Where do I live?": { ranked: [] } } });
    const { figures } = found.report.systems["planned"]!.corrections!;
    expect(figures["currentFound"]).toEqual({ value: 0.5, interval: [0.5, 0.5] });
  });

  it("are over items where there are no stories", async () => {
    const found = await evaluatePlan({ fates: { "Tell me a joke.": {} } });
    const { figures } = found.report.systems["planned"]!.substance!;
    expect(figures["smallTalkDropped"]).toEqual({ value: 0.5, interval: [0, 1] });
  });
});

describe("parts", () => {
  it("are chosen by name; small talk is measured whenever its file is given", async () => {
    const names = async (...args: Parameters<typeof readParts>): Promise<string[]> =>
      (await readParts(...args)).map(({ name }) => name);
    expect(await names(folder)).toEqual(["substance", "pairs", "corrections", "unanswerable", "core"]);
    expect(await names(folder, ["unanswerable", "pairs"])).toEqual(["pairs", "unanswerable"]);
    expect(await names(folder, ["pairs"], clinc)).toEqual(["pairs", "small-talk"]);
    expect(await names(folder, ["small-talk"], clinc)).toEqual(["small-talk"]);
    await expect(readParts(folder, ["cores"])).rejects.toThrow(
      'part "cores" is unknown; use some of: substance, pairs, corrections, unanswerable, core',
    );
    await expect(readParts(folder, ["small-talk"])).rejects.toThrow('"small-talk" is unknown');
  });

  it("are measured on the systems that can be; one without any is left out", async () => {
    const setting = {
      embedder: new HashingEmbedder(),
      judge: false,
      profile: "general",
      parameters: {},
      seed: 1,
    } as const;
    const systemsOf = async (chosen: readonly string[]): Promise<string[]> =>
      Object.keys((await evaluateTrust(await readParts(folder, chosen), setting)).report.systems);
    expect(await systemsOf(["pairs"])).toEqual(["mnemosyne", "plain-store"]);
    expect(await systemsOf(["core"])).toEqual(["mnemosyne", "mnemosyne-paper"]);
    const { systems } = (await evaluate()).report;
    expect(systems["plain-store"]).not.toHaveProperty("core");
    expect(Object.keys(systems["mnemosyne-paper"]!)).toEqual(["core"]);
  });

  it("that are not chosen need no file", async () => {
    const { substance } = makeTrust();
    const some = writeTrust(scratch.next(""), { substance } as ReturnType<typeof makeTrust>);
    expect(await readParts(some, ["substance"])).toHaveLength(1);
    await expect(readParts(some)).rejects.toThrow(/pairs\.json cannot be read/u);
  });
});

describe("the plain store", () => {
  it("keeps everything, merges nothing, never abstains", async () => {
    const found = await evaluate({ systems: [plainStore] });
    expect(valuesOf(found, "substance", "plain-store")).toMatchObject({ factsKept: 1, smallTalkDropped: 0 });
    expect(valuesOf(found, "pairs", "plain-store")).toMatchObject({ repetitionsFound: 0, updateF1: 0, lost: 0 });
    expect(valuesOf(found, "unanswerable", "plain-store")).toMatchObject({ abstained: 0, abstainedWrongly: 0 });
  });

  it("ranks by cosine, returns ten, and is as sure as the best", async () => {
    const store = await plainStore.open({
      embedder: new HashingEmbedder(),
      judge: false,
      profile: "general",
      parameters: {},
      seed: 1,
    });
    const person = await store.person("ada");
    const texts = ["my boat leaks", "boat", ...Array.from({ length: 10 }, (_, i) => `parrot ${i}`)];
    for (const [i, text] of texts.entries()) await person.commit({ id: `m${i}`, atMs: i, turns: userTurn(text) });
    const { ranked, confidence, isAbstained } = await person.ask({ text: "boat", atMs: 20 });
    expect(ranked.slice(0, 2)).toEqual(["m1", "m0"]);
    expect(ranked).toHaveLength(10);
    expect(confidence).toBeCloseTo(1, 6);
    expect(isAbstained).toBe(false);
    expect((await (await store.person("eve")).ask({ text: "boat", atMs: 20 })).isAbstained).toBe(true);
  });
});

describe("Mnemosyne", () => {
  /** Hash vectors carry no substance. */
  const withThreshold = (substanceThreshold: number): Promise<TrustEvaluation> =>
    evaluate({ systems: [mnemosyneDoor], parameters: { substanceThreshold } });

  it("is measured by the outcomes of its history", async () => {
    const open = valuesOf(await withThreshold(-10), "substance", "mnemosyne");
    expect(open).toMatchObject({ factsKept: 1, smallTalkDropped: 0 });
    const closed = valuesOf(await withThreshold(10), "substance", "mnemosyne");
    expect(closed).toMatchObject({ factsKept: 0, smallTalkDropped: 1 });
  });

  it("is asked to keep both of a pair, and nothing else", async () => {
    const commit = vi.spyOn(PersonMemory.prototype, "commit");
    await withThreshold(-10);
    const inputs = commit.mock.calls.map(([input]) => input as InteractionInput);
    const kept = inputs.filter(({ keep }) => keep === true);
    expect(kept).toHaveLength(2 * makeTrust().pairs.length);
    expect(kept.map(({ id }) => id)).toEqual(makeTrust().pairs.flatMap(() => ["first", "second"]));
    commit.mockRestore();
  });

  it("says itself what it updates, how sure it is, and whether it was told", async () => {
    const setting = {
      embedder: new HashingEmbedder(),
      judge: false,
      profile: "general",
      parameters: {},
      seed: 1,
    } as const;
    const system = await mnemosyneDoor.open(setting);
    const person = await system.person("ada");
    const said = { id: "b", outcome: "committed", updates: ["a"], trace: null };
    const page = Object.assign([said as unknown as HistoryItem], { nextCursor: null });
    vi.spyOn(PersonMemory.prototype, "history").mockResolvedValueOnce(page);
    expect((await person.fates()).get("b")).toMatchObject({ updates: ["a"], isLost: false, isMerged: false });
    const memories = [{ id: "a", score: 0.9 }];
    const recalled = { memories, confidence: 0.42, answerable: false, trace: {} };
    vi.spyOn(PersonMemory.prototype, "recall").mockResolvedValueOnce(recalled as unknown as Recall);
    const answer = await person.ask({ text: "Where?", atMs: 1 });
    expect(answer).toMatchObject({ ranked: ["a"], confidence: 0.42, isAbstained: true });
    vi.restoreAllMocks();
    await system.close();
  });

  it("sums up each person with their own profile, a day after the last statement, and nobody else", async () => {
    const open = vi.spyOn(Mnemosyne, "open");
    const sumUp = vi.spyOn(PersonMemory.prototype, "coreSummary");
    const { records } = await withThreshold(-10);
    const opened = open.mock.calls.map(([options]) => [
      options!.profile,
      options!.parameters!.coreSummaryIntervalCommits,
    ]);
    expect(opened).toEqual([
      ["general", 0],
      ["healthcare", undefined],
      ["general", undefined],
    ]);
    expect(sumUp.mock.calls).toEqual([[{ update: true }], [{ update: true }]]);
    expect(records.find(({ id }) => id === "k2")).toMatchObject({
      text: expect.stringContaining("The parrot learned"),
    });
    vi.restoreAllMocks();
  });

  it("with the paper's settings has no judge", async () => {
    const open = vi.spyOn(Mnemosyne, "open");
    const { report } = await evaluate({ systems: [paperDoor], parameters: { substanceThreshold: -10 } });
    expect(report.systems).toMatchObject({ "mnemosyne-paper": { core: { count: 2 } } });
    for (const [options] of open.mock.calls) expect(options).toMatchObject({ preset: "paper", judge: false });
    open.mockRestore();
  });

  it("explains its verdicts: scores of substance, redundancy and recall", async () => {
    const { records } = await withThreshold(-10);
    const find = (id: string): object => records.find((record) => record.id === id)!;
    expect(find("t1")).toMatchObject({ verdict: "wrong", trace: { substance: { threshold: -10 } } });
    expect(find("r1")).toHaveProperty("fates.second.trace.redundancy.score");
    expect(find("c1-q1")).toHaveProperty("trace.starts");
    expect(find("n1-q1")).toMatchObject({ ranked: expect.arrayContaining([{ id: "s1", text: expect.any(String) }]) });
  });
});

it("is the same for the same seed", async () => {
  expect(await evaluate({ seed: 3 })).toEqual(await evaluate({ seed: 3 }));
});

it("is saved as a header and one line per verdict", async () => {
  const file = scratch.next(".jsonl");
  const found = await evaluate();
  await saveTrust(file, found);
  const [header, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(JSON.parse(header!)).toMatchObject({
    format: "mnemosyne-trust-1",
    dataset: "trust",
    profile: "general",
    embedder: "hashing",
    seed: 1,
    version: found.report.version,
  });
  const records = lines.map((line) => JSON.parse(line) as TrustRecord);
  expect(records).toHaveLength(2 * (4 + 4 + 2 + 4 + 3 + 2));
  expect(new Set(records.map(({ system }) => system))).toEqual(
    new Set(["mnemosyne", "plain-store", "mnemosyne-paper"]),
  );
  for (const { verdict, problems } of records) expect(verdict).toBe(problems.length === 0 ? "right" : "wrong");
});
