/**
 * Terminal output that the commands share: colours, columns, wrapping, numbers, progress. Everything a command prints
 * leaves through this file, which shows hidden characters instead of sending them to the terminal.
 */
import { randomUUID } from "node:crypto";
import { SingleBar } from "cli-progress";
import pc from "picocolors";
import { showHidden } from "./visible-text.js";

type Paint = (text: string) => string;

/** Stands for the start of our own colour codes until they are printed. Data cannot know it, so it cannot pose as one. */
const colourMark = randomUUID();
const colourCode = new RegExp(`${colourMark}\\d+m`, "gu");
const colourStart = "\u001b[";

const painter = pc.createColors(
  pc.isColorSupported && process.stdout.isTTY === true && process.env["NO_COLOR"] === undefined,
);

export const colours = {
  bold: marked(painter.bold),
  dim: marked(painter.dim),
  red: marked(painter.red),
  green: marked(painter.green),
  yellow: marked(painter.yellow),
  magenta: marked(painter.magenta),
  cyan: marked(painter.cyan),
};

function marked(paint: Paint): Paint {
  const [before = "", after = ""] = paint(" ").replaceAll(colourStart, colourMark).split(" ");
  return (text) => before + text + after;
}

/** As the terminal gets it: our colours, and nothing else that is not visible. */
export function toTerminal(text: string): string {
  return showHidden(text).replaceAll(colourMark, colourStart);
}

const widthMax = 110;
const widthMin = 40;
const columnGap = 2;

export function terminalWidth(): number {
  return Math.max(widthMin, Math.min(process.stdout.columns ?? widthMax, widthMax));
}

export function print(text = ""): void {
  write(`${text}\n`);
}

/** Without a line break. False if the reader has to catch up first, as streams say it. */
export function write(text: string): boolean {
  return process.stdout.write(toTerminal(text));
}

/** On standard error. */
export function printError(text: string): void {
  process.stderr.write(`${toTerminal(text)}\n`);
}

/** What a person types, and where a prompt puts the cursor. Nothing that is stored may go this way. */
export function echoTyped(chunk: Uint8Array): void {
  process.stderr.write(chunk);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

export function heading(text: string): string {
  return colours.bold(text);
}

/** Rows as aligned columns; numbers are right-aligned. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((cell, i) =>
    Math.max(visibleLength(cell), ...rows.map((row) => visibleLength(row[i] ?? ""))),
  );
  const isNumeric = header.map(
    (_, i) => rows.length > 0 && rows.every((row) => /^[-+\d.,%∞ ]*$/u.test(stripColour(row[i] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => pad(cell, widths[i]!, isNumeric[i]!))
      .join(" ".repeat(columnGap))
      .trimEnd();
  return [colours.dim(line(header)), ...rows.map(line)].join("\n");
}

/** Like formatTable; columns that do not fit the terminal follow below, with the first `keyCount` columns repeated. */
export function formatFoldedTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  keyCount = 1,
): string {
  const widthOf = (column: number): number => Math.max(...[header, ...rows].map((row) => visibleLength(row[column]!)));
  const keys = header.map((_, column) => column).slice(0, keyCount);
  const folds: number[][] = [];
  let room = 0;
  for (let column = keyCount; column < header.length; column++) {
    const width = widthOf(column) + columnGap;
    if (folds.length === 0 || width > room) {
      folds.push([...keys]);
      room = terminalWidth() - keys.reduce((sum, key) => sum + widthOf(key) + columnGap, -columnGap);
    }
    folds.at(-1)!.push(column);
    room -= width;
  }
  const pick = (row: readonly string[], fold: readonly number[]): string[] => fold.map((column) => row[column]!);
  return folds
    .map((fold) =>
      formatTable(
        pick(header, fold),
        rows.map((row) => pick(row, fold)),
      ),
    )
    .join("\n\n");
}

function pad(cell: string, width: number, toRight: boolean): string {
  const space = " ".repeat(Math.max(0, width - visibleLength(cell)));
  return toRight ? space + cell : cell + space;
}

function visibleLength(text: string): number {
  return [...showHidden(stripColour(text))].length;
}

function stripColour(text: string): string {
  return text.replace(colourCode, "");
}

/** Text in lines of the terminal's width, each starting with `indent`. */
export function wrap(text: string, indent = ""): string {
  const width = terminalWidth() - indent.length;
  return text
    .split("\n")
    .flatMap((paragraph) => wrapParagraph(paragraph, width))
    .map((line) => (indent + line).trimEnd())
    .join("\n");
}

/** Continuation lines align with the text of the first line, whether it is indented or a list item. */
function wrapParagraph(paragraph: string, width: number): string[] {
  const [lead] = /^ *(?:- )?/u.exec(paragraph)!;
  const lines: string[] = [];
  let line = lead;
  let isEmpty = true;
  for (const word of paragraph.slice(lead.length).split(" ")) {
    if (!isEmpty && visibleLength(line) + 1 + visibleLength(word) > width) {
      lines.push(line);
      line = " ".repeat(lead.length) + word;
    } else {
      line += isEmpty ? word : ` ${word}`;
    }
    isEmpty = false;
  }
  return [...lines, line];
}

/** In one line. */
export function flatten(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

export function shorten(text: string, length: number): string {
  const flat = flatten(text);
  const characters = [...flat];
  return characters.length <= length ? flat : `${characters.slice(0, Math.max(1, length - 1)).join("")}…`;
}

/** "1 edge", "2 edges", "3 memories", "4 people". */
export function countOf(count: number, noun: string): string {
  if (noun === "person" && count !== 1) return `${count} people`;
  const plural = noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${count} ${count === 1 ? noun : plural}`;
}

export function formatNumber(value: number, digits = 2): string {
  return Number.isFinite(value) ? value.toFixed(digits) : "∞";
}

/** A share of one as percent; "-" if there was nothing to divide by. */
export function formatPercent(share: number | null): string {
  return share === null ? "-" : formatNumber(100 * share, 1);
}

export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

const momentFormats = new Map<string | undefined, Intl.DateTimeFormat>();

/** "2025-07-01 18:30", as clocks in the time zone show it; undefined is the device's own. */
export function formatMoment(iso: string, timeZone: string | undefined): string {
  let format = momentFormats.get(timeZone);
  if (format === undefined) {
    // Swedes write dates as ISO 8601 does.
    format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone });
    momentFormats.set(timeZone, format);
  }
  return format.format(Date.parse(iso));
}

/** "2025-07-01" */
export function formatDay(iso: string, timeZone: string | undefined): string {
  return formatMoment(iso, timeZone).split(" ")[0]!;
}

const eraseLine = "\r\u001b[K";

/** Shows a few words on a terminal, and returns a function that erases them; does nothing elsewhere. */
export function showSign(text: string): () => void {
  if (process.stdout.isTTY !== true) return () => {};
  write(colours.dim(text));
  let isShown = true;
  return () => {
    if (isShown) process.stdout.write(eraseLine);
    isShown = false;
  };
}

export interface Progress {
  update(done: number, note?: string): void;
  stop(): void;
}

/** A progress bar on standard error if that is a terminal; silent elsewhere, so that output can be piped. */
export function startProgress(label: string, total: number): Progress {
  if (process.stderr.isTTY !== true || total === 0) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({
    format: "{label} {bar} {value}/{total}  {note}",
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  bar.start(total, 0, { label: showHidden(label), note: "" });
  return { update: (done, note = "") => bar.update(done, { note: showHidden(note) }), stop: () => bar.stop() };
}
