/**
 * Whether a JSON text is worth parsing: a few megabytes of brackets become millions of lists, and parsing and checking them
 * keeps everybody else waiting for seconds. Counted byte by byte, before anything is made of it.
 */
const depthMax = 200;
/** Brackets and commas outside of texts, of 4 MiB: more than the shortest turns of a full batch have. */
const markCountMax = 200_000;

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, openObject, endList, endObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/** What is too much about it, in words; null if nothing is. */
export function findTooMuch(bytes: Uint8Array): string | null {
  let [depth, markCount] = [0, 0];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma) markCount++;
    else if (byte === endList || byte === endObject) depth--;
    else if (byte === openList || byte === openObject) {
      depth++;
      markCount++;
    }
    if (depth > depthMax) return `is nested more than ${depthMax} deep`;
    if (markCount > markCountMax) return `has more than ${markCountMax.toLocaleString("en")} values`;
  }
  return null;
}

/** Where its second quote is. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = bytes.indexOf(quote, start + 1);
  while (at !== -1 && isEscaped(bytes, at)) at = bytes.indexOf(quote, at + 1);
  return at === -1 ? bytes.length : at;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === backslash) before--;
  return (at - before) % 2 === 0;
}
