/** `mnemosyne migrate`: copies everybody from one store to another. */
import type { Command } from "commander";
import {
  InputError,
  type MigrationProgress,
  type MigrationReport,
  Mnemosyne,
  type StoreOptions,
  describeDamage,
} from "mnemosyne-edge";
import { checkDatabaseExists, shownPath } from "./database.js";
import { type Settings, readKeyFile } from "./settings.js";
import { wrap } from "./layout.js";
import { colours } from "./paint.js";
import { countOf, print, printError, printJson, printWrapped, startProgress } from "./terminal.js";

interface MigrateSettings extends Settings {
  readonly from: string;
  readonly to: string;
  readonly fromKeyFile?: string;
  readonly toKeyFile?: string;
  readonly skipDamaged?: boolean;
}

const exitStore = 4;

export function addMigrateCommand(program: Command): void {
  program
    .command("migrate")
    .description("copy everybody from one store to another, checked; run it again to continue")
    .requiredOption("--from <path>", "store to read: a database file or a URL")
    .requiredOption("--to <path>", "store to write: a database file or a URL")
    .option("--from-key-file <file>", "file that holds the encryption key of --from")
    .option("--to-key-file <file>", "file that holds the encryption key of --to")
    .option("--skip-damaged", "copy what is whole from a store that is damaged")
    .addHelpText(
      "after",
      `
Every copy is compared with its source, byte for byte. People who are already
in --to are never overwritten. First stop whatever commits to --from.

Example:
  mnemosyne migrate --from mnemosyne.db --to copy.db`,
    )
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<MigrateSettings>();
      checkKeys(settings);
      await checkDatabaseExists({ path: settings.from }, "check --from");
      const report = await migrate(settings);
      if (settings.json === true) printJson(report);
      else printReport(report, settings);
      if (report.differentPersons.length > 0) process.exitCode = exitStore;
    });
}

function checkKeys({ keyFile, fromKeyFile, toKeyFile, json }: MigrateSettings): void {
  if (keyFile !== undefined) {
    throw new InputError("option_invalid", "two stores have two keys; use --from-key-file and --to-key-file");
  }
  if (fromKeyFile === undefined || toKeyFile !== undefined || json === true) return;
  const message = "--from has a key and --to has none: what was encrypted is written without encryption";
  printError(`${colours.yellow("warning")}: ${message}`);
}

async function migrate(settings: MigrateSettings): Promise<MigrationReport> {
  const { from, to, fromKeyFile, toKeyFile, skipDamaged = false } = settings;
  let progress: ReturnType<typeof startProgress> | undefined;
  const show = ({ doneCount, totalCount }: MigrationProgress): void => {
    progress ??= startProgress("people", totalCount);
    progress.update(doneCount);
  };
  try {
    return await Mnemosyne.migrate(storeAt(from, fromKeyFile), storeAt(to, toKeyFile), show, { skipDamaged });
  } finally {
    progress?.stop();
  }
}

/** The key of one store is not tried on the other. */
function storeAt(path: string, keyFile: string | undefined): StoreOptions {
  return { path, ...(keyFile === undefined ? {} : { encryptionKey: readKeyFile(keyFile) }) };
}

function printReport(report: MigrationReport, settings: MigrateSettings): void {
  const to = shownPath(settings.to);
  const { migratedCount, knownCount, differentPersons, memoryCount, interactionCount, damage } = report;
  const known = knownCount === 0 ? "" : `, ${knownCount} already there`;
  printWrapped(`${countOf(migratedCount, "person")} migrated to ${to}${known}.`);
  print(colours.dim(`${countOf(memoryCount, "memory")} and ${countOf(interactionCount, "interaction")}, checked.`));
  if (damage.length > 0) {
    print(colours.yellow("Damaged in the source, and left out or made again from what is whole:"));
    for (const each of damage) print(wrap(describeDamage(each), "  "));
  }
  if (differentPersons.length === 0) return;
  printWrapped(
    colours.yellow(`Not copied, because they are already in ${to} and differ: ${differentPersons.join(", ")}`),
  );
}
