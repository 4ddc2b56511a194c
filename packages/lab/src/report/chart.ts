/**
 * A bar chart of reports as SVG: a panel per data set, for each system its hit rate and below it its nDCG, intervals as
 * whiskers, best system first. Follows the reader's light or dark setting. Lightness and font weight, not only hue, show
 * which bars are ours and which measure is which.
 */
import { datasetNames } from "../data/dataset.js";
import { mnemosyneName } from "../systems/mnemosyne-systems.js";
import type { EvaluationReport, Scores } from "./report.js";

/** The part of a report that is drawn. */
export interface ChartReport extends Pick<EvaluationReport, "dataset" | "count"> {
  /** Title of its panel; the data set's own name by default. */
  readonly name?: string;
  readonly systems: Readonly<Record<string, { readonly all: Scores }>>;
}

export interface ChartOptions {
  readonly title?: string;
}

export const chartMeasures = ["hit3", "ndcg3"] as const;
type ChartMeasure = (typeof chartMeasures)[number];

const measureNames: Readonly<Record<ChartMeasure, string>> = {
  hit3: "hit@3: a right memory is among the first three",
  ndcg3: "nDCG@3: and how high up",
};
const titleDefault = "Finding the memories that answer a question";

const width = 880;
const margin = 20;
const labelWidth = 194;
const valueWidth = 42;
const panelGap = 22;
const barHeight = 11;
const rowHeight = 2 * barHeight + 12;
const top = 112;
const bottom = 38;
const ticks = [0, 0.25, 0.5, 0.75, 1];

const style = `
  svg { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
  .ground { fill: #ffffff; stroke: #d1d9e0; } .text { fill: #1f2328; } .quiet { fill: #59636e; font-size: 11px; }
  .title { font-weight: 600; font-size: 16px; } .strong { font-weight: 600; } .value { font-size: 11px; }
  .grid { stroke: #e4e8ec; } .hit3 { fill: #8c959f; } .ndcg3 { fill: #c8ced5; }
  .own.hit3 { fill: #2b7fd9; } .own.ndcg3 { fill: #9cc7f3; } .whisker { stroke: #1f2328; fill: none; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #3d444d; } .text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .grid { stroke: #262c36; } .hit3 { fill: #6e7681; } .ndcg3 { fill: #3d444d; }
    .own.hit3 { fill: #3b8eea; } .own.ndcg3 { fill: #1f4f8a; } .whisker { stroke: #f0f6fc; }
  }`;

interface Panel {
  readonly report: ChartReport;
  readonly left: number;
  /** Width of a value of 1. */
  readonly width: number;
}

export function drawChart(reports: readonly ChartReport[], { title = titleDefault }: ChartOptions = {}): string {
  const systems = sortSystems(reports);
  const height = top + systems.length * rowHeight + bottom;
  const drawn = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(describe(title, reports, systems))}">`,
    `<style>${style}\n</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    `<text class="text title" x="${margin}" y="32">${escapeXml(title)}</text>`,
    ...drawLegend(),
    ...systems.map((name, row) => drawName(name, row)),
    ...placePanels(reports).flatMap((panel) => drawPanel(panel, systems)),
    `<text class="quiet" x="${margin}" y="${height - 14}">Whiskers: 95 % intervals, bootstrap over questions.</text>`,
    "</svg>",
  ];
  return `${drawn.join("\n")}\n`;
}

/** By the mean nDCG over the reports that include a system, best first. */
function sortSystems(reports: readonly ChartReport[]): string[] {
  const names = [...new Set(reports.flatMap(({ systems }) => Object.keys(systems)))];
  const rank = (name: string): number => {
    const values = reports.flatMap(({ systems }) => systems[name]?.all.ndcg3 ?? []);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  return names.sort((a, b) => rank(b) - rank(a));
}

function placePanels(reports: readonly ChartReport[]): Panel[] {
  const left = margin + labelWidth;
  const step = (width - margin - left + panelGap) / reports.length;
  return reports.map((report, i) => ({ report, left: round(left + i * step), width: step - panelGap - valueWidth }));
}

function drawLegend(): string[] {
  const y = 46;
  return chartMeasures.flatMap((measure, i) => {
    const x = margin + i * 300;
    return [
      `<rect class="legend own ${measure}" x="${x}" y="${y}" width="14" height="${barHeight}"/>`,
      `<text class="quiet" x="${x + 20}" y="${y + barHeight - 1}">${measureNames[measure]}</text>`,
    ];
  });
}

function drawName(name: string, row: number): string {
  const y = top + row * rowHeight + rowHeight / 2 + 4;
  const weight = name === mnemosyneName ? " strong" : "";
  return `<text class="text${weight}" x="${margin + labelWidth - 10}" y="${y}" text-anchor="end">${escapeXml(name)}</text>`;
}

function drawPanel(panel: Panel, systems: readonly string[]): string[] {
  const { report, left } = panel;
  const end = top + systems.length * rowHeight;
  const grid = ticks.flatMap((tick) => {
    const x = round(left + tick * panel.width);
    return [
      `<line class="grid" x1="${x}" y1="${top - 4}" x2="${x}" y2="${end}"/>`,
      `<text class="quiet" x="${x}" y="${top - 10}" text-anchor="middle">${tick}</text>`,
    ];
  });
  const heading = `${nameOf(report)}, ${formatCount(report.count)} questions`;
  return [
    `<text class="text strong" x="${left}" y="${top - 30}">${escapeXml(heading)}</text>`,
    ...grid,
    ...systems.flatMap((name, row) => drawSystem(panel, name, top + row * rowHeight)),
  ];
}

/** If a report lacks a system, its row is empty. */
function drawSystem({ report, left, width: unit }: Panel, name: string, rowTop: number): string[] {
  const scores = report.systems[name]?.all;
  if (scores === undefined) return [];
  return chartMeasures.flatMap((measure, i) => {
    const value = scores[measure]!;
    const y = rowTop + (rowHeight - 2 * barHeight) / 2 + i * barHeight;
    const kind = name === mnemosyneName ? "own" : "other";
    return [
      `<rect class="${kind} ${measure}" x="${left}" y="${y}" width="${round(value * unit)}" height="${barHeight - 1}"/>`,
      drawWhisker(scores.intervals[measure]!.map((bound) => round(left + bound * unit)) as [number, number], y),
      `<text class="text value" x="${round(left + unit + 8)}" y="${y + barHeight - 2}">${value.toFixed(3)}</text>`,
    ];
  });
}

function drawWhisker([low, high]: readonly [number, number], y: number): string {
  const middle = y + (barHeight - 1) / 2;
  const cap = (x: number): string => `M${x} ${middle - 2.5}V${middle + 2.5}`;
  return `<path class="whisker" d="${cap(low)}M${low} ${middle}H${high}${cap(high)}"/>`;
}

function nameOf({ name, dataset }: ChartReport): string {
  return name ?? datasetNames[dataset];
}

/** The figures in words, for readers who cannot see them. */
function describe(title: string, reports: readonly ChartReport[], names: readonly string[]): string {
  const described = reports.map((report) => {
    const { systems } = report;
    const figures = names.flatMap((name) => {
      const scores = systems[name]?.all;
      if (scores === undefined) return [];
      return `${name} hit@3 ${scores.hit3!.toFixed(3)}, nDCG@3 ${scores.ndcg3!.toFixed(3)}`;
    });
    return `${nameOf(report)}: ${figures.join("; ")}`;
  });
  return [title, ...described].join(". ");
}

function formatCount(count: number): string {
  return count.toLocaleString("en-GB");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
