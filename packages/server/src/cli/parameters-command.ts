/** `mnemosyne parameters`: every number that controls the memory. */
import type { Command } from "commander";
import { type ParameterName, parameterDefinitions, parseParameters } from "mnemosyne-edge";
import { wrap } from "./layout.js";
import { colours } from "./paint.js";
import type { Settings } from "./settings.js";
import { print, printJson } from "./terminal.js";

export function addParametersCommand(program: Command): void {
  program
    .command("parameters")
    .description("list parameters: value, default, range, meaning")
    .addHelpText("after", "\nExample:\n  mnemosyne --preset paper parameters")
    .action((_options: object, command: Command) => {
      const { set, preset, json } = command.optsWithGlobals<Settings>();
      const values = parseParameters(set, preset);
      const names = Object.keys(parameterDefinitions) as ParameterName[];
      const entries = names.map((name) => ({ name, value: values[name], ...parameterDefinitions[name] }));
      if (json === true) return printJson(entries);
      print(names.map((name) => formatEntry(name, values[name])).join("\n"));
    });
}

function formatEntry(name: ParameterName, value: number): string {
  const { default: usual, min, max, section, meaning } = parameterDefinitions[name];
  const changed = value === usual ? "" : `, ${colours.yellow(`by default ${usual}`)}`;
  const about = colours.dim(`${min} to ${max}; ${section}`);
  return [wrap(`${colours.cyan(name)} = ${value}${changed}  ${about}`, "  ", "    "), wrap(meaning, "    ")].join("\n");
}
