/** `mnemosyne parameters`: every number that controls the memory, by what it steers. */
import type { Command } from "commander";
import { type ParameterName, parameterDefinitions, parameterGroups, parseParameters } from "mnemosyne-edge";
import { wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import type { Settings } from "./settings.js";
import { print, printJson } from "./terminal.js";

export function addParametersCommand(program: Command): void {
  program
    .command("parameters")
    .description("list parameters by what they steer: value, default, range, meaning")
    .addHelpText("after", "\nExample:\n  mnemosyne --preset paper parameters")
    .action((_options: object, command: Command) => {
      const { set, preset, json } = command.optsWithGlobals<Settings>();
      const values = parseParameters(set, preset);
      const entries = parameterGroups.flatMap(({ title, names }) =>
        names.map((name) => ({ name, value: values[name], group: title, ...parameterDefinitions[name] })),
      );
      if (json === true) return printJson(entries);
      const shown = parameterGroups.map(({ title, source = "", names }) => {
        const head = wrap(`${heading(title)}  ${colours.dim(source)}`, "", "  ");
        return [head, ...names.map((name) => formatEntry(name, values[name]))].join("\n");
      });
      print(shown.join("\n\n"));
    });
}

function formatEntry(name: ParameterName, value: number): string {
  const { default: usual, min, max, section, meaning } = parameterDefinitions[name];
  const changed = value === usual ? "" : `, ${colours.yellow(`by default ${usual}`)}`;
  const about = colours.dim(`${min} to ${max}; ${section}`);
  return [wrap(`${colours.cyan(name)} = ${value}${changed}  ${about}`, "  ", "    "), wrap(meaning, "    ")].join("\n");
}
