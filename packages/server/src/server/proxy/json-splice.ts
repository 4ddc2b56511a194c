/**
 * Changes of a JSON text in one place. Everything else stays as it was written: the order of members, large numbers, blanks,
 * members that are there twice. The text must have been parsed before: what is not JSON is not noticed here. Nothing recurses, so
 * that no depth is too deep.
 */

/** Where a value is in the text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The first value of a text. */
export function valueAt(text: string, from: number): Span {
  const start = skipBlanks(text, from);
  return { start, end: endOfValue(text, start) };
}

/** The value of a member; like a parser, the last one of several. Null if the object has none. */
export function memberOf(text: string, object: Span, name: string): Span | null {
  let found: Span | null = null;
  let at = skipBlanks(text, object.start + 1);
  while (text[at] === '"') {
    const keyEnd = endOfString(text, at);
    const key: unknown = JSON.parse(text.slice(at, keyEnd));
    const value = valueAt(text, skipBlanks(text, keyEnd) + 1);
    if (key === name) found = value;
    at = nextItem(text, value.end);
  }
  return found;
}

/** The first item of a list; null if it is empty. */
export function firstItemOf(text: string, list: Span): Span | null {
  const start = skipBlanks(text, list.start + 1);
  return text[start] === "]" ? null : { start, end: endOfValue(text, start) };
}

/** At the beginning of an object that does not have it. */
export function addMember(text: string, object: Span, name: string, value: unknown): string {
  const isEmpty = text[skipBlanks(text, object.start + 1)] === "}";
  const member = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return insert(text, object.start + 1, isEmpty ? member : `${member},`);
}

export function addFirstItem(text: string, list: Span, value: unknown): string {
  const written = JSON.stringify(value);
  return insert(text, list.start + 1, firstItemOf(text, list) === null ? written : `${written},`);
}

export function addLastItem(text: string, list: Span, value: unknown): string {
  const written = JSON.stringify(value);
  return insert(text, list.end - 1, firstItemOf(text, list) === null ? written : `,${written}`);
}

export function addToString(text: string, string: Span, added: string): string {
  return insert(text, string.end - 1, JSON.stringify(added).slice(1, -1));
}

export function replace(text: string, { start, end }: Span, value: unknown): string {
  return text.slice(0, start) + JSON.stringify(value) + text.slice(end);
}

function insert(text: string, at: number, added: string): string {
  return text.slice(0, at) + added + text.slice(at);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\n\r".includes(text[at]!)) at++;
  return at;
}

/** After the comma; at the closing bracket if there is none. */
function nextItem(text: string, from: number): number {
  const at = skipBlanks(text, from);
  return text[at] === "," ? skipBlanks(text, at + 1) : at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") return endOfWord(text, start);
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at]!;
    if (character === '"') {
      at = endOfString(text, at);
      continue;
    }
    if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    at++;
    if (depth === 0) return at;
  }
  return at;
}

/** Numbers, true, false and null. */
function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !",]} \t\n\r".includes(text[at]!)) at++;
  return at;
}
