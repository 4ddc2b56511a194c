/** `mnemosyne import --from`: a person's past from another program, or what would be imported. */
import { type ReadStream, createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { describeUnreadable } from "mnemosyne-edge/internal/files/file-error.js";
import {
  type ExportFormat,
  type ExportReading,
  type ImportedCounts,
  type ImportedInteraction,
  type ReadExportOptions,
  type ReadingCounts,
  commitImported,
  exportFormats,
  readExport,
} from "mnemosyne-edge/import";
import { InputError, type Mnemosyne, type PersonStatistics, parseParameters } from "mnemosyne-edge";
import { type Settings, waitUntilProcessed, withMnemosyne } from "./settings.js";
import { flatten, formatTable, shorten, terminalWidth, wrap } from "./layout.js";
import { colours, heading } from "./paint.js";
import { showProcessing } from "./queue-progress.js";
import { countOf, formatMoment, print, printJson, printWrapped, startProgress } from "./terminal.js";

export interface ImportOptions {
  readonly from?: string;
  readonly asUser?: string;
  readonly dateOrder?: string;
  readonly dryRun?: boolean;
  readonly skipDamaged?: boolean;
}

const sampleCount = 3;
const sampleTurnCount = 3;
/** Speakers that are named. */
const speakerCountMax = 10;

export async function importFrom(file: string, options: ImportOptions, settings: Settings): Promise<void> {
  const source = new Source(file, options, settings);
  await source.check();
  if (options.dryRun === true) return showDryRun(source, settings);
  await source.preview();
  const take = async (mnemosyne: Mnemosyne): Promise<Imported> => {
    const memory = mnemosyne.person(settings.person);
    const { reading, progress } = source.open(mnemosyne.parameters);
    const { skipDamaged = false } = options;
    const imported = await commitImported(memory, reading, { skipDamaged }).finally(() => progress.stop());
    const isEmpty = imported.acceptedCount + imported.knownCount + imported.changedCount === 0;
    if (isEmpty) return { ...imported, ...reading.counts, outcomes: {} };
    await showProcessing(memory, waitUntilProcessed(memory.settled(), describeImported(imported)));
    return { ...imported, ...reading.counts, outcomes: (await memory.statistics()).outcomes };
  };
  const result = await withMnemosyne(settings, take, "new or existing");
  if (settings.json === true) return printJson(toJson(result));
  printWrapped(`${describeImported(result)}.`);
  printSkipped(result);
  const outcomes = Object.entries(result.outcomes).map(([outcome, count]) => `${count} ${outcome}`);
  if (outcomes.length > 0) printWrapped(colours.dim(`"${settings.person}" now has: ${outcomes.join(", ")}.`));
}

type Imported = ImportedCounts & ReadingCounts & { readonly outcomes: PersonStatistics["outcomes"] };

/** The file, or standard input, in its format. */
class Source {
  readonly #file: string;
  readonly #options: ImportOptions;
  readonly #settings: Settings;

  constructor(file: string, options: ImportOptions, settings: Settings) {
    this.#file = file;
    this.#options = options;
    this.#settings = settings;
  }

  get name(): string {
    return this.#file === "-" ? "standard input" : this.#file;
  }

  get format(): ExportFormat {
    return this.#options.from as ExportFormat;
  }

  async check(): Promise<void> {
    const { from, dateOrder } = this.#options;
    if (!exportFormats.includes(from as ExportFormat)) {
      const known = exportFormats.join(", ");
      throw new InputError("option_invalid", `--from is ${JSON.stringify(from)}; it must be one of ${known}`);
    }
    if (dateOrder !== undefined && dateOrder !== "dmy" && dateOrder !== "mdy") {
      throw new InputError("option_invalid", `--date-order is ${JSON.stringify(dateOrder)}; it must be dmy or mdy`);
    }
    if (this.#file !== "-") await this.#size();
  }

  /**
   * Reads the file once without storing anything, where what comes late decides what comes first: whether the speaker who
   * is the user is there at all, and whether the memories are of one user.
   */
  async preview(): Promise<void> {
    const { asUser } = this.#options;
    if (this.#file === "-" || (asUser === undefined && this.format !== "mem0")) return;
    const { reading } = this.open(parseParameters(this.#settings.set ?? {}), "quietly");
    for await (const each of reading) void each;
    this.checkSpeaker(reading.counts);
  }

  checkSpeaker({ speakers, interactionCount }: ReadingCounts): void {
    const { asUser } = this.#options;
    const isMissing = this.format === "mem0" ? interactionCount === 0 : speakers["user"] === undefined;
    if (asUser === undefined || !isMissing) return;
    const names = Object.keys(speakers).slice(0, speakerCountMax);
    const hint = names.length === 0 ? "" : `; speakers are ${names.join(", ")}`;
    throw new InputError("option_invalid", `${this.name} has nothing by --as-user ${JSON.stringify(asUser)}${hint}`);
  }

  open(
    limits: { readonly interactionTurnCountMax: number; readonly interactionCharacterCountMax: number },
    how: "quietly" | "with progress" = "with progress",
  ): { reading: ExportReading; progress: { stop(): void } } {
    const { asUser, dateOrder, skipDamaged } = this.#options;
    const { timeZone } = this.#settings;
    const chosen: ReadExportOptions = {
      name: this.name,
      turnCountMax: limits.interactionTurnCountMax,
      characterCountMax: limits.interactionCharacterCountMax,
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(asUser === undefined ? {} : { asUser }),
      ...(dateOrder === undefined ? {} : { dateOrder: dateOrder as "dmy" | "mdy" }),
      ...(skipDamaged === undefined ? {} : { skipDamaged }),
    };
    let progress = startProgress("", 0);
    const bytes = this.#bytes(
      how === "quietly"
        ? () => {}
        : (done, total) => {
            if (done === 0) progress = startProgress("reading, %", 100);
            progress.update(Math.floor((100 * done) / Math.max(1, total)));
          },
    );
    return { reading: readExport(this.format, bytes, chosen), progress: { stop: () => progress.stop() } };
  }

  async *#bytes(onProgress: (doneByteCount: number, totalByteCount: number) => void): AsyncGenerator<Uint8Array> {
    if (this.#file === "-") return yield* process.stdin as AsyncIterable<Uint8Array>;
    const total = await this.#size();
    const stream: ReadStream = createReadStream(this.#file);
    let done = 0;
    onProgress(done, total);
    try {
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        yield chunk;
        done += chunk.length;
        onProgress(done, total);
      }
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).syscall === undefined) throw cause;
      throw new InputError("import_invalid", describeUnreadable(this.#file, cause), { cause });
    }
  }

  async #size(): Promise<number> {
    try {
      const found = await stat(this.#file);
      if (found.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
      return found.size;
    } catch (cause) {
      throw new InputError("import_invalid", describeUnreadable(this.#file, cause), { cause });
    }
  }
}

async function showDryRun(source: Source, settings: Settings): Promise<void> {
  const { reading, progress } = source.open(parseParameters(settings.set ?? {}));
  const samples: ImportedInteraction[] = [];
  try {
    for await (const interaction of reading) if (samples.length < sampleCount) samples.push(interaction);
  } finally {
    progress.stop();
  }
  const { counts } = reading;
  source.checkSpeaker(counts);
  if (settings.json === true) return printJson({ ...toJson(counts), samples });
  print(heading(`${source.name}, as ${source.format}: nothing is stored in a dry run`));
  print(describeCounts(counts, source.format, settings.timeZone));
  printSkipped(counts);
  for (const sample of samples) print(`\n${describeSample(sample, settings.timeZone)}`);
}

const nouns: Readonly<Record<ExportFormat, string>> = {
  chatgpt: "conversations",
  claude: "conversations",
  mem0: "memories",
  "server-memory": "entities and relations",
  letta: "memory blocks",
  whatsapp: "sessions",
  markdown: "sections",
};

function describeCounts(counts: ReadingCounts, format: ExportFormat, timeZone: string | undefined): string {
  const { sourceCount, interactionCount, messageCount, firstMs, lastMs, speakers } = counts;
  const names = Object.entries(speakers).toSorted(([, x], [, y]) => y - x);
  const more = names.length > speakerCountMax ? ` and ${names.length - speakerCountMax} more` : "";
  const shown = names.slice(0, speakerCountMax).map(([name, count]) => `${name} ${count}`);
  const range = [firstMs, lastMs].map((ms) => (ms === null ? "" : formatMoment(new Date(ms).toISOString(), timeZone)));
  const table = formatTable(
    ["in the file", "count"],
    [
      [nouns[format], String(sourceCount)],
      ["interactions", String(interactionCount)],
      ["messages or facts", String(messageCount)],
    ],
  );
  return [
    table,
    wrap(firstMs === null ? "without times: they get the time of the import" : `from ${range[0]} to ${range[1]}`),
    names.length === 0 ? "" : wrap(`speakers: ${shown.join(", ")}${more}`),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function printSkipped({ skipped }: ReadingCounts): void {
  const reasons = Object.entries(skipped).toSorted(([, x], [, y]) => y - x);
  if (reasons.length === 0) return;
  printWrapped(colours.dim(`left out: ${reasons.map(([reason, count]) => `${reason} (${count})`).join(", ")}`));
}

function describeSample(sample: ImportedInteraction, timeZone: string | undefined): string {
  const { id, at, turns = [], summary, metadata } = sample;
  const when = at === undefined ? "" : `${formatMoment(new Date(at).toISOString(), timeZone)}  `;
  const title = typeof metadata["title"] === "string" ? `  ${flatten(metadata["title"])}` : "";
  const width = terminalWidth();
  const said = summary === undefined ? turns.map(({ who, text }) => `${who}: ${text}`) : [summary];
  const rest = said.length > sampleTurnCount ? [`  … and ${said.length - sampleTurnCount} more`] : [];
  const lines = said.slice(0, sampleTurnCount).map((text) => `  ${shorten(text, width - 2)}`);
  return [colours.bold(shorten(`${when}${id}${title}`, width)), ...lines, ...rest].join("\n");
}

function describeImported(counts: ImportedCounts): string {
  const { acceptedCount, knownCount, continuedCount, changedCount, refusedCount } = counts;
  const notes = [
    continuedCount === 0 ? "" : `${continuedCount} of them continue earlier ones`,
    knownCount === 0 ? "" : `${knownCount} already stored`,
    changedCount === 0 ? "" : `${changedCount} already stored with other content, which stays`,
    refusedCount === 0 ? "" : `${refusedCount} refused`,
  ].filter((note) => note !== "");
  return [`${countOf(acceptedCount, "interaction")} submitted`, ...notes].join(", ");
}

/** Times as elsewhere. */
function toJson<Counts extends ReadingCounts>({ firstMs, lastMs, ...rest }: Counts): object {
  const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
  return { ...rest, firstAt: iso(firstMs), lastAt: iso(lastMs) };
}
