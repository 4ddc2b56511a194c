/** What the doctor finds: the name of a check, whether it passed, and how to fix it if not. */
import { MnemosyneError } from "mnemosyne-edge";
import { wrap } from "../layout.js";
import { colours } from "../paint.js";

export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

/** Names of the findings that say where the memory is stored and what leaves the device. */
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

/** The longest name that every run has; a longer one is followed by two spaces. */
const nameWidth = "language model".length;

export function formatFinding({ name, ok, detail, remedy }: Finding): string {
  const mark = ok ? colours.green("✓") : colours.red("✗");
  const line = wrap(`${name.padEnd(nameWidth)}  ${detail}`, `${mark} `, "    ");
  return ok || remedy === undefined ? line : `${line}\n${wrap(`${colours.yellow("fix it:")} ${remedy}`, "  ", "    ")}`;
}
