/**
 * Errors from models and servers may quote what they were sent, and error messages end up in logs. Every stretch that
 * was sent is left out; shorter ones than `quoteLengthMin` are ordinary words.
 */
const quoteLengthMin = 16;
const messageLengthMax = 500;
const omission = "[…]";

export function withoutQuotes(message: string, sent: readonly string[]): string {
  const text = message.slice(0, messageLengthMax).toWellFormed();
  const isSent = (part: string): boolean => sent.some((other) => other.includes(part));
  let clean = "";
  for (let start = 0; start < text.length;) {
    let end = start + quoteLengthMin;
    if (end > text.length || !isSent(text.slice(start, end))) {
      clean += text[start++];
      continue;
    }
    while (end < text.length && isSent(text.slice(start, end + 1))) end++;
    clean += omission;
    start = end;
  }
  return clean;
}
