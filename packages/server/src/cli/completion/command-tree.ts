/** What can be typed, as data: every command with its options and what they take, from the commands themselves. */
import type { Command, Option } from "commander";
import { parameterDefinitions, presets, profiles } from "mnemosyne-edge";

/** Where the words come from that complete a value: known beforehand, from the memory, or files. */
export type Values =
  { readonly kind: "words"; readonly words: readonly string[] } | { readonly kind: "persons" | "ids" | "files" };

export interface TreeOption {
  /** "--person" and, if there is one, "-p". */
  readonly flags: readonly string[];
  readonly description: string;
  /** Null if it takes none. */
  readonly values: Values | null;
}

export interface TreeCommand {
  /** "/eval/journeys"; empty for the program itself. */
  readonly path: string;
  readonly description: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  /** Without those of every command, which are the program's own. */
  readonly options: readonly TreeOption[];
  /** Of its arguments; null if it takes none. */
  readonly values: Values | null;
}

/** Options whose values a command checks itself. */
const knownWords: Readonly<Record<string, readonly string[]>> = {
  "--profile": Object.keys(profiles),
  "--preset": presets,
  "--embedder": ["fast", "portable"],
  "--set": Object.keys(parameterDefinitions).map((name) => `${name}=`),
  "--judges": ["strict", "lenient"],
};

const idNames = /^(?:id|ids|outdated-id|id-or-text)$/u;

/** The program first, then each command before its own. */
export function readTree(program: Command): TreeCommand[] {
  const read = (command: Command, path: string): TreeCommand[] => {
    const children = command.commands;
    const argument = command.registeredArguments[0];
    return [
      {
        path,
        description: command.description(),
        commands: children.map((child) => ({ name: child.name(), description: child.description() })),
        options: visibleOptions(command)
          .filter((option) => command === program || !isHelp(option))
          .map(readOption),
        values: argument === undefined ? null : valuesOf(argument.name(), argument.argChoices),
      },
      ...children.flatMap((child) => read(child, `${path}/${child.name()}`)),
    ];
  };
  return read(program, "");
}

/** Every flag that takes a value; a word behind it is not a command. */
export function valueFlags(tree: readonly TreeCommand[]): string[] {
  const options = tree.flatMap((command) => command.options).filter(({ values }) => values !== null);
  return [...new Set(options.flatMap(({ flags }) => flags))];
}

/** Flags that say where the memory is, which a script passes on when it calls back. */
export const whereFlags: readonly string[] = ["--path", "--person", "-p", "--key-file"];

function visibleOptions(command: Command): Option[] {
  return command.createHelp().visibleOptions(command).toSorted(byName);
}

/** Every command has its own --help; it is listed once. */
function isHelp({ long }: Option): boolean {
  return long === "--help";
}

function byName(x: Option, y: Option): number {
  return x.name() < y.name() ? -1 : 1;
}

function readOption(option: Option): TreeOption {
  const { long, short, required, optional, argChoices, description } = option;
  const [, name = ""] = /<([^<>]+)>/u.exec(option.flags) ?? [];
  const words = knownWords[long ?? ""];
  const values = words === undefined ? valuesOf(long === "--person" ? "person" : name, argChoices) : asWords(words);
  return {
    flags: [long, short].filter((flag) => flag != null),
    description,
    values: required || optional ? values : null,
  };
}

function valuesOf(name: string, choices: readonly string[] | undefined): Values {
  if (choices !== undefined) return asWords(choices);
  if (name === "person") return { kind: "persons" };
  return { kind: idNames.test(name) ? "ids" : "files" };
}

function asWords(words: readonly string[]): Values {
  return { kind: "words", words };
}
