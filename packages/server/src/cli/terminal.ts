/**
 * Terminal output that the commands share: printing, numbers, progress. Everything a command prints leaves through this
 * file, which shows hidden characters instead of sending them to the terminal.
 */
import { SingleBar } from "cli-progress";
import { shorten, terminalWidth, visibleWidth, wrap } from "./layout.js";
import { colours, paintFor, showsColours } from "./paint.js";
import { showHidden } from "./visible-text.js";

const isOutColoured = showsColours(process.stdout);
const isErrorColoured = showsColours(process.stderr);

/** As standard output gets it. */
export function toTerminal(text: string): string {
  return paintFor(text, isOutColoured);
}

export function print(text = ""): void {
  write(`${text}\n`);
}

/** In lines that fit; what continues a line is indented by two. */
export function printWrapped(text: string): void {
  print(wrap(text, "", "  ", terminalWidth()));
}

/** Without a line break. False if the reader has to catch up first, as streams say it. */
export function write(text: string): boolean {
  return process.stdout.write(toTerminal(text));
}

/** On standard error, in lines that fit. */
export function printError(text: string): void {
  process.stderr.write(`${paintFor(wrap(text, "", "  ", terminalWidth(process.stderr)), isErrorColoured)}\n`);
}

/** On standard error, in one line for a program that reads it. */
export function printErrorJson(value: unknown): void {
  process.stderr.write(`${paintFor(JSON.stringify(value), false)}\n`);
}

/** What a person types, and where a prompt puts the cursor. Nothing that is stored may go this way. */
export function echoTyped(chunk: Uint8Array): void {
  process.stderr.write(chunk);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
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

/** What takes less time than this shows no progress. */
const quietMs = 1_000;
const barWidth = 20;
/** Bar, counts and time left take this much of the line. */
const barRoom = barWidth + 40;

/**
 * One line of progress on standard error if that is a terminal, with the time left, from the first second on; silent
 * elsewhere, so that output can be piped.
 */
export function startProgress(label: string, total: number): Progress {
  if (process.stderr.isTTY !== true || total === 0) return { update: () => {}, stop: () => {} };
  const room = Math.max(1, terminalWidth(process.stderr) - barRoom);
  const name = showHidden(shorten(label, room));
  const startMs = performance.now();
  const bar = new SingleBar({
    format: (_options, { value, progress }, { note }: { note: string }) => {
      const filled = Math.round(progress * barWidth);
      const shown = "█".repeat(filled) + "░".repeat(barWidth - filled);
      const leftMs = ((performance.now() - startMs) / value) * (total - value);
      const left = value === 0 ? "" : `, ${formatDuration(leftMs / 1000)} left`;
      return `${name} ${shown} ${value}/${total}${left}${note === "" ? "" : `  ${note}`}`;
    },
    hideCursor: true,
    clearOnComplete: true,
    stream: process.stderr,
  });
  let isShown = false;
  return {
    update: (done, note = "") => {
      if (!isShown && performance.now() - startMs < quietMs) return;
      if (!isShown) bar.start(total, done, { note: "" });
      isShown = true;
      bar.update(done, { note: showHidden(shorten(note, Math.max(1, room - visibleWidth(name)))) });
    },
    stop: () => {
      if (isShown) bar.stop();
    },
  };
}

/** "40 s", "3 min", "2 h 5 min" */
function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
