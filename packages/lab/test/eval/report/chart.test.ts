import { type ChartReport, drawChart } from "../../../src/report/chart.js";
import type { Scores } from "../../../src/report/report.js";
import { describe, expect, it } from "vitest";

function scores(hit3: number, ndcg3: number): Scores {
  return { count: 10, hit3, ndcg3, intervals: { hit3: [hit3 - 0.1, hit3 + 0.1], ndcg3: [ndcg3 - 0.1, ndcg3 + 0.1] } };
}

function report(systems: Readonly<Record<string, Scores>>, dataset: ChartReport["dataset"] = "journeys"): ChartReport {
  return {
    dataset,
    count: 1234,
    systems: Object.fromEntries(Object.entries(systems).map(([name, all]) => [name, { all }])),
  };
}

/** Attributes of all elements of a class. */
function elements(svg: string, className: string): Record<string, string>[] {
  return [...svg.matchAll(new RegExp(`<\\w+ class="${className}"([^>]*)>`, "gu"))].map((match) =>
    Object.fromEntries([...match[1]!.matchAll(/([\w-]+)="([^"]*)"/gu)].map(([, name, value]) => [name!, value!])),
  );
}

/** Names of the rows, top to bottom. */
function rows(svg: string): string[] {
  return [...svg.matchAll(/text-anchor="end">([^<]+)</gu)].map((match) => match[1]!);
}

describe("the chart", () => {
  const svg = drawChart([report({ bm25: scores(0.4, 0.2), mnemosyne: scores(0.8, 0.5) })]);
  const widthOf = (className: string): number => Number(elements(svg, className)[0]!["width"]);

  it("has a bar as long as its value for every system and measure, Mnemosyne's in its own colour", () => {
    const unit = widthOf("own hit3") / 0.8;
    expect(widthOf("own ndcg3") / unit).toBeCloseTo(0.5, 2);
    expect(widthOf("other hit3") / unit).toBeCloseTo(0.4, 2);
    expect(widthOf("other ndcg3") / unit).toBeCloseTo(0.2, 2);
  });

  it("has a whisker from the interval's low end to its high end", () => {
    const [{ d } = {}] = elements(svg, "whisker");
    const [{ x } = {}] = elements(svg, "own hit3");
    const [, low, high] = /M([\d.]+) [\d.]+H([\d.]+)/u.exec(d!)!.map(Number);
    const perUnit = widthOf("own hit3") / 0.8;
    expect((low! - Number(x)) / perUnit).toBeCloseTo(0.7, 2);
    expect((high! - Number(x)) / perUnit).toBeCloseTo(0.9, 2);
  });

  it("has the best system on top, and ours in bold", () => {
    expect(rows(svg)).toEqual(["mnemosyne", "bm25"]);
    expect(rows(drawChart([report({ bm25: scores(0.4, 0.9), mnemosyne: scores(0.8, 0.5) })]))[0]).toBe("bm25");
    expect(svg).toMatch(/class="text strong"[^>]*>mnemosyne</u);
    expect(svg).toMatch(/class="text"[^>]*>bm25</u);
  });

  it("has figures as text and in words, separate colours for dark pages, and loads nothing", () => {
    expect(svg).toContain(">0.800</text>");
    expect(svg).toContain(">Care journeys, 1,234 questions</text>");
    expect(svg).toMatch(/aria-label="[^"]*mnemosyne hit@3 0\.800, nDCG@3 0\.500; bm25/u);
    expect(svg).toContain("@media (prefers-color-scheme: dark)");
    expect(svg.match(/https?:[^"]+/gu)).toEqual(["http://www.w3.org/2000/svg"]);
  });

  it("grows with the systems", () => {
    const height = (text: string): number => Number(/height="(\d+)"/u.exec(text)![1]);
    expect(height(svg)).toBeGreaterThan(height(drawChart([report({ bm25: scores(0.4, 0.2) })])));
  });

  it("writes a name or a title as text, whatever is in it", () => {
    const odd = drawChart([report({ 'a<b&"c"': scores(0.4, 0.2) })], { title: "<&>" });
    expect(odd).toContain(">a&lt;b&amp;&quot;c&quot;</text>");
    expect(odd).toContain(">&lt;&amp;></text>");
  });
});

describe("of two reports", () => {
  const journeys = report({ bm25: scores(0.4, 0.2), mnemosyne: scores(0.8, 0.5), "naive-rag": scores(0.6, 0.3) });
  const locomo = report({ bm25: scores(0.9, 0.8), mnemosyne: scores(0.8, 0.7) }, "locomo");
  const svg = drawChart([journeys, locomo]);

  it("there are two panels with the same rows, by the mean of both", () => {
    expect(rows(svg)).toEqual(["mnemosyne", "bm25", "naive-rag"]);
    const [first, second] = elements(svg, "own hit3").map(({ x, width, y }) => ({ x: Number(x), width, y }));
    expect(second!.x).toBeGreaterThan(first!.x);
    expect(second).toMatchObject({ width: first!.width, y: first!.y });
    expect(svg).toContain(">LoCoMo, 1,234 questions</text>");
  });

  it("a system that one of them lacks is drawn only in the other", () => {
    expect(elements(svg, "other hit3")).toHaveLength(3);
  });
});
