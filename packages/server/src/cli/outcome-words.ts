/** What became of an interaction and why, in a user's words; the scores that decided are for `--explain`. */
import type {
  CommitTrace,
  HistoryItem,
  InteractionTrace,
  JudgedRelation,
  PersonMemory,
  RedundancyTrace,
} from "mnemosyne-edge";
import type { ShownId } from "./interaction-ids.js";
import { shorten, wrap } from "./layout.js";
import { colours } from "./paint.js";
import { countOf, formatNumber } from "./terminal.js";

const failureLengthMax = 160;

/** How another interaction is named: "what you said on 3 March (knee)". */
export type Naming = (id: string) => string;

interface Explained {
  readonly outcome: string;
  readonly reason: string;
  readonly trace: InteractionTrace | null;
}

/** Names the interactions that the items refer to by when they were. */
export async function nameOthers(
  memory: PersonMemory,
  items: readonly Pick<Explained, "trace">[],
  timeZone: string | undefined,
  shownId: ShownId = (id) => id,
): Promise<Naming> {
  const ids = [...new Set(items.flatMap(({ trace }) => namedIds(trace)))];
  const others = ids.length === 0 ? [] : await memory.history({ ids });
  const days = new Map(others.map(({ id, at }) => [id, formatLongDay(at, timeZone)]));
  return (id) =>
    days.has(id) ? `what you said on ${days.get(id)!} (${shownId(id)})` : "something that is forgotten by now";
}

function namedIds(trace: InteractionTrace | null): string[] {
  if (trace === null) return [];
  if ("by" in trace) return [trace.by];
  const { pairing, updates = [] } = trace as Partial<CommitTrace>;
  return [pairing?.partnerId, pairing?.removedId, ...updates].filter((id) => id != null);
}

const longDays = new Map<string | undefined, Intl.DateTimeFormat>();

/** "3 March 2025" */
export function formatLongDay(iso: string, timeZone: string | undefined): string {
  let format = longDays.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone });
    longDays.set(timeZone, format);
  }
  return format.format(Date.parse(iso));
}

/** "kept: repeats what you said on 3 March 2025 (knee)" */
export function describeWhy({ outcome, reason, trace }: Explained, naming: Naming): string {
  if (trace?.outcome === "replaced") return `repeated by ${naming(trace.by)}, which replaced it`;
  if (outcome !== "committed" && outcome !== "paired") return reason;
  const { pairing, updates = [] } = (trace ?? {}) as Partial<CommitTrace>;
  // The reason names the same interactions by their whole ids, behind a comma.
  const kept = pairing?.partnerId == null ? reason.split(", ")[0]! : `kept: repeats ${naming(pairing.partnerId)}`;
  const replaced = pairing?.removedId == null ? [] : [`takes the place of ${naming(pairing.removedId)}`];
  const updated = updates.length === 0 ? [] : [`updates ${updates.map(naming).join(" and ")}`];
  return [kept, ...replaced, ...updated].join("; ");
}

export function paintOutcome(outcome: string, text = outcome): string {
  const paint = {
    discarded: colours.yellow,
    paired: colours.magenta,
    replaced: colours.magenta,
    pruned: colours.yellow,
  }[outcome];
  return (paint ?? colours.green)(text);
}

/** What was said, in one text. */
export function textOf({ summary, turns }: Pick<HistoryItem, "summary" | "turns">): string {
  return summary ?? turns.map(({ text }) => text).join(" ");
}

/** The scores behind an outcome, in one line. */
export function describeScores(trace: InteractionTrace | null): string {
  if (!isCommitTrace(trace)) return "";
  const { redundancy, pairing, edges } = trace;
  const parts = describeSubstance(trace.substance);
  if (redundancy !== null && redundancy !== undefined) {
    parts.push(describeRedundancy(redundancy));
  }
  if (pairing != null && pairing.case !== "add") {
    parts.push(
      `rewound by ${formatNumber(pairing.rewindDays, 1)} days, boost now ${formatNumber(pairing.boostDays, 1)}`,
    );
  }
  if (pairing?.case === "replace") parts.push(`replaced ${pairing.removedId}`);
  if (edges !== null && edges !== undefined) parts.push(countOf(edges.count, "edge"));
  return parts.join(", ");
}

/** What the judge made of each memory that it updates, and of the nearest one. A stored trace may be older than judging. */
export function describeRelations(trace: InteractionTrace | null): string[] {
  if (!isCommitTrace(trace)) return [];
  const { relations = [], updates = [] } = trace as Partial<CommitTrace>;
  const nearest = relations.toSorted((x, y) => y.cosine - x.cosine)[0];
  return relations.flatMap((relation) => {
    if (updates.includes(relation.id)) return `updates ${relation.id}: ${describeShares(relation)}`;
    return relation === nearest ? `nearest ${relation.id}: ${describeShares(relation)}` : [];
  });
}

function describeShares({ update, repetition, different, byWords }: JudgedRelation): string {
  const shares = Object.entries({ update, repetition, different });
  const judged = shares.map(([name, share]) => `${name} ${formatNumber(share)}`).join(", ");
  return byWords === undefined ? judged : `${judged}: ${byWords}`;
}

function describeRedundancy({ score, threshold, id, keptApart }: RedundancyTrace): string {
  const scores = `redundancy ${formatNumber(score)}, needs ${formatNumber(threshold)}`;
  if (score < threshold) return `does not repeat ${id} (${scores})`;
  return keptApart == null ? `repeats ${id} (${scores})` : `kept apart from ${id}: ${keptApart} (${scores})`;
}

function isCommitTrace(trace: InteractionTrace | null): trace is CommitTrace {
  return trace !== null && "substance" in trace;
}

function describeSubstance({
  decidedBy,
  substantial,
  category,
  score,
  threshold,
  probability,
}: CommitTrace["substance"]): string[] {
  const judged = probability == null ? [] : [`the judge gives ${formatNumber(probability)} that it tells something`];
  const model = substantial ? `the language model found substance: ${category}` : "the language model found none";
  const byModel = decidedBy === "language model" ? [model] : [];
  const examples = `substance ${formatNumber(score)} (needs ${formatNumber(threshold)})`;
  return [...judged, ...byModel, ...(decidedBy === "examples" ? [examples] : [])];
}

/** What the language model did, step by step: what was repaired in its replies, and why a reply was requested again. */
export function describeSteps(trace: InteractionTrace | null): string {
  const { name, steps = [] } = (isCommitTrace(trace) ? trace.languageModel : null) ?? {};
  const shown = steps.map(({ step, how, repairs, failure }) => {
    const notes = [
      ...(how === "retried" && failure !== null ? [`the first reply: ${shorten(failure, failureLengthMax)}`] : []),
      ...(repairs.length === 0 ? [] : [`repaired: ${repairs.join(", ")}`]),
    ];
    return `${step} ${how}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
  });
  return shown.length === 0 ? "" : `${name}: ${shown.join(", ")}`;
}

/** Steps done without the model, and why. */
export function describeFailures(trace: InteractionTrace | null): string[] {
  const failed = ((isCommitTrace(trace) ? trace.languageModel : null)?.steps ?? []).filter(
    ({ how }) => how === "without model",
  );
  if (failed.length === 0) return [];
  const steps = failed.map(({ step }) => step).join(" and ");
  const failure = shorten(failed[0]!.failure ?? "", failureLengthMax);
  return [colours.yellow(wrap(`${steps} without the language model: ${failure}`, "  "))];
}
