/** Commands that a message suggests are pasted into a shell, so they name the memory that this command was given. */
import type { Command } from "commander";
import { shownPath } from "./settings.js";

interface Place {
  readonly path: string;
  readonly person: string;
}

/** They are about a file or about everybody; another person's name would only be noise. */
const impersonal = /^(?:stats|keys)\b/u;

/** "mnemosyne --path ada.db --person ada restore knee". What the environment says, it says to the next command too. */
export function suggest(command: Command, words: string): string {
  const program = programOf(command);
  const { path, person } = program.opts<Place>();
  const isTyped = (name: keyof Place): boolean => program.getOptionValueSource(name) === "cli";
  return [
    "mnemosyne",
    // An address with a password is not shown, and without it leads nowhere.
    ...(isTyped("path") && shownPath(path) === path ? ["--path", quote(path)] : []),
    ...(isTyped("person") && !impersonal.test(words) ? ["--person", quote(person)] : []),
    words,
  ].join(" ");
}

/** What throws an error does not know how the command was called: its `mnemosyne …` is completed here. */
export function completeSuggestions(message: string, command: Command): string {
  return message.replaceAll(/`mnemosyne ([a-z][^`\n]*)`/gu, (_all, words: string) => `\`${suggest(command, words)}\``);
}

function programOf(command: Command): Command {
  return command.parent === null ? command : programOf(command.parent);
}

function quote(word: string): string {
  return /^[\w./:@%+=,-]+$/u.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
