/** `mnemosyne export`, `backup`, `reembed`: memories move to files and embedders. */
import { once } from "node:events";
import { Option, type Command } from "commander";
import { writeWhole } from "mnemosyne-edge/internal/files/whole-file.js";
import { exportMarkdown } from "mnemosyne-edge/import";
import { InputError, Mnemosyne, type PersonMemory } from "mnemosyne-edge";
import { colours } from "./paint.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, checkDatabaseExists, toOptions, withPerson } from "./settings.js";
import { countOf, formatBytes, output, startProgress, write } from "./terminal.js";

export function addTransferCommands(program: Command): void {
  addExport(program);
  addBackup(program);
  program
    .command("reembed")
    .description("give every memory vectors of the current embedder")
    .addHelpText("after", "\nExample:\n  mnemosyne --path mnemosyne.db reembed")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      await checkDatabaseExists(settings);
      const result = await withProgress("memories", (show) =>
        Mnemosyne.reembed(toOptions(settings), ({ doneCount, totalCount }) => show(doneCount, totalCount)),
      );
      const { memoryCount, personCount } = result;
      output(
        settings,
        result,
        `${countOf(memoryCount, "memory")} of ${countOf(personCount, "person")} embedded again.`,
      );
    });
}

interface ExportOptions extends SelectionOptions {
  readonly as: "jsonl" | "markdown";
  readonly skipDamaged?: boolean;
  readonly sealed?: boolean;
}

function addExport(program: Command): void {
  const kinds = new Option("--as <kind>", "jsonl (everything, to import again) or markdown (to read)")
    .choices(["jsonl", "markdown"])
    .default("jsonl");
  const exporting = program
    .command("export [file]")
    .description("write everything about a person as JSON Lines; to standard output by default")
    .addOption(kinds)
    .option("--skip-damaged", "write what is whole if the store is damaged")
    .option("--sealed", "encrypt it with the key of the memory, which alone can import it");
  addSelectionOptions(exporting)
    .addHelpText(
      "after",
      "\nExamples:\n  mnemosyne export ada.jsonl\n  mnemosyne export ada.jsonl --filter project=atlas --from 2025-03-01\n  mnemosyne --key-file key export --sealed ada.jsonl\n  mnemosyne export --as markdown ada.md",
    )
    .action(async (given: string | undefined, options: ExportOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { as: kind, skipDamaged = false, sealed = false } = options;
      if (skipDamaged && kind !== "jsonl") {
        throw new InputError("option_invalid", `--skip-damaged needs --as jsonl; ${kind} is made from a whole store`);
      }
      if (sealed && kind !== "jsonl") {
        throw new InputError("option_invalid", `--sealed needs --as jsonl; ${kind} is to be read`);
      }
      const file = given === "-" ? undefined : given;
      const lineCount = await withPerson(settings, (memory) => writePieces(exportAs(memory, options, settings), file));
      if (file !== undefined) output(settings, { file, lineCount }, `${lineCount} lines written to ${file}.`);
    });
}

async function* exportAs(
  memory: PersonMemory,
  { as: kind, skipDamaged = false, sealed = false, ...options }: ExportOptions,
  settings: Settings,
): AsyncGenerator<string> {
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const selection = readSelection(options);
  if (kind === "markdown") return yield* exportMarkdown(memory, { timeZone, ...selection });
  for await (const line of memory.export({ skipDamaged, sealed, ...selection })) yield `${line}\n`;
}

/** To a file, or to standard output; returns how many lines. */
async function writePieces(pieces: AsyncIterable<string>, file: string | undefined): Promise<number> {
  let lineCount = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const piece of pieces) {
      lineCount += piece.split("\n").length - 1;
      yield piece;
    }
  }
  if (file === undefined)
    for await (const piece of counted()) {
      if (!write(piece)) await once(process.stdout, "drain");
    }
  else await writeWhole(file, counted());
  return lineCount;
}

function addBackup(program: Command): void {
  program
    .command("backup <file>")
    .description("copy everybody to a new SQLite file, while others use the store")
    .option("--force", "replace the file if there is one")
    .addHelpText(
      "after",
      `
Nothing has to be stopped. The copy is checked, has the key of the original and
nothing that was forgotten, and can be read by its owner only. To restore it,
stop what uses the database, move away its files (also -wal and -shm), and put
the copy in their place. A Redis or a PostgreSQL is copied, too; to restore it,
export everybody from the copy and import them.

Examples:
  mnemosyne backup monday.db
  mnemosyne --path monday.db doctor`,
    )
    .action(async (file: string, { force: replace = false }: { force?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const { path, encryptionKey } = toOptions(settings);
      // A Redis is refused without a connection.
      await checkDatabaseExists(settings);
      const from = { path: path!, ...(encryptionKey === undefined ? {} : { encryptionKey }) };
      const report = await withProgress("bytes", (show) =>
        Mnemosyne.backup(from, file, ({ doneBytes, totalBytes }) => show(doneBytes, totalBytes), { replace }),
      );
      const { personCount, interactionCount, memoryCount, byteCount, encrypted } = report;
      const counts = `${countOf(memoryCount, "memory")} and ${countOf(interactionCount, "interaction")}, checked`;
      const key = encrypted ? ", with the key of the original" : "";
      const copied = `${countOf(personCount, "person")} backed up to ${file}, ${formatBytes(byteCount)}.`;
      output(settings, report, `${copied}\n${colours.dim(`${counts}${key}.`)}`);
    });
}

async function withProgress<Result>(
  label: string,
  work: (show: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  let progress: ReturnType<typeof startProgress> | undefined;
  try {
    return await work((done, total) => {
      progress ??= startProgress(label, total);
      progress.update(done);
    });
  } finally {
    progress?.stop();
  }
}
