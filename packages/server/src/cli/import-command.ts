/** `mnemosyne import`: a person's past from an export, from interactions as JSON Lines, or from another program. */
import { type FileHandle, open } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Option, type Command } from "commander";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import {
  type ExportFormat,
  type ImportedCounts,
  type ReadExportOptions,
  type ReadingCounts,
  commitImported,
  exportFormats,
  readExport,
} from "mnemosyne-edge/import";
import { type ImportResult, InputError, type PersonMemory, parseParameters } from "mnemosyne-edge";
import { colours, heading } from "./paint.js";
import { type Settings, waitUntilProcessed, withPerson } from "./settings.js";
import { countOf, formatMoment, output, printJson, printWrapped } from "./terminal.js";

interface ImportOptions {
  readonly from?: ExportFormat;
  readonly asUser?: string;
  readonly dateOrder?: "dmy" | "mdy";
  readonly dryRun?: boolean;
  readonly skipDamaged?: boolean;
}

/** Speakers that are named. */
const speakerCountMax = 10;

export function addImportCommand(program: Command): void {
  const orders = new Option("--date-order <order>", "dmy or mdy, where a WhatsApp chat does not show it");
  program
    .command("import <file>")
    .description("read an export, interactions as JSON Lines, or another program's export (- reads standard input)")
    .addOption(new Option("--from <format>", "whose export").choices(exportFormats))
    .option("--as-user <name>", "who the user is: a speaker of a WhatsApp chat, or a user_id of mem0")
    .addOption(orders.choices(["dmy", "mdy"]))
    .option("--dry-run", "say what would be imported, and store nothing")
    .option("--skip-damaged", "leave out what is damaged in another program's export")
    .addHelpText(
      "after",
      `
With --from, the file is: chatgpt and claude conversations.json, mem0 what
get_all returns, whatsapp the text file of "Export chat", markdown notes or
a chat log.
Without it, each line is one interaction, with its turns or a summary, if you
like with "at", "state" and your own "id":
  { "at": "2025-01-08T09:15:00Z", "turns": [{ "who": "user", "text": "…" }] }
  { "summary": "Ada moved to Lisbon." }

Examples:
  mnemosyne --person ada import ada.jsonl
  mnemosyne import --from chatgpt conversations.json --dry-run
  mnemosyne import --from whatsapp _chat.txt --as-user "Ada"`,
    )
    .action(async (file: string, { from, ...options }: ImportOptions, command: Command) => {
      const settings = command.optsWithGlobals<Settings>();
      if (from !== undefined) return importFrom(file, from, options, settings);
      if (Object.keys(options).length > 0) {
        const message = "the options of import are for another program's export; name its format with --from";
        throw new InputError("option_invalid", message);
      }
      const input = await openInput(file);
      await take(settings, describeTaken, (memory) => memory.import(createInterface({ input, crlfDelay: Infinity })));
    });
}

/** Imports, waits until everything is processed, and says what there is now. */
async function take<Result extends object>(
  settings: Settings,
  describe: (result: Result) => string,
  work: (memory: PersonMemory) => Promise<Result>,
): Promise<void> {
  await withPerson(
    settings,
    async (memory) => {
      const result = await work(memory);
      await waitUntilProcessed(memory, describe(result));
      const { outcomes } = await memory.statistics();
      const counts = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome}`);
      const now = counts.length === 0 ? "" : colours.dim(`\n"${settings.person}" now has: ${counts.join(", ")}.`);
      output(settings, toJson({ ...result, outcomes }), `${describe(result)}.${now}`);
    },
    "new or existing",
  );
}

async function importFrom(
  file: string,
  format: ExportFormat,
  { dryRun, asUser, ...options }: Omit<ImportOptions, "from">,
  settings: Settings,
): Promise<void> {
  const name = file === "-" ? "standard input" : file;
  const { interactionTurnCountMax, interactionCharacterCountMax } = parseParameters(
    settings.set ?? {},
    settings.preset,
  );
  const chosen: ReadExportOptions = {
    ...options,
    name,
    turnCountMax: interactionTurnCountMax,
    characterCountMax: interactionCharacterCountMax,
    ...(settings.timeZone === undefined ? {} : { timeZone: settings.timeZone }),
    ...(asUser === undefined ? {} : { asUser }),
  };
  const begin = async (): Promise<ReturnType<typeof readExport>> =>
    readExport(format, readBytes(await openInput(file), file), chosen);
  // What comes late decides what comes first: whether the user is there at all, and whether memories are of one user.
  const isReadTwice = file !== "-" && (asUser !== undefined || format === "mem0");
  if (dryRun === true || isReadTwice) {
    const reading = await begin();
    for await (const _ of reading);
    checkSpeaker(reading.counts, format, asUser, name);
    if (dryRun === true) return showDryRun(reading.counts, name, format, settings);
  }
  await take<ImportedCounts & ReadingCounts>(settings, describeImported, async (memory) => {
    const reading = await begin();
    const imported = await commitImported(memory, reading, { skipDamaged: options.skipDamaged === true });
    return { ...imported, ...reading.counts };
  });
}

function checkSpeaker(
  { speakers, interactionCount }: ReadingCounts,
  format: ExportFormat,
  asUser: string | undefined,
  name: string,
): void {
  const isMissing = format === "mem0" ? interactionCount === 0 : speakers["user"] === undefined;
  if (asUser === undefined || !isMissing) return;
  const names = Object.keys(speakers).slice(0, speakerCountMax);
  const hint = names.length === 0 ? "" : `; speakers are ${names.join(", ")}`;
  throw new InputError("option_invalid", `${name} has nothing by --as-user ${JSON.stringify(asUser)}${hint}`);
}

function showDryRun(counts: ReadingCounts, name: string, format: ExportFormat, { json, timeZone }: Settings): void {
  if (json === true) return printJson(toJson(counts));
  const { interactionCount, messageCount, firstMs, lastMs, speakers } = counts;
  const named = Object.entries(speakers).toSorted(([, x], [, y]) => y - x);
  const shown = named.slice(0, speakerCountMax).map(([speaker, count]) => `${speaker} ${count}`);
  const when = (ms: number): string => formatMoment(new Date(ms).toISOString(), timeZone);
  printWrapped(heading(`${name}, as ${format}: nothing is stored in a dry run`));
  printWrapped(`${countOf(interactionCount, "interaction")} of ${messageCount} messages or facts`);
  printWrapped(
    firstMs === null ? "without times: they get the time of the import" : `from ${when(firstMs)} to ${when(lastMs!)}`,
  );
  if (named.length > 0) printWrapped(`speakers: ${shown.join(", ")}${named.length > speakerCountMax ? ", …" : ""}`);
  const skipped = describeSkipped(counts);
  if (skipped !== "") printWrapped(colours.dim(skipped));
}

function describeImported(counts: ImportedCounts & ReadingCounts): string {
  const { acceptedCount, knownCount, changedCount, refusedCount } = counts;
  const notes = [
    knownCount === 0 ? "" : `${knownCount} already stored`,
    changedCount === 0 ? "" : `${changedCount} already stored with other content, which stays`,
    refusedCount === 0 ? "" : `${refusedCount} refused`,
    describeSkipped(counts),
  ].filter((note) => note !== "");
  return [`${countOf(acceptedCount, "interaction")} submitted`, ...notes].join(", ");
}

function describeSkipped({ skipped }: ReadingCounts): string {
  const reasons = Object.entries(skipped).toSorted(([, x], [, y]) => y - x);
  return reasons.length === 0 ? "" : `left out: ${reasons.map(([reason, count]) => `${reason} (${count})`).join(", ")}`;
}

function describeTaken({ mode, acceptedCount, knownCount, differentCount, differentIds }: ImportResult): string {
  const how = mode === "restored" ? "restored from an export" : "submitted";
  const known = knownCount === 0 ? "" : `, ${knownCount} already stored`;
  const shown = differentIds.length < differentCount ? [...differentIds, "…"] : differentIds;
  const different = differentCount === 0 ? "" : `; ${differentCount} of them with other content: ${shown.join(", ")}`;
  return `${countOf(acceptedCount, "interaction")} ${how}${known}${different}`;
}

/** Times as elsewhere. */
function toJson(counts: object): object {
  const { firstMs, lastMs, ...rest } = counts as Partial<ReadingCounts>;
  if (firstMs === undefined || lastMs === undefined) return counts;
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return { ...rest, firstAt: iso(firstMs), lastAt: iso(lastMs) };
}

async function openInput(file: string): Promise<NodeJS.ReadableStream> {
  if (file === "-") return process.stdin;
  let handle: FileHandle | undefined;
  try {
    handle = await open(file);
    if ((await handle.stat()).isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    return handle.createReadStream();
  } catch (cause) {
    await handle?.close();
    throw new InputError("import_invalid", describeUnreadable(file, cause), { cause });
  }
}

async function* readBytes(input: NodeJS.ReadableStream, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* input as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
    throw new InputError("import_invalid", describeUnreadable(file, cause), { cause });
  }
}
