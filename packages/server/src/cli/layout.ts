/** Text in lines and columns that fit the terminal. Widths are those of the screen: an emoji takes two columns. */
import stringWidth from "string-width";
import { readVariable } from "./environment.js";
import { colourCode, colours, showHidden, stripColour } from "./paint.js";

const widthDefault = 80;
const widthMin = 40;
/** Longer lines of prose are hard to read. */
const proseWidthMax = 100;
export const columnGap = 2;
/** Columns that words are wrapped in are at least this wide. */
const wrappedWidthMin = 16;

/** Columns of the terminal; what is not one has 80, or COLUMNS. */
export function terminalWidth(stream: { readonly columns?: number } = process.stdout): number {
  const columns = stream.columns ?? Number(readVariable("COLUMNS") ?? widthDefault);
  return Number.isFinite(columns) && columns > 0 ? Math.max(widthMin, columns) : widthDefault;
}

export function visibleWidth(text: string): number {
  return stringWidth(showHidden(stripColour(text)));
}

type Row = readonly string[];

/** Rows as aligned columns; numbers are right-aligned. If they do not fit, long texts are wrapped, or columns folded. */
export function formatTable(header: Row, rows: readonly Row[]): string {
  const natural = columnWidths(header, rows);
  const numeric = header.map((_, i) => isNumeric(i, rows));
  const widths = fitWidths(natural, numeric, terminalWidth());
  return widths === null ? formatFoldedTable(header, rows) : drawTable(header, rows, widths, numeric);
}

/** Columns that do not fit the terminal follow below, with the first `keyCount` columns repeated. */
export function formatFoldedTable(header: Row, rows: readonly Row[], keyCount = 1): string {
  const widths = columnWidths(header, rows);
  const keys = header.map((_, column) => column).slice(0, keyCount);
  const keyWidth = keys.reduce((sum, key) => sum + widths[key]! + columnGap, -columnGap);
  const folds: number[][] = [];
  let room = 0;
  for (let column = keyCount; column < header.length; column++) {
    const width = widths[column]! + columnGap;
    if (folds.length === 0 || width > room) {
      folds.push([...keys]);
      room = terminalWidth() - keyWidth;
    }
    folds.at(-1)!.push(column);
    room -= width;
  }
  const drawn = folds.length === 0 ? [keys] : folds;
  return drawn.map((fold) => drawFold(fold, header, rows)).join("\n\n");
}

function drawFold(fold: readonly number[], header: Row, rows: readonly Row[]): string {
  const pick = (row: Row): string[] => fold.map((column) => row[column] ?? "");
  const picked = rows.map(pick);
  const natural = columnWidths(pick(header), picked);
  const numeric = fold.map((_, i) => isNumeric(i, picked));
  const widths = fitWidths(natural, numeric, terminalWidth()) ?? squeeze(natural, terminalWidth());
  return drawTable(pick(header), picked, widths, numeric);
}

function columnWidths(header: Row, rows: readonly Row[]): number[] {
  return header.map((_, i) => Math.max(...[header, ...rows].flatMap((row) => lineWidths(row[i] ?? ""))));
}

function lineWidths(cell: string): number[] {
  return cell.split("\n").map(visibleWidth);
}

function isNumeric(column: number, rows: readonly Row[]): boolean {
  return rows.length > 0 && rows.every((row) => /^[-+\d.,%∞ ]*$/u.test(stripColour(row[column] ?? "")));
}

/** Takes from the widest column of text until all fit; null if that would leave too little of it. */
function fitWidths(natural: readonly number[], numeric: readonly boolean[], room: number): number[] | null {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width + columnGap, -columnGap) - room;
  while (excess > 0) {
    const texts = widths.filter((width, i) => !numeric[i] && width > wrappedWidthMin);
    if (texts.length === 0) return null;
    const widest = widths.indexOf(Math.max(...texts));
    widths[widest]!--;
    excess--;
  }
  return widths;
}

/** Whatever it takes: each column gets its share. */
function squeeze(natural: readonly number[], room: number): number[] {
  const share = Math.max(1, Math.floor((room + columnGap) / natural.length) - columnGap);
  return natural.map((width) => Math.min(width, share));
}

function drawTable(header: Row, rows: readonly Row[], widths: readonly number[], numeric: readonly boolean[]): string {
  const draw = (cells: Row): string[] => {
    const columns = cells.map((cell, i) => wrapCell(cell, widths[i]!));
    return Array.from({ length: Math.max(1, ...columns.map(({ length }) => length)) }, (_, line) =>
      columns
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

/** A colour ends with its line and goes on in the next, so that it does not reach into other columns. */
function wrapCell(cell: string, width: number): string[] {
  return cell.split("\n").flatMap((text) => wrapPainted(text, width));
}

function wrapPainted(text: string, width: number): string[] {
  const codes = [...text.matchAll(colourCode)];
  const first = codes[0];
  const last = codes.at(-1);
  const isWhole = codes.length === 2 && first!.index === 0 && last!.index + last![0].length === text.length;
  if (!isWhole) return wrapParagraph(text, width);
  return wrapParagraph(stripColour(text), width).map((line) => first![0] + line + last![0]);
}

/** Text in lines of the terminal's width, each starting with `indent`; those that continue a paragraph with `hanging`. */
export function wrap(text: string, indent = "", hanging = indent, width = proseWidth()): string {
  return text
    .split("\n")
    .flatMap((paragraph) => {
      const lines = wrapPainted(paragraph, width - Math.max(visibleWidth(indent), visibleWidth(hanging)));
      return lines.map((line, i) => ((i === 0 ? indent : hanging) + line).trimEnd());
    })
    .join("\n");
}

export function proseWidth(stream?: { readonly columns?: number }): number {
  return Math.min(proseWidthMax, terminalWidth(stream));
}

/** "label      text", wrapped in its own column. */
export function wrapLabelled(label: string, text: string, labelWidth: number): string {
  const space = " ".repeat(labelWidth);
  const first = colours.dim(label) + " ".repeat(Math.max(1, labelWidth - visibleWidth(label)));
  return wrap(text, first, space);
}

/** Continuation lines align with the text of the first line, whether it is indented or a list item. */
function wrapParagraph(given: string, width: number): string[] {
  const paragraph = given.replaceAll("\t", "    ");
  if (visibleWidth(paragraph) <= width) return [paragraph];
  const [lead] = /^ *(?:[-+●] )?/u.exec(paragraph)!;
  const space = " ".repeat(Math.min(lead.length, Math.floor(width / 2)));
  const lines: string[] = [];
  let line = lead;
  let lineWidth = lead.length;
  let isEmpty = true;
  for (const word of paragraph.slice(lead.length).split(" ")) {
    for (const [i, piece] of breakWord(word, width - space.length).entries()) {
      const pieceWidth = visibleWidth(piece);
      const gap = isEmpty || i > 0 ? 0 : 1;
      if ((!isEmpty && lineWidth + gap + pieceWidth > width) || i > 0) {
        lines.push(line);
        line = space + piece;
        lineWidth = space.length + pieceWidth;
      } else {
        line += " ".repeat(gap) + piece;
        lineWidth += gap + pieceWidth;
      }
      isEmpty = false;
    }
  }
  return [...lines, line].map((each) => each.trimEnd());
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** A word that is wider than a line, in pieces that are not; scripts without spaces are such words. */
function breakWord(word: string, width: number): string[] {
  if (visibleWidth(word) <= width) return [word];
  const pieces: string[] = [];
  let piece = "";
  let pieceWidth = 0;
  for (const { text, columns } of measuredPieces(word)) {
    if (pieceWidth + columns > width && piece !== "") {
      pieces.push(piece);
      piece = "";
      pieceWidth = 0;
    }
    piece += text;
    pieceWidth += columns;
  }
  return [...pieces, piece];
}

/** Colour codes and graphemes, each of which stays whole; hidden characters as they are shown. */
function measuredPieces(text: string): { readonly text: string; readonly columns: number }[] {
  const parts = showHidden(text).split(new RegExp(`(${colourCode.source})`, "u"));
  return parts.flatMap((part, i) =>
    i % 2 === 1
      ? [{ text: part, columns: 0 }]
      : [...graphemes.segment(part)].map(({ segment }) => ({ text: segment, columns: visibleWidth(segment) })),
  );
}

/** In one line. */
export function flatten(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}

/** In one line of at most that many columns. */
export function shorten(text: string, width: number): string {
  const flat = flatten(text);
  if (visibleWidth(flat) <= width) return flat;
  const [first = ""] = breakWord(flat, Math.max(1, width - 1));
  // A character of two columns may not even fit alone.
  return visibleWidth(first) < width ? `${first.trimEnd()}…` : "…";
}
