/** `mnemosyne export`, `import`, `reembed`: memories on the move. */
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { access } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Command } from "commander";
import { InputError, Mnemosyne } from "../index.js";
import { type Settings, toOptions, withPerson } from "./settings.js";
import { print, printJson, startProgress } from "./terminal.js";

export function addTransferCommands(program: Command): void {
  program
    .command("export [file]")
    .description("write everything about a person as JSON Lines; to standard output by default")
    .addHelpText("after", "\nExamples:\n  mnemosyne export ada.jsonl\n  mnemosyne export | gzip > ada.jsonl.gz")
    .action(async (file: string | undefined, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const lineCount = await withPerson(settings, async (memory) => writeLines(memory.export(), file));
      if (file !== undefined) {
        if (settings.json === true) printJson({ file, lineCount });
        else print(`${lineCount} lines written to ${file}.`);
      }
    });

  program
    .command("import <file>")
    .description("read an export, or interactions as JSON Lines (- reads from standard input)")
    .addHelpText(
      "after",
      `
A line is one interaction: { "at": "2025-01-08T09:15:00Z", "turns": [{ "who": "user", "text": "…" }], "state": "…" }
or { "summary": "…" }, with an "id" of your own if you like.`,
    )
    .action(async (file: string, _options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      const result = await withPerson(settings, async (memory) => {
        const imported = await memory.import(await openLines(file));
        await showProcessing(() => memory.statistics().then(({ outcomes }) => outcomes.queued ?? 0), memory.settled());
        return imported;
      });
      if (settings.json === true) return printJson(result);
      const known = result.knownCount === 0 ? "" : `, ${result.knownCount} were there already`;
      print(`${result.acceptedCount} interactions ${result.mode}${known}.`);
    });

  program
    .command("reembed")
    .description("give every memory vectors of the current embedder")
    .action(async (_options: object, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      let progress = startProgress("", 0);
      let person = "";
      const result = await Mnemosyne.reembed(toOptions(settings), (step) => {
        if (step.person !== person) {
          progress.stop();
          person = step.person;
          progress = startProgress(person, step.totalCount);
        }
        progress.update(step.doneCount);
      });
      progress.stop();
      if (settings.json === true) printJson(result);
      else print(`${result.memoryCount} memories of ${result.personCount} persons embedded anew.`);
    });
}

async function writeLines(lines: AsyncIterable<string>, file: string | undefined): Promise<number> {
  const output = file === undefined ? process.stdout : createWriteStream(file);
  let lineCount = 0;
  for await (const line of lines) {
    lineCount++;
    if (!output.write(`${line}\n`)) await once(output, "drain");
  }
  if (file !== undefined) {
    output.end();
    await once(output, "finish");
  }
  return lineCount;
}

async function openLines(file: string): Promise<AsyncIterable<string>> {
  if (file !== "-") {
    await access(file).catch((cause: unknown) => {
      throw new InputError("import_invalid", `${file} cannot be read: ${(cause as Error).message}`, { cause });
    });
  }
  return createInterface({ input: file === "-" ? process.stdin : createReadStream(file), crlfDelay: Infinity });
}

const pollMs = 250;

/** A bar that shows how many interactions still wait, until they are processed. */
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
