/** The lab's figures, each against numbers worked by hand. */
import { describe, expect, it } from "vitest";
import { describePairs } from "../src/cost/cost-command.js";
import { draw } from "../src/data/draw.js";
import { describeVerdicts, measureVerdicts } from "../src/filters/filters-command.js";
import type { Verdict } from "../src/filters/labelled-talk.js";
import type { Question } from "../src/data/person.js";
import { meanInterval } from "../src/recall/bootstrap.js";
import { writeComparison } from "../src/recall/compare-command.js";
import { areaUnderCurve, evidenceShare, hitAt, ndcgAt, recallAt } from "../src/recall/measures.js";
import { type Result, score } from "../src/recall/run.js";
import { writeTable } from "../src/recall/table.js";

describe("ranking", () => {
  it.each([
    // Ranks, gold, hit@3, nDCG@3 (Equation A2), recall@10.
    [["a", "b", "c"], ["a"], 1, 1, 1],
    [["x", "a"], ["a"], 1, 1 / Math.log2(3), 1],
    [["x", "y", "z", "a"], ["a"], 0, 0, 1],
    [["a", "x", "b"], ["a", "b"], 1, (1 + 1 / 2) / (1 + 1 / Math.log2(3)), 1],
    [["a", "a", "b"], ["b", "c"], 1, 1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 1 / 2],
    [[], ["a"], 0, 0, 0],
  ])("of %j for %j", (ranked, gold, hit3, ndcg3, recall10) => {
    expect(hitAt(3, ranked, gold)).toBe(hit3);
    expect(ndcgAt(3, ranked, gold)).toBeCloseTo(ndcg3, 12);
    expect(recallAt(10, ranked, gold)).toBe(recall10);
  });

  it("counts evidence that is whole, whatever its case, quotes and space", () => {
    expect(evidenceShare("He said: “I can’t\n swim.”", [["i can't swim"], ["he said", "cannot"]])).toBe(1 / 2);
  });

  it("has the area under the curve as the share of pairs in the right order; ties are half", () => {
    expect(areaUnderCurve([3, 2], [1, 2])).toBe(3.5 / 4);
  });
});

describe("an interval of a mean", () => {
  it("covers the mean, is the same again, and is a point where all values are the same", () => {
    const values = Array.from({ length: 100 }, (_, i) => i % 2);
    const [low, high] = meanInterval(values);
    expect([low, high]).toEqual(meanInterval(values));
    // The standard error of 100 coin tosses is 0.05.
    expect(low).toBeGreaterThan(0.37);
    expect(low).toBeLessThan(0.44);
    expect(high).toBeGreaterThan(0.56);
    expect(high).toBeLessThan(0.63);
    expect(meanInterval([2, 2, 2])).toEqual([2, 2]);
  });
});

describe("precision and recall", () => {
  const verdict = (said: boolean, label: boolean): Verdict => ({ question: "keeps", said, label, text: "" });

  it("of 3 said, 2 of them right, of 4 labelled", () => {
    const verdicts = [verdict(true, true), verdict(true, true), verdict(true, false)];
    const missed = [verdict(false, true), verdict(false, true), verdict(false, false)];
    expect(measureVerdicts([...verdicts, ...missed])).toEqual({ precision: 2 / 3, recall: 1 / 2, f1: 4 / 7 });
  });

  it("have no precision where nothing was said, or where all there is has the label", () => {
    expect(measureVerdicts([verdict(false, true), verdict(false, false)]).precision).toBeNull();
    expect(measureVerdicts([verdict(true, true), verdict(false, true)])).toMatchObject({
      precision: null,
      recall: 0.5,
    });
  });

  it("of dropping are the other side of keeping", () => {
    const verdicts = [verdict(true, true), verdict(true, false), verdict(false, false), verdict(false, false)];
    expect(describeVerdicts("set", verdicts)).toEqual([
      ["set", "kept", "0.500", "1.000", "0.667", "1", "2", "1"],
      ["", "dropped", "1.000", "0.667", "0.800", "2", "2", "3"],
    ]);
  });
});

it("a cost is the median work divided by the median embedding", () => {
  const pairs = [10, 30, 20].map((work) => ({ work, embedding: work / 4 }));
  expect(describePairs(pairs)).toEqual(["4.00", "20.0", "5.0", "3"]);
});

it("a draw is the same for the same seed, and another for another", () => {
  const items = Array.from({ length: 50 }, (_, i) => i);
  expect(draw(items, 10, "one")).toEqual(draw(items, 10, "one"));
  expect(draw(items, 10, "one")).not.toEqual(draw(items, 10, "two"));
  expect(draw(items, 99, "one").toSorted((a, b) => a - b)).toEqual(items);
});

describe("a question's score", () => {
  const question: Question = {
    id: "q1",
    kind: "now",
    text: "Where?",
    atMs: 0,
    after: 2,
    gold: ["i1", "i2"],
    evidence: [["porto"], ["job"]],
    needs: ["lives in Porto"],
  };
  const person = { interactions: [{ id: "i3", atMs: 0, turns: [{ who: "user", text: "In Porto." }] }] } as never;
  const answer = { ranked: ["i3", "i1"], context: "Now in Porto", confidence: 0.5 };
  const scored = score(question, answer, person);

  it("has places of the gold, evidence in the context, and whether the first holds a fact that is needed", () => {
    expect(scored).toMatchObject({ hit3: 1, recall10: 0.5, evidence: 0.5, first: 1, ranks: [2, null], tokens: 3 });
  });

  it("has no figures of rank where nothing was told", () => {
    const never = score({ ...question, gold: [], evidence: [] }, answer, person);
    expect(never).toMatchObject({ hit3: null, ndcg3: null, evidence: null, first: null, confidence: 0.5 });
  });

  it("is compared question by question, and averaged in the table", () => {
    const result = (id: string, ndcg3: number, system = "ours"): Result => ({
      ...scored,
      set: "s",
      person: "ada",
      question: id,
      system,
      ndcg3,
    });
    const text = writeComparison([result("q1", 1), result("q2", 0)], [result("q1", 0.5), result("q2", 1)], "ndcg3");
    expect(text).toMatch(/^-0\.500 {2}s ada q1 .*\n\+1\.000 {2}s ada q2 /u);
    expect(text).toMatch(/nDCG@3 +1 won +1 lost +2 questions +\+0\.250 \[/u);
    const table = writeTable([result("q1", 1), result("q2", 0.5), result("q1", 0, "fused")], ["ours", "fused"], "set");
    expect(table).toMatch(/nDCG@3 +0\.750 +0\.000 +\+1\.000 \[/u);
  });
});
