/** `mnemosyne refine`: refines, with a language model, the memories that were committed without one. */
import type { Command } from "commander";
import { type LogEvent, type Mnemosyne, ModelError, type RefiningReport } from "mnemosyne-edge";
import { createLanguageModel, requireLanguageModel } from "./language-model-settings.js";
import { colours } from "./paint.js";
import { type Settings, toOptions, withMnemosyne } from "./settings.js";
import { countOf, output, startProgress } from "./terminal.js";

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
    .action(async ({ all: isAll = false }: { all?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const languageModel = createLanguageModel(requireLanguageModel(settings));
      const options = toOptions(settings);
      let reason: string | null = null;
      const log = (event: LogEvent): void => {
        if (event.level === "warn") reason = `the last reason: ${event.message}`;
        options.log?.(event);
      };
      const refine = async (mnemosyne: Mnemosyne): Promise<PersonReport[]> =>
        refineAll(mnemosyne, isAll ? await mnemosyne.persons() : [settings.person]);
      const reports = await withMnemosyne(settings, refine, "existing", { languageModel, log });
      const sum = (count: (report: PersonReport) => number): number =>
        reports.reduce((total, report) => total + count(report), 0);
      const sums = {
        refinedCount: sum(({ refinedCount }) => refinedCount),
        failedCount: sum(({ failedIds }) => failedIds.length),
        leftCount: sum(({ leftCount }) => leftCount),
      };
      output(settings, { ...sums, persons: reports }, reports.map(describeReport).join("\n"));
      requireAll(sums.failedCount + sums.leftCount, reports.at(-1)?.gaveUpBecause ?? reason);
    });
}

async function refineAll(mnemosyne: Mnemosyne, persons: readonly string[]): Promise<PersonReport[]> {
  const reports: PersonReport[] = [];
  for (const person of persons) {
    const memory = mnemosyne.person(person);
    const gaveUpBecause = reports.at(-1)?.gaveUpBecause ?? null;
    if (gaveUpBecause !== null) {
      const { memoryCount, refinedCount } = await memory.statistics();
      reports.push({ person, refinedCount: 0, failedIds: [], leftCount: memoryCount - refinedCount, gaveUpBecause });
      continue;
    }
    let progress: ReturnType<typeof startProgress> | undefined;
    const report = memory.refine((doneCount, totalCount) => {
      progress ??= startProgress(`refining ${person}`, totalCount);
      progress.update(doneCount);
    });
    reports.push({ person, ...(await report.finally(() => progress?.stop())) });
  }
  return reports;
}

function describeReport({ person, refinedCount, failedIds, leftCount }: PersonReport): string {
  if (refinedCount + failedIds.length + leftCount === 0) return `"${person}": nothing to refine.`;
  const failed = failedIds.length === 0 ? "" : `, ${colours.yellow(`${failedIds.length} failed`)}`;
  const left = leftCount === 0 ? "" : `, ${colours.yellow(`${leftCount} not tried`)}`;
  return `"${person}": ${countOf(refinedCount, "memory")} refined${failed}${left}.`;
}

/** Partial success must not look like success. */
function requireAll(missingCount: number, reason: string | null): void {
  if (missingCount === 0) return;
  const why = reason === null ? "" : ` (${reason})`;
  const stay = missingCount === 1 ? "it stays as it was" : "they stay as they were";
  throw new ModelError(
    "language_model_failed",
    `${countOf(missingCount, "memory")} could not be refined${why}; ${stay}. Run the command again to retry`,
  );
}
