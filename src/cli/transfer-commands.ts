/** `mnemosyne export`, `import`, `reembed`: move memories between files and embedders. */
import { once } from "node:events";
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { describeUnreadable } from "../files/file-error.js";
import { writeWhole } from "../files/whole-file.js";
import {
  type ImportResult,
  InputError,
  Mnemosyne,
  type PersonMemory,
  type PersonStatistics,
  type ReembeddingProgress,
} from "../index.js";
import { checkDatabaseExists } from "./database.js";
import { type SelectionOptions, addSelectionOptions, readSelection } from "./selection-options.js";
import { type Settings, toOptions, waitUntilProcessed, withPerson } from "./settings.js";
import { colours, countOf, print, printJson, startProgress, write } from "./terminal.js";

export function addTransferCommands(program: Command): void {
  const exporting = program
    .command("export [file]")
    .description("write everything about a person as JSON Lines; to standard output by default")
    .option("--skip-damaged", "write what is whole if the store is damaged");
  addSelectionOptions(exporting)
    .addHelpText("after", "\nExamples:\n  mnemosyne export ada.jsonl\n  mnemosyne export | gzip > ada.jsonl.gz")
    .action(
      async (given: string | undefined, { skipDamaged = false, ...selection }: ExportOptions, command: Command) => {
        const settings = command.optsWithGlobals<Settings>();
        const file = given === "-" ? undefined : given;
        const write = (memory: PersonMemory): Promise<number> =>
          writeLines(memory.export({ skipDamaged, ...readSelection(selection) }), file);
        const lineCount = await withPerson(settings, write);
        if (file !== undefined) {
          if (settings.json === true) printJson({ file, lineCount });
          else print(`${lineCount} lines written to ${file}.`);
        }
      },
    );

  program
    .command("import <file>")
    .description("read an export, or interactions as JSON Lines (- reads standard input)")
    .addHelpText(
      "after",
      `
Each line is one interaction: { "at": "2025-01-08T09:15:00Z", "turns": [{ "who": "user", "text": "…" }], "state": "…" }
or { "summary": "…" }, optionally with your own "id".`,
    )
    .action(async (file: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const take = async (memory: PersonMemory): Promise<ImportResult & { outcomes: PersonStatistics["outcomes"] }> => {
        const imported = await memory.import(await readLines(file));
        const processed = waitUntilProcessed(memory.settled(), describeTaken(imported));
        await showProcessing(() => memory.statistics().then(({ outcomes }) => outcomes.queued ?? 0), processed);
        return { ...imported, outcomes: (await memory.statistics()).outcomes };
      };
      const result = await withPerson(settings, take, "new or existing");
      if (settings.json === true) return printJson(result);
      print(`${describeTaken(result)}.`);
      const outcomes = Object.entries(result.outcomes).map(([outcome, count]) => `${count} ${outcome}`);
      print(colours.dim(`"${settings.person}" now has: ${outcomes.join(", ")}.`));
    });

  program
    .command("reembed")
    .description("give every memory vectors of the current embedder")
    .option("--missing", "only what memories of earlier releases lack: the vectors of their single words")
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

interface ExportOptions extends SelectionOptions {
  readonly skipDamaged?: boolean;
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

/** To a file, or to standard output. */
async function writeLines(lines: AsyncIterable<string>, file: string | undefined): Promise<number> {
  let lineCount = 0;
  async function* counted(): AsyncGenerator<string> {
    for await (const line of lines) {
      lineCount++;
      yield `${line}\n`;
    }
  }
  if (file === undefined) {
    for await (const line of counted()) if (!write(line)) await once(process.stdout, "drain");
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

const pollMs = 250;

/** Shows how many interactions are still queued, until all are processed. */
async function showProcessing(countQueued: () => Promise<number>, settled: Promise<void>): Promise<void> {
  const total = await countQueued();
  const progress = startProgress("processing", total);
  let isDone = false;
  const finish = settled.finally(() => (isDone = true));
  const poll = async (): Promise<void> => {
    while (!isDone) {
      progress.update(total - (await countQueued()));
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  };
  try {
    await Promise.all([finish, poll()]);
  } finally {
    progress.stop();
  }
}
