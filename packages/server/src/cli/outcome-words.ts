/** What became of an interaction and why, in a user's words; the scores that decided are for `--explain`. */
import type { CommitTrace, HistoryItem, InteractionTrace, RedundancyTrace, RelatedStatement } from "mnemosyne-edge";
import { comparePlaces, nameOf } from "mnemosyne-edge/internal/graph/statement.js";
import { shorten, terminalWidth, visibleWidth, wrap } from "./layout.js";
import { colours } from "./paint.js";
import { countOf, formatNumber } from "./terminal.js";

const failureLengthMax = 160;

const paints: Readonly<Record<string, (text: string) => string>> = {
  discarded: colours.yellow,
  forgetAsked: colours.yellow,
  paired: colours.magenta,
  replaced: colours.magenta,
  pruned: colours.yellow,
};

export function paintOutcome(outcome: string, text = outcome): string {
  return (paints[outcome] ?? colours.green)(text);
}

/** What was said, in one text. */
export function textOf({ summary, turns }: Pick<HistoryItem, "summary" | "turns">): string {
  return summary ?? turns.map(({ text }) => text).join(" ");
}

const indent = "  ";
const textWidthMin = 20;

/** What became of an interaction and why, then its id and what was said. */
export function describeOutcome(item: HistoryItem): string {
  const said = `${item.id}  `;
  const room = Math.max(textWidthMin, terminalWidth() - indent.length - visibleWidth(said));
  return [
    paintOutcome(item.outcome, wrap(item.reason, "", "  ")),
    wrap(said + colours.dim(shorten(textOf(item), room)), indent, indent, terminalWidth()),
    ...describeFailures(item.trace),
  ].join("\n");
}

/** Everything that decided, a label and a line each: scores, what the reader saw, what the language model did. */
export function describeDecision(trace: InteractionTrace | null): (readonly [string, string])[] {
  if (!isCommitTrace(trace)) return [];
  const steps = describeSteps(trace);
  return [
    ["scores", describeScores(trace)],
    ...describeRelations(trace).map((line) => ["reader", line] as const),
    ...(steps === "" ? [] : [["model", steps] as const]),
  ];
}

function describeScores({ substance, redundancy, pairing, edges }: CommitTrace): string {
  const parts = describeSubstance(substance);
  if (redundancy != null) parts.push(describeRedundancy(redundancy));
  if (pairing != null && pairing.case !== "add") {
    parts.push(
      `rewound by ${formatNumber(pairing.rewindDays, 1)} days, boost now ${formatNumber(pairing.boostDays, 1)}`,
    );
  }
  if (pairing?.case === "replace") parts.push(`replaced ${pairing.removedId}`);
  if (edges != null) parts.push(countOf(edges.count, "edge"));
  return parts.join(", ");
}

function describeSubstance(decision: CommitTrace["substance"]): string[] {
  const { decidedBy, substantial, category, score, threshold, probability } = decision;
  const read = probability == null ? [] : [`the reader gives ${formatNumber(probability)} that it tells something`];
  const model = substantial ? `the language model found substance: ${category}` : "the language model found none";
  const examples = `substance ${formatNumber(score)} (needs ${formatNumber(threshold)})`;
  const decided = decidedBy === "language model" ? [model] : decidedBy === "examples" ? [examples] : [];
  return [...read, ...decided];
}

function describeRedundancy({ score, threshold, id, keptApart }: RedundancyTrace): string {
  const scores = `redundancy ${formatNumber(score)}, needs ${formatNumber(threshold)}`;
  if (score < threshold) return `does not repeat ${id} (${scores})`;
  return keptApart == null ? `repeats ${id} (${scores})` : `kept apart from ${id}: ${keptApart} (${scores})`;
}

/** What the reader made of each statement that ended or may have, and of the nearest one. */
function describeRelations({ relations, ends }: CommitTrace): string[] {
  const nearest = relations.toSorted((x, y) => y.cosine - x.cosine)[0];
  return relations.flatMap((relation) => {
    const end = ends.find(({ by, ...place }) => by === relation.by && comparePlaces(place, relation) === 0);
    const word = end?.isDoubtful === true ? "may end" : "ends";
    if (end !== undefined) return `#${relation.by} ${word} ${nameOf(relation)}: ${describeShares(relation)}`;
    return relation === nearest ? `#${relation.by} is nearest to ${nameOf(relation)}: ${describeShares(relation)}` : [];
  });
}

function describeShares({ ends, repeats, other, guard }: RelatedStatement): string {
  const shares = Object.entries({ ends, repeats, other });
  const read = shares.map(([name, share]) => `${name} ${formatNumber(share)}`).join(", ");
  return guard === null ? read : `${read}: it ${guard}`;
}

function isCommitTrace(trace: InteractionTrace | null): trace is CommitTrace {
  return trace !== null && "substance" in trace;
}

/** What the language model did, step by step: what was repaired in its replies, and why a reply was requested again. */
function describeSteps({ languageModel }: CommitTrace): string {
  const { name, steps = [] } = languageModel ?? {};
  const shown = steps.map(({ step, how, repairs, failure }) => {
    const notes = [
      ...(how === "retried" && failure !== null ? [`the first reply: ${shorten(failure, failureLengthMax)}`] : []),
      ...(repairs.length === 0 ? [] : [`repaired: ${repairs.join(", ")}`]),
    ];
    return `${step} ${how}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`;
  });
  return shown.length === 0 ? "" : `${name}: ${shown.join(", ")}`;
}

/** Steps done without the model, and why: something to act on, so it is shown without --explain too. */
export function describeFailures(trace: InteractionTrace | null): string[] {
  const steps = (isCommitTrace(trace) ? trace.languageModel?.steps : null) ?? [];
  const failed = steps.filter(({ how }) => how === "without model");
  if (failed.length === 0) return [];
  const names = failed.map(({ step }) => step).join(" and ");
  const failure = shorten(failed[0]!.failure ?? "", failureLengthMax);
  return [colours.yellow(wrap(`${names} without the language model: ${failure}`, "  "))];
}
