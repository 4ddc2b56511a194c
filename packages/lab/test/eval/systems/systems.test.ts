/** Every system on a tiny journey: what it finds, its contexts, and what its filters decide. */
import { estimateTokens } from "../../../../memory/src/core/text/tokens.js";
import { profiles } from "../../../../memory/src/index.js";
import { evaluate, selectGroup } from "../../../src/evaluation.js";
import type { Dataset } from "../../../src/data/dataset.js";
import type { EvaluationReport } from "../../../src/report/report.js";
import type { AuditRecord } from "../../../src/report/audit.js";
import { selectSystems } from "../../../src/systems/systems.js";
import { beforeAll, describe, expect, it } from "vitest";
import { HashingEmbedder } from "../../../../memory/test/durability/hashing-embedder.mjs";
import { ScratchFolder } from "../../../../memory/test/durability/scratch-folder.js";
import { readTinyChats, readTinyJourneys, readTinyLocomo } from "../tiny-data.js";

const scratch = new ScratchFolder();
const names = selectSystems(["all"]).map(({ name }) => name);
/** Hash vectors carry no substance; the core summary comes early, because the journey is short. */
const parameters = { substanceThreshold: -10, coreSummaryIntervalCommits: 2 };
const options = { systems: selectSystems(["all"]), judge: false, seed: 5, parameters } as const;
let dataset: Dataset;
let report: EvaluationReport;
let records: readonly AuditRecord[];

beforeAll(async () => {
  dataset = await readTinyJourneys(scratch.next(""));
  ({ report, records } = await evaluate(dataset, { ...options, embedder: new HashingEmbedder() }));
});

function record(system: string, questionId: string): AuditRecord {
  return records.find((found) => found.system === system && found.questionId === questionId)!;
}

describe.each(names)("%s", (name) => {
  it("ranks memories that exist, each once, within its context", () => {
    for (const { ranked, context, contextTokens } of records.filter(({ system }) => system === name)) {
      expect(new Set(ranked).size).toBe(ranked.length);
      expect(contextTokens).toBe(estimateTokens(context));
      expect(contextTokens).toBeLessThanOrEqual(1_000);
    }
  });

  it("is in the report with all questions, by kind and with intervals around the means", () => {
    const { all, byKind } = report.systems[name]!;
    expect(all.count).toBe(3);
    expect(Object.keys(byKind)).toEqual(["single", "change"]);
    for (const measure of ["hit3", "ndcg3", "recall3", "recall10", "contextTokens"] as const) {
      const [low, high] = all.intervals[measure]!;
      expect(low).toBeLessThanOrEqual(all[measure]!);
      expect(high).toBeGreaterThanOrEqual(all[measure]!);
    }
  });
});

describe("by the words they share,", () => {
  it.each(["naive-rag", "rag-turns", "bm25", "hybrid-rrf", "mnemosyne"])("%s finds who visits", (name) => {
    expect(record(name, "q3").ranked[0]).toBe("i7");
    expect(record(name, "q3").context).toContain("My sister Ruth visits from Leeds on Sunday.");
  });
});

describe("contexts", () => {
  it("of naive-rag are dated summaries", () => {
    expect(record("naive-rag", "q3").context).toMatch(/^- Sat 1 Mar 2025: Ada says: My sister Ruth/u);
  });

  it("of rag-turns are dated turns with their speaker", () => {
    expect(record("rag-turns", "q3").context).toMatch(/^- Sat 1 Mar 2025, user: My sister Ruth/u);
  });

  it("of bm25 and hybrid-rrf are whole conversations", () => {
    const talk = "[Sat 1 Mar 2025]\nuser: My sister Ruth visits from Leeds on Sunday.\nassistant: How nice, enjoy it.";
    expect(record("bm25", "q3").context.startsWith(talk)).toBe(true);
    expect(record("hybrid-rrf", "q3").context.startsWith(talk)).toBe(true);
  });

  it("of long-context are everything, newest first", () => {
    expect(record("long-context", "q3").ranked).toEqual(["i7", "i6", "i5", "i4", "i3", "i2", "i1"]);
    expect(record("long-context", "q3").context.match(/^user:/gmu)).toHaveLength(7);
  });

  it("of Mnemosyne begin with the core summary, unless it is left out", () => {
    const { coreSummaryHeading } = profiles.healthcare.wording;
    expect(record("mnemosyne", "q3").context.includes(coreSummaryHeading)).toBe(true);
    expect(record("without-core-summary", "q3").context).not.toContain(coreSummaryHeading);
  });
});

describe("the filters of mnemosyne", () => {
  it("are scored on all labelled interactions, and by journey", () => {
    expect(report.substance!.all).toMatchObject({ substantialKept: 6, mundaneKept: 1, mundaneDiscarded: 0 });
    expect(report.substance!.byGroup).toEqual({ ada: report.substance!.all });
    expect(report.redundancy!.byGroup).toEqual({ ada: report.redundancy!.all });
  });

  it("discard everything when nothing has enough substance", async () => {
    const systems = selectSystems(["mnemosyne"]);
    const strict = { ...options, systems, embedder: new HashingEmbedder(), parameters: { substanceThreshold: 10 } };
    const { report } = await evaluate(dataset, strict);
    expect(report.substance!.all).toMatchObject({ substantialDiscarded: 6, mundaneDiscarded: 1, mundaneKept: 0 });
    expect(report.redundancy!.all).toMatchObject({ falseNegatives: 1, recall: 0, partnerFirst: null });
  });

  it("find the one repetition, which is word for word", () => {
    expect(report.redundancy!.all).toMatchObject({ truePositives: 1, falseNegatives: 0, partnerFirst: 1 });
  });

  it("are not scored if mnemosyne was left out or nothing is labelled", async () => {
    const embedder = new HashingEmbedder();
    const alone = await evaluate(dataset, { systems: selectSystems(["bm25"]), embedder, judge: false, seed: 1 });
    expect(alone.report).toMatchObject({ substance: null, redundancy: null });
    const locomo = await readTinyLocomo(scratch.next(".json"));
    const unlabelled = await evaluate(locomo, {
      systems: selectSystems(["mnemosyne"]),
      embedder,
      judge: false,
      seed: 1,
    });
    expect(unlabelled.report).toMatchObject({ substance: null, redundancy: null });
  });
});

describe("LoCoMo", () => {
  it("has a share of evidence by budget, and the answerable kinds together", async () => {
    const locomo = await readTinyLocomo(scratch.next(".json"));
    const systems = selectSystems(["naive-rag", "long-context"]);
    const { report } = await evaluate(locomo, { systems, embedder: new HashingEmbedder(), judge: false, seed: 1 });
    expect(report).toMatchObject({ dataset: "locomo", count: 3, skippedQuestionCount: 2 });
    expect(report.systems["long-context"]!.all).toMatchObject({ evidence500: 1, evidence1000: 1, evidence2000: 1 });
    expect(report.systems["naive-rag"]!.all["evidence2000"]).toBe(0);
    expect(report.systems["naive-rag"]!.answerable!.count).toBe(2);
    expect(Object.keys(report.systems["naive-rag"]!.byKind)).toEqual(["multi-hop", "single-hop", "adversarial"]);
  });
});

describe("chats", () => {
  it("are searched by what was said, since they have no summaries", async () => {
    const chats = await readTinyChats(scratch.next(".json"));
    const { report, records } = await evaluate(chats, { ...options, embedder: new HashingEmbedder() });
    expect(report).toMatchObject({ dataset: "chats", count: 3, skippedQuestionCount: 1, substance: null });
    const contextOf = (name: string): string =>
      records.find(({ system, questionId }) => system === name && questionId === "q1")!.context;
    const first = "[Mon 5 Jan 2026]\nAda: got the parrot!!\nBen: the harbour one?\nAda: yep. hes called Rollo";
    for (const name of ["naive-rag", "bm25", "hybrid-rrf", "long-context"]) expect(contextOf(name)).toContain(first);
    expect(contextOf("rag-turns")).toContain("- Mon 5 Jan 2026, Ada: yep. hes called Rollo");
    expect(contextOf("mnemosyne")).toContain("hes called Rollo");
    expect(records.map(({ context }) => context).join()).not.toMatch(/\bnull\b/u);
    expect(Object.keys(report.systems["mnemosyne"]!.byKind)).toEqual(["single", "multi", "inference"]);
    expect(report.systems["long-context"]!.all).toMatchObject({ evidence500: 1, evidence2000: 1 });
    expect(report.systems["bm25"]!.versusMnemosyne).toHaveProperty("evidence1000.interval");
  });
});

describe("a report", () => {
  it("is the same again with the same seed", async () => {
    const again = await evaluate(dataset, { ...options, embedder: new HashingEmbedder() });
    expect(again.report).toEqual(report);
    expect(again.records).toEqual(records);
  });

  it("compares mnemosyne with every other system, question by question", () => {
    expect(report.systems["mnemosyne"]!.versusMnemosyne).toBeUndefined();
    for (const name of names.filter((other) => other !== "mnemosyne")) {
      const { all, versusMnemosyne } = report.systems[name]!;
      const { difference, interval } = versusMnemosyne!.ndcg3!;
      expect(difference).toBeCloseTo(report.systems["mnemosyne"]!.all.ndcg3! - all.ndcg3!, 9);
      expect(interval[0]).toBeLessThanOrEqual(difference);
      expect(interval[1]).toBeGreaterThanOrEqual(difference);
    }
  });

  it("compares every other system with naive RAG, question by question", () => {
    expect(report.systems["naive-rag"]!.versusNaiveRag).toBeUndefined();
    for (const name of names.filter((other) => other !== "naive-rag")) {
      const { all, versusNaiveRag } = report.systems[name]!;
      const { difference, interval } = versusNaiveRag!.ndcg3!;
      expect(difference).toBeCloseTo(all.ndcg3! - report.systems["naive-rag"]!.all.ndcg3!, 9);
      expect(interval[0]).toBeLessThanOrEqual(difference);
      expect(interval[1]).toBeGreaterThanOrEqual(difference);
    }
  });

  it("names the parameters the caller set, and they are used", async () => {
    const parameters = { startCountMax: 1, severalStartCountMax: 1, traversalNodeCountPerStartMax: 0 };
    const systems = selectSystems(["mnemosyne"]);
    const set = await evaluate(dataset, {
      systems,
      embedder: new HashingEmbedder(),
      judge: false,
      seed: 1,
      parameters,
    });
    expect(set.report.parameters).toEqual(parameters);
    expect(set.records.every(({ ranked }) => ranked.length <= 1)).toBe(true);
  });

  it("reports progress up to the end", async () => {
    const steps: [number, number][] = [];
    const systems = selectSystems(["bm25", "long-context"]);
    const onProgress = (done: number, total: number): void => void steps.push([done, total]);
    await evaluate(dataset, { systems, embedder: new HashingEmbedder(), judge: false, seed: 1, onProgress });
    expect(steps).toEqual(Array.from({ length: 20 }, (_, i) => [i + 1, 20]));
  });
});

describe("choosing", () => {
  it("systems by name keeps the order of reports and takes each once", () => {
    const chosen = selectSystems(["mnemosyne", "naive-rag", "mnemosyne"]).map(({ name }) => name);
    expect(chosen).toEqual(["naive-rag", "mnemosyne"]);
    expect(selectSystems(["comparison"]).map(({ name }) => name)).not.toContain("without-cues");
  });

  it("ablations come with mnemosyne, which they are compared with", () => {
    const [first, ...others] = selectSystems(["ablations"]).map(({ name }) => name);
    expect(first).toBe("mnemosyne");
    expect(others).toContain("without-cues");
    expect(others.every((name) => /^with(?:out)?-/u.test(name))).toBe(true);
  });

  it("an ablation that is mnemosyne itself is left out, whatever the parameters are", () => {
    const ablations = (metaWeightBase: number, metaWeightMax: number): string[] =>
      selectSystems(["ablations"], { metaWeightBase, metaWeightMax }).map(({ name }) => name);
    expect(ablations(0, 0)).toContain("with-paper-s-meta");
    expect(ablations(0, 0)).not.toContain("without-s-meta");
    expect(ablations(0.4, 0.5)).toContain("without-s-meta");
    expect(ablations(0.4, 0.5)).not.toContain("with-paper-s-meta");
    expect(ablations(0.4, 0.6)).toEqual(expect.arrayContaining(["with-paper-s-meta", "without-s-meta"]));
    const none = { metaWeightBase: 0, metaWeightMax: 0 };
    expect(() => selectSystems(["without-s-meta"], none)).toThrow(/"without-s-meta" is mnemosyne itself/u);
  });

  it("the paper without its minimum start score finds at least what the strict reading finds, the best ones first", async () => {
    for (const { ranked, questionId } of records.filter(({ system }) => system === "mnemosyne-paper-strict")) {
      const any = record("mnemosyne-paper", questionId).ranked;
      expect(any.length).toBeGreaterThanOrEqual(Math.max(1, ranked.length));
      expect(any[0]).toBe(ranked[0] ?? any[0]);
    }
    const systems = selectSystems(["mnemosyne-paper", "mnemosyne-paper-strict"]);
    const high = { ...parameters, startScoreMin: 5 };
    const { records: cut } = await evaluate(dataset, {
      ...options,
      systems,
      parameters: high,
      embedder: new HashingEmbedder(),
    });
    const counts = systems.map(
      ({ name }) => cut.filter(({ system, ranked }) => system === name && ranked.length > 0).length,
    );
    expect(counts).toEqual([3, 0]);
  });

  it("a system or a group that does not exist is refused with those that do", () => {
    expect(() => selectSystems(["oracle"])).toThrow(/system "oracle" is unknown; use some of: naive-rag, .*ablations/u);
    expect(() => selectGroup(dataset, "eve")).toThrow(/the data has no "eve"; use one of: ada/u);
    expect(selectGroup(dataset, "ada").groups).toHaveLength(1);
  });
});
