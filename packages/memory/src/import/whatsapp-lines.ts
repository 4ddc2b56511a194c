/**
 * The lines of a WhatsApp chat. On Android a message begins `12/05/2024, 21:15 - Ana: `, on iOS `[12/05/2024, 21:15:03] Ana: `;
 * date order, separators and clock follow the phone's settings. Invisible marks of direction stand before lines and names.
 */
import { cleanName } from "./reading.js";

/** A date and a time as written: which of the first two numbers is the day may be open. */
export interface ChatStamp {
  readonly numbers: readonly [number, number, number];
  readonly isYearFirst: boolean;
  /** "." is only written between day and month, in this order. */
  readonly isDayFirst: boolean;
  readonly secondOfDay: number;
}

export interface ChatLine {
  readonly stamp: ChatStamp;
  /** Null if WhatsApp itself says it. */
  readonly who: string | null;
  readonly text: string;
}

export type DateOrder = "dmy" | "mdy";

const marks = /[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/gu;
const leadingMarks = /^[\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]+/u;
const ownMark = "\u200E";

const datePattern = String.raw`(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})\.?`;
const clockPattern = String.raw`(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s*([ap])\.?\s?m\.?)?`;
/** Some languages put a short word before the time, such as "klo" or "à". */
const stampPattern = String.raw`${datePattern},?\s+(?:\p{L}{1,4}\s+)?${clockPattern}`;
const linePatterns = [
  new RegExp(String.raw`^\[${stampPattern}\]\s`, "iu"),
  new RegExp(String.raw`^${stampPattern}\s[-–—]\s`, "iu"),
];

/** The beginning of a message; null for a further line of one. */
export function parseChatLine(line: string): ChatLine | null {
  const visible = line.replace(leadingMarks, "");
  const match = linePatterns.map((pattern) => pattern.exec(visible)).find((found) => found !== null);
  if (match === undefined) return null;
  const stamp = parseStamp(match.slice(1) as (string | undefined)[]);
  const isDate = stamp !== null && (clockOf(stamp, "dmy") ?? clockOf(stamp, "mdy")) !== null;
  return isDate ? { stamp, ...parseSpeaker(visible.slice(match[0].length)) } : null;
}

function parseStamp(groups: readonly (string | undefined)[]): ChatStamp | null {
  const [first, separator, middle, last, hourText, minute, second = "0", half] = groups as string[];
  const isYearFirst = first!.length === 4;
  if (!isYearFirst && (first!.length > 2 || last!.length === 3 || last!.length === 1)) return null;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  return {
    numbers: [Number(first), Number(middle), Number(last)],
    isYearFirst,
    isDayFirst: separator === "." && !isYearFirst,
    secondOfDay: (hour * 60 + Number(minute)) * 60 + Number(second),
  };
}

function parseSpeaker(rest: string): Pick<ChatLine, "who" | "text"> {
  const [, name, text] = /^([^:"“]{1,120}):(?:\s([\s\S]*))?$/u.exec(rest) ?? [];
  if (name === undefined) return { who: null, text: rest };
  // "~" stands before the name of somebody who is not a contact.
  return { who: cleanName(name.replace(marks, "").replace(/^\s*~\s*/u, "")), text: text ?? "" };
}

/** The order that a date shows; null if it fits both. */
export function orderShown({ numbers: [first, second], isYearFirst, isDayFirst }: ChatStamp): DateOrder | null {
  if (isYearFirst) return null;
  if (isDayFirst || first > 12) return "dmy";
  return second > 12 ? "mdy" : null;
}

/** What a clock shows then, as if its zone were UTC; null if there is no such date. */
export function clockOf({ numbers, isYearFirst, isDayFirst, secondOfDay }: ChatStamp, order: DateOrder): number | null {
  const [first, second, third] = numbers;
  const [firstOfTwo, secondOfTwo, year] = isYearFirst ? [third, second, first] : [first, second, fullYear(third)];
  const isDayBefore = isYearFirst || isDayFirst || order === "dmy";
  const [day, month] = isDayBefore ? [firstOfTwo, secondOfTwo] : [secondOfTwo, firstOfTwo];
  const date = new Date(Date.UTC(year, month - 1, day));
  const isThere = date.getUTCDate() === day && date.getUTCMonth() === month - 1;
  return isThere ? date.getTime() + secondOfDay * 1000 : null;
}

function fullYear(year: number): number {
  return year < 100 ? 2000 + year : year;
}

/** What a message says, or why it says nothing. */
export type ChatText = { readonly text: string } | { readonly skipped: string };

/** "<Media omitted>" in any language, and the name of a file that was exported with the chat. */
const media = /^(?:<[\p{L}\p{M} ,'’-]{3,60}>|<\p{L}+: [^\n<>]+\.\w{1,5}>|[^\n]+\.\w{1,5} \([\p{L} ]{3,30}\))$/u;
/** "image omitted", "plan.pdf • 2 pages document omitted": only with WhatsApp's own mark, for anybody may type it. */
const markedMedia = /\u200E[\p{L} ]{1,30} omitted$/iu;
const deleted = /^(?:You deleted this message|This message was deleted)\.?$/u;
const edited = /(?<!\s)\s*<This message was edited>\s*$/u;

/** `text` with its further lines. */
export function readChatText(text: string): ChatText {
  const plain = text.replace(marks, "").replace(edited, "").trim();
  const [firstLine = "", ...rest] = plain.split("\n");
  if (media.test(firstLine.trim()) || markedMedia.test(text.split("\n")[0]!.trim())) {
    const caption = rest.join("\n").trim();
    return caption === "" ? { skipped: "media" } : { text: caption };
  }
  if (deleted.test(plain)) return { skipped: "deleted messages" };
  if (plain === "") return { skipped: "empty messages" };
  // On an iPhone, WhatsApp marks its own words; a poll and a place were still sent by somebody.
  const isOwn = text.startsWith(ownMark) && !/^(?:POLL|Location):/u.test(plain);
  return isOwn ? { skipped: "system lines" } : { text: plain };
}
