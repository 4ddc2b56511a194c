/** What would be with other parameters: asked of the server, or computed here with the formulas of the memory itself. */
import { redundancyScore } from "mnemosyne-edge/internal/core/paper/redundancy.js";
import type { HistoryItem, ParameterName, Parameters } from "mnemosyne-edge";
import type { ParameterList } from "../../server/rest/parameter-routes.js";
import { call, personPath } from "../api.js";
import { historyPages, loadNamed } from "../history.js";
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

/** An interaction and the memory that it was compared with when it came; null where there was none. */
export interface ComparedItem {
  readonly id: string;
  readonly atMs: number;
  readonly compared: { readonly id: string; readonly nmi: number; readonly jaccard: number } | null;
}

export interface Compared {
  readonly items: readonly ComparedItem[];
  /** When each took place: of the items, and of what they were compared with. */
  readonly timeOf: ReadonlyMap<string, number>;
  /** Whether there are older ones, which are not counted. */
  readonly hasEarlier: boolean;
}

/** More are not counted: a page keeps a few numbers of each, and a count is a look at all of them. */
export const comparedMax = 10_000;

/** The newest; of each only what is needed to count again. */
export async function loadCompared(person: string, signal: AbortSignal): Promise<Compared> {
  const items: ComparedItem[] = [];
  let hasEarlier = false;
  for await (const { interactions, nextCursor } of historyPages(person, "", signal, { newestFirst: true })) {
    items.push(...interactions.map(toCompared).slice(0, comparedMax - items.length));
    hasEarlier = nextCursor !== null;
    if (items.length === comparedMax) break;
  }
  const timeOf = new Map(items.map(({ id, atMs }) => [id, atMs]));
  const older = new Set(items.flatMap(({ compared }) => compared?.id ?? []).filter((id) => !timeOf.has(id)));
  for (const { id, at } of await loadNamed(person, [...older], signal)) timeOf.set(id, Date.parse(at));
  return { items, timeOf, hasEarlier };
}

/** What was kept apart for another reason than its score is not compared again. */
function toCompared({ id, at, trace }: HistoryItem): ComparedItem {
  const found = trace !== null && "redundancy" in trace ? trace.redundancy : null;
  const isApart = found !== null && found.keptApart !== null && found.keptApart !== "below the threshold";
  const compared = found === null || isApart ? null : { id: found.id, nmi: found.nmi, jaccard: found.jaccard };
  return { id, atMs: Date.parse(at), compared };
}

/** How many interactions would count as said before, each compared with the memory that it was compared with when it came. */
export function countRepeated({ items, timeOf }: Compared, parameters: Parameters): number {
  return items.filter(({ atMs, compared }) => {
    const otherMs = compared === null ? undefined : timeOf.get(compared.id);
    if (compared === null || otherMs === undefined) return false;
    const { score } = redundancyScore(compared.nmi, compared.jaccard, atMs - otherMs, parameters);
    return score >= parameters.redundancyThreshold;
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
