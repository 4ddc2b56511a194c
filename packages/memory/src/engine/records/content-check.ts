/**
 * Whether bytes from a file are the content of a memory. Nothing about them is trusted: every length and count is compared
 * with the bytes before anything is read by it. Products, squares and terms are not looked at; an import makes them again.
 */
import { type Statement, isLasting, isStatement, isWritten } from "../../graph/statement.js";
import {
  type ContentPlace,
  aligned,
  dimensionsOf,
  headerLength,
  numberByteCount,
  numbersIn,
  placeContent,
} from "./memory-content.js";

/** Null if nothing is wrong. */
export function faultOfContent(bytes: Uint8Array, dimensions: number): string | null {
  const content = aligned(bytes);
  const numbers = numbersIn(content);
  if (numbers.length < headerLength) return "the memory is shorter than its header";
  if (dimensionsOf(numbers, 0) !== dimensions) {
    return `the memory has vectors of ${dimensionsOf(numbers, 0)} dimensions instead of ${dimensions}`;
  }
  const place = placeContent(numbers, 0);
  const { termsAt, keywordsAt, keywordsEnd, statementCount, questionCount, headAt, textAt, textEnd } = place;
  const lengths = [keywordsAt - termsAt, keywordsEnd - keywordsAt, statementCount, questionCount];
  const padding = content.byteLength - textEnd;
  const isAligned = content.byteLength % numberByteCount === 0 && padding < numberByteCount;
  const areLengths = [...lengths, textAt - headAt, textEnd - textAt, padding].every((length) => length >= 0);
  if (!areLengths || !isAligned) return "the memory has lengths that are not its own";
  const [head, text] = [content.subarray(headAt, textAt), content.subarray(textAt, textEnd)];
  if (!isUtf8(head) || !isUtf8(text)) return "the memory has text that is not UTF-8";
  return isHead(parse(head), text, place) ? null : "the memory has another head than one of its kind";
}

function isHead(head: unknown, text: Buffer, place: ContentPlace): boolean {
  if (!Array.isArray(head) || head.length !== 6) return false;
  const [summary, state, keywords, hypotheticalQuery, statements, questions] = head as unknown[];
  const isPiece = (piece: unknown): boolean => isText(piece) || isPlaceIn(text, piece);
  if (!isListOf(statements, (each) => statementOf(each, isPiece) !== null, place.statementCount)) return false;
  const said = (statements as unknown[]).map((each) => statementOf(each, isPiece)!);
  return (
    isPiece(summary) &&
    (state === null || isText(state)) &&
    isListOf(keywords, isText) &&
    isText(hypotheticalQuery) &&
    place.hasHypothetical === (hypotheticalQuery !== "") &&
    place.lasts === said.some(isLasting) &&
    place.hasWritten === said.some(isWritten) &&
    isListOf(questions, isText, place.questionCount)
  );
}

/** Without its words; null if it is none. */
function statementOf(packed: unknown, isPiece: (piece: unknown) => boolean): Statement | null {
  if (!isListOf(packed, () => true, 6)) return null;
  const [said, turn, who, asked, kind, reading] = packed as unknown[];
  if (!isPiece(said) || (asked !== null && !isPiece(asked))) return null;
  if (reading !== null && !isListOf(reading, () => true, 5)) return null;
  const [fact, about, area, lasting, alone] = (reading ?? []) as unknown[];
  const read = reading === null ? null : { fact, about, area, lasting, alone };
  const statement: unknown = { turn, who, text: "", asked: null, kind, reading: read };
  return isStatement(statement) ? statement : null;
}

/** Part of the text, between two characters. */
function isPlaceIn(text: Buffer, piece: unknown): piece is [start: number, end: number] {
  if (!isListOf(piece, Number.isSafeInteger, 2)) return false;
  const [start, end] = piece as [number, number];
  return start >= 0 && start <= end && end <= text.byteLength && [start, end].every((at) => isBetween(text, at));
}

function isBetween(text: Buffer, at: number): boolean {
  return at === text.byteLength || (text[at]! & 0xc0) !== 0x80;
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean, count?: number): boolean {
  return Array.isArray(value) && (count ?? value.length) === value.length && value.every(isOne);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isUtf8(bytes: Buffer): boolean {
  return Buffer.from(bytes.toString()).equals(bytes);
}

function parse(json: Buffer): unknown {
  try {
    return JSON.parse(json.toString());
  } catch {
    return undefined;
  }
}
