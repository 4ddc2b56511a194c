/** `mnemosyne backup`: copies the database file while others go on using it. */
import type { Command } from "commander";
import { type BackupProgress, type BackupReport, Mnemosyne } from "mnemosyne-edge";
import { isRedisUrl } from "mnemosyne-edge/internal/adapters/store/redis/options.js";
import { checkDatabaseExists } from "./database.js";
import { colours } from "./paint.js";
import { type Settings, toOptions } from "./settings.js";
import { countOf, formatBytes, print, printJson, printWrapped, startProgress } from "./terminal.js";

export function addBackupCommand(program: Command): void {
  program
    .command("backup <file>")
    .description("copy the whole database to a file, from one moment, while others use it")
    .option("--force", "replace the file if there is one")
    .addHelpText(
      "after",
      `
Nothing has to be stopped. The copy is checked, has the key of the original and
nothing that was forgotten, and can be read by its owner only. To restore it,
stop what uses the database, move away its files (also -wal and -shm), and put
the copy in their place. A Redis is backed up by its own means.

Examples:
  mnemosyne backup monday.db
  mnemosyne --path monday.db doctor`,
    )
    .action(async (file: string, options: { force?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const report = await backUp(file, options.force === true, settings);
      if (settings.json === true) printJson(report);
      else printReport(report);
    });
}

async function backUp(file: string, replace: boolean, settings: Settings): Promise<BackupReport> {
  const { path, encryptionKey } = toOptions(settings);
  // A Redis is refused without a connection.
  if (!isRedisUrl(settings.path)) await checkDatabaseExists(settings);
  let progress: ReturnType<typeof startProgress> | undefined;
  const show = ({ doneBytes, totalBytes }: BackupProgress): void => {
    progress ??= startProgress("kB", Math.ceil(totalBytes / 1000));
    progress.update(Math.ceil(doneBytes / 1000), doneBytes === totalBytes ? "checking" : "");
  };
  const from = { path: path!, ...(encryptionKey === undefined ? {} : { encryptionKey }) };
  try {
    return await Mnemosyne.backup(from, file, show, { replace });
  } finally {
    progress?.stop();
  }
}

function printReport({ file, byteCount, encrypted, ...counts }: BackupReport): void {
  const { personCount, interactionCount, memoryCount } = counts;
  printWrapped(`${countOf(personCount, "person")} backed up to ${file}, ${formatBytes(byteCount)}.`);
  const key = encrypted ? ", with the key of the original" : "";
  print(
    colours.dim(`${countOf(memoryCount, "memory")} and ${countOf(interactionCount, "interaction")}, checked${key}.`),
  );
}
