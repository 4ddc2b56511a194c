/** What `mnemosyne doctor` found out, one thing at a time. */
import { MnemosyneError } from "../index.js";

export interface Finding {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

export function failure(name: string, error: unknown): Finding {
  if (error instanceof MnemosyneError) return { name, ok: false, detail: `${error.code}: ${error.message}` };
  return {
    name,
    ok: false,
    detail: String(error),
    remedy: "please report this with the output of `mnemosyne doctor --json`",
  };
}
