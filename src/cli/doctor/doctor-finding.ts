/** What the doctor finds: a check by name, whether all is well, and how to mend it where it is not. */
import { MnemosyneError } from "../../index.js";
import { colours } from "../terminal.js";

export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** The finding that says where the memory is kept, and the one that says what leaves the device. */
export const databaseName = "database";
export const trafficName = "goes out";

export function failure(name: string, error: unknown): Finding {
  if (error instanceof MnemosyneError) return { name, ok: false, detail: `${error.code}: ${error.message}` };
  return {
    name,
    ok: false,
    detail: String(error),
    remedy: "please report this with the output of `mnemosyne doctor --json`",
  };
}

/** As long as the longest name that every doctor has; what is longer goes on after two spaces. */
const nameWidth = "language model".length;

export function formatFinding({ name, ok, detail, remedy }: Finding): string {
  const line = `${ok ? colours.green("✓") : colours.red("✗")} ${name.padEnd(nameWidth)}  ${detail}`;
  return ok || remedy === undefined ? line : `${line}\n  ${colours.yellow("mend it:")} ${remedy}`;
}
