/** A report of `mnemosyne eval` as tables. */
import type { Interval } from "../eval/bootstrap.js";
import type { ClassScore, RedundancyScore, SubstanceScore } from "../eval/filter-scores.js";
import type { Measure } from "../eval/replay.js";
import type { EvaluationReport, Scores } from "../eval/report.js";
import { colours, countOf, formatNumber, formatTable, heading } from "./terminal.js";

const titles: Readonly<Record<string, string>> = {
  hit3: "hit@3",
  ndcg3: "nDCG@3",
  recall3: "recall@3",
  recall10: "recall@10",
  contextTokens: "tokens",
};

export function formatReport(report: EvaluationReport): string {
  const { dataset, groups, count, skippedQuestionCount, seed, commit, embedder } = report;
  const skipped = skippedQuestionCount === 0 ? "" : `, ${skippedQuestionCount} without evidence skipped`;
  return [
    `${heading(dataset)}  ${groups.join(", ")}: ${countOf(count, "question")}${skipped}`,
    formatScores(report),
    `${heading("By kind")}  hit@3 / nDCG@3`,
    formatKinds(report),
    ...formatFilters(report),
    colours.dim(`seed ${seed}, embedder ${embedder}, commit ${commit ?? "unknown"}; in brackets: 95 % intervals`),
  ].join("\n\n");
}

function formatScores({ systems }: EvaluationReport): string {
  const measures = [...new Set(Object.values(systems).flatMap(({ all }) => Object.keys(all.intervals) as Measure[]))];
  const rows = Object.entries(systems).map(([name, { all }]) => [
    name,
    ...measures.map((measure) => formatScore(all, measure)),
  ]);
  return formatTable(["system", ...measures.map(titleOf)], rows);
}

function titleOf(measure: Measure): string {
  return titles[measure] ?? measure.replace("evidence", "evidence@");
}

function formatScore(scores: Scores, measure: Measure): string {
  const value = scores[measure];
  const interval = scores.intervals[measure];
  if (value === undefined || interval === undefined) return "-";
  const digits = measure === "contextTokens" ? 0 : 3;
  return `${formatNumber(value, digits)} ${colours.dim(formatInterval(interval, digits))}`;
}

function formatInterval([low, high]: Interval, digits: number): string {
  return `[${formatNumber(low, digits)}, ${formatNumber(high, digits)}]`;
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
  const rows = Object.keys(systems).map((name) => [name, ...columns.map(([, scoresOf]) => formatPair(scoresOf(name)))]);
  return formatTable(["system", ...columns.map(([title]) => title)], rows);
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
    formatTable(["journey", "substantial", "mundane", "lost", "kept in vain"], substanceRows),
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
