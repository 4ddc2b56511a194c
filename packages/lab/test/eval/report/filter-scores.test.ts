/** Scores of the filters, counted by hand. */
import type { DatasetGroup, FilterLabels } from "../../../src/data/dataset.js";
import { labelDecisions, scoreRedundancy, scoreSubstance } from "../../../src/report/filter-scores.js";
import type { FilterDecision } from "../../../src/systems/system.js";
import { describe, expect, it } from "vitest";

function group(labels: Readonly<Record<string, FilterLabels | null>>): DatasetGroup {
  const interactions = Object.entries(labels).map(([id, label], i) => {
    return { id, atMs: i, turns: [], summary: id, state: null, labels: label };
  });
  return { id: "g", timeZone: "UTC", profile: "general", interactions, questions: [], skippedQuestionCount: 0 };
}

function decision(id: string, decided: Partial<FilterDecision> = {}): FilterDecision {
  return { id, isDiscarded: false, repeatsId: null, mostRedundantId: decided.repeatsId ?? null, ...decided };
}

const said = { substantial: true, redundantWith: null };
const mundane = { substantial: false, redundantWith: null };
const repeats = (id: string): FilterLabels => ({ substantial: true, redundantWith: id });

describe("substance", () => {
  it("three substantial, one lost; two mundane, one found: 2/3, 2/3 and 1/2, 1/2", () => {
    const labels = group({ a: said, b: said, c: said, d: mundane, e: mundane });
    const decisions = [
      decision("a"),
      decision("b"),
      decision("c", { isDiscarded: true }),
      decision("d", { isDiscarded: true }),
      decision("e"),
    ];
    expect(scoreSubstance(labelDecisions(labels, decisions))).toEqual({
      substantial: { precision: 2 / 3, recall: 2 / 3, f1: 2 / 3 },
      mundane: { precision: 1 / 2, recall: 1 / 2, f1: 1 / 2 },
      substantialKept: 2,
      substantialDiscarded: 1,
      mundaneKept: 1,
      mundaneDiscarded: 1,
    });
  });

  it("nothing to divide by is null, not a number", () => {
    const { mundane: score } = scoreSubstance(labelDecisions(group({ a: said }), [decision("a")]));
    expect(score).toEqual({ precision: null, recall: null, f1: null });
  });
});

describe("redundancy", () => {
  const labels = group({ a: said, b: repeats("a"), c: said, d: repeats("b"), e: said, f: repeats("c") });

  it("a chain is one content: d repeats b, b repeats a, so d paired with a is right", () => {
    const decisions = [decision("b", { repeatsId: "a" }), decision("d", { repeatsId: "a" })];
    expect(scoreRedundancy(labelDecisions(labels, decisions))).toMatchObject({
      truePositives: 2,
      falsePositives: 0,
      falseNegatives: 0,
      precision: 1,
      recall: 1,
    });
  });

  it("another content is wrong twice: a false positive and a false negative", () => {
    expect(scoreRedundancy(labelDecisions(labels, [decision("b", { repeatsId: "c" })]))).toMatchObject({
      truePositives: 0,
      falsePositives: 1,
      falseNegatives: 1,
      partnerFirst: 0,
    });
  });

  it("an interaction that repeats nothing but is paired counts as a merged detail", () => {
    const scored = scoreRedundancy(labelDecisions(labels, [decision("c", { repeatsId: "a" }), decision("e")]));
    expect(scored).toMatchObject({ falsePositives: 1, falseNegatives: 0, changedDetailMerged: 1, partnerFirst: null });
  });

  it("the partner may be first without reaching the threshold, and discarded interactions were not compared", () => {
    const decisions = [decision("b", { mostRedundantId: "a" }), decision("d", { isDiscarded: true })];
    expect(scoreRedundancy(labelDecisions(labels, decisions))).toMatchObject({
      falseNegatives: 2,
      partnerFirst: 1,
      recall: 0,
    });
  });

  it("two of three found, one pairing too many: precision 2/3, recall 2/3", () => {
    const decisions = [
      decision("b", { repeatsId: "a" }),
      decision("c", { repeatsId: "a" }),
      decision("d", { repeatsId: "b" }),
      decision("f"),
    ];
    expect(scoreRedundancy(labelDecisions(labels, decisions))).toMatchObject({
      precision: 2 / 3,
      recall: 2 / 3,
      f1: 2 / 3,
      changedDetailMerged: 1,
    });
  });
});

it("unlabelled interactions are not scored", () => {
  expect(labelDecisions(group({ a: null }), [decision("a")])).toEqual([]);
});
