/** The completion script for fish. */
import { type TreeCommand, type TreeOption, type Values, valueFlags, whereFlags } from "./command-tree.js";

export function writeFishScript(tree: readonly TreeCommand[]): string {
  const paths = tree.map(({ path }) => path).filter((path) => path !== "");
  const skipped = valueFlags(tree).filter((flag) => !whereFlags.includes(flag));
  const [program] = tree;
  return `# Completion of mnemosyne in fish: mnemosyne completion fish > ~/.config/fish/completions/mnemosyne.fish
function __mnemosyne_at
    set -l at ""
    set -l isValue 0
    for word in (commandline -opc)[2..-1]
        if test $isValue = 1
            set isValue 0
            continue
        end
        switch $word
            case ${[...whereFlags, ...skipped].join(" ")}
                set isValue 1
            case '-*'
            case '*'
                switch "$at/$word"
                    case ${paths.join(" ")}
                        set at "$at/$word"
                end
        end
    end
    test "$at" = "$argv[1]"
end
function __mnemosyne_values
    set -l typed (commandline -opc)
    set -l where
    set -l isValue 0
    for word in $typed[2..-1]
        if test $isValue = 1
            set -a where $word
            set isValue 0
        else if contains -- $word ${whereFlags.join(" ")}
            set -a where $word
            set isValue 1
        end
    end
    test $isValue = 1; and set -e where[-1]
    $typed[1] $where completion --values $argv[1] 2>/dev/null
end
complete -c mnemosyne -f
${program!.options.map((option) => writeOption(option, null)).join("\n")}
${tree.flatMap(writeCommand).join("\n")}
`;
}

function writeCommand({ path, commands, options, values }: TreeCommand): string[] {
  return [
    ...commands.map(({ name, description }) => `${start(path)} -a ${name} -d ${quote(description)}`),
    ...(path === "" ? [] : options.map((option) => writeOption(option, path))),
    ...(values === null || commands.length > 0 ? [] : [`${start(path)} ${take(values)}`]),
  ];
}

function start(path: string | null): string {
  return path === null ? "complete -c mnemosyne" : `complete -c mnemosyne -n ${quote(`__mnemosyne_at "${path}"`)}`;
}

/** `path`: of the one command that has it; null for every command. */
function writeOption({ flags, description, values }: TreeOption, path: string | null): string {
  const names = flags.map((flag) => (flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = values === null ? "" : ` -r ${take(values)}`;
  return `${start(path)} ${names.join(" ")}${value} -d ${quote(description)}`;
}

function take(values: Values): string {
  if (values.kind === "files") return "-F";
  if (values.kind === "words") return `-f -a ${quote(values.words.join(" "))}`;
  return `-f -a '(__mnemosyne_values ${values.kind})'`;
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
