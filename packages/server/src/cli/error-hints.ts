/** An error on the command line: its message, and a command that helps, if there is one. */
import type { ErrorCode, MnemosyneError } from "mnemosyne-edge";

const hints: Readonly<Partial<Record<ErrorCode, string>>> = {
  unknown_person: "`mnemosyne stats` lists everybody",
  unknown_id: "`mnemosyne list --history` shows all ids",
};

export function withHint({ code, message }: MnemosyneError): string {
  const hint = hints[code];
  return hint === undefined ? message : `${message}; ${hint}`;
}
