/**
 * Markdown and plain text: notes, journals and chat logs. A heading with a date begins an interaction; while no date is
 * known, any heading does. Lines such as "**Ada:** text", or "Ada: text" where two people talk, are turns; any other section is what the user said.
 */
import type { Turn } from "../engine/records/person-data.js";
import { readTextLines } from "./export-text.js";
import { type ImportedInteraction, describeSource, fingerprint } from "./imported-interaction.js";
import { findDate } from "./markdown-dates.js";
import { coreSummaryMark } from "./export-markdown.js";
import { type Reading, cleanName } from "./reading.js";
import { divideConversation } from "./sessions.js";

interface Section {
  title: string;
  date: string | null;
  readonly lines: string[];
  readonly lineNumber: number;
  length: number;
}

const headingMark = /^ {0,3}#{1,6}\s/u;
const fencePattern = /^ {0,3}(?:```|~~~)/u;
const boldTurn = /^\s*(?:[-*]\s+)?(?:\*\*|__)([^*_:]{1,60})(?::(?:\*\*|__)|(?:\*\*|__):)\s*(?!\s)(.*)$/u;
const plainTurn = /^(\p{L}[\p{L}\p{N}'’. -]{0,39}):\s+(\S.*)$/u;
const frontMatterDate = /^(?:date|created):\s*(?!\s)(.+)$/iu;
const commentPattern = /^\s*<!--.*-->\s*$/u;
/** In an export of ours. */
const ownIdPattern = /^<!-- id ([\w.:@-]{1,200})(?:;| -->)/u;

export async function* readMarkdown(
  chunks: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<ImportedInteraction> {
  const { characterCountMax } = reading.settings.limits;
  let section = begin("", null, 1);
  let isFenced = false;
  let isFrontMatter = false;
  for await (const { number, text } of readTextLines(chunks, reading)) {
    if (isFrontMatter || (number === 1 && text.trim() === "---")) {
      isFrontMatter = number === 1 || text.trim() !== "---";
      section.date ??= findDate(frontMatterDate.exec(text)?.[1] ?? "");
      continue;
    }
    if (fencePattern.test(text)) isFenced = !isFenced;
    const heading = isFenced ? undefined : readHeading(text);
    const date = heading === undefined ? null : findDate(heading);
    if (heading !== undefined && (date !== null || section.date === null)) {
      yield* finish(section, reading);
      section = begin(heading, date, number);
      continue;
    }
    // A file without headings is read in parts, too.
    if (section.length + text.length > characterCountMax && section.lines.length > 0) {
      yield* finish(section, reading);
      section = begin(section.title, section.date, number);
    }
    section.lines.push(text);
    section.length += text.length + 1;
  }
  yield* finish(section, reading);
}

/** The text of a heading; undefined for any other line. */
function readHeading(line: string): string | undefined {
  const [mark] = headingMark.exec(line) ?? [];
  const text = line.slice(mark?.length).trim();
  return mark === undefined || text === "" ? undefined : text;
}

function begin(title: string, date: string | null, lineNumber: number): Section {
  return { title, date, lines: [], lineNumber, length: 0 };
}

function finish({ title, date, lines, lineNumber }: Section, reading: Reading): readonly ImportedInteraction[] {
  if (lines.includes(coreSummaryMark)) {
    reading.skip("core summaries");
    return [];
  }
  const turns = readTurns(lines.filter((line) => !commentPattern.test(line)));
  const [, ownId] = lines.map((line) => ownIdPattern.exec(line)).find((match) => match !== null) ?? [];
  if (turns.length === 0) {
    if (title !== "") reading.skip("headings without text");
    return [];
  }
  reading.count();
  return reading.attempt(`the section at line ${lineNumber}`, () => {
    const atMs = date === null ? null : reading.time(date, "the date of the heading");
    const base = ownId ?? `markdown-${fingerprint(date, turns)}`;
    const messages = turns.map((turn) => ({ ...turn, id: null, atMs: atMs ?? 0 }));
    const parts = divideConversation(messages, reading.settings.limits);
    return parts.map((part, i) => ({
      id: i === 0 ? base : `${base}.${i + 1}`,
      ...(atMs === null ? {} : { at: atMs }),
      turns: part.map(({ who, text }) => ({ who, text })),
      metadata: describeSource("markdown", title),
    }));
  });
}

function readTurns(lines: readonly string[]): Turn[] {
  const text = lines.map(withoutEscape).join("\n").trim();
  if (text === "") return [];
  return asChat(lines, boldTurn, 1) ?? asChat(lines, plainTurn, 2) ?? [{ who: "user", text }];
}

/** As `escapeLine` of our own export wrote it. */
function withoutEscape(line: string): string {
  return line.replace(/^\\(?=[#*_`~\\])/u, "");
}

/** Null unless the section begins with a turn and has as many speakers as a chat needs. */
function asChat(lines: readonly string[], pattern: RegExp, speakerCountMin: number): Turn[] | null {
  const turns: { who: string; text: string }[] = [];
  for (const line of lines) {
    if (readHeading(line) !== undefined) continue;
    const [, name, said] = pattern.exec(line) ?? [];
    if (name !== undefined) turns.push({ who: cleanName(name), text: said ?? "" });
    else if (turns.length > 0) turns.at(-1)!.text += `\n${withoutEscape(line)}`;
    else if (line.trim() !== "") return null;
  }
  const spoken = turns.map(({ who, text }) => ({ who, text: text.trim() })).filter(({ text }) => text !== "");
  return new Set(spoken.map(({ who }) => who)).size >= speakerCountMin ? spoken : null;
}
