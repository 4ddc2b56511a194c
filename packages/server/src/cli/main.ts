#!/usr/bin/env node
/** Runs the command that the shell gave. */
import { describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";
import { InputError } from "mnemosyne-edge";
import { report, run } from "./program.js";

const args = process.argv.slice(2);

// A reader that has seen enough (`| head`) closes the pipe; that is not an error. Anything else is output that is missing.
process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
  if (cause.code === "EPIPE") process.exit();
  const error = new InputError("option_invalid", describeUnwritable("standard output", cause), { cause });
  process.exit(report(error, args.includes("--json")));
});
// Nowhere is left to say it; the exit code still tells.
process.stderr.on("error", () => {});

await run(args);
