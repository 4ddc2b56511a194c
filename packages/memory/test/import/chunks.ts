/** Exports for tests: samples from their folder, or texts, in chunks of any size. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  type ExportFormat,
  type ImportedInteraction,
  type ReadExportOptions,
  type ReadingCounts,
  readExport,
} from "mnemosyne-edge/import";

function samplePath(name: string): string {
  return fileURLToPath(new URL(`samples/${name}`, import.meta.url));
}

export function sample(name: string): string {
  return readFileSync(samplePath(name), "utf8");
}

export async function* chunksOf(text: string, length = 1000): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += length) yield text.slice(from, from + length);
}

export interface ReadAll {
  readonly interactions: ImportedInteraction[];
  readonly counts: ReadingCounts;
  /** What ended the reading before the end of the file. */
  readonly error: Error | null;
}

export async function readAll(
  format: ExportFormat,
  source: string | AsyncIterable<string | Uint8Array>,
  options: ReadExportOptions = {},
): Promise<ReadAll> {
  const chunks = typeof source === "string" ? chunksOf(source) : source;
  const reading = readExport(format, chunks, {
    timeZone: "UTC",
    name: "file",
    ...options,
  });
  const interactions: ImportedInteraction[] = [];
  let error: Error | null = null;
  try {
    for await (const interaction of reading) interactions.push(interaction);
  } catch (cause) {
    error = cause as Error;
  }
  return { interactions, counts: reading.counts, error };
}

/** Turns or summary, in lines. */
export function said({ at, turns = [], summary }: ImportedInteraction): string[] {
  const when = at === undefined ? "-" : new Date(at).toISOString();
  return [when, ...(summary === undefined ? [] : [summary]), ...turns.map(({ who, text }) => `${who}: ${text}`)];
}
