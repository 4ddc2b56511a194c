/** A report of `mnemosyne eval` as tables. */
import type { Interval } from "../../eval/report/bootstrap.js";
import type { ClassScore, RedundancyScore, SubstanceScore } from "../../eval/report/filter-scores.js";
import { ablationNames, mnemosyneName } from "../../eval/systems/mnemosyne-systems.js";
import type { Measure } from "../../eval/replay.js";
import type { Difference, EvaluationReport, Scores, SystemReport } from "../../eval/report/report.js";
import { colours, countOf, formatFoldedTable, formatNumber, formatTable, heading, wrap } from "../terminal.js";

const titles: Readonly<Record<string, string>> = {
  hit3: "hit@3",
  ndcg3: "nDCG@3",
  recall3: "recall@3",
  recall10: "recall@10",
  contextTokens: "tokens",
};

/** Shown with their intervals, and compared with Mnemosyne's. */
const mainMeasures: readonly Measure[] = ["hit3", "ndcg3"];

export function formatReport(report: EvaluationReport): string {
  const { dataset, groups, systems, count, skippedQuestionCount } = report;
  const skipped = skippedQuestionCount === 0 ? "" : `, ${skippedQuestionCount} without evidence skipped`;
  return [
    `${heading(dataset)}  ${countOf(count, "question")}${skipped}\n${wrap(groups.join(", "))}`,
    ...formatScores(report),
    ...formatLeads("Compared", systems, (name, system) => !isAblation(name) && system.versusMnemosyne !== undefined),
    ...formatLeads("Ablations", systems, isAblation),
    `${heading("By kind")}  hit@3 / nDCG@3`,
    formatKinds(report),
    ...formatFilters(report),
    colours.dim(wrap(`${formatFacts(report)} In brackets: 95 % intervals; --json has them for all figures.`)),
  ].join("\n\n");
}

/** What is needed to reproduce the figures. */
function formatFacts({ seed, embedder, parameters, version, commit }: EvaluationReport): string {
  const set = Object.entries(parameters).map(([name, value]) => `--set ${name}=${value}`);
  return `${[`Seed ${seed}`, `embedder ${embedder}`, ...set, `version ${version}`, `commit ${commit ?? "unknown"}`].join(", ")}.`;
}

function formatScores({ systems }: EvaluationReport): string[] {
  const rows = Object.entries(systems).filter(([name]) => !isAblation(name));
  if (rows.length === 0) return [];
  const measures = [...new Set(rows.flatMap(([, { all }]) => Object.keys(all.intervals) as Measure[]))];
  const table = formatFoldedTable(
    ["system", ...measures.map(titleOf)],
    rows.map(([name, { all }]) => [formatName(name), ...measures.map((measure) => formatScore(all, measure))]),
  );
  return [table];
}

/** How far Mnemosyne is ahead of each system, over the same questions. */
function formatLeads(
  title: string,
  systems: EvaluationReport["systems"],
  isChosen: (name: string, system: SystemReport) => boolean,
): string[] {
  const rows = Object.entries(systems).filter(([name, system]) => isChosen(name, system));
  if (rows.length === 0) return [];
  const cells = ({ all, versusMnemosyne }: SystemReport): string[] =>
    mainMeasures.flatMap((measure) => [formatNumber(all[measure]!, 3), formatDifference(versusMnemosyne?.[measure])]);
  return [
    `${heading(title)}  lead: ${mnemosyneName} minus the system, question by question`,
    formatFoldedTable(
      ["system", ...mainMeasures.flatMap((measure) => [titleOf(measure), "lead"])],
      rows.map(([name, system]) => [name, ...cells(system)]),
    ),
  ];
}

function isAblation(name: string): boolean {
  return ablationNames.includes(name);
}

function formatName(name: string): string {
  return name === mnemosyneName ? colours.bold(name) : name;
}

function titleOf(measure: Measure): string {
  return titles[measure] ?? measure.replace("evidence", "evidence@");
}

function formatScore(scores: Scores, measure: Measure): string {
  const value = scores[measure];
  const interval = scores.intervals[measure];
  if (value === undefined || interval === undefined) return "-";
  const shown = formatNumber(value, measure === "contextTokens" ? 0 : 3);
  return mainMeasures.includes(measure) ? `${shown} ${colours.dim(formatInterval(interval))}` : shown;
}

function formatInterval(interval: Interval): string {
  return `[${interval.map((end) => formatNumber(end, 3)).join(", ")}]`;
}

/** In colour if the interval lies entirely on one side of zero. */
function formatDifference(found: Difference | undefined): string {
  if (found === undefined) return "-";
  const { difference, interval } = found;
  const [low, high] = interval;
  const text = `${formatSigned(difference)} [${interval.map(formatSigned).join(", ")}]`;
  if (low > 0) return colours.green(text);
  return high < 0 ? colours.red(text) : text;
}

/** The same width with and without a sign. */
function formatSigned(value: number): string {
  const shown = formatNumber(Math.abs(value), 3);
  if (Number(shown) === 0) return ` ${shown}`;
  return `${value > 0 ? "+" : "-"}${shown}`;
}

function formatKinds({ systems }: EvaluationReport): string {
  const [first] = Object.values(systems);
  const columns: [string, (name: string) => Scores | undefined][] = Object.keys(first?.byKind ?? {}).map((kind) => [
    `${kind} (${first!.byKind[kind]!.count})`,
    (name) => systems[name]!.byKind[kind],
  ]);
  if (first?.answerable !== undefined) {
    columns.push([`answerable (${first.answerable.count})`, (name) => systems[name]!.answerable]);
  }
  const rows = Object.keys(systems).map((name) => [
    formatName(name),
    ...columns.map(([, scoresOf]) => formatPair(scoresOf(name))),
  ]);
  return formatFoldedTable(["system", ...columns.map(([title]) => title)], rows);
}

function formatPair(scores: Scores | undefined): string {
  if (scores?.hit3 === undefined || scores.ndcg3 === undefined) return "-";
  return `${formatNumber(scores.hit3)} / ${formatNumber(scores.ndcg3)}`;
}

function formatFilters({ substance, redundancy }: EvaluationReport): string[] {
  if (substance === null || redundancy === null) return [];
  const groups = Object.keys(substance.byGroup);
  const substanceRows = [
    substanceRow("all", substance.all),
    ...groups.map((id) => substanceRow(id, substance.byGroup[id]!)),
  ];
  const redundancyRows = [
    redundancyRow("all", redundancy.all),
    ...groups.map((id) => redundancyRow(id, redundancy.byGroup[id]!)),
  ];
  return [
    `${heading("Substance filter")} of mnemosyne  precision / recall / F1`,
    formatTable(["journey", "substantial", "mundane", "lost", "kept needlessly"], substanceRows),
    `${heading("Redundancy filter")} of mnemosyne`,
    formatTable(["journey", "precision / recall / F1", "partner first", "changed detail merged"], redundancyRows),
  ];
}

function substanceRow(name: string, score: SubstanceScore): string[] {
  const { substantial, mundane, substantialDiscarded, mundaneKept } = score;
  return [name, formatClass(substantial), formatClass(mundane), String(substantialDiscarded), String(mundaneKept)];
}

function redundancyRow(name: string, score: RedundancyScore): string[] {
  return [name, formatClass(score), formatShare(score.partnerFirst), String(score.changedDetailMerged)];
}

function formatClass({ precision, recall, f1 }: ClassScore): string {
  return [precision, recall, f1].map(formatShare).join(" / ");
}

function formatShare(share: number | null): string {
  return share === null ? "-" : formatNumber(share);
}
