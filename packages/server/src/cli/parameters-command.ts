/** `mnemosyne parameters`: every number that controls the memory, by what it steers. */
import type { Command } from "commander";
import {
  InputError,
  type ParameterDefinition,
  type ParameterName,
  type Parameters,
  parameterDefinitions,
  parameterGroups,
  parseParameters,
} from "mnemosyne-edge";
import { wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import type { Settings } from "./settings.js";
import { print, printJson } from "./terminal.js";

interface Entry {
  readonly name: ParameterName;
  readonly group: string;
  readonly definition: ParameterDefinition;
}

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
      const settings = command.optsWithGlobals<Settings>();
      const values = parseParameters(settings.set, settings.preset);
      const entries = findParameters(search);
      if (settings.json === true) {
        return printJson(
          entries.map(({ name, group, definition }) => ({ name, value: values[name], group, ...definition })),
        );
      }
      print(formatGroups(entries, values));
    });
}

/** Those that mention every word, in the order of the groups. */
export function findParameters(search: readonly string[]): Entry[] {
  const words = search.flatMap((text) => text.toLowerCase().split(/\s+/u)).filter((word) => word !== "");
  const all = (Object.entries(parameterDefinitions) as [ParameterName, ParameterDefinition][]).map(
    ([name, definition]) => ({ name, group: groupOf(name), definition }),
  );
  const found = all.filter(({ name, group, definition }) => {
    const text = [name, group, definition.section, definition.meaning].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (found.length === 0) {
    throw new InputError(
      "parameter_unknown",
      `no parameter mentions "${search.join(" ")}"; \`mnemosyne parameters\` lists them all`,
    );
  }
  const order = parameterGroups.map(({ title }) => title);
  const rank = ({ group }: Entry): number => order.indexOf(group);
  return found.toSorted((x, y) => rank(x) - rank(y));
}

function groupOf(name: ParameterName): string {
  return parameterGroups.find(({ names }) => names.includes(name))!.title;
}

function sourceOf(group: string): string {
  return parameterGroups.find(({ title }) => title === group)?.source ?? "";
}

function formatGroups(entries: readonly Entry[], values: Parameters): string {
  const titles = [...new Set(entries.map(({ group }) => group))];
  return titles
    .map((title) => {
      const own = entries.filter(({ group }) => group === title);
      const source = sourceOf(title);
      const head = source === "" ? heading(title) : `${heading(title)}  ${colours.dim(source)}`;
      return [wrap(head, "", "  "), ...own.map((entry) => formatEntry(entry, values[entry.name]))].join("\n");
    })
    .join("\n\n");
}

function formatEntry({ name, definition }: Entry, value: number): string {
  const { default: usual, min, max, section, meaning } = definition;
  const changed = value === usual ? "" : `, ${colours.yellow(`by default ${usual}`)}`;
  const about = `${min} to ${max}; ${section}`;
  return [
    wrap(`${colours.cyan(name)} = ${value}${changed}  ${colours.dim(about)}`, "  ", "    "),
    wrap(meaning, "    "),
  ].join("\n");
}
