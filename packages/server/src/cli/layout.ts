/** Text in lines and columns that fit the terminal. Widths are those of the screen: an emoji takes two columns. */
import stringWidth from "string-width";
import { readVariable } from "./environment.js";
import { colourCode, colours, showHidden, stripColour } from "./paint.js";

const widthDefault = 80;
const widthMin = 40;
/** Longer lines of prose are hard to read. */
const proseWidthMax = 100;
const columnGap = 2;
/** The last column of a table is at least this wide. */
const lastColumnMin = 20;

/** Columns of the terminal; a file or a pipe has 80, or COLUMNS. */
export function terminalWidth(stream: { readonly columns?: number } = process.stdout): number {
  const columns = stream.columns ?? Number(readVariable("COLUMNS") ?? widthDefault);
  return Number.isFinite(columns) && columns > 0 ? Math.max(widthMin, columns) : widthDefault;
}

export function proseWidth(stream?: { readonly columns?: number }): number {
  return Math.min(proseWidthMax, terminalWidth(stream));
}

export function visibleWidth(text: string): number {
  return stringWidth(showHidden(stripColour(text)));
}

/** Rows as aligned columns; numbers are right-aligned, and the last column is wrapped in the room that the others leave. */
export function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [header, ...rows];
  const widths = header.map((_, i) => Math.max(...all.flatMap((row) => row[i]!.split("\n").map(visibleWidth))));
  const numeric = header.map((_, i) => rows.every((row) => /^[-+\d.,%∞ ]*$/u.test(stripColour(row[i]!))));
  const last = header.length - 1;
  const others = widths.slice(0, last).reduce((sum, width) => sum + width + columnGap, 0);
  widths[last] = Math.min(widths[last]!, Math.max(lastColumnMin, terminalWidth() - others));
  const draw = (row: readonly string[]): string[] => {
    const cells = row.map((cell, i) => (i === last ? wrap(cell, "", "", widths[i]) : cell).split("\n"));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, i) => pad(lines[line] ?? "", widths[i]!, numeric[i]!))
        .join(" ".repeat(columnGap))
        .trimEnd(),
    );
  };
  return [...draw(header).map(colours.dim), ...rows.flatMap(draw)].join("\n");
}

function pad(cell: string, width: number, toRight: boolean): string {
  const space = " ".repeat(Math.max(0, width - visibleWidth(cell)));
  return toRight ? space + cell : cell + space;
}

/** Text in lines of the terminal's width, each starting with `indent`; those that continue a paragraph with `hanging`. */
export function wrap(text: string, indent = "", hanging = indent, width = proseWidth()): string {
  const room = width - Math.max(visibleWidth(indent), visibleWidth(hanging));
  return text
    .split("\n")
    .flatMap((paragraph) =>
      wrapPainted(paragraph, room).map((line, i) => ((i === 0 ? indent : hanging) + line).trimEnd()),
    )
    .join("\n");
}

/** "label      text", wrapped in its own column. */
export function wrapLabelled(label: string, text: string, labelWidth: number): string {
  return wrap(text, colours.dim(label.padEnd(labelWidth)), " ".repeat(labelWidth));
}

/** The colour of a whole line ends with it and goes on in the next, so that it does not reach into other columns. */
function wrapPainted(text: string, width: number): string[] {
  const [first, last, ...more] = text.matchAll(colourCode);
  const isWhole =
    more.length === 0 && first?.index === 0 && last !== undefined && last.index + last[0].length === text.length;
  if (!isWhole) return wrapParagraph(text, width);
  return wrapParagraph(stripColour(text), width).map((line) => first[0] + line + last![0]);
}

/** Lines that go on stand below the text of the first, also in a list. A word that is wider than a line stays whole. */
function wrapParagraph(paragraph: string, width: number): string[] {
  if (visibleWidth(paragraph) <= width) return [paragraph];
  const [lead] = /^ *(?:[-+●] )?/u.exec(paragraph)!;
  const [first = "", ...words] = paragraph.slice(lead.length).split(" ");
  const lines = [lead + first];
  for (const word of words) {
    const longer = `${lines.at(-1)!} ${word}`;
    if (visibleWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(" ".repeat(lead.length) + word);
  }
  return lines;
}

/** In one line. */
export function flatten(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** In one line of at most that many columns. */
export function shorten(text: string, width: number): string {
  const flat = flatten(text);
  if (visibleWidth(flat) <= width) return flat;
  let kept = "";
  for (const { segment } of graphemes.segment(flat)) {
    if (visibleWidth(kept + segment) >= width) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}
