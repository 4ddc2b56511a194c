/** `mnemosyne refine`: refines, with a language model, the memories that were committed without one. */
import type { Command } from "commander";
import { type Mnemosyne, ModelError, type RefiningReport } from "mnemosyne-edge";
import { createLanguageModel, requireLanguageModel } from "./language-model-settings.js";
import { colours } from "./paint.js";
import { type Settings, withMnemosyne } from "./settings.js";
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
      const refine = async (mnemosyne: Mnemosyne): Promise<PersonReport[]> =>
        refineAll(mnemosyne, isAll ? await mnemosyne.persons() : [settings.person]);
      const reports = await withMnemosyne(settings, refine, "existing", { languageModel });
      output(settings, reports, reports.map(describeReport).join("\n"));
      requireAll(reports);
    });
}

/** Nobody else is tried once the model was given up. */
async function refineAll(mnemosyne: Mnemosyne, persons: readonly string[]): Promise<PersonReport[]> {
  const reports: PersonReport[] = [];
  for (const person of persons) {
    let progress: ReturnType<typeof startProgress> | undefined;
    const onProgress = (doneCount: number, totalCount: number): void => {
      progress ??= startProgress(`refining ${person}`, totalCount);
      progress.update(doneCount);
    };
    const report = mnemosyne.person(person).refine({ onProgress });
    reports.push({ person, ...(await report.finally(() => progress?.stop())) });
    if (reports.at(-1)!.gaveUpBecause !== null) break;
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
function requireAll(reports: readonly PersonReport[]): void {
  const missing = reports.reduce((sum, { failedIds, leftCount }) => sum + failedIds.length + leftCount, 0);
  if (missing === 0) return;
  const reason = reports.at(-1)!.gaveUpBecause;
  const message = `${countOf(missing, "memory")} not refined${reason === null ? "" : ` (${reason})`}; run the command again to retry`;
  throw new ModelError("language_model_failed", message);
}
