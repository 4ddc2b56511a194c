/**
 * Text that shows all it holds. A memory's text, a name or a server's words may contain codes that move the cursor,
 * rewrite the screen, reverse the reading order or hide what follows. Each of them is written as JSON writes it, \u001b
 * for the escape character, so that JSON stays the same value. Line breaks and tabs stay, as does what scripts and emoji
 * need: joiners, variation selectors, and the flags of England, Scotland and Wales, which are made of invisible tags.
 */

/**
 * Control characters; marks and embeddings of the reading direction; line and paragraph separators; what has no width;
 * interlinear annotations; tags.
 */
const hidden =
  "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\u{e0000}-\\u{e007f}]";
const flag = "\\u{1f3f4}[\\u{e0061}-\\u{e007a}]{5}\\u{e007f}";
const flagOrHidden = new RegExp(`(${flag})|${hidden}`, "gu");

export function showHidden(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(flagOrHidden, (found, kept?: string) => kept ?? escapeUnits(found));
}

function escapeUnits(text: string): string {
  return text
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
