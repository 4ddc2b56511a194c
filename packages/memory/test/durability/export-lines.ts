import type { Mnemosyne, PersonMemory } from "mnemosyne-edge";
import { finish } from "../../src/text/steps.js";
import { type ParsedExport, parseExportSteps } from "../../src/upkeep/transfer/export-parsing.js";
import { linesOfMoment } from "../../src/upkeep/transfer/transfer.js";
import { crc32 } from "../../src/files/checksum.js";
import { parseParameters } from "../../src/parameters.js";
import { Codec } from "../../src/stores/codec.js";

/** Everything about a person, line by line. */
export async function exportLines(memory: Pick<PersonMemory, "export">): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of memory.export()) lines.push(line);
  return lines;
}

/** Everything about everybody. */
export async function exportEverybody(memories: Mnemosyne): Promise<Record<string, string[]>> {
  const everybody: Record<string, string[]> = {};
  for (const name of await memories.persons()) everybody[name] = await exportLines(memories.person(name));
  return everybody;
}

/** What the lines of an export hold. */
export function parseLines(lines: readonly string[], codec = new Codec()): ParsedExport {
  const numbered = lines.map((text, i) => ({ number: i + 1, text }));
  return finish(parseExportSteps(numbered, parseParameters(), codec))!;
}

/** The lines of an export that holds something else. */
export function alterLines(lines: readonly string[], alter: (parsed: ParsedExport) => Partial<ParsedExport>): string[] {
  const parsed = parseLines(lines);
  return [...linesOfMoment("ada", { revision: 0, ...parsed, ...alter(parsed) }, parsed.embedder, null)];
}

/** A line with another text, and the sum of that. */
export function rewriteText(line: string, rewrite: (text: string) => string): string {
  const { text, ...record } = JSON.parse(line) as { text?: string };
  if (text === undefined) return line;
  const rewritten = rewrite(text);
  return JSON.stringify({ ...record, sum: crc32(Buffer.from(rewritten)), text: rewritten });
}

/** The lines of records of some kinds. */
export function linesOfKinds(lines: readonly string[], ...kinds: readonly string[]): string[] {
  return lines.filter((line) => kinds.some((kind) => line.startsWith(`{"kind":"${kind}"`)));
}
