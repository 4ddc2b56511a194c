/** A report of `mnemosyne eval` as tables. */
import type { Interval } from "../report/bootstrap.js";
import type { ClassScore, RedundancyScore, SubstanceScore } from "../report/filter-scores.js";
import { naiveRagName } from "../systems/baselines.js";
import { ablationNames, mnemosyneName } from "../systems/mnemosyne-systems.js";
import type { Measure } from "../replay.js";
import type { Difference, EvaluationReport, ReportFacts, Scores, SystemReport } from "../report/report.js";
import { formatFoldedTable, formatTable, wrap } from "mnemosyne-edge-server/internal/cli/layout.js";
import { colours, heading } from "mnemosyne-edge-server/internal/cli/paint.js";
import { countOf, formatNumber } from "mnemosyne-edge-server/internal/cli/terminal.js";

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
    ...formatLeads("Compared", "versusMnemosyne", systems, (name) => !isAblation(name)),
    ...formatLeads("With the recorded replies", "versusWithoutModel", systems, (name) => !isAblation(name)),
    ...formatLeads("Against naive-rag", "versusNaiveRag", systems, (name) => !isAblation(name)),
    ...formatLeads("Ablations", "versusMnemosyne", systems, isAblation),
    `${heading("By kind")}  hit@3 / nDCG@3`,
    formatKinds(report),
    ...formatFilters(report),
    colours.dim(wrap(`${formatFacts(report)} In brackets: 95 % intervals; --json has them for all figures.`)),
  ].join("\n\n");
}

/** What it takes to repeat the figures. */
export function formatFacts({ seed, embedder, parameters, replies, version, commit }: ReportFacts): string {
  const set = Object.entries(parameters).map(([name, value]) => `--set ${name}=${value}`);
  const model = replies === undefined ? [] : [`recorded replies ${replies}`];
  return `${[`Seed ${seed}`, `embedder ${embedder}`, ...set, ...model, `version ${version}`, `commit ${commit ?? "unknown"}`].join(", ")}.`;
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

const leads = {
  versusMnemosyne: `${mnemosyneName} minus the system`,
  versusWithoutModel: "the system minus itself without a model",
  versusNaiveRag: `the system minus ${naiveRagName}`,
};

/** How far one system is ahead of the other, over the same questions. */
function formatLeads(
  title: string,
  versus: keyof typeof leads,
  systems: EvaluationReport["systems"],
  isChosen: (name: string) => boolean,
): string[] {
  const rows = Object.entries(systems).filter(([name, system]) => isChosen(name) && system[versus] !== undefined);
  if (rows.length === 0) return [];
  const cells = ({ all, [versus]: lead }: SystemReport): string[] =>
    mainMeasures.flatMap((measure) => [formatNumber(all[measure]!, 3), formatDifference(lead![measure])]);
  return [
    wrap(`${heading(title)}  lead: ${leads[versus]}, question by question`, "", "  "),
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

export function formatInterval(interval: Interval, digits = 3): string {
  return `[${interval.map((end) => formatNumber(end, digits)).join(", ")}]`;
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
