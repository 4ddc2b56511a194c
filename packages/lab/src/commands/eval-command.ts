/** `mnemosyne eval`: measures the memory, and the systems it is compared with, on a data set. */
import { fileURLToPath } from "node:url";
import { type Command, Option } from "commander";
import type { Dataset } from "../data/dataset.js";
import type { LocomoOptions } from "../data/locomo.js";
import type { RecordedReplies } from "../data/recorded-replies.js";
import type { Evaluation } from "../evaluation.js";
import { ablationNames, compareWithoutModel, mnemosyneName } from "../systems/mnemosyne-systems.js";
import { InputError, type Parameters } from "mnemosyne-edge";
import { addJudgeCommand } from "./judge-command.js";
import { type JudgeSettings, addJudgeSettings, answererHelp } from "./judge-settings.js";
import {
  type JudgmentReport,
  checkJudgeSettings,
  judgeAndSummarize,
  printJudgments,
  requireComplete,
} from "./judgments.js";
import { addPlotCommand } from "./plot-command.js";
import { type Settings, parseNames, parseWholeNumber } from "mnemosyne-edge-server/internal/cli/settings.js";
import { addStudyCommand } from "./study-command.js";
import { wrap } from "mnemosyne-edge-server/internal/cli/layout.js";
import { print, printJson, startProgress } from "mnemosyne-edge-server/internal/cli/terminal.js";
import { addTrustCommand } from "./trust-command.js";
import { checkWritable } from "./writable-file.js";

interface EvalOptions extends JudgeSettings {
  readonly systems: readonly string[];
  readonly cache?: string;
  readonly seed: number;
  readonly save?: string;
  readonly plot?: string;
  readonly only?: string;
  readonly llm?: boolean;
  readonly recorded?: string;
}

const journeysFolder = fileURLToPath(new URL("../../benchmarks/journeys", import.meta.url));
const chatsFolder = fileURLToPath(new URL("../../benchmarks/chats", import.meta.url));
const seedDefault = 1;

const help = `
Systems (comparison means the first eight, all means all of them):
  naive-rag                  one vector per summary, or per session without one
  rag-turns                  one vector per turn
  bm25                       words of turns and summary
  hybrid-rrf                 the three above, by reciprocal rank fusion
  long-context               everything, newest first, regardless of the budget
  mnemosyne-paper            preset paper without its minimum start score, which
                             is on the scale of another embedder's cosines
  mnemosyne-paper-strict     preset paper as it is
  mnemosyne                  preset default
  ablations                  mnemosyne, and variants with one part changed or
                             left out:
${wrap(ablationNames.join(", "), " ".repeat(29))}
                             (those without effect are omitted)

--recorded also measures the first three mnemosyne systems without a model, as
mnemosyne-without-model and so on; without --systems it compares
mnemosyne-paper and mnemosyne.

--set changes a parameter of every Mnemosyne system.
`;

const examples: Readonly<Record<string, string>> = {
  journeys: `
Examples:
  mnemosyne eval journeys --systems naive-rag,mnemosyne --cache vectors
  mnemosyne --set startCountMax=5 eval journeys`,
  chats: `
Example:
  mnemosyne eval chats --systems naive-rag,mnemosyne --cache vectors`,
  locomo: `
Example:
  mnemosyne eval locomo --data locomo10.json --turns-only`,
};

export function addEvalCommand(program: Command): void {
  const evaluation = program
    .command("eval")
    .description("measure the memory on a data set, compared with other systems")
    .addHelpText("after", "\nExample:\n  mnemosyne eval journeys --cache vectors");
  addOptions(evaluation.command("journeys"), "care journeys")
    .option("--data <folder>", "folder of journeys, one JSON file each", journeysFolder)
    .option(
      "--recorded <file>",
      "recorded replies of a language model for one journey: measures that journey with them and without a model",
    )
    .action((options: EvalOptions & { readonly data: string }, command: Command) =>
      run(options, command, async () => (await import("../data/journeys.js")).readJourneys(options.data)),
    );
  addOptions(evaluation.command("chats"), "chats, which have no summaries")
    .argument("[files...]", "JSON files, each a list of chats; by default those of benchmarks/chats")
    .action((files: string[], options: EvalOptions, command: Command) =>
      run(options, command, async () => {
        const { readChats } = await import("../data/chats.js");
        const { listJsonFiles } = await import("../data/json-files.js");
        return readChats(files.length > 0 ? files : await listJsonFiles(chatsFolder, "chat"));
      }),
    );
  addOptions(evaluation.command("locomo"), "LoCoMo")
    .requiredOption("--data <file>", "the data set's file, such as locomo10.json")
    .option("--turns-only", "without the summaries of the sessions, as in real chats")
    .action((options: EvalOptions & { readonly data: string } & LocomoOptions, command: Command) =>
      run(options, command, async () => (await import("../data/locomo.js")).readLocomo(options.data, options)),
    );
  addTrustCommand(evaluation);
  addJudgeCommand(evaluation);
  addPlotCommand(evaluation);
  addStudyCommand(evaluation);
}

function addOptions(command: Command, name: string): Command {
  command
    .description(`ask the questions of ${name}, each at its own time, and score what is found`)
    .addOption(
      new Option("--systems <names>", "what to compare, separated by commas: names, or comparison, ablations, all")
        .argParser(parseNames)
        .default(["comparison"], "comparison"),
    )
    .option("--only <id>", "only this journey, conversation or chat")
    .option("--seed <number>", "seed of the draws in recall and of the intervals", parseWholeNumber, seedDefault)
    .option("--cache <folder>", "cache vectors here, so that the next run takes seconds")
    .option("--save <file>", "write every question, ranking and context as JSON Lines")
    .option("--plot <file>", "draw hit rate and nDCG as an SVG file")
    .option("--llm", "then have a language model answer from what was found, and judge the answers; needs --save");
  addJudgeSettings(command.optionsGroup("With --llm:"));
  return command.optionsGroup("Options:").addHelpText("after", `${answererHelp}${help}${examples[command.name()]!}`);
}

async function run(options: EvalOptions, command: Command, read: () => Promise<Dataset>): Promise<void> {
  const settings = command.optsWithGlobals<Settings>();
  const { saveAudit, selectGroup } = await import("../evaluation.js");
  const judge = await prepareJudge({ ...options, ...settings });
  for (const file of [options.save, options.plot]) if (file !== undefined) await checkWritable(file);
  const dataset = await read();
  const { readRecordedReplies } = await import("../data/recorded-replies.js");
  const replies = options.recorded === undefined ? null : await readRecordedReplies(options.recorded);
  const only = options.only ?? replies?.journey;
  const chosen = only === undefined ? dataset : selectGroup(dataset, only);
  const isComparison = command.getOptionValueSource("systems") === "default";
  const systems = replies !== null && isComparison ? comparedWithReplies : options.systems;
  const evaluation = await evaluateWithProgress(chosen, replies, { ...options, systems }, settings);
  if (options.save !== undefined) await saveAudit(options.save, evaluation);
  if (options.plot !== undefined) await plot(evaluation, options.plot);
  if (settings.json === true) await reportAsJson(evaluation, judge);
  else await reportAsText(evaluation, judge);
}

/** Judges the audit once it is saved. */
type Judge = () => Promise<JudgmentReport>;

/** Refuses what cannot be judged before an evaluation that takes minutes. Null without --llm. */
async function prepareJudge(options: EvalOptions): Promise<Judge | null> {
  if (options.llm !== true) return null;
  const { save } = options;
  if (save === undefined) {
    throw new InputError(
      "option_invalid",
      "--llm needs --save <file>: answers and verdicts are saved next to the audit, and the same command continues from there",
    );
  }
  await checkJudgeSettings(options);
  return () => judgeAndSummarize(save, judgedPath(save), options);
}

/** One object; the measurements are printed even if judging fails. */
async function reportAsJson({ report }: Evaluation, judge: Judge | null): Promise<void> {
  let judged: JudgmentReport | undefined;
  try {
    judged = await judge?.();
  } finally {
    printJson({ ...report, ...judged });
  }
  if (judged !== undefined) await requireComplete(judged);
}

async function reportAsText({ report }: Evaluation, judge: Judge | null): Promise<void> {
  const { formatReport } = await import("./eval-report.js");
  print(formatReport(report));
  if (judge === null) return;
  const judged = await judge();
  print();
  printJudgments(judged);
  await requireComplete(judged);
}

/** "audit.jsonl" is judged into "audit.judged.jsonl". */
function judgedPath(audit: string): string {
  return `${audit.replace(/\.jsonl$/u, "")}.judged.jsonl`;
}

const comparedWithReplies: readonly string[] = ["mnemosyne-paper", mnemosyneName];

async function evaluateWithProgress(
  dataset: Dataset,
  replies: RecordedReplies | null,
  options: EvalOptions,
  settings: Settings,
): Promise<Evaluation> {
  const { evaluate } = await import("../evaluation.js");
  const { selectSystems } = await import("../systems/systems.js");
  const { createEmbedder } = await import("mnemosyne-edge/internal/adapters/embedder/by-name.js");
  const parameters = (settings.set ?? {}) as Partial<Parameters>;
  const selected = selectSystems(options.systems, parameters);
  const systems = replies === null ? selected : compareWithoutModel(selected);
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    return await evaluate(dataset, {
      systems,
      embedder: createEmbedder(settings.embedder as "fast" | undefined),
      seed: options.seed,
      parameters,
      ...(replies === null ? {} : { replies }),
      ...(options.cache === undefined ? {} : { cacheFolder: options.cache }),
      onProgress: (doneCount, totalCount, note) => {
        progress ??= startProgress("measuring", totalCount);
        progress.update(doneCount, note);
      },
    });
  } finally {
    progress?.stop();
  }
}

async function plot({ report }: Evaluation, file: string): Promise<void> {
  const { drawChart } = await import("../report/chart.js");
  const { writeWhole } = await import("mnemosyne-edge/internal/files/whole-file.js");
  await writeWhole(file, [drawChart([report])], "everybody");
}
