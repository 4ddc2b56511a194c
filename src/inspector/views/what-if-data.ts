/** What would be with other parameters: asked of the server, or computed here with the formulas of the memory itself. */
import { redundancyScore } from "../../core/paper/redundancy.js";
import type { HistoryItem, ParameterName, Parameters } from "../../index.js";
import type { ParameterList } from "../../server/rest/parameter-routes.js";
import { call, personPath } from "../api.js";
import { historyPages } from "../history.js";
import { type RecallAnswer, type RecallChoices, recallBody } from "./recall-data.js";

export type Parameter = ParameterList["groups"][number]["parameters"][number];
export type Overrides = Readonly<Record<string, number>>;

export interface WhatIfAnswer {
  readonly recall: RecallAnswer | null;
  readonly pruned: readonly { readonly id: string; readonly score: number }[] | null;
}

/** As in the address: "decayFloor:0.2,explorationFactor:4". */
export function readOverrides(text: string, list: ParameterList): Overrides {
  const known = new Set(list.groups.flatMap(({ parameters }) => parameters.map(({ name }) => name)));
  const entries = text.split(",").map((each) => each.split(":") as [string, string | undefined]);
  return Object.fromEntries(
    entries
      .map(([name, value]) => [name, Number(value)] as const)
      .filter(([name, value]) => known.has(name) && Number.isFinite(value)),
  );
}

export function writeOverrides(overrides: Overrides): string {
  return Object.entries(overrides)
    .map(([name, value]) => `${name}:${value}`)
    .join(",");
}

export async function askWhatIf(
  person: string,
  overrides: Overrides,
  { recall, keep }: { readonly recall: RecallChoices; readonly keep: number | null },
  signal: AbortSignal,
): Promise<WhatIfAnswer> {
  const body = {
    parameters: overrides,
    ...((recall.q ?? "") === "" ? {} : { recall: recallBody(recall) }),
    ...(keep === null ? {} : { prune: { memoryCountMax: keep } }),
  };
  return call("POST", personPath(person, "what-if"), { body, signal });
}

export type ComparedItem = Pick<HistoryItem, "id" | "at" | "trace">;

export async function loadCompared(person: string, signal: AbortSignal): Promise<ComparedItem[]> {
  const items: ComparedItem[] = [];
  for await (const { interactions } of historyPages(person, "", signal)) {
    for (const { id, at, trace } of interactions) items.push({ id, at, trace });
  }
  return items;
}

/**
 * How many interactions would count as said before, each compared with the memory that it was compared with when it came.
 * What was kept apart for another reason than its score stays so.
 */
export function countRepeated(items: readonly ComparedItem[], parameters: Parameters): number {
  const timeOf = new Map(items.map(({ id, at }) => [id, Date.parse(at)]));
  return items.filter(({ at, trace }) => {
    if (trace === null || !("redundancy" in trace) || trace.redundancy === null) return false;
    const { id, nmi, jaccard, keptApart } = trace.redundancy;
    if (keptApart !== null && keptApart !== "below the threshold") return false;
    const other = timeOf.get(id);
    if (other === undefined) return false;
    return redundancyScore(nmi, jaccard, Date.parse(at) - other, parameters).score >= parameters.redundancyThreshold;
  }).length;
}

/** For a file of settings, and for the command line. */
export function toConfiguration(overrides: Overrides): { readonly json: string; readonly commandLine: string } {
  const entries = Object.entries(overrides) as [ParameterName, number][];
  return {
    json: JSON.stringify({ parameters: overrides }, null, 2),
    commandLine: ["mnemosyne", ...entries.map(([name, value]) => `--set ${name}=${value}`), "serve"].join(" "),
  };
}

/** Ranges of parameters are wide; a slider covers what is near the usual, the number beside it everything. */
export function sliderRange({ min, max, default: usual, value, integer }: Parameter): {
  readonly min: number;
  readonly max: number;
  readonly step: number;
} {
  const top = Math.min(max, Math.max(4 * usual, 2 * value, min + 1));
  return { min, max: top, step: integer ? 1 : (top - min) / 200 };
}
