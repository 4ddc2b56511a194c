/**
 * Which part of a turn is material: code, tables, quoted lines, a pasted mail, the text that a task is about, a quotation.
 * It can be searched and quoted, and is never taken for a fact about anybody.
 */
import { asksAboutText, closing, mailHeader, salutation } from "../english/material.js";

export interface Stretch {
  readonly text: string;
  readonly isMaterial: boolean;
}

const codeFence = /```[^]*?(?:```|$)/gu;
const codeLine =
  /[{};]\s*$|^\s*(?:[<#@]\S|\/\/|(?:const|let|var|def|class|import|function|return|SELECT|INSERT|CREATE)\b)|=>|^\s{4,}\S/u;
const tableLine = /\|.*\||\t.*\t/u;
const quotedLine = /^\s*>/u;
const listLine = /^\s*(?:[-*•]|\d{1,3}[.)])\s/u;
/** Of words in marks: fewer are a name or a word that is spoken of. */
const quotation = /(?<=^|[\s(:])(?:“([^”]{2,})”|"([^"]{2,})"|'([^'\n]{12,})'(?![\p{L}]))/gu;
const quotedWordCountMin = 4;
const colon = /:\s+|:\s*\n/u;
/** Something else may be said before a request. */
const sentenceEnd = /(?<=[.!?])\s+|\n/u;
/** Up to here a colon or a line break ends what is asked. */
const requestLengthMax = 160;

/** In order; joined by blanks they are the turn. */
export function splitMaterial(text: string): Stretch[] {
  return cutOut(text, codeFence, () => true).flatMap((part) => (part.isMaterial ? [part] : splitTask(part.text)));
}

/** "translate this: …": a request, and everything after it. */
function splitTask(text: string): Stretch[] {
  const border = colon.exec(text.slice(0, requestLengthMax));
  const lineEnd = text.slice(0, requestLengthMax).indexOf("\n");
  const ends = [border === null ? -1 : border.index + border[0].length, lineEnd + 1].filter((end) => end > 0);
  const end = ends.find((each) => asksAboutText(text.slice(0, each).trim().split(sentenceEnd).at(-1)!));
  if (end === undefined) return splitLines(text);
  return toStretches([
    { text: text.slice(0, end), isMaterial: false },
    { text: text.slice(end), isMaterial: true },
  ]);
}

/** Lines of code, tables, quotations and mails; a list is material only in a task, which has been cut off by now. */
function splitLines(text: string): Stretch[] {
  const lines = text.split("\n");
  const isMail = markMails(lines);
  const marked = lines.map((line, i) => ({
    text: line,
    isMaterial: isMail[i]! || quotedLine.test(line) || isAmong(lines, i, codeLine) || isAmong(lines, i, tableLine),
  }));
  const joined: Stretch[] = [];
  for (const { text: line, isMaterial } of marked) {
    const last = joined.at(-1);
    if (last?.isMaterial === isMaterial) joined[joined.length - 1] = { text: `${last.text}\n${line}`, isMaterial };
    else joined.push({ text: line, isMaterial });
  }
  return toStretches(joined).flatMap((part) =>
    part.isMaterial
      ? [part]
      : cutOut(part.text, quotation, (words) => words.split(/\s+/u).length >= quotedWordCountMin),
  );
}

/** A single line may look like code; two in a row are some. */
function isAmong(lines: readonly string[], i: number, pattern: RegExp): boolean {
  if (!pattern.test(lines[i]!) || listLine.test(lines[i]!)) return false;
  return [lines[i - 1], lines[i + 1]].some((line) => line !== undefined && pattern.test(line));
}

const mailLineCountMin = 3;

/** From a header or a salutation on a line of its own to a closing, or to the end where there are headers. */
function markMails(lines: readonly string[]): boolean[] {
  const marks = lines.map(() => false);
  if (lines.length < mailLineCountMin) return marks;
  const trimmed = lines.map((line) => line.trim());
  const header = trimmed.findIndex((line) => mailHeader.test(line));
  const first = header >= 0 ? header : trimmed.findIndex((line) => salutation.test(line));
  if (first < 0) return marks;
  const last = trimmed.findLastIndex((line) => closing.test(line));
  if (header < 0 && last <= first) return marks;
  // A name after the closing belongs to it.
  const end = last > first ? Math.min(lines.length - 1, last + 1) : lines.length - 1;
  return marks.map((_, i) => i >= first && i <= end);
}

/** What a pattern finds is material, as far as it is meant. */
function cutOut(text: string, pattern: RegExp, isMeant: (found: string) => boolean): Stretch[] {
  const parts: Stretch[] = [];
  let start = 0;
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (!isMeant(found)) continue;
    parts.push({ text: text.slice(start, index), isMaterial: false }, { text: found, isMaterial: true });
    start = index + found.length;
  }
  return toStretches([...parts, { text: text.slice(start), isMaterial: false }]);
}

function toStretches(parts: readonly Stretch[]): Stretch[] {
  return parts
    .map(({ text, isMaterial }) => ({ text: text.trim(), isMaterial }))
    .filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
}
