/** Options of every command, and the memory they open. */
import { existsSync, readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { isFilePath, openStore } from "mnemosyne-edge/internal/opening.js";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import {
  InputError,
  Mnemosyne,
  MnemosyneError,
  type MnemosyneOptions,
  type PersonMemory,
  type Preset,
  StoreError,
  defaultPath,
} from "mnemosyne-edge";
import { readVariable } from "./environment.js";
import {
  type LanguageModelSettings,
  addLanguageModelSettings,
  chooseLanguageModel,
  createLanguageModel,
} from "./language-model-settings.js";
import { colours } from "./paint.js";
import { printError, printErrorJson, startProgress } from "./terminal.js";

export interface Settings extends LanguageModelSettings {
  readonly path: string;
  readonly person: string;
  readonly json?: boolean;
  readonly keyFile?: string;
  readonly profile: string;
  readonly preset: Preset;
  readonly timeZone?: string;
  readonly set?: Readonly<Record<string, number>>;
  readonly verbose?: boolean;
}

export function addSettings(program: Command): Command {
  const path = readVariable("MNEMOSYNE_PATH") ?? defaultPath;
  const pathOption = new Option(
    "--path <file>",
    "database file, or an address: redis://host:port, postgres://host/name",
  );
  program
    .addOption(pathOption.default(path, JSON.stringify(shownPath(path))))
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
    .option("--set <name=value>", "set a parameter; repeat for more (see `mnemosyne parameters`)", collectParameter)
    .option("--verbose", "log what happens behind the scenes");
  return addLanguageModelSettings(program);
}

/** How a memory is opened, except for the language model. */
export function toOptions(settings: Settings): MnemosyneOptions {
  const { path, profile, preset, timeZone, keyFile, verbose } = settings;
  const encryptionKey = keyFile === undefined ? process.env["MNEMOSYNE_KEY"] : readKeyFile(keyFile);
  return {
    path,
    profile: profile as "general",
    preset,
    parameters: settings.set ?? {},
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
    ...(timeZone === undefined ? {} : { timeZone }),
    log: ({ level, message, id }) => {
      const about = id === undefined ? "" : ` (${id})`;
      if (verbose === true) printError(colours.dim(`${level}: ${message}${about}`));
    },
  };
}

function readKeyFile(keyFile: string): string {
  try {
    return readFileSync(keyFile, "utf8").trim();
  } catch (cause) {
    throw new InputError("option_invalid", `key file ${describeUnreadable(keyFile, cause)}`, { cause });
  }
}

/** Opens the memory, with the language model if one is configured. */
export async function openMnemosyne(settings: Settings, more: MnemosyneOptions = {}): Promise<Mnemosyne> {
  const options = { ...toOptions(settings), ...more };
  const choice = options.languageModel === undefined ? chooseLanguageModel(settings) : null;
  return Mnemosyne.open(choice === null ? options : { ...options, languageModel: createLanguageModel(choice) });
}

function printWarning(message: string, code: string, isJson: boolean): void {
  if (isJson) printErrorJson({ warning: { code, message } });
  else printError(`${colours.yellow("warning")} ${code}: ${message}`);
}

/** Only a command that stores something creates a database; for all others a mistyped path is an error. */
export type DatabaseUse = "existing" | "new or existing";

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

interface Place {
  readonly path: string;
}

/** Whether there is a memory to open. Checking does not create one. */
export async function hasDatabase({ path }: Place): Promise<boolean> {
  if (path === ":memory:" || isFilePath(path)) return path === ":memory:" || existsSync(path);
  const store = await openStore(path);
  try {
    return (await store.read("", { limit: 0 })).revision > 0 || (await store.persons({ limit: 1 })).length > 0;
  } finally {
    await store.close();
  }
}

export async function checkDatabaseExists(place: Place, remedy = createOne): Promise<void> {
  if (place.path.trim() === "" || (await hasDatabase(place))) return;
  throw new StoreError("store_missing", `no database at ${shownPath(place.path)}; ${remedy}`);
}

const createOne = "check --path, or create one with `mnemosyne commit`";

/** A path that is safe to show: without a password. */
export function shownPath(path: string): string {
  return path.replace(/(:\/\/[^@/?:]*):[^@/?]*(?=@)/u, "$1:***");
}

const pollMs = 250;

/** Waits until the queue is processed, with progress. If that fails it is still stored, and the error says so. */
export async function waitUntilProcessed(memory: PersonMemory, submitted: string): Promise<void> {
  const countQueued = async (): Promise<number> => (await memory.statistics()).outcomes.queued ?? 0;
  const total = await countQueued();
  const progress = startProgress("processing", total);
  const timer = setInterval(() => {
    countQueued().then(
      (queued) => progress.update(total - queued),
      () => {},
    );
  }, pollMs);
  try {
    await memory.settled();
  } catch (cause) {
    const reason = (cause as Error).message;
    const message = `${submitted}. It is stored, but processing failed; a later command tries again: ${reason}`;
    if (cause instanceof MnemosyneError) throw new MnemosyneError(cause.family, cause.code, message, { cause });
    throw new Error(message, { cause });
  } finally {
    clearInterval(timer);
    progress.stop();
  }
}

function collectParameter(text: string, known: Record<string, number> = {}): Record<string, number> {
  const [name, value] = text.split("=");
  if (name === undefined || value === undefined || value.trim() === "" || Number.isNaN(Number(value))) {
    throw new InvalidArgumentError("write it as name=number, e.g. --set startCountMax=5");
  }
  return { ...known, [name]: Number(value) };
}

/** An option that may be repeated. */
export function collect(text: string, others: readonly string[] = []): readonly string[] {
  return [...others, text];
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
