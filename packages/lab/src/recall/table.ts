/** The table: sets and figures down, systems across, and the difference between ours and both searches fused. */
import { meanInterval } from "./bootstrap.js";
import { areaUnderCurve, mean } from "./measures.js";
import type { Result } from "./run.js";

type Figure = (result: Result) => number | null;

/** Those that a set does not have are left out. */
const figures: Readonly<Record<string, Figure>> = {
  "hit@3": ({ hit3 }) => hit3,
  "nDCG@3": ({ ndcg3 }) => ndcg3,
  "recall@10": ({ recall10 }) => recall10,
  evidence: ({ evidence }) => evidence,
  "evidence about now": ({ evidence, first, kind }) => (kind === "now" && first !== null ? evidence : null),
  first: ({ first }) => first,
  tokens: ({ tokens }) => tokens,
};

const compared = ["ours", "fused"] as const;

export type Grouping = "set" | "person" | "kind";

export function writeTable(results: readonly Result[], systems: readonly string[], by: Grouping): string {
  const groups = new Map<string, Result[]>();
  for (const result of results) {
    const name = groupOf(result, by);
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const head = ["", "", ...systems, compared.every((name) => systems.includes(name)) ? compared.join(" − ") : ""];
  const rows = [...groups].flatMap(([name, group]) =>
    [
      ...Object.entries(figures).flatMap(([label, figure]) => writeRow(label, figure, group, systems)),
      ...writeConfidence(group, systems),
    ].map((row, i) => [i === 0 ? `${name} (${countQuestions(group)})` : "", ...row]),
  );
  return alignColumns([head, ...rows]);
}

function groupOf({ set, person, kind }: Result, by: Grouping): string {
  if (by === "set") return set;
  return `${set} ${by === "person" ? person : kind}`;
}

/** Those with an answer. */
function countQuestions(results: readonly Result[]): number {
  const told = results.filter(({ hit3 }) => hit3 !== null);
  return new Set(told.map(({ person, question }) => `${person} ${question}`)).size;
}

function writeRow(label: string, figure: Figure, group: readonly Result[], systems: readonly string[]): string[][] {
  const digits = label === "tokens" ? 0 : 3;
  const values = systems.map((system) =>
    group
      .filter((result) => result.system === system)
      .map(figure)
      .filter((value) => value !== null),
  );
  if (values.every((some) => some.length === 0)) return [];
  const [ours, fused] = compared.map((name) => group.filter(({ system }) => system === name));
  const difference = label === "tokens" ? "" : writeDifference(pairValues(fused!, ours!, figure));
  return [[label, ...values.map((some) => (some.length === 0 ? "" : mean(some).toFixed(digits))), difference]];
}

export interface ValuePair {
  readonly before: Result;
  readonly after: Result;
  readonly difference: number;
}

/** Questions that both have, with how much the second's figure is higher. */
export function pairValues(before: readonly Result[], after: readonly Result[], figure: Figure): ValuePair[] {
  const keyOf = ({ set, person, question }: Result): string => JSON.stringify([set, person, question]);
  const known = new Map(before.map((result) => [keyOf(result), result]));
  return after.flatMap((result) => {
    const other = known.get(keyOf(result));
    const values = [other === undefined ? null : figure(other), figure(result)];
    if (values[0] === null || values[1] === null) return [];
    return [{ before: other!, after: result, difference: values[1]! - values[0]! }];
  });
}

/** "+0.021 [-0.010, +0.052]"; empty without pairs. */
export function writeDifference(pairs: readonly ValuePair[]): string {
  if (pairs.length === 0) return "";
  const differences = pairs.map(({ difference }) => difference);
  const [low, high] = meanInterval(differences);
  return `${signed(mean(differences))} [${signed(low)}, ${signed(high)}]`;
}

export function signed(value: number): string {
  return `${value < 0 ? "" : "+"}${value.toFixed(3)}`;
}

/** How well the confidence tells questions with an answer from those without. */
function writeConfidence(group: readonly Result[], systems: readonly string[]): string[][] {
  const cells = systems.map((system) => {
    const sure = group.filter((result) => result.system === system && result.confidence !== null);
    const [told, never] = [true, false].map((isTold) =>
      sure.filter(({ hit3 }) => (hit3 !== null) === isTold).map(({ confidence }) => confidence!),
    );
    return told!.length === 0 || never!.length === 0 ? "" : areaUnderCurve(told!, never!).toFixed(3);
  });
  return cells.every((cell) => cell === "") ? [] : [["confidence AUC", ...cells, ""]];
}

export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, i) => (i < 2 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
