import { drawChart } from "../../src/eval/chart.js";
import type { EvaluationReport, Scores } from "../../src/eval/report.js";
import { describe, expect, it } from "vitest";

function scores(hit3: number, ndcg3: number): Scores {
  return { count: 10, hit3, ndcg3, intervals: { hit3: [hit3 - 0.1, hit3 + 0.1], ndcg3: [ndcg3 - 0.1, ndcg3 + 0.1] } };
}

function report(systems: Readonly<Record<string, Scores>>): EvaluationReport {
  return {
    dataset: "journeys",
    groups: ["ada"],
    count: 10,
    skippedQuestionCount: 0,
    systems: Object.fromEntries(Object.entries(systems).map(([name, all]) => [name, { all, byKind: {} }])),
    substance: null,
    redundancy: null,
    embedder: "hashing",
    parameters: {},
    seed: 1,
    commit: null,
  };
}

/** Attributes of all elements of a class. */
function elements(svg: string, className: string): Record<string, string>[] {
  return [...svg.matchAll(new RegExp(`<\\w+ class="${className}"([^>]*)>`, "gu"))].map((match) =>
    Object.fromEntries([...match[1]!.matchAll(/([\w-]+)="([^"]*)"/gu)].map(([, name, value]) => [name!, value!])),
  );
}

describe("the chart", () => {
  const svg = drawChart(report({ bm25: scores(0.4, 0.2), mnemosyne: scores(0.8, 0.5) }));

  it("has a bar as long as its value for every system and metric, Mnemosyne's in its own colour", () => {
    const [hit, ndcg] = elements(svg, "bar").map((bar) => Number(bar["width"]));
    const [ownHit, ownNdcg] = elements(svg, "own").map((bar) => Number(bar["width"]));
    expect(hit! / ownHit!).toBeCloseTo(0.5, 2);
    expect(ndcg! / ownHit!).toBeCloseTo(0.25, 2);
    expect(ownNdcg! / ownHit!).toBeCloseTo(0.625, 2);
  });

  it("has a whisker from the interval's low end to its high end", () => {
    const [{ d } = {}] = elements(svg, "whisker");
    const [{ x, width } = {}] = elements(svg, "bar");
    const [, low, high] = /M([\d.]+) [\d.]+H([\d.]+)/u.exec(d!)!.map(Number);
    const perUnit = Number(width) / 0.4;
    expect((low! - Number(x)) / perUnit).toBeCloseTo(0.3, 2);
    expect((high! - Number(x)) / perUnit).toBeCloseTo(0.5, 2);
  });

  it("has figures and names as text, its own colours for dark pages, and needs nothing from elsewhere", () => {
    expect(svg).toContain(">mnemosyne</text>");
    expect(svg).toContain(">0.800</text>");
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
    expect(svg.match(/https?:[^"]+/gu)).toEqual(["http://www.w3.org/2000/svg"]);
  });

  it("grows with the systems", () => {
    const height = (text: string): number => Number(/height="(\d+)"/u.exec(text)![1]);
    expect(height(svg)).toBeGreaterThan(height(drawChart(report({ bm25: scores(0.4, 0.2) }))));
  });

  it("writes a name as text, whatever is in it", () => {
    expect(drawChart(report({ 'a<b&"c"': scores(0.4, 0.2) }))).toContain(">a&lt;b&amp;&quot;c&quot;</text>");
  });
});
