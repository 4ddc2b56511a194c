/** Options of every command, and the memory they open. */
import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import {
  InputError,
  Mnemosyne,
  MnemosyneError,
  type LanguageModel,
  type MnemosyneOptions,
  type PersonMemory,
  type Preset,
  defaultPath,
} from "mnemosyne-edge";
import { checkDatabaseExists, shownPath } from "./database.js";
import { readVariable } from "./environment.js";
import { type LanguageModelSettings, addLanguageModelSettings, findLanguageModel } from "./language-model-settings.js";
import { colours } from "./paint.js";
import { printError, printErrorJson } from "./terminal.js";

export interface Settings extends LanguageModelSettings {
  readonly path: string;
  readonly person: string;
  readonly json?: boolean;
  readonly keyFile?: string;
  readonly profile: string;
  readonly preset: Preset;
  readonly timeZone?: string;
  readonly embedder?: string;
  readonly set?: Readonly<Record<string, number>>;
  readonly verbose?: boolean;
}

export function addSettings(program: Command): Command {
  program
    .addOption(pathOption())
    .option("-p, --person <name>", "whose memory", readVariable("MNEMOSYNE_PERSON") ?? "default")
    .option("--json", "print JSON instead of text")
    .option("--key-file <file>", "file that holds the encryption key (or set MNEMOSYNE_KEY)")
    .option("--profile <name>", "domain: general or healthcare", readVariable("MNEMOSYNE_PROFILE") ?? "general")
    .option("--preset <name>", "default, or paper for the paper's own settings", "default")
    .option(
      "--time-zone <name>",
      "IANA name, such as Europe/London; the device's own by default",
      readVariable("MNEMOSYNE_TIME_ZONE"),
    )
    .option(
      "--embedder <name>",
      "fast or portable: how the bundled one runs (fast if usable by default)",
      readVariable("MNEMOSYNE_EMBEDDER"),
    )
    .option("--set <name=value>", "set a parameter; repeat for more (see `mnemosyne parameters`)", collectParameter)
    .option("--verbose", "log what happens behind the scenes");
  return addLanguageModelSettings(program);
}

function pathOption(): Option {
  const path = readVariable("MNEMOSYNE_PATH") ?? defaultPath;
  const option = new Option("--path <file>", "database file, or the address of a Redis (redis://host:port)");
  return option.default(path, JSON.stringify(shownPath(path)));
}

/** How a memory is opened, except for the language model. */
export function toOptions(settings: Settings): MnemosyneOptions {
  const encryptionKey = readKey(settings);
  return {
    path: settings.path,
    profile: settings.profile as "general",
    preset: settings.preset,
    parameters: settings.set ?? {},
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
    ...(settings.timeZone === undefined ? {} : { timeZone: settings.timeZone }),
    ...(settings.embedder === undefined ? {} : { embedder: settings.embedder as "fast" }),
    log: ({ level, message, id }) => {
      const about = id === undefined ? "" : ` (${id})`;
      if (settings.verbose === true) printError(colours.dim(`${level}: ${message}${about}`));
    },
  };
}

/** Only a command that stores something creates a database; for all others a mistyped path is an error. */
export type DatabaseUse = "existing" | "new or existing";

/** Opens the memory, with the language model if one is configured. */
export async function openMnemosyne(settings: Settings, more: MnemosyneOptions = {}): Promise<Mnemosyne> {
  const options = { ...toOptions(settings), ...more };
  const languageModel = options.languageModel ?? findModel(settings);
  return Mnemosyne.open(languageModel === null ? options : { ...options, languageModel });
}

/** The configured language model, if any; if it is unusable, a warning appears when it is first needed. */
export function findModel(settings: Settings): LanguageModel | null {
  return findLanguageModel(settings, (reason) => warnOfModel(reason, settings.json === true));
}

function warnOfModel({ message: reason }: Error, isJson: boolean): void {
  const message = `${reason}. Continuing without a language model; \`mnemosyne refine\` can do its steps later`;
  printWarning(message, "option_invalid", isJson);
}

function printWarning(message: string, code: string, isJson: boolean): void {
  if (isJson) printErrorJson({ warning: { code, message } });
  else printError(`${colours.yellow("warning")} ${code}: ${message}`);
}

/** Opens the memory, runs a command on it, and closes it whatever happens. */
export async function withMnemosyne<Result>(
  settings: Settings,
  work: (mnemosyne: Mnemosyne) => Promise<Result>,
  use: DatabaseUse = "existing",
  more: MnemosyneOptions = {},
): Promise<Result> {
  if (use === "existing") await checkDatabaseExists(settings);
  const mnemosyne = await openMnemosyne(settings, more);
  try {
    const { store } = await mnemosyne.describe();
    for (const message of store.warnings ?? []) printWarning(message, "store_failed", settings.json === true);
    return await work(mnemosyne);
  } finally {
    await mnemosyne.close();
  }
}

export function withPerson<Result>(
  settings: Settings,
  work: (memory: PersonMemory) => Promise<Result>,
  use: DatabaseUse = "existing",
): Promise<Result> {
  return withMnemosyne(settings, (mnemosyne) => work(mnemosyne.person(settings.person)), use);
}

/** Waits until what was submitted is processed. If that fails it is still stored, and the error says so. */
export async function waitUntilProcessed(settled: Promise<void>, submitted: string): Promise<void> {
  try {
    await settled;
  } catch (cause) {
    const reason = (cause as Error).message;
    const message = `${submitted}. It is stored, but processing failed; a later command tries again: ${reason}`;
    if (cause instanceof MnemosyneError) throw new MnemosyneError(cause.family, cause.code, message, { cause });
    throw new Error(message, { cause });
  }
}

function readKey({ keyFile }: Settings): string | undefined {
  return keyFile === undefined ? process.env["MNEMOSYNE_KEY"] : readKeyFile(keyFile);
}

export function readKeyFile(keyFile: string): string {
  try {
    return readFileSync(keyFile, "utf8").trim();
  } catch (cause) {
    throw new InputError("option_invalid", `key file ${describeUnreadable(keyFile, cause)}`, { cause });
  }
}

function collectParameter(text: string, known: Record<string, number> = {}): Record<string, number> {
  const [name, value] = text.split("=");
  if (name === undefined || value === undefined || value.trim() === "" || Number.isNaN(Number(value))) {
    throw new InvalidArgumentError("write it as name=number, e.g. --set startCountMax=5");
  }
  return { ...known, [name]: Number(value) };
}

/** An option's whole number. */
export function parseWholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError("it must be a whole number, 0 or more");
  return value;
}

export function parsePositive(text: string): number {
  const value = parseWholeNumber(text);
  if (value === 0) throw new InvalidArgumentError("it must be at least 1");
  return value;
}

/** Names separated by commas. */
export function parseNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}
