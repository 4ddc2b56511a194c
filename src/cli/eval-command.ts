/** `mnemosyne eval`: measures the memory and what it is compared with on a data set. */
import { access, constants, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import type { Dataset } from "../eval/dataset.js";
import type { Evaluation } from "../eval/evaluation.js";
import { InputError, type Parameters } from "../index.js";
import { addJudgeCommand } from "./judge-command.js";
import { type Settings, parseWholeNumber } from "./settings.js";
import { addStudyCommand } from "./study-command.js";
import { print, printJson, startProgress } from "./terminal.js";

interface EvalOptions {
  readonly data: string;
  readonly systems: string;
  readonly cache?: string;
  readonly seed: number;
  readonly save?: string;
  readonly plot?: string;
  readonly only?: string;
}

const journeysFolder = fileURLToPath(new URL("../../benchmarks/journeys", import.meta.url));
const seedDefault = 1;

const help = `
Systems (comparison stands for the first seven, all for all of them):
  naive-rag        one vector per summary
  rag-turns        one vector per turn
  bm25             words of turns and summary
  hybrid-rrf       the three above, by reciprocal rank fusion
  long-context     everything, newest first, whatever the budget
  mnemosyne-paper  preset paper
  mnemosyne        preset default
  ablations        mnemosyne with one part left out: without-cues, without-lexical, without-s-meta,
                   without-traversal, without-decay, without-redundancy-filter, without-core-summary

--set changes a parameter of every Mnemosyne system: mnemosyne --set startCountMax=5 eval journeys`;

export function addEvalCommand(program: Command): void {
  const evaluation = program
    .command("eval")
    .description("measure the memory on a data set, beside other ways to remember");
  addOptions(evaluation.command("journeys"), "care journeys")
    .option("--data <folder>", "folder of journeys, one JSON file each", journeysFolder)
    .action((options: EvalOptions, command: Command) =>
      run(options, command, async () => (await import("../eval/journeys.js")).readJourneys(options.data)),
    );
  addOptions(evaluation.command("locomo"), "LoCoMo")
    .requiredOption("--data <file>", "the data set's file, such as locomo10.json")
    .action((options: EvalOptions, command: Command) =>
      run(options, command, async () => (await import("../eval/locomo.js")).readLocomo(options.data)),
    );
  addJudgeCommand(evaluation);
  addStudyCommand(evaluation);
}

function addOptions(command: Command, name: string): Command {
  return command
    .description(`ask the questions of ${name}, each at its own time, and score what is found`)
    .option("--systems <names>", "what to compare, with commas: names, or comparison, ablations, all", "comparison")
    .option("--only <id>", "one journey or conversation only")
    .option("--seed <number>", "for chance in recall and for the intervals", parseWholeNumber, seedDefault)
    .option("--cache <folder>", "keep vectors here; the next run takes seconds")
    .option("--save <file>", "write every question, ranking and context as JSON Lines")
    .option("--plot <file>", "draw hit rate and nDCG as an SVG file")
    .addHelpText("after", help);
}

async function run(options: EvalOptions, command: Command, read: () => Promise<Dataset>): Promise<void> {
  const settings = command.optsWithGlobals<Settings>();
  const { selectGroup } = await import("../eval/evaluation.js");
  for (const file of [options.save, options.plot]) if (file !== undefined) await checkWritable(file);
  const dataset = await read();
  const chosen = options.only === undefined ? dataset : selectGroup(dataset, options.only);
  const evaluation = await evaluateWithProgress(chosen, options, settings);
  await writeFiles(evaluation, options);
  if (settings.json === true) return printJson(evaluation.report);
  const { formatReport } = await import("./eval-report.js");
  print(formatReport(evaluation.report));
}

async function evaluateWithProgress(dataset: Dataset, options: EvalOptions, settings: Settings): Promise<Evaluation> {
  const { evaluate } = await import("../eval/evaluation.js");
  const { selectSystems } = await import("../eval/systems.js");
  const { MiniLmEmbedder } = await import("../adapters/embedder/minilm.js");
  const systems = selectSystems(options.systems.split(",").map((name) => name.trim()));
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    return await evaluate(dataset, {
      systems,
      embedder: new MiniLmEmbedder(),
      seed: options.seed,
      parameters: settings.set as Partial<Parameters>,
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

async function writeFiles(evaluation: Evaluation, { save, plot }: EvalOptions): Promise<void> {
  const { saveAudit } = await import("../eval/evaluation.js");
  const { drawChart } = await import("../eval/chart.js");
  if (save !== undefined) await saveAudit(save, evaluation);
  if (plot !== undefined) await writeFile(plot, drawChart(evaluation.report)).catch(refuseToWrite(plot));
}

/** Before an evaluation that takes minutes, not after it. */
function checkWritable(file: string): Promise<void> {
  return access(dirname(file), constants.W_OK).catch(refuseToWrite(file));
}

function refuseToWrite(file: string): (cause: Error) => never {
  return (cause) => {
    throw new InputError("option_invalid", `${file} cannot be written: ${cause.message}`, { cause });
  };
}
