/** Some editors put a byte order mark at the start of a text file; it is not part of the text. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF/u, "");
}
