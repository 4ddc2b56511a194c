/** `mnemosyne refine`: refines, with a language model, the memories that were committed without one. */
import type { Command } from "commander";
import { type LogEvent, type Mnemosyne, ModelError, type RefiningReport } from "mnemosyne-edge";
import { createLanguageModel, requireLanguageModel } from "./language-model-settings.js";
import { type Settings, toOptions, withMnemosyne } from "./settings.js";
import { colours } from "./paint.js";
import { type Progress, countOf, printJson, printWrapped, startProgress } from "./terminal.js";

interface PersonReport extends RefiningReport {
  readonly person: string;
}

export function addRefineCommand(program: Command): void {
  program
    .command("refine")
    .description("refine, with a language model, the memories that were committed without one")
    .option("--all", "for everybody, not only for --person")
    .addHelpText(
      "after",
      `
A memory keeps its id, its time and its pair; nothing is discarded. A memory
that the model fails on stays as it is; run the command again to retry it. It
gives up when the model fails three times in a row or exceeds its time budget.

Examples:
  mnemosyne refine --llm-url http://localhost:8080/v1 --llm-model llama-3.1-8b
  mnemosyne refine --all --gguf model.gguf --json`,
    )
    .action(async ({ all }: { all?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const languageModel = createLanguageModel(requireLanguageModel(settings));
      const { log } = toOptions(settings);
      let reason = "";
      const noteReason = (event: LogEvent): void => {
        if (event.level === "warn") reason = event.message;
        log?.(event);
      };
      const reports = await withMnemosyne(
        settings,
        async (mnemosyne) => refineAll(mnemosyne, all === true ? await mnemosyne.persons() : [settings.person]),
        "existing",
        { languageModel, log: noteReason },
      );
      if (settings.json === true) printJson({ ...sumUp(reports), persons: reports });
      else for (const report of reports) printWrapped(describeReport(report));
      requireAll(reports, reason);
    });
}

async function refineAll(mnemosyne: Mnemosyne, persons: readonly string[]): Promise<PersonReport[]> {
  const reports: PersonReport[] = [];
  for (const person of persons) {
    const gaveUpBecause = reports.at(-1)?.gaveUpBecause ?? null;
    if (gaveUpBecause !== null) {
      const { memoryCount, refinedCount } = await mnemosyne.person(person).statistics();
      reports.push({ person, refinedCount: 0, failedIds: [], leftCount: memoryCount - refinedCount, gaveUpBecause });
      continue;
    }
    let progress: Progress | undefined;
    const onProgress = (doneCount: number, totalCount: number): void => {
      progress ??= startProgress(`refining ${person}`, totalCount);
      progress.update(doneCount);
    };
    try {
      reports.push({ person, ...(await mnemosyne.person(person).refine(onProgress)) });
    } finally {
      progress?.stop();
    }
  }
  return reports;
}

function sumUp(reports: readonly PersonReport[]): { refinedCount: number; failedCount: number; leftCount: number } {
  const sum = (count: (report: PersonReport) => number): number =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    refinedCount: sum(({ refinedCount }) => refinedCount),
    failedCount: sum(({ failedIds }) => failedIds.length),
    leftCount: sum(({ leftCount }) => leftCount),
  };
}

function describeReport({ person, refinedCount, failedIds, leftCount }: PersonReport): string {
  if (refinedCount + failedIds.length + leftCount === 0) return `"${person}": nothing to refine.`;
  const failed = failedIds.length === 0 ? "" : `, ${colours.yellow(`${failedIds.length} failed`)}`;
  const left = leftCount === 0 ? "" : `, ${colours.yellow(`${leftCount} not tried`)}`;
  return `"${person}": ${countOf(refinedCount, "memory")} refined${failed}${left}.`;
}

/** Partial success must not look like success. */
function requireAll(reports: readonly PersonReport[], reason: string): void {
  const { failedCount, leftCount } = sumUp(reports);
  const count = failedCount + leftCount;
  if (count === 0) return;
  const gaveUpBecause = reports.at(-1)!.gaveUpBecause;
  const why = gaveUpBecause ?? (reason === "" ? null : `the last reason: ${reason}`);
  throw new ModelError(
    "language_model_failed",
    `${countOf(count, "memory")} could not be refined${why === null ? "" : ` (${why})`}; ${count === 1 ? "it stays as it was" : "they stay as they were"}. Run the command again to retry`,
  );
}
