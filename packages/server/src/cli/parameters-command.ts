/** `mnemosyne parameters`: every number that controls the memory, by what it steers. */
import type { Command } from "commander";
import { InputError, type ParameterName, parameterDefinitions, parameterGroups, parseParameters } from "mnemosyne-edge";
import { wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import type { Settings } from "./settings.js";
import { print, printJson } from "./terminal.js";

export function addParametersCommand(program: Command): void {
  program
    .command("parameters [search...]")
    .description("list parameters by what they steer: value, default, range, meaning")
    .addHelpText(
      "after",
      `
With words to search for, only the parameters that mention all of them.

Examples:
  mnemosyne parameters decay
  mnemosyne --preset paper parameters start nodes`,
    )
    .action((search: string[], _options: object, command: Command) => {
      const { set, preset, json } = command.optsWithGlobals<Settings>();
      const values = parseParameters(set, preset);
      const groups = findParameters(search);
      const entries = groups.flatMap(({ title, names }) =>
        names.map((name) => ({ name, value: values[name], group: title, ...parameterDefinitions[name] })),
      );
      if (json === true) return printJson(entries);
      const shown = groups.map(({ title, source = "", names }) => {
        const head = wrap(`${heading(title)}  ${colours.dim(source)}`, "", "  ");
        return [head, ...names.map((name) => formatEntry(name, values[name]))].join("\n");
      });
      print(shown.join("\n\n"));
    });
}

/** The groups, each with those of its parameters that mention every word. */
function findParameters(search: readonly string[]): { title: string; source?: string; names: ParameterName[] }[] {
  const words = search.flatMap((text) => text.toLowerCase().split(/\s+/u)).filter((word) => word !== "");
  const mentions = (title: string, name: ParameterName): boolean => {
    const { section, meaning } = parameterDefinitions[name];
    const text = [name, title, section, meaning].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const groups = parameterGroups
    .map((group) => ({ ...group, names: group.names.filter((name) => mentions(group.title, name)) }))
    .filter(({ names }) => names.length > 0);
  if (groups.length > 0) return groups;
  const message = `no parameter mentions "${search.join(" ")}"; \`mnemosyne parameters\` lists them all`;
  throw new InputError("parameter_unknown", message);
}

function formatEntry(name: ParameterName, value: number): string {
  const { default: usual, min, max, section, meaning } = parameterDefinitions[name];
  const changed = value === usual ? "" : `, ${colours.yellow(`by default ${usual}`)}`;
  const about = colours.dim(`${min} to ${max}; ${section}`);
  return [wrap(`${colours.cyan(name)} = ${value}${changed}  ${about}`, "  ", "    "), wrap(meaning, "    ")].join("\n");
}
