/** `mnemosyne export`, `import`, `reembed`: move memories between files and embedders. */
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import { writeWhole } from "mnemosyne-edge/internal/files/whole-file.js";
import {
  type ImportResult,
  InputError,
  Mnemosyne,
  type PersonMemory,
  type PersonStatistics,
  type ReembeddingProgress,
} from "mnemosyne-edge";
import { checkDatabaseExists } from "./database.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, toOptions, waitUntilProcessed, withPerson } from "./settings.js";
import { exportMarkdown, exportMem0 } from "mnemosyne-edge/import";
import { type ImportOptions, importFrom } from "./import-command.js";
import { showProcessing } from "./queue-progress.js";
import { colours } from "./paint.js";
import { countOf, print, printJson, printWrapped, startProgress, write } from "./terminal.js";

const exportKinds = ["jsonl", "markdown", "mem0"] as const;

type ExportKind = (typeof exportKinds)[number];

export function addTransferCommands(program: Command): void {
  const exporting = program
    .command("export [file]")
    .description("write everything about a person as JSON Lines; to standard output by default")
    .option("--as <kind>", "jsonl (everything, to import again), markdown (to read), or mem0 (its memories)", "jsonl")
    .option("--skip-damaged", "write what is whole if the store is damaged");
  addSelectionOptions(exporting)
    .addHelpText(
      "after",
      "\nExamples:\n  mnemosyne export ada.jsonl\n  mnemosyne export ada.jsonl --filter project=atlas --from 2025-03-01\n  mnemosyne export --as markdown ada.md",
    )
    .action(async (given: string | undefined, options: ExportOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      checkExportOptions(options);
      const file = given === "-" ? undefined : given;
      const write = (memory: PersonMemory): Promise<number> => writePieces(exportAs(memory, options, settings), file);
      const lineCount = await withPerson(settings, write);
      if (file !== undefined) {
        if (settings.json === true) printJson({ file, lineCount });
        else printWrapped(`${lineCount} lines written to ${file}.`);
      }
    });

  program
    .command("import <file>")
    .description("read an export, interactions as JSON Lines, or another program's export (- reads standard input)")
    .option("--from <format>", "whose export: chatgpt, claude, mem0, server-memory, letta, whatsapp or markdown")
    .option("--as-user <name>", "who the user is: a speaker of a WhatsApp chat, or a user_id of mem0")
    .option("--date-order <order>", "dmy or mdy, where a WhatsApp chat does not show it")
    .option("--dry-run", "say what would be imported, and store nothing")
    .option("--skip-damaged", "leave out what is damaged in another program's export")
    .addHelpText(
      "after",
      `
With --from, the file is: chatgpt and claude conversations.json, mem0 what
get_all returns, server-memory memory.jsonl, letta an agent file (.af),
whatsapp the text file of "Export chat", markdown notes or a chat log.
Without it, each line is one interaction, with its turns or a summary, if you
like with "at", "state" and your own "id":
  { "at": "2025-01-08T09:15:00Z", "turns": [{ "who": "user", "text": "…" }] }
  { "summary": "Ada moved to Lisbon." }

Examples:
  mnemosyne --person ada import ada.jsonl
  mnemosyne import --from chatgpt conversations.json --dry-run
  mnemosyne import --from whatsapp _chat.txt --as-user "Ada"`,
    )
    .action(async (file: string, options: ImportOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      if (options.from !== undefined) return importFrom(file, options, settings);
      checkNotForeign(options);
      const take = async (memory: PersonMemory): Promise<ImportResult & { outcomes: PersonStatistics["outcomes"] }> => {
        const imported = await memory.import(await readLines(file));
        await showProcessing(memory, waitUntilProcessed(memory.settled(), describeTaken(imported)));
        return { ...imported, outcomes: (await memory.statistics()).outcomes };
      };
      const result = await withPerson(settings, take, "new or existing");
      if (settings.json === true) return printJson(result);
      printWrapped(`${describeTaken(result)}.`);
      const outcomes = Object.entries(result.outcomes).map(([outcome, count]) => `${count} ${outcome}`);
      printWrapped(colours.dim(`"${settings.person}" now has: ${outcomes.join(", ")}.`));
    });

  program
    .command("reembed")
    .description("give every memory vectors of the current embedder")
    .option("--missing", "only what memories of earlier releases lack: the vectors of their single words")
    .addHelpText("after", "\nExample:\n  mnemosyne reembed --missing")
    .action(async (options: { missing?: boolean }, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      await checkDatabaseExists(settings);
      let progress = startProgress("", 0);
      let person = "";
      const show = (step: ReembeddingProgress): void => {
        if (step.person !== person) {
          progress.stop();
          person = step.person;
          progress = startProgress(person, step.totalCount);
        }
        progress.update(step.doneCount);
      };
      const result = await Mnemosyne.reembed(toOptions(settings), show, options);
      progress.stop();
      if (settings.json === true) printJson(result);
      else print(describeEmbedded(result, options.missing === true));
    });
}

/** Of all people: an embedder is the store's. */
function describeEmbedded(
  { memoryCount, personCount }: { readonly memoryCount: number; readonly personCount: number },
  isMissing: boolean,
): string {
  const people = countOf(personCount, "person");
  if (isMissing && memoryCount === 0) return `Nothing was missing in the memories of ${people}.`;
  return `${countOf(memoryCount, "memory")} of ${people} embedded again.`;
}

function describeTaken({ mode, acceptedCount, knownCount, differentCount, differentIds }: ImportResult): string {
  const how = mode === "restored" ? "restored from an export" : "submitted";
  const known = knownCount === 0 ? "" : `, ${knownCount} already stored`;
  const shown = differentIds.length < differentCount ? [...differentIds, "…"] : differentIds;
  const different = differentCount === 0 ? "" : `; ${differentCount} of them with other content: ${shown.join(", ")}`;
  return `${countOf(acceptedCount, "interaction")} ${how}${known}${different}`;
}

interface ExportOptions extends SelectionOptions {
  readonly as: string;
  readonly skipDamaged?: boolean;
}

function checkExportOptions({ as: kind, skipDamaged = false }: ExportOptions): void {
  if (!exportKinds.includes(kind as ExportKind)) {
    const known = exportKinds.join(", ");
    throw new InputError("option_invalid", `--as is ${JSON.stringify(kind)}; it must be one of ${known}`);
  }
  if (skipDamaged && kind !== "jsonl") {
    throw new InputError("option_invalid", `--skip-damaged needs --as jsonl; ${kind} is made from a whole store`);
  }
}

function checkNotForeign(options: ImportOptions): void {
  const [given] = Object.keys(options);
  if (given === undefined) return;
  const name = given.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`);
  throw new InputError("option_invalid", `--${name} is for another program's export; name its format with --from`);
}

async function* exportAs(
  memory: PersonMemory,
  { as: kind, skipDamaged = false, ...options }: ExportOptions,
  settings: Settings,
): AsyncGenerator<string> {
  const timeZone = settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const selection = readSelection(options);
  if (kind === "markdown") return yield* exportMarkdown(memory, { timeZone, ...selection });
  if (kind === "mem0") return yield* exportMem0(memory, selection);
  for await (const line of memory.export({ skipDamaged, ...selection })) yield `${line}\n`;
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
  if (file === undefined) {
    for await (const piece of counted()) if (!write(piece)) await once(process.stdout, "drain");
    return lineCount;
  }
  await writeWhole(file, counted());
  return lineCount;
}

async function readLines(file: string): Promise<AsyncIterable<string>> {
  const input = file === "-" ? process.stdin : (await openFile(file)).createReadStream();
  return createInterface({ input, crlfDelay: Infinity });
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    const handle = await open(file);
    if (!(await handle.stat()).isDirectory()) return handle;
    await handle.close();
    throw Object.assign(new Error("a folder"), { code: "EISDIR" });
  } catch (cause) {
    throw new InputError("import_invalid", describeUnreadable(file, cause), { cause });
  }
}
