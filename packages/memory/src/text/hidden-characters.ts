/**
 * Characters that show nothing themselves but change or hide what does: they move a terminal's cursor, reverse the
 * reading order, or carry text that only a machine reads. Line breaks and tabs are not among them, nor is what scripts
 * and emoji need: joiners, variation selectors, and the tags in the flags of England, Scotland and Wales.
 */

/**
 * Control characters; marks and embeddings of the reading direction; line and paragraph separators; what has no width;
 * interlinear annotations; tags.
 */
const hidden =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]";
const flag = "\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{5}\\u{e007f}";
const flagOrHidden = new RegExp(`(${flag})|${hidden}`, "gu");

export function replaceHidden(text: string, replace: (character: string) => string): string {
  return text.replace(flagOrHidden, (found, kept?: string) => kept ?? replace(found));
}
