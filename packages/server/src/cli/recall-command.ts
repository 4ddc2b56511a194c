/** `mnemosyne recall`: asks the memory a question, and explains the answer. */
import type { Command } from "commander";
import type { Recall, RecallTrace } from "mnemosyne-edge";
import { formatTable, wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, parseWholeNumber, withPerson } from "./settings.js";
import { countOf, formatDay, formatMoment, formatNumber, print, printError, printJson } from "./terminal.js";

interface RecallCommandOptions extends SelectionOptions {
  readonly at?: string;
  readonly seed?: string;
  readonly budget?: number;
  readonly limit?: number;
  readonly minScore?: number;
  readonly explain?: boolean;
}

const msPerDay = 86_400_000;

export function addRecallCommand(program: Command): void {
  const recallCommand = program
    .command("recall <question>")
    .description("ask a question; prints the context text for a model")
    .option("--at <time>", "when the question is asked, as for commit; now by default")
    .option("--seed <seed>", "replay a recall exactly")
    .option("--budget <tokens>", "maximum tokens of the context text", parseWholeNumber)
    .option("--limit <count>", "maximum number of memories", parseWholeNumber)
    .option("--min-score <score>", "leave out memories with a lower score", Number)
    .option("--explain", "also print how it was found: scores, path, probabilities, draws");
  addSelectionOptions(recallCommand)
    .addHelpText(
      "after",
      `
Examples:
  mnemosyne recall "How was my knee last week?"
  mnemosyne recall "What did the surgeon say?" --at 2025-03-01 --explain
  mnemosyne recall "What is still open?" --filter project=atlas
  mnemosyne recall "Who is Bronwen?" --json | jq -r .context`,
    )
    .action(async (question: string, options: RecallCommandOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { budget, explain, filter, from, to, ...rest } = options;
      const selection = readSelection({ filter, from, to });
      const budgeted = budget === undefined ? {} : { tokenBudget: budget };
      const recall = await withPerson(settings, (memory) =>
        memory.recall(question, { ...rest, ...budgeted, ...selection }),
      );
      if (settings.json === true) return printJson(recall);
      if (explain === true) return print(explainRecall(recall));
      // In a pipe the context is on its way to a model, which gets it as it is; notes about it go elsewhere.
      print(process.stdout.isTTY ? wrap(recall.context) : recall.context);
      const notes = [...describeConfidence(recall), ...describeLimits(recall), ...describeOutdated(recall)];
      if (notes.length > 0) printError(["", ...notes].join("\n"));
    });
}

/** A recall and everything that decided it, as text. */
export function explainRecall(recall: Recall): string {
  const { trace } = recall;
  const asked = `asked ${formatMoment(trace.at, trace.timeZone)} (${trace.timeZone}), seed ${trace.seed}, ${countCompared(trace)}`;
  return [
    heading("Context"),
    wrap(recall.context, "  "),
    "",
    wrap(`${heading("Start nodes")}  ${colours.dim(asked)}`, "", "  "),
    ...describeTimes(trace),
    formatStarts(trace),
    ...formatWalk(trace),
    "",
    ...describeConfidence(recall),
    ...describeLimits(recall),
    ...describeOutdated(recall),
    dim(describeBudget(trace)),
    ...describeQuoted(trace),
  ].join("\n");
}

function countCompared({ memoryCount, filter, candidateCount }: RecallTrace): string {
  const all = countOf(filter?.memoryCount ?? memoryCount, "memory");
  const passed = filter === null ? all : `${filter.passedCount} of ${all} pass the filter`;
  return `${passed}, ${candidateCount} compared word by word`;
}

/** Where in time the question looks. */
function describeTimes({ timeFoci, timeZone }: RecallTrace): string[] {
  const day = (at: string | null, shiftMs: number): string =>
    at === null ? "ever" : formatDay(new Date(Date.parse(at) + shiftMs).toISOString(), timeZone);
  return timeFoci.map(({ words, weight, from, until }) =>
    dim(`time "${words}": ${day(from, 0)} to ${day(until, -1)}, gain up to ${formatNumber(weight)}`),
  );
}

type Cue = readonly [string, (start: RecallTrace["starts"][number]) => number];

/** What the score adds up, each as it was measured. */
const cues: readonly Cue[] = [
  ["score", ({ score }) => score],
  ["S_query", ({ querySimilarity }) => querySimilarity],
  ["S_meta", ({ metaSimilarity }) => metaSimilarity],
  ["alpha", ({ metaWeight }) => metaWeight],
  ["words", ({ lexicalCoverage }) => lexicalCoverage],
  ["best", ({ tokens }) => tokens?.best ?? 0],
  ["whole", ({ tokens }) => tokens?.whole ?? 0],
  ["time", ({ timeGain }) => timeGain],
];

const reasons = { startScoreMin: "score too low", startCountMax: "enough starts" };

/** Cues that counted for none are left out. */
function formatStarts({ starts, passedOver }: Pick<RecallTrace, "starts" | "passedOver">): string {
  const all = [...starts, ...passedOver];
  const used = cues.filter(([, measure]) => all.some((start) => measure(start) !== 0));
  const row = (start: RecallTrace["starts"][number], why: string): string[] => [
    start.id,
    ...used.map(([, measure]) => formatNumber(measure(start), 3)),
    why,
  ];
  if (all.length === 0) return "nothing to begin from";
  return formatTable(
    ["memory", ...used.map(([name]) => name), ""],
    [
      ...starts.map((start) => row(start, colours.green("start"))),
      ...passedOver.map((start) => row(start, colours.dim(reasons[start.reason]))),
    ],
  );
}

function formatWalk({ steps, limitsReached }: RecallTrace): string[] {
  if (steps.length === 0) return [];
  const rows = steps.map((step) => [
    `${"  ".repeat(step.depth - 1)}${step.from} → ${step.to}`,
    step.taken ? colours.green("taken") : colours.dim("left"),
    formatNumber(step.weight, 3),
    formatNumber(step.boostMs / msPerDay, 1),
    formatNumber(step.effectiveAgeMs / msPerDay, 1),
    formatNumber(step.decay, 3),
    formatNumber(step.probability, 3),
    formatNumber(step.draw, 3),
  ]);
  return [
    "",
    `${heading("Traversal")}  ${colours.dim("boost and effective age in days")}`,
    formatTable(["step", "", "weight", "boost", "age", "decay", "P", "draw"], rows),
    ...(limitsReached.length === 0 ? [] : [dim(`limits reached: ${limitsReached.join(", ")}`)]),
  ];
}

/** How likely the memory holds an answer; nothing without a reader. */
function describeConfidence({ confidence }: Recall): string[] {
  return confidence === null ? [] : [dim(`confidence that an answer is here: ${formatNumber(confidence)}`)];
}

/** What the context cannot show: nothing fits, or something is not processed yet. */
function describeLimits({ context, trace }: Recall): string[] {
  const { queuedCount } = trace;
  const queued = `${countOf(queuedCount, "interaction")} still being processed and not recalled`;
  const budget = countOf(trace.context.tokenBudget, "token");
  return [
    ...(context === "" ? [`${colours.yellow("warning")} nothing fits into ${budget}; raise --budget`] : []),
    ...(queuedCount === 0 ? [] : [dim(queued)]),
  ];
}

/** What of the context no longer holds. */
function describeOutdated({ memories, trace }: Recall): string[] {
  return memories.flatMap(({ id, inContext, outdated }) => {
    if (!inContext || outdated === null) return [];
    return [dim(`${id}: outdated since ${formatDay(outdated.since, trace.timeZone)} by ${outdated.by.join(" and ")}`)];
  });
}

function describeBudget({ context }: RecallTrace): string {
  const { droppedIds, coreSummary, tokenCount, tokenBudget, includedIds } = context;
  const cores: Partial<Record<typeof coreSummary, string>> = {
    included: "core summary",
    shortened: "core summary shortened",
  };
  const core = cores[coreSummary] ?? `no core summary (${coreSummary})`;
  const dropped = droppedIds.length === 0 ? "" : `; over budget: ${droppedIds.join(", ")}`;
  return `${tokenCount} of ${tokenBudget} tokens, ${countOf(includedIds.length, "memory")}, ${core}${dropped}`;
}

/** The names by which a statement can be corrected, withdrawn or forgotten. */
function describeQuoted({ context: { quoted } }: RecallTrace): string[] {
  return quoted.length === 0 ? [] : [dim(`statements quoted: ${quoted.join(", ")}`)];
}

function dim(line: string): string {
  return colours.dim(wrap(line, "", "  "));
}
