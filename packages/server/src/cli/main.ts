#!/usr/bin/env node
/**
 * The command line `mnemosyne`. Each command parses, calls one public method and formats. Exit codes: 0 done, 1 internal
 * error, 2 invalid input, 3 not found, 4 store error, 5 model error, 6 the doctor or the audit found something.
 */
import { Command, CommanderError } from "commander";
import { describeUnwritable } from "mnemosyne-edge/internal/files/file-error.js";
import { type ErrorFamily, InputError, MnemosyneError } from "mnemosyne-edge";
import { addBackupCommand } from "./backup-command.js";
import { addChatCommand } from "./chat/chat-command.js";
import { addCommitCommand, addUnlinkCommand } from "./commit-command.js";
import { addCompletionCommand } from "./completion/completion-command.js";
import { addDemoCommand } from "./demo/demo-command.js";
import { addDoctorCommand } from "./doctor/doctor-command.js";
import { describeEnvironment, readVariable } from "./environment.js";
import { withHint } from "./error-hints.js";
import { addCoreCommands } from "./core-commands.js";
import { addForgetCommands } from "./forget-commands.js";
import { addGraphCommand } from "./graph-command.js";
import { addAuditCommand, addKeysCommand } from "./keys-command.js";
import { proseWidth, wrap } from "./layout.js";
import { addListCommand } from "./list-command.js";
import { addMcpCommand } from "./mcp-command.js";
import { addMigrateCommand } from "./migrate-command.js";
import { colours } from "./paint.js";
import { addParametersCommand } from "./parameters-command.js";
import { addRecallCommand } from "./recall-command.js";
import { addRefineCommand } from "./refine-command.js";
import { addServeCommand } from "./serve/serve-command.js";
import { addSettings } from "./settings.js";
import { addShowCommand } from "./show-command.js";
import { addStatsCommand } from "./stats-command.js";
import { completeSuggestions } from "./suggested-command.js";
import { printError, printErrorJson, write } from "./terminal.js";
import { addTransferCommands } from "./transfer-commands.js";
import { addTutorialCommand } from "./tutorial-command.js";
import { addUpdateCommand } from "./update-command.js";
import { serverVersion } from "../server/version.js";

const exitCodes: Record<ErrorFamily, number> = { input: 2, "not-found": 3, store: 4, model: 5 };
const exitCodeHelp =
  "Exit codes: 0 done, 1 internal error, 2 invalid input, 3 not found, 4 store error, 5 model error, 6 the doctor or the audit found something.";
const exitFault = 1;
const exitUsage = 2;

function createProgram(): Command {
  const program = new Command("mnemosyne")
    .description("A human-inspired long-term memory for assistants that run on the device.")
    .version(serverVersion)
    .showHelpAfterError("(try --help)")
    .configureOutput({
      writeOut: (text) => void write(text),
      getOutHelpWidth: () => proseWidth(),
      getErrHelpWidth: () => proseWidth(process.stderr),
      writeErr: (text) => printError(text.replace(/\n$/u, "")),
    })
    .exitOverride();
  addSettings(program);
  addCommitCommand(program);
  addUpdateCommand(program);
  addUnlinkCommand(program);
  addRecallCommand(program);
  addChatCommand(program);
  addServeCommand(program);
  addListCommand(program);
  addShowCommand(program);
  addStatsCommand(program);
  addParametersCommand(program);
  addCoreCommands(program);
  addGraphCommand(program);
  addForgetCommands(program);
  addTransferCommands(program);
  addMcpCommand(program);
  addMigrateCommand(program);
  addBackupCommand(program);
  addRefineCommand(program);
  addKeysCommand(program);
  addAuditCommand(program);
  addDoctorCommand(program);
  addDemoCommand(program);
  addTutorialCommand(program);
  addCompletionCommand(program);
  return program.addHelpText(
    "after",
    `
Examples:
  mnemosyne tutorial                                   two minutes, by hand
  mnemosyne demo                                       half a year, by itself
  mnemosyne commit "Ada moved to Lisbon for a new job."
  mnemosyne correct 20250108-0915 "Ada moved to Porto, not to Lisbon."
  mnemosyne recall "Where does Ada live?" --explain
  mnemosyne --person ada list --json
  mnemosyne chat --llm-url http://localhost:8080/v1 --llm-model llama-3.1-8b

An id may be cut to a beginning that no other id has.

${describeEnvironment()}

${wrap(exitCodeHelp)}`,
  );
}

const program = createProgram();

async function main(): Promise<void> {
  try {
    await program.parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUsage;
  const isJson = process.argv.includes("--json");
  if (error instanceof MnemosyneError) {
    const { code } = error;
    const message = completeSuggestions(withHint(error), program);
    if (isJson) printErrorJson({ error: { code, message } });
    else printError(`${colours.red("error")} ${code}: ${message}`);
    return exitCodes[error.family];
  }
  const message = error instanceof Error ? error.message : String(error);
  if (isJson) printErrorJson({ error: { code: "fault", message } });
  else printError(`${colours.red("error")} ${message}`);
  if (readVariable("MNEMOSYNE_DEBUG") !== undefined) printError(String((error as Error).stack));
  else if (!isJson) printError("This is an internal error; set MNEMOSYNE_DEBUG=1 for details.");
  return exitFault;
}

// A reader that has seen enough (`| head`) closes the pipe; that is not an error. Anything else is output that is missing.
process.stdout.on("error", (cause: NodeJS.ErrnoException) => {
  if (cause.code === "EPIPE") process.exit();
  process.exit(report(new InputError("option_invalid", describeUnwritable("standard output", cause), { cause })));
});
// Nowhere is left to say it; the exit code still tells.
process.stderr.on("error", () => {});

await main();
