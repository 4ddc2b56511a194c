/**
 * The command line `mnemosyne`. Each command parses, calls one public method and formats. Exit codes: 0 done, 1 internal
 * error, 2 invalid input, 3 not found, 4 store error, 5 model error, 6 the doctor found something.
 */
import { Command, CommanderError } from "commander";
import { serverVersion } from "../server/version.js";
import { type ErrorCode, type ErrorFamily, MnemosyneError } from "mnemosyne-edge";
import { addChatCommand } from "./chat-command.js";
import { addCommitCommands } from "./commit-command.js";
import { addCoreCommands } from "./core-commands.js";
import { addDoctorCommand } from "./doctor-command.js";
import { describeEnvironment, readVariable } from "./environment.js";
import { addForgetCommands } from "./forget-commands.js";
import { addImportCommand } from "./import-command.js";
import { addKeysCommand } from "./keys-command.js";
import { proseWidth, wrap } from "./layout.js";
import { addListCommand } from "./list-command.js";
import { addMcpCommand } from "./mcp-command.js";
import { colours } from "./paint.js";
import { addParametersCommand } from "./parameters-command.js";
import { addRecallCommand } from "./recall-command.js";
import { addRefineCommand } from "./refine-command.js";
import { addServeCommand } from "./serve-command.js";
import { addSettings } from "./settings.js";
import { addShowCommand } from "./show-command.js";
import { printError, printErrorJson, write } from "./terminal.js";
import { addTransferCommands } from "./transfer-commands.js";

const exitCodes: Record<ErrorFamily, number> = { input: 2, "not-found": 3, store: 4, model: 5 };
const exitCodeHelp =
  "Exit codes: 0 done, 1 internal error, 2 invalid input, 3 not found, 4 store error, 5 model error, 6 the doctor found something.";
const exitFault = 1;
const exitUsage = 2;

/** Commands that help after an error. */
const hints: Readonly<Partial<Record<ErrorCode, string>>> = {
  unknown_person: "; `mnemosyne doctor` names everybody",
  unknown_id: "; `mnemosyne list --history` shows all ids",
};

const commands = [
  addCommitCommands,
  addRecallCommand,
  addChatCommand,
  addServeCommand,
  addListCommand,
  addShowCommand,
  addParametersCommand,
  addCoreCommands,
  addForgetCommands,
  addImportCommand,
  addTransferCommands,
  addMcpCommand,
  addRefineCommand,
  addKeysCommand,
  addDoctorCommand,
];

export function createProgram(): Command {
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
  for (const add of commands) add(program);
  return program.addHelpText(
    "after",
    `
Examples:
  mnemosyne serve --demo                               half a year of talk, to look at
  mnemosyne commit "Ada moved to Lisbon for a new job."
  mnemosyne commit "Ada moved to Porto, not to Lisbon." --updates 20250108-0915
  mnemosyne recall "Where does Ada live?" --explain
  mnemosyne --person ada list --json
  mnemosyne chat --llm-url http://localhost:8080/v1 --llm-model llama-3.1-8b

An id may be cut to a beginning that no other id has. A statement of a memory is
named by its number there, as \`mnemosyne show\` lists it: 20250108-0915#0.

${describeEnvironment()}

${wrap(exitCodeHelp)}`,
  );
}

/** Runs one command; errors are printed, and process.exitCode is set. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = report(error, args.includes("--json"));
  }
}

/** Prints an error, and returns the exit code. */
export function report(error: unknown, isJson: boolean): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitUsage;
  const { code, exitCode } =
    error instanceof MnemosyneError
      ? { code: error.code, exitCode: exitCodes[error.family] }
      : { code: "fault", exitCode: exitFault };
  const said = error instanceof Error ? error.message : String(error);
  const message = said + (hints[code as ErrorCode] ?? "");
  if (isJson) printErrorJson({ error: { code, message } });
  else printError(`${colours.red("error")} ${code}: ${message}`);
  if (exitCode !== exitFault) return exitCode;
  if (readVariable("MNEMOSYNE_DEBUG") !== undefined) printError(String((error as Error).stack));
  else if (!isJson) printError("This is an internal error; set MNEMOSYNE_DEBUG=1 for details.");
  return exitCode;
}
