/** `mnemosyne eval plot`: draws reports that were saved as JSON, side by side. */
import type { Command } from "commander";
import { type Settings, parseNames } from "mnemosyne-edge-server/internal/cli/settings.js";
import { printJson, printWrapped } from "mnemosyne-edge-server/internal/cli/terminal.js";

interface PlotSettings extends Settings {
  readonly out: string;
  readonly systems?: readonly string[];
  readonly names?: readonly string[];
  readonly title?: string;
}

export function addPlotCommand(evalCommand: Command): void {
  evalCommand
    .command("plot <reports...>")
    .description("draw reports of eval journeys, eval chats and eval locomo (saved with --json), side by side")
    .requiredOption("--out <file>", "SVG file to write")
    .option("--systems <names>", "only these systems, separated by commas", parseNames)
    .option("--names <names>", "names of the data sets, one per report", parseNames)
    .option("--title <text>", "title of the chart")
    .addHelpText(
      "after",
      `
Example:
  mnemosyne eval journeys --json > journeys.json
  mnemosyne eval locomo --data locomo10.json --json > locomo.json
  mnemosyne eval plot journeys.json locomo.json --out chart.svg`,
    )
    .action(async (files: string[], _options: object, command: Command) => {
      const { out, systems, names, title, json } = command.optsWithGlobals<PlotSettings>();
      const { plotReports } = await import("../report/plot.js");
      const drawn = await plotReports(files, out, {
        ...(systems === undefined ? {} : { systems }),
        ...(names === undefined ? {} : { names }),
        ...(title === undefined ? {} : { title }),
      });
      if (json === true) printJson({ file: out, systems: drawn });
      else printWrapped(`${drawn.length} systems in ${out}: ${drawn.join(", ")}`);
    });
}
