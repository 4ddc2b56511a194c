/** A bar chart of a report as SVG: hit rate and nDCG of each system, intervals as whiskers, light and dark by the reader. */
import type { EvaluationReport, Scores } from "./report.js";
import { mnemosyneName } from "./mnemosyne-systems.js";

const panels = [
  { measure: "hit3", title: "Hit rate at 3" },
  { measure: "ndcg3", title: "nDCG at 3" },
] as const;

const rowHeight = 26;
const barHeight = 14;
const top = 84;
const bottom = 40;
const labelWidth = 200;
const panelWidth = 290;
const valueWidth = 48;
const gap = 24;
const width = labelWidth + panels.length * (panelWidth + valueWidth) + gap * panels.length;
const ticks = [0, 0.25, 0.5, 0.75, 1];

const style = `
  svg { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
  .ground { fill: #ffffff; stroke: #d1d9e0; } .text { fill: #1f2328; } .quiet { fill: #59636e; font-size: 11px; }
  .title { font-weight: 600; font-size: 15px; } .grid { stroke: #d1d9e0; } .bar { fill: #8c959f; } .own { fill: #0969da; }
  .whisker { stroke: #1f2328; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #3d444d; } .text { fill: #f0f6fc; } .quiet { fill: #9198a1; }
    .grid { stroke: #3d444d; } .bar { fill: #656c76; } .own { fill: #4493f8; } .whisker { stroke: #f0f6fc; }
  }`;

export function drawChart(report: EvaluationReport): string {
  const systems = Object.entries(report.systems);
  const height = top + systems.length * rowHeight + bottom;
  const title = `${report.dataset}, ${report.count} questions`;
  const rows = systems.map(([name], row) => drawName(name, row));
  const drawn = panels.map((panel, i) => drawPanel(panel, labelWidth + i * (panelWidth + valueWidth + gap), systems));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escapeXml(describe(report))}">`,
    `<style>${style}\n</style>`,
    `<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>`,
    `<text class="text title" x="16" y="30">${escapeXml(title)}</text>`,
    ...rows,
    ...drawn.flat(),
    `<text class="quiet" x="16" y="${height - 14}">Whiskers: 95 % intervals, bootstrap over questions.</text>`,
    "</svg>",
    "",
  ].join("\n");
}

type Panel = (typeof panels)[number];

function drawPanel({ measure, title }: Panel, left: number, systems: readonly [string, { all: Scores }][]): string[] {
  const end = top + systems.length * rowHeight;
  const grid = ticks.flatMap((tick) => {
    const x = round(left + tick * panelWidth);
    return [
      `<line class="grid" x1="${x}" y1="${top - 6}" x2="${x}" y2="${end}"/>`,
      `<text class="quiet" x="${x}" y="${top - 12}" text-anchor="middle">${tick}</text>`,
    ];
  });
  const heading = `<text class="text" x="${left}" y="${top - 30}">${title}</text>`;
  return [heading, ...grid, ...systems.flatMap(([name, { all }], row) => drawBar(name, all, measure, left, row))];
}

function drawBar(name: string, scores: Scores, measure: Panel["measure"], left: number, row: number): string[] {
  const value = scores[measure]!;
  const [low, high] = scores.intervals[measure]!;
  const y = top + row * rowHeight + (rowHeight - barHeight) / 2;
  const middle = y + barHeight / 2;
  const [lowX, highX] = [round(left + low * panelWidth), round(left + high * panelWidth)];
  const cap = (x: number): string => `M${x} ${middle - 4}V${middle + 4}`;
  return [
    `<rect class="${name === mnemosyneName ? "own" : "bar"}" x="${left}" y="${y}" width="${round(value * panelWidth)}" height="${barHeight}"/>`,
    `<path class="whisker" d="${cap(lowX)}M${lowX} ${middle}H${highX}${cap(highX)}"/>`,
    `<text class="text" x="${left + panelWidth + 10}" y="${middle + 4}">${value.toFixed(3)}</text>`,
  ];
}

function drawName(name: string, row: number): string {
  const y = top + row * rowHeight + rowHeight / 2 + 4;
  return `<text class="text" x="${labelWidth - 12}" y="${y}" text-anchor="end">${escapeXml(name)}</text>`;
}

/** The figures in words, for those who do not see them. */
function describe({ systems }: EvaluationReport): string {
  return Object.entries(systems)
    .map(
      ([name, { all }]) =>
        `${name}: ${panels.map(({ measure }) => `${measure} ${all[measure]!.toFixed(3)}`).join(", ")}`,
    )
    .join("; ");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
