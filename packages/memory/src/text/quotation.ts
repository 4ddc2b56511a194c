/**
 * What people said, quoted in a text for a model: in one line, without characters that nobody sees, and so that neither
 * a name nor a text can pass for somebody with a say of their own.
 */
import { replaceHidden } from "./hidden-characters.js";

const nameLengthMax = 60;
const nobody = "somebody";
/** A label that models know as a role, other than those of a conversation. */
const roleLabel = /^\P{L}*(?:system|developer|tool|function|admin(?:istrator)?|root)\b[^:]{0,80}:/iu;

export function quote(text: string): string {
  const line = toPlainLine(text);
  return roleLabel.test(line) ? quoteInMarks(line) : line;
}

/** Between quotation marks, which nothing inside can end: for a text in the middle of a line. */
function quoteInMarks(text: string): string {
  return `“${toPlainLine(text).replace(/[“”]/gu, '"')}”`;
}

/** A name as a name: letters, digits, blanks and a few marks. A colon would end it, so it becomes a comma. */
export function quoteName(name: string): string {
  const letters = name
    .replace(/(?:(?<!\s)\s+)?:\s*/gu, ", ")
    .replace(/[^\p{L}\p{M}\p{N}\p{Join_Control} .,'’&/()_-]+/gu, " ");
  const short = [...toPlainLine(letters)].slice(0, nameLengthMax).join("");
  return /[\p{L}\p{N}]/u.test(short) ? short.replace(/^[ ,]+|(?<![ ,])[ ,]+$/gu, "") : nobody;
}

/** In one line, and all of it visible. */
export function toPlainLine(text: string): string {
  return replaceHidden(text, (character) => (/\s/u.test(character) ? " " : ""))
    .replace(/\s+/gu, " ")
    .trim();
}
