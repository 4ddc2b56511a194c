/**
 * Terminal output that the commands share: printing, numbers, progress. Everything a command prints leaves through this
 * file, which shows hidden characters instead of sending them to the terminal.
 */
import { shorten, terminalWidth, wrap } from "./layout.js";
import { paintFor, showHidden, showsColours } from "./paint.js";

/** As standard output gets it. */
export function toTerminal(text: string): string {
  return paintFor(text, showsColours(process.stdout));
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
  const { stderr } = process;
  stderr.write(`${paintFor(wrap(text, "", "  ", terminalWidth(stderr)), showsColours(stderr))}\n`);
}

/** On standard error, in one line for a program that reads it. */
export function printErrorJson(value: unknown): void {
  process.stderr.write(`${paintFor(JSON.stringify(value), false)}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** A command's result: the value with --json, else its text in lines that fit. */
export function output({ json }: { readonly json?: boolean }, value: unknown, text: string): void {
  if (json === true) printJson(value);
  else printWrapped(text);
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
export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** "2025-07-01 18:30", as clocks in the time zone show it; undefined is the device's own. */
export function formatMoment(iso: string, timeZone: string | undefined): string {
  // Swedes write dates as ISO 8601 does.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone });
  return format.format(Date.parse(iso));
}

/** "2025-07-01" */
export function formatDay(iso: string, timeZone: string | undefined): string {
  return formatMoment(iso, timeZone).split(" ")[0]!;
}

export interface Progress {
  update(done: number, note?: string): void;
  stop(): void;
}

/** Less time than this shows no progress. */
const quietMs = 1_000;
const repaintMs = 100;

/**
 * One line of progress on standard error if that is a terminal, from the first second on; silent elsewhere, so that output
 * can be piped.
 */
export function startProgress(label: string, total: number): Progress {
  const { stderr } = process;
  if (stderr.isTTY !== true || total === 0) return { update: () => {}, stop: () => {} };
  let nextMs = performance.now() + quietMs;
  let isShown = false;
  const draw = (text: string): void => void stderr.write(`\r\u001b[K${text}`);
  return {
    update: (done, note = "") => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + repaintMs;
      isShown = true;
      draw(showHidden(shorten(`${label} ${done}/${total} ${note}`, terminalWidth(stderr) - 1)));
    },
    stop: () => {
      if (isShown) draw("");
      isShown = false;
    },
  };
}
