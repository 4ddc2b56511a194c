/** `mnemosyne parameters`: every number that controls the memory, by what it steers. */
import type { Command } from "commander";
import {
  InputError,
  type ParameterDefinition,
  type ParameterName,
  type Parameters,
  parameterDefinitions,
  parseParameters,
} from "../index.js";
import { wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import type { Settings } from "./settings.js";
import { print, printJson } from "./terminal.js";

interface Entry {
  readonly name: ParameterName;
  readonly group: string;
  readonly definition: ParameterDefinition;
}

const otherTitle = "Other";

/** In the order in which a text meets them: the first that fits a name has it. */
const groups: readonly (readonly [title: string, source: string, names: RegExp])[] = [
  ["What is kept", "substance filter; Algorithm B1", /^substance/u],
  [
    "What counts as said before",
    "redundancy and rewind; 3.1.1, Equation 1",
    /^redundancy|^temporalBonus|^rewind|^replaced|^repetition/u,
  ],
  ["What makes something outdated", "updates", /^relation|^update|^shownMemory/u],
  [
    "What a memory is made of",
    "summary, keywords, cues, edges; 3.1",
    /^edge|^keyword|^degree|^statementCount|^summary/u,
  ],
  ["When a question is about", "time in the question", /^questionTime|^lifeAnchor|^changeRecency/u],
  [
    "How the words of a question count",
    "lexical index and late interaction",
    /^lexical|^statementLexical|^spelling|^token/u,
  ],
  [
    "Where a recall starts",
    "start nodes; 3.2, Algorithm B3",
    /^meta|^statement|^questionWeight|^rewritingWeight|^candidate|^start|^severalStart|^areaWeight/u,
  ],
  ["How far a recall goes", "traversal and decay; Equation 2", /^exploration|^traversal|^recallNode|^decay/u],
  ["Whether an answer is known", "confidence", /^relevance|^answerable/u],
  ["What enters the context", "formatted context; section 3", /^speaker|^several|^coreText|^contextToken/u],
  ["What lasts", "core summary; 3.3", /^coreSummary|^cluster|^critical|^central|^entropy|^lasting|^vital/u],
  ["The language model", "if there is one", /^model|^rewriting/u],
  ["Limits and pruning", "section 3.2", /Max$|^history|^queueLease|^futureTolerance/u],
];

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
  const order = groups.map(([title]) => title);
  const rank = ({ group }: Entry): number => (order.includes(group) ? order.indexOf(group) : order.length);
  return found.toSorted((x, y) => rank(x) - rank(y));
}

function groupOf(name: string): string {
  return groups.find(([, , names]) => names.test(name))?.[0] ?? otherTitle;
}

function sourceOf(group: string): string {
  return groups.find(([title]) => title === group)?.[1] ?? "";
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
