/** The way in: the text of an export, in any of the known formats, as interactions that come one by one. */
import { InputError } from "../errors.js";
import { parameterDefinitions } from "../parameter-definitions.js";
import { readChatgpt } from "./chatgpt.js";
import { readClaude } from "./claude.js";
import { type ExportChunks, readChunks } from "./export-text.js";
import { type ExportFormat, type ImportedInteraction, exportFormats } from "./imported-interaction.js";
import { readMarkdown } from "./markdown.js";
import { readMem0 } from "./mem0.js";
import { Reading, type ReadingCounts } from "./reading.js";
import { readWhatsapp } from "./whatsapp.js";

export interface ReadExportOptions {
  /** What errors call the file. */
  readonly name?: string;
  /** Of times without a zone, as an IANA name; the device's own if omitted. */
  readonly timeZone?: string;
  /** Who the user is: a speaker of a WhatsApp chat, who becomes "user"; a user_id of mem0, whose memories alone are read. */
  readonly asUser?: string;
  /** Which comes first in the dates of a WhatsApp chat, day or month; found out from the file if it shows it. */
  readonly dateOrder?: "dmy" | "mdy";
  /** Leaves out damaged conversations, memories or lines, and counts them, instead of stopping. */
  readonly skipDamaged?: boolean;
  /** What an interaction may have at most: `interactionTurnCountMax` and `interactionCharacterCountMax`. */
  readonly turnCountMax?: number;
  readonly characterCountMax?: number;
}

/** Interactions in the order of the file; they can be read once. The counts grow while they are read. */
export interface ExportReading extends AsyncIterable<ImportedInteraction> {
  readonly counts: ReadingCounts;
}

type Reader = (chunks: AsyncIterable<string>, reading: Reading) => AsyncGenerator<ImportedInteraction>;

const readers: Readonly<Record<ExportFormat, Reader>> = {
  chatgpt: readChatgpt,
  claude: readClaude,
  mem0: readMem0,
  whatsapp: readWhatsapp,
  markdown: readMarkdown,
};

/** The rest is for names and metadata. */
const shareForText = 0.9;

/** Reads an export from chunks of its text or bytes, such as a file's stream. Only what is being read is in memory. */
export function readExport(format: ExportFormat, chunks: ExportChunks, options: ReadExportOptions = {}): ExportReading {
  if (!exportFormats.includes(format)) {
    const known = exportFormats.join(", ");
    throw new InputError("option_invalid", `there is no export format ${JSON.stringify(format)}; known are ${known}`);
  }
  const timeZone = options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  checkTimeZone(timeZone);
  const { interactionTurnCountMax, interactionCharacterCountMax } = parameterDefinitions;
  const characterCountMax = options.characterCountMax ?? interactionCharacterCountMax.default;
  const reading = new Reading({
    name: options.name ?? "the export",
    timeZone,
    asUser: options.asUser ?? null,
    dateOrder: options.dateOrder ?? null,
    skipDamaged: options.skipDamaged ?? false,
    limits: {
      turnCountMax: options.turnCountMax ?? interactionTurnCountMax.default,
      characterCountMax: Math.floor(characterCountMax * shareForText),
    },
  });
  return {
    get counts() {
      return reading.counts;
    },
    [Symbol.asyncIterator]: () => readers[format](readChunks(chunks, reading), reading),
  };
}

function checkTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat("en", { timeZone });
  } catch (cause) {
    const message = `time zone ${JSON.stringify(timeZone)} is not known; use an IANA name such as "Europe/London"`;
    throw new InputError("option_invalid", message, { cause });
  }
}
