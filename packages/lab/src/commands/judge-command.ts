/** `mnemosyne eval judge`: has a language model answer the questions of an audit file, and judge the answers. */
import type { Command } from "commander";
import { type JudgeSettings, addJudgeSettings, answererHelp } from "./judge-settings.js";
import { judgeAndSummarize, printJudgments, requireComplete } from "./judgments.js";
import { type Settings, parseNames, parsePositive } from "mnemosyne-edge-server/internal/cli/settings.js";
import { printJson } from "mnemosyne-edge-server/internal/cli/terminal.js";

interface JudgeCommandOptions extends JudgeSettings {
  readonly out: string;
  readonly systems?: readonly string[];
  readonly limit?: number;
}

export function addJudgeCommand(evalCommand: Command): void {
  const command = evalCommand
    .command("judge <audit>")
    .description("have a language model answer the questions of an audit file, and judge the answers")
    .requiredOption("--out <file>", "audit file for answers and verdicts; an unfinished one is continued")
    .option("--systems <names>", "only these systems, e.g. mnemosyne,naive-rag", parseNames)
    .option("--limit <n>", "only the first n questions of each system", parsePositive);
  addJudgeSettings(command)
    .addHelpText(
      "after",
      `${answererHelp}
Examples:
  mnemosyne eval judge audit.jsonl --out judged.jsonl \\
    --llm-url http://localhost:8080/v1 --llm-model llama-3.1-8b
  mnemosyne eval judge audit.jsonl --out judged.jsonl --judges strict --limit 20`,
    )
    .action(async (audit: string, _options: object, command: Command) => {
      const options = command.optsWithGlobals<JudgeCommandOptions & Settings>();
      const { json, out, systems, limit } = options;
      const report = await judgeAndSummarize(audit, out, options, {
        ...(systems === undefined ? {} : { systems }),
        ...(limit === undefined ? {} : { questionCountMax: limit }),
      });
      if (json === true) printJson(report);
      else printJudgments(report);
      await requireComplete(report);
    });
}
