// @ts-nocheck
/** `mnemosyne recall`: asks the memory a question, and explains the answer. */
import type { Command } from "commander";
import type { PersonMemory, Recall, RecallTrace } from "mnemosyne-edge";
import { type ShownId, readIds, shortenIds } from "./interaction-ids.js";
import { type OutdatedNotes, describeOutdated } from "./outdated-notes.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, parseWholeNumber, withPerson } from "./settings.js";
import { formatFoldedTable, formatTable, wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import { countOf, formatDay, formatMoment, formatNumber, print, printError, printJson } from "./terminal.js";

interface RecallCommandOptions extends SelectionOptions {
  readonly at?: string;
  readonly seed?: string;
  readonly budget?: number;
  readonly limit?: number;
  readonly minScore?: number;
  readonly rewrite?: boolean;
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
    .option("--rewrite", "also look for other wordings of the question, from the language model")
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
    .action(
      async (
        question: string,
        { at, seed, budget, limit, minScore, rewrite, explain, ...selection }: RecallCommandOptions,
        command: Command,
      ) => {
        const settings = command.optsWithGlobals<Settings>();
        const { recall, outdated, shownId } = await withPerson(settings, async (memory) => {
          const found = await memory.recall(question, {
            ...(at === undefined ? {} : { at }),
            ...(seed === undefined ? {} : { seed }),
            ...(budget === undefined ? {} : { tokenBudget: budget }),
            ...(limit === undefined ? {} : { limit }),
            ...(minScore === undefined ? {} : { minScore }),
            ...(rewrite === undefined ? {} : { rewrite }),
            ...readSelection(selection),
          });
          const shortened = settings.json === true ? String : shortenIds(await readIds(memory));
          return { recall: found, outdated: await findOutdated(found, memory, shortened), shownId: shortened };
        });
        if (settings.json === true) return printJson(recall);
        const isExplained = explain === true;
        // In a pipe the context is on its way to a model, which gets it as it is.
        const context = process.stdout.isTTY ? wrap(recall.context) : recall.context;
        print(isExplained ? explainRecall(recall, shownId) : context);
        printNotes([
          ...(isExplained ? [] : [...formatRewriting(recall.trace, shownId), ...formatConfidence(recall, false)]),
          ...describeContext(recall, outdated, shownId),
        ]);
        warnOfEmptiness(recall);
        const { queuedCount } = recall.trace;
        if (queuedCount === 0) return;
        const queued = `${countOf(queuedCount, "interaction")} ${queuedCount === 1 ? "is" : "are"}`;
        print(colours.dim(`\n${wrap(`${queued} still being processed and could not be recalled.`)}`));
      },
    );
}

/** By id: which of the recalled memories are outdated, and by what. A recall with a filter knows of nothing else. */
export async function findOutdated(
  { memories, trace }: Recall,
  person: PersonMemory,
  shownId: ShownId = String,
): Promise<OutdatedNotes> {
  if (trace.filter !== null) {
    return new Map(
      memories.flatMap(({ id, outdated }) =>
        outdated === null
          ? []
          : [
              [
                id,
                `outdated since ${formatDay(outdated.since, trace.timeZone)} by ${outdated.by.map(shownId).join(" and ")}`,
              ],
            ],
      ),
    );
  }
  const ids = memories.map(({ id }) => id);
  return ids.length === 0
    ? new Map()
    : describeOutdated(person, await person.history({ ids }), trace.timeZone, shownId, Date.parse(trace.at));
}

/** What of the context no longer holds. */
function describeContext({ memories }: Recall, outdated: OutdatedNotes, shownId: ShownId): string[] {
  return memories
    .filter(({ id, inContext }) => inContext && outdated.has(id))
    .map(({ id }) => colours.dim(`${shownId(id)}: ${outdated.get(id)!}`));
}

/** Not with the context, which may be on its way to a model. */
function printNotes(notes: readonly string[]): void {
  if (notes.length > 0) printError(["", ...notes].join("\n"));
}

/** A budget of 0 is allowed; the context text is then empty, and a warning says why. */
function warnOfEmptiness({ context, trace }: Recall): void {
  if (context !== "") return;
  const budget = countOf(trace.context.tokenBudget, "token");
  printError(`${colours.yellow("warning")} nothing fits into ${budget}; raise --budget`);
}

function countMemories({ memoryCount, filter }: RecallTrace): string {
  const all = countOf(filter?.memoryCount ?? memoryCount, "memory");
  return filter === null ? all : `${filter.passedCount} of ${all} pass the filter`;
}

/** A recall and everything that decided it, as text. */
export function explainRecall(recall: Recall, shownId: ShownId = String): string {
  const { trace } = recall;
  const asked = `asked ${formatMoment(trace.at, trace.timeZone)} (${trace.timeZone}), seed ${trace.seed}, ${countMemories(trace)}`;
  return [
    heading("Context"),
    wrap(recall.context, "  "),
    "",
    wrap(`${heading("Start nodes")}  ${colours.dim(asked)}`, "", "  "),
    ...formatRewriting(trace, shownId),
    ...formatAsked(trace, shownId),
    formatStarts(trace, shownId),
    ...formatWalk(trace, shownId),
    "",
    ...formatConfidence(recall, true),
    formatBudget(trace, shownId),
  ].join("\n");
}

/** The same in short: which times the question is about, where the walk began and which steps it took. */
export function explainBriefly({ trace }: Recall, shownId: ShownId = String): string {
  const taken = trace.steps.filter((step) => step.taken);
  return [
    ...formatAsked(trace, shownId),
    ...(trace.starts.length === 0 ? [] : [formatStarts({ ...trace, passedOver: [] }, shownId)]),
    ...formatWalk({ ...trace, steps: taken }, shownId),
    formatBudget(trace, shownId),
  ].join("\n");
}

/** What was recalled, each memory with its time and how it was found. */
export function listRecalled({ memories, trace }: Recall, outdated: OutdatedNotes, shownId: ShownId = String): string {
  const lines = memories.flatMap(({ id, at, naturalizedTime, summary, found, fromId, score }) => {
    const how =
      found === "start" ? `start node, score ${formatNumber(score!)}` : `reached by an edge from ${shownId(fromId!)}`;
    const when = `${naturalizedTime} (${formatMoment(at, trace.timeZone)})`;
    return [
      wrap(summary, `  ${colours.green("●")} `, "    "),
      colours.dim(wrap(`${when}; ${how}`, "    ")),
      ...(outdated.has(id) ? [colours.yellow(wrap(outdated.get(id)!, "    "))] : []),
    ];
  });
  if (lines.length === 0) return "  nothing was recalled";
  const { context, seed } = trace;
  return [...lines, colours.dim(`  ${context.tokenCount} tokens of context; replay it with seed ${seed}`)].join("\n");
}

/** Whether the memory holds an answer, in words; nothing without a judge. */
export function formatConfidence({ confidence, answerable }: Recall, isExplained: boolean): string[] {
  if (confidence === null) return [];
  const verdict = answerable === true ? "an answer is probably here" : "this is probably not known";
  return [colours.dim(isExplained ? `${verdict} (confidence ${formatNumber(confidence)})` : verdict)];
}

/** The other wordings of the question, and the start nodes that match each better than the question itself. */
function formatRewriting({ rewriting, starts }: RecallTrace, shownId: ShownId): string[] {
  if (rewriting === null) return [];
  const { wordings, failure } = rewriting;
  if (failure !== null) return [colours.dim(wrap(`the question was not rewritten: ${failure}`))];
  const lines = wordings.map((wording) => {
    const ids = starts.filter((start) => start.wording === wording).map(({ id }) => shownId(id));
    return `also asked "${wording}": ${ids.length === 0 ? "no start node" : ids.join(", ")}`;
  });
  return (lines.length === 0 ? ["the question needs no other wording"] : lines).map((line) =>
    colours.dim(wrap(line, "", "  ")),
  );
}

/** The times that the question is about, and what kind of answer it asks for. */
function formatAsked(
  { timeFoci, asksForChange, asksForSeveral, spellings, judgedAs, timeZone }: RecallTrace,
  shownId: ShownId,
): string[] {
  const formatDay = (at: string | null, shiftMs: number): string =>
    at === null ? "ever" : new Intl.DateTimeFormat("en-CA", { timeZone }).format(Date.parse(at) + shiftMs);
  const lines = timeFoci.flatMap(({ words, weight, spans }) =>
    spans.map(({ from, until, share, eventId }) => {
      const event = eventId === null ? "" : `, if told by ${shownId(eventId)} (${formatNumber(share)})`;
      return `time "${words}": ${formatDay(from, 0)} to ${formatDay(until, -1)}${event}, gain up to ${formatNumber(weight)}`;
    }),
  );
  const change = asksForChange ? ["asks what has changed: recent memories gain"] : [];
  const several =
    asksForSeveral === null ? [] : [`asks for several things (${asksForSeveral}): more memories, less of each`];
  const spelt = spellings.map(({ word, variant }) => `no memory has "${word}": taken for "${variant}"`);
  const judged = judgedAs === null ? [] : [`names the person: judged as "${judgedAs}"`];
  return [...lines, ...change, ...several, ...spelt, ...judged].map((line) => colours.dim(wrap(line, "", "  ")));
}

function formatStarts(trace: Pick<RecallTrace, "starts" | "passedOver">, shownId: ShownId): string {
  const row = (start: RecallTrace["starts"][number], why: string): string[] => [
    shownId(start.id),
    why,
    formatNumber(start.score, 3),
    formatNumber(start.querySimilarity, 3),
    formatNumber(start.metaSimilarity, 3),
    formatNumber(start.metaWeight),
    formatNumber(start.lexicalCoverage, 3),
    formatNumber(start.statementCoverage, 3),
    formatNumber(start.tokenGain, 3),
    formatNumber(start.timeGain, 3),
    formatNumber(start.areaGain, 3),
    formatNumber(start.relevanceGain, 3),
    formatNumber(start.currencyGain, 3),
  ];
  const reasons = { startScoreMin: "score too low", startCountMax: "enough starts" };
  return formatFoldedTable(
    [
      "memory",
      "",
      "score",
      "S_query",
      "S_meta",
      "alpha",
      "words",
      "statement",
      "match",
      "time",
      "area",
      "judge",
      "current",
    ],
    [
      ...trace.starts.map((start) => row(start, colours.green("start"))),
      ...trace.passedOver.map((start) => row(start, colours.dim(reasons[start.reason]))),
    ],
  );
}

function formatWalk(
  { steps, limitsReached }: Pick<RecallTrace, "steps" | "limitsReached">,
  shownId: ShownId,
): string[] {
  if (steps.length === 0) return [];
  const rows = steps.map((step) => [
    `${"  ".repeat(step.depth - 1)}${shownId(step.from)} → ${shownId(step.to)}`,
    step.taken ? colours.green("taken") : colours.dim("left"),
    formatNumber(step.weight, 3),
    formatNumber(step.boostMs / msPerDay, 1),
    formatNumber(step.effectiveAgeMs / msPerDay, 1),
    formatNumber(step.decay, 3),
    formatNumber(step.probability, 3),
    formatNumber(step.draw, 3),
  ]);
  const limits = limitsReached.length === 0 ? [] : [colours.dim(`limits reached: ${limitsReached.join(", ")}`)];
  return [
    "",
    `${heading("Traversal")}  ${colours.dim("boost and effective age in days")}`,
    formatTable(["step", "", "weight", "boost", "age", "decay", "P", "draw"], rows),
    ...limits.map((line) => wrap(line, "", "  ")),
  ];
}

function formatBudget({ context, candidateCount }: RecallTrace, shownId: ShownId): string {
  const dropped = context.droppedIds.length === 0 ? "" : `; over budget: ${context.droppedIds.map(shownId).join(", ")}`;
  const { coreSummary } = context;
  const core =
    coreSummary === "included"
      ? "core summary"
      : coreSummary === "shortened"
        ? "core summary shortened"
        : `no core summary (${coreSummary})`;
  const tokens = `${context.tokenCount} of ${context.tokenBudget} tokens`;
  const memories = countOf(context.includedIds.length, "memory");
  return colours.dim(
    wrap(`${tokens}, ${memories}, ${core}${dropped}; ${countOf(candidateCount, "candidate")}`, "", "  "),
  );
}
